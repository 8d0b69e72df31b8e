"""The ring's figures: they draw the results' numbers, state them in words, and open without a network."""

from __future__ import annotations

import itertools
import re
from dataclasses import replace

import numpy as np
import pytest

import dpot_core as dpot
from dpot_app.figures.style import Figure, colour, to_html
from dpot_app.kit.blocks import pictures
from dpot_app.views.ring.base.figures import base_figure
from dpot_app.views.ring.base.results import base_report
from dpot_app.views.ring.base.text import VIEW as BASES
from dpot_app.views.ring.convergence.figures import convergence_figure
from dpot_app.views.ring.convergence.results import convergence
from dpot_app.views.ring.outputs.figures import epsilons_figure, outputs_figure
from dpot_app.views.ring.outputs.results import moves, run
from dpot_app.views.ring.outputs.rings import distances_figure, ring_figure
from dpot_app.views.ring.outputs.text import THREE, VIEW
from dpot_app.views.ring.plan.figures import plan_figure
from dpot_app.views.ring.plan.results import plan
from dpot_app.views.ring.settings import Base, Config, Ring, Source
from dpot_app.views.ring.units import at_most
from dpot_app.views.ring.worst_case.figures import divergences_figure, worst_case_figure
from dpot_app.views.ring.worst_case.results import worst_case_now, worst_cases
from dpot_core.privacy.numerals import number, percent_at_least

ALL = tuple(dpot.MECHANISMS)


def test_three_values_of_epsilon_stand_side_by_side_as_in_fig_2() -> None:
    config = Config(ring=Ring(k=10), base=Base(kind="best-uniform"), mechanisms=("kpm", "wpm"), epsilon=7.0)
    results = [run(replace(config, epsilon=epsilon)) for epsilon in THREE]
    figure = epsilons_figure(results)
    bars = [trace for trace in figure.data if trace.type == "bar"]
    assert [bar.name for bar in bars] == ["KPM"] * 3 + ["WPM"] * 3
    for bar, (name, result) in zip(bars, itertools.product(config.mechanisms, results), strict=True):
        np.testing.assert_array_equal(bar.y, run(replace(config, epsilon=result.config.epsilon)).outputs[name])
    distances = [result.distances["kpm"] for result in results]
    assert distances[0] > distances[1] > distances[2]
    said = re.findall(r"([\d.]+) steps? at ε = ([\d.]+)", figure.layout.title.text)
    assert said == [(number(far), f"{epsilon:g}") for far, epsilon in zip(distances, THREE, strict=True)]
    (picture,) = pictures(VIEW.show(config, *VIEW.run(config).parts, picture="epsilons"))
    assert picture.draw().layout.title.text == figure.layout.title.text


def test_outputs_figure_draws_every_distribution_on_one_scale() -> None:
    result = run(Config(ring=Ring(k=12, every=2, p=1), mechanisms=ALL))
    figure = outputs_figure(result)
    bars = [trace for trace in figure.data if trace.type == "bar"]
    assert [bar.name for bar in bars] == ["input", *(dpot.MECHANISMS[name].label for name in ALL)]
    np.testing.assert_allclose(bars[0].y, result.mu)
    for bar, name in zip(bars[1:], ALL, strict=True):
        np.testing.assert_allclose(bar.y, result.outputs[name])
        np.testing.assert_allclose(bar.x, result.targets)
        assert bar.marker.color == colour(name)
    assert figure.layout.yaxis.matches is None
    assert [figure.layout[f"yaxis{number}"].matches for number in range(2, len(ALL) + 2)] == ["y"] * len(ALL)


def test_the_ring_draws_every_output_outwards_and_the_input_as_an_outline() -> None:
    config = Config(ring=Ring(k=12, every=2, p=1), mechanisms=ALL)
    result = run(config)
    figure = ring_figure(result, moves(config), list(ALL))
    bars = [trace for trace in figure.data if trace.type == "barpolar"]
    assert [bar.name for bar in bars] == [dpot.MECHANISMS[name].label for name in ALL]
    middles = np.mean([bar.theta for bar in bars], axis=0)
    np.testing.assert_allclose(middles, 30.0 * result.targets, atol=1e-9)
    for bar, name in zip(bars, ALL, strict=True):
        np.testing.assert_allclose(np.square(bar.r), result.outputs[name])
        # No bar reaches into another point's place.
        assert np.abs(bar.theta - middles).max() + bar.width / 2 <= 30.0
    (outline,) = [trace for trace in figure.data if trace.name == "input"]
    np.testing.assert_allclose(np.unique(np.square(outline.r)), np.unique(result.mu), atol=1e-12)


