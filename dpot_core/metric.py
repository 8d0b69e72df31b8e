"""Privacy in proportion to distance: mechanisms for places and histories, their budgets, bounds and shuffling."""

from dpot_core.mechanisms.metric.clustered import ClusteredSpace
from dpot_core.mechanisms.metric.error_bounds import crossover_order, gkrr_bound, hadamard_bound, laplace_bound
from dpot_core.mechanisms.metric.finite_kernels import achieved_rate, certified_rate, metric_exponential
from dpot_core.mechanisms.metric.frequency import (
    FrequencyEstimate,
    estimate_frequencies,
    k_rr,
    laplace_histogram,
    laplace_scale,
    metric_laplace_scale,
)
from dpot_core.mechanisms.metric.frequency_errors import FREQUENCY_RELEASES, FrequencyRelease, FrequencyTask
from dpot_core.mechanisms.metric.gkrr import Gkrr, one_item_budget, one_item_rate
from dpot_core.mechanisms.metric.hadamard import HadamardResponse
from dpot_core.mechanisms.metric.item_wise import FiniteItems, exponential_items, release_locations
from dpot_core.mechanisms.metric.items import counts_of
from dpot_core.mechanisms.metric.likely import likely_histogram
from dpot_core.mechanisms.metric.linear import LinearRelease, noisy_mean, release_linear, release_user_level
from dpot_core.mechanisms.metric.lipschitz import Lipschitz, lipschitz
from dpot_core.mechanisms.metric.noise import MetricNoise, gaussian_slack, metric_noise, user_level_noise
from dpot_core.mechanisms.metric.optimal import OptimalKernel, optimal_geo_indistinguishability
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
from dpot_core.mechanisms.metric.remapping import Remapped, bayesian_remap
from dpot_core.mechanisms.metric.secure_reports import secure_laplace_counts, secure_reports
from dpot_core.mechanisms.metric.sharing import STRETCH, share_among_cells, shared_histograms
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
from dpot_core.mechanisms.metric.spanners import greedy_spanner
from dpot_core.mechanisms.metric.user_level import item_epsilon, sample_one
from dpot_core.mechanisms.oracles import ORACLES
from dpot_core.mechanisms.oracles.local_hashing import OptimalLocalHashing
from dpot_core.mechanisms.oracles.oracle import FrequencyOracle
from dpot_core.mechanisms.oracles.subset_selection import SubsetSelection
from dpot_core.mechanisms.oracles.unary_encoding import OptimisedUnaryEncoding
from dpot_core.mechanisms.planar_laplace import (
    clamp_to_box,
    planar_laplace,
    planar_laplace_kernel,
    planar_laplace_radius,
)

__all__ = [
    "FREQUENCY_RELEASES",
    "ORACLES",
    "STRETCH",
    "ClusteredSpace",
    "DiscreteGuarantee",
    "FiniteItems",
    "FrequencyEstimate",
    "FrequencyOracle",
    "FrequencyRelease",
    "FrequencyTask",
    "Gkrr",
    "HadamardResponse",
    "HistoryItems",
    "LinearQuery",
    "LinearRelease",
    "Lipschitz",
    "MetricNoise",
    "OptimalKernel",
    "OptimalLocalHashing",
    "OptimisedUnaryEncoding",
    "Remapped",
    "ShuffledPromise",
    "SubsetSelection",
    "accounted_draws",
    "accounted_items",
    "achieved_rate",
    "average_distance",
    "bayesian_remap",
    "best_item_rate",
    "bounded_rate",
    "certified_rate",
    "clamp_to_box",
    "closed_form_rate",
    "composition_rate",
    "counts_of",
    "crossover_order",
    "discrete_guarantee",
    "earth_mover_guarantee",
    "earth_movers_distance",
    "embedding_similarity",
    "estimate_frequencies",
    "exponential_history_items",
    "exponential_items",
    "gaussian_slack",
    "gkrr_bound",
    "greedy_spanner",
    "hadamard_bound",
    "hard_region",
    "item_epsilon",
    "item_rate",
    "k_rr",
    "laplace_bound",
    "laplace_histogram",
    "laplace_scale",
    "largest_item_rate",
    "likely_histogram",
    "linear_query",
    "lipschitz",
    "mean_position",
    "metric_exponential",
    "metric_laplace_scale",
    "metric_noise",
    "noisy_mean",
    "one_item_budget",
    "one_item_rate",
    "optimal_geo_indistinguishability",
    "planar_laplace",
    "planar_laplace_kernel",
    "planar_laplace_radius",
    "protection_rate",
    "random_item_budget",
    "random_item_rate",
    "release_linear",
    "release_locations",
    "release_user_level",
    "sample_histories",
    "sample_one",
    "samples_needed",
    "secure_laplace_counts",
    "secure_reports",
    "share_among_cells",
    "shared_histograms",
    "shuffled_promise",
    "shuffled_slack",
    "smoothed_region",
    "unit_distances",
    "user_level_noise",
]
