import hashlib
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from dpot_app.films.catalogue import LIKED, Films
from dpot_app.films.profiles import fan_genres, fan_stars
from dpot_app.films.releases import make_base, make_releases, references
from dpot_app.kit.cache import cached
from dpot_app.kit.moved import Moved, other_order
from dpot_app.kit.moved import moved as moved_by_plan
from dpot_app.views.movies.settings import OWN, Config
from dpot_core.arguments import Array
from dpot_core.arguments.progress import Progress, counted
from dpot_core.datasets.ratings import Codes, Flags
from dpot_core.mechanisms.wasserstein_projection import project_exact
from dpot_core.privacy.polytopes import Polytope
from dpot_core.privacy.streams import stream
from dpot_core.transport.wasserstein import wasserstein

#: Values of epsilon of the curves over epsilon.
CURVE = (0.1, 0.2, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0, 8.0, 10.0)


@dataclass(frozen=True)
class OneUser:
    films: Films
    name: str  # plain text, unchecked
    stars: Array  # the user's ratings of all films, (n_films,), 0 where there is none
    mu: Array  # input distribution on the train films, (k,)
    liked: Flags  # which candidates the user is known to like, (k_v,)
    outputs: dict[str, Array]  # output distribution of each mechanism, (k_v,)
    # W_p^2 / 2 for the chord between the input and each output, by mechanism: at p = 2 W_1 in cosine distance
    moved: dict[str, float]
    exact_distance: float  # the same for the exact projection: no output of WPM's polytope is nearer
    orders: tuple[
        Moved, ...
    ]  # of the exact projection at the order of the settings, then at another, in cosine distance
    config: Config

    @property
    def distance(self) -> float:
        """How far WPM moves the input; see `moved`."""
        return self.moved["wpm"]

    @property
    def hits(self) -> dict[str, float]:
        """Probability that the release is a film that the user likes, by mechanism."""
        return {name: float(nu @ self.liked) for name, nu in self.outputs.items()}

    @property
    def nearness(self) -> Array:
        """Minus the mean distance of each candidate from the input, (k_v,): the same for all mechanisms, epsilon, p."""
        return np.asarray(-self.mu @ self.films.distances)

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

    @property
    def made(self) -> bool:
        """Whether the ratings are a ready-made profile, which is no real user's."""
        return self.name not in self.films.names and self.name in fan_genres(self.films)

    def odds(self, name: str, film: int) -> float:
        """The probability with which a mechanism releases a film."""
        return float(self.outputs[name][int(np.flatnonzero(self.films.candidates == film)[0])])

    def drawn(self, seed: int) -> dict[str, int]:
        """A demonstration: the film that each mechanism draws, with a seed; not a release.

        Each draws at each epsilon, and for each person, from a stream of its own: two draws by one chance would tell
        more of the person than both promise.
        """
        config, candidates = self.config, self.films.candidates
        who = {"films": self.films.key, "input": hashlib.sha256(self.mu.tobytes()).hexdigest()}
        about = {"epsilon": config.epsilon, "base": config.base, "reg": config.reg, **who}
        drawn = {}
        for name, nu in self.outputs.items():
            at = stream(seed, "movies.film", mechanism=name, **about).random()
            drawn[name] = int(candidates[min(int(np.searchsorted(nu.cumsum(), at, side="right")), len(candidates) - 1)])
        return drawn

    def tables(self) -> dict[str, pd.DataFrame]:
        x, y = self.films.positions[self.films.candidates].T
        films = self._films(self.films.candidates, {"liked": self.liked, "x": x, "y": y} | self.outputs)
        inputs = self.films.inputs[self.mu > 0]
        x, y = self.films.positions[inputs].T
        drawn = self._films(inputs, {"stars": self.stars[inputs], "x": x, "y": y})
        moved = pd.DataFrame(
            {"simulated": self.films.simulated, "release": list(self.moved), "moved": self.moved.values()}
        )
        orders = pd.DataFrame([{"simulated": self.films.simulated, **vars(one)} for one in self.orders])
        tables = {"user-rated": self.rated(), "user-inputs": drawn, "user-outputs": films}
        return tables | {"user-moved": moved, "user-orders": orders}

    def _films(self, films: Codes, more: dict[str, Any]) -> pd.DataFrame:
        ratings = self.films.ratings
        about = {"film": [ratings.films[i] for i in films], "genres": [ratings.genres_of(int(i)) for i in films]}
        return pd.DataFrame({"simulated": self.films.simulated, **about, **more})


