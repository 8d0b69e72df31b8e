"""The planted bugs of tests/mutants: each fits the present sources, and a sample that changes daily is noticed."""

from __future__ import annotations

import random
from collections import Counter
from datetime import UTC, datetime

import pytest

from tests.mutants.mutant import Mutant, Outdated, everyone
from tests.mutants.running import tried

MUTANTS = everyone()


def test_every_planted_bug_fits_the_present_sources():
    """That it changes what runs, `make mutants` finds."""
    outdated = []
    for mutant in MUTANTS:
        try:
            mutant.found()
        except Outdated as error:
            outdated.append(str(error))
    assert not outdated, "\n".join(outdated)


def test_ids_differ_and_each_says_why():
    assert [each for each, times in Counter(mutant.id for mutant in MUTANTS).items() if times > 1] == []
    assert all(mutant.why and " " not in mutant.id for mutant in MUTANTS)


@pytest.mark.nightly
def test_a_sample_of_five_is_noticed():
    """Other five every day: `make mutants` plants all. That their tests pass without them, this run itself says."""
    seed = datetime.now(UTC).toordinal()
    print(f"seed {seed}: python -m tests.mutants --sample 5 --seed {seed}")
    _, verdicts = tried(random.Random(seed).sample(MUTANTS, 5), unchanged=False)
    missed = [f"{verdict.mutant.id}: {verdict.said}" for verdict in verdicts if not verdict.killed]
    assert not missed, f"seed {seed}: " + "\n".join(missed)


# ---------------------------------------------------------------- the harness itself

HONEST = Mutant(
    "a-b",
    "dpot_core/privacy/streams.py",
    "    return np.random.default_rng([seed, *np",
    "    return np.random.default_rng([seed + 1, *np",
    ("tests/test_mutants.py",),
    "",
)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"old": "no such text"}, "occurs 0 times"),
        ({"old": "\n"}, "times in dpot_core/privacy/streams.py, not once"),
        ({"file": "dpot_core/nowhere.py"}, "no file"),
        ({"new": "    return (np.random.default_rng([seed, *np"}, "is no Python"),
        ({"new": "    # why\n    return np.random.default_rng([seed, *np"}, "changes nothing that runs"),
        ({"tests": ()}, "names no test"),
        ({"tests": ("tests/test_nowhere.py",)}, "no test file"),
        ({"tests": ("tests/test_mutants.py::test_that_is_not_there",)}, "no test_that_is_not_there"),
    ],
)
def test_a_mutant_that_does_not_fit_is_an_error(change, message):
    with pytest.raises(Outdated, match=message):
        Mutant(**(vars(HONEST) | change)).applied()


@pytest.mark.nightly
def test_only_failing_tests_notice_a_planted_bug():
    """Code that cannot be imported, a name that is not there, a bug that nothing sees: none counts as noticed."""
    file, test = "dpot_core/privacy/streams.py", ("tests/test_mutants.py::test_ids_differ_and_each_says_why",)
    bugs = [
        Mutant("unseen", file, HONEST.old, HONEST.new, test, ""),
        Mutant("import", "tests/test_mutants.py", "from collections import " + "Counter", "import nothing", test, ""),
        Mutant("name", "tests/test_mutants.py", "in Counter(mutant" + ".id", "in Conter(mutant.id", test, ""),
    ]
    complaints, verdicts = tried(bugs)
    assert complaints == []
    assert [verdict.killed for verdict in verdicts] == [False] * 3
    for verdict, word in zip(verdicts, ("SURVIVED", "did not run", "breaks the code"), strict=True):
        assert word in verdict.said
