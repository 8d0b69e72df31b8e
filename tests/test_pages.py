"""The pages run, say what is wrong, and restore what a link says (Streamlit's AppTest: no browser)."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from streamlit.proto.WidgetStates_pb2 import WidgetStates
from streamlit.testing.v1 import AppTest

from dpot_app.figures.style import from_plotly
from dpot_app.kit.fields import BASE, LOSS, SOLVER
from dpot_app.kit.markdown import WORD_JOINER, as_text
from dpot_app.shell.numbers import MAX_BYTES, MOST_NUMBERS, read_numbers, text_in, write_numbers
from dpot_app.views.ring import PAGE
from dpot_app.views.ring.settings import Config, Ring
from tests.apps import APP, figures, html_of, in_names, open_app, text_of, titles
from tests.batch.scenarios.outcomes import with_short_curves

VIEWS = (
    "Worst case",
    "Worst-case divergences",
    "This input in numbers",
    "Base measure",
    "Transport plan",
    "Convergence",
)


@pytest.fixture(scope="module", autouse=True)
def curves() -> Iterator[None]:
    with with_short_curves():
        yield


# --- the ring page --------------------------------------------------------------------------------------


# The old link, below, has the last one by day.
@pytest.mark.parametrize("view", [*VIEWS[:-1], pytest.param(VIEWS[-1], marks=pytest.mark.nightly)])
def test_every_view_of_the_ring_draws_without_complaint(view: str) -> None:
    app = open_app({"ring_view": view})
    assert not app.warning and not app.error
    assert figures(app) == (3 if view == "This input in numbers" else 4)
    assert titles(app)[0].startswith("At ε = 2 WPM moves the input by W₂ = ")


@pytest.mark.parametrize(
    "parameters",
    [
        {"ring_k": "3", "ring_every": "10"},
        {"ring_k": "60", "ring_mechanisms": ["WPM", "KPM", "EM", "k-RR", "Mollifier"]},
        pytest.param({"ring_k": "200"}, marks=pytest.mark.nightly),
        {"ring_input": "One point", "ring_point": "199", "ring_base": "Minimax", "ring_every": "7"},
        {"ring_input": "Two bumps", "ring_base": "Uniform", "ring_scale": "-1", "ring_p": "1"},
        {"ring_base": "Public prior", "ring_lambda": "0.01", "ring_p": "4"},
        {"ring_epsilon": "0.05", "ring_concentration": "0.02", "ring_seed": "9999"},
        {"ring_epsilon": "10", "ring_mechanisms": ""},
    ],
    ids=str,
)
def test_the_ends_of_every_control_work(parameters: dict[str, str | list[str]]) -> None:
    app = open_app(parameters)
    assert not app.warning and not app.error
    assert figures(app) >= 1


def test_a_control_changes_the_picture() -> None:
    app = open_app()
    before = titles(app)[0]
    app.sidebar.select_slider(key="ring_epsilon").set_value(5.0).run()
    assert titles(app)[0] != before
    assert titles(app)[0].startswith("At ε = 5")


def exact_field(app: AppTest) -> Any:
    return next(field for field in app.sidebar.number_input if str(field.label).endswith(", exactly"))


@pytest.mark.parametrize("then", [("ring_epsilon", 4.0), ("ring_k", 31)])
def test_a_slider_is_not_set_back_by_what_its_field_held_before(then: tuple[str, Any]) -> None:
    """A report that leaves before the browser was told of a new number brings the old one, as it stood in the field."""
    app = open_app({"ring_epsilon": "3"})
    before = exact_field(app)._widget_state
    app.sidebar.select_slider(key="ring_epsilon").set_value(3.5).run()
    name, value = then
    next(control for control in app.sidebar if getattr(control, "key", None) == name).set_value(value)
    others = [state for state in app._tree.get_widget_states().widgets if state.id != before.id]
    app._run(WidgetStates(widgets=[*others, before]))
    epsilon = 4.0 if name == "ring_epsilon" else 3.5
    assert app.sidebar.select_slider(key="ring_epsilon").value == exact_field(app).value == epsilon
    assert next(control for control in app.sidebar if getattr(control, "key", None) == name).value == value


def test_an_exact_epsilon_is_typed_and_stays_with_its_slider_and_link() -> None:
    app = open_app()
    exact_field(app).set_value(7.42).run()
    assert app.sidebar.select_slider(key="ring_epsilon").value == 7.42 and titles(app)[0].startswith("At ε = 7.42")
    assert any(
        "Little privacy is left: one release can turn 50:50 into 99.95%" in note.value for note in app.sidebar.caption
    )
    app.sidebar.select_slider(key="ring_epsilon").set_value(4.0).run()
    assert exact_field(app).value == 4.0
    assert not any("Little privacy" in note.value for note in app.sidebar.caption)
    app = open_app({"ring_epsilon": "0.123"})
    assert not app.warning and titles(app)[0].startswith("At ε = 0.123")
    worst = "Worst case over all inputs at ε = 0.123"
    assert any(title.startswith(worst) for title in titles(app)), "the curve stands there too"


def test_defaults_come_back_and_another_draw_has_its_seed_in_the_link() -> None:
    app = open_app({"ring_epsilon": "5", "ring_p": "3", "ring_view": "Base measure"})
    app.sidebar.button(key="ring_again").click().run()
    seed = app.sidebar.number_input(key="ring_seed").value
    assert app.query_params["ring_seed"] == str(seed) and app.sidebar.select_slider(key="ring_epsilon").value == 5.0
    app.sidebar.button(key="ring_defaults").click().run()
    assert (
        app.sidebar.select_slider(key="ring_epsilon").value == 2.0
        and app.sidebar.select_slider(key="ring_p").value == 2
    )
    assert {name for name in app.query_params if name.startswith("ring_")} <= {"ring_view"}
    app = open_app({"ring_input": "One point"})
    assert app.sidebar.button(key="ring_again").disabled


def test_the_controls_stand_in_the_order_of_every_page() -> None:
    labels = [entry.label for entry in open_app().sidebar if getattr(entry, "label", "")]
    order = ["Input distribution", "Privacy parameter ε (nats)", LOSS, SOLVER, BASE, "Mechanisms"]
    assert [label for label in labels if label in order] == order


def test_a_number_between_the_steps_of_a_slider_is_taken_from_a_link() -> None:
    app = open_app({"ring_base": "Uniform", "ring_scale": "0.981"})
    assert not app.exception and not app.warning and app.sidebar.slider(key="ring_scale").value == 0.981
    assert "ring_scale=0.981" in open_link(app)


@pytest.mark.nightly
def test_the_page_says_how_algorithm_1_ended() -> None:
    rough, fine, exact = (text_of(open_app({"ring_lambda": reg})) for reg in ("0.1", "0.0001", "exact"))
    assert "exact projection, which is 1.37 steps" in rough and "not converged" not in rough
    assert "it has not converged after 1000 iterations" in fine
    assert "Algorithm 1 with" not in exact
    assert "with λ = 0.1, as chosen, it can move inputs farther" in rough


def test_an_infeasible_mechanism_does_not_take_the_others_away() -> None:
    parameters = {"ring_k": "19", "ring_every": "6", "ring_p": "1", "ring_epsilon": "0.05", "ring_base": "Public prior"}
    parameters["ring_prior"] = ",".join(["1"] * 10 + ["0"] * 9)
    app = open_app({**parameters, "ring_mechanisms": ["WPM", "Mollifier"]})
    assert not app.error and figures(app) == 4
    assert "The mollifier is left out" in text_of(app)


def test_near_a_public_prior_the_page_says_what_is_proven() -> None:
    parameters = {"ring_k": "12", "ring_base": "Public prior", "ring_prior": "5,4,3,3,2,1,1,1,1,1,1,1"}
    parameters |= {"ring_gamma": "3", "ring_epsilon": "1", "ring_view": "Worst-case divergences"}
    app = open_app({**parameters, "ring_mechanisms": ["KPM", "KPM around prior"]})
    assert not app.error and not app.exception
    assert "KPM around prior has a KL of at most 0.157. KPM reaches 0.621." in text_of(app)
    assert app.sidebar.slider(key="ring_gamma").value == 3.0


def test_without_a_mechanism_no_empty_table_is_drawn() -> None:
    app = open_app({"ring_mechanisms": "", "ring_view": "This input in numbers"})
    assert "Choose a mechanism" in app.info[0].value
    assert not any("dpot-table" in body for body in html_of(app))


def test_a_room_has_what_it_asks_for_one_click_away() -> None:
    """In presenter view, where the controls are hidden; each button is the controls' own setting, and in the link."""
    assert not [button for button in open_app().button if "preset" in str(button.key)]
    app = open_app({"teach_present": "true", "ring_k": "12"})
    labels = {button.label: button.key for button in app.button if "preset" in str(button.key)}
    assert {"One place", "Half here, half there", "p = 1", "ε = 0.5"} <= labels.keys()
    for label in ("Half here, half there", "p = 1", "ε = 0.5"):
        app.button(key=labels[label]).click().run()
    assert not app.exception
    assert app.sidebar.selectbox(key="ring_input").value == "two-places"
    assert app.sidebar.slider(key="ring_share").value == 0.5 and app.sidebar.select_slider(key="ring_p").value == 1
    assert titles(app)[0].startswith("At ε = 0.5 WPM moves the input by W₁ = ")
    app.button(key=labels["One place"]).click().run()
    assert app.sidebar.selectbox(key="ring_input").value == "dirac"
    assert {"ring_input=dirac", "ring_p=1", "ring_epsilon=0.5"} <= set(open_link(app).lstrip("?").split("&"))


