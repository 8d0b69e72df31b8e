"""Countries: their cities in a plausible outline, kilometres that are right, and what is left out is said."""

from __future__ import annotations

import numpy as np
import pyproj
import pytest
import shapely

from dpot_core.datasets import POPULATIONS, countries, country_outline, load_country, loaded

#: Two letters, a city, its degrees east and north (public maps), square kilometres of the whole country (the same).
KNOWN = [
    ("JP", "Tokyo, JP", 139.69, 35.69, 377_975),
    ("NG", "Lagos, NG", 3.39, 6.45, 923_769),
    ("BR", "São Paulo, BR", -46.64, -23.55, 8_515_767),
    ("DE", "Berlin, DE", 13.41, 52.52, 357_588),
    ("NZ", "Auckland, NZ", 174.76, -36.85, 268_021),
    ("ZA", "Cape Town, ZA", 18.42, -33.93, 1_221_037),
]


@pytest.mark.parametrize(("code", "city", "lon", "lat", "square_km"), KNOWN)
def test_a_country_has_its_cities_and_its_size(code: str, city: str, lon: float, lat: float, square_km: float) -> None:
    there = load_country("everybody", code)
    place = there.names.index(city)
    np.testing.assert_allclose(there.points[place], (lon, lat), atol=0.05)
    assert there.outline.name == countries()[code] and not there.simulated and there.outline.geographic
    area = shapely.area(shapely.transform(shapely.segmentize(there.outline.region, 0.25), there.outline.to_km))
    assert area == pytest.approx(square_km, rel=0.03)


def test_distances_in_every_country_are_right_within_three_percent() -> None:
    """Against geodesics on the ellipsoid, of cities more than 50 km from each other."""
    earth = pyproj.Geod(ellps="WGS84")
    for code in countries():
        there = load_country("everybody", code)
        assert len(there) >= 10 and there.outline.contains(there.points).all()
        one, other = np.triu_indices(len(there), 1)
        few = np.random.default_rng(0).permutation(len(one))[:1000]
        one, other = one[few], other[few]
        metres = earth.inv(there.lon[one], there.lat[one], there.lon[other], there.lat[other])[2]
        km = there.outline.to_km(there.points)
        here = np.linalg.norm(km[one] - km[other], axis=1)
        wide = metres > 50_000
        assert np.abs(here[wide] * 1000 / metres[wide] - 1).max(initial=0) < 0.03, code


def test_parts_of_a_country_that_lie_far_are_left_out_and_said() -> None:
    france, spain = load_country("everybody", "FR"), load_country("everybody", "ES")
    west, south, *_ = country_outline("FR").bounds
    assert west > -6 and south > 41 and not any("far from" in note for note in france.notes)  # their own codes
    assert "Las Palmas de Gran Canaria, ES" not in spain.names
    assert any("10 cities were far from the main part of the country, and left out" in note for note in spain.notes)
    *_, east, _ = country_outline("RU").bounds
    assert 180 < east < 200 and shapely.is_valid(country_outline("RU").region)  # beyond the date line, in one piece


def test_a_hole_of_a_country_is_not_in_it() -> None:
    assert not country_outline("ZA").contains([[28.2, -29.5]]).any()  # Lesotho
    assert country_outline("ZA").contains([[26.2, -29.1]]).all()  # Bloemfontein


def test_unknown_countries_and_groups_are_refused() -> None:
    with pytest.raises(ValueError, match="country must be one of"):
        load_country("everybody", "US")
    with pytest.raises(ValueError, match="groups must be everybody"):
        load_country("regions", "JP")
    assert loaded(POPULATIONS["country"], "everybody", "DE") is loaded(POPULATIONS["country"], "everybody", "DE")
