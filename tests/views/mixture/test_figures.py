"""The mixture page's figures: they draw the results' numbers and state them in words."""

from __future__ import annotations

import numpy as np
import pytest

from dpot_app.figures.style import colour, to_html
from dpot_app.kit.blocks import Table
from dpot_app.views.mixture.densities import ring_modes
from dpot_app.views.mixture.line.figures import line_figure, side_by_side_figure, worst_case_figure
from dpot_app.views.mixture.line.results import Result, largest_divergences, run_line
from dpot_app.views.mixture.looks import cost_text
from dpot_app.views.mixture.many.figures import many_figure
from dpot_app.views.mixture.many.results import many_mixtures
from dpot_app.views.mixture.many.settings import ManyConfig
from dpot_app.views.mixture.plane.figures import difference_figure, plane_figure, small_plane_figure
from dpot_app.views.mixture.plane.results import largest_change, run_plane
from dpot_app.views.mixture.published import published_worst
from dpot_app.views.mixture.settings import NAMES, TRAINED, Config, Family, Modes
from dpot_app.views.mixture.sphere.figures import against_epsilon_figure, caps_figure, picture_figure
from dpot_app.views.mixture.sphere.results import run_sphere
from dpot_app.views.mixture.sphere.settings import SphereConfig
from dpot_app.views.mixture.sphere.text import VIEW as SPHERE
from dpot_app.views.mixture.worst_case import WorstNow, worst_cases, worst_now
from dpot_core.privacy.numerals import at_most, number

ALL = tuple(name for name in NAMES if name not in TRAINED)
TWO = Modes(means=(-1.0, 1.0), weights=(0.9, 0.1))
NOW = WorstNow(1.0, {"kl": 0.2573})


@pytest.fixture(scope="module")
def line() -> Result:
    return run_line(Config(modes=TWO, mechanisms=ALL))


def test_the_line_draws_input_outputs_band_and_draws(line: Result) -> None:
    figure = line_figure(line, NOW)
    curves = {trace.name: trace for trace in figure.data}
    np.testing.assert_array_equal(curves["input P"].y, line.p)
    np.testing.assert_array_equal(curves["KPM"].y, line.densities["kpm"])
    np.testing.assert_array_equal(curves["WPM on 400 cells"].y, line.densities["wpm"])
    assert curves["KPM"].line.color == colour("kpm")
    assert max(curves["allowed for KPM"].y) == line.band[1].max()
    assert "1,000 draws from KPM" in curves
    assert len(figure.layout.shapes) == len(line.raised) + len(line.cut)
    own, wpm = (line.numbers[name].divergences["kl"] for name in ("kpm", "wpm"))
    assert own < wpm < line.numbers["mollifier"].divergences["kl"]
    assert figure.layout.title.text == (
        f"At ε = 1 KPM costs this input a KL of {own:.3g} nats, WPM {wpm:.3g}; "
        "for no member of the family does KPM cost more than 0.258"
    )


@pytest.mark.parametrize("output", ALL)
def test_one_output_stands_over_the_input_and_the_band_that_it_keeps_to(line: Result, output: str) -> None:
    figure = line_figure(line, NOW, output, ())
    names = [trace.name for trace in figure.data]
    assert f"allowed for {NAMES[output]}" in names
    assert len(names) == 3 and not figure.layout.shapes
    np.testing.assert_array_equal(figure.data[-1].y, line.densities[output])
    lower, upper = line.bands[output]
    inside = 1e-9 + (1e-3 if output == "wpm" else 0.0)  # cells are as wide as they are
    assert (line.densities[output] >= lower - inside).all() and (line.densities[output] <= upper + inside).all()


