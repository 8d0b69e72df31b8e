"""Workers find what the server would; a session that gives up frees one at once, and one that dies is replaced."""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from dpot_app.cities.place import Place
from dpot_app.kit.blocks import pictures
from dpot_app.kit.cache import CACHE
from dpot_app.kit.failures import ComputationFailed
from dpot_app.kit.requester import Requester, requested_by
from dpot_app.kit.values import ScenarioError
from dpot_app.kit.workers import jobs as queued
from dpot_app.kit.workers import pickling
from dpot_app.kit.workers.jobs import LOADED_LATE, Job, WorkersError
from dpot_app.kit.workers.local import LocalWorker
from dpot_app.kit.workers.opening import close_workers, open_workers
from dpot_app.kit.workers.pool import Pool
from dpot_app.kit.workers.worker import followed
from dpot_app.views.geolocation.settings import Config
from dpot_app.views.geolocation.views import city_of
from dpot_app.views.table import VIEWS
from dpot_core import datasets
from tests.apps import figures, open_page, plain
from tests.dask_cluster import ROOT, until
from tests.kit import jobs


@pytest.fixture(scope="module")
def opened() -> Iterator[Pool]:
    pool = open_workers("2")
    assert pool is not None
    pool.run(Job(jobs.double, (1,)), quiet, Requester())  # it has imported everything
    yield pool
    close_workers()


@pytest.fixture
def pool(opened: Pool, monkeypatch: pytest.MonkeyPatch) -> Pool:
    monkeypatch.setattr(queued, "_pool", opened)
    CACHE.clear()
    return opened


def processes(pool: Pool) -> list[int]:
    """Numbers of the processes that are at work or wait for it."""
    workers: list[Any] = pool._workers
    return [worker.process for worker in workers if worker.process]


def quiet(done: int, total: int) -> None:
    """Progress that no one watches."""


class Left(BaseException):
    """As Streamlit ends a script whose reader has moved on."""


@pytest.mark.nightly
def test_a_job_is_done_in_another_process_and_says_how_far_it_is(pool: Pool) -> None:
    told: list[tuple[int, int]] = []
    found, process = pool.run(Job(jobs.double, (21,)), lambda *far: told.append(far), Requester())
    assert found == 42 and process != os.getpid() and told[-1] == (2, 3)


@pytest.mark.nightly
def test_an_error_of_a_worker_is_raised_here_as_it_was(pool: Pool) -> None:
    with pytest.raises(ScenarioError, match="is odd") as error:
        pool.run(Job(jobs.fail, (3,)), quiet, Requester())
    assert error.value.path == ("number",) and "jobs.py" in error.value.__notes__[0]


