"""KPM around the crowd set aside: what the mechanism is given, what it releases, and whose privacy is not covered."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import dpot_core as dpot
from dpot_app.cities.city import City, make_city, make_public
from dpot_app.cities.worst_case import bracket, outputs_of_cells
from dpot_app.views.geolocation.base import make_base
from dpot_app.views.geolocation.disclosed import disclosure, guarantee
from dpot_app.views.geolocation.person.results import one_person
from dpot_app.views.geolocation.person.text import _near_prior
from dpot_app.views.geolocation.settings import Config
from dpot_core.datasets import simulated_city
from tests.views.geolocation.examples import SMALL

ASIDE = replace(SMALL, held_out=True)
CONFIG = Config(place=ASIDE, mechanisms=("wpm", "kpm", "kpm-prior"), reg=None)


@pytest.fixture(scope="module")
def city() -> City:
    return make_city(simulated_city(80), ASIDE)


def test_the_factor_is_that_of_the_median_of_the_people_set_aside(city: City) -> None:
    """Everybody but those who release, one by one: the share of their crowd at the places of each."""
    everybody = make_city(simulated_city(80), SMALL)
    release = {row.tobytes() for row in city.histograms}
    aside = np.array([row for row in everybody.histograms if row.tobytes() not in release])
    crowd = aside.mean(axis=0)
    assert city.held_out == pytest.approx(crowd)
    share = np.median([crowd[row > 0].sum() for row in aside])
    public = make_public(city, make_base(city, "best-uniform", 1.0), 1.0, None)
    assert city.usual_share == pytest.approx(share) and public.gamma == pytest.approx(max(1 / share - 1, 1.0))
    assert make_public(everybody, make_base(everybody, "best-uniform", 1.0), 1.0, None).prior is None


def test_a_person_has_what_the_public_name_releases(city: City) -> None:
    result = one_person(city, CONFIG)
    expected = dpot.kl_projection_near_prior(result.truth.moved, city.held_out, 2.0, max(1 / city.usual_share - 1, 1.0))
    np.testing.assert_allclose(result.outputs["kpm-prior"], expected, atol=1e-15)
    without = make_city(simulated_city(80), SMALL)
    same = one_person(without, replace(CONFIG, place=SMALL))
    np.testing.assert_array_equal(same.outputs["kpm-prior"], same.outputs["kpm"])
    assert _near_prior(same).startswith("KPM around prior is KPM here")
    assert _near_prior(one_person(city, replace(CONFIG, mechanisms=("wpm",)))) == ""


def test_which_of_the_two_is_nearer_is_said_of_each_person(city: City) -> None:
    empty = np.flatnonzero(city.held_out == 0)[0]
    row, column = divmod(int(empty), 7)
    for drawn, nearer in (("", "kpm-prior"), (f"{(column + 0.5) / 7} {(row + 0.5) / 7} 1", "kpm")):
        result = one_person(city, replace(CONFIG, drawn=drawn))
        off = {name: np.abs(result.truth.moved - result.outputs[name]).sum() for name in ("kpm-prior", "kpm")}
        assert nearer == min(off, key=off.__getitem__)
        assert _near_prior(result).startswith(f"{dpot.MECHANISMS[nearer].label} is the nearer one")


def test_the_worst_case_is_looked_for_at_every_cell_of_an_uneven_crowd(city: City) -> None:
    """The base measure is even, so that reflections of the grid must not stand for the prior's."""
    base = make_base(city, "best-uniform", 2.0)
    public = make_public(city, base, 2.0, None)
    outputs = outputs_of_cells(city, dpot.MECHANISMS["kpm-prior"](public), public, np.arange(49))
    farthest = float((outputs * city.distances).sum(axis=1).max())
    found = bracket(city, "kpm-prior", base, 2.0)
    assert found.at_least == pytest.approx(farthest) and found.at_most >= farthest


def test_every_base_measure_names_the_people_it_does_not_cover(city: City) -> None:
    assert "the people set aside" in guarantee(CONFIG, city.map).note
    assert any("makes the prior" in words for words in guarantee(CONFIG, city.map).public)
    assert disclosure(CONFIG, city.map, "worst-case").status == "analysis"
    for other in (replace(CONFIG, mechanisms=("wpm", "kpm")), replace(CONFIG, place=SMALL)):
        assert "set aside" not in guarantee(other, city.map).note
        assert disclosure(other, city.map, "worst-case").status == "public"
