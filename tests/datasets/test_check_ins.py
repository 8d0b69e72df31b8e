"""CheckIns: what it accepts, what its selections keep, when two are equal."""

from dataclasses import FrozenInstanceError, replace

import numpy as np
import pandas as pd
import pytest

from dpot_core.datasets.check_ins import CheckIns, great_circle_km, merged


def some(**changes: object) -> CheckIns:
    fields = {
        "user": np.array([0, 0, 1, 2]),
        "lat": np.array([30.0, 30.1, 30.2, 40.0]),
        "lon": np.array([-97.0, -97.1, -97.2, -80.0]),
        "count": np.array([1.0, 2.0, 30.0, 4.0]),
        "labels": ("ann", "bob", "cyd"),
        "title": "T",
        "simulated": True,
        "source": "S",
        "licence": "L",
    }
    return CheckIns(**{**fields, **changes})  # type: ignore[arg-type]


def test_counts_users_and_rows():
    checkins = some()
    assert (len(checkins), checkins.n_users) == (4, 3)
    assert checkins.totals.tolist() == [3.0, 30.0, 4.0]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"lat": [30.0, np.nan, 30.2, 40.0]}, "lat must be finite"),
        ({"lon": [-97.0, np.inf, 30.2, 40.0]}, "lon must be finite"),
        ({"lat": [30.0, 91.0, 30.2, 40.0]}, r"lat must lie in \[-90, 90\]"),
        ({"count": [1.0, -2.0, 3.0, 4.0]}, "count must not be negative"),
        ({"count": [1.0, 0.0, 3.0, 4.0]}, r"count must lie in \(0"),
        ({"count": [1.0, 2.0, 3.0]}, "vectors of one length"),
        ({"user": [0, 0, 2, 2]}, "every code"),
        ({"user": [0, 1, 2, 3]}, "every code"),
        ({"user": [0, 1, 2, -1]}, "every code"),
        ({"user": [], "lat": [], "lon": [], "count": [], "labels": ()}, "not empty"),
    ],
)
def test_refuses_what_is_no_check_in(change, message):
    with pytest.raises(ValueError, match=message):
        some(**{name: np.array(v) if name != "labels" else v for name, v in change.items()})


def test_nothing_can_be_changed():
    lat = np.array([30.0, 30.1, 30.2, 40.0])
    checkins = some(lat=lat)
    lat[0] = 0.0
    assert checkins.lat[0] == 30.0
    with pytest.raises(ValueError, match="read-only"):
        checkins.lat[0] = 0.0
    with pytest.raises(FrozenInstanceError):
        checkins.title = "other"  # type: ignore[misc]


@pytest.mark.parametrize(
    "change",
    [
        {"count": np.array([1.0, 2.0, 30.0, 5.0])},
        {"labels": ("ann", "bob", "dan")},
        {"title": "other"},
        {"simulated": False},
        {"user": np.array([0, 1, 1, 2])},
    ],
)
def test_equal_only_with_the_same_content(change):
    assert some() == some()
    assert hash(some()) == hash(some())
    assert some() != some(**change)
    assert some() != "T"


def test_select_keeps_the_order_given_and_renumbers():
    part = some().select([2, 0])
    assert part.labels == ("cyd", "ann")
    assert part.user.tolist() == [1, 1, 0]
    assert part.totals.tolist() == [4.0, 3.0]
    assert part.title == "T"


@pytest.mark.parametrize("users", [[], [0, 0], [3], [-1], [0.5], [np.nan], [[0]], ["ann"]])
def test_select_refuses_users_that_do_not_exist(users):
    with pytest.raises(ValueError, match="users must"):
        some().select(users)


def test_with_at_least_counts_check_ins_not_rows():
    assert some().with_at_least(4).labels == ("bob", "cyd")
    with pytest.raises(ValueError, match="largest number is 30"):
        some().with_at_least(31)


def test_near_drops_rows_and_users_and_says_so():
    part = some().near(30.0, -97.0, 20.0)
    assert part.labels == ("ann",)
    assert part.notes == ("2 rows farther than 20 km from lat 30.000, lon -97.000 were left out.",)
    assert some().near(30.0, -97.0, 5000.0).notes == ()
    with pytest.raises(ValueError, match="no check-in lies within 1 km"):
        some().near(0.0, 0.0, 1.0)


def test_busiest_point_is_in_the_busiest_square():
    lat, lon = some().busiest_point()
    assert great_circle_km(30.2, -97.2, lat, lon) < 40


def test_great_circle_against_the_ellipsoid():
    geod = pytest.importorskip("pyproj").Geod(ellps="WGS84")
    for a, b, c, d in [(30.1, -97.9, 30.5, -97.5), (-33.0, 151.0, 51.5, 0.1), (10.0, 179.9, 10.0, -179.9)]:
        exact = geod.inv(b, a, d, c)[2] / 1000
        assert great_circle_km(a, b, c, d) == pytest.approx(exact, rel=6e-3)


def test_merged_adds_up_rows_of_one_user_and_place():
    info = {"title": "T", "simulated": False, "source": "S", "licence": "L"}
    lat, lon = np.array([2.0, 1.0, 2.0, 2.0]), np.array([5.0, 5.0, 5.0, 5.0])
    rows = pd.DataFrame({"user": ["b", "a", "b", "a"], "lat": lat, "lon": lon, "count": [1.0, 2.0, 3.0, 4.0]})
    checkins = merged(rows, **info)
    assert checkins.labels == ("b", "a")
    assert list(zip(checkins.user, checkins.lat, checkins.count, strict=True)) == [(0, 2, 4), (1, 1, 2), (1, 2, 4)]


def test_replace_checks_again():
    with pytest.raises(ValueError, match="every code"):
        replace(some(), labels=("ann",))
