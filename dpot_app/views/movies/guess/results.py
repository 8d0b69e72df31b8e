"""The best guess of the one film that a user has rated, from one release: exact sums over films with a place."""

from dataclasses import dataclass

import numpy as np

from dpot_app.films.catalogue import PAPERS_ORDER, Films
from dpot_app.films.releases import MECHANISMS
from dpot_app.kit.best_guess import Attacked, Guesses, attacked
from dpot_app.kit.cache import cached
from dpot_app.views.movies.settings import Config
from dpot_app.views.movies.worst_case.results import EPSILONS, released_from_films
from dpot_core.arguments import Array
from dpot_core.arguments.progress import Progress, counted, parts
from dpot_core.distributions import normalise


@dataclass(frozen=True)
class FilmGuesses(Guesses):
    """The same for a film of a catalogue; distances as in the worst cases."""

    films: Films


def film_guesses(films: Films, config: Config, progress: Progress | None = None) -> FilmGuesses:
    """Compute chances and distances at the present epsilon and along the curves."""
    prior, at = believed(films, config.belief), config.epsilon
    curves, now = dict[str, list[Attacked]](), dict[str, Attacked]()
    for name, part in parts(config.mechanisms, progress):
        own = (config.base, config.reg) if name == "wpm" else ("", None)
        curves[name] = [_attacked(films, *own, name, each, config.belief) for each in counted(EPSILONS, part)]
        now[name] = _attacked(films, *own, name, at, config.belief)
    usual = films.order == PAPERS_ORDER
    return FilmGuesses(
        place="film",
        loss="W₁" if usual else "W²/2",
        unit="in cosine distance",
        prior=prior,
        epsilon=np.asarray(EPSILONS),
        curves=curves,
        at=at,
        now=now,
        labels=MECHANISMS,
        said="The user has rated one {place} only",
        simulated=films.simulated,
        films=films,
    )


def believed(films: Films, belief: str) -> Array:
    """Which film it is, as far as it is known before a release: alike, or as often as validation users rated it."""
    if belief == "uniform":
        return np.full(int(films.placed.sum()), 1.0 / int(films.placed.sum()))
    rated = (films.ratings.matrix[np.ix_(films.validation, films.inputs[films.placed])] > 0).sum(axis=0)
    return normalise(rated)


@cached
def _attacked(films: Films, base: str, reg: float | None, name: str, epsilon: float, belief: str) -> Attacked:
    rows = released_from_films(films, base, reg, name, epsilon)
    found = attacked(films.cost[films.placed], rows, films.order, believed(films, belief))
    # W_p of costs (1 - cos)^(p/2): its square is W_p^2 / 2 for the chord, and at p = 2 the mean cosine distance.
    return found._replace(distance=found.distance**2)
