"""Worst cases over the family against epsilon, in W_p and in divergences: exact where proven, else a bracket.

On the cells of WPM, over all mixtures of the family. What is convex in the input is as bad as at the worst single
mode; see `worst_mixtures`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
import pandas as pd

from dpot_app.kit.cache import cached
from dpot_app.kit.fields import CURVE_EPSILONS, DISTANCE, LOSSES
from dpot_app.views.mixture.cells import base_measure, family_on_cells, line_costs
from dpot_app.views.mixture.densities import make_family, make_reference, prior_of
from dpot_app.views.mixture.settings import BASES, Config, Family
from dpot_core.arguments import Array
from dpot_core.arguments.progress import Progress, counted
from dpot_core.distributions.divergences import DIVERGENCES
from dpot_core.mechanisms.continuous.worst_mixtures import Chords, Projections, band_bound, kept_bound, largest_in_band
from dpot_core.privacy.polytopes import Polytope
from dpot_core.transport.line import line_cost
from dpot_core.worst_case import Bracket

#: Values of epsilon of the curves: every second one that other pages have, since a projection takes 10 ms.
EPSILONS = CURVE_EPSILONS[::2]
# Bounds of WPM that are so near are one number on the screen, as a share of the family's radius; projections for them.
_NEAR, _MOST = 3e-3, 5
#: Single modes that are looked at where no projection is needed, evenly spaced up to the edge of the family.
SINGLE_MODES = 33

#: Worst cases by loss and mechanism.
Worst = Mapping[str, Mapping[str, Bracket]]


@dataclass(frozen=True)
class Curves:
    """Worst cases of the mechanisms of the settings."""

    config: Config
    epsilons: Array  # (T,)
    along: tuple[Worst, ...]  # one for each epsilon
    now: Worst  # at the present epsilon
    bound: Mapping[str, Array]  # R by divergence, (T,): what KPM costs at most any density between 0 and c2 h
    bound_now: Mapping[str, float]  # the same at the present epsilon

    def tables(self) -> dict[str, pd.DataFrame]:
        columns: dict[str, Array] = {"epsilon": self.epsilons}
        for loss, worst in self.now.items():
            for name in worst:
                for end in Bracket._fields:
                    column = f"{loss} {name} {end.replace('_', ' ')}"
                    columns[column] = np.array([getattr(one[loss][name], end) for one in self.along])
        return {"worst-curves": pd.DataFrame(columns)}


def curves(config: Config, progress: Progress | None = None) -> Curves:
    along = tuple(worst_at(config, epsilon) for epsilon in counted(EPSILONS, progress))
    family = make_family(config.family)
    bound = {name: np.array([family.worst_case(name, one) for one in EPSILONS]) for name in DIVERGENCES}
    now = {name: family.worst_case(name, config.epsilon) for name in DIVERGENCES}
    return Curves(config, np.asarray(EPSILONS), along, worst_at(config, config.epsilon), bound, now)


def worst_at(config: Config, epsilon: float) -> Worst:
    """Worst cases at one epsilon of the mechanisms of the settings; of MBDE, which is trained, none is known."""
    family, cells, p = config.family, config.cells, config.p
    level = prior_of(replace(config, epsilon=epsilon)).level(epsilon) if "kpm-prior" in config.mechanisms else None
    found = dict(_clipped(family, config.reference, cells, p, epsilon, level))
    if "wpm" in config.mechanisms:
        found["wpm"] = _projected(family, cells, p, config.base, epsilon)
    names = [name for name in ("wpm", "kpm", "mollifier", "kpm-prior", "blend") if name in config.mechanisms]
    return {loss: {name: found[name][loss] for name in names} for loss in LOSSES}


def worst_of_bases(config: Config) -> Mapping[str, Bracket]:
    """WPM's worst W_p at the present epsilon with every base measure."""
    return {base: _projected(config.family, config.cells, config.p, base, config.epsilon)[DISTANCE] for base in BASES}


