"""The what-if board: pins from the pages, comparison, changes in place, files (AppTest: no browser)."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from dpot_app.batch import scenarios
from dpot_app.batch.scenarios import VIEWS, Scenario, picture
from dpot_app.batch.tags import FOREIGN, WHERE, tag_of, tagged
from dpot_app.cities.crowd import ESTIMATES
from dpot_app.live.chromium import installed
from dpot_app.shell.board.cards import on_one_scale, small
from dpot_app.shell.pins import MOST_PINS, Board, Pin
from dpot_app.views.geolocation import settings as geolocation
from dpot_app.views.ring import settings as ring
from tests.apps import APP, html_of, open_page, pieces, pin, pinned, plain, ran, text_of
from tests.hostile.test_forgetting import check_ins


def board(*given: Scenario, view: str | None = None) -> AppTest:
    """The board with scenarios that it has to compute."""
    app = AppTest.from_file(APP, default_timeout=600)
    pins = [Pin(number, scenario, None) for number, scenario in enumerate(given, start=1)]
    app.session_state["board"] = Board(pins, number=len(given) + 1)
    if view is not None:
        app.query_params["board_view"] = view
    return ran(app.switch_page("pages/board.py").run())


def bodies(app: AppTest) -> str:
    return "\n".join(html_of(app))


RING = Scenario("ring.outputs", "Ring, ε = 2", ring.Config())
RING_5 = Scenario("ring.outputs", "Ring, ε = 5", ring.Config(epsilon=5.0))
CITY = Scenario("geolocation.person", "City", geolocation.Config(place=geolocation.Place(n=6)))


# --- pins ---------------------------------------------------------------------------------------------------


#: The sheet of the chosen scenario, as PDF where Chromium can print it.
SHEETS = [*["sheet.pdf"] * installed(), "sheet.html", "sheet.md"]


@pytest.mark.nightly
def test_pinning_twice_says_so_and_another_epsilon_is_another_pin() -> None:
    app = open_page("ring")
    pin(app, "ring")
    assert pin(app, "ring").startswith("Already on the board: Finite ring")
    ran(app.sidebar.select_slider(key="ring_epsilon").set_value(5.0).run())
    assert not app.toast, "said once"
    assert pin(app, "ring").startswith("Pinned: Finite ring") and len(pinned(app)) == 2
    titles = [kept.scenario.title for kept in pinned(app)]
    assert titles[0].endswith("ε = 2") and titles[1].endswith("ε = 5")


@pytest.mark.nightly
def test_same_titles_are_told_apart() -> None:
    app = open_page("ring")
    pin(app, "ring")
    ran(app.sidebar.slider(key="ring_k").set_value(12).run())
    pin(app, "ring")
    assert pinned(app)[1].scenario.title == pinned(app)[0].scenario.title + " (2)"


def test_a_full_board_takes_no_more() -> None:
    app = AppTest.from_file(APP, default_timeout=600)
    rings = (Scenario("ring.outputs", f"{i}", ring.Config(ring=ring.Ring(k=10 + i))) for i in range(MOST_PINS))
    app.session_state["board"] = Board([Pin(i, scenario, None) for i, scenario in enumerate(rings)])
    said = pin(open_page("ring", app=app), "ring")
    assert said.startswith("The board is full: 12 scenarios. Remove one first")


def test_the_pin_opens_its_page_again_as_it_was() -> None:
    app = open_page("ring", {"ring_k": "17", "ring_input": "Two bumps", "ring_epsilon": "5"})
    pin(app, "ring")
    ran(app.sidebar.slider(key="ring_k").set_value(30).run())
    open_page("board", app=app)
    ran(app.button(key="board_1_open").click().run())
    assert app.sidebar.slider(key="ring_k").value == 17
    assert app.sidebar.selectbox(key="ring_input").value == "two-bumps"


# --- the board ----------------------------------------------------------------------------------------------


def test_an_empty_board_says_what_to_do() -> None:
    app = board()
    assert "Nothing is pinned yet" in app.markdown[0].value and "Pin to the board" in app.markdown[0].value
    ran(app.button(key="board_example").click().run())
    assert len(pinned(app)) == 3 and all(kept.summary for kept in pinned(app))


def test_differences_are_marked() -> None:
    app = board(RING, RING_5, view="What differs")
    table = bodies(app)
    assert '<th scope="row">Privacy parameter ε (nats)</th><td>2</td><td class="differs">5</td>' in table
    assert re.search(r'W₂ of WPM \(steps\)</th><td>1\.37</td><td class="differs">[\d.]+ \(-\d', table)
    assert "Points on the ring (k)" in table and "The same in all" in app.expander[0].label


def test_scenarios_are_ordered_renamed_and_removed() -> None:
    app = board(RING, RING_5, CITY, view="What differs")
    ran(app.button(key="board_3_left").click().run())
    assert [kept.number for kept in pinned(app)] == [1, 3, 2]
    ran(app.text_input(key="board_3_title").set_value("  <b>Town</b> ").run())
    assert pinned(app)[1].scenario.title == "<b>Town</b>"
    assert "&lt;b&gt;Town&lt;/b&gt;" in bodies(app) and "<b>Town" not in bodies(app)
    ran(app.button(key="board_1_remove").click().run())
    assert [kept.number for kept in pinned(app)] == [3, 2]


def test_a_changed_setting_changes_all_numbers() -> None:
    app = board(RING, CITY, view="Change a setting")
    before = [dict(kept.summary.headlines) for kept in pinned(app) if kept.summary]
    (field,) = app.select_slider
    field.set_value(3.5).run()
    ran(app.button(key="board_edit_go").click().run())
    assert [kept.scenario.config.epsilon for kept in pinned(app)] == [3.5, 3.5]
    assert pinned(app)[0].scenario.title == "Ring, ε = 3.5"
    assert "Changed in 2 of 2" in app.success[0].value
    for kept, old in zip(pinned(app), before, strict=True):
        assert kept.summary is not None and dict(kept.summary.headlines) != old
        assert dict(kept.summary.headlines) == dict(scenarios.run(kept.scenario).headlines)


EPSILONS = 1.0, 2.0, 4.0


def test_the_editor_begins_without_an_error() -> None:
    """Three scenarios that differ in epsilon alone cannot all be given the same one."""
    app = board(*(replace(RING, config=replace(RING.config, epsilon=at)) for at in EPSILONS), view="Change a setting")
    ran(app.button(key="board_edit_go").click().run())
    assert not app.error
    assert "Choose another one" in app.info[0].value
    (field,) = app.select_slider
    field.set_value(3.0).run()
    ran(app.button(key="board_edit_go").click().run())
    assert not app.error
    assert [kept.scenario.config.epsilon for kept in pinned(app)] == [3.0, *EPSILONS[1:]]


@pytest.mark.nightly
def test_a_number_that_was_typed_in_is_a_stop_of_the_editor() -> None:
    """A pin at an epsilon between the slider's own values broke the board."""
    app = board(Scenario("ring.outputs", "Typed", ring.Config(epsilon=14.996799754884933)))
    (slider,) = [one for one in app.select_slider if one.label == "New value"]
    assert slider.value == 14.996799754884933


