"""Census tracts: the downloader against a server on loopback, and the real counts. The tracts here are invented."""

import gzip

import numpy as np
import pytest

from dpot_core.datasets import (
    POPULATIONS,
    DatasetDamaged,
    DatasetMissing,
    DownloadError,
    Population,
    cached_tracts,
    download_tracts,
    load_tracts,
    tracts_know_race,
)
from tests.publishers import Abandoned, leftovers

# Two tracts in the South, one in each other region, an empty one, and two outside the contiguous states.
LINES = (
    "\ufeffSTATEFP,COUNTYFP,TRACTCE,POPULATION,LATITUDE,LONGITUDE",
    "01,001,020100,19,+32.477180,-086.490070",
    "48,001,020200,21,+31.000000,-097.000000",
    "06,001,020200,5,+37.000000,-120.000000",
    "06,001,020300,0,+37.100000,-120.100000",
    "17,001,020200,30,+40.000000,-089.000000",
    "36,001,020200,40,+42.000000,-075.000000",
    "02,001,020200,70,+62.000000,-150.000000",
    "72,001,020200,80,+18.200000,-066.500000",
)
FILE = "\r\n".join(LINES).encode("utf-8")
SHARED = b"""state_fips,lon,lat,pop_total,adults_hispanic,adults_nh_white,adults_nh_black,adults_nh_api
1,-86.49,32.47,20,1,2,3,4
6,-120,37,30,4,3,2,1
6,-121,38,0,0,0,0,0
"""


def ok(body=FILE):
    return 200, body, {}


def fetch(server, folders, **options):
    return download_tracts(server.url, folders[0], **{"expected_people": 115, **options})


def test_the_contiguous_states_are_kept_and_read(serve, folders):
    server, seen = serve(ok()), []
    path = fetch(server, folders, progress=lambda done, total: seen.append((done, total)))
    assert path == cached_tracts(folders[0])
    assert sorted(leftovers(folders)) == [path.name, f"{path.name}.sha256"]
    assert seen[-1] == (len(FILE), len(FILE))
    people = load_tracts("regions", folders[0])
    assert people.group_names == ("Northeast", "Midwest", "South", "West")
    assert people.totals.tolist() == [40, 30, 40, 5]


def test_all_people_and_no_race(serve, folders):
    fetch(serve(ok()), folders)
    people = load_tracts("everybody", folders[0])
    assert people.totals.tolist() == [115]
    assert people.points[0].tolist() == [-86.49007, 32.47718]
    assert len(people) == 5
    assert not tracts_know_race(folders[0])
    with pytest.raises(DatasetMissing, match=r"totals only.*not available"):
        load_tracts("race", folders[0])


def test_a_second_call_asks_no_server(serve, folders):
    server = serve(ok())
    fetch(server, folders)
    fetch(server, folders)
    assert server.requests == 1


def test_a_cut_connection_is_tried_again(serve, folders):
    server = serve((200, FILE[:100], {"Content-Length": str(len(FILE))}), (503, b"busy", {}), ok())
    fetch(server, folders)
    assert server.requests == 3


@pytest.mark.parametrize(
    ("reply", "message"),
    [
        (ok(FILE[:-140]), "people in the contiguous states; 115 were expected"),
        (ok(b"<!doctype html><p>Please log in</p>"), "not the list of tract centres"),
        (ok(FILE.replace(b"+31.0", b"south")), "not the list of tract centres"),
        ((404, b"gone", {}), "could not download .*404"),
    ],
)
def test_a_wrong_list_of_tracts_is_never_kept(serve, folders, reply, message):
    with pytest.raises(DownloadError, match=message):
        fetch(serve(reply), folders)
    assert leftovers(folders) == []


def test_abandoned_half_way_leaves_nothing(serve, folders):
    def progress(done, total):
        raise Abandoned

    server = serve(ok())
    with pytest.raises(Abandoned):
        fetch(server, folders, progress=progress)
    assert leftovers(folders) == []
    assert fetch(server, folders).is_file()


def test_missing_data_say_what_to_do(folders):
    with pytest.raises(DatasetMissing, match=r"about 4 MB.*download_tracts.*DPOT_DATA"):
        load_tracts(cache_dir=folders[0])
    with pytest.raises(ValueError, match="groups must be one of everybody, regions, race; got 'age'"):
        load_tracts("age", folders[0])


# Named, because the bytes hold the second they were made in, and every process makes its own.
@pytest.mark.parametrize(
    "body", [FILE, gzip.compress(b"state_fips,lon,lat,pop_total\n1,,32,5\n")], ids=["no gzip", "a gap"]
)
def test_a_damaged_cache_is_set_aside_and_offered_again(folders, body):
    folders[0].mkdir()
    cached_tracts(folders[0]).write_bytes(body)
    with pytest.raises(DatasetDamaged, match=r"is damaged .* was set aside as .*\.damaged; download it again"):
        load_tracts(cache_dir=folders[0])


def test_dpot_data_comes_first_and_knows_race(serve, folders, tmp_path, monkeypatch):
    fetch(serve(ok()), folders)
    folder = tmp_path / "shared" / "us"
    folder.mkdir(parents=True)
    (folder / "tracts_census2010.csv.gz").write_bytes(gzip.compress(SHARED))
    monkeypatch.setenv("DPOT_DATA", str(tmp_path / "shared"))
    assert load_tracts(cache_dir=folders[0]).totals.tolist() == [50]
    adults = load_tracts("race", folders[0])
    assert adults.group_names == ("White", "Asian/Pacific", "Black", "Hispanic")
    assert adults.weights.tolist() == [[2, 3], [4, 1], [3, 2], [1, 4]]
    assert "Adults" in adults.notes[-1]


def test_the_real_tracts_have_the_numbers_of_their_source(real_data, monkeypatch):
    monkeypatch.setenv("DPOT_DATA", str(real_data("us/tracts_census2010.csv.gz").parents[1]))
    people = load_tracts()
    assert (len(people), people.totals.sum()) == (72_043, 306_675_006)
    assert load_tracts("regions").totals.sum() == 306_675_006
    assert load_tracts("race").totals.sum() == 228_090_374
    assert isinstance(POPULATIONS["tracts"].load(), Population)
    drawn = people.sample(200_000, np.random.default_rng(0))
    assert drawn.totals.tolist() == [200_000]
    assert 55_000 < len(drawn) < 68_000
