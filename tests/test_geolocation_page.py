"""The geolocation page as a program (Streamlit's AppTest: no browser): views, data of one's own, bad files."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from dpot_app.cities.city import make_city
from dpot_app.cities.crowd import ESTIMATES
from dpot_app.cities.place import Place
from dpot_app.figures.style import km
from dpot_app.shell.serving import Running
from dpot_app.views.geolocation import PAGE
from dpot_app.views.geolocation.settings import Config
from dpot_core import datasets
from dpot_core.datasets import simulated_city
from tests.apps import APP, figures, html_of, in_names, specs, text_of, titles
from tests.batch.scenarios.outcomes import with_short_curves
from tests.views.geolocation.examples import zones_geojson

QUICK = {"geo_n": "6"}
#: Pictures of one person: the truth, what three mechanisms make of it, their worst cases, one of them large.
PERSON = 6
#: The same of the crowd, and the curve.
CROWD = 2 + len(ESTIMATES)
NASTY = "<img src=x onerror=alert(1)>"


@pytest.fixture(scope="module", autouse=True)
def curves() -> Iterator[None]:
    with with_short_curves():
        yield


def open_page(parameters: Mapping[str, str | list[str]] | None = None) -> AppTest:
    app = AppTest.from_file(APP, default_timeout=600)
    app.query_params.update({**QUICK, **(parameters or {})})
    app.switch_page("pages/geolocation.py").run()
    assert not app.exception, [entry.value for entry in app.exception]
    return app


def csv(n: int = 12, names: tuple[str, str, str] = ("user", "lat", "lon"), label: str = "person") -> bytes:
    data = simulated_city(n)
    rows = [
        f'"{label} {user}",{lat:.5f},{lon:.5f}' for user, lat, lon in zip(data.user, data.lat, data.lon, strict=True)
    ]
    return "\n".join([",".join(names), *rows]).encode()


def with_csv(content: bytes, parameters: Mapping[str, str] | None = None) -> AppTest:
    app = open_page({"geo_data": "My CSV file", "geo_least": "1", **(parameters or {})})
    app.sidebar.file_uploader(key="geo_check-ins_file").set_value(("mine.csv", content, "text/csv")).run()
    assert not app.exception, [entry.value for entry in app.exception]
    return app


# --- views ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("view", "count"),
    [("One person", PERSON), ("The crowd", CROWD), ("Worst case", 2), ("Geo-indistinguishability", 1)],
)
def test_every_view_draws_without_complaint(view: str, count: int) -> None:
    app = open_page({"geo_view": view})
    assert not app.warning and not app.error
    assert figures(app) == count
    assert all("simulated" in title for title in titles(app)[:2])
    assert "UTM zone" in text_of(app)


@pytest.mark.parametrize(
    "parameters",
    [
        {"geo_n": "5", "geo_epsilon": "0.05", "geo_lambda": "0.1"},
        {"geo_epsilon": "10", "geo_lambda": "exact", "geo_person": "500", "geo_compare": "k-RR"},
        {"geo_base": "Minimax", "geo_least": "100"},
        {"geo_base": "Public prior", "geo_view": "The crowd", "geo_show": "Expectation", "geo_n": "5"},
        {"geo_base": "Minimax", "geo_view": "Worst case", "geo_minimax": "true"},
    ],
    ids=str,
)
def test_the_ends_of_every_control_work(parameters: dict[str, str]) -> None:
    app = open_page(parameters)
    assert not app.warning and not app.error
    assert figures(app) >= 2


def test_another_person_changes_the_picture() -> None:
    app = open_page()
    before = titles(app)[0]
    app.number_input(key="geo_person").set_value(2).run()
    assert not app.exception
    assert titles(app)[0] != before


@pytest.mark.nightly
def test_a_prior_says_what_it_costs() -> None:
    strips = [body for body in html_of(open_page({"geo_base": "Public prior", "geo_n": "6"}))]
    assert any("Not covered: the people set aside" in strip for strip in strips)
    app = open_page({"geo_base": "Public prior", "geo_view": "The crowd", "geo_n": "6"})
    assert "the prior alone is" in text_of(app)


def test_a_base_measure_of_one_s_own_is_typed_or_taken_from_a_drawing_and_is_in_link_and_strip() -> None:
    app = open_page({"geo_base": "My own", "geo_own": "0.1 0.1 99"})
    assert not app.warning and not app.error
    assert any("your own base measure" in strip for strip in html_of(app))
    assert "my own" in text_of(app), "with its worst case, beside those of other base measures"
    before = titles(app)
    app.text_area(key="geo_own_text").set_value("0.9 0.9 99").run()
    assert not app.exception and titles(app) != before
    app.text_area(key="geo_own_text").set_value("2 2 1").run()
    assert any("lies off the map" in error.value for error in app.error) and not titles(app)
    drawn = open_page({"geo_who": "Drawn by hand", "geo_drawn": "0.3 0.3 5"})
    next(button for button in drawn.button if button.label == "Use as base measure").click().run()
    assert not drawn.exception and drawn.session_state["geo_base"] == "own"
    assert drawn.text_area(key="geo_own_text").value == "0.3 0.3 5"


def test_whole_released_maps_are_flipped_through_but_for_a_private_file() -> None:
    app = open_page({"geo_view": "The crowd", "geo_n": "5"})

    def heat() -> list[Any]:
        return [trace["z"] for spec in specs(app) for trace in spec["data"] if trace.get("z") is not None]

    first = heat()
    assert first
    assert "The maps show run 1." in text_of(app)
    app.button_group(key="geo_run").set_value("3").run()
    assert not app.exception and heat() != first
    assert "The maps show run 3. Downloads hold the first one." in text_of(app)
    private = with_csv(csv(), {"geo_view": "The crowd"})
    assert not [group for group in private.get("button_group") if getattr(group, "key", "") == "geo_run"]


# A link that people may have: never change it, only add others.
OLD_LINK = (
    "geo_data=Simulated+city&geo_epsilon=1&geo_base=Minimax&geo_n=7&geo_outputs=Grid+cells&geo_least=20"
    "&geo_lambda=0.03&geo_view=One+person&geo_person=3&geo_compare=EM"
)


def test_an_old_link_still_restores_everything() -> None:
    app = open_page(parse_qs(OLD_LINK))
    assert not app.warning
    assert app.sidebar.select_slider(key="geo_epsilon").value == 1.0
    assert app.sidebar.selectbox(key="geo_base").value == "minimax"
    assert app.sidebar.select_slider(key="geo_n").value == 7
    assert app.sidebar.slider(key="geo_least").value == 20
    assert app.sidebar.select_slider(key="geo_lambda").value == 0.03
    assert app.number_input(key="geo_person").value == 3
    link = take_away(app)
    # What was asked for on later versions of the page has the value that it begins with.
    later = {"geo_map": ["output"], "geo_who": ["data"], "geo_p": ["1"], "geo_mechanisms": ["wpm", "kpm", "em"]}
    later |= {"geo_with": ["wpm"]}
    assert parse_qs(link.split("?", 1)[1]) == in_names(parse_qs(OLD_LINK)) | later


def take_away(app: AppTest) -> str:
    app.session_state["geo_away"] = True
    app.run()
    assert not app.exception
    return next(str(block.value) for block in app.code if "geo_epsilon" in block.value)


def test_the_snippet_on_the_page_is_the_experiments() -> None:
    app = open_page({"geo_person": "2"})
    take_away(app)
    config = Config(place=Place(n=6), person=2)
    person, curves = PAGE.view("geolocation.person"), PAGE.view("geolocation.worst-curves")
    assert person.python(config, (curves, config)).strip() in [block.value.strip() for block in app.code]


def test_results_shown_together_are_taken_away_together() -> None:
    app = open_page({"geo_n": "5", "geo_view": "Worst case", "geo_minimax": "true"})
    take_away(app)
    files = {button.proto.label for button in app.get("download_button")}
    assert {"worst-case.csv", "worst-case-cells.csv", "worst-case-minimax.csv", "worst-case.html"} <= files
    crowd = open_page({"geo_n": "5", "geo_view": "The crowd"})
    take_away(crowd)
    files = {button.proto.label for button in crowd.get("download_button")}
    assert {"crowd-first-run-cells.csv", "crowd-against-epsilon.csv", "crowd-against-epsilon.html"} <= files


@pytest.mark.parametrize(
    ("name", "value"),
    [
        pytest.param("geo_n", "41", marks=pytest.mark.nightly),  # the default grid is fine
        ("geo_n", "x"),
        ("geo_data", NASTY),
        ("geo_outputs", ""),
        ("geo_compare", ""),
        ("geo_person", "0"),
        ("geo_person", "inf"),
        ("geo_lambda", "-1"),
        ("geo_view", ""),
    ],
)
def test_a_broken_parameter_falls_back_to_its_default_and_says_so(name: str, value: str) -> None:
    app = open_page({name: value})
    assert len(app.warning) == 1 and f"`{name}`" in app.warning[0].value
    assert figures(app) == PERSON


def test_a_link_carries_the_box_in_which_people_are_counted() -> None:
    app = open_page({"geo_view": "The crowd", "geo_box": "0 0 0.5 1"})
    assert "18 cells in the box" in text_of(app) and not app.warning
    take_away(app)
    (link,) = [parse_qs(code.value.partition("?")[2]) for code in app.code if "geo_box" in code.value]
    assert link["geo_box"] == ["0 0 0.5 1"]
    broken = open_page({"geo_view": "The crowd", "geo_box": "0 0 2 1"})
    assert "`geo_box`" in broken.warning[0].value and "cells in the box" not in text_of(broken)


# --- data of one's own ----------------------------------------------------------------------------------


def test_a_csv_of_ones_own() -> None:
    app = with_csv(csv())
    assert not app.error and figures(app) == PERSON
    assert not any("simulated" in title for title in titles(app)[:2])
    assert "does not carry your file" in text_of(app)
    strips = [body for body in html_of(app)]
    assert any("box is drawn around the check-ins" in strip for strip in strips)


def test_columns_of_other_names_are_asked_for() -> None:
    app = with_csv(csv(names=("wer", "breite", "laenge")))
    assert "Choose the columns in the controls" in app.error[0].value and figures(app) == 0
    for role, column in (("user", "wer"), ("lat", "breite"), ("lon", "laenge")):
        box = next(box for box in app.sidebar.selectbox if box.label == role)
        box.set_value(column).run()
    assert not app.exception and not app.error
    assert figures(app) == PERSON


def test_without_a_file_the_page_asks_for_one() -> None:
    app = open_page({"geo_data": "My CSV file"})
    assert "not written to disk" in app.info[0].value and figures(app) == 0
    waiting = open_page({"geo_data": "My CSV file", "geo_view": "The crowd"})
    assert not waiting.warning, "the view is used as soon as there is a file"
    zones = open_page({"geo_outputs": "My zones"})
    assert "GeoJSON" in zones.info[0].value and figures(zones) == 0


GOOD = b"a,43.0,-38.0\n"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "empty"),
        (b"\x89PNG\r\n\x1a\n" + bytes(100), "PNG picture"),
        (b"user,lat,lon\n" + GOOD + b"\x00\x00", "NUL"),
        (b"user,lat\na,43\n", "no column for lon"),
        (b"user,lat,lon\n", "no rows"),
        (b"user,lat,lon\n" + GOOD + b"b,north,-38\n", "row 3, column 'lat'"),
        (b"user,lat,lon\n" + GOOD + b"b,91,-38\n", "row 3, column 'lat'"),
        (b"user,lat,lon\na,nan,-38\n", "every row of the CSV file lacks a number"),
        (b"user,lat,lon\na,inf,-38\n", "lat must be a number"),
        (b"user,lat,lon,count\na,43,-38,-1\n", "count must be a number"),
        (b"user,lat,lon,count\na,43,-38,0\n", "every count is 0"),
        (b"user,lat,lon\n" + GOOD + b"b,52.5,13.4\n", "span"),
        (b"user,lat,lon\na,89.9,10\n", "UTM"),
        (f"user,lat,lon\na,{NASTY},-38\n".encode(), "img src=x"),
    ],
    ids=lambda value: str(value)[:30],
)
def test_a_csv_that_cannot_be_used_gets_a_sentence(content: bytes, message: str) -> None:
    app = with_csv(content)
    assert len(app.error) == 1 and figures(app) == 0
    said = app.error[0].value.replace("\\", "")
    assert message in said, said
    assert "<img" not in app.error[0].value.replace("\\<", "")


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "latin-1"])
def test_usual_encodings_of_names(encoding: str) -> None:
    app = with_csv(csv(label="Zoë").decode().encode(encoding))
    assert not app.error and figures(app) == PERSON
    assert "Zoë" in titles(app)[0]


@pytest.mark.nightly
def test_one_spot_is_a_city_too() -> None:
    app = with_csv(b"user,lat,lon\n" + GOOD + b"b,43.0,-38.0\n")
    assert not app.error and figures(app) == PERSON


def test_too_few_check_ins_is_said() -> None:
    app = with_csv(b"user,lat,lon\n" + GOOD, {"geo_least": "10"})
    assert "no user has 10 check-ins or more" in app.error[0].value.replace("\\", "")


def test_names_are_no_markup() -> None:
    app = with_csv(csv(label=f"{NASTY} **bold** :red[x]"))
    # Titles are put on the screen as text, not as markup.
    assert "<img" in titles(app)[0] and "**bold**" in titles(app)[0]
    charts = [json.dumps(spec) for spec in specs(app)]
    assert not any("<img" in chart or "\\u003cimg" in chart for chart in charts)


# --- zones ----------------------------------------------------------------------------------------------


def with_zones(content: bytes, parameters: Mapping[str, str] | None = None) -> AppTest:
    app = open_page({"geo_outputs": "My zones", **(parameters or {})})
    app.sidebar.file_uploader(key="geo_zones_file").set_value(("z.geojson", content, "application/json")).run()
    assert not app.exception, [entry.value for entry in app.exception]
    return app


def city_zones() -> bytes:
    return zones_geojson(make_city(simulated_city(), Place(n=6)))


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("view", "count"),
    [("One person", PERSON), pytest.param("The crowd", CROWD, marks=pytest.mark.nightly), ("Worst case", 2)],
)
def test_zones_of_ones_own_in_every_view(view: str, count: int) -> None:
    app = with_zones(city_zones(), {"geo_view": view})
    assert not app.error and figures(app) == count
    assert "Zones: 3 from z.geojson" in text_of(app).replace("\\", "")


def feature(coordinates: Any, kind: str = "Polygon") -> bytes:
    geometry = {"type": kind, "coordinates": coordinates}
    return json.dumps({"type": "Feature", "properties": {"name": NASTY}, "geometry": geometry}).encode()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "empty"),
        (b"{", "not valid JSON"),
        (b"[]", "must be an object"),
        (b'{"type": "FeatureCollection", "features": []}', "no features"),
        (feature([-38.0, 43.0], "Point"), "zones must be polygons"),
        (feature([[[13.3, 52.4], [13.5, 52.4], [13.5, 52.6], [13.3, 52.4]]]), "from the middle of the city"),
        (feature([[[43.0, -38.0], [43.1, -38.0], [43.1, -38.1], [43.0, -38.0]]]), "swapped"),
        (feature([[[500.0, 43.0], [501.0, 43.0], [501.0, 44.0], [500.0, 43.0]]]), "WGS 84"),
        (feature([[["<b>", 43.0], [1, 2], [3, 4], [1, 2]]]), "pairs of numbers"),
    ],
    ids=lambda value: str(value)[:30],
)
def test_zones_that_cannot_be_used_get_a_sentence(content: bytes, message: str) -> None:
    app = with_zones(content)
    assert len(app.error) == 1 and figures(app) == 0
    assert message in app.error[0].value.replace("\\", "")


def test_an_outline_that_crosses_itself_is_repaired_and_said() -> None:
    app = with_zones(feature([[[-38.1, 43.0], [-37.9, 43.1], [-37.9, 43.0], [-38.1, 43.1], [-38.1, 43.0]]]))
    assert not app.error and figures(app) == PERSON
    assert "epaired" in text_of(app)


# --- Gowalla --------------------------------------------------------------------------------------------


@pytest.fixture
def no_gowalla(tmp_path: Path, nothing_loaded: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Neither the real data nor a cache on this machine."""
    monkeypatch.delenv("DPOT_DATA", raising=False)
    monkeypatch.setattr("pooch.os_cache", lambda project: tmp_path / project)
    st.cache_resource.clear()
    yield
    st.cache_resource.clear()