@pytest.mark.parametrize("ring", [Ring(k=30, every=7), Ring(k=30, every=10), Ring(k=10, every=9), Ring(k=12)])
def test_bars_of_uneven_outputs_do_not_lie_over_one_another_and_none_is_cut(ring: Ring) -> None:
    config = Config(ring=ring, source=Source(kind="dirac"))
    result = run(config)
    figure = ring_figure(result, moves(config), ["wpm", "kpm", "em"])
    bars = [trace for trace in figure.data if trace.type == "barpolar"]
    middles = np.sort(np.concatenate([bar.theta for bar in bars]) % 360.0)
    assert np.diff(middles, append=middles[0] + 360.0).min() >= bars[0].width - 1e-9
    for drawn in (outputs_figure(result), base_figure(base_report(ring, Base(), 2.0))):
        low, high = drawn.layout.xaxis.range
        for trace in drawn.select_traces({"type": "bar"}):
            half = (0.8 if trace.width is None else trace.width) / 2
            assert low <= min(trace.x) - half and max(trace.x) + half <= high


def arcs(figure: Figure) -> list[tuple[int, int, float]]:
    """(from, to, width) of every arc, by the angles at which it begins and ends on a ring of 30."""
    found = []
    for trace in figure.data:
        if str(trace.uid).startswith(("wpm", "kpm")):
            ends = [-1, *np.flatnonzero([one is None for one in trace.theta])]
            for gap, last in itertools.pairwise(ends):
                start, end = (round(trace.theta[place] / 12) % 30 for place in (gap + 1, last - 1))
                found.append((start, end, trace.line.width))
    return found


@pytest.mark.parametrize("name", ["wpm", "kpm"])
def test_arcs_lead_from_where_mass_leaves_to_where_it_goes_and_the_wider_carry_more(name: str) -> None:
    config = Config(source=Source(kind="dirac", point=7))
    moved = moves(config)
    drawn = arcs(ring_figure(run(config), moved, [name]))
    away = {(7, int(end)): mass for end, mass in enumerate(moved.plans[name][7]) if end != 7 and mass > 0}
    # The angles of what is drawn count from -180.
    assert {(start, end) for start, end, _ in drawn} == set(away)
    widths = sorted((away[start, end], width) for start, end, width in drawn)
    assert [width for _, width in widths] == sorted(width for _, width in widths)


@pytest.mark.parametrize(("other", "shares"), [(16, ["30%", "70%"]), (12, ["100%"])])
def test_two_places_have_a_mark_each_to_be_dragged_with_its_share(other: int, shares: list[str]) -> None:
    source = Source(kind="two-places", point=2, other=other, share=0.3)
    config = Config(ring=Ring(k=10), source=source, mechanisms=("wpm",))
    result = run(config)
    assert result.mu.sum() == pytest.approx(1.0) and result.mu[2] == pytest.approx(0.3 if len(shares) == 2 else 1.0)
    traces = [trace for trace in ring_figure(result, moves(config), ["wpm"]).data if trace.type == "scatterpolar"]
    marked = [trace for trace in traces if trace.meta == "handle"]
    (words,) = [trace for trace in traces if trace.mode == "text" and "%" in trace.text[0] and len(trace.text) < 3]
    assert list(words.text) == shares
    assert [trace.theta[0] for trace in marked] == pytest.approx([72.0, 36.0 * (other % 10)])
    assert all(trace.marker.opacity == 1 for trace in marked), "either can be taken round"


@pytest.mark.parametrize("kind", ["dirac", "dirichlet"])
def test_only_what_turns_with_the_point_is_turned_while_it_is_dragged(kind: str) -> None:
    config = Config(source=Source(kind=kind, point=4))
    turning = [trace.name for trace in ring_figure(run(config), moves(config), ["wpm"]).data if trace.meta == "turns"]
    assert turning == (["WPM", "input"] if kind == "dirac" else [])
    there, here = (run(replace(config, source=Source(kind="dirac", point=point))) for point in (4, 11))
    for name in config.mechanisms:
        np.testing.assert_allclose(np.roll(there.outputs[name], 7), here.outputs[name], atol=1e-9)


