from typing import Any

from dpot_app.films.catalogue import LIKED, Films
from dpot_app.films.releases import MECHANISMS, make_base, make_releases
from dpot_app.films.scores import hit_rate
from dpot_app.kit.cache import cached
from dpot_app.kit.need import NO_FILES, Need, Own, Side
from dpot_app.kit.view import Files
from dpot_app.views.movies.data import films_of
from dpot_app.views.movies.settings import SOURCES, WITHOUT_FILES, Config
from dpot_core import datasets
from dpot_core.datasets import FILM_DATASETS
from dpot_core.datasets.ratings_csv import RATING_ROLES
from dpot_core.privacy.numerals import percent_at_least

#: Entropic weight of WPM, as the movies page begins with.
REG = 0.01


@cached
def _rates(films: Films, epsilon: float) -> dict[str, float]:
    mu, liked = films.inputs_of(films.test), films.liked_by(films.test)
    releases = make_releases(films, make_base(films, "rule", epsilon), epsilon, REG)
    return {name: float(hit_rate(kernel(mu), liked).mean()) for name, kernel in releases.items()}


def _data(config: Any, files: Files = NO_FILES) -> Side:
    films = films_of(Config(source=config.source, columns=config.columns), files)
    title = FILM_DATASETS[config.source].title if config.source in FILM_DATASETS else _OWN.source
    return Side(
        what=f"how often {films.test.size} test users like the released film (Hit Rate@1, exact)",
        labels=MECHANISMS,
        evaluate=lambda name, epsilon: _rates(films, epsilon)[name],
        note=f"Liked: {LIKED:g} stars or more. WPM has a uniform base of mass e^(ε/4); it is computed by 40 "
        f"iterations of Algorithm 1, with λ = {REG:g}. {title}.",
        simulated=films.simulated,
    )


_OWN = Own(
    role="ratings",
    source=SOURCES["csv"],
    label="Ratings: user, film, rating (0.5 to 5)",
    missing=WITHOUT_FILES,
    sniff=datasets.sniff_ratings,
    roles=RATING_ROLES,
)

NEED = Need(
    key="movies",
    title="Liked recommendations",
    question="at least {} of the released films are liked",
    unit="Hit Rate@1",
    write=percent_at_least,
    at_least=True,
    targets=(0.05, 0.06, 0.07, 0.08, 0.09, 0.1, 0.11, 0.12, 0.14, 0.16, 0.18, 0.2, 0.25, 0.3),
    default=0.1,
    heavy=True,
    worst=lambda config, files=NO_FILES: (
        "There is no worst case to promise: a user may like none of the films, whatever ε and mechanism."
    ),
    data=_data,
    shows=lambda config, side: ("movies.sweep", Config(source=config.source, columns=config.columns)),
    sets=FILM_DATASETS,
    own=_OWN,
)
