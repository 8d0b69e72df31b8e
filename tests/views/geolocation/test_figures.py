"""The geolocation figures: one scale for what is compared, the results' numbers, words that follow from them."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import pytest

from dpot_app.cities.city import City, make_city
from dpot_app.cities.crowd import ESTIMATES, MECHANISMS, Crowd, no_privacy
from dpot_app.cities.tiles import Tiles
from dpot_app.figures.map_scales import colour_axes, stretched
from dpot_app.figures.style import km, km_at_most, to_html
from dpot_app.views.geolocation.base import minimax_point
from dpot_app.views.geolocation.crowd.figures import (
    crowd_curve_figure,
    crowd_estimate_map,
    crowd_truth_map,
)
from dpot_app.views.geolocation.crowd.results import CrowdCurve
from dpot_app.views.geolocation.person.figures import beside_map, on_streets, output_map, truth_map
from dpot_app.views.geolocation.person.results import DROPS, OnePerson, Spread, one_person, spread
from dpot_app.views.geolocation.settings import Config
from dpot_app.views.geolocation.worst_case.figures import worst_case_figure, worst_cells_figure
from dpot_app.views.geolocation.worst_case.results import worst_cases, worst_cells
from dpot_core.datasets import simulated_city
from dpot_core.datasets.check_ins import merged
from dpot_core.mechanisms import LABELS
from dpot_core.worst_case import WorstCase
from tests.views.geolocation.examples import SMALL, crowd, zones_geojson

NASTY = "<img src=x onerror=alert(1)>"


@pytest.fixture(scope="module")
def city() -> City:
    return make_city(simulated_city(60), SMALL)


@pytest.fixture(scope="module")
def person(city: City) -> OnePerson:
    return one_person(city, Config(place=SMALL))


@pytest.fixture(scope="module")
def everybody(city: City) -> Crowd:
    return crowd(city, 2.0)


def heatmaps(figure: go.Figure) -> list[go.Heatmap]:
    return [trace for trace in figure.data if trace.type == "heatmap"]


def test_the_map_of_the_truth_has_a_name_and_says_who_it_is(person: OnePerson) -> None:
    figure = truth_map(person.truth)
    assert figure.layout.annotations[0].text.startswith("Truth: cells of ")
    label = person.truth.name.removeprefix("Person 1 (in the data: ")
    assert re.fullmatch(r"person \d+\)", label), "the number of the control comes first"
    assert figure.layout.title.text.startswith(f"{person.truth.name} (simulated): ")


def test_of_cells_that_are_worst_alike_all_are_ringed(city: City) -> None:
    cells = worst_cells(city, "best-uniform", 2.0)
    figure = worst_cells_figure(worst_cases(city), cells)
    east, north = city.map.points[[0, -1]].T
    corners = sorted((x, y) for x in east for y in north)
    assert sorted(zip(figure.data[-1].x, figure.data[-1].y, strict=True)) == corners
    assert "from each of the 4 ringed cells" in figure.layout.title.text
    alone = worst_cells_figure(worst_cases(city), replace(cells, worst=WorstCase(np.arange(49.0))))
    assert list(alone.data[-1].x) == [east[1]] and " average, from " in alone.layout.title.text


def test_truth_and_outputs_share_one_scale(person: OnePerson) -> None:
    drawn = [truth_map(person.truth), *(make(person, name) for name in MECHANISMS for make in (output_map, beside_map))]
    axes = [figure.layout.coloraxis for figure in drawn]
    top = max(person.truth.mu.max(), *(nu.max() for nu in person.outputs.values()))
    assert {axis.cmin for axis in axes} == {0} and {axis.cmax for axis in axes} == {
        float(np.cbrt(person.truth.highest))
    }
    assert person.truth.highest >= top


@pytest.mark.parametrize("name", MECHANISMS)
def test_maps_draw_the_numbers_row_by_row_from_the_south_west(person: OnePerson, name: str) -> None:
    (heat,), (small,) = heatmaps(output_map(person, name)), heatmaps(beside_map(person, name))
    np.testing.assert_allclose(heat.customdata.ravel(), person.outputs[name])
    np.testing.assert_allclose(heat.z.ravel(), stretched(person.outputs[name]))
    np.testing.assert_allclose(small.z, heat.z)
    title = beside_map(person, name).layout.title.text
    assert title == f"{LABELS[name]}: W₁ = {km(person.kilometres[name])} (simulated)"
    assert len(heat.x) == len(heat.y) == 7
    assert heat.x[0] < heat.x[-1] and heat.y[0] < heat.y[-1]


def test_a_kilometre_is_as_long_to_the_east_as_to_the_north(person: OnePerson) -> None:
    layout = output_map(person).layout
    assert layout.yaxis.scaleanchor == "x"
    ratio, rest = layout.meta["fit"]
    assert ratio == pytest.approx(person.map.height / person.map.width) and 0 < rest < 100


TILES = Tiles("https://tiles.example/{z}/{x}/{y}.png", NASTY)


def test_on_streets_every_cell_has_its_corners_and_its_output(person: OnePerson, city: City) -> None:
    figure = on_streets(person, "wpm", city.grid, TILES)
    go.Figure(figure.to_dict())  # Plotly takes it
    cells, nu = figure.data[0], person.outputs["wpm"]
    corners = np.stack([cells.x, cells.y], axis=-1)
    assert corners.shape == (8, 8, 2)
    np.testing.assert_allclose(cells.z.ravel(), stretched(nu))
    np.testing.assert_array_equal(cells.customdata.ravel(), nu)
    # The rings of the grid itself, counter-clockwise from the south-west corner.
    rings = np.stack([corners[:-1, :-1], corners[:-1, 1:], corners[1:, 1:], corners[1:, :-1]], axis=2).reshape(-1, 4, 2)
    np.testing.assert_allclose(rings, mercator(city, city.grid.cells[:, :4]), atol=1e-6)
    layout = figure.layout
    assert layout.yaxis.scaleanchor == "x" and [layout.xaxis.range[0], layout.yaxis.range[0]] == [0, 0]
    np.testing.assert_allclose([layout.xaxis.range[1], layout.yaxis.range[1]], corners.max(axis=(0, 1)), atol=1e-6)
    assert layout.coloraxis.cmax == pytest.approx(stretched(np.array(person.truth.highest)))
    # Who made the tiles is no HTML; where the axes begin, the world's tiles are counted from.
    told = layout.meta["tiles"]
    assert told["attribution"] == NASTY and told["corner"][0] == city.grid.box[0]
    assert northing(city.grid.box[1]) == pytest.approx(told["corner"][1], abs=1e-12)


def northing(lat: Any) -> Any:
    """Mercator's, in degrees of longitude."""
    return np.degrees(np.log(np.tan(np.pi / 4 + np.radians(lat) / 2)))


