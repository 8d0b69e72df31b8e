"""The geolocation figures: one scale for what is compared, the results' numbers, words that follow from them."""

from __future__ import annotations

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import pytest

from dpot_core.datasets import simulated_city
from dpot_core.datasets.check_ins import merged
from dpot_core.experiments import geolocation as experiment
from dpot_core.figures import geolocation as figures
from dpot_core.figures.map_scales import colour_axes, stretched
from dpot_core.figures.style import km_at_most, to_html
from tests.experiments.test_geolocation import SMALL, crowd, zones_geojson

NASTY = "<img src=x onerror=alert(1)>"


@pytest.fixture(scope="module")
def city() -> experiment.City:
    return experiment.make_city(simulated_city(60), SMALL)


@pytest.fixture(scope="module")
def person(city: experiment.City) -> experiment.OnePerson:
    base = experiment.make_base(city, "best-uniform", 2.0)
    return experiment.one_person(city, experiment.Config(place=SMALL), base)


@pytest.fixture(scope="module")
def everybody(city: experiment.City) -> experiment.Crowd:
    return crowd(city, 2.0)


def heatmaps(figure: go.Figure) -> list[go.Heatmap]:
    return [trace for trace in figure.data if trace.type == "heatmap"]


def test_truth_and_outputs_share_one_scale(person: experiment.OnePerson) -> None:
    truth, outputs = figures.truth_maps(person), figures.output_maps(person)
    assert truth.layout.coloraxis.cmin == outputs.layout.coloraxis.cmin == 0
    assert truth.layout.coloraxis.cmax == outputs.layout.coloraxis.cmax
    top = max(person.mu.max(), *(nu.max() for nu in person.outputs.values()))
    assert outputs.layout.coloraxis.cmax == pytest.approx(np.cbrt(top))
    assert outputs.layout.coloraxis.showscale and not truth.layout.coloraxis.showscale


def test_maps_draw_the_numbers_row_by_row_from_the_south_west(person: experiment.OnePerson) -> None:
    maps = heatmaps(figures.output_maps(person))
    for heat, nu in zip(maps, person.outputs.values(), strict=True):
        np.testing.assert_allclose(heat.customdata.ravel(), nu)
        np.testing.assert_allclose(heat.z.ravel(), stretched(nu))
        assert len(heat.x) == len(heat.y) == 7
    assert maps[0].x[0] < maps[0].x[-1] and maps[0].y[0] < maps[0].y[-1]


def test_a_kilometre_is_as_long_to_the_east_as_to_the_north(person: experiment.OnePerson) -> None:
    layout = figures.output_maps(person).layout
    assert [layout[f"yaxis{n}"].scaleanchor for n in ("", 2, 3, 4)] == ["x", "x2", "x3", "x4"]


@pytest.mark.parametrize("compare", experiment.MECHANISMS)
def test_differences_have_a_scale_of_their_own_centred_at_zero(person: experiment.OnePerson, compare: str) -> None:
    figure = figures.truth_maps(person, compare)
    axis = figure.layout.coloraxis2
    assert axis.cmin == -axis.cmax
    np.testing.assert_allclose(heatmaps(figure)[1].customdata.ravel(), person.outputs[compare] - person.mu)


def test_no_difference_is_drawn_as_none() -> None:
    assert colour_axes([], [np.zeros(4)], None)["coloraxis2"]["cmax"] == 1.0


def test_titles_state_distances_and_that_people_are_invented(
    person: experiment.OnePerson, everybody: experiment.Crowd, city: experiment.City
) -> None:
    base = experiment.make_base(city, "best-uniform", 2.0)
    cells = experiment.worst_cells(city, "best-uniform", base, 2.0)
    curve = experiment.crowd_curve(city, [everybody], experiment.no_privacy(city))
    drawn = [
        figures.truth_maps(person),
        figures.output_maps(person),
        figures.crowd_truth_maps(everybody),
        figures.crowd_estimate_maps(everybody),
        figures.crowd_curve_figure(curve, 2.0),
        figures.worst_case_figure(experiment.worst_cases(city), [experiment.minimax_point(city, 1.0)], cells),
        figures.worst_cells_figure(cells),
    ]
    titles = [figure.layout.title.text for figure in drawn]
    assert all("(simulated)" in title for title in titles)
    assert f"WPM moves this person's distribution by {person.kilometres['wpm']:.1f} km" in titles[1]
    assert f"off by {everybody.means()['wpm']:.2f} km with WPM" in titles[3]
    for title, words in ((titles[5], "exact WPM moves nobody by more than "), (titles[6], "Moved most, by ")):
        stated = float(title.split(words)[1].split(" km")[0])
        assert float(cells.worst) <= stated < float(cells.worst) + 0.1
    assert "Plotly.newPlot" in to_html(drawn[3])


@pytest.mark.parametrize("epsilon", [0.05, 10.0])
def test_the_worst_case_of_every_epsilon_is_in_the_picture(city: experiment.City, epsilon: float) -> None:
    curves = experiment.worst_cases(city)
    cells = experiment.worst_cells(city, "best-uniform", experiment.make_base(city, "best-uniform", epsilon), epsilon)
    low, high = figures.worst_case_figure(curves, [], cells).layout.xaxis.range
    assert low < np.log10(epsilon) < high
    assert curves.epsilon[0] <= epsilon <= curves.epsilon[-1]