# --- links ------------------------------------------------------------------------------------------------


# A link that people may have: never change it, only add others.
OLD_LINK = (
    "?ring_epsilon=5&ring_mechanisms=WPM&ring_mechanisms=k-RR&ring_k=40&ring_input=Random&ring_concentration=0.5"
    "&ring_seed=7&ring_base=Uniform&ring_scale=0.5&ring_p=1&ring_every=3&ring_lambda=0.01&ring_view=Convergence"
)


@pytest.mark.parametrize("page", ["pages/ring.py", ""], ids=["ring", "first page"])
def test_an_old_link_still_restores_everything(page: str) -> None:
    """The ring page was the first one: links without a page's name in them are links to it."""
    app = open_app(parse_qs(OLD_LINK.lstrip("?")), page)
    assert not app.warning
    assert titles(app)[0].startswith("At ε = 5 ")
    assert titles(app)[3].startswith("The exact projection is W₁ = ")
    assert app.sidebar.slider(key="ring_k").value == 40
    assert app.sidebar.number_input(key="ring_seed").value == 7
    assert app.sidebar.select_slider(key="ring_concentration").value == 0.5
    assert app.sidebar.selectbox(key="ring_base").value == "uniform"
    assert app.sidebar.slider(key="ring_scale").value == 0.5
    assert app.sidebar.slider(key="ring_every").value == 3
    assert app.sidebar.select_slider(key="ring_lambda").value == 0.01
    there = parse_qs(open_link(app).lstrip("?"))
    assert there == in_names(parse_qs(OLD_LINK.lstrip("?"))) | {
        "ring_picture": ["ring"],
        "ring_loss": ["distance"],
        "ring_with": ["wpm"],
        "ring_belief": ["uniform"],
    }