def mercator(city: City, lonlat: np.ndarray) -> np.ndarray:
    """Places (..., 2) in degrees on the map, from the corner of the grid's box on."""
    west, south, _, _ = city.grid.box
    return np.stack([lonlat[..., 0] - west, northing(lonlat[..., 1]) - northing(south)], axis=-1)


def test_the_scale_bar_is_a_round_length_in_kilometres(person: OnePerson) -> None:
    drawn = [trace for trace in output_map(person).data if trace.type == "scatter"]
    bar = next(trace for trace in drawn if trace.line.width == 3)
    (words,) = next(trace.text for trace in drawn if trace.mode == "text" and "N ↑" in trace.text[0])
    assert words.split(" km")[0] == f"{bar.x[1] - bar.x[0]:g}"
    assert 0.1 * person.map.width < bar.x[1] - bar.x[0] <= person.map.width / 3


@pytest.mark.parametrize("compare", MECHANISMS)
def test_differences_have_a_scale_of_their_own_centred_at_zero(person: OnePerson, compare: str) -> None:
    figure = output_map(person, compare, difference=True)
    axis = figure.layout.coloraxis2
    assert axis.cmin == -axis.cmax
    np.testing.assert_allclose(heatmaps(figure)[0].customdata.ravel(), person.outputs[compare] - person.truth.mu)


