"""What a run leaves behind, of releases that add up and of such that do not."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from dpot_app.batch.scenarios.folders import texts
from dpot_core.privacy.disclosures import demonstration, known_seed
from dpot_core.privacy.guarantees import Guarantee, Sampled
from tests.batch.scenarios.outcomes import outcome_of

PERSON = Guarantee(1.0, 1e-6, "replace", sampled=Sampled(10.38, 1e-4, 1e-2))
CHECK_IN = Guarantee(0.5, neighbours="replace", record="check-in")


def left(*parts: tuple[str, Guarantee]) -> dict[str, str]:
    """The files of an outcome that releases these parts."""
    outcome = outcome_of("ring.outputs")
    told = demonstration(parts, known_seed(1), free={"headlines": list(outcome.headlines)[:1]})
    return texts(replace(outcome, results=replace(outcome.results, disclosure=told)))


def test_numbers_state_each_part_and_their_sum_as_the_sentences_do() -> None:
    files = left(("map", PERSON), ("counts", replace(PERSON, epsilon=0.25, delta=0.0, sampled=None)))
    promise = json.loads(files["numbers.json"])["config"]["promise"]
    assert [part["epsilon"] for part in promise["released"].values()] == [1.0, 0.25]
    assert (promise["together"]["epsilon"], promise["together"]["sampled"]["epsilon"]) == (1.25, 10.63)
    assert (promise["mechanism"], promise["promise"]["sampled"]["epsilon"]) == ("map", 10.38), (
        "one release stands first"
    )
    said = files["guarantee.txt"]
    assert said.index("in the sample: ε = 10.38 nats") < said.index("ε = 10.63, δ = 0.0001 in the sample, ε = 1.25 tow")


def test_single_numbers_that_are_not_declared_free_are_marked() -> None:
    first, *others = outcome_of("ring.outputs").headlines
    names = json.loads(left(("map", PERSON))["numbers.json"])["config"]["headlines"]
    assert others and list(names) == [first, *(f"{name} (not private)" for name in others)]


def test_scenarios_without_a_sum_are_written_all_the_same() -> None:
    files = left(("map", PERSON), ("visits", CHECK_IN))
    assert "no-release.txt" not in files and "these promises do not add up" in files["guarantee.txt"]
    promise = json.loads(files["numbers.json"])["config"]["promise"]
    assert promise["together"] is None and promise["released"].keys() == {"map", "visits"}


@pytest.mark.parametrize("parts", [(("map", PERSON), ("visits", CHECK_IN)), (("map", PERSON), ("again", PERSON))])
def test_each_part_is_told_by_its_weaker_layer_first(parts: tuple[tuple[str, Guarantee], ...]) -> None:
    said = left(*parts)["guarantee.txt"]
    assert "map: ε = 10.38, δ = 0.0001 in the sample, ε = 1 towards the population" in said