def test_distances_stand_beside_the_ring_as_far_as_they_are() -> None:
    result = run(Config())
    shown = {trace.text[0]: trace.x[0] for trace in distances_figure(result).data if trace.mode == "markers+text"}
    assert shown == {
        f"{dpot.MECHANISMS[name].label} {distance:.3g} steps": distance for name, distance in result.distances.items()
    }


def test_no_label_of_a_distance_lies_on_its_line() -> None:
    result = run(Config(ring=Ring(k=30, every=7, p=4), source=Source(kind="dirac"), epsilon=10.0, reg=1.0))
    labels = [trace for trace in distances_figure(result).data if trace.mode == "markers+text"]
    assert max(trace.x[0] for trace in labels) > 8.25
    # A line leads to each mark from the left.
    assert "middle left" not in {trace.textposition for trace in labels}


def test_the_band_is_drawn_for_mechanisms_that_have_one() -> None:
    result = run(Config(ring=Ring(k=12), mechanisms=ALL))
    bands = list(outputs_figure(result).select_traces({"fill": "toself"}))
    assert len(bands) == len(result.bands) == 5
    lower, upper = result.bands["wpm"]
    assert max(bands[0].y) == pytest.approx(upper.max())
    assert min(bands[0].y) == pytest.approx(lower.min())


def test_the_title_says_who_moves_the_input_least_and_who_comes_next() -> None:
    result = run(Config())
    title = outputs_figure(result).layout.title.text
    assert title == (
        f"At ε = 2 WPM moves the input by W₂ = {result.distances['wpm']:.3g} steps, "
        f"KPM by {result.distances['kpm']:.3g} steps"
    )


def test_without_mechanisms_the_input_is_drawn_alone() -> None:
    figure = outputs_figure(run(Config(mechanisms=())))
    assert len(figure.data) == 1
    assert "choose a mechanism" in figure.layout.title.text


def test_worst_case_figure_marks_epsilon_and_the_base_in_use() -> None:
    worst = worst_cases(Ring())
    now = worst_case_now(Ring(), Base(kind="uniform", scale=0.5), 2.0)
    figure = worst_case_figure(worst, now)
    assert len(figure.data) == worst.wasserstein.shape[1] + 1
    for trace, name in zip(figure.data, worst.wasserstein, strict=False):
        np.testing.assert_allclose(trace.y, worst.wasserstein[name])
    assert (figure.data[-1].x, figure.data[-1].y) == ((2.0,), (now.in_use,))
    assert figure.layout.shapes[0].x0 == 2.0
    assert figure.layout.annotations[0].x == pytest.approx(np.log10(2.0))
    # The bound is proved for the exact projection; with lambda > 0 WPM can move an input farther.
    assert f"exact WPM moves it by W₂ ≤ {at_most(now.in_use)} at ε = 2" in figure.layout.title.text
    # Two lines never differ in colour alone.
    dashes = [trace.line.dash for trace in figure.data[:-1]]
    assert len(set(dashes)) == len(dashes)


def test_a_rival_that_reads_alike_does_as_much() -> None:
    """At epsilon 10 and p = 4 both are 3.03 steps; a star at the end of the axis is whole."""
    ring = Ring(k=30, every=7, p=4)
    figure = worst_case_figure(worst_cases(ring), worst_case_now(ring, Base(), 10.0))
    assert figure.layout.title.text.endswith("≤ 3.03 steps at ε = 10, and so does k-RR")
    assert figure.data[-1].cliponaxis is False


@pytest.mark.parametrize(
    ("distance", "shown"),
    [(5.431, "5.44 steps"), (5.43, "5.43 steps"), (0.0, "0 steps"), (14.692, "14.7 steps"), (0.05331, "0.0534 steps")],
)
def test_bounds_are_rounded_up(distance: float, shown: str) -> None:
    assert at_most(distance) == shown


def test_divergences_figure_has_both_curves_in_each_panel() -> None:
    worst = worst_cases(Ring())
    figure = divergences_figure(worst, worst_case_now(Ring(), Base(), 1.0))
    assert len(figure.data) == 8
    assert sum(trace.showlegend is not False for trace in figure.data) == 2
    assert len(figure.layout.shapes) == 4
    kl = dpot.worst_case_divergence("kl", 30, 1.0)
    assert f"{kl:.3g}" in figure.layout.title.text


@pytest.mark.nightly
def test_convergence_figure_draws_iterates_limits_and_bound() -> None:
    result = convergence(Config(ring=Ring(k=10), epsilon=1.0))
    figure = convergence_figure(result)
    np.testing.assert_allclose(figure.data[0].y[:-1], result.runs[0].distance)
    np.testing.assert_allclose(figure.data[-2].y, result.final)
    np.testing.assert_allclose(figure.data[-1].y, result.bound)
    assert f"{result.exact:.3g} steps" in figure.layout.title.text


