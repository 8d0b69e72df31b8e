"""The best guess of a cell in a city: by hand, against what epsilon allows, under a prior that is public."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

import dpot_core as dpot
from dpot_app.cities.city import City, make_public
from dpot_app.cities.worst_case import bracket
from dpot_app.kit.blocks import pictures
from dpot_app.views.geolocation import PAGE
from dpot_app.views.geolocation.base import make_base
from dpot_app.views.geolocation.guess.results import believed, cell_guesses
from dpot_app.views.geolocation.settings import Config, Place
from dpot_app.views.geolocation.views import city_of
from dpot_core.mechanisms import WITHOUT_PRIOR
from tests.batch.scenarios.outcomes import with_short_curves

VIEW = PAGE.view("geolocation.guess")
SMALL = Config(place=Place(n=5), mechanisms=tuple(WITHOUT_PRIOR), epsilon=1.5, reg=None)
PRIOR = replace(SMALL, place=Place(n=5, held_out=True), base="prior", belief="crowd")


@pytest.fixture(scope="module", autouse=True)
def short() -> Iterator[None]:
    with with_short_curves():
        yield


def rows_of(city: City, config: Config, name: str) -> np.ndarray:
    public = make_public(city, make_base(city, config.base, config.epsilon), config.epsilon, None)
    dense = dpot.Public(city.cost, city.distances, config.epsilon, public.base, None, 40)
    return dpot.MECHANISMS[name](dense)(np.eye(len(city.grid)))


@pytest.mark.parametrize("config", [SMALL, PRIOR], ids=["uniform", "crowd"])
def test_chances_are_those_of_guessing_output_by_output(config: Config) -> None:
    city = city_of(config, {})
    found = cell_guesses(city, config)
    assert found.prior.sum() == pytest.approx(1.0) and found.without == pytest.approx(found.prior.max())
    assert np.ptp(found.prior) > 0.01 or config is SMALL
    for name, now in found.now.items():
        rows = rows_of(city, config, name)
        right = sum(max(found.prior[cell] * rows[cell, output] for cell in range(25)) for output in range(25))
        assert now.right == pytest.approx(right, rel=1e-6)
        assert found.without - 1e-12 <= right <= dpot.Guarantee(1.5).posterior(found.without) * (1 + 1e-9)
        mean = (rows * city.distances).sum(axis=1).max()
        assert now.distance == pytest.approx(mean, rel=1e-6)


def test_distances_are_those_of_the_worst_cases_beside_the_maps() -> None:
    config = replace(SMALL, p=2.0)
    city = city_of(config, {})
    for name, now in cell_guesses(city, config).now.items():
        base = make_base(city, config.base, config.epsilon)
        assert now.distance == pytest.approx(bracket(city, name, base, config.epsilon).at_least, rel=1e-9)


def test_kpm_and_randomized_response_are_guessed_as_often_as_epsilon_allows() -> None:
    found = cell_guesses(city_of(SMALL, {}), SMALL)
    for name in ("kpm", "krr"):
        np.testing.assert_allclose([point.right for point in found.curves[name]], found.allowed, rtol=1e-9)


def test_the_prior_is_the_crowd_only_where_it_is_the_base_measure() -> None:
    """Those set aside are public only where the page says so: as a prior."""
    without = replace(PRIOR, base="best-uniform")
    assert not np.ptp(believed(city_of(without, {}), without))
    crowd = city_of(PRIOR, {})
    np.testing.assert_allclose(believed(crowd, PRIOR), crowd.held_out / crowd.held_out.sum())
    assert VIEW.run(SMALL, {}).disclosure.status == "public" and VIEW.run(PRIOR, {}).disclosure.status == "analysis"


def test_the_words_name_the_prior_and_what_is_left_out() -> None:
    results = VIEW.run(PRIOR, {})
    *_, said = VIEW.show(PRIOR, *results.parts)
    assert isinstance(said, str) and "Prior: like the crowd set aside" in said
    missing = [name for name in PRIOR.mechanisms if name not in results.parts[0].now]
    assert all(f"Left out, because some cell has no output: {dpot.MECHANISMS[name].label}" in said for name in missing)
    first, second = pictures(VIEW.show(PRIOR, *results.parts))
    assert "best guess of the cell" in first.draw().layout.title.text and " km" in second.draw().layout.title.text