@pytest.mark.nightly
@pytest.mark.parametrize("reports", [True, False])
def test_giving_up_frees_the_worker(pool: Pool, reports: bool) -> None:
    """Whether the work looks up or not: what does not stop is killed."""
    began = time.monotonic()

    def leave(ahead: int | None) -> None:
        if time.monotonic() > began + 0.3:
            raise Left

    with pytest.raises(Left):
        # As a page's bar does, which looks at both.
        pool.run(Job(jobs.sleep, (3600.0, reports)), lambda *far: leave(None), Requester("a", leave))
    threads = [
        threading.Thread(target=pool.run, args=(Job(jobs.double, (1,)), quiet, Requester(name))) for name in ("a", "b")
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
        assert not thread.is_alive(), "both workers work"


@pytest.mark.nightly
def test_a_worker_that_is_killed_is_replaced_and_its_job_done_again(pool: Pool) -> None:
    killed: list[int] = []

    def kill(done: int, total: int) -> None:
        if not killed:
            killed.extend(processes(pool))
            for process in killed:
                os.kill(process, signal.SIGKILL)

    # At its first report: it has one, however busy the machine is.
    assert pool.run(Job(jobs.sleep, (0.5, True)), kill, Requester("a")) == "slept"
    assert killed and pool.run(Job(jobs.double, (1,)), quiet, Requester())[1] not in killed


def test_a_worker_begins_with_all_that_the_science_loads_late(pool: Pool) -> None:
    assert pool.run(Job(jobs.missing, (LOADED_LATE,)), quiet, Requester()) == []
    assert pool.run(Job(jobs.missing, (("no.such.module",),)), quiet, Requester()) == ["no.such.module"]


@pytest.mark.nightly
def test_a_job_that_kills_its_worker_twice_is_said_in_words(pool: Pool, tmp_path: Path) -> None:
    counts = tmp_path / "deaths"
    counts.write_text("")
    assert pool.run(Job(jobs.die, (str(counts), 1)), quiet, Requester()) == "alive"
    counts.write_text("")
    with pytest.raises(ComputationFailed, match="ended twice before it was done"):
        pool.run(Job(jobs.die, (str(counts), 9)), quiet, Requester())
    assert pool.run(Job(jobs.double, (4,)), quiet, Requester())[0] == 8


def test_workers_are_nicer_in_the_session_of_the_server_and_no_key_at_its_terminal_reaches_them(pool: Pool) -> None:
    """Linux shares the processor among sessions alike: in one of their own they would not be nice to the server."""

    def interrupted(done: int, total: int) -> None:
        for process in processes(pool):
            os.kill(process, signal.SIGINT)  # as a terminal does to all of its group

    assert pool.run(Job(jobs.sleep, (0.5, True)), interrupted, Requester("a")) == "slept"
    for process in processes(pool):
        assert os.getpriority(os.PRIO_PROCESS, process) > os.getpriority(os.PRIO_PROCESS, 0)
        assert os.getsid(process) == os.getsid(0)


@pytest.mark.nightly
@pytest.mark.parametrize("wait", [0.0, 1.0])
def test_a_worker_that_is_killed_while_it_waits_is_replaced(wait: float) -> None:
    """At once, and after its end was noticed; a message that is larger than a pipe holds was half read by none."""
    worker = LocalWorker()
    try:
        for size in (1, 10_000_000):
            _, before = followed(worker, jobs.double, (1,), quiet, Requester())
            os.kill(before, signal.SIGKILL)
            time.sleep(wait)
            replaced = Pool([worker]).run(Job(jobs.length, ("x" * size,)), quiet, Requester())
            assert replaced == size and worker.process != before
    finally:
        worker.end()


def test_a_thread_that_waits_for_ended_workers_is_told_so() -> None:
    """A server that is stopped would wait for its scripts, and they for a job of an hour."""
    pool, begun, said = Pool([LocalWorker()]), threading.Event(), list[str]()

    def ask() -> None:
        try:
            pool.run(Job(jobs.sleep, (3600.0, True)), lambda *far: begun.set(), Requester("a"))
        except ComputationFailed as problem:
            said.append(str(problem))

    asking = threading.Thread(target=ask, daemon=True)
    asking.start()
    assert begun.wait(120)
    pool.close()
    asking.join(60)
    assert said == ["the server is being stopped"] and not processes(pool)


@pytest.mark.nightly
def test_the_process_that_forks_is_replaced_too() -> None:
    worker = LocalWorker()
    try:
        _, before = followed(worker, jobs.double, (1,), quiet, Requester())
        os.kill(int(Path(f"/proc/{before}/stat").read_text().rpartition(")")[2].split()[1]), signal.SIGKILL)
        time.sleep(0.3)
        found, process = Pool([worker]).run(Job(jobs.double, (5,)), quiet, Requester())
        assert found == 10 and process != before
    finally:
        worker.end()


def test_a_process_that_imports_the_apps_script_as_its_parents_main_module_loads_nothing() -> None:
    """As `multiprocessing` does it in every new worker of a server: Streamlit would take a second."""
    run = "import runpy, sys; runpy.run_path('app.py', run_name='__mp_main__'); print('streamlit' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", run], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


@pytest.mark.nightly
def test_workers_end_with_the_server_also_when_it_is_killed() -> None:
    program = (
        "from dpot_app.kit.workers.local import LocalWorker; from tests.kit import jobs; worker = LocalWorker();"
        "done = worker.begin(jobs.double, (1,)); done.result(); worker.begin(jobs.sleep, (3600.0, False));"
        "print(worker.process, flush=True); import time; time.sleep(3600)"
    )
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        process = int(server.stdout.readline())
        server.kill()
    until(lambda: not Path(f"/proc/{process}").exists())


