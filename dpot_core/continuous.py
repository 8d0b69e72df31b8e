"""Mechanisms for densities on the line, in the plane and on the sphere, their families, and draws from them."""

from dpot_core.mechanisms.continuous.classifiers import Training
from dpot_core.mechanisms.continuous.densities import kl_projection_density, mixture_density, relative_mollifier_density
from dpot_core.mechanisms.continuous.families import DensityFamily, prior_family
from dpot_core.mechanisms.continuous.gaussian import (
    GaussianFamily,
    GaussianMixture,
    gaussian_mixture_family,
    gaussian_reference,
    gaussian_ring_family,
)
from dpot_core.mechanisms.continuous.mbde import BoostedDensity, boosted_density
from dpot_core.mechanisms.continuous.outputs import PrivateDensity
from dpot_core.mechanisms.continuous.releases import release_density
from dpot_core.mechanisms.sphere import SphereBase, sphere_base, sphere_mechanism

__all__ = [
    "BoostedDensity",
    "DensityFamily",
    "GaussianFamily",
    "GaussianMixture",
    "PrivateDensity",
    "SphereBase",
    "Training",
    "boosted_density",
    "gaussian_mixture_family",
    "gaussian_reference",
    "gaussian_ring_family",
    "kl_projection_density",
    "mixture_density",
    "prior_family",
    "relative_mollifier_density",
    "release_density",
    "sphere_base",
    "sphere_mechanism",
]
