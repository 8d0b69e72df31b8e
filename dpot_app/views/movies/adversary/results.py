from dataclasses import dataclass

import numpy as np
import pandas as pd

from dpot_app.films.catalogue import Films
from dpot_app.films.releases import make_base, make_releases
from dpot_app.kit.cache import cached
from dpot_app.views.movies.settings import Config
from dpot_app.views.movies.user.results import CURVE, person
from dpot_core.arguments import Array
from dpot_core.arguments.progress import Progress, counted


@dataclass(frozen=True)
class TwoUsers:
    films: Films
    epsilon: float
    names: tuple[str, str]
    ratios: dict[str, Array]  # log nu_1(j) / nu_2(j) of each candidate, (k_v,), nats, by mechanism

    def largest(self) -> dict[str, float]:
        """max_j |log nu_1(j) / nu_2(j)|, nats, by mechanism: at most epsilon."""
        return {name: float(np.abs(ratio).max()) for name, ratio in self.ratios.items()}

    def tables(self) -> dict[str, pd.DataFrame]:
        titles = [self.films.ratings.films[i] for i in self.films.candidates]
        return {"two-users": pd.DataFrame({"simulated": self.films.simulated, "film": titles, **self.ratios})}


@dataclass(frozen=True)
class LargestRatio:
    """The largest log-likelihood ratio between two users against epsilon."""

    simulated: bool
    epsilon: Array  # (T,)
    largest: pd.DataFrame  # a column for each mechanism, (T,), nats

    def shares(self) -> dict[str, float]:
        """The largest share of epsilon that each mechanism uses, over all epsilon."""
        return {str(name): float((ratios / self.epsilon).max()) for name, ratios in self.largest.items()}

    def tables(self) -> dict[str, pd.DataFrame]:
        columns = {"simulated": self.simulated, "epsilon": self.epsilon, **self.largest}
        return {"largest-ratio": pd.DataFrame(columns)}


def two_users(films: Films, config: Config) -> TwoUsers:
    """Compare what `config.user` and `config.other` would release.

    Raises:
        ValueError: if one of them has rated no train film.
    """
    names = _names(films, config)
    return TwoUsers(films, config.epsilon, names, _ratios(films, config, config.epsilon, _inputs(films, config)))


@cached
def largest_ratio(films: Films, config: Config, progress: Progress | None = None) -> LargestRatio:
    """The largest ratio at the values of `CURVE`; does not depend on `config.epsilon`."""
    mu = _inputs(films, config)
    largest = [
        {name: float(np.abs(ratio).max()) for name, ratio in _ratios(films, config, epsilon, mu).items()}
        for epsilon in counted(CURVE, progress)
    ]
    return LargestRatio(films.simulated, np.array(CURVE), pd.DataFrame(largest))


def _names(films: Films, config: Config) -> tuple[str, str]:
    return config.user or films.names[0], config.other or films.names[1]


def _inputs(films: Films, config: Config) -> Array:
    return np.vstack([person(films, name, config)[1] for name in _names(films, config)])


def _ratios(films: Films, config: Config, epsilon: float, mu: Array) -> dict[str, Array]:
    kernels = make_releases(films, make_base(films, config.base, epsilon), epsilon, config.reg)
    return {name: _log_ratio(kernel(mu)) for name, kernel in kernels.items()}


def _log_ratio(pair: Array) -> Array:
    # A film that cannot be released (probability 0 for both) tells nothing.
    possible = pair.max(axis=0) > 0
    ratio = np.zeros(pair.shape[1])
    with np.errstate(divide="ignore"):
        ratio[possible] = np.log(pair[0, possible]) - np.log(pair[1, possible])
    return ratio