def open_link(app: AppTest) -> str:
    """The link that the page offers, from its question mark on."""
    app.session_state["ring_away"] = True
    app.run()
    assert not app.exception
    link = next(block.value for block in app.code if "ring_epsilon" in block.value)
    return "?" + link.split("?", 1)[1]


def test_the_link_carries_what_has_its_default_value() -> None:
    """Otherwise a changed default would change what old links show."""
    link = open_link(open_app())
    assert "ring_epsilon=2&" in link and "ring_seed=1&" in link and "ring_view=worst" in link


def test_numbers_of_ones_own_travel_in_the_link_but_not_in_the_address() -> None:
    numbers = ",".join(str(i) for i in range(30))
    app = open_app({"ring_input": "My numbers", "ring_numbers": numbers})
    assert not app.warning and not app.error
    assert "ring_numbers" not in app.query_params
    link = parse_qs(urlsplit(open_link(app)).query)
    assert read_numbers(link["ring_numbers"][0], 30) == pytest.approx(tuple(i / 435 for i in range(30)), abs=1e-15)
    again = open_app(link)
    assert titles(again)[0] == titles(app)[0]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("ring_epsilon", "abc"),
        ("ring_epsilon", "20.5"),
        ("ring_epsilon", "0.009"),
        ("ring_epsilon", ""),
        ("ring_epsilon", "nan"),
        ("ring_k", "2"),
        ("ring_k", "201"),
        ("ring_k", ""),
        ("ring_k", "--1"),
        ("ring_input", "Nonsense"),
        ("ring_mechanisms", "XYZ"),
        ("ring_seed", "-1"),
        ("ring_seed", "inf"),
        ("ring_seed", "1e400"),
        ("ring_lambda", "inf"),
        ("ring_view", "<script>alert(1)</script>"),
    ],
)
def test_a_broken_parameter_falls_back_to_its_default_and_says_so(name: str, value: str) -> None:
    app = open_app({name: value})
    assert len(app.warning) == 1
    assert f"`{name}`" in app.warning[0].value
    assert value == "" or value not in app.warning[0].value, "what a link says is not repeated on the page"
    assert titles(app)[0] == titles(open_app())[0]


