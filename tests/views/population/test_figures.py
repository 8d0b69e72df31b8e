"""Figures of the page Population: what they draw, and that labels are no markup."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import shapely
from scipy.spatial.distance import cdist

from dpot_app.figures.style import colour, to_html
from dpot_app.views import population
from dpot_app.views.population.curves.figures import cost_figure, distance_figure
from dpot_app.views.population.curves.results import CurvePoint
from dpot_app.views.population.digit_pictures.figures import PARTS, digit_figure
from dpot_app.views.population.digit_pictures.results import DigitResult
from dpot_app.views.population.gaussians.figures import synthetic_figure
from dpot_app.views.population.gaussians.results import SyntheticPoint
from dpot_app.views.population.map.figures import reference_map, release_map, small_map
from dpot_app.views.population.map.results import MapResult, names_on
from dpot_app.views.population.map.text import cost_table
from dpot_app.views.population.people import People, Reference, backdrop
from dpot_app.views.population.private_measure.figures import budget_figure, level_figure, points_figure
from dpot_app.views.population.private_measure.results import COUNTS, ERRORS
from dpot_app.views.population.private_measure.text import level_words
from dpot_app.views.population.sensitivity.figures import (
    circle_figure,
    circle_moves_figure,
    movement_figure,
    replaced_map,
)
from dpot_app.views.population.settings import BARYCENTERS
from dpot_app.views.population.synthetic import SERIES
from dpot_app.views.population.units import moved
from dpot_core.datasets import box_outline, load_country, load_places
from dpot_core.datasets.population import Population
from dpot_core.privacy.numerals import number, percent

CONFIG = population.Config(n=300, m=3)


@pytest.fixture(scope="module")
def people() -> People:
    return population.draw_people(load_places("everybody"), CONFIG.n, CONFIG.seed)


@pytest.fixture(scope="module")
def truth(people) -> Reference:
    return population.reference(people, CONFIG.m, CONFIG.seed)


@pytest.fixture(scope="module")
def result(people, truth) -> MapResult:
    draws = {
        name: tuple(population.release(people, truth, CONFIG, name, draw) for draw in range(2))
        for name in population.MECHANISMS
    }
    return MapResult(backdrop(people), truth, draws)


@pytest.mark.parametrize("mechanism", population.MECHANISMS)
def test_the_map_shows_atoms_where_they_are_and_lines_between_them(result, mechanism):
    one = replace(result, draws={name: draws[:1] for name, draws in result.draws.items()})
    figure = release_map(one, mechanism)
    traces = {trace.name: trace for trace in figure.data}
    drawn = result.draws[mechanism][0]
    assert np.column_stack([traces["Non-private"].x, traces["Non-private"].y]) == pytest.approx(result.reference.atoms)
    lines = np.column_stack([traces["moved by"].x, traces["moved by"].y])
    assert lines[0::3] == pytest.approx(result.reference.atoms)
    assert lines[1::3] == pytest.approx(drawn.matched)
    words = figure.layout.title.text
    search, extra = moved(drawn.search_km, True), percent(drawn.cost / drawn.settled_cost - 1)
    assert f"noise raises the cost by {extra}, the search moves the points by {search}" in words.replace("<br>", " ")
    assert figure.layout.yaxis.scaleanchor == "x"
    assert figure.layout.yaxis.scaleratio == pytest.approx(1.257, abs=0.01)
    # Nothing on it needs a base map from the network.
    assert {trace.type for trace in figure.data} == {"heatmap", "scatter"}
    # Its ground is dark in both themes.
    assert traces[BARYCENTERS[mechanism]].marker.color == colour(mechanism, dark=True)


@pytest.mark.parametrize("barycenter", ["non-private", *population.MECHANISMS])
def test_areas_are_drawn_between_the_atoms_whose_they_are(result, barycenter):
    one = replace(result, draws={name: draws[:1] for name, draws in result.draws.items()})

    def picture(areas):
        return reference_map(one, areas) if barycenter == "non-private" else release_map(one, barycenter, areas)

    (trace,) = [trace for trace in picture(True).data if trace.name == "areas"]
    assert not any(trace.name == "areas" for trace in picture(False).data)
    ends = np.column_stack([trace.x, trace.y])
    first, last, gaps = ends[0::3], ends[1::3], ends[2::3]
    assert np.isnan(gaps).all() and len(first) == len(one.areas(barycenter).ends)
    if barycenter == "non-private":
        atoms, psi = one.reference.atoms, one.reference.potentials[0]
    else:
        # The release alone, in its own order.
        atoms, psi = one.draws[barycenter][0].atoms, one.draws[barycenter][0].potentials[0]
    away = np.sort(cdist((first + last) / 2, atoms, "sqeuclidean") - psi, axis=1)
    assert away[:, 0] == pytest.approx(away[:, 1], abs=1e-2)  # of hundreds, drawn in single precision
    # Over many releases, and where each of several groups has its own, there are none.
    if barycenter != "non-private":
        assert not result.has_areas(barycenter)
        with pytest.raises(ValueError, match="areas are drawn"):
            result.areas(barycenter)


def test_a_table_has_the_areas_and_together_they_are_the_country(result):
    tables = result.tables()
    outline = result.backdrop.outline
    whole = shapely.area(shapely.transform(shapely.segmentize(outline.region, 0.05), outline.to_km))
    assert whole == pytest.approx(7.8e6, rel=0.01)  # with the Great Lakes left out
    sums = tables["many-atoms"].groupby(["barycenter", "draw"])["area (square km)"].sum()
    assert len(sums) == 4 and sums.to_numpy() == pytest.approx(whole, rel=1e-5)
    assert tables["many-atoms-not-private"]["area (square km)"].sum() == pytest.approx(whole, rel=1e-5)


def test_the_small_map_names_the_mechanism_and_shows_its_atoms(result):
    figure = small_map(result, "perturbation")
    assert "Perturbation: " in figure.layout.annotations[0].text
    assert figure.layout.title.text.startswith("Perturbation, ")
    drawn = next(trace for trace in figure.data if trace.name == "Perturbation")
    assert np.column_stack([drawn.x, drawn.y]) == pytest.approx(result.draws["perturbation"][0].matched)


def test_the_map_without_privacy_says_how_far_people_are_and_names_cities(result):
    named = replace(result, places=names_on(result.backdrop.outline))
    figure = reference_map(named)
    assert f"{result.reference.km:,.0f} km" in figure.layout.title.text
    words = [word for trace in figure.data for word in (trace.text if trace.text is not None else ())]
    assert "Chicago" in words and "1,000 km, 37° N" in words
    rings = next(trace for trace in figure.data if trace.name == "Non-private")
    assert rings.marker.color != rings.marker.line.color, "a ring that is white is seen on a white page, too"
    bar = next(trace for trace in figure.data if trace.type == "scatter" and len(trace.x) == 2)
    middle = sum(result.backdrop.outline.bounds[1::2]) / 2
    ends = result.backdrop.outline.to_km(np.column_stack([bar.x, [middle, middle]]))
    assert np.hypot(*(ends[1] - ends[0])) == pytest.approx(1000, rel=0.02)
    counts = figure.data[0].customdata
    assert counts.sum() == 300 and np.isnan(figure.data[0].z[~result.backdrop.inside]).all()


@pytest.mark.parametrize(("code", "said"), [("JP", "Sapporo"), ("NG", "Kano"), ("BR", "Manaus")])
def test_the_scale_of_a_country_stands_where_no_land_is_and_its_cities_are_named(code, said):
    there = population.draw_people(load_country("everybody", code), CONFIG.n, CONFIG.seed)
    draws = {name: () for name in population.MECHANISMS}
    made = MapResult(backdrop(there), population.reference(there, CONFIG.m, CONFIG.seed), draws)
    figure = reference_map(replace(made, places=names_on(there.outline)))
    words = [word for trace in figure.data for word in (trace.text if trace.text is not None else ())]
    bar = next(trace for trace in figure.data if trace.type == "scatter" and len(trace.x) == 2)
    middle = sum(there.outline.bounds[1::2]) / 2
    assert said in words and any(word.endswith(f" km, {abs(middle):.0f}° {'NS'[middle < 0]}") for word in words)
    ends = there.outline.to_km(np.column_stack([bar.x, [middle, middle]]))
    assert np.hypot(*(ends[1] - ends[0])) == pytest.approx(float(words[-1].split()[0].replace(",", "")), rel=0.03)
    assert not shapely.LineString(np.column_stack([bar.x, bar.y])).intersects(there.outline.region)
    low, high = figure.layout.yaxis.range
    assert low <= bar.y[0] <= high


def test_several_draws_are_small_marks_and_a_mean(result):
    figure = release_map(result, "coreset")
    search = moved(float(np.mean([one.search_km for one in result.draws["coreset"]])), True)
    assert f"the search moves the points by {search}, on average of 2 releases" in figure.layout.title.text
    assert any(trace.name == "1 other possible releases" for trace in figure.data)
    table = cost_table(result)
    heads, rows = table.heads, table.rows
    assert heads[1:] == ["Cost (squared degrees)", "W₂ to ○ (km)", "by noise (km)", "by search (km)"]
    assert len(heads) == len(rows[0]) and "±" in rows[1][1]
    decimals = {len(cost.partition(".")[2]) for row in rows for cost in row[1].split(" ± ")}
    assert len(decimals) == 1, "costs of one column are compared: as many decimals for all"
    assert rows[1][4].startswith(search.removesuffix(" km")), "one figure is computed once: in title and table"


def test_coordinates_without_degrees_have_no_kilometres():
    rng = np.random.default_rng(0)
    box = box_outline(0, 0, 2, 1)
    cloud = rng.random((80, 2)) * [2, 1]
    plane = Population(
        lon=cloud[:, 0],
        lat=cloud[:, 1],
        weights=np.full((1, 80), 9.0),
        group_names=("<b>all</b>",),
        title="T",
        simulated=True,
        outline=box,
        source="S",
        licence="L",
    )
    people = population.draw_people(plane, 200, 1)
    truth = population.reference(people, 3, 1)
    assert truth.km is None
    config = population.Config(n=200, m=3)
    draws = {name: (population.release(people, truth, config, name),) for name in population.MECHANISMS}
    result = MapResult(backdrop(people), truth, draws)
    figures = [reference_map(result), *(release_map(result, name) for name in population.MECHANISMS)]
    for figure in figures:
        assert "km" not in figure.layout.title.text and "(simulated)" in figure.layout.title.text
        assert figure.layout.xaxis.title.text == "x" and figure.layout.xaxis.visible is None
        # Neither names nor a bar of kilometres.
        assert all(trace.text is None for trace in figure.data)
    assert "km" not in small_map(result, "coreset").layout.annotations[0].text
    assert "area (squared units)" in result.tables()["atoms"]
    assert len(cost_table(result).heads) == 5
    assert result.tables()["costs"]["W2 to non-private km"].isna().all()


def test_curves_have_bands_from_the_smallest_to_the_largest_run():
    rng = np.random.default_rng(1)
    points = [
        CurvePoint(
            value,
            {name: rng.random(5) for name in BARYCENTERS},
            {name: rng.random(5) for name in population.MECHANISMS},
            {},
            True,
            False,
            {name: rng.random(5) for name in population.MECHANISMS},
            {name: rng.random(5) for name in population.MECHANISMS},
        )
        for value in (0.5, 1.0, 2.0)
    ]
    curve = population.curve("epsilon", CONFIG, points)
    figure = cost_figure(curve)
    band, line = figure.data[2], figure.data[3]
    runs = np.array([point.cost["coreset"] for point in points])
    assert band.y == pytest.approx(np.concatenate([runs.min(axis=1), runs.max(axis=1)[::-1]]))
    assert line.y == pytest.approx(runs.mean(axis=1))
    assert len(figure.layout.shapes) == len(figure.layout.annotations) == 1
    assert list(figure.layout.xaxis.tickvals) == [point.value for point in points]
    far = distance_figure(curve)
    assert far.data[1].y == pytest.approx([point.noise["coreset"].mean() for point in points])
    assert "Noise moves the" in far.layout.title.text


def test_the_cost_of_noise_is_apart_from_the_cost_of_the_search():
    """Privacy is not to blame for a search that ends in a worse place."""
    two = np.full(2, 2.0)
    points = [
        CurvePoint(value, {"non-private": two, "coreset": 1.5 * two, "perturbation": 1.2 * two}, {}, {}, True, False)
        for value in (0.5, 1.0)
    ]
    points = [replace(one, settled={"coreset": 1.5 * two, "perturbation": 1.1 * two}) for one in points]
    title = cost_figure(population.curve("epsilon", CONFIG, points)).layout.title.text
    noise, search = "0% (coreset) and 9.09% (perturbation)", "50% (coreset) and 10% (perturbation)"
    assert title == f"On average over ε, noise raises the cost by {noise}; where the search ends, by {search}"


def test_inside_shows_three_counts_on_one_scale(people):
    inside = population.inside(people, CONFIG)
    for level in (0, 3, 99):
        maps = [level_figure(inside, level, count) for count in COUNTS]
        assert len({(one.data[0].zmin, one.data[0].zmax) for one in maps}) == 1
    numbers = maps[0].data[0].customdata
    assert np.nansum(numbers) <= 300
    for noisy, word in ((-5.0, "−5"), (-0.4, "0")):
        cells = replace(inside.maps[3], counts={"noisy": np.full_like(inside.maps[3].counts["noisy"], noisy)})
        figure = level_figure(replace(inside, maps=[cells]), 0, "noisy")
        assert {*figure.data[-1].text} == {word}, "a minus as on the axes, and none at 0"
    # Japan's cells are narrow: counts would stand over one another, and in no picture of a level do they.
    japan = population.inside(population.draw_people(load_country("everybody", "JP"), 10_000, 1), population.Config())
    for level, there in ((1, True), (3, True), (5, False)):
        last = [level_figure(japan, level, count).data[-1] for count in COUNTS]
        assert {trace.mode == "text" for trace in last} == {there}
    assert "public, so nothing is added" in level_words(inside, 0)
    assert "Level 3 of" in level_words(inside, 3)
    off = inside.levels[ERRORS["noisy"]].iloc[3]
    assert f"off by {number(off)} people" in level_figure(inside, 3, "noisy").layout.title.text
    assert "(blue: level 3)" in budget_figure(inside, 3).layout.title.text
    last = budget_figure(inside, 99)
    assert f"(blue: level {inside.depth})" in last.layout.title.text
    assert last.data[0].marker.color[inside.depth] == colour("coreset")
    bars = budget_figure(inside, 3).data[0]
    assert sum(bars.y) == pytest.approx(inside.sample_guarantee.epsilon)
    assert len(points_figure(inside).data[1].x) == 300


@pytest.mark.parametrize("adjacency", ["replace", "add-remove"])
def test_the_scales_of_the_inside_are_those_of_the_whole_slider(people, adjacency):
    seen = set()
    for epsilon in (0.05, 1.0, 10.0, 20.0):  # the last one is not on it
        inside = population.inside(people, replace(CONFIG, epsilon=epsilon, adjacency=adjacency))
        figure = budget_figure(inside, 2)
        (low, high), (left, right) = figure.layout.yaxis.range, figure.layout.xaxis.range
        assert low == 0 and max(figure.data[0].y) <= high
        assert left <= min(figure.data[0].x) and max(figure.data[0].x) <= right
        if epsilon <= 10.0:
            seen.add((high, right, level_figure(inside, 4, "noisy").data[0].zmax))
    assert len(seen) == 1


@pytest.mark.parametrize("epsilon", [0.05, 10.0])
def test_no_atom_leaves_the_map_however_large_the_noise(people, truth, epsilon):
    """One chunk has the most noise that there is."""
    config = replace(CONFIG, guarantee="paper", chunks=1, epsilon=epsilon)
    draws = {name: (population.release(people, truth, config, name),) for name in population.MECHANISMS}
    for name in draws:
        figure = release_map(MapResult(backdrop(people), truth, draws), name)
        for trace in figure.data[1:]:
            for values, (low, high) in ((trace.x, figure.layout.xaxis.range), (trace.y, figure.layout.yaxis.range)):
                assert low <= np.nanmin(values) and np.nanmax(values) <= high


@pytest.mark.nightly
def test_the_circle_and_the_replaced_people(people, truth):
    circle = population.circle()
    assert "0.356 diameters; claimed: 0.005" in circle_moves_figure(circle).layout.title.text
    turned = [circle_figure(circle, number).data[2] for number in range(2)]
    assert circle_figure(circle, 0).layout.xaxis.title.text == "x (diameters)"
    assert max(turned[0].x) > 0.3 > max(turned[1].x)
    found = population.replace_people(people, truth, CONFIG)
    figure = movement_figure(found)
    assert max(figure.data[1].y) <= 1.0
    moved_person = replaced_map(found, 8)
    assert "one atom moves" in moved_person.layout.title.text
    assert {"the person, before", "the person, after"} <= {trace.name for trace in moved_person.data}
    failing = replace(found, assumed=1e-9)
    assert "fails for 8 of 8 people, the proven one for none" in movement_figure(failing).layout.title.text


def test_synthetic_figures():
    rng = np.random.default_rng(1)
    points = [SyntheticPoint(n, {name: rng.random(4) for name in SERIES}) for n in (50.0, 100.0)]
    config = population.SyntheticConfig(pictures=1, digit_atoms=4)
    figure = synthetic_figure(population.synthetic_curve("n", config, points))
    assert "simulated" in figure.layout.title.text and len(figure.data) == 6
    digit = DigitResult(
        config, "T", True, *(rng.random((9, 2)) for _ in range(4)), {"non-private": 0.1, "plain": 0.2}, None
    )
    parts = [digit_figure(digit, part) for part in PARTS]
    assert [len(one.data) for one in parts] == [1, 1, 2]
    assert "Barycenter of 1 picture: cost 0.2 with" in parts[2].layout.title.text
    assert all("(simulated)" in one.layout.title.text for one in parts)


def test_a_figure_opens_without_a_network(result):
    assert "cdn" not in to_html(release_map(result, "coreset")).split("<script")[0]