def test_the_curve_draws_means_and_standard_deviations(city: experiment.City, everybody: experiment.Crowd) -> None:
    points = [everybody, crowd(city, 8.0)]
    curve = experiment.crowd_curve(city, points, experiment.no_privacy(city))
    figure = figures.crowd_curve_figure(curve, 3.0)
    for trace, name in zip(figure.data, experiment.ESTIMATES, strict=False):
        runs = np.array([point.kilometres[name] for point in points])
        np.testing.assert_allclose(trace.y, runs.mean(axis=1))
        np.testing.assert_allclose(trace.error_y.array, runs.std(axis=1, ddof=1))
    assert "s.d." in figure.layout.yaxis.title.text
    assert any("no privacy" in (trace.name or "") for trace in figure.data)
    assert [shape.x0 for shape in figure.layout.shapes] == [3.0]
    assert len({trace.marker.symbol for trace in figure.data[:5]}) == 5


def finding(everybody: experiment.Crowd, city: experiment.City, wins: list[bool]) -> str:
    points = []
    for at, win in enumerate(wins):
        order = dict.fromkeys(experiment.ESTIMATES, np.array([2.0, 2.0]))
        order["wpm"] = np.array([1.0, 1.0]) if win else np.array([3.0, 3.0])
        values = {**everybody.__dict__, "epsilon": float(at + 1), "kilometres": order}
        points.append(experiment.Crowd(**values))
    curve = experiment.crowd_curve(city, points, np.array([0.1, 0.2]))
    return str(figures.crowd_curve_figure(curve, 1.0).layout.title.text)


def test_the_finding_follows_from_the_numbers(everybody: experiment.Crowd, city: experiment.City) -> None:
    assert "at every ε shown" in finding(everybody, city, [True, True])
    assert "nowhere the nearest" in finding(everybody, city, [False, False])
    assert "up to ε = 2" in finding(everybody, city, [True, True, False])
    assert "at 2 of 3 values" in finding(everybody, city, [True, False, True])


def test_a_tie_is_no_win(everybody: experiment.Crowd) -> None:
    """With one zone every mechanism releases the same."""
    same = {name: np.array([1.0, 1.0]) + place * 1e-15 for place, name in enumerate(experiment.ESTIMATES)}
    tie = experiment.Crowd(**{**everybody.__dict__, "kilometres": same})
    curve = experiment.CrowdCurve((tie,), np.array([0.1, 0.2]), None)
    assert "nowhere the nearest" in figures.crowd_curve_figure(curve, 1.0).layout.title.text


def test_a_prior_that_is_nearer_by_itself_is_named(everybody: experiment.Crowd) -> None:
    sampled = np.array([0.1, 0.2])
    near, far = (
        figures.crowd_curve_figure(experiment.CrowdCurve((everybody,), sampled, prior), 2.0).layout.title.text
        for prior in (0.01, 99.0)
    )
    assert "the prior alone is nearer than WPM at 1 of 1" in near and "prior" not in far


@pytest.mark.parametrize(
    ("bound", "shown"), [(12.01, "12.1 km"), (12.0, "12.0 km"), (0.241, "0.25 km"), (0.0, "0.00 km")]
)
def test_bounds_are_rounded_up(bound: float, shown: str) -> None:
    assert km_at_most(bound) == shown


def test_names_are_drawn_as_text() -> None:
    data = simulated_city(20)
    labels = [f"{NASTY} {i}" for i in range(20)]
    rows = merged(
        pd.DataFrame({"user": [labels[i] for i in data.user], "lat": data.lat, "lon": data.lon, "count": data.count}),
        title=NASTY,
        simulated=False,
        source="",
        licence="",
        outlines=((NASTY, data.outlines[0][1]),),
    )
    plain = experiment.make_city(rows, SMALL)
    city = experiment.make_city(rows, SMALL, zones_geojson(plain, ("<b>A</b>", NASTY, "C")))
    base = experiment.make_base(city, "best-uniform", 2.0)
    result = experiment.one_person(city, experiment.Config(place=SMALL, zones=True), base)
    for figure in (figures.truth_maps(result), figures.output_maps(result)):
        text = figure.to_json()
        assert "<img" not in text and "\\u003cimg" not in text and "<b>" not in text
        assert "&lt;img" in text
        assert "(simulated)" not in figure.layout.title.text


def test_a_zone_has_its_probability_wherever_it_lies(city: experiment.City) -> None:
    zoned = experiment.make_city(simulated_city(60), SMALL, zones_geojson(city))
    everybody = crowd(zoned, 2.0)
    truth, heat = heatmaps(figures.crowd_truth_maps(everybody))
    raster = zoned.map.raster
    assert raster is not None
    first = everybody.estimates["wpm"][0]
    for zone in range(3):
        np.testing.assert_allclose(heat.customdata[raster.zone == zone], first[zone])
        np.testing.assert_allclose(truth.customdata[raster.zone == zone], everybody.moved[zone])
    assert np.isnan(heat.customdata[raster.zone == -1]).all()