def test_a_parameter_that_is_only_nearly_right_is_named_with_what_is_used() -> None:
    app = open_app({"ring_k": "31.7", "ring_seed": ["1", "2"]})
    assert "`ring_k` holds no valid value of *Points on the ring (k)*; 31 is used instead." in app.warning[0].value
    assert "`ring_seed` holds no valid value of *Seed of the random draw*; 2 is used instead." in app.warning[0].value


def test_the_notice_goes_when_a_control_is_used() -> None:
    app = open_app({"ring_k": "abc"})
    assert app.warning
    app.sidebar.select_slider(key="ring_epsilon").set_value(5.0).run()
    assert not app.warning


def test_parameters_of_waiting_controls_are_not_called_unused() -> None:
    app = open_app({"ring_input": "My numbers", "ring_numbers": "0", "ring_view": "Base measure"})
    assert "`ring_numbers` holds no valid value" in app.warning[0].value
    assert "ring_view" not in app.warning[0].value


def test_a_parameter_that_nothing_uses_is_named() -> None:
    app = open_app({"ring_espilon": "3", "ring_point": "4"})
    assert "`ring_espilon` is not used" in app.warning[0].value
    assert "`ring_point` is not used" in app.warning[0].value


def test_hiding_a_control_is_no_reason_for_a_notice_and_its_value_comes_back() -> None:
    app = open_app({"ring_seed": "5"})
    app.sidebar.selectbox(key="ring_input").set_value("two-bumps").run()
    assert not app.warning
    app.sidebar.selectbox(key="ring_input").set_value("dirichlet").run()
    assert app.sidebar.number_input(key="ring_seed").value == 5


# --- numbers of one's own -----------------------------------------------------------------------------------


