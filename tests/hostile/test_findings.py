"""What once took minutes, gigabytes or a page down, each by itself."""

from __future__ import annotations

import contextlib
import json
import os
import platform
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from weakref import WeakSet

import numpy as np
import pytest
from starlette.exceptions import HTTPException
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.uploaded_file_manager import UploadedFileRec
from streamlit.testing.v1 import AppTest

from dpot_app.batch import scenarios
from dpot_app.command_line import main
from dpot_app.kit import cache
from dpot_app.shell import bounded_uploads, files
from dpot_app.views.table import PAGES, VIEWS
from dpot_core import datasets
from dpot_core.datasets import downloads
from dpot_core.datasets.city_grid import city_grid
from dpot_core.datasets.downloads import DatasetDamaged, reading_kept, sweep
from dpot_core.datasets.outlines import us_outline
from dpot_core.datasets.point_pairs import sniff_pair
from dpot_core.datasets.population_csv import read_population_csv, sniff_population
from dpot_core.datasets.ratings_csv import sniff_ratings
from dpot_core.datasets.zones import read_zones_geojson
from tests.apps import open_page, plain
from tests.publishers import leftovers

SNIFF = (sniff_population, datasets.sniff_columns, sniff_ratings, sniff_pair)
GRID = city_grid((-98.0, 30.1, -97.5, 30.5), 10)


def seconds(work: Callable[[], object]) -> float:
    start = time.process_time()
    with contextlib.suppress(ValueError):
        work()
    return time.process_time() - start


@pytest.mark.parametrize("sniff", SNIFF)
def test_a_header_is_short(sniff: Callable[[bytes], object]) -> None:
    for names in ([""] * 10**6, [f"a{i}" for i in range(30_000)]):
        data = ",".join(names).encode() + b"\n1"
        assert seconds(lambda data=data: sniff(data)) < 1.0
        with pytest.raises(ValueError, match="columns; at most 1,000 are accepted"):
            sniff(data)
    with pytest.raises(ValueError, match="row 1 must hold the names of the columns, and one of them is too long"):
        sniff(b"a" * 140_000 + b",lat\n1,2")


def test_a_table_has_ten_million_cells() -> None:
    wide = ",".join(["lon", "lat", *(f"c{i}" for i in range(500))])
    with pytest.raises(ValueError, match="cells; at most 10,000,000 are accepted: leave out columns"):
        read_population_csv((wide + "\n" + ("," * 501 + "\n") * 20_000).encode(), us_outline())


@pytest.mark.nightly
@pytest.mark.slow
def test_many_places_are_read_quickly() -> None:
    rng = np.random.default_rng(0)
    places = zip(rng.uniform(-130, -65, 100_000), rng.uniform(25, 50, 100_000), strict=True)
    data = b"lon,lat\n" + b"\n".join(b"%.6f,%.6f" % place for place in places)
    assert seconds(lambda: read_population_csv(data, us_outline())) < 4.0


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("!!int ''", "tags"),
        ("!!bool foo", "tags"),
        ("!!timestamp foo", "tags"),
        ('"\\UFFFFFFFF"', "an escape stands for no character"),
        ('"\\uD800"', "half a character"),
        ("1" * 400, "has 400 digits"),
        ("1" * 5000, "has 5,000 digits"),
        ("1:" * 50_000 + "1", "must be a number; got text"),
        pytest.param("[" + "1," * 90_000 + "1]", "more than 50,000 values", marks=pytest.mark.nightly),
        ("[" * 3000, "nested too deeply"),
        ("2001-99-99", "must be a number; got text '2001-99-99'"),
    ],
)
def test_words_of_yaml_get_a_sentence_with_the_line(words: str, said: str) -> None:
    key = "ring.outputs"
    text = scenarios.write([scenarios.Scenario(key, "x", VIEWS[key].example)]).replace(
        "epsilon: 2.0", f"epsilon: {words}"
    )
    with pytest.raises(scenarios.ScenarioError, match=r"\bline \d+") as caught:
        scenarios.read(text)
    assert said in str(caught.value) and len(str(caught.value)) < 500
    assert seconds(lambda: scenarios.read(text)) < 3.0


def test_a_date_for_a_name_is_a_name() -> None:
    with pytest.raises(scenarios.ScenarioError, match="schema"):
        scenarios.read("2001-99-99: 1")


def test_words_of_older_yaml_are_still_truth() -> None:
    key = "geolocation.person"
    text = scenarios.write([scenarios.Scenario(key, "x", VIEWS[key].example)])
    assert "zones: false" in text
    (same,) = scenarios.read(text.replace("zones: false", "zones: no"))
    assert same.config == VIEWS[key].example