def press_download(download: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> AppTest:
    row = datasets.DATASETS["gowalla-austin"]
    monkeypatch.setitem(datasets.DATASETS, "gowalla-austin", replace(row, download=download))
    app = open_page({"geo_data": "Gowalla, Austin"})
    assert figures(app) == 0
    assert "105 MB" in app.info[0].value and app.button(key="geo_download").label == "Download 105 MB"
    app.button(key="geo_download").click().run()
    assert not app.exception
    return app


@pytest.mark.nightly
def test_gowalla_is_downloaded_when_asked_for(no_gowalla: None, monkeypatch: pytest.MonkeyPatch) -> None:
    made_room = [False]

    @contextmanager
    def pause() -> Iterator[None]:
        made_room[0] = True
        yield
        made_room[0] = False

    monkeypatch.setattr(Running, "pause", pause)

    def download(progress: Callable[[int, int], None]) -> None:
        assert made_room[0], "others need not wait for what only the network does"
        data = simulated_city(30)
        rows = [
            f"{user},{row},{lat - 12.7},{lon - 59.75},{int(count)}"  # from the ocean to Austin
            for row, (user, lat, lon, count) in enumerate(zip(data.user, data.lat, data.lon, data.count, strict=True))
        ]
        path = datasets.cached_gowalla()
        path.parent.mkdir(parents=True, exist_ok=True)

        path.write_bytes(gzip.compress("\n".join(["user,location_id,lat,lon,n_checkins", *rows]).encode()))
        progress(105_000_000, 105_000_000)

    app = press_download(download, monkeypatch)
    assert not made_room[0]
    assert not app.error and not app.info
    assert figures(app) == PERSON


def test_a_download_that_fails_says_so_and_can_be_tried_again(
    no_gowalla: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    def download(progress: Callable[[int, int], None]) -> None:
        raise datasets.DownloadError("could not download: no network")

    app = press_download(download, monkeypatch)
    assert "no network" in app.error[0].value
    app.run()
    assert app.button(key="geo_download").label == "Download 105 MB"


@pytest.mark.nightly
def test_gowalla_shows_wpm_nearer_than_kpm_and_em(real_data: Callable[[str], Path]) -> None:
    real_data("gowalla/austin_counts.csv.gz")
    app = open_page({"geo_data": "Gowalla, Austin", "geo_n": "20", "geo_view": "The crowd"})
    assert not app.error and not app.warning
    for epsilon in (2.0, 4.0):
        app.sidebar.select_slider(key="geo_epsilon").set_value(epsilon).run()
        names = [note["text"] for chart in specs(app) for note in chart["layout"]["annotations"] if "±" in note["text"]]
        shown = {name: float(text.split(" ±")[0]) for name, text in (re.split(": |<br>", note) for note in names)}
        assert shown["WPM"] < 0.9 * min(shown["KPM"], shown["EM"]), shown
        assert f"{km(shown['WPM'])} with WPM" in titles(app)[1]


# --- the street map -------------------------------------------------------------------------------------


def street_map_of(app: AppTest) -> Any:
    """The open expander."""
    if "geo_tiles" not in app.session_state or not app.session_state["geo_tiles"]:
        app.session_state["geo_tiles"] = True
        app.run()
    (found,) = (one for one in app.expander if one.label.startswith("On a street map"))
    return found


@pytest.mark.nightly
def test_a_street_map_is_offered_for_real_places_only_and_is_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DPOT_TILES", "https://tiles.example/{z}/{x}/{y}.png")
    offered = street_map_of(open_page())
    assert "invented" in offered.caption[0].value and not offered.text_input and not offered.toggle
    app = with_csv(csv())
    offered = street_map_of(app)
    assert "It never learns the data" in offered.caption[0].value
    assert offered.text_input[0].value == "https://tiles.example/{z}/{x}/{y}.png"
    assert not offered.toggle[0].value and figures(app) == PERSON
    offered.toggle[0].set_value(True).run()
    assert "Say who made the map" in street_map_of(app).error[0].value
    street_map_of(app).text_input[1].set_value("Somebody").run()
    assert not app.error and figures(app) == PERSON + 1
    assert not any("tiles" in name for name in app.query_params)


@pytest.mark.nightly
def test_a_street_map_is_offered_on_a_fine_grid_too() -> None:
    offered = street_map_of(with_csv(csv(), {"geo_n": "48"}))
    assert "It never learns the data" in offered.caption[0].value and not offered.toggle[0].value
