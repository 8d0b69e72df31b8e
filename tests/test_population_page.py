"""The page Population as a program (Streamlit's AppTest: no browser): views, data of one's own, bad settings."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from streamlit.testing.v1 import AppTest

from dpot_app.kit.setting import declared
from dpot_app.kit.values import ScenarioError
from dpot_app.views.population.curves.results import VALUES
from dpot_app.views.population.settings import COMPARED, Config, requirements
from dpot_core import datasets
from dpot_core.datasets import us_tracts
from dpot_core.mechanisms.central import four_gaussians
from dpot_core.privacy.numerals import number
from tests.apps import APP, figures, html_of, opened, specs, text_of, titles
from tests.datasets.test_us_tracts import FILE

#: Quick settings: few people and atoms.
QUICK = {"pop_n": "500", "pop_m": "4"}


def small_name(app: AppTest) -> str:
    """What stands over the small map."""
    (note,) = specs(app)[-1]["layout"]["annotations"]
    return str(note["text"])


def open_page(parameters: Mapping[str, str | list[str]] | None = None, quick: bool = True) -> AppTest:
    app = AppTest.from_file(APP, default_timeout=600)
    app.query_params.update({**(QUICK if quick else {}), **(parameters or {})})
    app.switch_page("pages/population.py").run()
    assert not app.exception, [entry.value for entry in app.exception]
    return app


#: Pictures of the map: without privacy, two mechanisms; what is guaranteed beside what happens, what a release tells.
MAPS = 5


def strips(app: AppTest) -> list[str]:
    return [body for body in html_of(app) if "dpot-strip" in body]


def with_csv(content: bytes, parameters: Mapping[str, str] | None = None) -> AppTest:
    app = open_page({"pop_data": "My CSV file", **(parameters or {})})
    app.sidebar.file_uploader(key="pop_population_file").set_value(("mine.csv", content, "text/csv")).run()
    assert not app.exception, [entry.value for entry in app.exception]
    return app


# --- views ----------------------------------------------------------------------------------------------


def test_the_default_view_draws_both_mechanisms_and_says_what_they_promise() -> None:
    app = open_page(quick=False)
    assert not app.warning and not app.error and figures(app) == MAPS
    without, coreset, perturbation, guaranteed, tells = titles(app)
    assert "Without privacy" in without and "km" in without
    for name, title in (("Coreset", coreset), ("Perturbation", perturbation)):
        assert title.startswith(f"{name}: ") and "noise raises the cost by " in title
        assert "the search moves the points by" in title and "km" in title
    assert "farther from people than the best known; proven for the coreset: at most " in guaranteed
    assert "coreset δ = 0, perturbation δ ≤ 1e-09" in tells
    assert "hardly matters at this n" in text_of(app)
    assert re.search(r"p = 2: people are \d+ km from their point on average", text_of(app))
    chosen, coreset, perturbation = strips(app)
    assert "Demonstration" in chosen and "One release with Coreset promises:" in chosen and "<b>ε = 20.8" not in chosen
    assert "<b>ε = 10.4" in chosen and "would cost ε = 20.8" in chosen
    assert "10.4" in coreset and "δ = " not in coreset
    assert "δ = 1" in perturbation and "Not proven" not in perturbation
    assert "region where points may be" in coreset and "without replacement" in coreset
    text = text_of(app)
    assert "computed from one sample" in text and "10,000 of 187,734,896" in text
    assert "GeoNames, CC BY 4" in text.replace("\\", "")


@pytest.mark.slow
def test_private_k_means_stands_beside_them_where_it_is_asked_for() -> None:
    app = open_page({"pop_mechanisms": COMPARED["kmeans"]})
    assert not app.warning and not app.error and figures(app) == MAPS + 1
    assert titles(app)[3].startswith("Private k-means: ") and "(private k-means)" in titles(app)[4]
    assert "Private k-means wins" in text_of(app) and len(strips(app)) == 4
    large = open_page({"pop_mechanisms": COMPARED["kmeans"], "pop_large": "Private k-means"})
    assert not large.warning and titles(large)[1] == titles(app)[3]


@pytest.mark.parametrize(
    ("view", "count"), [("Map", MAPS), ("Inside", 5), ("Is the sensitivity true?", 5), ("Synthetic", 1)]
)
def test_every_view_draws_without_complaint(view: str, count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dpot_app.views.population.gaussians.results.RUNS", 2)
    for axis, values in four_gaussians.VALUES.items():
        monkeypatch.setitem(four_gaussians.VALUES, axis, (values[1], values[-2]))
    app = open_page({"pop_view": view})
    assert not app.error and figures(app) == count
    assert strips(app)


@pytest.mark.nightly
def test_curves_along_both_axes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dpot_app.views.population.curves.results.RUNS", 2)
    monkeypatch.setitem(VALUES, "n", (600, 1000))
    monkeypatch.setitem(VALUES, "epsilon", (0.5, 2.0))
    for axis in ("Against n", "Against ε"):
        app = open_page({"pop_view": "Curves", "pop_axis": axis})
        assert not app.error and figures(app) == 2 and len(strips(app)) == 3
        assert "Not a release" in strips(app)[0]
        assert "Noise moves the" in titles(app)[1]


@pytest.mark.parametrize("view", ["synthetic", "Synthetic"])
def test_examples_disable_the_settings_of_the_people(view: str) -> None:
    off = {box.key for box in open_page({"pop_view": view}).sidebar.selectbox if box.disabled}
    assert {"pop_data", "pop_places_groups"} <= off
    assert not any(box.disabled for box in open_page({"pop_view": "Map"}).sidebar.selectbox)


@pytest.mark.nightly
def test_digits_are_drawn() -> None:
    app = open_page({"pop_view": "Synthetic", "pop_example": "Digits", "pop_digit": "7", "pop_digit_atoms": "4"})
    assert not app.error and figures(app) == 3 and len(strips(app)) == 1


@pytest.mark.nightly
def test_twenty_releases_have_a_spread() -> None:
    app = open_page({"pop_show": "20 possible releases", "pop_n": "500", "pop_m": "2"})
    assert not app.error and "on average of 20 releases" in titles(app)[1]
    tables = [body for body in html_of(app) if "dpot-table" in body]
    assert "±" in tables[0]
    # A demonstration of alternatives; all of them together would cost what the first strip says.
    assert "Coreset, 20 releases" in strips(app)[0] and "Perturbation" in strips(app)[0]
    assert "ε = 219" in strips(open_page({"pop_show": "20 possible releases"}, quick=False))[0]


@pytest.mark.nightly
def test_the_large_map_is_chosen_and_areas_are_put_away() -> None:
    app = open_page({"pop_large": "Perturbation", "pop_show": "One release"})
    assert "Perturbation: " in titles(app)[1] and "Coreset: " in small_name(app)
    assert areas_drawn(app) == [True, True, False, False, False]
    app.toggle(key="pop_areas").set_value(False).run()
    assert areas_drawn(app) == [False] * MAPS and "Dashed" not in text_of(app)
    app.segmented_control(key="pop_large").set_value("coreset").run()
    assert "Coreset: " in titles(app)[1]


@pytest.mark.nightly
def test_areas_are_drawn_where_they_are_known() -> None:
    app = open_page({"pop_places_groups": "Four Census regions"})
    assert not any(areas_drawn(app)) and "With several groups" in text_of(app)
    one = {"pop_large": "Perturbation", "pop_show": "One release"}
    app = open_page({"pop_guarantee": "As in the paper (not proven)"} | one)
    assert areas_drawn(app) == [True, False, False, False, False] and "atoms only" in text_of(app)
    app = open_page({"pop_method": "Means over chunks"} | one)
    assert areas_drawn(app) == [True, True, False, False, False]
    # Of many releases none is, beside those without privacy.
    assert areas_drawn(open_page({"pop_show": "20 possible releases"})) == [True, False, True, False, False]


def areas_drawn(app: AppTest) -> list[bool]:
    return [any(trace.get("name") == "areas" for trace in spec["data"]) for spec in specs(app)]


def test_the_papers_guarantee_is_labelled() -> None:
    app = open_page({"pop_guarantee": "As in the paper (not proven)"})
    assert "It is not proven" in app.warning[0].value
    together, perturbation, coreset = strips(app)
    assert "Not proven" in perturbation and "in all, claimed, not proven" in together and "Not proven" not in coreset


def test_both_perturbations_stand_side_by_side_where_their_sensitivity_is_measured() -> None:
    app = open_page({"pop_view": "Is the sensitivity true?"})
    assert "one point moves an atom by 0.356 diameters" in titles(app)[2].replace("\\", "")
    # The weaker first, and what is only claimed is not said to be promised.
    measured, paper, proven = strips(app)
    assert "Not a release" in measured and "ε" not in measured.split("</style>")[1]
    assert "would promise" not in paper and "What the paper claims" in paper
    assert 0 < paper.index("<b>Not proven") < paper.index("<b>ε = ")
    assert "would promise" in proven and "Not proven" not in proven


@pytest.mark.parametrize(
    "parameters",
    [
        {"pop_epsilon": "0.05"},
        {"pop_epsilon": "10", "pop_steps": "10"},
        pytest.param({"pop_delta": "1e-05", "pop_n": "20,000"}, marks=pytest.mark.nightly),
        pytest.param({"pop_m": "48", "pop_n": "500"}, marks=pytest.mark.nightly),
        {"pop_m": "1", "pop_n": "500", "pop_epsilon": "0.05"},
        pytest.param(
            {"pop_places_groups": "Four Census regions", "pop_method": "Means over chunks", "pop_chunks": "3"},
            marks=pytest.mark.nightly,
        ),
        pytest.param({"pop_lambda": "0.03", "pop_seed": "9999"}, marks=pytest.mark.nightly),
        {"pop_adjacency": "Add or remove one person"},
        {"pop_adjacency": "Add or remove one person", "pop_view": "Inside"},
    ],
    ids=str,
)
def test_the_ends_of_every_control_work(parameters: dict[str, str]) -> None:
    app = open_page(parameters)
    assert not app.warning and not app.error, [*app.warning, *app.error]
    assert figures(app) >= 2


def test_a_release_for_real_has_python_that_makes_it() -> None:
    app = opened(open_page({"pop_groups": "Four Census regions"}))
    (code,) = (str(block.value) for block in app.code)
    assert "seed" not in code and "secret" in text_of(app)
    printed: list[object] = []
    exec(code, {"print": printed.append})
    atoms, promise = printed
    assert getattr(atoms, "shape", None) == (4, 2) and getattr(promise, "delta", None) == 1e-9
    app = open_page({"pop_adjacency": "Add or remove one person"})
    assert not app.code and "to the people drawn, and to them only" in text_of(app)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        (
            {"pop_adjacency": "Add or remove one person", "pop_guarantee": "As in the paper (not proven)"},
            "Neighbours must be 'Replace one person' for",
        ),
        ({"pop_delta": "1e-05", "pop_n": "500"}, "delta must be below the sampling rate"),
        (
            {"pop_p": "1.5", "pop_guarantee": "As in the paper (not proven)"},
            "'As in the paper (not proven)', whose noise is claimed for means; got 1.5",
        ),
        ({"pop_p": "3", "pop_method": "Means over chunks"}, "'Means over chunks', which averages means; got 3"),
    ],
)
def test_settings_that_do_not_fit_are_said(parameters: dict[str, str], message: str) -> None:
    app = open_page(parameters)
    assert message in app.error[0].value.replace("\\", "")


def caption_of(app: AppTest, word: str) -> str:
    return next((str(entry.value) for entry in app.sidebar.caption if word in str(entry.value)), "")


@pytest.mark.nightly
def test_the_block_says_what_makes_no_sense_and_the_order_changes_picture_and_curve() -> None:
    usual = open_page()
    assert "none in the central model" in caption_of(usual, "Base measure")
    (mechanisms,) = [box for box in usual.sidebar.selectbox if box.label == "Mechanisms"]
    assert mechanisms.value == "barycenters" and list(mechanisms.options) == list(COMPARED.values())
    assert not caption_of(usual, "Solver λ")
    app = open_page({"pop_p": "1"})
    assert not app.error and "exact at this p" in caption_of(app, "Solver λ")
    assert all(one != other for one, other in zip(titles(app)[:4], titles(usual)[:4], strict=True))
    assert "W₁ to ○ (km)" in next(body for body in html_of(app) if "dpot-table" in body)
    assert re.search(r"p = 1: people are \d+ km from their point on average", text_of(app))
    assert "drawn at p = 2 only" in text_of(app) and not any(areas_drawn(app))


@pytest.mark.nightly
def test_a_link_with_lambda_at_another_order_says_that_it_is_not_used() -> None:
    app = open_page({"pop_p": "3", "pop_lambda": "0.03"})
    assert "`pop_lambda` is not used" in app.warning[0].value and not app.error


@pytest.mark.nightly
def test_weights_of_groups_add_up_and_change_the_answer() -> None:
    app = open_page({"pop_places_groups": "Four Census regions"})
    sliders = [one for one in app.sidebar.slider if str(one.key).startswith("pop_weight_")]
    assert [one.value for one in sliders] == [25.0] * 4 and sliders[0].label == "Northeast"
    before = titles(app)
    app.sidebar.slider(key="pop_weight_1").set_value(70.0).run()
    assert not app.exception and not app.error
    weights = [app.sidebar.slider(key=f"pop_weight_{number}").value for number in range(1, 5)]
    assert weights == [70.0, 10.0, 10.0, 10.0] and sum(weights) == 100.0
    assert all(one != other for one, other in zip(titles(app)[:4], before[:4], strict=True))
    assert "weighted over groups" in text_of(app)
    app.session_state["pop_away"] = True
    app.run()
    again = open_page(parse_qs(urlsplit(str(app.code[0].value)).query), quick=False)
    assert titles(again) == titles(app)


# --- data -----------------------------------------------------------------------------------------------

ROWS = [f"{-100 + i % 7},{35 + i % 5},{20 + i},{'ab'[i % 2]}" for i in range(60)]
CSV = "\n".join(["lon,lat,weight,group", *ROWS]).encode()


@pytest.mark.nightly
def test_a_readers_population_is_drawn_whole_where_n_is_large() -> None:
    app = with_csv(CSV)
    assert not app.error and figures(app) == MAPS
    assert [one.label for one in app.sidebar.slider if str(one.key).startswith("pop_weight_")] == ["a", "b"]
    text = text_of(app)
    assert "computed from one sample" in text and "stays in memory" in text
    everybody = with_csv(b"lon,lat,weight\n" + b"".join(b"%d,38,5\n" % lon for lon in range(-100, -80)))
    assert figures(everybody) == MAPS and "computed from one sample" not in text_of(everybody)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"lat,lon\n-98,39\n-97,40\n", "look swapped"),
        (b"lon,lat,weight\n-98,39,-1\n", "weight must be a number in [0"),
        (b"lon,lat,weight,group\n-98,39,1,a\n-97,39,0,b\n", "group 'b' has a weight of 0"),
        (b"lon,lat,weight\n-98,39,few\n", "weight must be a number in [0"),
        (b"lon,lat,weight\n-98,39,2\n", "m must not exceed"),
    ],
)
def test_bad_files_are_refused_in_words(content: bytes, message: str) -> None:
    app = with_csv(content)
    assert message in app.error[0].value.replace("\\", "")
    assert figures(app) == 0


@pytest.mark.nightly
def test_points_outside_are_counted_and_any_coordinates_have_a_box() -> None:
    app = with_csv(CSV + b"\n-150,60,9,a\n")
    assert "1 of 61 points outside the region were moved" in text_of(app)
    plane = b"x,y,n\n" + b"".join(b"%d,%d,9\n" % (i % 9, i % 4) for i in range(50))
    box = {"pop_region": "A box", "pop_west": "0", "pop_south": "0", "pop_east": "10", "pop_north": "5"}
    app = with_csv(plane, box)
    assert not app.error and figures(app) == MAPS
    assert not any("km" in title for title in [*titles(app), small_name(app)])


def test_another_country_has_its_own_map_in_links_and_python_too() -> None:
    app = open_page({"pop_data": "Another country", "pop_country": "Nigeria"})
    assert not app.error and not app.warning and figures(app) == MAPS
    assert "km from their point" in titles(app)[0] and app.selectbox(key="pop_country").value == "NG"
    text = text_of(app).replace("\\", "")
    assert "outline from Natural Earth" in text or "Natural Earth, public domain" in text
    assert "count twice" in text
    app.session_state["pop_away"] = True
    app.run()
    link, code, _ = (str(block.value) for block in app.code)
    again = open_page(parse_qs(urlsplit(link).query), quick=False)
    assert "pop_country=NG" in link and titles(again) == titles(app)
    names: dict[str, Any] = {"print": lambda *values: None}
    exec(code, names)
    cost = names["headlines"]["cost, coreset (squared units)"]
    assert number(cost) in next(body for body in html_of(app) if "dpot-table" in body)


def test_the_region_of_a_file_is_its_box_where_there_is_one() -> None:
    """A scenario that is older than the choice of a country has a box, and no region."""
    shown = declared(Config)["region"].shown
    assert shown(Config(source="csv")) and not shown(Config(source="csv", box=(0, 0, 1, 1))) and not shown(Config())
    with pytest.raises(ScenarioError, match="must be null where the region is Germany"):
        requirements(Config(source="csv", groups="file", region="DE", box=(0, 0, 1, 1)))


def test_people_of_ones_own_country_are_measured_in_kilometres() -> None:
    towns = b"lon,lat,people\n" + b"".join(b"%.2f,%.2f,50\n" % (8 + i / 15, 48.5 + i * 7 % 25 / 10) for i in range(50))
    app = with_csv(towns, {"pop_region": "Germany"})
    assert not app.error and figures(app) == MAPS and "km from their point" in titles(app)[0]
    assert not any("points outside" in warning.value for warning in app.warning)
    elsewhere = with_csv(towns, {"pop_region": "Japan"})
    assert any("50 of 50 points outside the region were moved" in warning.value for warning in elsewhere.warning)
    # All of them are in one place now: nothing is farther than 0 by a share.
    assert "No distance can be compared with that" in text_of(elsewhere)
    assert all("noise raises the cost by ∞%" in title for title in titles(elsewhere)[1:3]), "from nothing"


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("pop_2020", "Column 'pop_2020' was read as the number of people of each row."),
        ("Z", "Not used, though there are numbers in it: column 'Z'. Every row counts as one person."),
    ],
)
def test_numbers_that_no_name_tells_are_said_and_the_choice_of_columns_is_open(name: str, said: str) -> None:
    rows = "".join(f"{-100 + at / 10},38,{1000 + at}\n" for at in range(600, 0, -5))
    app = with_csv(f"lon,lat,{name}\n{rows}".encode())
    assert [warning.value.replace("\\", "") for warning in app.warning if said in warning.value.replace("\\", "")]
    (columns,) = [box for box in app.expander if box.label == "Columns of the file"]
    assert columns.proto.expanded
    (weight,) = [box for box in app.selectbox if "_column_weight_" in str(box.key)]
    assert weight.value == (name if name == "pop_2020" else "(every row is one person)")


@pytest.mark.nightly
def test_tracts_are_offered_for_download(folders, serve, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dpot_core.datasets.downloads.pooch.os_cache", lambda name: folders[0])
    server = serve((200, FILE, {}))
    row = replace(
        datasets.POPULATIONS["tracts"],
        download=lambda progress: us_tracts.download_tracts(server.url, folders[0], progress, 115),
    )
    monkeypatch.setitem(datasets.POPULATIONS, "tracts", row)
    app = open_page({"pop_data": "US Census tracts 2010"})
    (button,) = [button for button in app.button if button.label == "Download 4 MB"]
    button.click().run()
    assert not app.exception and not app.error and figures(app) == MAPS
    app.sidebar.selectbox(key="pop_tracts_groups").set_value("race").run()
    assert "totals only" in app.info[0].value and figures(app) == 0


# --- take-away ------------------------------------------------------------------------------------------


def test_the_link_restores_the_page_and_the_python_runs() -> None:
    app = open_page({"pop_epsilon": "2", "pop_show": "One release"})
    app.session_state["pop_away"] = True
    app.run()
    assert not app.exception
    link, code, _ = (str(block.value) for block in app.code)
    again = open_page(parse_qs(urlsplit(link).query), quick=False)
    assert titles(again)[:2] == titles(app)[:2]
    names: dict[str, Any] = {"print": lambda *values: None}
    exec(code, names)
    cost = names["headlines"]["cost, coreset (squared units)"]
    assert number(cost) in next(body for body in html_of(app) if "dpot-table" in body)


@pytest.mark.parametrize(
    ("view", "key"), [("Inside", "population.inside"), ("Is the sensitivity true?", "population.sensitivity")]
)
def test_the_python_of_a_view_computes_it(view: str, key: str) -> None:
    app = open_page({"pop_view": view})
    app.session_state["pop_away"] = True
    app.run()
    code = str(app.code[1].value)
    assert f'.view("{key}")' in code
    names: dict[str, Any] = {"print": lambda *values: None}
    exec(code, names)
    assert names["headlines"] and names["tables"]


@pytest.mark.parametrize(
    "name",
    [
        *("pop_epsilon", "pop_data", "pop_seed", "pop_guarantee", "pop_view"),
        pytest.param("pop_m", marks=pytest.mark.nightly),  # its default is many atoms
    ],
)
def test_a_parameter_that_cannot_be_read_is_said(name: str) -> None:
    app = open_page({name: "<b>x</b>"})
    assert name in app.warning[0].value
    assert figures(app) == MAPS