def test_outputs_stand_side_by_side_each_with_the_input_its_band_and_its_distance(line: Result) -> None:
    figure = side_by_side_figure(line, NOW, ("draws", "clips"))
    order = ("wpm", "kpm", "mollifier", "kpm-prior", "blend")
    for place, (name, words) in enumerate(zip(order, figure.layout.annotations, strict=True)):
        axis = "x" if place == 0 else f"x{place + 1}"
        own = [trace for trace in figure.data if trace.xaxis == axis and trace.type == "scatter"]
        np.testing.assert_array_equal(own[0].y, np.concatenate([line.bands[name][0], line.bands[name][1][::-1]]))
        np.testing.assert_array_equal(own[1].y, line.p)
        np.testing.assert_array_equal(own[2].y, line.densities[name])
        label = "Near prior" if name == "kpm-prior" else NAMES[name]  # a phone shrinks all of them to the longest
        assert words.text == f"{label}: W₂ {number(line.numbers[name].loss)}"
    assert {shape.xref for shape in figure.layout.shapes} == {"x2"}
    assert [trace.xaxis for trace in figure.data if trace.type == "bar"] == ["x2"]
    assert figure.layout.title.text == line_figure(line, NOW).layout.title.text


def test_draws_and_clips_stand_behind_where_they_are_asked_for(line: Result) -> None:
    draws, clips = line_figure(line, NOW, "kpm", ("draws",)), line_figure(line, NOW, "kpm", ("clips",))
    assert [trace.type for trace in draws.data].count("bar") == 1 and not draws.layout.shapes
    assert "bar" not in [trace.type for trace in clips.data] and clips.layout.shapes


@pytest.mark.nightly
def test_mbde_is_drawn_under_the_name_that_says_it_is_trained() -> None:
    result = run_line(Config(modes=TWO, mechanisms=("kpm", "mbde"), draws=0))
    figure = line_figure(result, NOW)
    curve = next(trace for trace in figure.data if trace.name == "MBDE (trained, random)")
    np.testing.assert_array_equal(curve.y, result.densities["mbde"])
    assert curve.line.color == colour("mbde")
    assert f"MBDE (trained, random) {result.numbers['mbde'].divergences['kl']:.3g}" in figure.layout.title.text
    worst, now = worst_cases(Family()), worst_now(Family(), 1.0)
    points = worst_case_figure(result, worst, now, now.divergences).data
    assert "MBDE (trained, random), this input" in {trace.name for trace in points}


def test_without_mechanisms_and_draws_the_input_stands_alone() -> None:
    result = run_line(Config(modes=TWO, mechanisms=(), draws=0))
    names = [trace.name for trace in line_figure(result, NOW).data]
    assert names == ["allowed for KPM", "input P"]


@pytest.mark.nightly
def test_worst_cases_mark_this_input(line: Result) -> None:
    worst, now = worst_cases(Family()), worst_now(Family(), 1.0)
    figure = worst_case_figure(line, worst, now, largest_divergences(line.config))
    points = [trace for trace in figure.data if trace.name == "Mollifier, this input"]
    assert [trace.y[0] for trace in points] == list(line.numbers["mollifier"].divergences.values())
    assert f"a KL of {at_most(now.divergences['kl'])} nats at ε = 1" in figure.layout.title.text


def test_the_worst_of_many_stands_beside_the_papers() -> None:
    many = many_mixtures(ManyConfig(source="random", count=2, seed=1))
    published = published_worst()
    figure = many_figure(many)
    names = {trace.name for trace in figure.data}
    assert {"KPM", "Mollifier", "WPM", "KPM in the paper", "MBDE in the paper"} <= names
    theirs = next(trace for trace in figure.data if trace.name == "MBDE in the paper")
    assert list(theirs.y) == [entry["mbde"]["kl"] for entry in published.values()]
    # Marks of nearly nothing lie on the axis, and are whole.
    assert theirs.cliponaxis is False
    assert figure.layout.title.text.startswith("Worst of 2 random mixtures at ε = 1: a KL of ")


