"""Learning by doing: what was bet, drawn and reached, and the link that shows students some of the controls."""

from __future__ import annotations

from dataclasses import replace
from urllib.parse import parse_qs, urlsplit

import numpy as np
import pytest

from dpot_app.figures.sketch import EPSILONS, drawn_at, read_sketch, shares, sketch_figure
from dpot_app.kit.values import put
from dpot_app.shell.learning import reply
from dpot_app.views.geolocation.crowd.boxes import people_in, read_box
from dpot_app.views.geolocation.settings import Config, Place
from dpot_app.views.table import LESSONS, PAGES, VIEWS
from tests.apps import open_app, open_page, plain, ran, text_of, titles
from tests.batch.scenarios.settings import settings_of

TEACHING = {"teach_on": "true"}
BETS = {page: lesson.bet for page, lesson in LESSONS.items() if lesson.bet is not None}


@pytest.mark.parametrize("page", BETS)
def test_a_bet_and_the_tasks_read_the_numbers_of_their_view(page: str) -> None:
    bet, results = BETS[page], VIEWS[BETS[page].view].run(settings_of(BETS[page].view)[0])
    numbers = bet.numbers(*results.parts)
    assert len(numbers) >= 2 and all(np.isfinite(value) and value >= 0 for value in numbers.values())
    written = " ".join(map(str, VIEWS[bet.view].headlines(*results.parts))).lower()
    assert any(name.lower() in written for name in numbers)
    for task in LESSONS[page].tasks:
        own = VIEWS[task.view].run(settings_of(task.view)[0])
        assert task.done(own.config, *own.parts) in (True, False)


@pytest.mark.parametrize("page", BETS)
def test_no_task_is_done_before_anything_is_moved(page: str) -> None:
    first = PAGES[page].first or PAGES[page].views[0].example
    for task in LESSONS[page].tasks:
        results = VIEWS[task.view].run(first)
        assert not task.done(results.config, *results.parts), task.words


def test_a_task_of_the_ring_is_reached() -> None:
    near = put(put(PAGES["ring"].views[0].example, "epsilon", 1.5), "ring.p", 1)
    (task, _), results = LESSONS["ring"].tasks, VIEWS["ring.outputs"].run(near)
    assert task.done(results.config, *results.parts) == (results.parts[0].distances["wpm"] <= 1.5)
    beyond = VIEWS["ring.outputs"].run(put(near, "epsilon", 4.0))
    assert not task.done(beyond.config, *beyond.parts), "the odds are too large"


@pytest.mark.parametrize(
    ("answer", "numbers", "largest", "said"),
    [
        ("WPM", {"WPM": 1.0, "KPM": 2.0}, False, "You said WPM: that is right. At ε = 4: WPM 1 km, KPM 2 km."),
        ("KPM", {"WPM": 1.0, "KPM": 2.0}, False, "You said KPM: it is WPM."),
        ("KPM", {"WPM": 1.0, "KPM": 2.0}, True, "You said KPM: that is right."),
        ("KPM", {"WPM": 1.0, "KPM": 1.0001}, False, "You said KPM: that is right."),
    ],
)
def test_the_reply_names_the_best_and_all_numbers(
    answer: str, numbers: dict[str, float], largest: bool, said: str
) -> None:
    bet = replace(BETS["geolocation"], largest=largest)
    assert reply(bet, answer, numbers, 4.0).startswith(said)


def test_a_bet_moves_epsilon_and_keeps_its_reply() -> None:
    app = open_app({**TEACHING, "ring_k": "30"})
    app.radio(key="ring_bet_answer").set_value("KPM").run()
    ran(app.button(key="ring_bet_lock").click().run())
    at = app.sidebar.select_slider(key="ring_epsilon").value
    assert at in (0.5, 4.0)
    config = VIEWS["ring.outputs"].run(put(PAGES["ring"].first or PAGES["ring"].views[0].example, "epsilon", at))
    words = reply(BETS["ring"], "KPM", BETS["ring"].numbers(*config.parts), at)
    assert words.split(". ")[1] in plain(text_of(app))
    ran(app.sidebar.select_slider(key="ring_epsilon").set_value(1.0).run())
    assert f"At ε = {at:g}" in plain(text_of(app)), "the reply stays"
    ran(app.button(key="ring_bet_again").click().run())
    assert app.radio(key="ring_bet_answer")


def test_nothing_to_try_stands_outside_teaching_mode() -> None:
    assert "Try it" not in [one.value for one in open_app().subheader]