def test_one_scenario_alone_is_changed_and_choices_are_offered() -> None:
    app = board(RING, RING_5, view="Change a setting")
    app.selectbox(key="board_edit_who").set_value(2).run()
    app.selectbox(key="board_edit_name").set_value("base.kind").run()
    (field,) = [field for field in app.selectbox if field.label == "New value"]
    assert list(field.options) == ["Best uniform", "Uniform", "Minimax", "Public prior"]
    field.set_value("minimax").run()
    ran(app.button(key="board_edit_go").click().run())
    assert [kept.scenario.config.base.kind for kept in pinned(app)] == ["best-uniform", "minimax"]
    app.selectbox(key="board_edit_name").set_value("mechanisms").run()
    (many,) = [group for group in app.button_group if group.label == "New value"]
    many.set_value(["em"]).run()
    ran(app.button(key="board_edit_go").click().run())
    assert pinned(app)[1].scenario.config.mechanisms == ("em",)


@pytest.mark.nightly
def test_settings_have_the_words_of_their_page_and_other_values_can_be_typed() -> None:
    app = board(RING, RING_5, view="Change a setting")
    app.selectbox(key="board_edit_who").set_value(2).run()
    app.selectbox(key="board_edit_name").set_value("reg").run()
    assert app.select_slider[0].options[:2] == ["exact", "0.0001"]
    app.select_slider[0].set_value(1e-4).run()
    ran(app.button(key="board_edit_go").click().run())
    app.select_slider[0].set_value(0.0).run()
    ran(app.button(key="board_edit_go").click().run())
    assert pinned(app)[1].scenario == RING_5
    typing(app).set_value("2e-4").run()
    ran(app.button(key="board_edit_go").click().run())
    assert pinned(app)[1].scenario.config.reg == 2e-4
    (typed,) = [field.value for field in app.text_input if field.label == "New value"]
    assert not app.select_slider and typed == "0.0002", "the slider has no place for it"


