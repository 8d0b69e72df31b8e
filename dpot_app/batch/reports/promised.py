"""Every mechanism: who is protected, where it is proven, what is exact, what its audit gives, what is not promised."""

from dataclasses import dataclass

_FLOAT = "float64 with a seeded generator: a demonstration"
_FINITE = (
    "outputs are floats whose ratios are at most e^ε in exact arithmetic (bounds rounded inward, repair); drawing "
)
_FINITE += "is left to `release`"
_NO_RELEASE = "no release for real is offered"


@dataclass(frozen=True)
class Promised:
    names: tuple[str, ...]  # public names of `dpot_core` or of its groups `metric`, `central`, `continuous`
    neighbours: tuple[str, ...]  # keys of `NEIGHBOURS`; several where an argument chooses
    delta: str  # where delta comes from
    public: str  # what everybody knows
    proof: tuple[str, ...]  # dotted names of what holds the proof in its docstring; none where nothing is proven
    arithmetic: str  # what is exact, and what is float64
    audit: str  # test that audits it, and what it finds; empty if there is none
    found: str  # what the audit gives
    excluded: str  # what is not promised


_AUDITS = "tests/privacy/audits/test_whole_mechanisms.py::"
_METRIC = "tests/mechanisms/metric/test_audits.py::"
_HOSTILE = "tests/mechanisms/continuous/test_hostile_densities.py::"
_TRANSPORT = "tests/mechanisms/central/test_sinkhorn_promises.py::"

