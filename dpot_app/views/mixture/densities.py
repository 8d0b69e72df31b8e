"""From settings to densities: families, mixtures, references, modes drawn at random."""

import math
from functools import lru_cache
from typing import Any

import numpy as np

from dpot_app.views.mixture.settings import DOMAIN, Config, Family, Modes
from dpot_core.mechanisms.continuous.densities import TOLERANCES
from dpot_core.mechanisms.continuous.envelopes import Envelope
from dpot_core.mechanisms.continuous.families import DensityFamily, prior_family
from dpot_core.mechanisms.continuous.gaussian import (
    GaussianFamily,
    GaussianMixture,
    gaussian_mixture_family,
    gaussian_reference,
    gaussian_ring_family,
)


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


def prior_of(config: Config) -> DensityFamily:
    """All densities within the factor of the settings of the mollifier's Gaussian, or within what epsilon allows."""
    reference = make_reference(config.reference, config.family.dimension)
    return prior_family(reference, max(config.gamma, math.exp(config.epsilon / 2)), reference.domain)


def make_input(config: Config) -> GaussianMixture:
    return mixture_of(config.modes, config.family)


def mixture_of(modes: Modes, family: Family) -> GaussianMixture:
    return make_family(family).mixture(modes.means, modes.weights)


def tolerance(family: Family) -> float:
    """Error of public integrals that the mechanism allows for: a property of the family, never of the input."""
    return TOLERANCES[family.dimension]


def stream_settings(config: Config) -> dict[str, Any]:
    """The settings that the distribution of KPM's draws depends on, for `stream`: other settings draw other noise."""
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
    return Modes(means=tuple(means.tolist()), weights=tuple(rng.dirichlet(np.ones(count)).tolist()))


def random_modes_in_disc(count: int, seed: int, radius: float = 1.0) -> Modes:
    """Means uniform in the disc and weights uniform on the simplex."""
    rng = np.random.default_rng(seed)
    distance, angle = radius * np.sqrt(rng.random(count)), rng.uniform(0.0, 2.0 * np.pi, count)
    means = zip((distance * np.cos(angle)).tolist(), (distance * np.sin(angle)).tolist(), strict=True)
    return Modes(means=tuple(means), weights=tuple(rng.dirichlet(np.ones(count)).tolist()))


def ring_modes(count: int, radius: float = 1.0) -> Modes:
    """Equal weights at equal angles on the circle, one mode at (radius, 0)."""
    means = make_family(Family(variance=1.0, radius=radius, dimension=2)).ring(count).means
    return Modes(means=tuple((float(x), float(y)) for x, y in means), weights=(1.0 / count,) * count)