@pytest.mark.nightly
def test_a_readers_own_data_stay_in_no_worker(pool: Pool) -> None:
    own = Job(jobs.double, (1,), alone=True)
    told = {pool.run(own, quiet, Requester("a"))[1] for _ in range(3)}
    assert len(told) == 3 and not told & set(processes(pool))
    assert not any(Path(f"/proc/{process}").exists() for process in told)


def asked_here(monkeypatch: pytest.MonkeyPatch) -> list[Job]:
    """What is asked of workers from now on; this process does it."""
    asked: list[Job] = []

    class Here:
        def run(self, job: Job, report: Any, requester: Requester) -> Any:
            asked.append(job)
            return job.function(*job.arguments, report)

    monkeypatch.setattr(queued, "_pool", Here())
    CACHE.clear()
    return asked


def test_a_readers_file_ends_the_process_that_has_read_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a worker does with a job that is ``alone`` is in the test before this one."""
    asked = asked_here(monkeypatch)
    people = datasets.simulated_city(30)
    rows = (f"{user},{lat},{lon}" for user, lat, lon in zip(people.user, people.lat, people.lon, strict=True))
    view = VIEWS["geolocation.crowd"]
    config = replace(view.example, source="csv", place=Place(n=5))
    view.run(config, {"check-ins": "\n".join(["user,lat,lon", *rows]).encode()})
    view.run(replace(view.example, place=Place(n=5)))
    assert [job.alone for job in asked] == [True, False]


@pytest.mark.nightly
@pytest.mark.parametrize(
    "key", ["geolocation.crowd", "population.map", "population.inside", "population.sensitivity", "sinkhorn.cost"]
)
def test_a_worker_finds_the_same_to_the_last_bit(pool: Pool, key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    view = VIEWS[key]
    config = replace(view.example, n=20_000) if key == "population.map" else view.example
    assert view.heavy(config) and not view.brief(config) and view.brief(view.example) == (key == "population.map")
    there, kept = view.run(config, {}), set(CACHE._memories[False])
    monkeypatch.setattr(queued, "_pool", None)
    assert view.run(config, {}) is there, "the same memory keeps it"
    CACHE.clear()
    here = view.run(config, {})
    assert kept >= set(CACHE._memories[False]), "what was found on the way is here too"
    for name, table in here.tables().items():
        pd.testing.assert_frame_equal(there.tables()[name], table, check_exact=True)
    assert there.disclosure == here.disclosure


@pytest.mark.nightly
def test_at_another_epsilon_a_workers_result_holds_the_same_truth_whose_picture_is_not_made_anew(
    pool: Pool, monkeypatch: pytest.MonkeyPatch
) -> None:
    view = replace(VIEWS["geolocation.person"], brief=lambda config: False)
    config = replace(view.example, place=Place(n=30))
    assert view.heavy(config)
    one, other = (view.run(replace(config, epsilon=epsilon)).parts[0] for epsilon in (1.0, 2.0))
    assert one.truth is other.truth and (one.outputs["wpm"] != other.outputs["wpm"]).any()
    drawn = [next(iter(pictures(view.show(config, found)))).made_of for found in (one, other)]
    assert drawn[0] == drawn[1]


@pytest.mark.nightly
def test_brief_results_that_a_reader_waits_for_come_from_this_process(
    pool: Pool, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[Any, ...]] = []
    run = pool.run
    monkeypatch.setattr(pool, "run", lambda job, *rest: asked.append(job.arguments) or run(job, *rest))
    view = VIEWS["geolocation.person"]
    config = replace(view.example, place=Place(n=30))
    assert view.heavy(config) and view.brief(config)
    view.run(config)
    assert not asked
    with requested_by(Requester(in_advance=True)):
        view.run(replace(config, epsilon=1.0))
    assert len(asked) == 1, "no session waits for it"
    view.run(replace(config, reg=None))
    assert len(asked) == 2, "that takes longer"


def test_side_results_go_to_the_next_worker_except_those_of_a_file(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A curve that depends on no epsilon was computed anew where another worker came, or the first had to end."""
    from dpot_app.kit import view as views
    from dpot_app.views.geolocation.worst_case.text import IN_USE

    got: list[set[str]] = []

    def by_a_worker(job: Job, report: Any) -> Any:
        *_, known = job.arguments
        got.append({key[0].rpartition(".")[2] for key in known})
        return pickle.loads(pickling.dumps(job.function(*job.arguments, report)))

    monkeypatch.setattr(views, "_ON_THE_WAY", {})
    monkeypatch.setattr(views, "elsewhere", by_a_worker)
    monkeypatch.setattr(views, "are_open", lambda: True)
    CACHE.clear()
    config, view = Config(place=Place(n=6)), replace(IN_USE, heavy=lambda config: True)
    view.run(config)
    there = view.run(replace(config, epsilon=1.5))
    assert got[0] == set() and "_curve" in got[1]
    monkeypatch.setattr(views, "elsewhere", lambda job, report: got.append(set(job.arguments[3])) or ([], {}))
    view.run(config, {"check-ins": b"user,lat,lon"})
    assert got[2] == set() and views._ON_THE_WAY[IN_USE.key], "nor is what a file tells remembered"
    monkeypatch.undo()
    CACHE.clear()
    alone = IN_USE.run(replace(config, epsilon=1.5))
    for name, table in alone.tables().items():
        pd.testing.assert_frame_equal(there.tables()[name], table, check_exact=True)