def test_a_sketch_is_read_typed_and_compared() -> None:
    values = np.linspace(5.0, 0.5, len(EPSILONS))
    points = read_sketch(shares("0.1 5; 1 3; 10 0.5", values))
    assert drawn_at(points, 1.0, values) == pytest.approx(3.0, abs=1e-3)
    assert drawn_at(read_sketch("0.5 0.5; 1 0.5"), 0.1, values) is None
    figure = sketch_figure(points, values, "WPM", "distance (km)", "km")
    _, drawn, true = figure.data
    assert (
        np.allclose(true.y, values) and drawn.x[0] == pytest.approx(0.1) and drawn.y[-1] == pytest.approx(0.5, rel=1e-3)
    )
    gaps = [abs(drawn_at(points, at, values) - value) for at, value in zip(EPSILONS, values, strict=True)]
    assert f"Farthest apart at ε = {EPSILONS[int(np.argmax(gaps))]:g}" in figure.layout.title.text
    assert len(sketch_figure([], values, "WPM", "distance (km)", "km").data) == 1, "nothing but the axes"
    for text in ("1", "a b", "100 1", "1 50"):
        with pytest.raises(ValueError, match="ε"):
            shares(text, values)


def test_a_link_for_students_sets_what_it_does_not_show() -> None:
    link = {"teach_only": "ring:epsilon", "teach_task": "ring:Which *one* is best?", "ring_k": "12", "ring_p": "1"}
    app = open_app(link)
    assert app.sidebar.slider(key="ring_k").value == 12, "hidden, and used"
    assert any("Exercise from the link" in info.value for info in app.info)
    assert app.button(key="ring_show_all")
    assert not any("cannot be used" in one.value or "could not be used" in one.value for one in app.warning)
    ran(app.button(key="ring_show_all").click().run())
    assert not [one for one in app.button if one.key == "ring_show_all"]


def test_the_link_for_students_has_the_exercise_and_the_controls() -> None:
    app = open_app()
    app.session_state["ring_away"] = True
    app.session_state["ring_students"] = True
    ran(app.run())
    app.text_input(key="ring_task").set_value("Which one?").run()
    (link,) = [code.value for code in app.code if "teach_only" in code.value]
    asked = parse_qs(urlsplit(link).query)
    assert asked["teach_only"] == ["ring:epsilon"] and asked["teach_task"] == ["ring:Which one?"]
    assert asked["ring_epsilon"]


#: Quick settings of each page with a row of buttons for a room.
ROOMS = {
    "ring": {},
    "mixture": {"mix_cells": "100"},
    "geolocation": {"geo_n": "5"},
    "movies": {},
    "population": {"pop_n": "500", "pop_m": "4"},
}
SLOW = ("movies", "population")


@pytest.mark.parametrize("page", [pytest.param(one, marks=[pytest.mark.nightly] * (one in SLOW)) for one in ROOMS])
def test_every_page_has_what_a_room_asks_for_in_one_click(page: str) -> None:
    prefix = PAGES[page].prefix
    app = open_page(page, {"teach_present": "true", **ROOMS[page]})
    labels = {one.label: one.key for one in app.button if (one.key or "").startswith(f"{prefix}_preset_")}
    assert {"ε = 0.5", "p = 1", "p = 2", "Defaults"} <= labels.keys()
    begin = app.session_state[f"{prefix}_epsilon"]
    for label, name, value in (("ε = 0.5", "epsilon", 0.5), ("p = 1", "p", 1), ("p = 2", "p", 2)):
        ran(app.button(key=labels[label]).click().run())
        assert app.session_state[f"{prefix}_{name}"] == value
        assert not app.warning and not app.error
    ran(app.button(key=labels["Defaults"]).click().run())
    assert app.session_state[f"{prefix}_epsilon"] == begin != 0.5


@pytest.mark.parametrize("page", ["ring", "geolocation"])
def test_every_button_for_a_room_changes_the_picture(page: str) -> None:
    prefix = PAGES[page].prefix
    app = open_page(page, {"teach_present": "true", **ROOMS[page]})
    for key in [one.key for one in app.button if (one.key or "").startswith(f"{prefix}_preset_")]:
        ran(app.button(key=f"{prefix}_preset_none").click().run())
        before = titles(app)
        ran(app.button(key=key).click().run())
        stays = key.endswith("none") or app.button(key=key).label in ("p = 1" if page == "geolocation" else "p = 2")
        assert (titles(app) != before) or stays or app.button(key=key).label == "Exact", app.button(key=key).label


def test_people_in_a_box_are_counted_cell_by_cell() -> None:
    crowd, _ = VIEWS["geolocation.crowd"].run(Config(place=Place(n=6))).parts
    table = people_in(crowd, read_box("0 0 0.5 1"))
    inside = [cell for cell, (x, _) in enumerate(crowd.map.points) if x < crowd.map.width / 2]
    assert table.heads[0] == "18 cells in the box" and len(inside) == 18
    assert table.rows[0][1] == f"{crowd.people * sum(crowd.moved[cell] for cell in inside):,.0f}"
    whole = people_in(crowd, read_box("0 0 1 1"))
    assert {row[1].split(" ")[0] for row in whole.rows[1:]} <= {whole.rows[0][1], f"{crowd.people:,}.0"}
    for text in ("0 0 1", "0.5 0 0.5 1", "0 0 2 1", "a b c d"):
        with pytest.raises(ValueError, match="west"):
            read_box(text)