def type_numbers(text: str) -> AppTest:
    app = open_app({"ring_input": "My numbers"})
    app.sidebar.text_area(key="ring_numbers_text").set_value(text).run()
    assert not app.exception
    return app


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "No numbers yet"),
        ("1, 2, 3", "3 numbers are given, but there are 30 points."),
        ("a, " * 29 + "b", "Entry 1 is not a number"),
        ("nan, " * 29 + "1", "only finite numbers"),
        ("1, " * 29 + "inf", "Entry 30 is “inf”: only finite numbers"),
        ("1, " * 29 + "-1", "Entry 30 is negative"),
        ("0, " * 29 + "0", "All numbers are zero"),
        ("<b>bold</b>, 1", "Entry 1 is not a number"),
        ("\x00" * 10, "not a text file"),
        ("![](//a.bc/d.png), 1", "“![](//a.bc/d.png)”"),
    ],
)
def test_numbers_that_cannot_be_used_get_a_sentence(text: str, message: str) -> None:
    app = type_numbers(text)
    assert as_text(message) in app.error[0].value
    assert figures(app) == 0
    assert "as soon as the numbers" in app.info[0].value


def test_numbers_that_do_not_sum_to_one_are_normalised_on_offer() -> None:
    app = type_numbers(", ".join(["2"] * 30))
    offer = app.sidebar.checkbox(key="ring_numbers_divide")
    assert offer.value and offer.label == "Divide by their sum, 60"
    assert figures(app) == 4
    offer.uncheck().run()
    assert "sum to 60" in app.error[0].value
    assert figures(app) == 0


def test_numbers_that_sum_to_one_are_taken_as_they_are() -> None:
    app = type_numbers(", ".join(["0.5", "0.5", *["0"] * 28]))
    assert not app.sidebar.checkbox
    assert figures(app) == 4


def test_more_points_than_numbers_is_said_and_not_guessed() -> None:
    app = type_numbers(", ".join(["1"] * 30))
    app.sidebar.slider(key="ring_k").set_value(31).run()
    assert as_text("30 numbers are given, but there are 31 points.") in app.error[0].value


def test_painting_changes_the_numbers() -> None:
    app = type_numbers(", ".join(["0"] * 29 + ["1"]))
    app.slider(key="ring_numbers_text_brush_29").set_value((0, 1)).run()
    app.button(key="ring_numbers_text_brush_go").click().run()
    values = read_numbers(app.sidebar.text_area(key="ring_numbers_text").value, 30)
    assert values == (1.0, 1.0, *[0.0] * 27, 1.0)


@pytest.mark.nightly
def test_a_prior_without_mass_on_any_output_is_possible_because_mass_moves_to_the_nearest_output() -> None:
    app = open_app({"ring_base": "Public prior", "ring_every": "2"})
    app.sidebar.text_area(key="ring_prior_text").set_value(", ".join(["0", "1"] * 15)).run()
    assert not app.exception and not app.error


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("1 2 3", (1, 2, 3)),
        ("1,2,\n3", (1, 2, 3)),
        ("[0.5, .25, 2.5e-1]", (0.5, 0.25, 0.25)),
        ("0,5; 0,25; 0,25", (0.5, 0.25, 0.25)),
        ("1\t2\r\n3\r\n", (1, 2, 3)),
        ("1e-300, 0, 1", (1e-300, 0, 1)),
    ],
)
def test_the_usual_ways_of_writing_numbers(text: str, values: tuple[float, ...]) -> None:
    assert read_numbers(text, 3) == values


def test_written_numbers_are_read_back_exactly() -> None:
    values = (1 / 3, 0.1 + 0.2, 1e-300, 5e-324, 12345678.9)
    assert read_numbers(write_numbers(values), 5) == values


def test_files_in_the_usual_encodings() -> None:
    for content in ("1;2".encode("utf-16"), "\ufeff1;2".encode(), b"1;2"):
        assert read_numbers(text_in(content)[0], 2) == (1, 2)
    assert text_in(b"weight\n1\n2") == ("1\n2", ())
    assert text_in(b"1\n2") == ("1\n2", ())
    assert text_in(b"weight") == ("weight", ())
    assert text_in("é".encode("latin-1")) == ("é", ())
    with pytest.raises(ValueError, match="the archive cannot be unpacked"):
        text_in(b"PK\x03\x04\x00\x00")
    with pytest.raises(ValueError, match="not text: it looks like a PDF"):
        text_in(b"%PDF-1.7")
    with pytest.raises(ValueError, match="larger than"):
        text_in(b"1" * (MAX_BYTES + 1))
    with pytest.raises(ValueError, match="more than 100,000 cells"):
        text_in(b"1," * (MOST_NUMBERS + 1))
    with pytest.raises(ValueError, match="numbers are given, but there are 2 points"):
        read_numbers("1," * (MOST_NUMBERS + 1), 2)


