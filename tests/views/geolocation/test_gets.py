"""What one person gets: by hand, and the worst possible person against every history that is tried."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dpot_core as dpot
from dpot_app.cities.city import City, make_public
from dpot_app.cities.place import Place
from dpot_app.kit.blocks import Note, Table, pictures
from dpot_app.views.geolocation import PAGE
from dpot_app.views.geolocation.base import make_base
from dpot_app.views.geolocation.gets.results import Far, OwnPlaces
from dpot_app.views.geolocation.gets.text import rows
from dpot_app.views.geolocation.settings import BEYOND, Config
from dpot_app.views.geolocation.views import city_of
from dpot_core.mechanisms.knowledge import Private
from tests.batch.scenarios.outcomes import with_short_curves
from tests.views.geolocation.examples import zones_geojson

VIEW = PAGE.view("geolocation.gets")
SMALL = Config(place=Place(n=5), epsilon=2.0, reg=None, mechanisms=("wpm", "kpm", "em", "krr"), person=3, beyond=4.0)


@pytest.fixture(scope="module", autouse=True)
def short() -> Iterator[None]:
    with with_short_curves():
        yield


def found_at(config: Config) -> OwnPlaces:
    (found,) = VIEW.run(config).parts
    return found


def released(city: City, config: Config, name: str, mu: np.ndarray) -> np.ndarray:
    base = make_base(city, config.base, config.epsilon)
    public = make_public(city, base, config.epsilon, config.reg if name == "wpm" else None)
    places = city.places(mu[None])
    return dpot.MECHANISMS[name](public)(Private.of(public, mu[places.cells], places))


def by_hand(city: City, mu: np.ndarray, nu: np.ndarray, radii: np.ndarray) -> Far:
    """Output by output, without sorting."""
    away = np.array([min(city.distances[cell, j] for cell in np.flatnonzero(mu)) for j in range(city.n_outputs)])
    shares = np.array([sum(nu[j] for j in range(len(nu)) if away[j] > x + 1e-9) for x in radii])
    half, most = (min(x for x in away if nu[away <= x + 1e-9].sum() >= share - 1e-9) for share in (0.5, 0.9))
    return Far(half, most, shares)


def same(one: Far, other: Far) -> None:
    assert (one.half, one.most) == pytest.approx((other.half, other.most))
    np.testing.assert_allclose(one.shares, other.shares, atol=1e-9)


def test_numbers_of_the_person_and_of_the_worst_in_the_file_are_those_by_hand() -> None:
    city, found = city_of(SMALL, {}), found_at(SMALL)
    assert found.people == len(city.histograms) and {*BEYOND, 4.0} <= {*found.radii}
    for name in ("wpm", "em"):
        outputs = [released(city, SMALL, name, mu) for mu in city.histograms]
        each = [by_hand(city, mu, nu, found.radii) for mu, nu in zip(city.histograms, outputs, strict=True)]
        same(found.by[name].here, each[city.by_activity[2]])
        worst = Far(
            max(far.half for far in each), max(far.most for far in each), np.max([far.shares for far in each], axis=0)
        )
        same(found.by[name].in_file, worst)


@pytest.mark.parametrize("config", [SMALL, replace(SMALL, p=2.0, epsilon=1.0), replace(SMALL, base="minimax")])
def test_the_worst_of_those_in_one_cell_is_attained(config: Config) -> None:
    city, found = city_of(config, {}), found_at(config)
    for name, people in found.by.items():
        at = [by_hand(city, mu, released(city, config, name, mu), found.radii) for mu in np.eye(25)]
        worst = Far(
            max(far.half for far in at), max(far.most for far in at), np.max([far.shares for far in at], axis=0)
        )
        same(people.at_least, worst)
        assert people.known == (name != "em")


@settings(max_examples=30)
@given(st.data())
def test_no_history_fares_worse_than_the_worst_possible_person(data: st.DataObject) -> None:
    weights = data.draw(st.lists(st.sampled_from([0.0, 0.0, 1.0, 3.0]), min_size=25, max_size=25))
    mu = np.array(weights) if any(weights) else np.eye(25)[0]
    mu = mu / mu.sum()
    config = replace(SMALL, reg=data.draw(st.sampled_from([None, 0.01])))
    city, found = city_of(config, {}), found_at(config)
    for name, people in found.by.items():
        far = by_hand(city, mu, released(city, config, name, mu), found.radii)
        assert (far.shares <= people.at_most.shares + 1e-9).all(), name
        assert far.half <= people.at_most.half + 1e-9 and far.most <= people.at_most.most + 1e-9
        assert (people.at_least.shares <= people.at_most.shares + 1e-9).all()


def test_a_person_between_two_places_can_fare_worse_by_em_than_one_in_one_cell() -> None:
    """So that the lower end of EM is not said to be the worst."""
    config = replace(SMALL, epsilon=10.0, mechanisms=("em",))
    city, found = city_of(config, {}), found_at(config)
    mu = np.zeros(25)
    mu[[0, 4, 20, 24]] = 0.25
    far = by_hand(city, mu, released(city, config, "em", mu), found.radii)
    assert (far.shares > found.by["em"].at_least.shares + 0.01).any()


def test_zones_have_bounds_where_nothing_is_proven_to_be_known() -> None:
    config = replace(SMALL, zones=True)
    content = zones_geojson(city_of(SMALL, {}))
    (found,) = VIEW.run(config, {"zones": content}).parts
    assert {name for name, people in found.by.items() if people.known} == {"wpm"}
    city = city_of(config, {"zones": content})
    for mu in city.histograms[:20]:
        for name, people in found.by.items():
            far = by_hand(city, mu, released(city, config, name, mu), found.radii)
            assert (far.shares <= people.at_most.shares + 1e-9).all(), name


def test_the_share_is_that_of_the_slider_and_what_is_said_is_what_epsilon_allows() -> None:
    found = found_at(SMALL)
    blocks = [*VIEW.show(SMALL, found)]
    assert len([*pictures(blocks)]) == 4
    (table,) = [block for block in blocks if isinstance(block, Table)]
    assert table.heads[-1] == "Farther than 4 km" and [*table.rows] == rows(found)
    (said,) = [block.text for block in blocks if isinstance(block, Note)]
    assert "comes out at least 13 times on average" in said
    least = min(
        (one[one > 0] / two[one > 0]).min()
        for one, two in [
            [released(city_of(SMALL, {}), SMALL, "krr", np.eye(25)[cell]) for cell in pair]
            for pair in ((0, 24), (24, 0))
        ]
    )
    assert 0.13 <= least < 0.14
