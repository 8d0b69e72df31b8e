"""Gowalla: the downloader against a server on loopback, and the real counts."""

import gzip
import os
import tempfile
from pathlib import Path

import numpy as np
import pytest

from dpot_core.datasets import DatasetDamaged, DatasetMissing, DownloadError, download_gowalla, load_gowalla_austin
from dpot_core.datasets.gowalla import cached_gowalla
from tests.publishers import Abandoned, leftovers

# user, time, latitude, longitude, place: two users in the box (7 check-ins, 4 pairs), the rest outside or nonsense.
LINES = [
    "0\t2010-10-19T23:55:27Z\t30.2359091167\t-97.7951395833\t22847",
    "0\t2010-10-18T22:17:43Z\t30.2691029532\t-97.7493953705\t420315",
    "0\t2010-10-17T23:42:03Z\t30.2691029532\t-97.7493953705\t420315",
    "0\t2010-10-17T19:26:05Z\t30.2691029532\t-97.7493953705\t420315",
    "1\t2010-10-16T18:50:42Z\t37.7749295\t-122.4194155\t9410",
    "1\t2010-10-12T23:58:03Z\t405.2\t-97.7\t9411",
    "2\t2010-10-12T00:21:28Z\t30.2359091167\t-97.7951395833\t22847",
    "2\t2010-10-11T20:21:20Z\t30.2359091167\t-97.7951395833\t22847",
    "2\t2010-10-11T20:20:42Z\t30.2359091167\t-97.7951395833\t999",
    "3\t2010-10-11T00:06:30Z\t30.6\t-97.7\t1",
]
# Everybody may pass through it; pytest's own folders are closed to the user that one test becomes.
TEMPORARY = tempfile.gettempdir()

FILE = gzip.compress("".join(f"{line}\n" for line in LINES).encode())


def ok(body=FILE, **headers):
    return 200, body, headers


def test_only_the_counts_of_the_box_are_kept(serve, folders):
    server, seen = serve(ok()), []
    path = download_gowalla(
        server.url, folders[0], progress=lambda done, total: seen.append((done, total)), expected_rows=len(LINES)
    )
    assert path == cached_gowalla(folders[0])
    assert sorted(leftovers(folders)) == [path.name, f"{path.name}.sha256"]
    assert gzip.decompress(path.read_bytes()).decode().splitlines() == [
        "user,location_id,lat,lon,n_checkins",
        "0,22847,30.2359091167,-97.7951395833,1",
        "0,420315,30.2691029532,-97.7493953705,3",
        "2,999,30.2359091167,-97.7951395833,1",
        "2,22847,30.2359091167,-97.7951395833,2",
    ]
    assert seen[-1] == (len(FILE), len(FILE))
    assert all(0 <= done <= total == len(FILE) for done, total in seen)

    checkins = load_gowalla_austin(folders[0])
    assert (checkins.n_users, len(checkins), checkins.count.sum()) == (2, 4, 7)
    assert checkins.labels == ("0", "2")
    assert not checkins.simulated
    assert "KDD 2011" in checkins.licence


def test_a_second_call_asks_no_server(serve, folders):
    server = serve(ok())
    download_gowalla(server.url, folders[0], expected_rows=len(LINES))
    download_gowalla(server.url, folders[0], expected_rows=len(LINES))
    assert server.requests == 1


def test_progress_moves_in_steps(serve, folders):
    # Random digits do not compress, so that the file takes several steps.
    rows = "".join(f"{i}\t2010\t30.2\t-97.7\t{(i * 2654435761) % 10**9}\n" for i in range(30_000))
    body, seen = gzip.compress(rows.encode(), 1), []
    download_gowalla(serve(ok(body)).url, folders[0], lambda done, total: seen.append(done), expected_rows=30_000)
    steps = seen[: seen.index(len(body)) + 1]
    assert len(steps) > 3
    assert steps == sorted(steps)


def test_a_file_that_ends_early_is_never_kept(serve, folders):
    server = serve(ok(FILE[:-40]))
    with pytest.raises(DownloadError, match="ends early"):
        download_gowalla(server.url, folders[0], expected_rows=len(LINES))
    assert server.requests == 3
    assert leftovers(folders) == []


def test_a_connection_that_breaks_is_tried_again(serve, folders):
    server = serve((200, FILE[:50], {"Content-Length": str(len(FILE))}), ok())
    download_gowalla(server.url, folders[0], expected_rows=len(LINES))
    assert server.requests == 2
    assert load_gowalla_austin(folders[0]).n_users == 2


def test_damage_on_the_way_is_tried_again(serve, folders):
    damaged = FILE[:60] + bytes(b ^ 255 for b in FILE[60:70]) + FILE[70:]
    server = serve(ok(damaged), ok())
    download_gowalla(server.url, folders[0], expected_rows=len(LINES))
    assert server.requests == 2


def test_a_server_error_is_tried_again(serve, folders):
    server = serve((503, b"busy", {}), ok())
    download_gowalla(server.url, folders[0], expected_rows=len(LINES))
    assert server.requests == 2