def test_one_column_of_a_table_holds_the_weights_and_the_others_are_said() -> None:
    text, notes = text_in(b"point,weight,z,name\n0,1,7,a\n1,3,8,b\n")
    assert read_numbers(text, 2) == (1, 3)
    assert notes == ("Not used, though there are numbers in it: column 'point', 'z'.",)
    text, notes = text_in(b"name;weight\na;0,5\nb;1,5\n")
    assert (read_numbers(text, 2), notes) == ((0.5, 1.5), ())
    text, notes = text_in(b"name\thow many\na\t2\nb\t3\n")
    assert read_numbers(text, 2) == (2, 3)
    assert notes == ("Column 'how many' was read as the weights: it is the only one with numbers.",)
    with pytest.raises(ValueError, match="none of its columns is named weight; found 'x', 'y'"):
        text_in(b"x,y\n1,2\n3,4\n")
    with pytest.raises(ValueError, match="row 3 has no weight"):
        text_in(b"name,weight\na,1\nb,\nc,2\n")


# --- what pages share ---------------------------------------------------------------------------------------


def test_the_strip_states_the_promise() -> None:
    strip = next(body for body in html_of(open_app()) if "dpot-strip" in body)
    for words in (
        "ε = 2",
        "× 7.39",
        "88.1% sure",
        "any two inputs that one person could have",
        "30 output points",
        "For one released point",
    ):
        assert words in strip


@pytest.mark.parametrize(
    "label",
    [
        "<img src=x onerror=alert(1)>",
        "**bold** :red[x] $y$ [a](javascript:b)",
        "a_b`c`",
        "&lt;b&gt; &copy;",
        "www.example.org https://example.org me@example.org :material/home: :smile: -> <- >=",
    ],
)
def test_labels_are_no_markup(label: str) -> None:
    escaped = as_text(label)
    assert not re.search(r"(?<!\\)[<*:$\[`_&]", escaped)
    shown = re.sub(r"\\(.)", r"\1", escaped)
    assert shown.replace(WORD_JOINER, "") == label
    # What Streamlit makes of plain text: links, icons and emoji, arrows.
    assert not re.search(r"https?://|www\.|\w@\w|:[\w/]+:|->|<-|>=", shown)
    assert from_plotly("a &lt;b&gt; &amp; c") == "a <b> & c"


def test_the_snippet_on_the_page_is_the_experiments() -> None:
    app = open_app({"ring_k": "12"})
    open_link(app)
    config = Config(ring=Ring(k=12))
    (code,) = [block.value for block in app.code if "PAGES" in block.value]
    views = PAGE.view("ring.outputs"), PAGE.view("ring.worst-case")
    beside = PAGE.view("ring.worst-curves")
    expected = views[0].python(config, (views[1], config), (beside, config))
    assert code.strip() == expected.strip(), "the picture, the open tab and the curves"


@pytest.mark.nightly
def test_a_server_whose_first_visitor_follows_a_link_has_app_py_draw_the_page() -> None:
    """Streamlit would take the folder for its old kind of pages, and show that page without the navigation."""
    code = (
        "import app\n"
        "from streamlit.runtime.pages_manager import PagesManager\n"
        "PagesManager('app.py')\n"
        "print(PagesManager.uses_pages_directory)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=Path(APP).parent, capture_output=True, text=True)
    # The server says its address before.
    assert (done.returncode, done.stdout.splitlines()[-1:]) == (0, ["False"]), done.stderr
