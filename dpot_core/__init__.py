"""Differentially private optimal transport: mechanisms, their worst cases, and certificates.

>>> import dpot_core as dpot
>>> space = dpot.ring(30)
>>> cost = dpot.cost_matrix(space, p=2)
>>> Q = dpot.Polytope(dpot.best_uniform_base(cost, epsilon=2.0), epsilon=2.0)
>>> nu = dpot.wasserstein_projection(dpot.dirac(30, 3), cost, Q)
>>> Q.contains(nu)
True

Here is what most people need. The rest stands in groups: `metric` (privacy in proportion to distance), `central` (a
trusted curator), `continuous` (densities) and `results` (what functions return, for annotations).
"""

from typing import TYPE_CHECKING

from dpot_core import central, continuous, metric
from dpot_core.arguments import ConvergenceWarning
from dpot_core.base_measures import best_uniform_base, minimax_base, minimax_base_on_grid, prior_base, uniform_base
from dpot_core.central import (
    atoms_distance,
    barycenter,
    coreset_barycenter,
    noisy_sinkhorn,
    optimal_chunks,
    perturbed_barycenter,
    private_measure,
    private_transport_cost,
)
from dpot_core.continuous import (
    DensityFamily,
    boosted_density,
    gaussian_mixture_family,
    gaussian_ring_family,
    kl_projection_density,
    sphere_base,
)
from dpot_core.distributions import dirac, dirichlet, empirical, mixture, normalise, two_bumps
from dpot_core.distributions.divergences import (
    DIVERGENCES,
    chi2,
    kl,
    max_divergence,
    renyi,
    squared_hellinger,
    total_variation,
)
from dpot_core.mechanisms import MECHANISMS, results
from dpot_core.mechanisms.exponential import exponential
from dpot_core.mechanisms.kl_projection import kl_projection, minimax_base_kl
from dpot_core.mechanisms.knowledge import Public
from dpot_core.mechanisms.line_projection import wasserstein_projection_line
from dpot_core.mechanisms.near_prior import kl_projection_near_prior
from dpot_core.mechanisms.randomized_response import decode_randomized_response, randomized_response
from dpot_core.mechanisms.relative_mollifier import relative_mollifier
from dpot_core.mechanisms.wasserstein_projection import (
    exact_projection_lp,
    project_entropic,
    project_exact,
    wasserstein_projection,
)
from dpot_core.privacy.audits import audit, certify
from dpot_core.privacy.gaussian_promises import gaussian_guarantee
from dpot_core.privacy.guarantees import Guarantee
from dpot_core.privacy.polytopes import Polytope
from dpot_core.privacy.releases import integer_weights, release
from dpot_core.privacy.streams import stream
from dpot_core.privacy.vulnerability import best_guess
from dpot_core.spaces import (
    GridCost,
    Space,
    cost_matrix,
    grid,
    grid_cost,
    metric_space,
    nearest_target,
    point_cloud,
    ring,
)
from dpot_core.transport.wasserstein import wasserstein
from dpot_core.transport.wasserstein_interval import wasserstein_interval
from dpot_core.worst_case import worst_case_bracket, worst_case_divergence, worst_case_wasserstein

__all__ = [
    "DIVERGENCES",
    "MECHANISMS",
    "ConvergenceWarning",
    "DensityFamily",
    "GridCost",
    "Guarantee",
    "Polytope",
    "Public",
    "Space",
    "atoms_distance",
    "audit",
    "barycenter",
    "best_guess",
    "best_uniform_base",
    "boosted_density",
    "central",
    "certify",
    "chi2",
    "continuous",
    "coreset_barycenter",
    "cost_matrix",
    "decode_randomized_response",
    "dirac",
    "dirichlet",
    "empirical",
    "exact_projection_lp",
    "exponential",
    "gaussian_guarantee",
    "gaussian_mixture_family",
    "gaussian_ring_family",
    "grid",
    "grid_cost",
    "integer_weights",
    "kl",
    "kl_projection",
    "kl_projection_density",
    "kl_projection_near_prior",
    "max_divergence",
    "metric",
    "metric_space",
    "minimax_base",
    "minimax_base_kl",
    "minimax_base_on_grid",
    "mixture",
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
    "release",
    "renyi",
    "results",
    "ring",
    "sphere_base",
    "squared_hellinger",
    "stream",
    "total_variation",
    "two_bumps",
    "uniform_base",
    "wasserstein",
    "wasserstein_interval",
    "wasserstein_projection",
    "wasserstein_projection_line",
    "worst_case_bracket",
    "worst_case_divergence",
    "worst_case_wasserstein",
]

# Python that people took away before the groups names everything in one list, and `Public` by its former name. Type
# checkers see the groups only.
if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        if name == "Setting":
            return Public
        for group in (metric, central, continuous, results):
            if name in group.__all__:
                return getattr(group, name)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return [*__all__, *(name for name in globals() if name.startswith("__"))]
