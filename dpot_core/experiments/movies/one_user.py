"""One user: what they rated, what each mechanism would release, and how often that is a film they like."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from dpot_core.checks import Array
from dpot_core.datasets.ratings import Flags
from dpot_core.experiments.movies.films import Films
from dpot_core.experiments.movies.releases import make_base, make_releases, nearest, without_input
from dpot_core.experiments.movies.settings import LIKED, MECHANISMS, Config
from dpot_core.mechanisms.wasserstein_projection import project_exact
from dpot_core.polytopes import Polytope
from dpot_core.progress import Progress
from dpot_core.transport.wasserstein import wasserstein

#: Values of epsilon of the curves over epsilon.
CURVE = (0.1, 0.2, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0, 8.0, 10.0)


@dataclass(frozen=True)
class OneUser:
    """Input and outputs of one user.

    Attributes:
        config: the settings.
        films: the catalogue.
        name: the user's name, plain text that nobody has checked.
        stars: the user's ratings of all films, (n_films,), 0 where there is none.
        mu: input distribution on the train films, (k,).
        liked: which candidates the user is known to like, (k_v,).
        outputs: output distribution of each mechanism, (k_v,).
        distance: W_1 between the input and WPM's output, with the cosine distance as cost.
        exact_distance: the same for the exact projection: no output of WPM's polytope is nearer.
    """

    config: Config
    films: Films
    name: str
    stars: Array
    mu: Array
    liked: Flags
    outputs: dict[str, Array]
    distance: float
    exact_distance: float

    @property
    def hits(self) -> dict[str, float]:
        """Probability that the release is a film that the user likes, by mechanism."""
        return {name: float(nu @ self.liked) for name, nu in self.outputs.items()}

    def rated(self) -> pd.DataFrame:
        """The films that the user rated: most stars first."""
        films = np.flatnonzero(self.stars)
        films = films[np.argsort(-self.stars[films], kind="stable")]
        role = np.full(self.films.ratings.n_films, "not used", dtype=object)
        role[self.films.inputs], role[self.films.candidates] = "input", "candidate"
        return self._films(films, {"stars": self.stars[films], "role": role[films]})

    def likely(self, name: str, n: int = 10) -> pd.DataFrame:
        """The n most likely releases of a mechanism, with probabilities."""
        best = np.argsort(-self.outputs[name], kind="stable")[:n]
        likes = np.where(self.liked[best], "yes", "")
        return self._films(self.films.candidates[best], {"probability": self.outputs[name][best], "liked": likes})

    def drawn(self, number: int) -> dict[str, int]:
        """A demonstration: the film that each mechanism draws, with a seed; not a release.

        Args:
            number: the seed.
        """
        at = np.random.default_rng(number).random()
        k_v = len(self.films.candidates)
        return {
            name: int(self.films.candidates[min(int(np.searchsorted(nu.cumsum(), at, side="right")), k_v - 1)])
            for name, nu in self.outputs.items()
        }

    def tables(self) -> dict[str, pd.DataFrame]:
        """Every number drawn."""
        x, y = self.films.positions[self.films.candidates].T
        films = self._films(self.films.candidates, {"liked": self.liked, "x": x, "y": y} | self.outputs)
        return {"user-rated": self.rated(), "user-outputs": films}

    def _films(self, films: np.ndarray[tuple[int], np.dtype[np.intp]], more: dict[str, Array]) -> pd.DataFrame:
        ratings = self.films.ratings
        about = {"film": [ratings.films[i] for i in films], "genres": [ratings.genres_of(int(i)) for i in films]}
        return pd.DataFrame({"simulated": self.films.simulated, **about, **more})


@dataclass(frozen=True)
class LikedCurve:
    """Probability of a liked film against epsilon, for one user.

    Attributes:
        simulated: whether the user is invented.
        epsilon: values of the privacy parameter, (T,).
        hits: by mechanism, (T,).
        references: by name: the same for all epsilon.
    """

    simulated: bool
    epsilon: Array
    hits: dict[str, Array]
    references: dict[str, float]

    def tables(self) -> dict[str, pd.DataFrame]:
        """Every number drawn."""
        frame = {"simulated": self.simulated, "epsilon": self.epsilon, **self.hits}
        return {"user-liked-against-epsilon": pd.DataFrame(frame | self.references)}


def one_user(films: Films, config: Config) -> OneUser:
    """Send one user's input through every mechanism.

    Args:
        films: the catalogue.
        config: the settings; `config.user` must be a test user or `OWN`.

    Raises:
        ValueError: if the user has rated no train film.
    """
    name = config.user or films.names[0]
    stars, mu, liked = person(films, name, config)
    base = make_base(films, config.base, config.epsilon)
    kernels = make_releases(films, base, config.epsilon, config.reg)
    outputs = {key: kernels[key](mu[None, :])[0] for key in MECHANISMS}
    used = np.flatnonzero(mu)
    cost = films.distances[used]
    distance = wasserstein(mu[used], outputs["wpm"], cost, 1)
    exact = float(project_exact(mu[used], cost, Polytope(base, config.epsilon)).value)
    return OneUser(config, films, name, stars, mu, liked, outputs, distance, exact)


def person(films: Films, name: str, config: Config) -> tuple[Array, Array, Flags]:
    """A user's stars (n_films,), input (k,) and liked candidates (k_v,).

    Raises:
        ValueError: if they have rated no train film.
    """
    stars = films.stars_of(name, config.profile)
    given = stars[films.inputs]
    if not given.any():
        raise ValueError(f"{name} has rated no film that makes an input")
    return stars, np.asarray(given / given.sum()), np.asarray(stars[films.candidates] >= LIKED)


def liked_curve(films: Films, config: Config, progress: Progress | None = None) -> LikedCurve:
    """Probability of a liked film at the values of `CURVE`; does not depend on `config.epsilon`.

    Args:
        films: the catalogue.
        config: as in `one_user`.
        progress: called with (done, in all).
    """
    _, mu, liked = person(films, config.user or films.names[0], config)
    hits: dict[str, list[float]] = {name: [] for name in MECHANISMS}
    for done, epsilon in enumerate(CURVE):
        kernels = make_releases(films, make_base(films, config.base, epsilon), epsilon, config.reg)
        for name in MECHANISMS:
            hits[name].append(float(kernels[name](mu[None, :])[0] @ liked))
        if progress is not None:
            progress(done + 1, len(CURVE))
    outputs = {"nearest": nearest(films, mu[None, :])[0]} | without_input(films)
    references = {name: float(nu @ liked) for name, nu in outputs.items()}
    return LikedCurve(films.simulated, np.array(CURVE), {n: np.array(h) for n, h in hits.items()}, references)
