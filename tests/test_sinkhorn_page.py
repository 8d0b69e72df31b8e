"""The private transport page as a program (Streamlit's AppTest: no browser): views, links, data of one's own."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from urllib.parse import parse_qs

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from dpot_app.views.sinkhorn.settings import FIRST, Config, Data
from dpot_app.views.table import VIEWS
from tests.apps import APP, figures, html_of, in_names, opened, text_of, titles
from tests.batch.scenarios.outcomes import shorten_sweeps, with_short_curves

NASTY = "<img src=x onerror=alert(1)>"
SMALL = {"sinkhorn_n": "500", "sinkhorn_cells": "4"}


@pytest.fixture(scope="module", autouse=True)
def curves() -> Iterator[None]:
    with with_short_curves():
        yield


def open_page(parameters: Mapping[str, str | list[str]] | None = None) -> AppTest:
    app = AppTest.from_file(APP, default_timeout=600)
    app.query_params.update(parameters or {})
    app.switch_page("pages/sinkhorn.py").run()
    assert not app.exception, [entry.value for entry in app.exception]
    return app


def strip(app: AppTest) -> str:
    return next(body for body in html_of(app) if "dpot-strip" in body)


def with_csv(content: bytes, parameters: Mapping[str, str] | None = None) -> AppTest:
    app = open_page({"sinkhorn_data": "My CSV file", **(parameters or {})})
    app.sidebar.file_uploader(key="sinkhorn_points_file").set_value(("mine.csv", content, "text/csv")).run()
    assert not app.exception, [entry.value for entry in app.exception]
    return app


def csv(n: int = 60, names: tuple[str, str] = ("before", "after")) -> bytes:
    rng = np.random.default_rng(0)
    rows = [f'"{name}",{x:.4f},{y:.4f}' for name in names for x, y in rng.random((n, 2))]
    return "\n".join(["group,x,y", *rows]).encode()


# --- views ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("view", "count"),
    [
        ("Plan", 7),
        ("Potentials", 4),
        ("Cost alone", 1),
        ("Convergence", 1),
        ("What the paper's theorem assumes", 1),
    ],
)
@pytest.mark.parametrize("guarantee", ["Proven", "Paper, not proven"])
def test_every_view_draws_without_complaint(
    view: str, count: int, guarantee: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if view == "Cost alone":
        shorten_sweeps(monkeypatch)
    app = open_page({**SMALL, "sinkhorn_view": view, "sinkhorn_guarantee": guarantee})
    assert not app.error and figures(app) == count
    assert len(app.warning) == (guarantee != "Proven")
    assert ("not proven" in strip(app)) == (guarantee != "Proven")
    text = text_of(app)
    assert "For the cost alone Noisy Sinkhorn is not worth it" in text and "Direct Laplace" in text
    assert "simulated" in text + " ".join(titles(app))


@pytest.mark.parametrize(
    "parameters",
    [
        {"sinkhorn_n": "100", "sinkhorn_eta": "0.02", "sinkhorn_epsilon": "0.05", "sinkhorn_cells": "3"},
        {"sinkhorn_n": "100000", "sinkhorn_eta": "5", "sinkhorn_epsilon": "10", "sinkhorn_rounds": "1"},
        {"sinkhorn_rounds": "20", "sinkhorn_share": "0.95", "sinkhorn_cost": "Distance", "sinkhorn_n": "100"},
        {"sinkhorn_share": "0.05", "sinkhorn_people": "Both sets", "sinkhorn_floor": "0.5", "sinkhorn_delta": "1e-09"},
        {"sinkhorn_guarantee": "Paper, not proven", "sinkhorn_constants": "As printed", "sinkhorn_eta": "0.02"},
        {"sinkhorn_data": "Check-ins, simulated city", "sinkhorn_n": "1000", "sinkhorn_draw": "9999"},
        {"sinkhorn_data": "Two rings", "sinkhorn_cells": "8", "sinkhorn_rounds": "1", "sinkhorn_n": "200"},
        pytest.param({"sinkhorn_cells": "16", "sinkhorn_n": "200"}, marks=pytest.mark.nightly),
    ],
    ids=str,
)
def test_the_ends_of_every_control_work(parameters: dict[str, str]) -> None:
    app = open_page({"sinkhorn_cells": "4", **parameters})
    assert not app.error and figures(app) == 7


def test_a_vacuous_guarantee_says_so() -> None:
    assert "say nothing" in text_of(open_page({**SMALL, "sinkhorn_eta": "0.02"}))
    assert "say nothing" not in text_of(open_page({**SMALL, "sinkhorn_eta": "5"}))


@pytest.mark.nightly
def test_the_noise_and_the_budget_follow_their_controls() -> None:
    before, after = open_page(SMALL), open_page({**SMALL, "sinkhorn_epsilon": "10"})
    # Particles along the exact plan and along a private one, then the four plans: what is not private has no noise.
    same = [one == other for one, other in zip(titles(before), titles(after), strict=True)]
    assert same[:4] == [True, False, True, True] and not all(same[4:6])
    both = open_page({**SMALL, "sinkhorn_people": "Both sets"})
    assert "differ in one record of each" in strip(both) and "one record is one point" in strip(both)
    ledger = [body for body in html_of(both) if "noise / sensitivity" in body]
    shares = [int(share) for share in re.findall(r"<td>(\d+)%</td>", ledger[0])]
    assert sum(shares) == 100 and len(shares) == 4


@pytest.mark.nightly
def test_the_theorem_view_follows_the_point_that_moves() -> None:
    view = {"sinkhorn_view": "What the paper's theorem assumes"}
    far, near = open_page(SMALL | view), open_page({**SMALL, **view, "sinkhorn_place": "0.3"})
    assert "moves to 1:" in titles(far)[0] and "moves to 0.3:" in titles(near)[0]
    tables = [body for body in html_of(far) if "As printed" in body]
    assert "Corrected (2 and 3)" in tables[0]
    assert "Theorem 3 asks for" in text_of(far)
    assert "factor 2 is lost" in text_of(far) and "stays without a proof" in text_of(far)


@pytest.mark.nightly
def test_eta_and_rounds_are_found_on_request() -> None:
    app = open_page({**SMALL, "sinkhorn_view": "Convergence", "sinkhorn_tune": "true"})
    assert "Best of 28 pairs" in text_of(app) and "costs no privacy" in text_of(app)


def test_check_ins_are_counted_one_by_one_and_gowalla_is_offered() -> None:
    app = open_page({**SMALL, "sinkhorn_data": "Check-ins, simulated city"})
    assert "one record is one check-in" in strip(app)


@pytest.mark.usefixtures("nothing_loaded")
def test_gowalla_is_offered_where_it_is_missing(monkeypatch: pytest.MonkeyPatch, tmp_path) -> None:
    for name in ("DPOT_DATA", "DPOT_CACHE", "XDG_CACHE_HOME", "HOME"):
        monkeypatch.setenv(name, str(tmp_path))
    app = open_page({**SMALL, "sinkhorn_data": "Check-ins, Gowalla Austin", "sinkhorn_seed": "77"})
    assert figures(app) == 0
    assert any("Download" in button.label for button in app.button)


# --- links, take-away -----------------------------------------------------------------------------------

# A link that people may have: never change it, only add others.
OLD_LINK = (
    "sinkhorn_data=Two+rings&sinkhorn_n=500&sinkhorn_guarantee=Proven&sinkhorn_epsilon=2&sinkhorn_eta=0.5"
    "&sinkhorn_rounds=2&sinkhorn_share=0.4&sinkhorn_cells=4&sinkhorn_cost=Distance&sinkhorn_delta=1e-06"
    "&sinkhorn_people=Both+sets&sinkhorn_floor=0.1&sinkhorn_constants=As+printed&sinkhorn_seed=3&sinkhorn_draw=4"
    "&sinkhorn_view=Plan"
)


def take_away(app: AppTest) -> list[str]:
    app.session_state["sinkhorn_away"] = True
    app.run()
    assert not app.exception
    return [str(block.value) for block in app.code]


def test_an_old_link_still_restores_everything_and_the_snippet_is_the_studys() -> None:
    app = open_page(parse_qs(OLD_LINK))
    assert not app.warning
    link, python, _ = take_away(app)[-3:]
    began = {"sinkhorn_along": ["sinkhorn"], "sinkhorn_with": ["noisy-sinkhorn"]}
    assert parse_qs(link.split("?", 1)[1]) == in_names(parse_qs(OLD_LINK)) | began
    config = Config(
        data=Data(source="rings", n=500, seed=3, cells=4, p=1),
        eta=0.5,
        epsilon=2.0,
        delta=1e-6,
        steps=2,
        share=0.4,
        floor=0.1,
        people="both",
        guarantee="proven",
        constants="printed",
        draw=4,
    )
    view = VIEWS["sinkhorn.release"]
    assert python.strip() == view.python(config).strip()
    assert python.strip() != view.python(replace(config, draw=5)).strip()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("sinkhorn_n", "300"),
        ("sinkhorn_data", NASTY),
        ("sinkhorn_rounds", "0"),
        ("sinkhorn_delta", "0"),
        ("sinkhorn_eta", "-1"),
        ("sinkhorn_cells", "2"),
        ("sinkhorn_guarantee", "Hoped"),
        ("sinkhorn_view", ""),
    ],
)
def test_a_broken_parameter_falls_back_to_its_default_and_says_so(name: str, value: str) -> None:
    app = open_page({**SMALL, name: value})
    assert len(app.warning) == 1 and f"`{name}`" in app.warning[0].value
    assert figures(app) == 7


def test_a_release_for_real_is_offered_where_it_can_be_kept() -> None:
    plan = opened(open_page(SMALL))
    assert any("noisy_sinkhorn(" in block.value and "secure=True" in block.value for block in plan.code)
    cost = opened(open_page({**SMALL, "sinkhorn_view": "Cost alone"}))
    assert any("private_transport_cost" in block.value and "secure=True" in block.value for block in cost.code)
    paper = open_page({**SMALL, "sinkhorn_guarantee": "Paper, not proven"})
    assert not paper.code and "What is not proven is not released" in text_of(paper)
    around = open_page({**SMALL, "sinkhorn_data": "Check-ins, simulated city"})
    assert not around.code and "needs a rectangle that was fixed beforehand" in text_of(around)
    rounds = open_page({**SMALL, "sinkhorn_view": "Convergence"})
    assert not rounds.code and "Not a release" in strip(rounds)


@pytest.mark.parametrize("route", ["Noisy Sinkhorn", "Histograms first"])
def test_the_route_that_is_released_is_promised_and_small_what_both_would_cost(route: str) -> None:
    shown = strip(open_page(SMALL | {"sinkhorn_with": route}))
    assert f"One release with {route} promises:" in shown and "<b>ε = 1<" in shown and "<b>ε = 2<" not in shown
    assert "would cost ε = 2, δ = 2e-05 in all (Noisy Sinkhorn: ε = 1" in shown


# --- what it begins with ----------------------------------------------------------------------------------


def asked(app: AppTest) -> tuple[object, ...]:
    eta, n, floor = (
        next(box.value for box in app.sidebar.select_slider if box.key == f"sinkhorn_{name}")
        for name in ("eta", "n", "floor")
    )
    rounds, cells = (app.sidebar.slider(key=f"sinkhorn_{name}").value for name in ("rounds", "cells"))
    return eta, n, floor, rounds, cells


DEFAULTS, BEGINNING = ((one.eta, one.data.n, one.floor, one.steps, one.data.cells) for one in (Config(), FIRST))


@pytest.mark.nightly
def test_only_an_address_that_says_nothing_begins_where_the_defaults_are_not() -> None:
    app = open_page()
    assert asked(app) == BEGINNING and any("0.015 |c|" in title for title in titles(app))
    # What the reader moves stays, there and when the page is left and opened again.
    app.sidebar.select_slider(key="sinkhorn_eta").set_value(0.3).run()
    assert asked(app)[0] == 0.3
    app.switch_page("pages/ring.py").run()
    app.query_params.clear()
    app.switch_page("pages/sinkhorn.py").run()
    assert not app.exception and asked(app)[0] == 0.3
    # The address of such a visit lacks what stands as it began, and says so.
    assert app.query_params["sinkhorn_version"] == "2"
    again = open_page({"sinkhorn_version": "2", "sinkhorn_cells": "5"})
    assert asked(again) == (*BEGINNING[:-1], 5) and not again.warning
    assert "not used" in open_page({"sinkhorn_version": "3"}).warning[0].value
    # Every link that there was before lacks what it left at the defaults, and means them.
    assert asked(open_page({"sinkhorn_epsilon": "2"})) == DEFAULTS
    assert asked(open_page({"sinkhorn_view": "Convergence"})) == DEFAULTS
    assert asked(open_page({"sinkhorn_cells": "5"})) == (*DEFAULTS[:-1], 5)


# --- data of one's own ----------------------------------------------------------------------------------


def test_a_csv_of_ones_own_is_not_called_simulated() -> None:
    app = with_csv(csv(), {"sinkhorn_cells": "4"})
    assert not app.error and figures(app) == 7
    assert not any("simulated" in title for title in titles(app))
    assert "The link does not carry your file" in text_of(app)


@pytest.mark.nightly
def test_a_rectangle_fixed_beforehand_is_not_called_drawn_around_the_points() -> None:
    around = with_csv(csv(), {"sinkhorn_cells": "4"})
    assert "although drawn around the points" in strip(around)
    fixed = {"sinkhorn_rectangle": "Fixed beforehand", "sinkhorn_west": "-10", "sinkhorn_east": "0.25"}
    app = with_csv(csv(), {"sinkhorn_cells": "4", **fixed})
    assert figures(app) == 7 and "although drawn around the points" not in strip(app)
    assert any("box=(-10.0, 0.0, 0.25, 1.0)" in code for code in take_away(app))
    assert any("lay beyond the public rectangle" in box.value for box in app.warning)
    assert not around.warning
    aside = with_csv(csv(), {**fixed, "sinkhorn_west": "10", "sinkhorn_east": "11"})
    assert figures(aside) > 0 and "120 of 120" in aside.warning[0].value
    far = {"sinkhorn_west": "-11", "sinkhorn_east": "-10", "sinkhorn_south": "-1", "sinkhorn_north": "-0.5"}
    corner = with_csv(csv(), {**fixed, **far})
    assert figures(corner) == 0 and "lies in one cell" in corner.error[0].value.replace("\\", "")
    empty = with_csv(csv(), {**fixed, "sinkhorn_west": "3"})
    assert figures(empty) == 0 and "smallest < largest" in empty.error[0].value.replace("\\", "")


@pytest.mark.parametrize(
    ("view", "total"), [("Plan", "--total 1.0 --delta 1e-05 --out"), ("Cost alone", "--total 1.0 --out")]
)
def test_ones_own_points_are_released_by_the_command_from_a_ledger(view: str, total: str) -> None:
    fixed = {"sinkhorn_west": "0", "sinkhorn_south": "0", "sinkhorn_east": "1", "sinkhorn_north": "1"}
    asked = {**fixed, "sinkhorn_cells": "3", "sinkhorn_rectangle": "Fixed beforehand", "sinkhorn_view": view}
    app = with_csv(csv(), asked)
    (said,) = (box.value for box in app.markdown if "dpot release" in box.value)
    assert not any("secure=True" in block.value for block in app.code)
    assert f"--data points.csv {total} released.csv" in said and "the ledger refuses more" in said


def test_a_name_that_is_code_stays_text() -> None:
    app = with_csv(csv(names=(NASTY, "**bold**")), {"sinkhorn_cells": "4"})
    assert NASTY not in text_of(app) and "**bold**" not in text_of(app)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"group,x,y\na,1,1\n", "exactly two groups"),
        (b"group,x,y\na,1,1\nb,2,2\n", "at least 2 points"),
        (b"group,x,y\na,1,1\nb,two,2\n", "must be a number"),
        (b"", "empty"),
    ],
)
def test_files_that_cannot_be_used_get_a_sentence(content: bytes, message: str) -> None:
    app = with_csv(content)
    assert figures(app) == 0 and message in app.error[0].value.replace("\\", "")


def test_columns_are_asked_for() -> None:
    app = with_csv(csv().replace(b"group,x,y", b"who,e,n"))
    assert "Choose the columns" in app.error[0].value
    for role, column in (("group", "who"), ("x", "e"), ("y", "n")):
        next(box for box in app.sidebar.selectbox if box.label == role).set_value(column)
    app.run()
    assert not app.error and figures(app) == 7
