"""The worst case R of the family against epsilon, and the worst of many random mixtures (Fig. 4)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd

from dpot_core.checks import Array
from dpot_core.divergences import DIVERGENCES
from dpot_core.experiments.mixture.cells import on_cells
from dpot_core.experiments.mixture.published import published_modes, published_rows, published_worst
from dpot_core.experiments.mixture.settings import (
    MECHANISMS,
    Config,
    Family,
    Modes,
    make_family,
    make_input,
    make_reference,
    tolerance,
)
from dpot_core.mechanisms.continuous.densities import (
    kl_projection_density,
    mixture_density,
    relative_mollifier_density,
)
from dpot_core.progress import Progress

#: Values of epsilon at which curves are computed: even in the logarithm, 0.05 to 10.
EPSILONS = tuple(float(e) for e in np.round(np.geomspace(0.05, 10.0, 31), 6))

#: The paper's values of epsilon, its number of mixtures, and its rule: this many modes on average, at most so many.
FIG4_EPSILONS = (0.1, 0.5, 1.0, 2.0, 5.0)
_MEAN_MODES, _MOST_MODES = 2, 10
# WPM among many mixtures: enough cells for three digits, a few milliseconds each.
_CELLS = 200


@dataclass(frozen=True)
class WorstCases:
    """R against epsilon for one family.

    Attributes:
        family: the settings that it depends on.
        epsilon: (T,).
        divergences: R by name, (T,) each.
    """

    family: Family
    epsilon: Array
    divergences: Mapping[str, Array]

    def tables(self) -> dict[str, pd.DataFrame]:
        """Every number drawn."""
        return {"worst-case": pd.DataFrame({"epsilon": self.epsilon, **self.divergences})}


def worst_cases(family: Family) -> WorstCases:
    """R of a family: no epsilon-LDP mechanism has a smaller worst case, and KPM has this one."""
    public = make_family(family)
    curves = {name: np.array([public.worst_case(name, e) for e in EPSILONS]) for name in DIVERGENCES}
    return WorstCases(family, np.asarray(EPSILONS), curves)


def worst_now(family: Family, epsilon: float) -> dict[str, float]:
    """R of a family at one epsilon, by divergence."""
    return {name: make_family(family).worst_case(name, epsilon) for name in DIVERGENCES}


@dataclass(frozen=True)
class WorstNow:
    """R of a family at one epsilon.

    Attributes:
        epsilon: privacy parameter in nats.
        divergences: R by name.
    """

    epsilon: float
    divergences: Mapping[str, float]

    def tables(self) -> dict[str, pd.DataFrame]:
        """Every number that titles and marks state."""
        return {"worst-case-now": pd.DataFrame([{"epsilon": self.epsilon, **self.divergences}])}


@dataclass(frozen=True)
class Many:
    """Divergences of many mixtures through every mechanism.

    Attributes:
        source: "random" or "published".
        values: rows with mixture, epsilon, mechanism and one column for each divergence.
        disagreement: for the published mixtures the largest difference between our KPM and the authors', else None.
    """

    source: str
    values: pd.DataFrame
    disagreement: float | None

    @property
    def worst(self) -> pd.DataFrame:
        """The largest of each divergence by epsilon and mechanism."""
        return self.values.groupby(["epsilon", "mechanism"], sort=False)[list(DIVERGENCES)].max().reset_index()

    def tables(self) -> dict[str, pd.DataFrame]:
        """Every number drawn, and the paper's beside it."""
        rows = [
            {"epsilon": epsilon, "mechanism": mechanism, **getattr(published, mechanism)}
            for epsilon, published in published_worst().items()
            for mechanism in ("kpm", "mbde")
        ]
        return {"fig4-worst": self.worst, "fig4-mixtures": self.values, "fig4-published": pd.DataFrame(rows)}


def draw_mixtures(count: int, seed: int, radius: float) -> list[Modes]:
    """Mixtures by the paper's rule: min(Poisson(2) + 1, 10) modes, uniform means, uniform weights."""
    rng = np.random.default_rng(seed)
    found = []
    for _ in range(count):
        modes = min(int(rng.poisson(_MEAN_MODES)) + 1, _MOST_MODES)
        means, weights = rng.uniform(-radius, radius, modes), rng.dirichlet(np.ones(modes))
        found.append(Modes(tuple(means.tolist()), tuple(weights.tolist())))
    return found


def worst_of_many(
    source: str, count: int, seed: int, config: Config, progress: Progress = lambda done, total: None
) -> Many:
    """Every mechanism on many mixtures, at the paper's values of epsilon.

    Args:
        source: "random", or "published" for the authors' 100 mixtures (count, seed and the family are then theirs).
        count: how many random mixtures.
        seed: of these.
        config: family, reference and order of WPM.
        progress: is told how many of how many are done.
    """
    public = Family() if source == "published" else config.family
    inputs = list(published_modes()) if source == "published" else draw_mixtures(count, seed, public.radius)
    rows = []
    for number, modes in enumerate(inputs):
        progress(number, len(inputs))
        for epsilon in FIG4_EPSILONS:
            found = _all_mechanisms(Config(modes, public, epsilon, reference=config.reference, p=config.p))
            rows += [
                {"mixture": number + 1, "epsilon": epsilon, "mechanism": mechanism, **divergences}
                for mechanism, divergences in found.items()
            ]
    values = pd.DataFrame(rows)
    return Many(source, values, _disagreement(values) if source == "published" else None)


def _all_mechanisms(config: Config) -> dict[str, dict[str, float]]:
    family, mixture, allowed = make_family(config.family), make_input(config), tolerance(config.family)
    reference = make_reference(config.reference, 1)
    cells = on_cells(mixture, config.family, config.epsilon, _CELLS, config.p)
    found = {
        "kpm": kl_projection_density(mixture, family, config.epsilon, allowed).divergences(),
        "mollifier": relative_mollifier_density(mixture, reference, config.epsilon, allowed).divergences(),
        "blend": mixture_density(mixture, family, config.epsilon, allowed).divergences(),
        "wpm": {name: float(divergence(cells.mu, cells.nu)) for name, divergence in DIVERGENCES.items()},
    }
    return {name: found[name] for name in MECHANISMS}


def _disagreement(values: pd.DataFrame) -> float:
    ours = values[(values["epsilon"] == 1.0) & (values["mechanism"] == "kpm")]
    return max(
        abs(float(ours[name].iloc[number]) - published.kpm[name])
        for number, published in enumerate(published_rows())
        for name in published.kpm
    )