def typing(app: AppTest) -> Any:
    """The field to type a new value in, where the page's control stands at first."""
    for switch in [toggle for toggle in app.toggle if toggle.label == "Enter a value"]:
        switch.set_value(True).run()
    (field,) = [field for field in app.text_input if field.label == "New value"]
    return field


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("epsilon", "much", "epsilon: must be a number; got text 'much'"),
        ("epsilon", "-1", "epsilon: must be at least 0.01; got -1"),
        ("ring.k", "2.5", "ring.k: must be a whole number; got a number 2.5"),
        ("ring.every", "30", "config.ring.every: must be less than k = 30; got 30"),
        ("source.numbers", "[1, 2]", ""),
        ("epsilon", "[1", "this is not YAML"),
        ("epsilon", "5", "Two scenarios would be the same"),
    ],
    ids=str,
)
def test_a_bad_value_gives_the_core_s_message_and_changes_nothing(name: str, value: str, words: str) -> None:
    app = board(RING, RING_5, view="Change a setting")
    app.selectbox(key="board_edit_who").set_value(1).run()
    app.selectbox(key="board_edit_name").set_value(name).run()
    typing(app).set_value(value).run()
    ran(app.button(key="board_edit_go").click().run())
    if words:
        assert words in plain(app.error[0].value)
        assert pinned(app)[0].scenario == RING
    else:
        assert not app.error and pinned(app)[0].scenario.config.source.numbers == (1.0, 2.0)


def test_a_failed_scenario_says_why_and_leaves_the_others() -> None:
    sea = Scenario("geolocation.person", "Sea", geolocation.Config(place=geolocation.Place(box=(0.0, 0.0, 1.0, 1.0))))
    own = Scenario("geolocation.person", "Own", geolocation.Config(source="csv"), (("check-ins", tagged("0" * 64)),))
    app = board(RING, sea, own)
    said = [plain(entry.value) for entry in app.error]
    assert any("lie outside this grid" in text for text in said)
    assert any("Bring the file it was made with" in text for text in said)
    assert pinned(app)[0].summary is not None and pinned(app)[1].summary is None


