"""What the adversary learns: how much more likely each released film is for one user than for another."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from dpot_core.checks import Array
from dpot_core.experiments.movies.films import Films
from dpot_core.experiments.movies.one_user import CURVE, person
from dpot_core.experiments.movies.releases import make_base, make_releases
from dpot_core.experiments.movies.settings import MECHANISMS, Config
from dpot_core.progress import Progress


@dataclass(frozen=True)
class TwoUsers:
    """Two users at one epsilon.

    Attributes:
        config: the settings.
        films: the catalogue.
        names: of the two users.
        outputs: output distributions of the two, (2, k_v), by mechanism.
        ratios: log nu_1(j) / nu_2(j) of each candidate, (k_v,), nats, by mechanism.
    """

    config: Config
    films: Films
    names: tuple[str, str]
    outputs: dict[str, Array]
    ratios: dict[str, Array]

    def largest(self) -> dict[str, float]:
        """max_j |log nu_1(j) / nu_2(j)|, nats, by mechanism: at most epsilon."""
        return {name: float(np.abs(ratio).max()) for name, ratio in self.ratios.items()}

    def tables(self) -> dict[str, pd.DataFrame]:
        """Every number drawn."""
        titles = [self.films.ratings.films[i] for i in self.films.candidates]
        return {"two-users": pd.DataFrame({"simulated": self.films.simulated, "film": titles, **self.ratios})}


@dataclass(frozen=True)
class LargestRatio:
    """The largest log-likelihood ratio between two users against epsilon.

    Attributes:
        simulated: whether the users are invented.
        epsilon: values of the privacy parameter, (T,).
        largest: by mechanism, (T,), nats.
    """

    simulated: bool
    epsilon: Array
    largest: dict[str, Array]

    def tables(self) -> dict[str, pd.DataFrame]:
        """Every number drawn."""
        frame = {"simulated": self.simulated, "epsilon": self.epsilon, **self.largest}
        return {"largest-ratio": pd.DataFrame(frame)}


def two_users(films: Films, config: Config) -> TwoUsers:
    """Compare what two users would release.

    Args:
        films: the catalogue.
        config: the settings; `config.user` and `config.other` are the two.

    Raises:
        ValueError: if one of them has rated no train film.
    """
    names, mu = _pair(films, config)
    outputs = _outputs(films, config, config.epsilon, mu)
    return TwoUsers(config, films, names, outputs, {name: _log_ratio(pair) for name, pair in outputs.items()})


def largest_ratio(films: Films, config: Config, progress: Progress | None = None) -> LargestRatio:
    """The largest ratio at the values of `CURVE`; does not depend on `config.epsilon`.

    Args:
        films: the catalogue.
        config: as in `two_users`.
        progress: called with (done, in all).
    """
    _, mu = _pair(films, config)
    largest: dict[str, list[float]] = {name: [] for name in MECHANISMS}
    for done, epsilon in enumerate(CURVE):
        for name, pair in _outputs(films, config, epsilon, mu).items():
            largest[name].append(float(np.abs(_log_ratio(pair)).max()))
        if progress is not None:
            progress(done + 1, len(CURVE))
    return LargestRatio(films.simulated, np.array(CURVE), {name: np.array(r) for name, r in largest.items()})


def _pair(films: Films, config: Config) -> tuple[tuple[str, str], Array]:
    names = config.user or films.names[0], config.other or films.names[1]
    return names, np.vstack([person(films, name, config)[1] for name in names])


def _outputs(films: Films, config: Config, epsilon: float, mu: Array) -> dict[str, Array]:
    kernels = make_releases(films, make_base(films, config.base, epsilon), epsilon, config.reg)
    return {name: kernels[name](mu) for name in MECHANISMS}


def _log_ratio(pair: Array) -> Array:
    # A film that nobody can release (probability 0 for both) tells nothing.
    possible = pair.max(axis=0) > 0
    ratio = np.zeros(pair.shape[1])
    with np.errstate(divide="ignore"):
        ratio[possible] = np.log(pair[0, possible]) - np.log(pair[1, possible])
    return ratio
