"""The home page and the guided tour as a program (Streamlit's AppTest: no browser)."""

from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from dpot_core.studies.ring.outputs.results import run
from dpot_core.studies.ring.settings import Config, Ring, Source
from pages._home.places import CARDS, TOUR, Step
from tests.apps import figures, open_app, text_of, titles

HOME = ""


def test_the_miniature_says_how_far_each_mechanism_lands_and_what_both_promise() -> None:
    app = open_app(page=HOME)
    assert not app.warning and not app.error
    assert figures(app) == 1
    ring = Ring(30, p=1)
    config = Config(ring, source=Source("dirac"), epsilon=2.0, mechanisms=("wpm", "kpm"))
    far = run(config).distances
    assert titles(app)[0] == (
        f"At ε = 2 WPM reports a place {far['wpm']:.3g} steps from the truth on average, KPM {far['kpm']:.3g} steps"
    )
    assert "× 7.39" in text_of(app)


def test_its_slider_moves_the_miniature() -> None:
    app = open_app({"home_epsilon": "0.5"}, page=HOME)
    assert titles(app)[0].startswith("At ε = 0.5 ")
    app.select_slider(key="home_epsilon").set_value(5.0).run()
    assert titles(app)[0].startswith("At ε = 5 ")


def test_every_page_that_exists_has_a_card() -> None:
    root = Path(__file__).resolve().parents[1]
    pages = {path.stem for path in (root / "pages").glob("[a-z]*.py")} - {"home"}
    assert {card.page for card in CARDS} == pages
    assert len({card.question for card in CARDS}) == len(CARDS)


def test_the_tour_begins_at_its_first_step() -> None:
    """Its bar stands in app.py, which AppTest leaves when a page opens; the browser tests walk through all steps."""
    app = open_app(page=HOME)
    app.button(key="tour_start").click().run(timeout=60)
    assert not app.exception
    assert app.session_state["tour_step"] == 0
    assert titles(app)[0].startswith("At ε = 2 WPM moves the input by")


@pytest.mark.parametrize("step", TOUR, ids=lambda step: step.title)
def test_every_parameter_of_a_step_is_understood(step: Step) -> None:
    app: AppTest = open_app(dict(step.link), f"pages/{step.page}.py")
    assert not app.warning and not app.error