def test_a_file_of_another_machine_is_taken_as_what_is_brought(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its tag cannot be compared here: the board says so, and the scenario gets the tag of this machine."""
    content = check_ins()
    config = geolocation.Config(source="csv", place=geolocation.Place(n=5))
    with monkeypatch.context() as there:
        there.setenv(WHERE, str(tmp_path / "there.key"))
        foreign = Scenario("geolocation.person", "Theirs", config, (("check-ins", tag_of(content)),))
    app = board(foreign, view="Save and load")
    assert any(FOREIGN in plain(entry.value) for entry in app.error)
    (ask,) = (one for one in app.file_uploader if FOREIGN in one.label)
    ran(ask.upload("mine.csv", content, "text/csv").run())
    (pin,) = pinned(app)
    assert dict(pin.scenario.data) == {"check-ins": tag_of(content)} and pin.summary is not None and not app.error


@pytest.mark.nightly
def test_the_answer_moves_most_with_one_setting() -> None:
    app = board(RING, view="What moves the answer")
    assert "Vary 5 settings, 9 computations" in app.button(key="board_vary_go").label
    ran(app.button(key="board_vary_go").click().run())
    assert "moved most by" in text_of(app)
    assert "<td>1.6</td>" in bodies(app)


def test_all_released_together() -> None:
    app = board(RING, RING_5, view="All released")
    assert "ε = 7" in bodies(app)
    assert "For all 2 releases together" in bodies(app) and "For one released point" not in bodies(app)
    assert any("2 + 5 = 7" in plain(entry.value) for entry in app.caption)


def test_a_file_brings_the_scenarios_into_another_session() -> None:
    text = scenarios.write([RING, CITY])
    app = board(view="Save and load")
    app.file_uploader[0].upload("scenarios.yaml", text.encode(), "application/yaml").run()
    ran(app)
    assert [kept.scenario for kept in pinned(app)] == [RING, CITY]
    assert all(kept.summary for kept in pinned(app))
    app.file_uploader[0].upload("again.yaml", text.encode(), "application/yaml").run()
    assert "Added 0 of 2 scenarios; 2 were there already" in app.success[0].value
    app.file_uploader[0].upload("bad.yaml", text.replace("k: 30", "k: many").encode(), "application/yaml").run()
    assert "scenarios[0].config.ring.k (line 6): must be a whole number" in plain(app.error[0].value)
    assert len(pinned(app)) == 2


def test_small_pictures_have_room_for_what_is_written_in_them() -> None:
    name = "absolute error of the cost: median, 90% of 20 draws"
    titles = [{"text": "KPM<br>5 km", "y": y, "yref": "paper"} for y in (1.0, 0.4)]
    maps = small({"data": [], "layout": {"height": 600, "annotations": titles, "yaxis": {"title": {"text": name}}}})[
        "layout"
    ]
    plain_map = small({"data": [], "layout": {"height": 600, "yaxis": {"title": {"text": "short"}}}})["layout"]
    lines = maps["yaxis"]["title"]["text"].split("<br>")
    assert " ".join(lines) == name and max(map(len, lines)) <= 32
    assert plain_map["yaxis"]["title"]["text"] == "short"
    assert maps["margin"]["t"] > plain_map["margin"]["t"] and maps["height"] > plain_map["height"]


def test_small_panels_have_small_marks_and_calm_colour_bars() -> None:
    bar = {"orientation": "h", "ticktext": ["0", "1%", "2%", "5%"], "title": {"text": "density"}}
    pinned = {**bar, "yref": "container", "len": 0.85}
    axes = {name: {"title": {"text": "privacy parameter ε"}} for name in ("xaxis", "xaxis2")}
    marks = [{"marker": {"size": 10}}, {"marker": {"size": [4, 5]}}, {"colorbar": dict(pinned)}]
    found = small({"data": marks, "layout": {"height": 500, "coloraxis": {"colorbar": bar}, **axes}})
    assert found["data"][0]["marker"]["size"] < 10 and found["data"][1]["marker"]["size"] == [4, 5]
    assert found["layout"]["coloraxis"]["colorbar"]["ticktext"] == ["0", "", "", "5%"]
    assert found["layout"]["coloraxis"]["colorbar"]["title"] == {"text": "density", "side": "top"}
    assert found["data"][2]["colorbar"]["len"] == 0.85 and "side" not in found["data"][2]["colorbar"]["title"]
    assert found["layout"]["xaxis2"]["title"]["text"] == "privacy<br>parameter ε"
    alone = small({"data": [], "layout": {"height": 500, "xaxis": {"title": {"text": "privacy parameter ε"}}}})
    assert alone["layout"]["xaxis"]["title"]["text"] == "privacy parameter ε"


def test_the_crowd_on_the_board_has_the_map_of_every_mechanism() -> None:
    outcome = scenarios.run(Scenario("geolocation.crowd", "x", CITY.config))
    notes = picture(outcome).layout.annotations
    assert [note.text.split("<br>")[0] for note in notes] == ["True crowd", *ESTIMATES.values()]


def test_one_scenario_is_chosen_with_a_reason_and_can_be_taken_away_as_a_slide() -> None:
    app = board(RING, RING_5, view="Report")
    assert any("Nothing is chosen" in plain(note.value) for note in app.info)
    assert [button.label for button in app.download_button] == ["report.html"]
    ran(app.button(key="board_1_choose").click().run())
    ran(app.button(key="board_2_choose").click().run())
    assert [pin.scenario.chosen for pin in pinned(app)] == [None, ""]
    app.text_area(key="board_2_reason").set_value("The committee wants five.").run()
    assert [pin.scenario.chosen for pin in pinned(app)] == [None, "The committee wants five."]
    assert [button.label for button in app.download_button] == ["report.html", "slide.html", *SHEETS]
    ran(app.button(key="board_2_choose").click().run())
    assert [pin.scenario.chosen for pin in pinned(app)] == [None, None]


@pytest.mark.nightly
def test_figures_of_one_kind_have_one_scale() -> None:
    low = VIEWS["mixture.line"].example
    high = replace(low, family=replace(low.family, variance=0.2))
    specs = on_one_scale(pinned(board(Scenario("mixture.line", "Low", low), Scenario("mixture.line", "High", high))))
    alone = [VIEWS["mixture.line"].board_picture(VIEWS["mixture.line"].run(config)) for config in (low, high)]
    tops = [figure.layout.yaxis.range[1] for figure in alone]
    assert tops[0] != tops[1]
    assert [spec["layout"]["yaxis"]["range"] for spec in specs.values()] == [[0.0, max(tops)]] * 2


def test_rings_have_one_scale_whatever_epsilon_is() -> None:
    specs = on_one_scale(pinned(board(RING, RING_5)))
    ranges = [spec["layout"]["polar"]["radialaxis"]["range"] for spec in specs.values()]
    assert ranges[0] == ranges[1] and ranges[0]


def test_the_foot_of_a_pinned_picture_says_what_a_release_would_promise() -> None:
    """Where nothing is released in the numbers; tests/figures/test_picture_menus.py holds it to its page's."""
    view = VIEWS["metric.linear"]
    (piece,) = pieces(board(Scenario(view.key, "Geometric noise", view.example)), "picture")
    assert "One release at these settings would promise: ε" in piece["screen"]["foot"][-1]
