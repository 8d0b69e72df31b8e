"""Bugs in frequency oracles: their coins, their samplers, their estimate, and what they are counted for."""

from tests.mutants.mutant import Mutant

_ROOM = "dpot_core/mechanisms/oracles"
_PRIVACY, _ESTIMATES = (f"tests/mechanisms/oracles/test_{name}.py" for name in ("privacy", "estimates"))

MUTANTS = [
    Mutant(
        "oracle-coins-rounded-outward",
        f"{_ROOM}/oracle.py",
        "UP = 1.0 + 2.0**-50",
        "UP = 1.0 - 2.0**-50",
        (f"{_PRIVACY}::test_the_ratio_of_the_coins_never_exceeds_e_to_the_epsilon_by_rounding",),
        "numerical error spends privacy",
    ),
    Mutant(
        "own-bit-as-in-symmetric-encoding",
        f"{_ROOM}/unary_encoding.py",
        "        return 0.5\n",
        "        return self.other\n",
        (f"{_PRIVACY}::test_no_report_tells_two_items_apart_by_more_than_e_to_the_epsilon",),
        "both bits with 1/(e^epsilon + 1), which symmetric encoding allows for half the epsilon: twice the loss",
    ),
    Mutant(
        "another-value-may-be-the-same",
        f"{_ROOM}/local_hashing.py",
        "rng.integers(1, g, size=own.shape)",
        "rng.integers(0, g, size=own.shape)",
        (f"{_PRIVACY}::test_reports_are_drawn_from_the_law",),
        "the item's own value is reported more often than its epsilon allows",
    ),
    Mutant(
        "the-rest-of-a-subset-is-one-short",
        f"{_ROOM}/subset_selection.py",
        "missing = self.size - kept - (chosen.sum(axis=1) - 1)",
        "missing = self.size - chosen.sum(axis=1)",
        (f"{_PRIVACY}::test_reports_are_drawn_from_the_law",),
        "a set without the item is smaller than one with it: its size tells them apart",
    ),
    Mutant(
        "subsets-summed-as-coins",
        f"{_ROOM}/oracle.py",
        "found += self.support(self.report(items[start : start + some], rng)).sum(axis=0)",
        "found += self._binomial_counts(np.bincount(items[start : start + some], minlength=self.k), rng)",
        (f"{_ESTIMATES}::test_sums_are_drawn_from_the_law_of_summed_reports",),
        "a set's bits are drawn as if they were independent, and so are the sums that pictures show",
    ),
    Mutant(
        "an-estimate-that-forgets-the-others",
        f"{_ROOM}/oracle.py",
        '(found / check_count(reports, "reports") - self.other) / self._gap',
        'found / check_count(reports, "reports") / self._gap',
        (f"{_ESTIMATES}::test_the_estimate_is_unbiased_and_has_the_variance_stated",),
        "every item is said to occur more often than it does",
    ),
    Mutant(
        "reports-to-oracles-cost-nothing",
        "dpot_app/views/geolocation/disclosed.py",
        "parts = [*ways, *((oracle.label, told) for oracle in ORACLES.values())]",
        "parts = ways",
        (
            "tests/mechanisms/metric/test_audits.py"
            "::test_releases_that_leave_together_have_noise_of_their_own_and_are_composed",
        ),
        "three more releases of everybody are published for the price of four",
    ),
    Mutant(
        "oracles-of-the-crowd-hear-one-draw",
        "dpot_app/cities/crowd.py",
        "np.split(places_told, len(ORACLES))",
        "[places_told[:RUNS]] * len(ORACLES)",
        ("tests/views/geolocation/test_oracles_of_the_crowd.py::test_each_oracle_hears_a_place_of_its_own",),
        "three reports on one place tell it better than three places of a history",
    ),
]
