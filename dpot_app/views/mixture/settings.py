import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from dpot_app.kit.fields import BASE, SOLVER, epsilon, order
from dpot_app.kit.fields import MECHANISMS as MECHANISMS_LABEL
from dpot_app.kit.links import Parameters, numbers_text, parameters
from dpot_app.kit.page import Absent, Entry, Expander, block
from dpot_app.kit.setting import (
    Declared,
    choice,
    choices,
    declared,
    free,
    group,
    number,
    settings,
    steps,
    when,
    whole,
)
from dpot_app.kit.setting import seed as seed_of
from dpot_app.kit.values import ScenarioError
from dpot_core.mechanisms import MECHANISMS as TABLE
from dpot_core.privacy.guarantees import Guarantee

#: The interval of the paper's experiments on the line.
DOMAIN = (-4.0, 4.0)

#: Mechanisms for densities, in the order in which they are shown; WPM acts on cells.
MECHANISMS = {
    "kpm": TABLE["kpm"].label,
    "mollifier": TABLE["mollifier"].label,
    "blend": "γP + (1−γ)h",
    "wpm": TABLE["wpm"].label,
}

#: KPM around the mollifier's Gaussian as a public prior.
NEAR = {"kpm-prior": TABLE["kpm-prior"].label}

#: Mechanisms that have to be trained for each input; their outputs are random.
TRAINED = {"mbde": "MBDE (trained, random)"}

#: All of them; scenarios have them in this order.
NAMES = {**MECHANISMS, **NEAR, **TRAINED}
#: As other pages order them.
SHOWN = ("wpm", "kpm", "mollifier", "kpm-prior", "blend", "mbde")

#: Base measures of WPM on the line; in the plane those of `PLANE_BASES`.
BASES = {
    "band": "Family's h, as KPM",
    "best-h": "Family's h, best scale",
    "uniform": "Uniform",
    "best-uniform": "Uniform, best scale",
}
PLANE_BASES = ("band", "uniform")
#: Their names in a line of numbers.
SHORT_BASES = {
    "band": "h at KPM's scale",
    "best-h": "h at its best scale",
    "uniform": "uniform",
    "best-uniform": "uniform at its best scale",
}

VARIANCES = (0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 4.0)
RADII = (0.5, 1.0, 1.5, 2.0, 2.5, 3.0)
DRAWS = (0.0, 100.0, 1000.0, 10_000.0, 100_000.0)
LINE_CELLS = (100.0, 200.0, 400.0, 700.0, 1000.0)
PLANE_CELLS = (12.0, 16.0, 20.0, 24.0, 28.0)
_MOST_PLANE_CELLS, MOST_MODES = 28, 1000

ENVELOPES = {"paper": "Paper", "authors": "Authors' program"}
TABS = {"line": "Line", "plane": "Plane", "sphere": "Sphere"}
DETAILS = {"numbers": "This input in numbers", "worst": "Worst case", "many": "Worst of many"}

_PUBLIC = (
    "Public: the input is known to be a mixture with means this close to 0. The mechanism is private for these inputs "
    "and for all others. Over inputs between 0 and c₂ h, KPM has the smallest worst-case divergences of all."
)
ENVELOPE_HELP = (
    "In the paper h falls like a Gaussian with the variance of the modes. The authors' program divides the "
    "squared distance by 2 sqrt(variance), not by 2 variance: a looser bound, which costs more."
)
BASE_HELP = (
    "On each cell WPM's output lies between e^(-ε/2) and e^(ε/2) times this measure. As KPM: h at the scale at which "
    "KPM's worst case is least. The same scale is best for KL, total variation, squared Hellinger and χ². Best scale: "
    "the one at which WPM's worst distance W_p is least. All of these measures are public."
)
MECHANISM_HELP = (
    "KPM scales the input's density, then clips it between two multiples of a public density h. Mollifier: clips it "
    "between multiples of a fixed Gaussian. KPM around prior does the same, for densities within a factor γ of that "
    "Gaussian. γP + (1−γ)h draws from the input P with probability γ, else from h. This is another γ: it "
    "follows from ε and the family. WPM acts on cells: "
    "of the outputs that privacy allows, it takes the nearest in Wasserstein distance. EM is missing. It weighs a "
    "finite list of outputs. A density has no such list, and each measure put in its place gives another EM."
)
TRAINED_HELP = (
    " MBDE approximates the mollifier by small neural networks. They are trained on points of the input, so another "
    "seed gives another output."
)