@dataclass(frozen=True)
class LikedCurve:
    """Probability of a liked film against epsilon, for one user."""

    simulated: bool
    epsilon: Array  # (T,)
    hits: pd.DataFrame  # a column for each mechanism, (T,)
    # smallest and largest probability of a film by mechanism, over all these epsilon; the smallest above zero
    reach: dict[str, tuple[float, float]]
    references: dict[str, float]  # the same for all epsilon

    def tables(self) -> dict[str, pd.DataFrame]:
        columns = {"simulated": self.simulated, "epsilon": self.epsilon, **self.hits, **self.references}
        return {"user-liked-against-epsilon": pd.DataFrame(columns)}


@cached
def one_user(films: Films, config: Config) -> OneUser:
    """Send the input of `config.user`, a test user, a ready-made profile or `OWN`, through every mechanism.

    Raises:
        ValueError: if the user has rated no train film.
    """
    name = config.user or films.names[0]
    stars, mu, liked = person(films, name, config)
    base = make_base(films, config.base, config.epsilon)
    kernels = make_releases(films, base, config.epsilon, config.reg)
    outputs = {key: kernel(mu[None, :])[0] for key, kernel in kernels.items()}
    used = np.flatnonzero(mu)
    cost = films.cost[used]
    moved = {key: films.in_cosine(wasserstein(mu[used], nu, cost, 1)) for key, nu in outputs.items()}
    # At the same base measure, so that nothing but the order differs.
    polytope, other = Polytope(base, config.epsilon), films.of_order(other_order(films.order))
    exact = {each: project_exact(mu[used], each.cost[used], polytope, True) for each in (films, other)}
    plans = {each.order: solved.plan for each, solved in exact.items() if solved.plan is not None}
    orders = tuple(moved_by_plan(p, plan, films.distances[used]) for p, plan in plans.items())
    least = films.in_cosine(float(exact[films].value))
    return OneUser(films, name, stars, mu, liked, outputs, moved, least, orders, config)


def person(films: Films, name: str, config: Config) -> tuple[Array, Array, Flags]:
    """A user's stars (n_films,), input (k,) and liked candidates (k_v,).

    Raises:
        ValueError: if they have rated no train film.
    """
    if name == OWN:
        stars = np.zeros(films.ratings.n_films)
        for film, given in config.profile:
            stars[film] = given
    elif name not in films.names and name in fan_genres(films):
        stars = fan_stars(films, name)
    else:
        stars = np.asarray(films.ratings.matrix[films.test[films.names.index(name)]])
    inputs = stars[films.inputs]
    if not inputs.any():
        raise ValueError(f"{name} has rated no film that makes an input")
    return stars, np.asarray(inputs / inputs.sum()), np.asarray(stars[films.candidates] >= LIKED)


@cached
def liked_curve(films: Films, config: Config, progress: Progress | None = None) -> LikedCurve:
    """Probability of a liked film at the values of `CURVE`; does not depend on `config.epsilon`."""
    _, mu, liked = person(films, config.user or films.names[0], config)
    hits, ends = [], []
    for epsilon in counted(CURVE, progress):
        kernels = make_releases(films, make_base(films, config.base, epsilon), epsilon, config.reg)
        outputs = {name: kernel(mu[None, :])[0] for name, kernel in kernels.items()}
        hits.append({name: float(nu @ liked) for name, nu in outputs.items()})
        ends.append({name: (float(nu[nu > 0].min()), float(nu.max())) for name, nu in outputs.items()})
    reach = {name: (min(one[name][0] for one in ends), max(one[name][1] for one in ends)) for name in ends[0]}
    known = {name: np.asarray(nu @ liked).item() for name, nu in references(films, mu[None, :]).items()}
    return LikedCurve(films.simulated, np.array(CURVE), pd.DataFrame(hits), reach, known)
