"""Bugs in the certified interval of W_1: each would print an interval that does not hold what it promises."""

from tests.mutants.mutant import Mutant

_CASES = "tests/transport/test_wasserstein_interval.py::test_the_interval_holds_the_exact_value_on_200_random_cases"
_PARTS = "tests/transport/test_interval_parts.py"

MUTANTS = [
    Mutant(
        "ends-rounded-inward",
        "dpot_core/transport/duality_bounds.py",
        "slack = roundings * EPS * reach",
        "slack = -roundings * EPS * reach",
        (_CASES,),
        "ends that rounding puts on the wrong side of the exact value",
    ),
    Mutant(
        "mass-left-behind-costs-nothing",
        "dpot_core/transport/duality_bounds.py",
        " + reach * math.fsum(missing.tolist())",
        "",
        (f"{_PARTS}::test_a_flow_that_leaves_too_little_pays_for_the_farthest_way",),
        "a flow that does not arrive as the upper end",
    ),
    Mutant(
        "extension-from-above",
        "dpot_core/transport/lipschitz.py",
        "found[block] = distances.min(axis=1)",
        "found[block] = distances.max(axis=1)",
        (f"{_PARTS}::test_an_extension_is_lipschitz_for_every_pair_and_as_high_as_that_allows", _CASES),
        "a lower end far below what is known",
    ),
    Mutant(
        "steeper-than-the-distance",
        "dpot_core/transport/lipschitz.py",
        "        distances += heights\n",
        "        distances *= 1.01\n        distances += heights\n",
        (f"{_PARTS}::test_an_extension_is_lipschitz_for_every_pair_and_as_high_as_that_allows", _CASES),
        "a potential that is not 1-Lipschitz: a lower end above the exact value",
    ),
    Mutant(
        "half-of-the-circle",
        "dpot_core/transport/line_distance.py",
        "int(np.searchsorted(np.cumsum(gaps[upward]), around / 2))",
        "upward.size // 2",
        (f"{_PARTS}::test_line_and_circle_in_closed_form",),
        "a median without weights: more than W_1 on the circle where gaps differ",
    ),
    Mutant(
        "pictures-say-nothing-of-intervals",
        "dpot_app/cities/distance_to_truth.py",
        "if share > 0 else",
        "if share > 1 else",
        ("tests/cities/test_distance_to_truth.py::test_pictures_and_tables_of_large_grids_say_so",),
        "the middle of an interval drawn as if it were exact",
    ),
]
