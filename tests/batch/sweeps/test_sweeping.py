"""Sweeps: one and the same table from one process, several, a cluster, and after anything was killed."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pandas as pd
import pyarrow.parquet as pq
import pytest

from dpot_app.batch import scenarios
from dpot_app.batch.scenarios import VIEWS, ScenarioError
from dpot_app.batch.sweeps import Swept, example, point, read, running, sweep
from dpot_app.batch.sweeps.kept import Kept
from dpot_app.batch.sweeps.table import short
from dpot_app.batch.tags import tag_of, tagged
from dpot_app.command_line import FAILED, UNUSABLE, main
from dpot_app.kit.failures import ComputationFailed
from dpot_core.privacy.accounting import amplified_epsilon, from_one_sample
from tests.batch.sweeps.here import in_this_process
from tests.dask_cluster import ROOT, dask, needs_dask, until  # noqa: F401 (a fixture)

#: Releases with noise from known seeds, a twentieth of a second each: enough that something can be killed between.
TEXT = """\
sweep: 1
view: sinkhorn.release
over:
  epsilon: [1, 2, 4]
  data.seed: {from: 1, to: 8, steps: 8}
"""
POINTS = 24
#: The same with fewer seeds, where nothing is killed.
FEW = TEXT.replace("to: 8, steps: 8", "to: 3, steps: 3")
FEW_POINTS = 9
SMALL = "sweep: 1\nview: ring.outputs\nsettings: {ring: {k: 12}}\nover:\n  epsilon: [1, 2]\n"


def results(folder: Path) -> bytes:
    return (folder / "results.parquet").read_bytes()


def kept(folder: Path) -> dict[str, int]:
    """When each result that is kept was written."""
    return {path.name: path.stat().st_mtime_ns for path in (folder / "points").glob("[!.]*")}


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("asked") / "sweep.yaml"
    path.write_text(TEXT, encoding="utf-8")
    return path


def by_one_process(text: str, points: int, folder: Path) -> Path:
    done = sweep(read(text), folder, processes=1)
    assert (done.points, done.kept, done.computed, done.failed) == (points, 0, points, 0)
    return folder


@pytest.fixture(scope="module")
def serial(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a sweep by one process."""
    return by_one_process(TEXT, POINTS, tmp_path_factory.mktemp("serial"))


