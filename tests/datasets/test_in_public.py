"""What goes wrong with a file is said to a room without where the file lies; the log has that."""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from dpot_core import datasets
from dpot_core.datasets import downloads
from dpot_core.datasets.downloads import in_public, reading_kept
from tests.apps import open_page, plain

DOWNLOADS = (datasets.download_movielens, datasets.download_gowalla, datasets.download_tracts)


@pytest.mark.parametrize("download", DOWNLOADS)
def test_a_cache_that_cannot_be_written_is_not_named(
    download: Callable[..., Path], tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    cache = tmp_path / "a file" / "cache"
    cache.parent.write_bytes(b"")  # stops root, too
    with pytest.raises(OSError, match=r"could not store the data in the cache folder \(Not a directory\); ") as refused:
        download(cache_dir=cache)
    assert str(tmp_path) not in str(refused.value)
    assert str(cache) in caplog.text and "Traceback" not in caplog.text


@pytest.mark.parametrize(
    "read",
    [lambda path: np.load(path), lambda path: path.with_name("missing").read_bytes(), lambda path: path.read_text()],
    ids=["named in the message", "named by the system", "not named"],
)
def test_a_damaged_file_is_named_without_its_folder(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, read: Callable[[Path], object]
) -> None:
    path = tmp_path / "kept.npy"
    path.write_bytes(b"\xff damaged")
    with pytest.raises(datasets.DatasetDamaged) as damaged, reading_kept(path, "download it again"):
        read(path)
    said = str(damaged.value)
    assert said.startswith("kept.npy is damaged (") and said.endswith("kept.npy.damaged; download it again")
    assert str(tmp_path) not in said and str(path) in caplog.text


@pytest.mark.parametrize(
    ("place", "load"),
    [
        ("ml-100k/u.data", datasets.load_movielens),
        ("gowalla/austin_counts.csv.gz", datasets.load_gowalla_austin),
        ("us/tracts_census2010.csv.gz", datasets.load_tracts),
    ],
)
def test_data_of_the_operator_are_named_without_their_folder(
    place: str, load: Callable[[], object], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / place
    path.parent.mkdir()
    path.write_bytes(b"\x1f\x8b damaged")
    monkeypatch.setenv("DPOT_DATA", str(tmp_path))
    with pytest.raises(ValueError, match="is damaged") as damaged:
        load()
    assert str(tmp_path) not in str(damaged.value)


def test_an_error_without_words_is_named_by_its_kind(tmp_path: Path) -> None:
    assert in_public(EOFError(), tmp_path / "a") == "EOFError"
    assert in_public(ValueError("a\n b" + "x" * 300), tmp_path / "a") == "a b" + "x" * 197


@pytest.mark.slow
@pytest.mark.usefixtures("nothing_loaded")
def test_a_page_says_why_nothing_is_stored_and_not_where(
    folders: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    cached, _ = folders
    cached.write_bytes(b"")
    monkeypatch.setattr(downloads.pooch, "os_cache", lambda name: cached / name)
    with caplog.at_level(logging.WARNING, logger="dpot_core"):
        app = open_page("geolocation", {"geo_data": "Gowalla, Austin"})
        app.button(key="geo_download").click().run()
    said = plain(app.error[0].value)
    assert said.startswith("could not store the data in the cache folder (Not a directory); ")
    assert str(cached) not in said and str(cached) in caplog.text
