from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import pandas as pd

from dpot_app.views.explain.settings import RoundsConfig
from dpot_core.arguments import Array
from dpot_core.privacy.accounting import gaussian_epsilon, gaussian_noise


@dataclass(frozen=True)
class Rounds:
    """Epsilon of 1, 2, ... releases at delta = rounds times the delta of each."""

    config: RoundsConfig
    noise: float  # standard deviation of the noise of each release, in units of its sensitivity
    count: Array  # 1, ..., rounds, (T,)
    exact: Array  # epsilon by the exact composition of Gaussian noise, (T,)

    @property
    def basic(self) -> Array:
        """Epsilon by adding up, (T,)."""
        return np.asarray(self.count * self.config.epsilon)

    def tables(self) -> dict[str, pd.DataFrame]:
        curves = {"releases": self.count.astype(int), "delta": self.count * self.config.delta}
        curves |= {"epsilon, added up": self.basic, "epsilon, exact": self.exact}
        return {"rounds": pd.DataFrame(curves)}


@lru_cache(maxsize=5000)
def _together(noise: float, delta: float, count: int) -> float:
    return gaussian_epsilon(noise, count * delta, steps=count)


def rounds(config: RoundsConfig) -> Rounds:
    """Compose equal Gaussian releases exactly: k of them are one with sqrt(k) times the sensitivity.

    Both ways of counting are at the same delta, ``k delta`` after k releases, so that their epsilons compare.

    Source:
        Dong, Roth, Su 2022, Corollary 2; `dpot_core.privacy.accounting`.
    """
    if config.total_delta >= 1.0:
        raise ValueError(f"rounds times delta must be below 1; got {config.total_delta:g}")
    noise = gaussian_noise(config.epsilon, config.delta)
    count: Array = np.arange(1.0, config.rounds + 1)
    exact = [_together(noise, config.delta, int(k)) for k in count]
    return Rounds(config, noise, count, np.array(exact))