@pytest.mark.parametrize("name", MECHANISMS)
def test_circles_hold_half_and_nine_tenths_of_the_mass(person: OnePerson, name: str) -> None:
    nu, around, home = person.outputs[name], person.spreads[name], person.truth.home
    np.testing.assert_array_equal(
        home, person.map.points[person.truth.mu.argmax()]
    )  # where the person was, not nu's mode
    away = np.hypot(*(person.map.points - home).T)
    assert around.mean == pytest.approx(nu @ away) and around.mean >= person.truth.usual - person.ends[name][1] - 1e-9
    for radius, share in ((around.half, 0.5), (around.most, 0.9)):
        assert nu[away <= radius].sum() >= share - 1e-9 > nu[away < radius - 1e-9].sum() - 1e-9
    drawn = [trace for trace in output_map(person, name).data if "of the releases" in (trace.name or "")]
    for trace, radius in zip(drawn, (around.half, around.most), strict=True):
        np.testing.assert_allclose(np.hypot(trace.x - home[0], trace.y - home[1]), radius, atol=1e-9)


@pytest.mark.parametrize("name", MECHANISMS)
def test_possible_releases_fall_from_home_as_often_as_they_are_likely(person: OnePerson, name: str) -> None:
    figure, city = output_map(person, name), person.map
    (rain,) = (trace for trace in figure.data if isinstance(trace.meta, dict))
    (home,) = (trace for trace in figure.data if trace.meta == "home")
    assert rain.visible is False, "the browser shows them when it is asked to"
    np.testing.assert_allclose([home.x[0], home.y[0]], city.points[person.truth.mu.argmax()])
    np.testing.assert_allclose(rain.customdata, [[home.x[0], home.y[0]]] * DROPS)
    drops = np.column_stack([rain.x, rain.y])
    column, row = np.floor(drops / [city.width, city.height] * city.n).astype(int).T
    cells, nu = row * city.n + column, person.outputs[name]
    assert (nu[cells] > 0).all()
    # In the west, in the south and where it is likeliest: as many as of independent draws, to 4.5 standard errors.
    every = np.arange(len(nu))
    for part in (every % city.n < 3, every < 3 * city.n, nu > np.median(nu)):
        share = nu[part].sum()
        assert abs(part[cells].sum() - DROPS * share) <= 4.5 * np.sqrt(DROPS * share * (1 - share)) + 1e-9
    half = next(trace for trace in figure.data[1:] if trace.mode == "text" and "half" in trace.text[0])
    assert half.text == (f"half of the releases within {km_at_most(person.spreads[name].half)}",)


def test_possible_releases_walk_with_epsilon(city: City) -> None:
    """By the same random numbers at every epsilon: from step to step no drop leaves its neighbourhood along x."""
    at = [one_person(city, Config(place=SMALL, epsilon=float(epsilon))).drops for epsilon in np.linspace(2.0, 3.0, 5)]
    for name in MECHANISMS:
        steps = np.diff([drops[name][:, 0] for drops in at], axis=0)
        assert 0 < np.abs(steps).max() < 0.35 * city.map.width and np.median(np.abs(steps)) < 0.03 * city.map.width


@pytest.mark.parametrize("epsilon", [0.05, 10.0])
def test_the_name_of_the_inner_circle_stays_on_the_map(city: City, epsilon: float) -> None:
    for place in ("0.05 0.05 1", "0.95 0.95 1", "0.5 0.5 1"):
        person = one_person(city, Config(place=SMALL, epsilon=epsilon, drawn=place))
        for name in MECHANISMS:
            figure = output_map(person, name)
            half = next(trace for trace in figure.data[1:] if trace.mode == "text" and "half" in trace.text[0])
            around = person.spreads[name]
            x, y = float(half.x[0]), float(half.y[0])
            if np.isfinite(x):
                assert 0 < x < city.map.width and 0 < y < city.map.height
                away = np.hypot(x - person.truth.home[0], y - person.truth.home[1])
                assert away in (pytest.approx(around.half), pytest.approx(around.half / 2))


@pytest.mark.parametrize(("most", "away"), [(0.45, 0.2), (0.6, 0.4)])
def test_the_name_of_the_inner_circle_is_not_crossed_by_the_outer_one(
    person: OnePerson, most: float, away: float
) -> None:
    city = person.truth.map
    middle = replace(person.truth, home=np.array([0.5 * city.width, 0.3 * city.height]))
    around = Spread(mean=0.0, half=0.4 * city.height, most=most * city.height)
    figure = output_map(replace(person, truth=middle, spreads=dict.fromkeys(person.spreads, around)), "wpm")
    name = next(trace for trace in figure.data[1:] if trace.mode == "text" and "half" in trace.text[0])
    assert float(name.y[0]) == pytest.approx((0.3 + away) * city.height)


