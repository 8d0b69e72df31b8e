"""The home page and the guided tour as a program (Streamlit's AppTest: no browser)."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from dpot_app.kit.fields import EPSILONS
from dpot_app.shell.home.places import DOORS, TOUR
from dpot_app.views.ring.outputs.figures import headline, miniature_figure
from dpot_app.views.ring.outputs.results import run
from dpot_app.views.ring.settings import Config, Ring, Source
from tests.apps import figures, html_of, open_app, specs, text_of, titles

HOME = ""


RING_OF_HOME = Config(ring=Ring(k=30, p=1), source=Source(kind="dirac"), mechanisms=("wpm", "kpm"))


def test_the_picture_says_how_far_each_mechanism_lands_in_words_and_what_both_promise() -> None:
    app = open_app(page=HOME)
    assert not app.warning and not app.error
    assert figures(app) == 1
    far = run(replace(RING_OF_HOME, epsilon=2.0)).distances
    assert titles(app)[0] == (
        f"At ε = 2 a report lands {far['wpm']:.3g} steps from the truth on average (W₁) by “near the truth” (WPM), "
        f"{far['kpm']:.3g} steps by “anywhere” (KPM)"
    )
    assert "×\u00a07.39" in text_of(app)
    # The ring page shows the same point at the same epsilon with a larger number, of another order: that is said here.
    there = Config(source=Source(kind="dirac"), mechanisms=("wpm",), epsilon=2.0)
    assert there.ring.p == 2 and run(there).distances["wpm"] > far["wpm"] + 1
    assert headline(run(there)).startswith("At ε = 2 WPM moves the input by W₂ = ")
    assert "The ring's page begins with W₂, the root of the mean square, which is larger" in text_of(app)
    names = {note["text"] for note in specs(app)[0]["layout"]["annotations"]}
    assert names == {"<b>near</b><br><b>the truth</b><br>WPM", "<b>anywhere</b><br>KPM"}


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_its_title_names_the_nearer_one_first_and_says_when_both_are_alike(epsilon: float) -> None:
    result = run(replace(RING_OF_HOME, epsilon=epsilon))
    near, far = result.distances["wpm"], result.distances["kpm"]
    title = miniature_figure(result).layout.title.text
    alike = f"{near:.3g}" == f"{far:.3g}"
    assert alike == title.endswith("by “near the truth” (WPM) and by “anywhere” (KPM) alike")
    assert alike or (near < far and title.index("WPM") < title.index("KPM"))
    assert f"lands {min(near, far):.3g} step" in title


def test_its_slider_moves_the_miniature() -> None:
    app = open_app({"home_epsilon": "0.5"}, page=HOME)
    assert titles(app)[0].startswith("At ε = 0.5 ")
    app.select_slider(key="home_epsilon").set_value(5.0).run()
    assert titles(app)[0].startswith("At ε = 5 ")


def test_every_page_that_exists_is_behind_one_of_three_doors() -> None:
    root = Path(__file__).resolve().parents[1]
    pages = {path.stem for path in (root / "pages").glob("[a-z]*.py")} - {"home"}
    assert len(DOORS) == 3 and {door.who for door in DOORS} == {"I teach or learn", "I have to decide", "I do research"}
    cards = [card for door in DOORS for card in door.cards]
    assert sorted(card.page for card in cards) == sorted(pages)
    assert len({card.question for card in cards}) == len(cards)


def test_the_tour_begins_at_its_first_step_on_the_picture_that_is_there() -> None:
    app = open_app(page=HOME)
    app.button(key="tour_start").click().run(timeout=600)
    assert not app.exception
    assert app.session_state["tour_step"] == 0
    assert figures(app) == 1 and "1 of 6: One place, to be told" in text_of(app)
    assert titles(app)[0].startswith("A person is at one of 30 places")


def at_step(number: int) -> AppTest:
    app = open_app({"home_step": str(number)}, page=HOME)
    assert not app.exception and not app.warning and not app.error
    return app


@pytest.mark.nightly
def test_one_picture_one_input_and_one_distance_stay_through_all_captions() -> None:
    """Home said W_1, the first step another page with W_2."""
    lengths = []
    for number, step in enumerate(TOUR, start=1):
        app = at_step(number)
        assert f"{number} of 6: {step.title}" in text_of(app) and figures(app) == 1
        traces = specs(app)[0]["data"]
        truths = {trace["theta"][0] for trace in traces if trace.get("name") == "the truth"}
        assert truths == {0.0}
        bars = {trace["name"]: np.square(trace["r"]) for trace in traces if trace["type"] == "barpolar"}
        result = run(replace(RING_OF_HOME, epsilon=step.epsilon))
        for name, label in (("wpm", "WPM"), ("kpm", "KPM")):
            expected = result.outputs[name] if name in step.shown else np.zeros(30)
            np.testing.assert_allclose(bars[label], expected, atol=1e-12)
        lengths.append(len(traces))
        assert step.shown == () or f"{result.distances[step.shown[-1]]:.3g} step" in titles(app)[0]
    assert len(set(lengths)) == 2  # only one caption adds marks


def test_a_caption_says_the_numbers_of_its_picture() -> None:
    app = at_step(3)
    far = run(replace(RING_OF_HOME, epsilon=2.0)).distances
    assert f"lands {far['wpm']:.3g} steps from ◆ on average, “anywhere” {far['kpm']:.3g} steps" in text_of(app)
    assert "Now ε = 5: 1.1 steps and 1.27 steps" in text_of(at_step(5))
    app.select_slider(key="home_epsilon").set_value(3.0).run()
    assert "lands 2.71 steps from ◆" in text_of(app)


def test_the_marks_of_another_truth_are_within_what_is_promised() -> None:
    """The first step said that both outputs lie within the same bounds; what they share is the factor."""
    (wpm, kpm) = marks_of_another_truth(at_step(4))
    for bars, marks in (wpm, kpm):
        ratio = np.maximum(bars / marks, marks / bars).max()
        assert 0.99 * np.exp(2.0) < ratio <= np.exp(2.0) * (1 + 1e-9)


def marks_of_another_truth(app: AppTest) -> list[tuple[Any, Any]]:
    traces = specs(app)[0]["data"]
    bars = [np.square(trace["r"]) for trace in traces if trace["type"] == "barpolar"]
    marks = [np.square(trace["r"]) for trace in traces if trace.get("name") == "had the truth been there"]
    return list(zip(bars, marks, strict=True))


def test_the_last_caption_says_what_find_my_epsilon_answers() -> None:
    """At most 3 steps: the numbers of the page that it leads to, at the same order of the distance."""
    (page, link), *_ = TOUR[-1].leads.values()
    app = open_app(dict(link), f"pages/{page}.py")
    table = next(html for html in html_of(app) if "<table" in html)
    said = re.findall(r"needs ε = (\d+\.\d+)", text_of(at_step(6)))
    assert said == ["2.78", "3.83"]
    for number, label in zip(said, ("WPM, best uniform base", "k-RR"), strict=True):
        assert f"<td>{number}</td>" in next(row for row in table.split("<tr>") if label in row)


LEADS = {label: lead for step in TOUR for label, lead in step.leads.items()}


@pytest.mark.parametrize("label", LEADS)
def test_every_parameter_of_a_lead_is_understood(label: str) -> None:
    page, link = LEADS[label]
    app: AppTest = open_app(dict(link), f"pages/{page}.py")
    assert not app.warning and not app.error


def test_a_link_that_names_no_step_opens_no_tour() -> None:
    for wrong in ("0", "7", "one", "-1"):
        assert "of 6:" not in text_of(open_app({"home_step": wrong}, page=HOME))