@pytest.mark.nightly
def test_maps_share_one_scale_and_are_square() -> None:
    config = Config(
        modes=ring_modes(3), family=Family(variance=0.5, radius=1.0, dimension=2), epsilon=0.5, mechanisms=ALL, cells=12
    )
    result = run_plane(config)
    for name in ALL:
        _, output = [trace for trace in plane_figure(result, name).data if trace.type == "heatmap"]
        np.testing.assert_allclose(output.z, result.densities[name], atol=1e-6)
        small = small_plane_figure(result, name)
        np.testing.assert_allclose(small.data[0].z, result.densities[name], atol=1e-6)
        assert small.layout.coloraxis.cmax == result.top
    figure = plane_figure(result, "kpm")
    heats = [trace for trace in figure.data if trace.type == "heatmap"]
    assert len(heats) == 2
    assert {heat.coloraxis for heat in heats} == {"coloraxis"}
    assert (
        figure.layout.coloraxis.cmax == result.top >= max(result.p.max(), *(d.max() for d in result.densities.values()))
    )
    np.testing.assert_allclose(heats[0].z, result.p, atol=1e-6)
    assert figure.layout.yaxis.scaleanchor == "x" and figure.layout.yaxis2.scaleanchor == "x2"
    difference = difference_figure(result, "kpm", largest_change(config, "kpm"))
    assert difference.data[0].zmin == -difference.data[0].zmax
    np.testing.assert_allclose(difference.data[0].z, result.densities["kpm"] - result.p, atol=1e-6)
    assert "KPM moves 8.51% of the mass" in difference.layout.title.text


def test_the_sphere_draws_caps_curves_and_pictures() -> None:
    result = run_sphere(SphereConfig(d=2, epsilon=1.0, orders=(1.0, 4.0)))
    caps = caps_figure(result)
    assert [trace.name for trace in caps.data] == ["p = 1", "p = 4"] * 2
    assert caps.data[0].y.max() == pytest.approx(result.best[1.0].density(1.0))
    assert "stays within 68.7° in 55.9% of cases" in caps.layout.title.text
    curves = against_epsilon_figure(result)
    assert "1.07 for p = 1 and falls to 0.915 for p = 4" in curves.layout.title.text
    assert {trace.type for trace in picture_figure(result).data} == {"surface", "scatter3d"}
    circle = picture_figure(run_sphere(SphereConfig(d=1, epsilon=1.0, orders=(2.0,))))
    assert {trace.type for trace in circle.data} == {"scatter"}


def test_a_bound_in_words_is_never_below_the_bound() -> None:
    for bound in (0.2573, 0.25, 1.0, 9.999, 1e-5, 0.1 + 0.2, 123.4):
        assert float(at_most(bound)) >= bound * (1 - 1e-9)
        assert float(at_most(bound)) <= bound * 1.02
    assert at_most(0.0) == number(1e-17) == "0"


def test_figures_open_without_a_network(line: Result) -> None:
    document = to_html(line_figure(line, NOW))
    assert "<script src=" not in document


def test_costs_that_read_alike_are_said_once() -> None:
    assert (
        cost_text(0.05, {"kpm": 0.18361, "wpm": 0.18399})
        == "At ε = 0.05 KPM and WPM cost this input a KL of 0.184 nats"
    )
    assert cost_text(1.0, {"kpm": 0.2, "wpm": 0.1}) == "At ε = 1 WPM costs this input a KL of 0.1 nats, KPM 0.2"
    assert cost_text(1.0, {"kpm": 0.2}) == "At ε = 1 KPM costs this input a KL of 0.2 nats"


def test_on_the_circle_every_curve_is_whole_and_no_share_is_rounded_to_certainty() -> None:
    sphere = run_sphere(SphereConfig(epsilon=10.0, d=1, orders=(1.0, 8.0)))
    figure = caps_figure(sphere)
    low, high = (10**end for end in figure.layout.yaxis2.range)
    for trace in figure.data[2:]:
        assert np.isfinite(trace.y).all() and low <= min(trace.y) <= max(trace.y) <= high
    (table,) = [block for block in SPHERE.show(sphere.config, sphere) if isinstance(block, Table)]
    assert [row[3] for row in table.rows] == ["99.2%", "99.98%"]
