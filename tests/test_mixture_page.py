"""The mixture page as a program (Streamlit's AppTest: no browser): views, links, modes of one's own, bad input."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any
from urllib.parse import parse_qs

import pytest
from streamlit.testing.v1 import AppTest

from dpot_app.kit.script import written
from dpot_app.shell.numbers import changed
from dpot_app.shell.rows import read_rows, write_rows
from dpot_app.views.mixture import PAGE
from dpot_app.views.mixture.line.results import run_line
from dpot_app.views.mixture.line.text import VIEW as LINE
from dpot_app.views.mixture.line.text import release_script
from dpot_app.views.mixture.many.results import many_mixtures
from dpot_app.views.mixture.many.settings import ManyConfig
from dpot_app.views.mixture.many.settings import link as many_link
from dpot_app.views.mixture.published import published_modes
from dpot_app.views.mixture.settings import NAMES, Config, Family, Modes, link
from dpot_app.views.mixture.worst_case import worst_now
from dpot_core.privacy.numerals import at_most, number, percent
from tests.apps import APP, figures, html_of, in_names, opened, text_of, titles


def open_page(parameters: Mapping[str, str | list[str]] | None = None) -> AppTest:
    app = AppTest.from_file(APP, default_timeout=600)
    app.query_params.update(parameters or {})
    app.switch_page("pages/mixture.py").run()
    assert not app.exception, [entry.value for entry in app.exception]
    return app


def all_html(app: AppTest) -> str:
    return "\n".join(html_of(app))


# --- views ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("parameters", "count"),
    [
        ({}, 2),
        pytest.param({"mix_details": "Worst case"}, 3, marks=pytest.mark.nightly),
        pytest.param(
            {"mix_details": "Worst of many", "mix_source": "Random", "mix_many": "3"}, 3, marks=pytest.mark.nightly
        ),
        ({"mix_view": "Plane", "mix_plane_cells": "12"}, 4),
        ({"mix_view": "Sphere"}, 3),
        pytest.param({"mix_view": "Sphere", "mix_d": "1"}, 3, marks=pytest.mark.nightly),
        ({"mix_view": "Sphere", "mix_d": "100", "mix_orders": ["16"]}, 2),
    ],
    ids=str,
)
def test_every_view_draws_without_complaint(parameters: Mapping[str, str | list[str]], count: int) -> None:
    app = open_page(parameters)
    assert not app.warning and not app.error
    assert figures(app) == count


@pytest.mark.parametrize(
    "parameters",
    [
        {
            "mix_epsilon": "0.05",
            "mix_variance": "0.05",
            "mix_radius": "3",
            "mix_modes": "Ten random",
            "mix_cells": "100",
        },
        {"mix_epsilon": "10", "mix_variance": "4", "mix_draws": "0", "mix_mechanisms": ""},
        pytest.param(
            {"mix_modes": "One mode", "mix_mean": "-1", "mix_cells": "1000", "mix_p": "1", "mix_reference": "0.05"},
            marks=pytest.mark.nightly,
        ),
        {"mix_modes": "One mode", "mix_mean": "1", "mix_p": "4", "mix_reference": "4", "mix_cells": "100"},
        {"mix_p": "1.5", "mix_loss": "χ²", "mix_cells": "100"},
        {"mix_modes": "Fig. 4 of the paper", "mix_paper": "100", "mix_draws": "100000"},
        pytest.param(
            {"mix_view": "Plane", "mix_envelope": "Authors' program", "mix_plane_cells": "12", "mix_ring": "12"},
            marks=pytest.mark.nightly,
        ),
        pytest.param(
            {
                "mix_view": "Plane",
                "mix_plane_modes": "Ten random",
                "mix_plane_radius": "3",
                "mix_plane_variance": "0.05",
            },
            marks=pytest.mark.nightly,
        ),
        {"mix_view": "Plane", "mix_plane_modes": "My own", "mix_plane_mechanisms": "", "mix_plane_epsilon": "10"},
        {"mix_view": "Sphere", "mix_sphere_epsilon": "10", "mix_d": "3"},
    ],
    ids=str,
)
def test_the_ends_of_every_control_work(parameters: Mapping[str, str]) -> None:
    app = open_page(parameters)
    assert not app.warning and not app.error
    assert figures(app) >= 1


def test_the_numbers_are_the_experiments() -> None:
    app = open_page({"mix_modes": "Fig. 4 of the paper", "mix_paper": "17"})
    found = run_line(Config(modes=published_modes()[16]))
    own = found.numbers["kpm"]
    table = all_html(app)
    for value in (*own.divergences.values(), own.r, own.low, own.high):
        assert f"{number(value)}" in table
    assert f"{at_most(worst_now(Family(), 1.0).divergences['kl'])}" in table
    assert found.numbers["mollifier"].divergences["kl"] < own.divergences["kl"]
    costs = [f"{found.numbers[name].divergences['kl']:.3g}" for name in ("mollifier", "kpm")]
    assert "Mollifier costs this input a KL of {} nats, KPM {};".format(*costs) in titles(app)[0]
    assert f"{percent(own.acceptance)} of the draws" in text_of(app)
    assert "smaller than ε by 2e-09" in text_of(app), "epsilon' is shown"


@pytest.mark.nightly
def test_settings_of_many_mixtures_open_on_the_page() -> None:
    config = ManyConfig(source="random", count=2, seed=5, family=Family(variance=0.5, radius=0.5), reference=2.0, p=1)
    app = open_page({f"mix_{name}": value for name, value in many_link(config).items()})
    assert not app.warning and not app.error and figures(app) == 3
    largest = many_mixtures(config).worst.set_index(["epsilon", "mechanism"]).loc[(1.0, "kpm"), "kl"]
    assert titles(app)[2].startswith(f"Worst of 2 random mixtures at ε = 1: a KL of {largest:.3g} nats with KPM")


def test_the_strip_names_what_is_public() -> None:
    for view, words in (
        ("Line", "mixture of Gaussians with variance 1 and |mean| ≤ 1 on [-4, 4]"),
        ("Plane", "mixture of Gaussians with variance 0.5 and |mean| ≤ 1 on the plane"),
        ("Sphere", "the sphere of dimension 2"),
    ):
        assert words in all_html(open_page({"mix_view": view, "mix_plane_cells": "12"}))


def test_too_loose_an_envelope_is_refused_in_words() -> None:
    app = open_page({"mix_view": "Plane", "mix_envelope": "Authors' program", "mix_plane_variance": "2"})
    assert "no bound for a variance above 1" in app.error[0].value.replace("\\", "")
    assert figures(app) == 0


def test_without_an_order_the_sphere_asks_for_one() -> None:
    assert "Choose an order p" in open_page({"mix_view": "Sphere", "mix_orders": ""}).info[0].value


# --- MBDE -------------------------------------------------------------------------------------------------


@pytest.mark.nightly
def test_mbde_is_off_until_it_is_chosen() -> None:
    app = open_page()
    pills = app.sidebar.button_group(key="mix_mechanisms")
    assert "mbde" not in pills.value and "MBDE" not in text_of(app) + titles(app)[0] + all_html(app)
    assert "mix_training" not in app.session_state
    pills.set_value([*pills.value, "mbde"]).run()
    assert not app.exception and not app.error and figures(app) == 2
    config = Config(modes=Modes(means=(-1.0, 1.0), weights=(0.9, 0.1)), mechanisms=("kpm", "mollifier", "wpm", "mbde"))
    own = run_line(config).numbers["mbde"]
    table = all_html(app)
    assert "MBDE (trained, random)" in table and "the trained network is not released" in table
    for value in (*own.divergences.values(), own.low, own.high):
        assert f"{number(value)}" in table
    assert "is not released" in text_of(app)
    app.sidebar.number_input(key="mix_training").set_value(2).run()
    assert not app.exception and all_html(app) != table, "another seed, another output"
    open_link(app)
    code = next(block.value for block in app.code if "PAGES" in block.value)
    assert "'mbde'" in code and "training=2" in code


@pytest.mark.nightly
def test_without_the_abandoned_mbde_the_rest_stands() -> None:
    mechanisms = ("kpm", "mbde")
    example = PAGE.view("mixture.line").example
    config = replace(example, mechanisms=mechanisms, training=77)
    app = AppTest.from_file(APP, default_timeout=600)
    app.query_params.update({"mix_mechanisms": [NAMES[name] for name in mechanisms], "mix_training": "77"})
    app.session_state["mix_mixture.line_abandoned"] = ("mixture.line", config)
    app.switch_page("pages/mixture.py").run()
    assert not app.exception and figures(app) == 2
    assert app.info[0].value.startswith("Cancelled: 0 of ")
    assert "MBDE" not in titles(app)[0] and "MBDE" not in all_html(app)
    app.button(key="mix_mixture.line_abandoned_go").click().run()
    assert not app.exception and not app.info and "MBDE (trained, random)" in titles(app)[0]


def test_a_solver_that_fails_among_many_mixtures_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    for kind in (ValueError, RuntimeError):

        def fail(*_: object, kind: type[Exception] = kind) -> None:
            raise kind("the program failed")

        monkeypatch.setattr("dpot_app.views.mixture.many.results.private_density", fail)
        app = open_page({"mix_details": "Worst of many", "mix_source": "Random", "mix_many": "1", "mix_many_seed": "9"})
        assert "the program failed" in app.error[0].value and figures(app) == 2


# --- links ------------------------------------------------------------------------------------------------


# Links that people may have: never change them, only add others.
def test_a_mean_between_the_steps_of_its_slider_is_taken_from_a_link() -> None:
    app = open_page({"mix_modes": "One mode", "mix_mean": "0.59533"})
    assert not app.exception and not app.warning and app.sidebar.slider(key="mix_mean").value == 0.59533


OLD_LINKS: tuple[Any, ...] = (
    "mix_view=Line&mix_epsilon=2&mix_mechanisms=KPM&mix_mechanisms=WPM&mix_radius=1.5&mix_variance=0.5"
    "&mix_modes=Ten+random&mix_modes_seed=4&mix_draws=100&mix_seed=2&mix_reference=2&mix_cells=200&mix_p=1"
    "&mix_details=Worst+case",
    pytest.param(
        "mix_view=Line&mix_epsilon=1&mix_mechanisms=KPM&mix_mechanisms=MBDE+%28trained%2C+random%29&mix_radius=1"
        "&mix_variance=1&mix_modes=One+mode&mix_mean=0.9&mix_draws=0&mix_seed=1&mix_reference=1&mix_cells=200&mix_p=2"
        "&mix_training=5&mix_details=This+input+in+numbers",
        marks=pytest.mark.nightly,  # trains MBDE
    ),
    pytest.param(
        "mix_view=Plane&mix_plane_epsilon=1&mix_plane_mechanisms=KPM&mix_plane_radius=1&mix_plane_variance=0.5"
        "&mix_plane_modes=Ring&mix_ring=5&mix_envelope=Authors%27+program&mix_plane_reference=1&mix_plane_cells=12"
        "&mix_plane_p=2&mix_compare=KPM",
        marks=pytest.mark.nightly,
    ),
    "mix_view=Sphere&mix_sphere_epsilon=2&mix_d=3&mix_orders=1&mix_orders=8&mix_sphere_seed=5",
)


@pytest.mark.parametrize("link", OLD_LINKS)
def test_an_old_link_still_restores_everything(link: str) -> None:
    app = open_page(parse_qs(link))
    assert not app.warning
    # What these links did not know of yet stands as it is usually; controls have another order today.
    new = {
        "Line": {
            "mix_output": "side",
            "mix_also": "",
            "mix_loss": "distance",
            "mix_base": "band",
            "mix_with": "kpm",  # the draws are from it
        },
        "Plane": {"mix_plane_base": "band"},
        "Sphere": {},
    }
    expected = in_names(parse_qs(link)) | {name: [value] for name, value in new[parse_qs(link)["mix_view"][0]].items()}
    found = parse_qs(open_link(app), keep_blank_values=True)
    assert {name: sorted(values) for name, values in found.items()} == {
        name: sorted(values) for name, values in expected.items()
    }


def open_link(app: AppTest) -> str:
    app.session_state["mix_away"] = True
    app.run()
    assert not app.exception
    return next(block.value for block in app.code if "mix_view" in block.value).split("?", 1)[1]


@pytest.mark.nightly
def test_modes_of_ones_own_travel_in_the_link() -> None:
    app = open_page({"mix_modes": "My own", "mix_own": "-0.5:0.25;0.123456789:0.75"})
    assert "mix_own" not in app.query_params
    link = open_link(app)
    assert "mix_own=-0.5%3A0.25%3B0.123456789%3A0.75" in link
    assert titles(open_page(parse_qs(link)))[0] == titles(app)[0]


def test_the_snippet_on_the_page_is_the_experiments() -> None:
    app = open_page({"mix_mechanisms": ["KPM"]})
    open_link(app)
    config = Config(modes=Modes(means=(-1.0, 1.0), weights=(0.9, 0.1)), mechanisms=("kpm",))
    assert any(written(config) in block.value and LINE.key in block.value for block in app.code)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("mix_variance", "0"),
        ("mix_variance", "-1"),
        ("mix_epsilon", "1000"),
        ("mix_view", "<script>"),
        ("mix_own", "1:2:3"),
        ("mix_own", "nan:1"),
        ("mix_paper", "101"),
    ],
)
def test_a_broken_parameter_falls_back_and_says_so(name: str, value: str) -> None:
    more = {"mix_own": {"mix_modes": "My own"}, "mix_paper": {"mix_modes": "Fig. 4 of the paper"}}.get(name, {})
    app = open_page({name: value, **more})
    assert len(app.warning) == 1 and f"`{name}`" in app.warning[0].value
    assert figures(app) == 2


# --- modes of one's own -----------------------------------------------------------------------------------


@pytest.mark.nightly
def test_a_mean_outside_the_family_is_drawn_at_its_edge_and_the_family_can_be_enlarged() -> None:
    app = open_page({"mix_modes": "My own", "mix_own": "0:0.5;-1.4:0.5"})
    assert "1 mean lies farther than 1 from 0, the farthest 1.4" in app.warning[0].value
    assert figures(app) == 2
    app.button(key="mix_radius_enlarge").click().run()
    assert not app.exception and not app.error and not app.warning
    assert app.sidebar.select_slider(key="mix_radius").value == 1.5
    assert figures(app) == 2
    far = open_page({"mix_modes": "My own", "mix_own": "3.5:1"})
    assert "up to a radius of 3" in far.info[0].value and far.error


@pytest.mark.nightly
def test_a_smaller_family_keeps_its_picture() -> None:
    app = open_page()
    app.sidebar.select_slider(key="mix_radius").set_value(0.5).run()
    assert not app.exception and not app.error
    assert figures(app) == 2


@pytest.mark.parametrize("means", [(-1.0, 0.9), ((0.3, -1.7), (1e-300, 5.0), (0.1, 0.2))])
def test_modes_within_a_radius_lie_in_it_in_their_direction(means: tuple[Any, ...]) -> None:
    modes = Modes(means=means, weights=(1.0 / len(means),) * len(means))
    for radius in (0.05, 0.3, 0.7, 1.0, 3.0, modes.farthest):
        held = modes.within(radius)
        assert held.farthest <= radius and held.weights == modes.weights
        for (*old, _), (*new, _) in zip(modes.rows, held.rows, strict=True):
            far = math.hypot(*old)
            assert new == pytest.approx([part * min(1.0, radius / far) for part in old], rel=1e-12, abs=0.0)
            assert far > radius or new == old


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "No modes yet"),
        ("0.5", "Mode 1 needs 2 numbers (mean, weight); it has 1."),
        ("0, 1\n1, 2, 3", "Mode 2 needs 2 numbers (mean, weight); it has 3."),
        ("a, 1", "The mean of mode 1 is not a number"),
        ("0, inf", "The weight of mode 1 is “inf”"),
        ("0, -1", "The weight of mode 1 is negative (-1)"),
        ("0, 0", "All weights are zero"),
        ("<b>x</b>, 1", "not a number"),
        ("0, 1\n" * 1001, "1001 modes are given; at most 1000"),
    ],
)
def test_modes_that_cannot_be_used_get_a_sentence(text: str, message: str) -> None:
    app = open_page({"mix_modes": "My own"})
    app.sidebar.text_area(key="mix_own_text").set_value(text).run()
    assert not app.exception
    assert message in app.error[0].value.replace("\\", "").replace("\u2060", "")
    assert figures(app) == 0 and "as soon as the modes" in app.info[0].value


@pytest.mark.parametrize(
    "parameters",
    [
        {"mix_modes": "My own", "mix_own": "0:1e308;0.5:1e308"},
        {"mix_modes": "My own", "mix_own": "1e308:1"},
        {"mix_modes": "My own", "mix_own": "-1e308:1;1e308:1e308"},
        {"mix_view": "Plane", "mix_plane_modes": "My own", "mix_plane_own": "1e308:1e308:1", "mix_plane_cells": "12"},
        {"mix_view": "Plane", "mix_plane_modes": "My own", "mix_plane_own": "0:0:1e308;0:0.5:1e308"},
    ],
    ids=str,
)
def test_numbers_at_the_end_of_float64_are_refused_in_words(parameters: Mapping[str, str]) -> None:
    app = open_page(parameters)
    (name,) = (name for name in parameters if name.endswith("own"))
    assert f"`{name}` holds no valid value" in app.warning[0].value and not app.error and figures(app)


def test_a_release_for_real_is_offered_with_its_python() -> None:
    app = open_page()
    assert not app.code  # what colours Python is not loaded before a reader asks for it
    opened(app)
    config = Config(modes=Modes(means=(-1.0, 1.0), weights=(0.9, 0.1)), mechanisms=("kpm", "mollifier", "wpm"))
    assert release_script(config).strip() in [block.value.strip() for block in app.code]
    assert "exactly ε-LDP for every input" in text_of(app)
    assert "they would spend 1,000 ε" in all_html(app)
    shown = open_page({"mix_also": "Draws from KPM"})
    assert "together they would spend 1,000 ε" in text_of(shown)


@pytest.mark.nightly
def test_weights_that_do_not_sum_to_one_are_normalised_on_offer() -> None:
    app = open_page({"mix_modes": "My own", "mix_own": "0:1;0.5:3"})
    offer = app.sidebar.checkbox(key="mix_own_divide")
    assert offer.value and "sum, 4" in offer.label
    assert figures(app) == 2
    offer.uncheck().run()
    assert "sum to 4" in app.error[0].value and figures(app) == 0


@pytest.mark.nightly
def test_a_thousand_modes() -> None:
    rows = ";".join(f"{i / 500 - 1:.4f}:0.001" for i in range(1000))
    app = open_page({"mix_modes": "My own", "mix_own": rows})
    assert not app.error and figures(app) == 2


def test_modes_are_read_as_they_are_written() -> None:
    line = Modes(means=(1 / 3, -1e-300), weights=(0.1, 0.9))
    plane = Modes(means=((0.5, -1 / 3), (0.0, 1e300)), weights=(0.25, 0.75))
    for modes, family, heads in (
        (line, Family(), ("mean", "weight")),
        (plane, Family(dimension=2), ("x", "y", "weight")),
    ):
        assert read_rows(write_rows(modes.rows), heads) == modes.rows
        carried = link(Config(modes=modes, family=family, cells=400 if heads[0] == "mean" else 12))
        assert read_rows(carried["own" if heads[0] == "mean" else "plane_own"], heads) == modes.rows


def test_edits_of_the_table_reach_the_text() -> None:
    rows = [(0.0, 0.5), (1.0, 0.25), (-1.0, 0.25)]
    edit = {
        "edited_rows": {"0": {"mean": 0.3}, "2": {"weight": None}},
        "deleted_rows": [1],
        "added_rows": [{"mean": 0.7, "weight": 2}, {}],
    }
    heads = ("mean", "weight")
    after = changed(rows, heads, edit)
    assert after == [(0.3, 0.5), (-1.0, 0.0), (0.7, 2.0)]
    assert read_rows(write_rows(after), heads) == after


@pytest.mark.nightly
def test_a_link_may_name_a_large_output_that_its_mechanisms_leave_out() -> None:
    link: dict[str, str | list[str]] = {"mix_view": "Plane", "mix_compare": "Mollifier", "mix_plane_cells": "12"}
    app = open_page(link | {"mix_plane_mechanisms": [NAMES["kpm"], NAMES["blend"]]})
    assert not app.warning
    assert app.session_state["mix_compare"] == "kpm"