MECHANISMS: tuple[Promised, ...] = (
    Promised(
        ("wasserstein_projection", "project_exact", "project_entropic", "wasserstein_projection_line"),
        ("local",),
        "0",
        "outputs, costs, base measure, ε, λ",
        ("privacy.polytopes.Polytope", "mechanisms.wasserstein_projection.wasserstein_projection"),
        _FINITE,
        _AUDITS + "test_a_local_mechanism_spends_its_epsilon_and_not_more",
        "exact certificate: .65 to 1 times ε at its worst pair, never more",
        "the output distribution itself, distances and plans, which are computed from the input",
    ),
    Promised(
        ("kl_projection", "kl_projection_near_prior", "relative_mollifier", "exponential", "randomized_response"),
        ("local",),
        "0",
        "outputs, base measure, reference or prior with its factor γ, distances, ε",
        (
            "mechanisms.kl_projection.kl_projection",
            "mechanisms.near_prior.kl_projection_near_prior",
            "mechanisms.relative_mollifier.relative_mollifier",
            "mechanisms.exponential.exponential",
            "mechanisms.randomized_response.randomized_response",
        ),
        _FINITE,
        _AUDITS + "test_a_local_mechanism_spends_its_epsilon_and_not_more",
        "exact certificate: .65 to 1 times ε at its worst pair, never more",
        "the output distribution itself",
    ),
    Promised(
        ("gaussian_guarantee",),
        ("local",),
        "chosen, in (0, 1)",
        "the polytopes of all releases",
        ("privacy.gaussian_promises.certify_gaussian",),
        "float64: μ is rounded up by more than sums and the inverse of Φ can err",
        "tests/privacy/test_gaussian_promises.py::test_a_polytope_covers_all_that_it_holds",
        "all tests of small outputs: never above μ, which KPM reaches",
        "how often a loss exceeds ε: more often than for Gaussian noise",
    ),
    Promised(
        ("release", "integer_weights"),
        ("local",),
        "0",
        "the polytope",
        ("privacy.releases.integer_weights", "privacy.releases.release"),
        "exact: whole-number weights, the operating system's entropy",
        "tests/privacy/test_releases.py::test_the_probabilities_of_all_inputs_keep_the_exact_ratio",
        "exact fractions: never above e^ε",
        "how long it takes",
    ),
    Promised(
        ("kl_projection_density", "relative_mollifier_density", "mixture_density"),
        ("local",),
        "0",
        "family or reference, nodes, ε",
        ("mechanisms.continuous.outputs.PrivateDensity",),
        f"proven in real numbers for every input, member or not; `sample` is {_FLOAT}",
        _HOSTILE + "test_audits_of_the_worst_pair",
        "at ε = 1 from 40,000 draws: more than .85 (mollifier .6), never more than 1",
        "the density itself, `.r`, `.problem`; the worst-case utility for inputs that are rough between nodes",
    ),
    Promised(
        ("release_density",),
        ("local",),
        "0",
        "family or reference, nodes, ε",
        ("mechanisms.continuous.releases.release_density",),
        "exact whole-number weights of nodes, then a point from a public density, both from the system's entropy",
        _HOSTILE + "test_audit_of_real_releases",
        "at ε = 2: between 1.7 and 2",
        "the plane: there is none",
    ),
    Promised(
        ("boosted_density",),
        ("local",),
        "0",
        "reference, ε at most 20",
        ("mechanisms.continuous.mbde.BoostedDensity",),
        f"proven in real numbers; `sample` is {_FLOAT}",
        "tests/mechanisms/continuous/test_mbde.py::test_outputs_of_any_two_inputs_differ_by_at_most_e_epsilon",
        "densities of any two inputs: within e^ε",
        f"network and normalisation are private to the person; {_NO_RELEASE}",
    ),
    Promised(
        ("sphere_base", "sphere_mechanism"),
        ("local",),
        "0",
        "dimension, order p, cap, ε",
        ("mechanisms.sphere.SphereBase",),
        f"{_FLOAT}; the choice of the cap is exact for its probability up to ε = 700",
        "tests/mechanisms/test_sphere.py::test_audit_of_the_worst_pair",
        "at ε = 1.5: between 1.275 and 1.5",
        f"{_NO_RELEASE}: the last digits of a direction show the input",
    ),
    Promised(
        ("private_measure",),
        ("replace", "add-remove"),
        "0",
        "region, depth; the number of points under replace only",
        ("mechanisms.central.private_measure.private_measure",),
        f"whole numbers; secure: OpenDP's exact sampler; else {_FLOAT}",
        "tests/mechanisms/central/test_private_measure.py::"
        "test_an_audit_of_the_whole_measure_finds_less_than_promised_and_half_the_noise",
        "at ε = 2: between .5 and 2; the noisy tree reaches ε in exact fractions",
        "true counts in `.levels` of a demonstration; whether points lay outside under outside='refuse'",
    ),
    Promised(
        ("coreset_barycenter",),
        ("replace", "add-remove"),
        "0",
        "as the private measure, and the number of atoms, groups of people",
        ("mechanisms.central.coreset_barycenter.coreset_barycenter",),
        "as the private measure: the rest is post-processing",
        "tests/mechanisms/central/test_fixed_noise.py::test_neighbours_whose_noisy_values_agree_are_published_alike",
        "fixed noise: byte-identical for neighbours whose noisy values agree",
        "costs and distances to the truth",
    ),
    Promised(
        ("perturbed_barycenter",),
        ("replace", "add-remove"),
        "of the Gaussian steps, in (0, 1)",
        "as the coreset, and the number of chunks, the random projection",
        (
            "mechanisms.central.perturbed_barycenter.perturbed_barycenter",
            "privacy.privacy_loss.tree_losses",
            "mechanisms.central.cells",
            "mechanisms.central.chunks",
            "mechanisms.central.pulls",
            "mechanisms.central.projection",
        ),
        "exact sums of cells, chunks on a grid; secure: OpenDP's discrete Gaussian on multiples of 2^-1074, whose "
        f"difference to the continuous one is stated, not tested; else {_FLOAT}",
        _AUDITS + "test_a_central_mechanism_keeps_its_promise_and_half_the_noise_would_not",
        "at (.2, .3): at most .2, and above .2 with half the noise (confidence .999)",
        "an optimum; only privacy is",
    ),
    Promised(
        ("private_kmeans",),
        ("replace", "add-remove"),
        "of the Gaussian rounds, in (0, 1)",
        "region, numbers of centres and rounds, the start, groups and their weights; n under replace only",
        ("mechanisms.central.private_kmeans.private_kmeans",),
        "as `perturbed_barycenter`: exact sums of cells, the same noise",
        _AUDITS + "test_a_central_mechanism_keeps_its_promise_and_half_the_noise_would_not",
        "at (.2, .3): at most .2, and above .2 with half the noise (confidence .999)",
        "an optimum; costs and distances to the truth",
    ),
    Promised(
        ("noisy_sinkhorn",),
        ("replace", "replace-in-both"),
        "of the Gaussian rounds, in (0, 1)",
        "both grids, the cost, sizes of the data sets, η, rounds",
        (
            "mechanisms.central.sinkhorn.noisy_sinkhorn",
            "mechanisms.central.sinkhorn_half_step",
            "mechanisms.central.sinkhorn_proven.rounded",
        ),
        f"secure: half steps on a public grid wider than their float error, OpenDP's noise; else {_FLOAT}",
        "tests/mechanisms/central/test_sinkhorn.py::test_no_test_tells_worst_neighbours_apart_better_than_promised",
        "spread of the log-ratio: .6 to 1.05 of the Gaussian parameter, never distinguishably more",
        "exp and log within 4 ulp are assumed",
    ),
    Promised(
        ("paper_barycenter", "paper_sinkhorn"),
        ("replace",),
        "claimed, in (0, 1)",
        "number of atoms and chunks, the region; size of the samples, a bound of the cost, η",
        (),
        "as `perturbed_barycenter` and `noisy_sinkhorn`",
        "",
        "nothing: what the papers claim is assumed",
        "privacy: NOT proven, every result says so, and nothing is released for real: `secure=True` is refused",
    ),
    Promised(
        ("private_transport_cost",),
        ("replace", "replace-in-both"),
        "0 for 'laplace', else in (0, 1)",
        "grids or a bound of the cost, sizes of the data sets",
        ("mechanisms.central.sinkhorn_costs.private_transport_cost", "mechanisms.central.sinkhorn_exact"),
        f"secure: exact whole-number optimum on a public grid, OpenDP's discrete noise; else {_FLOAT}",
        _TRANSPORT + "test_the_cost_of_worst_neighbours_is_told_apart_as_promised_and_no_better",
        "at ε = 1: never above; the loss reaches .6 ε",
        "'paper' and 'two-stage' are claimed and NOT proven, and not released",
    ),
    Promised(
        ("Gkrr", "k_rr", "HadamardResponse"),
        ("metric", "local"),
        "0",
        "the space, α₀",
        ("mechanisms.metric.gkrr.Gkrr", "mechanisms.metric.hadamard.HadamardResponse"),
        f"{_FLOAT}; rare reports are drawn at their own probability",
        _METRIC + "test_reports_on_one_item_lose_their_alpha_0_and_no_more",
        ".9 to 1 of what is promised",
        "a release for real is `secure_reports`",
    ),
    Promised(
        ("OptimisedUnaryEncoding", "OptimalLocalHashing", "SubsetSelection"),
        ("local",),
        "0",
        "the items, ε",
        (
            "mechanisms.oracles.unary_encoding.OptimisedUnaryEncoding",
            "mechanisms.oracles.local_hashing.OptimalLocalHashing",
            "mechanisms.oracles.subset_selection.SubsetSelection",
        ),
        f"{_FLOAT}; the coins of a report have their float64 probability exactly, which is rounded to the private side",
        "tests/mechanisms/oracles/test_privacy.py::test_no_report_tells_two_items_apart_by_more_than_e_to_the_epsilon",
        "all reports of small k in exact fractions: never above e^ε, and below it by less than 1e-13 of it",
        _NO_RELEASE,
    ),
    Promised(
        ("secure_reports",),
        ("metric", "local"),
        "0",
        "the space, α₀",
        ("mechanisms.metric.secure_reports",),
        "exact: whole-number weights, the operating system's entropy",
        "tests/mechanisms/metric/test_secure_reports.py::test_the_loss_of_every_report_is_within_the_promise_exactly",
        ".75 to 1 of what is promised, in exact fractions",
        "kernels whose probabilities are floats",
    ),
    Promised(
        ("laplace_histogram", "secure_laplace_counts"),
        ("replace", "earth-mover"),
        "0",
        "number of users and of items, the points",
        (
            "mechanisms.metric.frequency.laplace_scale",
            "mechanisms.metric.frequency.metric_laplace_scale",
            "mechanisms.metric.secure_reports",
        ),
        f"`secure_laplace_counts`: OpenDP on whole counts; `laplace_histogram`: {_FLOAT}",
        _METRIC + "test_the_laplace_histogram_loses_alpha_d_at_the_nearest_pair",
        "at least .35 of what is promised, never more",
        "histograms of real numbers",
    ),
    Promised(
        ("release_linear", "release_user_level", "noisy_mean", "metric_noise", "user_level_noise"),
        ("earth-mover", "replace"),
        "0, or of Gaussian noise",
        "the question and its Lipschitz constant, who takes part, how many, the map",
        ("mechanisms.metric.noise.metric_noise", "mechanisms.metric.linear.release_linear"),
        _FLOAT,
        _METRIC + "test_a_question_about_places_loses_alpha_d",
        "at least .5 of what is promised, never more",
        f"{_NO_RELEASE}: rounding real answers to a grid is not Lipschitz",
    ),
    Promised(
        ("planar_laplace", "release_locations", "metric_exponential", "exponential_items", "FiniteItems"),
        ("metric",),
        "0",
        "the rate, the space",
        ("mechanisms.planar_laplace.planar_laplace", "mechanisms.metric.finite_kernels.metric_exponential"),
        _FLOAT,
        "",
        "certificate of the finite kernel (`achieved_rate`)",
        _NO_RELEASE,
    ),
    Promised(
        ("shuffled_promise", "accounted_draws", "accounted_items", "shuffled_slack", "HistoryItems"),
        ("earth-mover",),
        "of shuffling, in (0, 1)",
        "items of each person, who takes part, the item mechanism",
        (
            "mechanisms.metric.shuffling.shuffled_promise",
            "mechanisms.metric.shuffling_accountant",
            "mechanisms.metric.random_items",
        ),
        "the accountant rounds to the private side",
        _METRIC + "test_shuffled_reports_of_everybody_keep_the_counted_promise",
        "counts of shuffled reports: at least .3 of what is promised, never more",
        "the order of reports before shuffling; that the bound is the best possible",
    ),
    Promised(
        ("discrete_guarantee", "bounded_rate", "sample_histories"),
        ("earth-mover-within",),
        "twice that of the bounded mechanism",
        "number of draws from each history",
        ("mechanisms.metric.reduction.discrete_guarantee", "mechanisms.metric.reduction.stretch"),
        _FLOAT,
        "",
        "",
        _NO_RELEASE,
    ),
)

