"""One film each: every person of a ratings file releases a film of a catalogue that is public."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from dpot_app.batch.release.prepared import mechanism_of, published
from dpot_app.batch.scenarios import Scenario, ScenarioError
from dpot_app.films.catalogue import CACHE, Films
from dpot_app.films.releases import MECHANISMS, make_base, make_releases, polytope_of
from dpot_app.kit.reading import read_once
from dpot_app.views.movies.data import films_of
from dpot_app.views.movies.disclosed import guarantee
from dpot_app.views.movies.settings import PUBLIC, Config
from dpot_core import datasets
from dpot_core.arguments import Array
from dpot_core.arguments.progress import Progress
from dpot_core.privacy.guarantees import Guarantee
from dpot_core.privacy.polytopes import Polytope
from dpot_core.privacy.releases import release

#: Of the invented people of a dry run: how many, ratings of each, the seed.
DRY_PEOPLE, DRY_RATINGS, DRY_SEED = 300, 12, 1
# People whose outputs are computed together.
_TOGETHER = 20

_read = read_once(CACHE, datasets.read_ratings_csv)


@dataclass(frozen=True)
class OneFilmEach:
    """Releases of the people of a file, before anything is drawn.

    Attributes:
        scenario: settings of the page Movies.
        films: the public catalogue.
        people: names of the people in the file.
        stars: their ratings of the films that make inputs, (people, k), 0 where there is none.
        mechanism: a key of `MECHANISMS`.
        promise: of one release, to each person.
    """

    scenario: Scenario
    films: Films
    people: tuple[str, ...]
    stars: Array
    mechanism: str
    promise: Guarantee
    thing = ("film", "films")

    @property
    def charged(self) -> tuple[str, ...]:
        """The same people."""
        return self.people

    @property
    def what(self) -> str:
        """The release, in words."""
        return f"one film each by {MECHANISMS[self.mechanism]}"

    def outputs(self) -> Iterator[tuple[Polytope, Array]]:
        """The polytope, and the output distribution in it, of each person: nothing is drawn."""
        config, films = self.scenario.config, self.films
        base = make_base(films, config.base, config.epsilon)
        polytope = polytope_of(films, self.mechanism, base, config.epsilon, config.reg)
        kernel = make_releases(films, base, config.epsilon, config.reg)[self.mechanism]
        for start in range(0, len(self.people), _TOGETHER):
            stars = self.stars[start : start + _TOGETHER]
            # One who rated no film of the catalogue takes part all the same: else their absence would tell of them.
            stars = np.where(stars.any(axis=1, keepdims=True), stars, 1.0)
            for nu in kernel(stars / stars.sum(axis=1, keepdims=True)):
                yield polytope, nu

    def drawn(self, named: bool, progress: Progress | None = None) -> pd.DataFrame:
        """One film of each person: see `Prepared.drawn`."""
        drawn = []
        for number, (polytope, nu) in enumerate(self.outputs(), start=1):
            drawn.append(int(self.films.candidates[release(nu, polytope)]))
            if progress is not None:
                progress(number, len(self.people))
        ratings = self.films.ratings
        table = pd.DataFrame(
            {"film": [ratings.films[film] for film in drawn], "genres": [ratings.genres_of(film) for film in drawn]}
        )
        return published(table, self.people, named)


def one_film_each(scenario: Scenario, content: bytes | None) -> OneFilmEach:
    """Prepare a release of one film each.

    Args:
        scenario: of the page Movies, with a catalogue that is public.
        content: of the file of ratings, whose films have the catalogue's titles; None for invented people.

    Raises:
        ScenarioError: if the catalogue is not public; the message says what to set.
        ValueError: if the file does not suit the settings, or has none of the catalogue's films.
        DatasetMissing: if the catalogue has to be downloaded first.
    """
    config: Config = scenario.config
    if config.source == "csv":
        words = (
            f"the catalogue must be public, with all that is learned from it. Choose a data set, --set source={PUBLIC} "
            "for example, and give the people who release, with their ratings, by --data"
        )
        raise ScenarioError(words, ("source",))
    columns = dict(config.columns) or None
    mechanism = mechanism_of(scenario, MECHANISMS)
    config = replace(config, user="", other="", profile=(), columns=(), mechanisms=(mechanism,))
    films = films_of(config, {})
    people, stars = _invented(films) if content is None else _ratings(films, _read(content, None, columns))
    promise = guarantee(config, films).released()
    return OneFilmEach(replace(scenario, config=config), films, people, stars, mechanism, promise)


def _ratings(films: Films, ratings: datasets.Ratings) -> tuple[tuple[str, ...], Array]:
    """The people of a file, and their stars for the films of a catalogue that make inputs."""
    places = {films.ratings.films[film].casefold(): place for place, film in enumerate(films.inputs)}
    place = np.array([places.get(title.casefold(), -1) for title in ratings.films], dtype=np.intp)[ratings.film]
    if (place < 0).all():
        known = ", ".join(repr(films.ratings.films[film]) for film in films.inputs[:3])
        raise ValueError(f"no film of the file is one of the catalogue, whose titles are {known} and so on")
    stars = np.zeros((ratings.n_users, len(films.inputs)))
    stars[ratings.user[place >= 0], place[place >= 0]] = ratings.stars[place >= 0]
    return ratings.users, stars


def _invented(films: Films) -> tuple[tuple[str, ...], Array]:
    """People of a dry run, who rated some films at random, from a known seed."""
    rng = np.random.default_rng(DRY_SEED)
    stars = np.zeros((DRY_PEOPLE, len(films.inputs)))
    for row in stars:
        some = rng.choice(len(row), min(DRY_RATINGS, len(row)), replace=False)
        row[some] = rng.integers(1, 11, len(some)) / 2.0
    return tuple(f"simulated {number}" for number in range(1, DRY_PEOPLE + 1)), stars
