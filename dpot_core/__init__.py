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
from dpot_core.disclosures import Disclosure
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
from dpot_core.guarantees import Guarantee, Sampled
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
from dpot_core.mechanisms.continuous.outputs import PrivateDensity
from dpot_core.mechanisms.exponential import exponential
from dpot_core.mechanisms.kl_projection import kl_projection, minimax_base_kl
from dpot_core.mechanisms.line_projection import LineProjection, wasserstein_projection_line
from dpot_core.mechanisms.metric.clustered import ClusteredSpace
from dpot_core.mechanisms.metric.error_bounds import crossover_order, gkrr_bound, hadamard_bound, laplace_bound
from dpot_core.mechanisms.metric.finite_kernels import achieved_rate, metric_exponential
from dpot_core.mechanisms.metric.frequency import (
    FrequencyEstimate,
    estimate_frequencies,
    k_rr,
    laplace_histogram,
    laplace_scale,
    metric_laplace_scale,
)
from dpot_core.mechanisms.metric.gkrr import Gkrr, one_item_budget, one_item_rate
from dpot_core.mechanisms.metric.hadamard import HadamardResponse
from dpot_core.mechanisms.metric.item_wise import FiniteItems, exponential_items, release_locations
from dpot_core.mechanisms.metric.items import counts_of
from dpot_core.mechanisms.metric.likely import likely_histogram
from dpot_core.mechanisms.metric.linear import LinearRelease, noisy_mean, release_linear, release_user_level
from dpot_core.mechanisms.metric.lipschitz import Lipschitz, lipschitz
from dpot_core.mechanisms.metric.noise import MetricNoise, gaussian_slack, metric_noise, user_level_noise
from dpot_core.mechanisms.metric.protection import (
    earth_mover_guarantee,
    earth_movers_distance,
    protection_rate,
    unit_distances,
)
from dpot_core.mechanisms.metric.queries import (
    LinearQuery,
    average_distance,
    embedding_similarity,
    hard_region,
    linear_query,
    mean_position,
    smoothed_region,
)
from dpot_core.mechanisms.metric.random_items import (
    HistoryItems,
    exponential_history_items,
    random_item_budget,
    random_item_rate,
)
from dpot_core.mechanisms.metric.reduction import (
    DiscreteGuarantee,
    bounded_rate,
    discrete_guarantee,
    sample_histories,
    samples_needed,
)
from dpot_core.mechanisms.metric.secure_reports import secure_laplace_counts, secure_reports
from dpot_core.mechanisms.metric.sharing import STRETCH, share_among_cells
from dpot_core.mechanisms.metric.shuffling import (
    ShuffledPromise,
    best_item_rate,
    closed_form_rate,
    composition_rate,
    item_rate,
    largest_item_rate,
    shuffled_promise,
)
from dpot_core.mechanisms.metric.shuffling_accountant import accounted_draws, accounted_items, shuffled_slack
from dpot_core.mechanisms.metric.user_level import item_epsilon, sample_one
from dpot_core.mechanisms.planar_laplace import clamp_to_box, planar_laplace, planar_laplace_radius
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
from dpot_core.releases import integer_weights, release, release_density
from dpot_core.spaces import Space, cost_matrix, grid, metric_space, nearest_target, point_cloud, ring
from dpot_core.streams import stream
from dpot_core.transport.wasserstein import wasserstein
from dpot_core.worst_case import WorstCase, worst_case_divergence, worst_case_wasserstein

__all__ = [
    "DIVERGENCES",
    "MECHANISMS",
    "STRETCH",
    "Audit",
    "BoostedDensity",
    "Certificate",
    "ClusteredSpace",
    "CoresetBarycenter",
    "DensityFamily",
    "Disclosure",
    "DiscreteGuarantee",
    "EntropicProjection",
    "ExactProjection",
    "FiniteItems",
    "FrequencyEstimate",
    "GaussianFamily",
    "GaussianMixture",
    "Gkrr",
    "Guarantee",
    "HadamardResponse",
    "HistoryItems",
    "LineProjection",
    "LinearQuery",
    "LinearRelease",
    "Lipschitz",
    "Mechanism",
    "MetricNoise",
    "MinimaxBase",
    "NoisySinkhorn",
    "PerturbedBarycenter",
    "Polytope",
    "PrivateCost",
    "PrivateDensity",
    "PrivateMeasure",
    "ReferenceBarycenter",
    "Sampled",
    "Setting",
    "ShuffledPromise",
    "Space",
    "SphereBase",
    "WorstCase",
    "accounted_draws",
    "accounted_items",
    "achieved_rate",
    "atoms_distance",
    "audit",
    "average_distance",
    "barycenter",
    "best_item_rate",
    "best_uniform_base",
    "boosted_density",
    "bounded_rate",
    "certify",
    "chi2",
    "clamp_to_box",
    "closed_form_rate",
    "composition_rate",
    "coreset_barycenter",
    "cost_matrix",
    "counts_of",
    "crossover_order",
    "decode_randomized_response",
    "dirac",
    "dirichlet",
    "discrete_guarantee",
    "earth_mover_guarantee",
    "earth_movers_distance",
    "embedding_similarity",
    "empirical",
    "estimate_frequencies",
    "exact_projection_lp",
    "exponential",
    "exponential_history_items",
    "exponential_items",
    "gaussian_mixture_family",
    "gaussian_reference",
    "gaussian_ring_family",
    "gaussian_slack",
    "gkrr_bound",
    "grid",
    "hadamard_bound",
    "hard_region",
    "integer_weights",
    "item_epsilon",
    "item_rate",
    "k_rr",
    "kl",
    "kl_projection",
    "kl_projection_density",
    "laplace_bound",
    "laplace_histogram",
    "laplace_scale",
    "largest_item_rate",
    "likely_histogram",
    "linear_query",
    "lipschitz",
    "max_divergence",
    "mean_position",
    "metric_exponential",
    "metric_laplace_scale",
    "metric_noise",
    "metric_space",
    "minimax_base",
    "minimax_base_kl",
    "mixture",
    "mixture_density",
    "nearest_target",
    "noisy_mean",
    "noisy_sinkhorn",
    "normalise",
    "one_item_budget",
    "one_item_rate",
    "optimal_chunks",
    "perturbed_barycenter",
    "planar_laplace",
    "planar_laplace_radius",
    "point_cloud",
    "prior_base",
    "private_measure",
    "private_transport_cost",
    "project_entropic",
    "project_exact",
    "protection_rate",
    "random_item_budget",
    "random_item_rate",
    "randomized_response",
    "relative_mollifier",
    "relative_mollifier_density",
    "release",
    "release_density",
    "release_linear",
    "release_locations",
    "release_user_level",
    "renyi",
    "ring",
    "sample_histories",
    "sample_one",
    "samples_needed",
    "secure_laplace_counts",
    "secure_reports",
    "share_among_cells",
    "shuffled_promise",
    "shuffled_slack",
    "smoothed_region",
    "sphere_base",
    "sphere_mechanism",
    "squared_hellinger",
    "stream",
    "total_variation",
    "two_bumps",
    "uniform_base",
    "unit_distances",
    "user_level_noise",
    "wasserstein",
    "wasserstein_projection",
    "wasserstein_projection_line",
    "worst_case_divergence",
    "worst_case_wasserstein",
]
