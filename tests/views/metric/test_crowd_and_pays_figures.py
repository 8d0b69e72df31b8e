"""Figures of the released crowd and of when it pays: words that follow from the numbers."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from dpot_app.cities.city import City, make_city
from dpot_app.cities.place import Place
from dpot_app.figures.style import colour
from dpot_app.views.metric import settings
from dpot_app.views.metric.crowd import results as crowd
from dpot_app.views.metric.crowd.figures import crowd_maps
from dpot_app.views.metric.crowd_curve import results as crowd_curve
from dpot_app.views.metric.crowd_curve.figures import budgets_figure, crowd_errors_figure
from dpot_app.views.metric.pays import results as pays
from dpot_app.views.metric.pays.figures import named_releases, pays_figure, pays_over_k_figure
from dpot_app.views.metric.protected import at_epsilon
from dpot_core.datasets import simulated_city

PLACE = Place(n=5)
BASE = settings.Config(place=PLACE)


@pytest.fixture(scope="module")
def city() -> City:
    return make_city(simulated_city(60), PLACE)


def released(city: City, visits: int = 300, who: str = "central", epsilon: float = 1.0):
    config = at_epsilon(settings.CrowdConfig(base=BASE, visits=visits, who=who), epsilon)
    return crowd.release_crowd(config, city)


@pytest.mark.nightly
def test_maps_show_what_was_computed(city: City) -> None:
    result = released(city)
    figure = crowd_maps(result)
    heats = [trace for trace in figure.data if trace.type == "heatmap"]
    shown = [result.truth, result.reports["shuffling"][0], result.estimates["shuffling"][0]]
    shown += [result.drawn["shuffling"], result.reports["composition"][0], result.estimates["composition"][0]]
    for heat, values in zip(heats, shown, strict=True):
        np.testing.assert_allclose(np.ravel(heat.customdata), values)
    assert figure.layout.title.text.startswith("Shuffled, each report says more (α₀ = ")
    assert figure.layout.title.text.endswith("(simulated)")


def test_maps_say_when_the_theorem_says_nothing(city: City) -> None:
    figure = crowd_maps(released(city, 10, "local"))
    assert len([trace for trace in figure.data if trace.type == "heatmap"]) == 3
    assert figure.layout.title.text.startswith("Shuffling gains nothing")


@pytest.mark.nightly
def test_the_curve_has_one_colour_for_each_kind_of_promise(city: City) -> None:
    errors = crowd_curve.crowd_errors([released(city, epsilon=epsilon) for epsilon in (0.5, 8.0)])
    figure = crowd_errors_figure(errors, 0.5)
    by_name = {trace.name: trace for trace in figure.data}
    assert by_name["by distance: shuffled"].marker.color == colour("metric")
    assert by_name["whole user: Laplace noise by a curator"].marker.color == colour("user-level")
    np.testing.assert_allclose(by_name["by distance: shuffled"].y, [point.mean("shuffling") for point in errors.points])
    assert len({trace.marker.symbol for trace in figure.data if trace.marker.symbol}) == 4
    assert figure.layout.title.text.startswith("Shuffled reports beat an even spread at every ε shown")
    alone = crowd_curve.crowd_errors([released(city, 10, "local", epsilon) for epsilon in (0.5, 8.0)])
    assert crowd_errors_figure(alone, 0.5).layout.title.text.startswith("Composed reports")


@pytest.mark.nightly
def test_the_cost_of_a_report_is_drawn_where_it_is_known() -> None:
    for who, equation in (("central", "(7)"), ("local", "(6)")):
        curves = crowd_curve.budgets(settings.CrowdConfig(base=BASE, visits=300, who=who), 34.6, 500)
        figure = budgets_figure(curves)
        shuffled, composed, closed, counted = figure.data
        np.testing.assert_array_equal(shuffled.y, curves.shuffled)
        np.testing.assert_array_equal(composed.y, curves.composed)
        assert closed.name.endswith(equation)
        assert counted.x == (300,) and counted.y == (curves.counted,)
        words = "nowhere" if curves.pays_from is None else f"from about m = {curves.pays_from:,} on"
        assert words in figure.layout.title.text
        assert figure.layout.shapes[0].x0 == 300


@pytest.mark.nightly
@pytest.mark.parametrize("model", ["local", "central"])
def test_when_it_pays_marks_the_crossover(model: str) -> None:
    result = pays.run(settings.PaysConfig(model=model, users=2000, items=100, clusters=4, size=4))
    figure = pays_figure(result)
    assert f"pays from α/ε = {result.crossover:.3g} on" in figure.layout.title.text
    assert any(shape.x0 == pytest.approx(result.crossover) for shape in figure.layout.shapes)
    named = {trace.name: trace for trace in figure.data if trace.name and trace.marker.symbol}
    assert len(named) == len(result.releases)
    for (name, release), trace in zip(result.releases.items(), named.values(), strict=True):
        assert trace.name.endswith(release.label)
        np.testing.assert_allclose(trace.y, [point.mean(name) for point in result.over_ratio])
    bounds = [trace for trace in figure.data if trace.line.width == 1 and not trace.marker.symbol and not trace.text]
    assert all(value is None or value <= 1.0 for trace in bounds for value in trace.y)
    assert [trace.name for trace in bounds if trace.name] == ["proven bounds (thin lines)"]
    over_k = pays_over_k_figure(result)
    for picture in (figure, over_k):
        lines = {trace.legendgroup for trace in picture.data if trace.legendgroup and trace.visible != "legendonly"}
        lines -= {"bounds"}
        others = {trace.legendgroup for trace in picture.data if trace.visible == "legendonly"}
        assert lines == set(named_releases(result)) and lines | others == set(result.releases) and len(lines) <= 4
        texts = [trace.text[-1].replace("<br>", " ") for trace in picture.data if trace.mode == "lines+text"]
        labels = {("α: " if one.by_distance else "ε: ") + one.label for one in map(result.releases.get, lines)}
        assert set(texts) == labels, "each line has its name beside it"
        ends = {
            tuple(round(float(value), 9) for value in (trace.x[0], trace.y[0])) for trace in picture.data if trace.text
        }
        drawn = {(trace.x[-1], round(float(trace.y[-1]), 9)) for trace in picture.data if trace.legendgroup in lines}
        assert {(round(x, 9), y) for x, y in drawn} >= ends, "a name is led to the end of its line"
        listed = {trace.legendgroup for trace in picture.data if trace.name and trace.showlegend is not False}
        assert listed - {"bounds"} == others, "the legend is for those that are not drawn, and for bounds"
    # What the title compares is drawn: the best of each promise, most often.
    for by_distance in (True, False):
        mine = [name for name, one in result.releases.items() if one.by_distance == by_distance]
        wins = [min(mine, key=point.mean) for point in (*result.over_ratio, *result.over_k)]
        assert max(mine, key=wins.count) in named_releases(result)
    assert over_k.layout.title.text.startswith("At α/ε = 10 ")
    assert list(over_k.layout.xaxis.tickvals) == [8, 16, 32, 64, 128, 256]


def test_equal_errors_are_called_equal() -> None:
    """At alpha = epsilon/r the central Laplace noise is one and the same for both promises."""
    config = settings.PaysConfig(model="central", clusters=4, ratio=10.0)
    result = pays.run(config)
    assert "both promises have the same error at every k" in pays_over_k_figure(result).layout.title.text
    assert result.crossover == pytest.approx(10.0)


def test_titles_say_when_it_does_not_pay() -> None:
    result = pays.run(settings.PaysConfig(model="central", users=2000, items=100, clusters=4, size=4))
    worse = [replace(p, errors=p.errors | {"laplace": np.full(pays.RUNS, 1e-9)}) for p in result.over_ratio]
    never = replace(result, over_ratio=tuple(worse), over_k=tuple(worse))
    assert "does not pay up to α/ε = 1,000" in pays_figure(never).layout.title.text
    assert "a release by distance is better at no k" in pays_over_k_figure(never).layout.title.text
    better = [replace(p, errors=p.errors | {"laplace": np.full(pays.RUNS, 1.0)}) for p in result.over_ratio]
    always = replace(result, over_ratio=tuple(better), over_k=tuple(better))
    assert "pays at every α/ε shown" in pays_figure(always).layout.title.text
    assert "better at every k" in pays_over_k_figure(always).layout.title.text


@pytest.mark.nightly
def test_titles_tell_where_something_holds(city: City) -> None:
    errors = crowd_curve.crowd_errors([released(city, epsilon=epsilon) for epsilon in (0.5, 2.0, 8.0)])
    title = "Shuffled reports beat an even spread {}; noise added by a curator, who sees everything, is better {}"
    title += " (simulated)"
    for unseen, beat in (
        ((9.0, 9.0, 9.0), "at every ε shown"),
        ((0.0, 9.0, 9.0), "from ε = 2 on"),
        ((9.0, 0.0, 9.0), "at 2 of 3 values of ε"),
        ((0.0, 9.0, 0.0), "at ε = 2 only"),
        ((0.0, 0.0, 0.0), "nowhere"),
    ):
        points = [
            replace(point, unseen=far, kilometres={"shuffling": np.full(5, 1.0), "composition": np.full(5, 2.0)})
            for point, far in zip(errors.points, unseen, strict=True)
        ]
        points[0] = replace(points[0], baselines=points[0].baselines | {"laplace": np.full(5, 3.0)})
        for number in (1, 2):
            points[number] = replace(points[number], baselines=points[number].baselines | {"laplace": np.full(5, 0.5)})
        text = crowd_errors_figure(crowd_curve.CrowdErrors(tuple(points)), 0.5).layout.title.text
        assert text.replace("<br>", " ") == title.format(f"{beat} (by more than 2 paired s.e.)", "from ε = 2 on")