#: Public names of the mechanisms' modules that release nothing: results, options, queries, budgets, bounds, decoders,
#: and what is computed without privacy.
RELEASE_NOTHING = frozenset(
    (
        *("BallRegion", "BoostedDensity", "ClusteredSpace", "CoresetBarycenter", "DensityFamily"),
        *("DiscreteGuarantee", "Lloyd", "PrivateKMeans"),
        *("Claim", "CostOptions", "Iteration", "PairProtection", "Perturbation", "Protection", "Rounds", "Search"),
        *("Training", "Trials", "Tuned", "tune_sinkhorn"),
        *("EntropicProjection", "ExactProjection", "FrequencyEstimate", "FrequencyOracle", "FrequencyRelease"),
        *("FrequencyTask", "GaussianFamily", "GaussianMixture"),
        *("LineProjection", "LinearQuery", "LinearRelease", "Lipschitz", "Mechanism", "MetricNoise"),
        *("NoisySinkhorn", "PerturbedBarycenter", "PrivateCost", "PrivateDensity", "PrivateMeasure"),
        *("Public", "ReferenceBarycenter", "ShuffledPromise", "SphereBase", "achieved_rate", "atoms_distance"),
        *("average_distance", "barycenter", "best_item_rate", "clamp_to_box", "closed_form_rate"),
        *("composition_rate", "counts_of", "crossover_order", "decode_randomized_response"),
        *("earth_mover_guarantee", "earth_movers_distance", "embedding_similarity", "estimate_frequencies"),
        *("exact_projection_lp", "exponential_history_items", "gaussian_mixture_family", "gaussian_reference"),
        *("gaussian_ring_family", "gaussian_slack", "gkrr_bound", "hadamard_bound", "hard_region"),
        *("item_epsilon", "item_rate", "laplace_bound", "laplace_scale", "largest_item_rate"),
        *("likely_histogram", "linear_query", "lipschitz", "mean_position", "metric_laplace_scale"),
        *("minimax_base_kl", "one_item_budget", "one_item_rate", "optimal_chunks", "planar_laplace_radius"),
        *("prior_family", "protection_rate", "random_item_budget", "random_item_rate", "sample_one", "samples_needed"),
        *("share_among_cells", "shared_histograms", "smoothed_region", "unit_distances"),
    )
)