def square(x: float, y: float, side: float) -> list[list[list[float]]]:
    return [[[x, y], [x + side, y], [x + side, y + side], [x, y + side], [x, y]]]


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("content", "said"),
    [
        (
            {"type": "MultiPolygon", "coordinates": [square(-97.9, 30.2, 0.1)] * 20_000},
            "parts and holes; at most 3,000",
        ),
        ({"type": "MultiPolygon", "coordinates": [square(-97.9, 30.2, 0.1)] * 2_000}, "crosses itself too often"),
        ({"type": "MultiPolygon", "coordinates": [[]] * 1_300_000}, "at most 1,200,000 are accepted"),
        ({"type": "Polygon", "coordinates": [[[10**400, 1], [1, 2], [2, 1]]]}, "pairs of numbers"),
    ],
    ids=["parts", "overlapping", "empty", "long"],
)
def test_zones_that_take_long_are_refused_early(content: object, said: str) -> None:
    data = json.dumps(content).encode()
    assert seconds(lambda: read_zones_geojson(data, GRID)) < 3.0
    with pytest.raises(ValueError, match=said):
        read_zones_geojson(data, GRID)


@pytest.mark.nightly
def test_a_comb_is_read_quickly() -> None:
    many = 100_000
    comb = [[-97.9 + 0.3 * i / many, 30.2 + 0.1 * (i % 2)] for i in range(many)]
    ring = [*comb, [-97.6, 30.19], [-97.9, 30.19], comb[0]]
    data = json.dumps({"type": "Polygon", "coordinates": [ring]}).encode()
    assert seconds(lambda: read_zones_geojson(data, GRID)) < 4.0


@pytest.mark.nightly
@pytest.mark.parametrize(
    "problem", [RuntimeError("no optimum"), FloatingPointError("overflow"), MemoryError()], ids=repr
)
@pytest.mark.parametrize("page", [name for name, page in PAGES.items() if page.views and name != "decide"])
def test_a_solver_that_fails_is_a_sentence_on_every_page(page: str, problem: Exception, monkeypatch) -> None:
    def failing(*_: object) -> object:
        raise problem

    cache.CACHE.clear()
    for view in PAGES[page].views:
        monkeypatch.setitem(vars(view), "compute", failing)
    app = open_page(page)
    assert any("computation" in plain(error.value) and "Change" in error.value for error in app.error)


def test_a_solver_that_fails_is_a_sentence_on_the_command_line(tmp_path: Path, monkeypatch, capsys) -> None:
    def failing(*_: object) -> object:
        raise OverflowError("too large")

    key = "mixture.line"
    (tmp_path / "one.yaml").write_text(scenarios.write([scenarios.Scenario(key, "x", VIEWS[key].example)]))
    cache.CACHE.clear()
    monkeypatch.setitem(vars(VIEWS[key]), "compute", failing)
    command = ["run", str(tmp_path / "one.yaml"), "--out", str(tmp_path / "out"), "--set", "epsilon=10", "--set", "p=3"]
    assert main(command) == 1
    said = capsys.readouterr().err
    assert "the computation failed (too large). Change" in said and "at the usual values it can be computed" in said


KEPT = b"what was kept"


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    path = tmp_path / "data.csv.gz"
    path.write_bytes(KEPT)
    downloads._digest_of(path).write_text(downloads._sha256(path))
    return path


