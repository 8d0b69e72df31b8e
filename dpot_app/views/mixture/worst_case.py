"""The worst case R of a family: no epsilon-LDP mechanism has a smaller one, and KPM has this one."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd

from dpot_app.kit.cache import cached
from dpot_app.kit.fields import CURVE_EPSILONS
from dpot_app.views.mixture.densities import make_family
from dpot_app.views.mixture.settings import Family
from dpot_core.arguments import Array
from dpot_core.distributions.divergences import DIVERGENCES


@dataclass(frozen=True)
class WorstCases:
    """R against epsilon for one family."""

    epsilon: Array  # (T,)
    divergences: Mapping[str, Array]  # R by name, (T,) each

    def tables(self) -> dict[str, pd.DataFrame]:
        return {"worst-case": pd.DataFrame({"epsilon": self.epsilon, **self.divergences})}


@dataclass(frozen=True)
class WorstNow:
    """R of a family at one epsilon."""

    epsilon: float
    divergences: Mapping[str, float]

    def tables(self) -> dict[str, pd.DataFrame]:
        return {"worst-case-now": pd.DataFrame([{"epsilon": self.epsilon, **self.divergences}])}


@cached
def worst_cases(family: Family) -> WorstCases:
    curves = [worst_now(family, epsilon).divergences for epsilon in CURVE_EPSILONS]
    return WorstCases(np.asarray(CURVE_EPSILONS), {name: np.array([r[name] for r in curves]) for name in DIVERGENCES})


def worst_now(family: Family, epsilon: float) -> WorstNow:
    return WorstNow(epsilon, {name: make_family(family).worst_case(name, epsilon) for name in DIVERGENCES})
