"""MovieLens: the downloader against a server on loopback, and the real ratings. The films here are invented."""

import errno
import hashlib
import io
import os
import tempfile
import zipfile
from pathlib import Path

import numpy as np
import pytest

from dpot_core.datasets import (
    FILM_DATASETS,
    DatasetDamaged,
    DatasetMissing,
    DownloadError,
    Ratings,
    cached_movielens,
    download_movielens,
    load_movielens,
    movielens,
)
from tests.publishers import Abandoned, leftovers

TEMPORARY = tempfile.gettempdir()
DATA = b"7\t2\t5\t881250949\n3\t1\t4\t881250950\n7\t1\t1\t881250951\n"
ITEMS = "1|Le Quai d'Hiver (2031)|01-Jan-2031||http://x/|0|1|1\n2|<b>Ink</b>|||http://x/|1|0|0\n".encode("latin-1")
GENRES = b"unknown|0\nAction|1\nComedy|2\n\n"


def archive(data=DATA, items=ITEMS):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as packed:
        for name, content in (("u.data", data), ("u.item", items), ("u.genre", GENRES)):
            packed.writestr(zipfile.ZipInfo(f"ml-100k/{name}"), content)
    return file.getvalue()


FILE = archive()
MD5 = hashlib.md5(FILE).hexdigest()


@pytest.fixture(autouse=True)
def these_ratings(request, monkeypatch):
    if "real_data" not in request.fixturenames:
        monkeypatch.setattr(movielens, "RATINGS_MD5", hashlib.md5(DATA).hexdigest())


def fetch(server, folders, **options):
    return download_movielens(server.url, folders[0], **{"md5": MD5, **options})


def ok(body=FILE):
    return 200, body, {}


def test_the_file_is_kept_as_it_is_and_read(serve, folders):
    server, seen = serve(ok()), []
    path = fetch(server, folders, progress=lambda done, total: seen.append((done, total)))
    assert path == cached_movielens(folders[0])
    assert path.read_bytes() == FILE
    assert sorted(leftovers(folders)) == [path.name, f"{path.name}.sha256"]
    assert seen[-1] == (len(FILE), len(FILE))
    ratings = load_movielens(folders[0])
    assert ratings.users == ("user 3", "user 7")
    assert ratings.films == ("Le Quai d'Hiver (2031)", "<b>Ink</b>")
    assert ratings.matrix.tolist() == [[4, 0], [1, 5]]
    assert [ratings.genres_of(i) for i in range(2)] == ["Action, Comedy", "unknown"]
    assert "no redistribution" in ratings.licence
    assert not ratings.simulated


def test_a_second_call_asks_no_server(serve, folders):
    server = serve(ok())
    fetch(server, folders)
    fetch(server, folders)
    assert server.requests == 1


def test_a_slow_server_shows_progress(serve, folders):
    body = archive(items=ITEMS + b" " * 400_000)
    server, seen = serve(ok([body[i : i + 80_000] for i in range(0, len(body), 80_000)])), []
    fetch(server, folders, md5=hashlib.md5(body).hexdigest(), progress=lambda done, _: seen.append(done))
    assert len(set(seen)) > 4
    assert seen == sorted(seen)


def test_a_wrong_checksum_is_tried_again_and_never_kept(serve, folders):
    server = serve(ok(archive(DATA + b"\n")))
    with pytest.raises(DownloadError, match=r"could not download .*hash"):
        fetch(server, folders)
    assert server.requests == 3
    assert leftovers(folders) == []


def test_a_cut_connection_is_tried_again(serve, folders):
    server = serve((200, FILE[:100], {"Content-Length": str(len(FILE))}), ok())
    fetch(server, folders)
    assert server.requests == 2
    assert load_movielens(folders[0]).n_users == 2


def test_a_truncated_file_is_never_kept(serve, folders):
    with pytest.raises(DownloadError, match="could not download"):
        fetch(serve(ok(FILE[:-40])), folders)
    assert leftovers(folders) == []


def test_a_missing_file_is_given_up(serve, folders):
    server = serve((404, b"gone", {}))
    with pytest.raises(DownloadError, match=r"could not download .*404"):
        fetch(server, folders)
    assert leftovers(folders) == []


def test_no_network(serve, folders):
    server = serve(ok())
    server.shutdown()
    server.server_close()
    with pytest.raises(DownloadError, match="could not download"):
        fetch(server, folders, retries=0)
    assert leftovers(folders) == []


def test_abandoned_half_way_leaves_nothing(serve, folders):
    def progress(done, total):
        raise Abandoned

    server = serve(ok())
    with pytest.raises(Abandoned):
        fetch(server, folders, progress=progress)
    assert leftovers(folders) == []
    assert fetch(server, folders).is_file()


def test_a_full_disk_is_said_and_leaves_nothing(serve, folders, monkeypatch):
    def full(source, target):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(movielens.shutil, "copyfile", full)
    with pytest.raises(OSError, match=r"could not store the data in .*No space left"):
        fetch(serve(ok()), folders)
    assert leftovers(folders) == []


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
                download_movielens(server.url, cache, md5=MD5)
        finally:
            if root:
                os.seteuid(0)
        os.chmod(cache, 0o755)
    assert server.requests == 0


def test_missing_data_say_what_to_do(folders):
    with pytest.raises(DatasetMissing, match=r"about 5 MB.*download_movielens.*DPOT_DATA"):
        load_movielens(folders[0])


@pytest.mark.parametrize("body", [FILE[:60], b"not a zip", archive(DATA + b"7\t1\t5\t0\n")])
def test_a_damaged_cache_is_set_aside_and_offered_again(folders, body):
    folders[0].mkdir()
    cached_movielens(folders[0]).write_bytes(body)
    with pytest.raises(DatasetDamaged, match=r"is damaged .* was set aside as .*\.damaged; download it again"):
        load_movielens(folders[0])


def test_dpot_data_comes_before_the_cache(serve, folders, tmp_path, monkeypatch):
    fetch(serve(ok()), folders)
    folder = tmp_path / "shared" / "ml-100k"
    folder.mkdir(parents=True)
    monkeypatch.setenv("DPOT_DATA", str(tmp_path / "shared"))
    with pytest.raises(ValueError, match="is damaged"):
        load_movielens(folders[0])
    for name, content in (("u.data", DATA), ("u.item", ITEMS.replace(b"Ink", b"Oil")), ("u.genre", GENRES)):
        (folder / name).write_bytes(content)
    assert load_movielens(folders[0]).films[1] == "<b>Oil</b>"


def test_the_real_data_have_the_numbers_of_their_source(real_data):
    real_data("ml-100k/u.data")
    ratings = load_movielens()
    assert (len(ratings), ratings.n_users, ratings.n_films) == (100_000, 943, 1_682)
    assert len(ratings.genre_names) == 19
    assert np.unique(ratings.stars).tolist() == [1, 2, 3, 4, 5]
    assert np.bincount(ratings.user).min() >= 20


@pytest.mark.parametrize("label", FILM_DATASETS)
def test_every_entry_of_the_table_loads_what_it_promises(label, real_data):
    dataset = FILM_DATASETS[label]
    if dataset.download_megabytes:
        real_data("ml-100k/u.data")
    ratings = dataset.load()
    assert isinstance(ratings, Ratings)
    assert ratings.simulated == dataset.simulated == ("simulated" in ratings.title.lower())
    assert dataset.description.endswith(".")
