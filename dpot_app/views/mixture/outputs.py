"""Outputs of mechanisms for a mixture, as densities or, by WPM, on cells; and each of them in numbers."""

import math
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from functools import partial

import numpy as np
import pandas as pd

from dpot_app.kit.cache import cached
from dpot_app.kit.many_releases import many, many_text
from dpot_app.kit.view import Table
from dpot_app.views.mixture.cells import Cells, base_on, cells_of, line_costs
from dpot_app.views.mixture.densities import make_family, make_input, make_reference, mixture_of, prior_of, tolerance
from dpot_app.views.mixture.settings import NAMES, Config, Family, Modes
from dpot_core.arguments import Array
from dpot_core.arguments.progress import Progress
from dpot_core.distributions.divergences import DIVERGENCES
from dpot_core.mechanisms import MECHANISMS
from dpot_core.mechanisms.continuous import densities
from dpot_core.mechanisms.continuous.mbde import BoostedDensity, boosted_density
from dpot_core.mechanisms.continuous.outputs import PrivateDensity
from dpot_core.mechanisms.knowledge import Public
from dpot_core.privacy.numerals import at_most, number, percent, subscript
from dpot_core.privacy.polytopes import Polytope
from dpot_core.spaces import Space
from dpot_core.transport.line import project_line

# Beyond, a certificate of densities would take more than ten thousand parts.
_MOST_EPSILON = 18.0
# In a cell for which there is no number.
_NONE = "–"
#: What the letters of `numbers_table` and of the pictures beside it mean.
TABLE_IN_WORDS = (
    "P: the input's density. h: a public density. P is divided by r, then clipped between low and high times h "
    "(mollifier, KPM around prior: times their Gaussian). R: the largest divergence between input and output of KPM, "
    "over all densities between 0 and c₂ h. (c₂ is public.) No density of the family is larger than c₂ h."
)


@dataclass(frozen=True)
class OnCells(Cells):
    nu: Array  # output of WPM, (n,)
    polytope: Polytope  # where outputs lie for every input

    def divergences(self) -> dict[str, float]:
        return {name: float(divergence(self.mu, self.nu)) for name, divergence in DIVERGENCES.items()}


Output = PrivateDensity | BoostedDensity | OnCells


@dataclass(frozen=True)
class Numbers:
    divergences: Mapping[str, float]  # D_f(P || Q) by name
    wasserstein: float | None  # W_1 between P and Q, in units of the line; None in the plane
    loss: float | None  # W_p, p being that of the settings; None in the plane
    r: float | None  # what P is divided by; None for WPM and MBDE
    low: float  # lower bound of outputs as a multiple of its public density
    high: float  # upper bound, the same
    acceptance: float | None  # share of accepted draws; None for WPM, which draws a cell


def numbers_of(output: Output, wasserstein: float | None = None, loss: float | None = None) -> Numbers:
    if isinstance(output, OnCells):
        return Numbers(output.divergences(), wasserstein, loss, None, math.nan, math.nan, None)
    r = output.r if isinstance(output, PrivateDensity) else None
    return Numbers(output.divergences(), wasserstein, loss, r, output.b, output.upper, output.acceptance)


def numbers_frame(numbers: Mapping[str, Numbers]) -> pd.DataFrame:
    rows = [{"mechanism": name, **entry.divergences, **asdict(entry)} for name, entry in numbers.items()]
    return pd.DataFrame(rows).drop(columns="divergences")


def numbers_table(numbers: Mapping[str, Numbers], worst: Mapping[str, float], p: float = 1) -> Table:
    """The same on the screen, with the worst case of KPM; on the line also how far the mass moves, in W_1 and W_p."""
    moved = any(entry.wasserstein is not None for entry in numbers.values())
    orders = ["W₁", *[f"W{subscript(p)}"] * (p != 1)] if moved else []
    heads = ["Mechanism", *(row.axis for row in DIVERGENCES.values()), *orders, "r", "low", "high", "accepted"]
    rows = []
    for name, entry in numbers.items():
        far = [entry.wasserstein, entry.loss][: len(orders)]
        values = [*entry.divergences.values(), *far, entry.r, entry.low, entry.high]
        accepted = _NONE if entry.acceptance is None else percent(entry.acceptance)
        rows.append([NAMES[name], *map(_cell, values), accepted])
    last = ["KPM, worst case R", *(at_most(worst[name]) for name in DIVERGENCES)]
    return Table(heads, [*rows, last + [_NONE] * (len(heads) - len(last))])


