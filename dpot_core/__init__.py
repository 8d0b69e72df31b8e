"""Differentially private optimal transport: mechanisms, their worst cases, and certificates.

>>> import dpot_core as dpot
>>> space = dpot.ring(30)
>>> cost = dpot.cost_matrix(space, p=2)
>>> Q = dpot.Polytope(dpot.best_uniform_base(cost, epsilon=2.0), epsilon=2.0)
>>> nu = dpot.wasserstein_projection(dpot.dirac(30, 3), cost, Q)
>>> Q.contains(nu)
True
"""

from dpot_core.audits import Audit, Certificate, audit, certify
from dpot_core.base_measures import MinimaxBase, best_uniform_base, minimax_base, prior_base, uniform_base
from dpot_core.distributions import dirac, dirichlet, empirical, mixture, normalise, two_bumps
from dpot_core.divergences import (
    DIVERGENCES,
    chi2,
    kl,
    max_divergence,
    renyi,
    squared_hellinger,
    total_variation,
)
from dpot_core.guarantees import Guarantee
from dpot_core.mechanisms import MECHANISMS, Mechanism, Setting
from dpot_core.mechanisms.central.barycenter import ReferenceBarycenter, atoms_distance, barycenter
from dpot_core.mechanisms.central.chunks import optimal_chunks
from dpot_core.mechanisms.central.coreset_barycenter import CoresetBarycenter, coreset_barycenter
from dpot_core.mechanisms.central.perturbed_barycenter import PerturbedBarycenter, perturbed_barycenter
from dpot_core.mechanisms.central.private_measure import PrivateMeasure, private_measure
from dpot_core.mechanisms.central.sinkhorn import noisy_sinkhorn
from dpot_core.mechanisms.central.sinkhorn_costs import PrivateCost, private_transport_cost
from dpot_core.mechanisms.central.sinkhorn_results import NoisySinkhorn
from dpot_core.mechanisms.continuous.densities import (
    PrivateDensity,
    kl_projection_density,
    mixture_density,
    relative_mollifier_density,
)
from dpot_core.mechanisms.continuous.families import DensityFamily
from dpot_core.mechanisms.continuous.gaussian import (
    GaussianFamily,
    GaussianMixture,
    gaussian_mixture_family,
    gaussian_reference,
    gaussian_ring_family,
)
from dpot_core.mechanisms.continuous.mbde import BoostedDensity, boosted_density
from dpot_core.mechanisms.exponential import exponential
from dpot_core.mechanisms.kl_projection import kl_projection, minimax_base_kl
from dpot_core.mechanisms.line_projection import LineProjection, wasserstein_projection_line
from dpot_core.mechanisms.randomized_response import decode_randomized_response, randomized_response
from dpot_core.mechanisms.relative_mollifier import relative_mollifier
from dpot_core.mechanisms.sphere import SphereBase, sphere_base, sphere_mechanism
from dpot_core.mechanisms.wasserstein_projection import (
    EntropicProjection,
    ExactProjection,
    exact_projection_lp,
    project_entropic,
    project_exact,
    wasserstein_projection,
)
from dpot_core.polytopes import Polytope
from dpot_core.releases import integer_weights, release
from dpot_core.spaces import Space, cost_matrix, grid, metric_space, nearest_target, point_cloud, ring
from dpot_core.transport.wasserstein import wasserstein
from dpot_core.worst_case import WorstCase, worst_case_divergence, worst_case_wasserstein

__all__ = [
    "DIVERGENCES",
    "MECHANISMS",
    "Audit",
    "BoostedDensity",
    "Certificate",
    "CoresetBarycenter",
    "DensityFamily",
    "EntropicProjection",
    "ExactProjection",
    "GaussianFamily",
    "GaussianMixture",
    "Guarantee",
    "LineProjection",
    "Mechanism",
    "MinimaxBase",
    "NoisySinkhorn",
    "PerturbedBarycenter",
    "Polytope",
    "PrivateCost",
    "PrivateDensity",
    "PrivateMeasure",
    "ReferenceBarycenter",
    "Setting",
    "Space",
    "SphereBase",
    "WorstCase",
    "atoms_distance",
    "audit",
    "barycenter",
    "best_uniform_base",
    "boosted_density",
    "certify",
    "chi2",
    "coreset_barycenter",
    "cost_matrix",
    "decode_randomized_response",
    "dirac",
    "dirichlet",
    "empirical",
    "exact_projection_lp",
    "exponential",
    "gaussian_mixture_family",
    "gaussian_reference",
    "gaussian_ring_family",
    "grid",
    "integer_weights",
    "kl",
    "kl_projection",
    "kl_projection_density",
    "max_divergence",
    "metric_space",
    "minimax_base",
    "minimax_base_kl",
    "mixture",
    "mixture_density",
    "nearest_target",
    "noisy_sinkhorn",
    "normalise",
    "optimal_chunks",
    "perturbed_barycenter",
    "point_cloud",
    "prior_base",
    "private_measure",
    "private_transport_cost",
    "project_entropic",
    "project_exact",
    "randomized_response",
    "relative_mollifier",
    "relative_mollifier_density",
    "release",
    "renyi",
    "ring",
    "sphere_base",
    "sphere_mechanism",
    "squared_hellinger",
    "total_variation",
    "two_bumps",
    "uniform_base",
    "wasserstein",
    "wasserstein_projection",
    "wasserstein_projection_line",
    "worst_case_divergence",
    "worst_case_wasserstein",
]