def variance_field(label: str, link: str) -> Any:
    return steps(label, 1.0, VARIANCES, link, 1.5, low=0.01, high=10.0)


def order_field() -> Any:
    return order(2.0, high=8.0)


@settings
class Modes:
    means: tuple[float, ...] | tuple[tuple[float, float], ...] = free("Means of the modes", ...)
    weights: tuple[float, ...] = free("Weights of the modes, summing to 1", ...)

    @property
    def rows(self) -> list[tuple[float, ...]]:
        """Place and weight of each mode."""
        places = [mean if isinstance(mean, tuple) else (mean,) for mean in self.means]
        return [(*place, weight) for place, weight in zip(places, self.weights, strict=True)]

    @property
    def farthest(self) -> float:
        """The largest distance of a mean from 0."""
        return max(math.hypot(*place) for *place, _ in self.rows)

    def within(self, radius: float) -> "Modes":
        """The modes, with each mean outside a radius moved straight to its edge."""

        def inside(place: Sequence[float]) -> tuple[float, ...]:
            held, share = tuple(place), 1.0
            while (far := math.hypot(*held)) > radius:  # rounding may leave it a hair outside
                share = min(share * radius / far, math.nextafter(share, 0.0))
                held = tuple(share * part for part in place)
            return held

        places = [inside(place) for *place, _ in self.rows]
        means: Any = places if isinstance(self.means[0], tuple) else [place for (place,) in places]
        return Modes(means=tuple(means), weights=self.weights)


def _on_line(config: "Config") -> bool:
    return config.family.dimension == 1


@settings
class Family:
    """The public family of inputs: all mixtures with this variance and means within this radius."""

    variance: float = variance_field("Variance of the modes", "variance")
    radius: float = steps(
        "Largest distance of a mean from 0", 1.0, RADII, "radius", 0.25, factor=False, low=0.05, high=3.0, help=_PUBLIC
    )
    dimension: int = whole("Dimension (1 or 2)", 1, low=1, high=2, step=None)
    envelope: str = choice(
        "Envelope h in the plane", "paper", ENVELOPES, link="envelope", help=ENVELOPE_HELP, shown=when("dimension", 2)
    )


@settings
class Config:
    """Settings of one input on the line or in the plane; the defaults are the paper's."""

    modes: Modes
    family: Family = group(Family)
    epsilon: float = epsilon(1.0)
    mechanisms: tuple[str, ...] = choices(
        MECHANISMS_LABEL, ("kpm", "mollifier"), NAMES, link="mechanisms", help=MECHANISM_HELP + TRAINED_HELP
    )
    reference: float = variance_field("Variance of the mollifier's Gaussian", "reference")
    cells: int = steps("Cells of WPM (per side in the plane)", 400, LINE_CELLS, "cells", 1.25, low=4, high=1000)
    p: float = order_field()
    base: str = choice(BASE, "band", BASES, link="base", help=BASE_HELP)
    draws: int = whole(
        "Draws from KPM", 1000, low=0, high=10**5, step=None, grid=DRAWS, widget="steps", link="draws", shown=_on_line
    )
    seed: int = seed_of("Seed of the draws", 1, "seed", shown=_on_line)
    gamma: float = number(
        "Densities within this factor of the Gaussian (γ)",
        3.0,
        low=1.0,
        high=1000.0,
        soft=(1.0, 10.0),
        every=0.1,
        step=1.0,
        link="gamma",
        help="KPM around prior is made for densities within a factor γ of its prior. It is private for every "
        "density, and less faithful to others.",
        shown=lambda config: "kpm-prior" in config.mechanisms,
    )
    training: int = seed_of("Seed of MBDE's training", 1, "training", shown=lambda config: "mbde" in config.mechanisms)

    @property
    def closed_forms(self) -> tuple[str, ...]:
        """Mechanisms but those that would have to be trained for each epsilon."""
        return tuple(name for name in self.mechanisms if name not in TRAINED)

    @property
    def guarantee(self) -> Guarantee:
        """The promise for one draw."""
        family = self.family
        bound = f"|mean| ≤ {family.radius:g} on {'[-4, 4]' if family.dimension == 1 else 'the plane'}"
        known = f"that the input is a mixture of Gaussians with variance {family.variance:g} and {bound}"
        note = (
            "For one draw of one mechanism; each further draw adds its ε. It holds for every input, in the family or "
            "not. The family decides only how useful draws are."
        )
        if "mbde" in self.mechanisms:
            note += " MBDE: the trained network is not released."
        return Guarantee(self.epsilon, neighbours="local", public=(known, "the method and its settings"), note=note)


