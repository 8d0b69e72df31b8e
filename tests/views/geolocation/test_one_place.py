"""Geo-indistinguishability of one place on the page: numbers by hand, words that hold, what is public."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

import dpot_core as dpot
from dpot_app.cities.place import Place
from dpot_app.kit.blocks import Table, pictures
from dpot_app.views.geolocation.one_place import figures
from dpot_app.views.geolocation.one_place.results import BY_DISTANCE, SIDE, Moved, OnePlace
from dpot_app.views.geolocation.one_place.text import VIEW, few_cells, promise
from dpot_app.views.geolocation.settings import Config
from dpot_app.views.geolocation.views import city_of
from dpot_core import metric
from dpot_core.privacy.numerals import number
from tests.batch.scenarios.outcomes import with_short_curves

SMALL = Config(place=Place(n=5), epsilon=4.0, reg=None, mechanisms=("wpm", "em"))
PRIOR = replace(SMALL, place=Place(n=5, held_out=True), base="prior", p=2.0)


@pytest.fixture(scope="module", autouse=True)
def short() -> Iterator[None]:
    with with_short_curves():
        yield


def found_at(config: Config) -> OnePlace:
    (found,) = VIEW.run(config).parts
    return found


@pytest.mark.slow
@pytest.mark.parametrize("config", [SMALL, PRIOR], ids=["uniform", "prior"])
def test_distances_are_those_of_the_mechanisms_on_these_cells(config: Config) -> None:
    found, city = found_at(config), city_of(few_cells(config), {})
    distances, prior = city.distances, np.full(25, 0.04)
    if config.base == "prior":
        assert city.held_out is not None
        prior = city.held_out
    rate = 4.0 / distances.max()
    assert found.rate == pytest.approx(rate) and found.farthest == pytest.approx(distances.max())
    loss = distances**config.p
    best = metric.optimal_geo_indistinguishability(distances, rate, prior, loss)
    assert city.grid.space.axes is not None
    kernels = {"optimal": best.kernel, "laplace": metric.planar_laplace_kernel(*city.grid.space.axes, rate)}
    for name, kernel in kernels.items():
        plain = [sum(kernel[x, z] * loss[x, z] for z in range(25)) for x in range(25)]
        onto = [guess(kernel, prior, loss, z) for z in range(25)]
        after = [sum(kernel[x, z] * loss[x, onto[z]] for z in range(25)) for x in range(25)]
        expected = [prior @ plain, max(plain), prior @ after, max(after)]
        np.testing.assert_allclose(found.now[name], np.power(expected, 1 / config.p), rtol=1e-9)
    assert found.optimum.spent <= rate * (1 + 1e-15) and found.optimum.gap <= 1e-4
    assert set(found.now) == {*BY_DISTANCE, *config.mechanisms} == set(found.curves)


def guess(kernel: np.ndarray, prior: np.ndarray, loss: np.ndarray, output: int) -> int:
    expected = [sum(prior[x] * kernel[x, output] * loss[x, w] for x in range(25)) for w in range(25)]
    return output if expected[output] <= min(expected) * (1 + 1e-12) else int(np.argmin(expected))


def test_the_table_has_what_was_computed_and_nothing_moves_a_place_less_by_distance() -> None:
    found = found_at(SMALL)
    (table,) = (block for block in VIEW.show(SMALL, found) if isinstance(block, Table))
    assert [row[1] for row in table.rows] == ["yes", "yes", "no", "no"]
    for row, moved in zip(table.rows, found.now.values(), strict=True):
        assert [*row[2:]] == [number(value) for value in moved]
        assert moved.remapped <= moved.average * (1 + 1e-9)
    for epsilon, best, laplace in zip(found.epsilons, *(found.curves[name] for name in BY_DISTANCE), strict=True):
        assert best.remapped <= laplace.remapped * (1 + 1e-4), epsilon
    curves = found.tables()["one-place-against-epsilon"]
    assert [*curves["wpm, average km"]] == [moved.average for moved in found.curves["wpm"]]


def test_words_on_where_it_wins_follow_the_numbers() -> None:
    found = found_at(SMALL)
    made = replace(
        found,
        epsilons=np.array([1.0, 2.0, 4.0]),
        now=dict.fromkeys(found.now, Moved(1.0, 1.0, 1.0, 1.0)),
        curves={
            "optimal": [Moved(*[far] * 4) for far in (3.0, 1.98, 0.5)],
            "laplace": [Moved(*[far] * 4) for far in (3.01, 2.0, 1.0)],
            "wpm": [Moved(*[far] * 4) for far in (2.0, 1.9, 0.6)],
            "em": [Moved(*[far] * 4) for far in (2.99, 1.97, 4.0)],  # by rounding nearer than the optimal one
        },
    )
    said = figures.when_it_wins(made)
    assert "by 1% or more from ε = 2 on" in said and "by 50% at ε = 4" in said
    assert "WPM is nearer by 1% or more up to ε = 2, for a weaker promise." in said
    assert "EM: nearer by 1% or more at no ε shown" in said and "on average only" not in said
    hardly = replace(made, now=made.now | {"optimal": Moved(1.0, 1.005, 1.0, 1.005)})
    assert figures.when_it_wins(hardly) == said
    worse = replace(made, now=made.now | {"optimal": Moved(1.0, 9.0, 1.0, 9.0)})
    assert "at its worst place it moves a person 9 km, planar Laplace remapped 1 km" in figures.when_it_wins(worse)
    alike = replace(made, curves=made.curves | {"laplace": made.curves["optimal"]})
    assert "nowhere nearer than planar Laplace by 1% or more" in figures.when_it_wins(alike)
    (curve,) = pictures(VIEW.show(SMALL, replace(made, now=found.now)))
    assert "remapped or not" not in curve.draw().layout.title.text
    same = replace(made, now=found.now | {"laplace": Moved(2.0, 2.0, 2.0, 2.0)})
    assert "planar Laplace 2 km remapped or not" in figures.title(same)


def test_two_promises_on_one_axis_are_said_to_be_two() -> None:
    (curve,) = pictures(VIEW.show(SMALL, found_at(SMALL)))
    names = [trace.name for trace in curve.draw().data if trace.name]
    assert names == [
        *("Optimal kernel", "Planar Laplace, remapped", "Planar Laplace"),
        *("WPM, remapped (promises less)", "EM, remapped (promises less)"),
    ]
    *_, caption = VIEW.show(SMALL, found_at(SMALL))
    assert isinstance(caption, str) and "WPM and EM may tell even near cells apart by the whole ε." in caption


def test_the_promise_is_that_of_these_cells_and_more_by_distance() -> None:
    config = replace(SMALL, place=Place(n=20), zones=True)
    assert few_cells(config).place.n == SIDE and not few_cells(config).zones
    found = found_at(SMALL)
    said = promise(SMALL, found)
    assert said.neighbours == "local" and said.epsilon == 4.0 and "the 5 × 5 grid" in said.public
    (told,) = re.findall(r"at d km, ([\d.]+) d nats", said.note)
    assert found.rate <= float(told) <= 1.01 * found.rate


def test_with_a_uniform_prior_no_one_s_data_are_read_and_a_prior_from_people_is_no_public_fact() -> None:
    assert VIEW.run(SMALL).disclosure.status == "public"
    assert VIEW.run(PRIOR).disclosure.status == "analysis"
    others = replace(SMALL, person=7, place=Place(n=5, least=30))
    assert found_at(others).now == found_at(SMALL).now


def test_a_mechanism_without_an_output_for_some_place_is_left_out_in_words() -> None:
    config = replace(PRIOR, mechanisms=("wpm", "mollifier"))
    found = found_at(config)
    assert "mollifier" not in found.now
    *_, caption = VIEW.show(config, found)
    assert isinstance(caption, str) and "Left out, because some place has no output: Mollifier." in caption


def test_public_functions_certify_the_shown_numbers() -> None:
    found, city = found_at(SMALL), city_of(few_cells(SMALL), {})
    best = metric.optimal_geo_indistinguishability(city.distances, found.rate, np.full(25, 0.04))
    assert metric.certified_rate(best.kernel, city.distances) <= found.rate
    assert dpot.certify(best.kernel).holds(4.0 * (1 + 1e-12))
