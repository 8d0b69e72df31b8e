"""A user's own population: what is understood, and a clear word about what is not."""

import contextlib
import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpot_core.datasets import ColumnsError, box_outline, read_population_csv, sniff_population, us_outline

US = us_outline()
GOOD = b"lon,lat,weight,group\n-98,39,3,b\n-97,40,1,a\n-98,39,2,b\n-97,40,4,b\n"


def test_reads_points_and_adds_rows_up():
    people = read_population_csv(GOOD, US, title="Mine")
    assert people.group_names == ("a", "b")
    assert people.points.tolist() == [[-98, 39], [-97, 40]]
    assert people.weights.tolist() == [[0, 1], [5, 4]]
    assert (people.title, people.simulated, people.notes) == ("Mine", False, ())


def test_weight_and_group_may_be_missing():
    people = read_population_csv(b"Longitude;LAT\n-98;39\n-98;39\n", US)
    assert (people.weights.tolist(), people.group_names) == ([[2]], ("everybody",))


def test_columns_can_be_named():
    data = b"a,b,c\n-98,39,3\n"
    assert not sniff_population(data).complete
    with pytest.raises(ColumnsError, match="no column for lon, lat"):
        read_population_csv(data, US)
    assert read_population_csv(data, US, {"lon": "a", "lat": "b", "weight": "c"}).totals.tolist() == [3]


def test_points_outside_are_moved_or_left_out_and_counted():
    data = b"lon,lat,weight\n-98,39,3\n-150,60,2\n-60,30,1\n"
    moved = read_population_csv(data, US)
    assert moved.totals.tolist() == [6]
    assert moved.notes == ("2 of 3 points outside the region were moved to the nearest point of the region.",)
    assert US.contains(moved.points).all()
    left = read_population_csv(data, US, outside="reject")
    assert left.totals.tolist() == [3]
    assert left.notes == ("2 of 3 points outside the region were left out.",)


def test_any_coordinates_with_a_box_of_ones_own():
    people = read_population_csv(b"x,y,n\n1000,-2000,1.5\n0,0,2\n", box_outline(-1, -3000, 2000, 1))
    assert people.totals.tolist() == [4]
    assert people.points.tolist() == [[0, 0], [1000, -2000]]


def test_swapped_coordinates_are_said():
    rows = "".join(
        f"{lat},{lon}\n" for lon, lat in zip(np.linspace(-110, -90, 30), np.linspace(33, 45, 30), strict=True)
    )
    with pytest.raises(ValueError, match=r"look swapped: 0 of 30 points .* 30 when 'lon' and 'lat' are exchanged"):
        read_population_csv(b"lon,lat\n" + rows.encode(), US)
    assert len(read_population_csv(b"lon,lat\n" + rows.encode(), US, {"lon": "lat", "lat": "lon"})) == 30


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "is empty"),
        (b"lon,lat\n", "no rows"),
        (b"lon,lat,weight\n-98,39,-1\n", "row 2, column 'weight': weight must be .*got '-1'"),
        (b"lon,lat,weight\n-98,39,nan\n", "every row of the population file lacks a number"),
        (b"lon,lat\n-98,north\n", "row 2, column 'lat': lat must be a number"),
        (b"lon,lat\n-98,39\n-98,91\n", r"row 3, column 'lat': lat must be a number in \[-90, 90\]"),
        (b"lon,lat\n-198,39\n", "row 2, column 'lon'"),
        (b"lon,lat,weight\n-98,39,0\n", "no point with a weight"),
        (b"lon,lat,weight,group\n-98,39,1,a\n-97,39,0,b\n", "group 'b' has a weight of 0"),
        (b"lon,lat,group\n-98,39,a\n-98,39, \n", "row 3, column 'group': the group's name is empty"),
        (b"lon,lat,group\n" + b"".join(b"-98,39,g%d\n" % i for i in range(13)), "has 13 groups; at most 12"),
    ],
)
def test_bad_files_are_refused_in_words(data, message):
    with pytest.raises(ValueError, match=message):
        read_population_csv(data, US)


def test_empty_population_and_unknown_keyword_are_rejected():
    with pytest.raises(ValueError, match="no point with a weight is left in the region"):
        read_population_csv(b"lon,lat\n-150,60\n", US, outside="reject")
    with pytest.raises(ValueError, match="outside must be one of clip, reject; got 'drop'"):
        read_population_csv(GOOD, US, outside="drop")
    with pytest.raises(ValueError, match="group 'b' has a weight of 0"):
        read_population_csv(b"lon,lat,group\n-98,39,a\n-150,60,b\n", US, outside="reject")


@given(st.binary(max_size=200))
def test_any_bytes_give_a_population_or_a_value_error(data):
    with contextlib.suppress(ValueError):
        read_population_csv(b"lon,lat,weight,group\n-98,39,1,a\n" + data, US)


def test_a_million_places_outside_the_region_are_moved_with_a_count_and_can_be_abandoned() -> None:
    class Abandoned(Exception): ...

    rng = np.random.default_rng(0)
    places = np.column_stack([rng.uniform(0.0, 170.0, 200_000), rng.uniform(-80.0, 20.0, 200_000)])
    heard: list[tuple[int, int]] = []

    def abandon(done: int, total: int) -> None:
        heard.append((done, total))
        if done:
            raise Abandoned

    region, used = us_outline(), time.process_time()
    region.clip(places[:1])  # makes what it is looked up in
    with pytest.raises(Abandoned):
        region.clip(places, abandon)
    assert heard[0] == (0, 200_000) and heard[-1][0] < 50_000 and time.process_time() - used < 2.0, heard
    table = "lon,lat\n" + "\n".join(f"{lon:.4f},{lat:.4f}" for lon, lat in places[:100])
    with pytest.raises(Abandoned):
        read_population_csv(table.encode(), region, progress=lambda done, total: abandon(1, total))