def in_plane() -> dict[str, Declared]:
    """The declarations of `Config` in the view of the plane: other links, cells per side."""
    known = {
        name: known if name == "family.envelope" else replace(known, link=known.link and f"plane_{known.link}")
        for name, known in declared(Config).items()
    }
    known["cells"] = replace(known["cells"], label="Cells of WPM per side", grid=PLANE_CELLS)
    known["base"] = replace(known["base"], options={name: BASES[name] for name in PLANE_BASES})
    return known


_FOLDED = ("family.variance", "reference", "gamma", "cells")
_NO_EM = Absent("EM", "needs a list of outputs; a continuum has none")


def _sidebar(solver: str, folded: Expander) -> tuple[Entry, ...]:
    *block_, sizes = block(
        *("family.radius", "modes"),
        loss="p",
        solver=Absent(SOLVER, solver),
        base="base",
        mechanisms="mechanisms",
        folded=folded,
    )
    return (*block_, _NO_EM, sizes)


LINE_SIDEBAR = _sidebar(
    "exact on the line, by quantiles",
    Expander("Variance, reference, cells, draws", (*_FOLDED, "draws", "seed", "training")),
)
PLANE_SIDEBAR = _sidebar(
    "exact here, by a network simplex",
    Expander("Variance, envelope, reference, cells", (*_FOLDED, "family.envelope", "training")),
)


def on_line(config: Config) -> None:
    _density(config, 1)


def in_the_plane(config: Config) -> None:
    _density(config, 2)
    if config.cells > _MOST_PLANE_CELLS:
        raise ScenarioError(f"must be at most {_MOST_PLANE_CELLS} in the plane; got {config.cells}", ("cells",))
    if config.base not in PLANE_BASES:
        raise ScenarioError(f"must be one of {', '.join(PLANE_BASES)} in the plane; got {config.base}", ("base",))


def _density(config: Config, dimension: int) -> None:
    means, weights = config.modes.means, config.modes.weights
    if config.family.dimension != dimension:
        raise ScenarioError(f"must be {dimension} here; got {config.family.dimension}", ("family", "dimension"))
    if any(isinstance(mean, tuple) != (dimension == 2) for mean in means):
        raise ScenarioError("must be numbers on the line, pairs in the plane", ("modes", "means"))
    if not 0 < len(means) <= MOST_MODES:
        raise ScenarioError(f"must hold 1 to {MOST_MODES} modes; got {len(means)}", ("modes", "means"))
    if len(weights) != len(means):
        said = f"must hold one weight for each of {len(means)} means; got {len(weights)}"
        raise ScenarioError(said, ("modes", "weights"))


def link(config: Config) -> Parameters:
    """The parameters of a link: the controls, and modes of one's own."""
    view, own, declarations = ("line", "", None) if _on_line(config) else ("plane", "plane_", in_plane())
    modes = ";".join(numbers_text(row).replace(",", ":") for row in config.modes.rows)
    return parameters(config, declarations) | {f"{own}modes": "own", f"{own}own": modes, "view": view}
