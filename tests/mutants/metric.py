"""Bugs in metric privacy: samplers, noise, shuffling, the edge of the map, what leaves together."""

from tests.mutants.mutant import Mutant

_METRIC = "dpot_core/mechanisms/metric"
_TESTS = "tests/mechanisms/metric"
_EDGE = "tests/cities/test_edge_of_the_map.py"

MUTANTS = [
    Mutant(
        "visits-off-the-map-are-left-out",
        "dpot_core/cities/city.py",
        "        if not clamp:\n",
        "        if True:\n",
        (f"{_EDGE}::test_a_visit_across_the_edge_costs_no_more_than_its_move",),
        "one visit that crosses the edge changes the weight of all others",
    ),
    Mutant(
        "positions-not-clamped",
        "dpot_core/datasets/city_grid.py",
        "neginf=-np.inf), 0.0, (self.width, self.height))",
        "neginf=-np.inf), 0.0, np.inf)",
        (f"{_EDGE}::test_a_box_moves_what_lies_outside_to_its_edge_instead_of_refusing_it",),
        "answers to questions grow beyond the distance that 1 stands for",
    ),
    Mutant(
        "map-from-data-is-silent",
        "dpot_core/cities/public.py",
        "    if place.box is None:\n",
        "    if False:\n",
        (f"{_EDGE}::test_a_map_drawn_from_the_data_is_named_whatever_the_source",),
        "the box tells the outermost places of people, and the promise does not say so",
    ),
    Mutant(
        "gkrr-keeps-by-what-rounds-to-1",
        f"{_METRIC}/gkrr.py",
        "lost = toss(min(inside + anywhere, 1.0), points.shape, rng)",
        "lost = rng.random(points.shape) >= 1.0 - (inside + anywhere)",
        (f"{_TESTS}/test_gkrr.py::test_at_any_alpha_0_every_report_can_come_from_every_item",),
        "infinite loss from alpha_0 = 37 on",
    ),
    Mutant(
        "gkrr-half-the-noise",
        f"{_METRIC}/gkrr.py",
        "lost = toss(min(inside + anywhere, 1.0), points.shape, rng)",
        "lost = toss(min((inside + anywhere) / 2.0, 1.0), points.shape, rng)",
        (f"{_TESTS}/test_gkrr.py::test_both_samplers_draw_from_the_matrix",),
        "reports keep the item far too often",
    ),
    Mutant(
        "hadamard-ratio-rounded-outward",
        f"{_METRIC}/hadamard.py",
        "(1.0 + 2.0**-50)",
        "(1.0 - 2.0**-50)",
        (f"{_TESTS}/test_hadamard.py::test_no_entry_exceeds_e_to_the_epsilon_not_even_by_rounding",),
        "numerical error spends privacy",
    ),
    Mutant(
        "secure-weights-rounded-up",
        f"{_METRIC}/secure_reports.py",
        "return near * _power(r * rate) >> _BITS, near, 1 << _BITS",
        "return (near * _power(r * rate) >> _BITS) * 2, near, 1 << _BITS",
        (f"{_TESTS}/test_secure_reports.py::test_the_loss_of_every_report_is_within_the_promise_exactly",),
        "a real release spends log 2 more than it says",
    ),
    Mutant(
        "secure-counts-half-the-sensitivity",
        f"{_METRIC}/secure_reports.py",
        "scale_for(2 * m, budget)",
        "scale_for(m, budget)",
        (f"{_TESTS}/test_secure_reports.py::test_the_noise_of_counts_has_the_scale_of_the_proof",),
        "moving an item takes one away and adds one: twice the loss that is promised",
    ),
    Mutant(
        "metric-laplace-forgets-the-nearest-distance",
        f"{_METRIC}/frequency.py",
        'check_number(alpha, "alpha", 1e-9, 1e12) * nearest',
        'check_number(alpha, "alpha", 1e-9, 1e12)',
        (f"{_TESTS}/test_audits.py::test_the_laplace_histogram_loses_alpha_d_at_the_nearest_pair",),
        "a move inside a cluster costs 1/r times what is promised",
    ),
    Mutant(
        "accountant-counts-clones-as-sure",
        f"{_METRIC}/shuffling_accountant.py",
        "clones = int(binom.ppf(_FEW * slack, min(others, _MOST), math.exp(-loss)))",
        "clones = min(others, _MOST)",
        (f"{_TESTS}/test_shuffling_accountant.py::test_random_items_at_two_points_keep_the_promise_at_every_distance",),
        "every other report is taken for a fair coin: far too much company is assumed",
    ),
    Mutant(
        "accountant-forgets-the-slack-of-m-steps",
        f"{_METRIC}/shuffling_accountant.py",
        "log_sum = float(steps[-1] + np.log(np.exp(steps - steps[-1]).sum()))",
        "log_sum = 0.0",
        (
            f"{_TESTS}/test_shuffling_accountant.py"
            "::test_known_items_at_two_points_keep_the_promise_for_any_number_of_moves",
        ),
        "the slack of m steps is told as that of one",
    ),
    Mutant(
        "accountant-looks-at-the-largest-distance-only",
        f"{_METRIC}/shuffling_accountant.py",
        "        else:\n            return False\n",
        "        else:\n            return True\n",
        (f"{_TESTS}/test_shuffling_accountant.py::test_the_largest_distance_need_not_be_the_worst",),
        "nearer histories lose more than alpha times their distance",
    ),
    Mutant(
        "crowd-draws-one-noise-for-both-ways",
        "dpot_core/studies/metric/crowd/results.py",
        'settings = {"how": how, "beta": beta, "visits"',
        'settings = {"visits"',
        (f"{_TESTS}/test_audits.py::test_releases_that_leave_together_have_noise_of_their_own_and_are_composed",),
        "two releases about the same visits: their promises do not add up, and noise cancels",
    ),
    Mutant(
        "mechanisms-of-the-crowd-share-draws",
        "dpot_core/cities/crowd.py",
        'rng = stream(SEED, "geolocation.crowd", mechanism=mechanism, **city.noise_key)',
        'rng = stream(SEED, "geolocation.crowd", **city.noise_key)',
        (f"{_TESTS}/test_audits.py::test_mechanisms_of_the_crowd_draw_with_numbers_of_their_own",),
        "four releases from one random number tell more than the sum of their epsilons",
    ),
    Mutant(
        "true-crowd-declared-free",
        "dpot_core/studies/metric/disclosed.py",
        '"crowd-cells": ("simulated", "cell", *_RELEASED),',
        '"crowd-cells": ("simulated", "cell", "truth", *_RELEASED),',
        (f"{_TESTS}/test_audits.py::test_what_the_crowd_exports_as_free_is_made_of_its_reports_alone",),
        "the true map leaves as if a guarantee covered it",
    ),
    Mutant(
        "unlike-maps-add-up",
        "dpot_core/studies/metric/protected.py",
        'unit=f"the map\'s diagonal, {largest:.6g} km",',
        'unit="",',
        (f"{_EDGE}::test_promises_on_unlike_maps_do_not_add_up",),
        "an alpha per 30 km is added to an alpha per 40 km",
    ),
    Mutant(
        "lower-bound-cut-down-to-the-value",
        "dpot_core/base_measures/minimax.py",
        "    if bound - value > _EXCESS * value + 2 * _ROUNDING:",
        "    if False:",
        ("tests/test_base_measures.py::test_a_lower_bound_above_the_value_is_an_error_and_not_cut_down",),
        "a false certificate of optimality is reported with a gap of 0",
    ),
]
