"""The sheet: one page about one release, with its promise, half of it, and nothing that must not circulate."""

from __future__ import annotations

import datetime
import re
from dataclasses import replace
from html import unescape
from pathlib import Path

import pytest

from dpot_app.batch import scenarios
from dpot_app.batch.reports import decide, sheet, sheet_markdown
from dpot_app.batch.scenarios import VIEWS, Scenario, ScenarioError
from dpot_app.cities.place import Place
from dpot_app.command_line import main
from dpot_app.live.chromium import installed, printed
from dpot_app.views.geolocation import settings as geolocation
from dpot_app.views.ring import settings as ring
from dpot_core.privacy.numerals import at_most, percent_at_most
from tests.prerequisites import unavailable

AT = datetime.datetime(2026, 1, 2, 3, 4, tzinfo=datetime.UTC)
DAILY = ("geolocation.person",)
NIGHTLY = ("ring.outputs", "movies.user", "mixture.line", "population.map", "sinkhorn.release")
CHECK_INS = b"user,lat,lon\n" + b"".join(b"%d,48.%d,11.%d\n" % (user, 10 + user, 50 + user) for user in range(30))


def example(key: str) -> Scenario:
    view = VIEWS[key]
    return Scenario(key, f"Example of {key}", view.example, scenarios.describe_data(view, view.example, {}))


def words(html: str) -> str:
    return unescape(re.sub("<[^>]*>", " ", html))


@pytest.mark.parametrize("key", [*DAILY, *(pytest.param(key, marks=pytest.mark.nightly) for key in NIGHTLY)])
def test_the_sheet_prints_on_one_page_and_states_the_promise_of_one_release(key: str) -> None:
    decision = decide(example(key), question="Are 2 km enough?", link="https://example.org/?a=1")
    promise = decision.entry.disclosure.promise
    assert promise is not None
    html = sheet(decision, AT)
    said = words(html)
    assert f"ε = {at_most(promise.weakest.epsilon, digits=6)}" in said and "Are 2 km enough?" in said
    assert f"with {decision.entry.disclosure.way} at" in said and "https://example.org/?a=1" in said
    compared = decision.entry.disclosure.comparison()
    assert not compared or compared not in said, "the sum of a demonstration is no promise"
    heads = [line[3:] for line in sheet_markdown(decision, AT).splitlines() if line.startswith("## ")]
    assert len(heads) == 7 and all(head in said for head in heads)
    if not installed():
        unavailable("Chromium prints the sheet")
    assert len(re.findall(rb"/Type /Page\b", printed(html))) == 1


def test_half_is_the_same_scenario_at_half_of_epsilon() -> None:
    scenario = Scenario("ring.outputs", "A ring", ring.Config(epsilon=2.0), mechanism="kpm")
    decision = decide(scenario)
    other = scenarios.run(replace(scenario, config=ring.Config(epsilon=1.0)))
    assert decision.entries[1].headlines == other.headlines
    text = sheet_markdown(decision, AT)
    (guess,) = [line for line in text.splitlines() if "who was 50% sure before" in line]
    assert [part.strip() for part in guess.strip("|").split("|")][1:] == [
        percent_at_most(one.weakest.posterior(0.5)) for one in decision.promises
    ]
    assert [one.epsilon for one in decision.promises] == [2.0, 1.0]
    assert "W₂ of KPM" in text and "of WPM" not in text and "of EM" not in text, "the mechanism that is released with"


def test_a_worst_case_of_the_exact_projection_is_not_said_of_another_solver() -> None:
    for reg in (None, 0.01):
        decision = decide(Scenario("ring.outputs", "A ring", ring.Config(reg=reg)))
        text = sheet_markdown(decision, AT)
        assert ("Worst-case W₂ of exact WPM" in text) == ("it can move a person farther" in text) == (reg is not None)
        assert ("Worst-case W₂ of WPM" in text) == (reg is None)


def test_with_a_delta_no_belief_is_bounded_but_guesses_are() -> None:
    """A sentence about any observer's belief would be false: it holds on average over outputs only."""
    decision = decide(example("sinkhorn.release"))
    assert all(promise.weakest.delta > 0 for promise in decision.promises)
    text = sheet_markdown(decision, AT)
    assert "An observer who was" not in text and "A guess between two equally likely cases is right" in text
    note = decision.promises[0].note
    assert note and text.lower().count(note.lower()) == 1


def test_unproven_mechanisms_have_no_sheet() -> None:
    config = replace(VIEWS["population.map"].example, guarantee="paper", n=500, m=2)
    scenario = Scenario("population.map", "The paper's", config, mechanism="perturbation")
    with pytest.raises(ScenarioError, match="not proven"):
        decide(scenario)


def test_the_picture_is_about_the_mechanism_that_was_chosen() -> None:
    small = geolocation.Config(place=Place(n=6))
    for name, kind in (("", "geolocation.worst-case"), ("em", "geolocation.person")):
        decision = decide(Scenario("geolocation.person", "One", small, mechanism=name))
        assert decision.pictured.scenario.kind == kind, "worst cases are those of WPM and k-RR"


def test_where_half_is_out_of_reach_it_says_so() -> None:
    decision = decide(
        Scenario("ring.outputs", "A ring", ring.Config(epsilon=VIEWS["ring.outputs"].declared["epsilon"].low))
    )
    assert len(decision.entries) == 1
    assert "Half of this ε is less than the page allows" in sheet_markdown(decision, AT)


def test_private_numbers_and_pictures_are_left_out() -> None:
    config = geolocation.Config(source="csv", place=Place(n=6, least=1, box=(11.4, 48.0, 12.0, 48.6)))
    tags = {"check-ins": next(iter(scenarios.by_tag([CHECK_INS])))}
    scenario = Scenario("geolocation.person", "Customers", config, tuple(tags.items()))
    decision = decide(scenario, scenarios.by_tag([CHECK_INS]))
    text = sheet_markdown(decision, AT)
    assert "are left out: they are computed from people's data" in text
    private = [name for name in decision.entry.headlines if f"| {name}" in text]
    assert not private, private
    assert "Worst-case" in text, "what follows from public facts stays"


def test_views_without_a_release_have_no_sheet() -> None:
    for key in ("ring.worst-case", "explain.distance"):
        with pytest.raises(ScenarioError, match="a sheet is about one release"):
            decide(example(key))


def test_text_is_shown_as_text() -> None:
    evil = "</main><script>alert(1)</script>|"
    decision = decide(Scenario("ring.outputs", evil, ring.Config()), question=evil)
    assert "<script>alert(1)" not in sheet(decision, AT)
    assert evil in sheet_markdown(decision, AT)


def test_the_command_writes_by_the_ending(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "scenario.yaml"
    file.write_text(
        scenarios.write([Scenario("ring.outputs", "A ring", ring.Config(), mechanism="kpm")]), encoding="utf-8"
    )
    out = tmp_path / "sheet.md"
    assert main(["sheet", str(file), "--out", str(out), "--set", "epsilon=4", "--question", "Why?"]) == 0
    text = out.read_text(encoding="utf-8")
    assert "with KPM at ε = 4" in text and "Why?" in text, "another setting leaves the mechanism as it was chosen"
    assert main(["sheet", str(file), "--out", str(tmp_path / "sheet.docx")]) == 2
    two = [Scenario("ring.outputs", title, ring.Config()) for title in ("One", "Two")]
    file.write_text(scenarios.write(two), encoding="utf-8")
    assert main(["sheet", str(file), "--out", str(out)]) == 2
    assert "choose one of 2" in capsys.readouterr().err
