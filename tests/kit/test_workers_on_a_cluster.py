"""Heavy work of a room on a Dask cluster: the same results, in turns, given up when no session waits."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Iterator
from threading import Thread
from typing import Any

import pandas as pd
import pytest

from dpot_app.command_line import UNUSABLE, main
from dpot_app.kit.cache import CACHE
from dpot_app.kit.requester import Requester
from dpot_app.kit.values import ScenarioError
from dpot_app.kit.workers import jobs as queued
from dpot_app.kit.workers.jobs import Job, WorkersError
from dpot_app.kit.workers.opening import close_workers, open_workers
from dpot_app.kit.workers.pool import Pool
from dpot_app.views.papers import computing
from dpot_app.views.table import VIEWS
from tests.dask_cluster import dask, needs_dask  # noqa: F401 (a fixture)
from tests.kit import jobs

pytestmark = pytest.mark.nightly


class Left(BaseException):
    """As Streamlit ends a script whose reader has moved on."""


@pytest.fixture
def cluster(dask: tuple[str, list[subprocess.Popen[bytes]]]) -> Iterator[Pool]:  # noqa: F811
    opened = open_workers(dask[0])
    assert opened is not None
    yield opened
    close_workers()


def quiet(done: int, total: int) -> None:
    """Progress that no one watches."""


def test_a_room_computes_on_a_cluster(
    cluster: Pool,
    dask: tuple[str, list[subprocess.Popen[bytes]]],  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found, process = cluster.run(Job(jobs.double, (21,)), quiet, Requester())
    assert found == 42 and process in {one.pid for one in dask[1]}
    with pytest.raises(ScenarioError, match="is odd") as error:
        cluster.run(Job(jobs.fail, (3,)), quiet, Requester())
    assert error.value.path == ("number",) and "jobs.py" in error.value.__notes__[0]
    with pytest.raises(RuntimeError, match="cannot be sent"):
        cluster.run(Job(jobs.unsendable, ()), quiet, Requester())
    # A reader's own data stay on this machine.
    assert cluster.run(Job(jobs.double, (4,), alone=True), quiet, Requester())[1] == os.getpid()

    told: list[tuple[int, int]] = []

    def leave(ahead: int | None) -> None:
        if told:
            raise Left

    for _ in dask[1]:
        told.clear()
        with pytest.raises(Left):
            cluster.run(Job(jobs.sleep, (3600, True)), lambda *far: told.append(far), Requester(tick=leave))
        assert told[0] == (1, 2)
    both = [Thread(target=cluster.run, args=(Job(jobs.double, (1,)), quiet, Requester())) for _ in dask[1]]
    for one in both:
        one.start()
    for one in both:
        one.join(120)
        assert not one.is_alive(), "both workers are free again"

    view = VIEWS["geolocation.minimax"]
    here = view._results(view.example, {}, quiet)
    CACHE.clear()
    asked: list[Any] = []
    monkeypatch.setattr(queued, "_pool", Noting(cluster, asked))
    for name, table in view.run(view.example).tables().items():
        pd.testing.assert_frame_equal(table, here.tables()[name], check_exact=True)
    assert len(asked) == 1

    # The other worker takes over what one was doing when it died.
    Thread(target=lambda: (time.sleep(0.5), dask[1][0].kill())).start()
    waiting = [Thread(target=cluster.run, args=(Job(jobs.sleep, (1.5, True)), quiet, Requester())) for _ in range(2)]
    for one in waiting:
        one.start()
    for one in waiting:
        one.join(120)
        assert not one.is_alive()


def test_rows_of_the_papers_are_computed_on_a_cluster(
    dask: tuple[str, list[subprocess.Popen[bytes]]],  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    rows = ["wpm-prop3.2", "wpm-lemma4.2"]
    monkeypatch.setattr(computing, "_numbers", lambda row: pytest.fail("computed here"))
    assert main(["papers", "run", *rows, "--scheduler", dask[0]]) == 0
    said = capsys.readouterr().out.splitlines()
    assert [line.split("\t")[0] for line in said] == rows and all("as recorded" in line for line in said)
    here = os.getpid()
    monkeypatch.setattr(
        "dpot_app.kit.workers.cluster.sources", lambda: "of tomorrow" if os.getpid() == here else "of today"
    )
    assert main(["papers", "run", *rows, "--scheduler", dask[0]]) == UNUSABLE
    assert "workers have another dpot (of today; here of tomorrow)" in capsys.readouterr().err
    assert main(["papers", "run", *rows, "--scheduler", "nonsense"]) == UNUSABLE
    assert "must be an address such as tcp://host:8786" in capsys.readouterr().err


def test_a_cluster_that_is_not_there_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    needs_dask()
    monkeypatch.setattr("dpot_app.kit.workers.cluster._ANSWERS", 1)  # seconds until no answer is waited for
    with pytest.raises(WorkersError, match=r"no Dask scheduler answers at tcp://127\.0\.0\.1:1"):
        open_workers("tcp://127.0.0.1:1")
    with pytest.raises(WorkersError, match="number of processes for heavy work, 0 for none, or the address"):
        open_workers("many")


class Noting:
    def __init__(self, cluster: Pool, asked: list[Any]) -> None:
        self._cluster, self._asked = cluster, asked

    def run(self, job: Job, *how: Any) -> Any:
        self._asked.append(job)
        return self._cluster.run(job, *how)