def test_a_release_s_distance_is_from_home_wherever_it_is_likeliest() -> None:
    points = np.array([[0.0, 0.0], [1.0, 0.0], [2.0, 0.0], [9.0, 0.0]])
    found = spread(np.array([0.1, 0.1, 0.3, 0.5]), points, points[0])
    assert (found.mean, found.half, found.most) == (pytest.approx(5.2), 2.0, 9.0)


def test_no_difference_is_drawn_as_none() -> None:
    assert colour_axes(1.0, True, True)["coloraxis2"]["cmax"] == 1.0
    assert "coloraxis2" not in colour_axes(1.0, True, False)


def test_titles_state_distances_and_that_people_are_invented(person: OnePerson, everybody: Crowd, city: City) -> None:
    cells = worst_cells(city, "best-uniform", 2.0)
    curve = CrowdCurve((everybody,), no_privacy(city), None)
    drawn = [
        truth_map(person.truth),
        output_map(person),
        crowd_truth_map(everybody),
        crowd_estimate_map(everybody),
        crowd_curve_figure(curve, 2.0),
        worst_case_figure(worst_cases(city), [minimax_point(city, 1.0)], cells),
        worst_cells_figure(worst_cases(city), cells),
    ]
    titles = [figure.layout.title.text for figure in drawn]
    assert all("(simulated)" in title for title in titles)
    off, moved = person.spreads["wpm"].mean, person.kilometres["wpm"]
    assert re.search(rf"WPM lands on average {off:.3g} km .*; W₁ to the truth: .*WPM {moved:.3g}\b", titles[1])
    least = min(everybody.means().items(), key=lambda found: found[1])
    assert least[0] == "oue" and f"off by W₁ = {least[1]:.2f} km with OUE" in titles[3]
    assert f"{everybody.means()['wpm']:.2f} km with WPM" in titles[3]
    for title, words in (
        (titles[5], "exact WPM (best uniform base) land on average at most "),
        (titles[6], "People are moved most, by "),
    ):
        stated = float(title.split(words)[1].split(" km")[0])
        assert float(cells.worst) <= stated < float(cells.worst) + 0.1
    document = to_html(drawn[3])
    # No button that would send the chart's data away.
    assert "Plotly.newPlot" in document and '"showSendToCloud": false' in document


@pytest.mark.parametrize("epsilon", [0.05, 10.0])
def test_the_worst_case_of_every_epsilon_is_in_the_picture(city: City, epsilon: float) -> None:
    curves = worst_cases(city)
    cells = worst_cells(city, "best-uniform", epsilon)
    figure = worst_case_figure(curves, [], cells)
    assert figure.data[-1].cliponaxis is False
    low, high = figure.layout.xaxis.range
    assert low < np.log10(epsilon) < high
    assert curves.epsilon[0] <= epsilon <= curves.epsilon[-1]


def test_the_curve_draws_means_and_standard_deviations(city: City, everybody: Crowd) -> None:
    points = [everybody, crowd(city, 8.0)]
    curve = CrowdCurve(tuple(points), no_privacy(city), None)
    figure = crowd_curve_figure(curve, 3.0)
    for trace, name in zip(figure.data, ESTIMATES, strict=False):
        runs = np.array([point.kilometres[name] for point in points])
        np.testing.assert_allclose(trace.y, runs.mean(axis=1))
        np.testing.assert_allclose(trace.error_y.array, runs.std(axis=1, ddof=1))
    assert "s.d." in figure.layout.yaxis.title.text
    assert any("no privacy" in (trace.name or "") for trace in figure.data)
    assert [shape.x0 for shape in figure.layout.shapes] == [3.0]
    drawn = figure.data[: len(ESTIMATES)]
    assert len({trace.marker.symbol for trace in drawn}) == len(ESTIMATES) == 8


def with_distances(everybody: Crowd, epsilon: float, kilometres: dict[str, Any]) -> Crowd:
    ends = {name: np.column_stack([runs, runs]) for name, runs in kilometres.items()}
    return replace(everybody, epsilon=epsilon, kilometres=kilometres, ends=ends)


