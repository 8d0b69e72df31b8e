"""What the mixture page is asked for: modes, the family that is public, the privacy parameter, what to compare."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np

from dpot_core.guarantees import Guarantee
from dpot_core.mechanisms import MECHANISMS as TABLE
from dpot_core.mechanisms.continuous.densities import TOLERANCES
from dpot_core.mechanisms.continuous.envelopes import Envelope
from dpot_core.mechanisms.continuous.gaussian import (
    GaussianFamily,
    GaussianMixture,
    gaussian_mixture_family,
    gaussian_reference,
    gaussian_ring_family,
)
from dpot_core.studies._kit.privacy import epsilon
from dpot_core.studies._kit.setting import (
    Declared,
    choice,
    choices,
    declared,
    free,
    group,
    number,
    settings,
    whole,
)

#: The interval of the paper's experiments on the line.
DOMAIN = (-4.0, 4.0)

#: Mechanisms for densities, in the order in which they are shown; WPM acts on cells.
MECHANISMS = {
    "kpm": TABLE["kpm"].label,
    "mollifier": TABLE["mollifier"].label,
    "blend": "γP + (1−γ)h",
    "wpm": TABLE["wpm"].label,
}

#: Mechanisms that have to be trained for each input, on the line only; their outputs are random.
TRAINED = {"mbde": "MBDE (trained, random)"}

#: All of them.
NAMES = {**MECHANISMS, **TRAINED}


VARIANCES = (0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 4.0)
RADII = (0.5, 1.0, 1.5, 2.0, 2.5, 3.0)
DRAWS = (0.0, 100.0, 1000.0, 10_000.0, 100_000.0)
LINE_CELLS = (100.0, 200.0, 400.0, 700.0, 1000.0)
PLANE_CELLS = (12.0, 16.0, 20.0, 24.0, 28.0)
# These words stand in people's links: add, but do not reword.
ENVELOPES = {"paper": "Paper", "authors": "Authors' program"}
FAMILY_HELP = (
    "Public: the input is known to be a mixture with means this close to 0. The mechanism is private for these inputs "
    "and for all others; its worst case is best possible for inputs between 0 and c₂ h."
)
ENVELOPE_HELP = (
    "h in the paper falls like a Gaussian with the variance of the modes; the authors' program divides by "
    "2 sqrt(variance), which is looser and costs more."
)
MECHANISM_HELP = (
    "Mollifier: the nearest density around a fixed Gaussian. γP + (1−γ)h: draw from the input or from h. "
    "WPM: nearest in Wasserstein distance, on cells, in the band of KPM."
)
TRAINED_HELP = (
    " MBDE: an approximation of the mollifier by small networks, trained on points of the input; another seed gives "
    "another output."
)


def _variance(label: str, link: str) -> Any:
    known = {"low": 0.01, "high": 10.0, "step": 1.5, "factor": True}
    return number(label, 1.0, grid=VARIANCES, widget="steps", link=link, **known)


def _seed(label: str, link: str, **known: Any) -> Any:
    return whole(label, 1, low=0, high=2**32, soft=(0, 9999), widget="field", link=link, **known)


@settings
class Modes:
    """Components of a mixture.

    Attributes:
        means: numbers on the line, pairs in the plane.
        weights: as many, summing to 1.
    """

    means: tuple[float, ...] | tuple[tuple[float, float], ...] = free("Means of the modes", ...)
    weights: tuple[float, ...] = free("Weights of the modes, summing to 1", ...)


@settings
class Family:
    """What is public about the input: all mixtures with this variance and means within this radius.

    Attributes:
        variance: of every component.
        radius: largest distance of a mean from 0.
        dimension: 1 (the interval `DOMAIN`) or 2 (the plane).
        envelope: in the plane "paper" or "authors", see `gaussian_ring_family`.
    """

    variance: float = _variance("Variance of the modes", "variance")
    radius: float = number(
        "Largest distance of a mean from 0",
        1.0,
        low=0.05,
        high=3.0,
        step=0.25,
        grid=RADII,
        widget="steps",
        link="radius",
        help=FAMILY_HELP,
    )
    dimension: int = whole("Dimension (1 or 2)", 1, low=1, high=2, step=None)
    envelope: str = choice(
        "Envelope h in the plane",
        "paper",
        ENVELOPES,
        link="envelope",
        help=ENVELOPE_HELP,
        shown=lambda family: family.dimension == 2,
    )


@settings
class Config:
    """Settings of one input on the line or in the plane; the defaults are the paper's.

    Attributes:
        modes: the input.
        family: what is public about it.
        epsilon: privacy parameter in nats, of a draw.
        mechanisms: keys of `MECHANISMS` to compare, on the line of `TRAINED` too.
        reference: variance of the Gaussian around which the mollifier (and MBDE) is centred.
        cells: number of cells of WPM, per side in the plane.
        p: order of the Wasserstein distance of WPM.
        draws: samples from KPM's output.
        seed: of these.
        training: seed of what is trained.
    """

    modes: Modes
    family: Family = group(Family)
    epsilon: float = epsilon(1.0)
    mechanisms: tuple[str, ...] = choices(
        "Mechanisms", ("kpm", "mollifier"), NAMES, link="mechanisms", help=MECHANISM_HELP + TRAINED_HELP
    )
    reference: float = _variance("Variance of the mollifier's Gaussian", "reference")
    cells: int = whole(
        "Cells of WPM (per side in the plane)",
        400,
        low=4,
        high=1000,
        step=1.25,
        factor=True,
        grid=LINE_CELLS,
        widget="steps",
        link="cells",
    )
    p: int = whole("Order p of WPM", 2, low=1, high=8, soft=(1, 4), widget="slider", link="p")
    draws: int = whole(
        "Draws from KPM",
        1000,
        low=0,
        high=100_000,
        step=None,
        grid=DRAWS,
        widget="steps",
        link="draws",
        shown=lambda config: config.family.dimension == 1,
    )
    seed: int = _seed("Seed of the draws", "seed", step=None, shown=lambda config: config.family.dimension == 1)
    training: int = _seed("Seed of MBDE's training", "training", shown=lambda config: "mbde" in config.mechanisms)

    @property
    def guarantee(self) -> Guarantee:
        """What is promised for one draw."""
        family = self.family
        where = "[-4, 4]" if family.dimension == 1 else "the plane"
        bound = f"|mean| ≤ {family.radius:g}"
        public = (
            f"that the input is a mixture of Gaussians with variance {family.variance:g} and {bound} on {where}",
            "the method and its settings",
        )
        note = (
            "For one draw of one mechanism; each further draw adds its ε. It holds for every input, in the family or "
            "not: the family decides how useful draws are."
        )
        if "mbde" in self.mechanisms:
            note += " MBDE: the trained network is not released."
        return Guarantee(self.epsilon, neighbours="local", public=public, note=note)


def in_plane() -> dict[str, Declared]:
    """The declarations of `Config` in the view of the plane: other links, cells per side, nothing trained."""
    known = {
        name: known if name == "family.envelope" else replace(known, link=known.link and f"plane_{known.link}")
        for name, known in declared(Config).items()
    }
    known["mechanisms"] = replace(known["mechanisms"], options=MECHANISMS, help=MECHANISM_HELP)
    known["cells"] = replace(known["cells"], label="Cells of WPM per side", grid=PLANE_CELLS)
    return known


@lru_cache(maxsize=64)
def make_family(family: Family) -> GaussianFamily:
    """The family with its quadrature; kept, because every picture needs it."""
    if family.dimension == 1:
        return gaussian_mixture_family(family.variance, family.radius, DOMAIN)
    return gaussian_ring_family(3, family.variance, family.radius, family.envelope)


@lru_cache(maxsize=64)
def make_reference(variance: float, dimension: int) -> Envelope:
    """The Gaussian around which the mollifier is centred."""
    return gaussian_reference(variance, DOMAIN, dimension)


def make_input(config: Config) -> GaussianMixture:
    """The input's density.

    Raises:
        ValueError: if a mean lies outside the family, or the weights are no distribution.
    """
    return make_family(config.family).mixture(config.modes.means, config.modes.weights)


def tolerance(family: Family) -> float:
    """Error of public integrals that the mechanism allows for: a property of the family, never of the input."""
    return TOLERANCES[family.dimension]


def stream_settings(config: Config) -> dict[str, Any]:
    """What the distribution of KPM's draws depends on, for `stream`: other settings draw other noise."""
    family = config.family
    return {
        "epsilon": config.epsilon,
        "means": list(config.modes.means),
        "weights": list(config.modes.weights),
        "family": [family.variance, family.radius, family.dimension, family.envelope],
    }


def random_modes(count: int, seed: int, radius: float = 1.0) -> Modes:
    """Means uniform within the radius and weights uniform on the simplex, as in the paper's experiment."""
    rng = np.random.default_rng(seed)
    means = rng.uniform(-radius, radius, count)
    return Modes(tuple(means.tolist()), tuple(rng.dirichlet(np.ones(count)).tolist()))


def random_modes_in_disc(count: int, seed: int, radius: float = 1.0) -> Modes:
    """Means uniform in the disc and weights uniform on the simplex."""
    rng = np.random.default_rng(seed)
    distance, angle = radius * np.sqrt(rng.random(count)), rng.uniform(0.0, 2.0 * np.pi, count)
    means = zip((distance * np.cos(angle)).tolist(), (distance * np.sin(angle)).tolist(), strict=True)
    return Modes(tuple(means), tuple(rng.dirichlet(np.ones(count)).tolist()))


def ring_modes(count: int, radius: float = 1.0) -> Modes:
    """Equal weights at equal angles on the circle, one mode at (radius, 0)."""
    means = make_family(Family(1.0, radius, 2)).ring(count).means
    return Modes(tuple((float(x), float(y)) for x, y in means), (1.0 / count,) * count)