@pytest.mark.nightly
def test_numbers_on_the_logarithmic_axis_are_written_in_full() -> None:
    y = convergence_figure(convergence(Config())).layout.yaxis2
    assert list(y.ticktext) == [number(value) for value in y.tickvals]


@pytest.mark.nightly
def test_unconverged_runs_are_drawn_hollow() -> None:
    """Proposition 4.1 bounds converged outputs only."""
    result = convergence(Config())
    converged = [run.converged for run in result.runs]
    assert True in converged and False in converged
    symbols = convergence_figure(result).data[-2].marker.symbol
    assert [symbol == "circle" for symbol in symbols] == converged


def test_where_algorithm_1_ends_is_not_stated_to_the_last_bit() -> None:
    title = convergence_figure(convergence(Config(source=Source(kind="dirac")))).layout.title.text
    assert "e-1" not in title and title.endswith("Algorithm 1 ends there too")


def test_the_plan_is_said_to_be_the_exact_one() -> None:
    """Beside a ring whose WPM has an entropic weight."""
    assert plan_figure(plan(Config(epsilon=10.0))).layout.title.text.startswith("Exact WPM moves ")


def test_the_least_moved_mass_is_stated_for_outputs_within_the_bounds_only() -> None:
    """KPM, which has other bounds, can do with less."""
    config = Config()
    result = plan(config)
    assert np.abs(result.mu - run(config).outputs["kpm"]).sum() / 2 < result.needed
    title = plan_figure(result).layout.title.text
    assert f"any output within its bounds moves at least {percent_at_least(result.needed)}" in title


def test_plan_figure_leaves_cells_without_mass_empty() -> None:
    result = plan(Config(ring=Ring(k=10, every=2, p=1), source=Source(kind="dirac"), epsilon=1.0))
    z = np.asarray(plan_figure(result).data[0].z, dtype=float)
    assert z.shape == (10, 10), "a column for every point, of one width, where every second is an output"
    np.testing.assert_array_equal(np.isnan(z[:, ::2]), result.plan == 0)
    assert np.isnan(z[:, 1::2]).all()


@pytest.mark.parametrize(
    ("ring", "base", "words"),
    [
        (Ring(), Base(), "All 30 input points are moved equally far"),
        (Ring(k=9, every=2), Base(kind="uniform"), "Vertical line"),
        (Ring(k=12, every=4), Base(kind="uniform"), "3 of the 12 input points are moved equally far"),
    ],
)
def test_the_worst_input_is_marked_where_it_is_the_only_one(ring: Ring, base: Base, words: str) -> None:
    config = Config(ring=ring, base=base)
    report = base_report(ring, base, config.epsilon)
    drawn, (_, _, said) = base_figure(report), BASES.show(config, report)
    assert words in said and len(drawn.layout.shapes) == len(drawn.layout.annotations) == ("Vertical" in said)
    assert "e-1" not in said, "a gap of rounding is said in words"


@pytest.mark.parametrize(
    ("ring", "words"), [(Ring(), "no base measure does better"), (Ring(k=30, every=7, p=1), "% less")]
)
def test_base_figure_says_whether_there_is_a_better_base(ring: Ring, words: str) -> None:
    report = base_report(ring, Base(), 2.0)
    assert words in base_figure(report).layout.title.text


def test_an_exported_figure_is_one_file_that_asks_no_server() -> None:
    page = to_html(outputs_figure(run(Config())))
    assert len(page) > 3_000_000  # plotly.js is inside
    assert not re.search(r"<(script|link|img|iframe)[^>]+(src|href)=", page)
    assert "At ε = 2 WPM" in page or "At \\u03b5 = 2 WPM" in page


@pytest.mark.parametrize("epsilon", [0.3, 2.0, 6.0])
def test_a_worst_case_has_the_same_digits_in_every_tab(epsilon: float) -> None:
    config = Config(epsilon=epsilon)
    bound = at_most(base_report(config.ring, config.base, epsilon).worst["yours"])
    base = base_figure(base_report(config.ring, config.base, epsilon)).layout.title.text
    worst = worst_case_figure(
        worst_cases(config.ring), worst_case_now(config.ring, config.base, epsilon)
    ).layout.title.text
    assert f"≤ {bound};" in base and bound in worst