@pytest.fixture(scope="module")
def few(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a short one."""
    return by_one_process(FEW, FEW_POINTS, tmp_path_factory.mktemp("few"))


@pytest.mark.nightly
def test_several_processes_give_the_table_of_one_and_it_holds_the_page_s_numbers(serial: Path, tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []
    sweep(read(TEXT), tmp_path, processes=3, progress=lambda done, total: told.append((done, total)))
    assert results(tmp_path) == results(serial)
    assert told == [(done, POINTS) for done in range(POINTS + 1)]
    table = pq.read_table(tmp_path / "results.parquet").to_pylist()
    view = VIEWS["sinkhorn.release"]
    for place in (0, 13):
        row, config = table[place], list(read(TEXT).configs())[place]
        outcome = scenarios.run(scenarios.Scenario(view.key, "", config, scenarios.describe_data(view, config, {})))
        assert (row["epsilon"], row["data.seed"], row["row_status"]) == (
            config.epsilon,
            config.data.seed,
            "demonstration",
        )
        promise = outcome.disclosure.promise  # of one release by the mechanism that is chosen
        assert (row["row_epsilon"], row["row_delta"]) == (promise.weakest.epsilon, promise.weakest.delta)
        for name, value in outcome.disclosure.mark_numbers(outcome.headlines).items():
            assert row[short(name)] == pytest.approx(value, rel=1e-12, abs=1e-12)
        assert row["error"] is None


@pytest.mark.nightly
def test_after_the_command_is_killed_it_goes_on_and_computes_nothing_twice(
    file: Path, serial: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["sweep", str(file), "--out", str(tmp_path), "--processes", "2"]
    begun = subprocess.Popen([sys.executable, "-m", "dpot_app", *arguments], cwd=ROOT, start_new_session=True)
    until(lambda: len(kept(tmp_path)) > 2 or begun.poll() is not None)
    begun.kill()
    begun.wait()
    # Its processes end with it.
    until(lambda: not group_lives(begun.pid))
    before = kept(tmp_path)
    assert 2 < len(before) < POINTS and not (tmp_path / "results.parquet").exists()
    assert main(arguments) == 0
    said = capsys.readouterr()
    assert f"{POINTS} points, {len(before)} from before, {POINTS - len(before)} computed" in said.err
    assert f"sweep: {POINTS} of {POINTS}" in said.err
    assert {name: kept(tmp_path)[name] for name in before} == before and len(kept(tmp_path)) == POINTS
    assert results(tmp_path) == results(serial)
    assert said.out.splitlines() == [
        str(tmp_path / name) for name in ("results.parquet", "columns.csv", "guarantee.txt")
    ]


def group_lives(group: int) -> bool:
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, _, its_group = path.read_text().rpartition(")")[2].split()[:3]
        except OSError:
            continue  # ended meanwhile
        if int(its_group) == group and state != "Z":
            return True
    return False


def test_more_values_compute_what_is_new_and_damage_is_noticed(few: Path, tmp_path: Path) -> None:
    less, before = read(FEW.replace("[1, 2, 4]", "[1, 2]")), 2 * FEW_POINTS // 3
    assert sweep(less, tmp_path, processes=1).computed == before
    one, two, three, four = sorted((tmp_path / "points").iterdir())[:4]
    one.write_bytes(one.read_bytes().replace(b"headlines", b"headlinez"))
    two.write_bytes(b"")
    three.write_bytes(three.read_bytes()[:-1])
    four.write_bytes(sorted((tmp_path / "points").iterdir())[5].read_bytes())  # whole, and another point's
    (left := tmp_path / "points" / ".dpot-elsewhere-1-0").touch()
    os.utime(left, (0, 0))
    done = sweep(read(FEW), tmp_path, processes=1)
    assert (done.kept, done.computed, done.damaged) == (before - 4, FEW_POINTS - before + 4, 4)
    assert results(tmp_path) == results(few) and not left.exists()


def test_the_promise_of_all_rows_is_composed_and_stands_beside_the_table_and_in_it(few: Path, tmp_path: Path) -> None:
    sweep(read(SMALL), tmp_path)
    said = (tmp_path / "guarantee.txt").read_text(encoding="utf-8")
    assert "Epsilons add up exactly: 1 + 2 = 3." in said and "\nε = 3 nats.\n" in said
    assert (
        "Demonstration, not a release." in said and "row_epsilon and row_delta are the promise of one release" in said
    )
    about = json.loads(pq.read_schema(tmp_path / "results.parquet").metadata[b"dpot"])
    assert about["promise"] == said.splitlines() and about["view"] == "ring.outputs"
    table = pq.read_table(tmp_path / "results.parquet").to_pydict()
    assert table["row_epsilon"] == [1.0, 2.0]
    assert "worst_case_w2_wpm_steps" in table and "w2_wpm_steps_not_private" in table
    # Releases with deltas, which compose better by their privacy losses.
    said = (few / "guarantee.txt").read_text(encoding="utf-8")
    words = scenarios.together(
        [VIEWS["sinkhorn.release"].run(config).disclosure for config in read(FEW).configs()], True
    )
    assert words.words in said and "Composed by their privacy losses: " in words.words
    assert words.guarantee is not None and f"\nε = {words.guarantee.epsilon:g} nats, δ = " in said


def test_rows_from_one_sample_of_the_us_population_promise_what_they_cost_together(tmp_path: Path) -> None:
    """Both rows draw the same 500 people: 38.72 by `from_one_sample`, where adding up what is amplified gives 25.89."""
    settings = "{source: places, n: 500, m: 4, seed: 1}"
    asked = read(f"sweep: 1\nview: population.map\nsettings: {settings}\nover:\n  epsilon: [0.5, 1]\n")
    sweep(asked, tmp_path, processes=1)
    said = (tmp_path / "guarantee.txt").read_text(encoding="utf-8")
    assert "without replacement, in secret): ε = 38.7249" in said and "25.89" not in said and "the same sample" in said
    rows = [VIEWS["population.map"].run(config).disclosure for config in asked.configs()]
    board, promises = (
        scenarios.together(rows, True).guarantee,
        [row.guarantee for row in rows if row.guarantee is not None],
    )
    true, added = from_one_sample(promises), sum(promise.epsilon for promise in promises)
    assert board is not None and 38.72 < true.epsilon <= board.epsilon < 38.73 and 25.8 < added < 25.9
    # Each row: what a person known to be in the sample is promised, and beside it what sampling makes of that.
    table = pq.read_table(tmp_path / "results.parquet").to_pydict()
    for epsilon, delta, outer, slack, promise in zip(
        *(table[f"row_{name}"] for name in ("epsilon", "delta", "epsilon_population", "delta_population")),
        [row.promise for row in rows],
        strict=True,
    ):
        assert promise is not None and promise.sampled is not None and epsilon == promise.sampled.epsilon
        assert promise.sampled.rate < 1e-3
        assert outer == pytest.approx(amplified_epsilon(epsilon, promise.sampled.rate), rel=1e-6)
        assert slack == pytest.approx(delta * promise.sampled.rate, rel=1e-6)
        assert outer < epsilon and 0.0 <= slack <= delta


@pytest.mark.nightly
def test_means_have_their_standard_errors_beside_the_reference_and_every_column_is_explained(tmp_path: Path) -> None:
    settings = "{source: simulated, place: {n: 5}}"
    asked = read(f"sweep: 1\nview: geolocation.crowd\nsettings: {settings}\nover:\n  epsilon: [2]\n")
    sweep(asked, tmp_path, processes=1)
    (row,) = pq.read_table(tmp_path / "results.parquet").to_pylist()
    crowd, curve = VIEWS["geolocation.crowd"].run(next(asked.configs())).parts
    for name, runs in {"wpm": crowd.kilometres["wpm"], "without_privacy": curve.no_privacy}.items():
        (column,) = (one for one in row if name in one and f"{one}_se" in row)
        assert row[column] == pytest.approx(runs.mean(), rel=1e-12)
        assert row[f"{column}_se"] == pytest.approx(runs.std(ddof=1) / runs.size**0.5, rel=1e-12)
        assert row[f"{column}_n"] == runs.size > 1
    explained = pd.read_csv(tmp_path / "columns.csv").set_index("column")["what it is"]
    assert [*explained.index] == [*row] and explained.str.len().min() > 0
    assert explained["place.n"] == "Cells per side of the grid"
    assert all(name.isascii() and " " not in name for name in row)
    assert explained["crowd_w1_wpm_km_not_private"] == "Crowd's W₁ of WPM (km) (not private)"


@pytest.mark.nightly
def test_noise_that_rows_share_promises_nothing_and_what_is_no_release_says_so(tmp_path: Path) -> None:
    sweep(read("sweep: 1\nview: geolocation.crowd\nover:\n  epsilon: [1, 2]\n"), tmp_path, processes=1)
    said = (tmp_path / "guarantee.txt").read_text(encoding="utf-8")
    assert "these scenarios share noise" in said and "\nNothing is promised of all rows together.\n" in said
    assert "ε = " not in said
    sweep(read(example(VIEWS["explain.distance"])), tmp_path, processes=1)
    said = (tmp_path / "no-release.txt").read_text(encoding="utf-8")
    assert not (tmp_path / "guarantee.txt").exists() and "Nothing is released." in said
    assert not {*pq.read_table(tmp_path / "results.parquet").to_pydict()["row_epsilon"]} - {None}
    # Words that differ by a seed are not told a thousand times.
    sweep(read("sweep: 1\nview: mixture.line\nover:\n  seed: {from: 1, to: 7, steps: 7}\n"), tmp_path, processes=1)
    said = (tmp_path / "guarantee.txt").read_text(encoding="utf-8")
    assert said.count("from the known seed") == 5 and "And 2 more like these" in said


def test_points_that_fail_are_listed_and_the_exit_code_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "s.yaml").write_text(SMALL + "  ring.every: [1, 12, 13]\n", encoding="utf-8")
    assert main(["sweep", str(tmp_path / "s.yaml"), "--out", str(tmp_path / "out")]) == FAILED
    assert "4 of 6 points have no numbers: ring.every: must be less than k = 12; got 12" in capsys.readouterr().err
    table = pq.read_table(tmp_path / "out" / "results.parquet").to_pydict()
    good, bad = None, "ring.every: must be less than k = 12; got {}".format
    assert table["error"] == [good, bad(12), bad(13)] * 2
    assert [value is None for value in table["row_epsilon"]] == [False, True, True] * 2
    assert (
        "Without numbers, for the reason in the column error: 4 rows." in (tmp_path / "out/guarantee.txt").read_text()
    )


@pytest.mark.nightly
def test_people_s_own_files_are_read_and_results_belong_to_one_file(tmp_path: Path) -> None:
    def swept(*rows: str) -> Swept:
        content = "\n".join(["user,lat,lon", *rows, ""]).encode()
        digest = hashlib.sha256(content).hexdigest()
        place = "settings: {source: csv, place: {n: 5, least: 2}}"
        text = f"sweep: 1\nview: geolocation.person\n{place}\nover:\n  epsilon: [1, 2]\ndata: {{check-ins: {digest}}}\n"
        return sweep(read(text), tmp_path, {tag_of(content): content}, processes=1)

    first = swept("u1,30.25,-97.75", "u1,30.26,-97.74")
    assert (first.computed, first.failed) == (2, 0)
    assert swept("u1,30.25,-97.75", "u1,30.26,-97.74").kept == 2
    assert swept("u1,30.25,-97.75", "u1,30.27,-97.74").computed == 2
    with pytest.raises(ScenarioError, match=r"data\.check-ins: these settings read no such file"):
        sweep(read(SMALL + "data: {check-ins: " + "0" * 64 + "}"), tmp_path, {tagged("0" * 64): b""})


@pytest.mark.parametrize(
    ("raised", "said", "lasting"),
    [
        (RuntimeError("no convergence."), "the computation failed (no convergence). Change", True),
        (ValueError("7 of 7 are at sea"), "the settings do not fit together: 7 of 7 are at sea", True),
        (MemoryError(), "the computation needs more memory than there is", False),
        (KeyError("point"), "KeyError: 'point'", False),
        (ScenarioError("the data set is not on this machine", ("data",)), "data: the data set is not on this", False),
    ],
    ids=repr,
)
def test_a_failure_that_would_come_again_is_kept(
    raised: Exception, said: str, lasting: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise raised

    monkeypatch.setattr(scenarios, "run", fail)
    monkeypatch.setattr(running, "imap_unordered", in_this_process)
    for _ in range(2):
        done = sweep(read(SMALL), tmp_path, processes=1)
        assert done.failed == 2
        assert said in pq.read_table(tmp_path / "results.parquet").to_pydict()["error"][0]
    assert (done.kept, done.computed) == ((2, 0) if lasting else (0, 2))


def test_other_programs_other_results(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = next(iter(running._points(read(SMALL))[0].values()))
    store = Kept(tmp_path)
    store.write(asked, point.answer(asked, {}))
    assert store.read(asked) is not None
    monkeypatch.setattr(point, "programs", lambda: "dpot of tomorrow")
    assert store.read(asked) is None and store.damaged == 0
    monkeypatch.setattr(running, "imap_unordered", in_this_process)
    with pytest.raises(ComputationFailed, match="a worker computes with dpot of tomorrow; here are dpot "):
        sweep(read(SMALL), tmp_path / "out")


# --- a cluster --------------------------------------------------------------------------------------------


@pytest.mark.nightly
def test_a_cluster_gives_the_same_table_also_when_a_worker_is_killed(
    serial: Path,
    tmp_path: Path,
    dask: tuple[str, list[subprocess.Popen[bytes]]],  # noqa: F811
) -> None:
    address, workers = dask
    out = tmp_path / "out"
    with ThreadPoolExecutor(1) as aside:
        sweeping = aside.submit(sweep, read(TEXT), out, scheduler=address)
        until(lambda: len(kept(out)) > 4 or sweeping.done())
        workers[0].kill()
        assert len(kept(out)) < POINTS, "killed too late to say anything"
        done = sweeping.result()
    assert (done.points, done.kept, done.computed, done.failed) == (POINTS, 0, POINTS, 0)
    assert results(out) == results(serial)


@pytest.mark.parametrize(
    "address",
    ["nonsense:\n//", "nonsense://host:1", "host", "tcp://host", "tcp://:8786", "tcp://h:99999", "tcp://h:-5", "a b:1"],
)
def test_a_wrong_address_of_a_scheduler_is_refused_before_anything_is_done(
    address: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "s.yaml").write_text(SMALL, encoding="utf-8")
    arguments = ["sweep", str(tmp_path / "s.yaml"), "--out", str(tmp_path / "out"), "--scheduler", address]
    assert main(arguments) == UNUSABLE
    said = capsys.readouterr()
    assert "--scheduler: must be an address such as tcp://host:8786; got" in said.err and said.err.count("\n") == 1
    assert not (tmp_path / "out").exists()


@pytest.mark.nightly
def test_without_dask_or_a_scheduler_a_sentence_says_so(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    needs_dask()
    arguments = ["sweep", str(file), "--out", str(tmp_path / "out"), "--scheduler"]
    monkeypatch.setattr("dpot_app.kit.workers.cluster._ANSWERS", 0.3)
    assert main([*arguments, "tcp://127.0.0.1:1"]) == UNUSABLE
    assert "no Dask scheduler answers at tcp://127.0.0.1:1" in capsys.readouterr().err
    monkeypatch.setitem(sys.modules, "distributed", None)
    assert main([*arguments, "tcp://127.0.0.1:1"]) == UNUSABLE
    assert "pip install 'dpot[cluster]'" in capsys.readouterr().err
