"""Bugs in private k-means."""

from tests.mutants.mutant import Mutant

_FILE = "dpot_core/mechanisms/central/private_kmeans.py"
_TESTS = "tests/mechanisms/central/test_private_kmeans.py"
_AGREE = "tests/mechanisms/central/test_fixed_noise.py::test_neighbours_whose_noisy_values_agree_are_published_alike[kmeans-replace-3]"
_FOLLOWS = "tests/mechanisms/central/test_fixed_noise.py::test_published_results_follow_from_noisy_values_and_public_facts_only[kmeans]"

MUTANTS = [
    Mutant(
        "kmeans-every-round-spends-everything",
        _FILE,
        "sigma = gaussian_noise(spend.epsilon, spend.delta, size, rounds)",
        "sigma = gaussian_noise(spend.epsilon, spend.delta, size)",
        (f"{_TESTS}::test_all_rounds_together_keep_the_promise_by_another_accountant",),
        "the budget of all rounds is used in each of them",
    ),
    Mutant(
        "kmeans-sums-without-the-radius",
        _FILE,
        "return math.hypot(person, radius), person",
        "return person, person",
        (f"{_TESTS}::test_a_round_moves_by_no_more_than_proven_and_by_that_much",),
        "noise for the counts alone, where a person also moves a sum by up to R",
    ),
    Mutant(
        "kmeans-replaced-as-if-removed",
        _FILE,
        "return max(2.0 * radius, math.sqrt(2.0) * math.hypot(whole, radius)), whole",
        "return math.hypot(whole, radius), whole",
        (f"{_TESTS}::test_a_round_moves_by_no_more_than_proven_and_by_that_much",),
        "a person who is replaced changes two cells, and one is counted",
    ),
    Mutant(
        "kmeans-counts-without-noise",
        _FILE,
        "        held = told[:, 0] / person\n",
        "        held = asked[:, 0] / person\n",
        (_AGREE,),
        "how many people each centre has is published as it is",
    ),
    Mutant(
        "kmeans-starts-from-people",
        _FILE,
        "[public_atoms(lloyd.start, m, place, chance)]",
        "[points[:m]]",
        (_FOLLOWS,),
        "the first centres are people's own points",
    ),
    Mutant(
        "kmeans-centres-wherever-noise-puts-them",
        _FILE,
        "    return region.into_hull(found)\n",
        "    return found\n",
        (f"{_TESTS}::test_centres_lie_in_the_regions_hull_whatever_the_noise",),
        "a centre leaves the region, and the next round's cells with it",
    ),
]