@lru_cache(maxsize=8)
def _chords(family: Family, cells: int, p: float) -> Chords:
    return Chords(family_on_cells(family, cells), p)


@cached
def _projected(family: Family, cells: int, p: float, base: str, epsilon: float) -> Mapping[str, Bracket]:
    """WPM: W_p^p(mu, Q) is convex in mu; a divergence is at most the largest of any output in Q."""
    inputs = family_on_cells(family, cells)
    h = _shares(make_family(family).envelope.density(inputs.points))
    Q = Polytope(base_measure(base, family, p, epsilon, h), epsilon)
    projected = Projections(inputs, Q, p, line_costs(cells, p))
    near = _NEAR * family.radius
    found = {DISTANCE: projected.bracket(near, _chords(family, cells, p), _MOST)}
    singles = inputs.members(SINGLE_MODES)
    for name in DIVERGENCES:
        at_least = max(float(DIVERGENCES[name](mu, nu)) for mu, nu, _ in projected.known.values())
        at_most = largest_in_band(name, singles, Q.lower, Q.upper)
        found[name] = Bracket(at_least, max(at_least, at_most))
    return found


@cached
def _clipped(
    family: Family, reference: float, cells: int, p: float, epsilon: float, near: float | None = None
) -> Mapping[str, Mapping[str, Bracket]]:
    """The others: D_f(mu, Q) is convex in mu where the output is the nearest in Q, and so is the cost of a blend.

    ``near``: level of KPM around the mollifier's Gaussian; None where it is not shown.
    """
    inputs, made = family_on_cells(family, cells), make_family(family)
    x, singles = inputs.points, inputs.members(SINGLE_MODES)
    h, around = (_shares(one.density(x)) for one in (made.envelope, make_reference(reference, 1)))
    level = made.level(epsilon)
    held = {"kpm": Polytope(level * h, epsilon), "mollifier": Polytope(around, epsilon)}
    if near is not None:
        held["kpm-prior"] = Polytope(near * around, epsilon)
    kpm = held["kpm"]
    spread = np.expm1(epsilon)
    gamma = spread / (spread + made.c2)
    # Both edges at once: for what is not convex these say more than a single mode.
    edge = singles[-1]
    several = np.stack([*singles[::4], (edge + edge[::-1]) / 2, 0.9 * edge + 0.1 * edge[::-1]])
    outputs: Mapping[str, Callable[[Array], Array]] = {
        **{name: Q.project_kl for name, Q in held.items()},
        "blend": lambda mu: gamma * mu + (1.0 - gamma) * h,
    }
    found: dict[str, dict[str, Bracket]] = {}
    for name, output in outputs.items():
        far = [line_cost(mu, x, nu, x, p) for mu, nu in zip(several, output(several), strict=True)]
        reached = max(far) ** (1.0 / p)
        nu = output(singles)
        found[name] = {}
        for loss in DIVERGENCES:
            value = float(np.max(DIVERGENCES[loss](singles, nu)))
            found[name][loss] = Bracket(value, value)
        # Linear in the input, so that W_p^p is convex in it, too.
        bound = reached
        if name == "kpm":
            # On cells p / h exceeds c2 by the error of sums.
            ratio = float((singles / h).max()) / (level * np.exp(epsilon / 2))
            bounds = band_bound(inputs, kpm.lower, kpm.upper, p), kept_bound(inputs, ratio, kpm.upper, p)
            bound = min(bounds)
        elif name in held:
            bound = band_bound(inputs, held[name].lower, held[name].upper, p)
        if name != "blend":
            # What both have in common need not move: W_p^p is at most TV times diameter^p.
            bound = min(bound, (x[-1] - x[0]) * found[name]["tv"].at_most ** (1.0 / p))
        found[name][DISTANCE] = Bracket(reached, max(reached, bound))
    return found


def _shares(values: Array) -> Array:
    return values / values.sum()