@pytest.mark.parametrize("bit", range(0, 8 * len(KEPT), 13))
def test_one_bit_of_a_kept_file_is_noticed(kept: Path, bit: int) -> None:
    with reading_kept(kept, "download it again"):
        assert kept.read_bytes() == KEPT
    damaged = bytearray(KEPT)
    damaged[bit // 8] ^= 1 << bit % 8
    kept.write_bytes(damaged)
    with pytest.raises(DatasetDamaged, match=r"checksum .* set aside as data\.csv\.gz\.damaged; download it again"):  # noqa: SIM117
        with reading_kept(kept, "download it again"):
            raise AssertionError("it must not be read")
    assert leftovers([kept.parent]) == ["data.csv.gz.damaged"]


@pytest.mark.parametrize(
    "problem", [EOFError(), NotImplementedError("method 9"), RuntimeError("x"), KeyError("a")], ids=repr
)
def test_whatever_a_damaged_file_makes_a_reader_raise_is_its_damage(tmp_path: Path, problem: Exception) -> None:
    path = tmp_path / "old.zip"  # from before there were digests
    path.write_bytes(KEPT)
    with pytest.raises(DatasetDamaged, match=r"is damaged \(.+\) and was set aside"), reading_kept(path, "download it"):
        raise problem


@pytest.mark.usefixtures("nothing_loaded")
def test_a_page_offers_a_damaged_data_set_again(folders, monkeypatch) -> None:
    cached, _ = folders
    cached.mkdir()
    monkeypatch.setattr(downloads.pooch, "os_cache", lambda name: cached)
    path = datasets.gowalla.cached_gowalla()
    path.write_bytes(b"\x1f\x8b damaged")
    app = open_page("geolocation", {"geo_data": "Gowalla, Austin"})
    assert "is damaged" in plain(app.warning[0].value) and "set aside" in app.warning[0].value
    assert app.button(key="geo_download").label == "Download 105 MB"


def test_leftovers_of_killed_downloads_are_swept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(downloads.pooch, "os_cache", lambda name: tmp_path)
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    left, begun = (tmp_path / f".dpot-{platform.node()}-{process}-abc" for process in (gone.pid, os.getpid()))
    for folder in (left, begun):
        folder.mkdir()
        (folder / "download.raw").write_bytes(b"a")
    sweep()
    assert [*tmp_path.iterdir()] == [begun]


def brought(size: int, fill: str = "a") -> tuple[str, bytes, str]:
    return "mine.csv", b"user,lat,lon\n" + fill.encode() * size, "text/csv"


def test_a_session_keeps_so_much_and_forgets_it(monkeypatch) -> None:
    monkeypatch.setattr(files, "MOST_IN_SESSION", 2**20)
    app = open_page("geolocation", {"geo_data": "My CSV file"})
    uploader = "geo_check-ins_file"
    app.sidebar.file_uploader(key=uploader).set_value(brought(600_000)).run()
    first = app.session_state["geo_check-ins_kept"]
    assert len(first.content) > 600_000
    open_page("metric", {"metric_data": "My CSV file"}, app)
    app.sidebar.file_uploader(key="metric_check-ins_file").set_value(brought(600_000, "b")).run()
    assert (
        "This file is too large beside the others" in app.error[0].value
        and "metric_check-ins_kept" not in app.session_state
    )
    digest = first.digest
    cache.CACHE.get(("a view", (digest,)), lambda: "its result")
    open_page("geolocation", {"geo_data": "My CSV file"}, app)
    app.sidebar.button(key="geo_check-ins_kept_forget").click().run()
    assert "geo_check-ins_kept" not in app.session_state
    assert cache.CACHE.get(("a view", (digest,)), lambda: "anew") == "anew"


def test_all_sessions_keep_so_much_together(monkeypatch: pytest.MonkeyPatch) -> None:
    """What an uploader has let go a page still keeps, for half an hour after its reader has left."""
    monkeypatch.setattr(bounded_uploads, "_OF_ALL", WeakSet())
    monkeypatch.setattr(bounded_uploads, "MOST_IN_SERVER", 2**20)

    def with_file(of: str) -> AppTest:
        app = open_page("geolocation", {"geo_data": "My CSV file"})
        return app.sidebar.file_uploader(key="geo_check-ins_file").set_value(brought(600_000, of)).run()

    one, two = with_file("a"), with_file("b")
    assert "geo_check-ins_kept" in one.session_state
    assert "Other readers' files" in two.error[0].value and "geo_check-ins_kept" not in two.session_state
    one.sidebar.file_uploader(key="geo_check-ins_file").clear().run()
    one.sidebar.button(key="geo_check-ins_kept_forget").click().run()
    two.run()
    assert "geo_check-ins_kept" in two.session_state


# --- what a session sends without asking any page ------------------------------------------------------------------


def test_a_session_sends_no_more_files_than_it_may_keep(monkeypatch: pytest.MonkeyPatch) -> None:
    """Twelve files of 40 MB, which no page had asked for, were all kept until the session ended."""
    monkeypatch.setattr(bounded_uploads, "MOST_IN_SESSION", 100)
    monkeypatch.setattr(bounded_uploads, "MOST_IN_SERVER", 250)
    manager = MemoryUploadedFileManager("/upload")

    def send(session: str, name: str, size: int) -> None:
        manager.add_file(session, UploadedFileRec(name, "a.csv", "text/csv", b"1" * size))

    send("one", "a", 60)
    with pytest.raises(HTTPException) as refused:
        send("one", "b", 41)
    assert refused.value.status_code == 413 and "MiB of files" in refused.value.detail
    send("one", "b", 40)
    send("one", "b", 40)  # the same file again takes its own place
    send("two", "a", 100)  # no other session's counts
    manager.remove_file("one", "a")
    send("one", "c", 60)
    with pytest.raises(HTTPException) as full:  # a session is kept for half an hour after its connection is lost
        send("three", "a", 51)
    assert full.value.status_code == 507 and "Other readers' files" in full.value.detail
    send("three", "a", 50)
    send("three", "a", 50)
    manager.remove_session_files("two")
    send("three", "b", 50)


def test_a_name_with_a_nul_is_kept_without_it() -> None:
    manager = MemoryUploadedFileManager("/upload")
    manager.add_file("one", UploadedFileRec("a", "a\x00b\n.csv", "text/csv", b"1"))
    assert [file.name for file in manager.get_files("one", ["a"])] == ["ab.csv"]