def _cell(value: float | None) -> str:
    return _NONE if value is None or math.isnan(value) else number(value)


def total_variations(config: Config, numbers: Mapping[str, Numbers]) -> dict[str, float]:
    """Total variations of KPM and the mechanisms asked for, as headlines."""
    shown = [name for name in ("kpm", *config.mechanisms) if name in numbers]
    return {f"Total variation of {NAMES[name]}": numbers[name].divergences["tv"] for name in shown}


def many_in_words(config: Config, numbers: Mapping[str, Numbers]) -> str:
    """The promise of many draws by a mechanism: from the sums of its bounds, those of a density as multiples of h."""
    held = {}
    for name in config.mechanisms:
        if name == "wpm":
            held[NAMES[name]] = many(Polytope(base_on(config, cells_of(config, config.cells)), config.epsilon))
        elif name in numbers and config.epsilon <= _MOST_EPSILON:
            held[NAMES[name]] = many(in_parts(math.sqrt(numbers[name].low * numbers[name].high), config.epsilon))
    return many_text(held, config.epsilon)


def in_parts(level: float, epsilon: float) -> Polytope:
    """Densities between level e^(-epsilon/2) h and level e^(epsilon/2) h, on parts of h that none can fill.

    A mu follows from the sums of both bounds.
    """
    parts = math.ceil(level * math.exp(epsilon / 2)) + 1
    return Polytope(np.full(parts, level / parts), epsilon)


def private_density(name: str, config: Config) -> PrivateDensity:
    """The output of "kpm", "kpm-prior", "mollifier" or "blend"."""
    family, mixture, allowed = make_family(config.family), make_input(config), tolerance(config.family)
    if name in ("mollifier", "kpm-prior"):
        reference = make_reference(config.reference, config.family.dimension)
        level = 1.0 if name == "mollifier" else prior_of(config).level(config.epsilon)
        return densities.relative_mollifier_density(mixture, reference, config.epsilon, allowed, level)
    make = densities.mixture_density if name == "blend" else densities.kl_projection_density
    return make(mixture, family, config.epsilon, allowed)


@cached
def train_mbde(
    modes: Modes,
    family: Family,
    epsilon: float,
    reference: float,
    training: int,
    *,
    progress: Progress = lambda done, total: None,
) -> BoostedDensity:
    """Train MBDE for a mixture, around the mollifier's Gaussian: random, but the same for the same seed."""
    mixture, rng = mixture_of(modes, family), np.random.default_rng(training)
    return boosted_density(mixture, make_reference(reference, family.dimension), epsilon, rng, progress=progress)


def outputs_of(config: Config, kpm: PrivateDensity, progress: Progress) -> tuple[dict[str, Output], dict[str, str]]:
    """KPM and every mechanism of the settings, and why they do not allow the others."""
    outputs: dict[str, Output] = {"kpm": kpm}
    infeasible: dict[str, str] = {}
    settings = (config.modes, config.family, config.epsilon, config.reference, config.training)
    made: dict[str, Callable[[], Output]] = {
        "mollifier": partial(private_density, "mollifier", config),
        "blend": partial(private_density, "blend", config),
        "kpm-prior": partial(private_density, "kpm-prior", config),
        "wpm": partial(on_cells, config, config.cells),
        "mbde": partial(train_mbde, *settings, progress=progress),
    }
    for name in config.mechanisms:
        try:
            outputs[name] = kpm if name == "kpm" else made[name]()
        except (ValueError, RuntimeError) as problem:
            infeasible[name] = str(problem)
    return outputs, infeasible


def on_cells(config: Config, cells: int) -> OnCells:
    """Exact projection in W_p on the polytope with the base measure of the settings (see `base_on`).

    In the plane ``cells`` are per side.
    """
    start = cells_of(config, cells)
    polytope = Polytope(base_on(config, start), config.epsilon)
    if config.family.dimension == 1:
        # As `wasserstein_projection_line` does, with the costs of these cells, which are the same for every input.
        x, p = start.centres, config.p
        nu = project_line(start.mu, x, x, p, polytope.lower, polytope.upper, line_costs(cells, p))
        nu = polytope.repair(nu)
    else:
        # A grid, of which only rows are made where the input has mass.
        axis = start.centres[:cells, 0]
        space = Space(start.centres, axes=(axis, axis))
        nu = MECHANISMS["wpm"](Public.on_grid(space, config.epsilon, polytope.base, config.p))(start.mu)
    return OnCells(**vars(start), nu=nu, polytope=polytope)