def test_a_server_that_only_fails_is_given_up(serve, folders):
    server = serve((404, b"gone", {}))
    with pytest.raises(DownloadError, match=r"could not download .*404"):
        download_gowalla(server.url, folders[0])
    assert server.requests == 3
    assert leftovers(folders) == []


def test_no_server_at_all(folders, serve):
    server = serve(ok())
    server.shutdown()
    server.server_close()
    with pytest.raises(DownloadError, match="could not download"):
        download_gowalla(server.url, folders[0], retries=0)
    assert leftovers(folders) == []


def test_a_wrong_number_of_rows_is_refused_at_once(serve, folders):
    server = serve(ok())
    with pytest.raises(DownloadError, match="has 10 rows; 6,442,892 were expected"):
        download_gowalla(server.url, folders[0])
    assert server.requests == 1
    assert leftovers(folders) == []


@pytest.mark.parametrize("body", [b"<!doctype html><p>Please log in</p>", b"\xff\xfe\x00binary\x00" * 30])
def test_a_page_instead_of_the_file_is_refused(serve, folders, body):
    with pytest.raises(DownloadError, match="not Gowalla's list"):
        download_gowalla(serve(ok(body)).url, folders[0])
    assert leftovers(folders) == []


def test_a_file_without_austin_is_refused(serve, folders):
    body = gzip.compress(f"{LINES[4]}\n".encode())
    with pytest.raises(DownloadError, match="no check-in in the box"):
        download_gowalla(serve(ok(body)).url, folders[0], expected_rows=1)


def test_a_server_that_unpacks_the_file_is_understood(serve, folders):
    download_gowalla(serve(ok(**{"Content-Encoding": "gzip"})).url, folders[0], expected_rows=len(LINES))
    assert load_gowalla_austin(folders[0]).count.sum() == 7


@pytest.mark.parametrize("stage", ["while it loads", "while it is read"])
def test_abandoned_half_way_leaves_nothing(serve, folders, stage):
    calls = []

    def progress(done, total):
        calls.append(done)
        # After the loading, the bar is full; the next call comes from the reading.
        if stage == "while it loads" or calls.count(total) > 1:
            raise Abandoned

    server = serve(ok())
    with pytest.raises(Abandoned):
        download_gowalla(server.url, folders[0], progress, expected_rows=len(LINES))
    assert server.requests == 1
    assert leftovers(folders) == []
    assert download_gowalla(server.url, folders[0], expected_rows=len(LINES)).is_file()


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="user ids are POSIX")
def test_a_read_only_cache_folder_is_said_before_anything_is_loaded(serve, folders):
    server = serve(ok())
    with tempfile.TemporaryDirectory(dir=TEMPORARY) as parent:
        cache = Path(parent) / "cache"
        cache.mkdir()
        os.chmod(parent, 0o755)
        os.chmod(cache, 0o555)
        root = os.geteuid() == 0
        if root:
            os.seteuid(65534)  # root writes everywhere, so become nobody
        try:
            with pytest.raises(OSError, match=r"could not store the data in .*another cache_dir"):
                download_gowalla(server.url, cache)
        finally:
            if root:
                os.seteuid(0)
        os.chmod(cache, 0o755)
        assert server.requests == 0


def test_missing_data_say_what_to_do(folders):
    with pytest.raises(DatasetMissing, match=r"about 105 MB.*download_gowalla.*DPOT_DATA"):
        load_gowalla_austin(folders[0])


def test_a_damaged_cache_is_set_aside_and_offered_again(folders):
    folders[0].mkdir()
    cached_gowalla(folders[0]).write_bytes(FILE[:30])
    with pytest.raises(DatasetDamaged, match=r"is damaged .* was set aside as .*\.damaged; download it again"):
        load_gowalla_austin(folders[0])


def test_dpot_data_comes_before_the_cache(folders, tmp_path, monkeypatch):
    for folder, user in ((tmp_path / "shared" / "gowalla", "5"), (folders[0], "6")):
        folder.mkdir(parents=True)
        name = "austin_counts.csv.gz" if user == "5" else cached_gowalla(folder).name
        table = f"user,location_id,lat,lon,n_checkins\n{user},1,30.2,-97.7,1\n"
        (folder / name).write_bytes(gzip.compress(table.encode()))
    assert load_gowalla_austin(folders[0]).labels == ("6",)
    monkeypatch.setenv("DPOT_DATA", str(tmp_path / "shared"))
    assert load_gowalla_austin(folders[0]).labels == ("5",)


def test_the_real_data_have_the_numbers_of_their_source(real_data, monkeypatch):
    monkeypatch.setenv("DPOT_DATA", str(real_data("gowalla/austin_counts.csv.gz").parents[1]))
    checkins = load_gowalla_austin()
    assert len(checkins) == 96_096
    assert checkins.count.sum() == 160_638
    assert checkins.n_users == 2_051
    assert checkins.with_at_least(10).n_users == 1_653
    assert len(np.unique(np.column_stack([checkins.lat, checkins.lon]), axis=0)) <= 3_877
    assert "light users" in checkins.source