def finding(everybody: Crowd, wins: list[bool], ours: Any = (1.0, 1.0), *more: Crowd) -> str:
    points = []
    for at, win in enumerate(wins):
        order = dict.fromkeys(ESTIMATES, np.array([2.0, 2.0]))
        order["wpm"] = np.array(ours) if win else np.array([3.0, 3.0])
        points.append(with_distances(everybody, float(at + 1), order))
    curve = CrowdCurve((*points, *more), np.array([0.1, 0.2]), None)
    return str(crowd_curve_figure(curve, 1.0).layout.title.text)


def test_the_finding_follows_from_the_numbers(everybody: Crowd) -> None:
    assert "at every ε shown" in finding(everybody, [True, True])
    assert "at no ε shown (by more than 2 paired s.e." in finding(everybody, [False, False])
    assert "up to ε = 2" in finding(everybody, [True, True, False])
    assert "at 2 of 3 values" in finding(everybody, [True, False, True])


def test_the_finding_holds_beyond_the_runs_own_noise_and_wherever_the_slider_stands(everybody: Crowd) -> None:
    assert "at no ε shown" in finding(everybody, [True, True], (1.0, 2.9)), "within two standard errors"
    here = with_distances(everybody, 2.7, dict.fromkeys(ESTIMATES, np.array([2.0, 2.0])))
    assert finding(everybody, [True, True], (1.0, 1.0), here) == finding(everybody, [True, True])


def test_a_tie_is_no_win(everybody: Crowd) -> None:
    """With one zone every mechanism releases the same."""
    same = {name: np.array([1.0, 1.0]) + place * 1e-15 for place, name in enumerate(ESTIMATES)}
    curve = CrowdCurve((with_distances(everybody, 2.0, same),), np.array([0.1, 0.2]), None)
    assert "at no ε shown" in crowd_curve_figure(curve, 1.0).layout.title.text


def test_a_prior_that_is_nearer_by_itself_is_named(everybody: Crowd) -> None:
    sampled = np.array([0.1, 0.2])
    near, far = (
        crowd_curve_figure(CrowdCurve((everybody,), sampled, prior), 2.0).layout.title.text for prior in (0.01, 99.0)
    )
    assert "the prior alone is nearer than WPM at every ε shown" in near and "prior" not in far


@pytest.mark.parametrize(("bound", "shown"), [(12.01, "12.1 km"), (12.0, "12 km"), (0.241, "0.241 km"), (0.0, "0 km")])
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
    plain = make_city(rows, SMALL)
    city = make_city(rows, SMALL, zones_geojson(plain, ("<b>A</b>", NASTY, "C")))
    result = one_person(city, Config(place=SMALL, zones=True))
    for figure in (truth_map(result.truth), output_map(result)):
        text = figure.to_json()
        assert "<img" not in text and "\\u003cimg" not in text and "<b>" not in text
        assert "&lt;img" in text
        assert "(simulated)" not in figure.layout.title.text


def test_a_zone_has_its_probability_wherever_it_lies(city: City) -> None:
    zoned = make_city(simulated_city(60), SMALL, zones_geojson(city))
    everybody = crowd(zoned, 2.0)
    (truth,), (heat,) = heatmaps(crowd_truth_map(everybody)), heatmaps(crowd_estimate_map(everybody))
    raster = zoned.map.raster
    assert raster is not None
    first = everybody.estimates["wpm"][0]
    for zone in range(3):
        np.testing.assert_allclose(heat.customdata[raster.zone == zone], first[zone])
        np.testing.assert_allclose(truth.customdata[raster.zone == zone], everybody.moved[zone])
    assert np.isnan(heat.customdata[raster.zone == -1]).all()


def test_on_streets_the_truth_and_the_circles_are_drawn_where_they_are(person: OnePerson, city: City) -> None:
    _, truth, half, most = on_streets(person, "wpm", city.grid, TILES).data
    places = np.flatnonzero(person.truth.mu)
    where = mercator(city, city.grid.centres_lonlat[places])
    np.testing.assert_allclose(np.column_stack([truth.x, truth.y]), where, atol=1e-9)
    spread = person.spreads["wpm"]
    for ring, radius in ((half, spread.half), (most, spread.most)):
        around = city.grid.to_lonlat(person.truth.home + radius * np.array([[0.0, 1.0], [1.0, 0.0], [0.0, -1.0]]))
        drawn = np.column_stack([ring.x, ring.y])[[0, 18, 36]]
        np.testing.assert_allclose(drawn, mercator(city, around), atol=1e-9)
