"""What the mixture page is asked for: modes, the family that is public, the privacy parameter, what to compare."""

from __future__ import annotations

from dataclasses import dataclass, field
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


@dataclass(frozen=True)
class Modes:
    """Components of a mixture.

    Attributes:
        means: numbers on the line, pairs in the plane.
        weights: as many, summing to 1.
    """

    means: tuple[float, ...] | tuple[tuple[float, float], ...]
    weights: tuple[float, ...]


@dataclass(frozen=True)
class Family:
    """What is public about the input: all mixtures with this variance and means within this radius.

    Attributes:
        variance: of every component.
        radius: largest distance of a mean from 0.
        dimension: 1 (the interval `DOMAIN`) or 2 (the plane).
        envelope: in the plane "paper" or "authors", see `gaussian_ring_family`.
    """

    variance: float = 1.0
    radius: float = 1.0
    dimension: int = 1
    envelope: str = "paper"


@dataclass(frozen=True)
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
    family: Family = field(default_factory=Family)
    epsilon: float = 1.0
    mechanisms: tuple[str, ...] = ("kpm", "mollifier")
    reference: float = 1.0
    cells: int = 400
    p: int = 2
    draws: int = 1000
    seed: int = 1
    training: int = 1

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