@pytest.mark.nightly
def test_a_need_is_evaluated_by_workers_to_the_last_bit(pool: Pool, monkeypatch: pytest.MonkeyPatch) -> None:
    from dpot_app.views.decide.results import _sides
    from dpot_app.views.decide.settings import Config as Need

    asked = Need(need="geolocation")
    monkeypatch.setattr("dpot_app.views.decide.results.shipped", lambda *given: {})
    there = _sides(asked, {})[0]["data"].evaluate("wpm", 2.2)
    monkeypatch.setattr(queued, "_pool", None)
    CACHE.clear()
    assert _sides(asked, {})[0]["data"].evaluate("wpm", 2.2) == there


@pytest.mark.nightly
def test_large_data_with_a_key_arrive_once() -> None:
    city = city_of(Config(place=Place(n=8)), {})
    assert city.distances.shape == (64, 64)
    first, second = (pickle.loads(pickling.dumps({"one": city, "two": [city]})) for _ in range(2))
    assert first["one"] is first["two"][0] is second["one"] and first["one"] is not city
    assert "distances" not in vars(first["one"]), "what can be worked out again is not sent"
    assert np.array_equal(first["one"].distances, city.distances)


@pytest.mark.nightly
@pytest.mark.parametrize("text", ["many", "-1", "2.5"])
def test_an_impossible_wish_is_refused_in_words(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(queued, "_pool", None)
    with pytest.raises(WorkersError, match="DPOT_WORKERS is the number of processes"):
        open_workers(text)
    assert open_workers("0") is None


@pytest.mark.nightly
def test_a_heavy_page_is_the_same_with_workers(pool: Pool, monkeypatch: pytest.MonkeyPatch) -> None:
    before = pool._queue._last.copy()
    app = open_page("geolocation", {"geo_view": "The crowd", "geo_epsilon": "2.5"})
    assert figures(app) and not app.error and pool._queue._last != before
    monkeypatch.setattr(queued, "_pool", None)
    CACHE.clear()
    alone = open_page("geolocation", {"geo_view": "The crowd", "geo_epsilon": "2.5"})
    assert [block.proto.body for block in alone.get("html")] == [block.proto.body for block in app.get("html")]
    assert figures(alone) == figures(app)


@pytest.mark.nightly
def test_a_page_says_that_the_server_is_busy(pool: Pool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool._queue, "_most", 0)
    held = [pool._queue.take("z", quiet_tick) for _ in range(2)]
    try:
        app = open_page("geolocation", {"geo_view": "The crowd"})
    finally:
        for worker in held:
            pool._queue.give_back(worker)
    assert plain(app.error[0].value).startswith("The server is busy: 0 computations wait already. Wait a minute")


def quiet_tick(ahead: int) -> None:
    """Progress that no one watches."""
