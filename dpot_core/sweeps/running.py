"""Running a sweep: what is kept is read, the rest computed and kept, then one table made of all."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from dpot_core.datasets import DatasetMissing
from dpot_core.processes import each
from dpot_core.progress import Progress, unwatched
from dpot_core.scenarios import ScenarioError
from dpot_core.sweeps import cluster
from dpot_core.sweeps.cluster import ClusterError
from dpot_core.sweeps.document import Sweep
from dpot_core.sweeps.kept import Kept
from dpot_core.sweeps.point import Record, answer, ask, failed, programs
from dpot_core.sweeps.table import Rows, dictionary, write


@dataclass(frozen=True)
class Swept:
    """What a sweep came to."""

    points: int
    kept: int  # were there before
    computed: int
    damaged: int  # were there before and could not be used: computed again
    failed: int  # have no numbers
    why: str  # the first of them has none; "" if all have some
    files: tuple[Path, ...]  # what was written: the table, what its columns are, and what is promised of it


def sweep(
    asked: Sweep,
    folder: Path,
    files: Mapping[str, bytes] | None = None,
    *,
    processes: int | None = None,
    scheduler: str = "",
    progress: Progress = unwatched,
) -> Swept:
    """Compute a view at every point, and write ``results.parquet``, what its columns are, and what is promised.

    Each result is kept in ``folder/points`` under a digest of the programs, the view, its settings and data, as soon as
    it is there: a sweep that was ended goes on, one with more values computes those only.

    Args:
        asked: what to compute.
        folder: where to write.
        files: contents of people's own files by their SHA-256; on a cluster they are sent to its workers.
        processes: of this machine; one a core without it.
        scheduler: address of a Dask scheduler that computes instead.
        progress: called with (points done, in all).

    Raises:
        ScenarioError: if no point can be computed for a reason that stands in the file, or its data are not there.
        ClusterError: if the cluster cannot be reached, is gone, or has other programs.
    """
    if scheduler:
        cluster.checked(scheduler)
    given = dict(files or {})
    for role, digest in asked.data.items():
        if digest not in given:
            raise ScenarioError(f"the file is not here: its SHA-256 must be {digest}", ("data", role))
    points, problems = _points(asked)
    kept = Kept(folder / "points")
    left = [place for place, text in points.items() if kept.read(text) is None]
    damaged, have = kept.damaged, len(points) - len(left)
    done = have + len(problems)
    progress(done, asked.points)
    texts = [points[place] for place in left]
    if scheduler:
        answers = cluster.each(answer, texts, given, scheduler)
    else:
        answers = each(partial(answer, files=given), texts, processes)
    for number, found in answers:
        place = left[number]
        record = failed(found) if isinstance(found, BaseException) else json.loads(found)
        if scheduler and record.get("programs", programs()) != programs():
            raise ClusterError(f"a worker computes with {record['programs']}; here are {programs()}: install the same")
        if isinstance(found, str) and record.get("lasting", True):
            kept.write(points[place], found)
        else:
            problems[place] = record
        done += 1
        progress(done, asked.points)
    return Swept(asked.points, have, len(left), damaged, *_write(asked, folder, kept, points, problems))


def _points(asked: Sweep) -> tuple[dict[int, str], dict[int, Record]]:
    """Every point that can be asked for, and why the others cannot, by place."""
    points: dict[int, str] = {}
    problems: dict[int, Record] = {}
    first, unread = None, {*asked.data}
    for place, config in enumerate(asked.configs()):
        try:
            asked.view.check(config)
            points[place] = ask(asked.view, config, asked.data)
        except (ScenarioError, DatasetMissing) as problem:
            first = first or problem
            problems[place] = failed(problem)
        unread -= asked.view.files(config).keys()
    for role in unread:
        raise ScenarioError("these settings read no such file", ("data", role))
    if not points:
        raise ScenarioError(f"no point can be computed; the first one: {first}") from first
    return points, problems


def _write(
    asked: Sweep, folder: Path, kept: Kept, points: Mapping[int, str], problems: Mapping[int, Record]
) -> tuple[int, str, tuple[Path, ...]]:
    """Put the table and what is promised of it into the folder; how many rows have no numbers, why, and the files."""
    rows = Rows(asked)
    for place, config in enumerate(asked.configs()):
        record = problems.get(place) or kept.read(points[place])
        if record is None:
            raise OSError(f"a result in {folder / 'points'} was damaged since it was written: start again")
        rows.add(config, record)
    table, file, words = rows.table(), folder / "results.parquet", folder / "columns.csv"
    write(table, file)
    words.write_bytes(dictionary(table).encode())
    # The same names as `dpot run` writes; of another sweep there may be the other.
    said, other = ("guarantee.txt", "no-release.txt") if rows.released else ("no-release.txt", "guarantee.txt")
    (folder / other).unlink(missing_ok=True)
    (folder / said).write_bytes(("\n".join(rows.sentences()) + "\n").encode())
    return len(rows.errors), next(iter(rows.errors), ""), (file, words, folder / said)
