"""What all tests share: how hard Hypothesis tries, and where the real data are."""

import functools
import gc
import getpass
import os
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, settings

from tests.prerequisites import IN_CI, unavailable
from tests.publishers import Server

# Heavy work is done where it is asked for, also by servers that tests start, unless their caller wants workers;
# tests of the workers open some.
os.environ.setdefault("DPOT_WORKERS", "0")
# Nor does a test make a key in the user's own folder; servers and workers of tests share this one.
os.environ.setdefault("DPOT_TAG_KEY", str(Path(tempfile.gettempdir()) / f"dpot-tests-{getpass.getuser()}" / "tags.key"))

# Deadlines measure the machine, not the code. CI repeats the same examples; a developer's runs explore.
settings.register_profile(
    "dpot",
    deadline=None,
    derandomize=IN_CI,
    max_examples=12,
    suppress_health_check=[HealthCheck.too_slow],
)
# By night, in an order drawn at random, many more, and other ones each time.
settings.register_profile("night", settings.get_profile("dpot"), derandomize=False, max_examples=200)
# For planted bugs (tests/mutants) any failing example will do, and the same ones are tried every time.
settings.register_profile(
    "planted", settings.get_profile("dpot"), phases=[Phase.explicit, Phase.generate], derandomize=True, database=None
)
# `make quick`: fewer examples, the same ones for everybody.
settings.register_profile("quick", settings.get_profile("dpot"), derandomize=True, max_examples=10)
settings.load_profile("dpot")
gc.disable()  # until all tests are collected, see `pytest_collection_finish`

#: Files that look at the outcomes of every kind (tests/batch/scenarios/outcomes.py), which one process computes once.
OUTCOMES = {"same_numbers", "pictures", "picture_menus", "command_line", "disclosures", "guarantees", "agreement"}
OUTCOMES |= {"screens", "view", "folders", "taken_tables", "taking"}


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> object:
    """With ``--dist loadfile`` a file's tests stay together, so do those of `OUTCOMES`.

    One process takes the browser's files, the first one first. The others take everything else and then help with the
    browser's, the last one first: all end together, and each has an app and a Chromium of its own once it needs them.
    """
    if config.option.dist != "loadfile":
        return None
    from xdist.scheduler import LoadFileScheduling  # only where tests run in several processes

    class Together(LoadFileScheduling):
        def _split_scope(self, nodeid: str) -> str:
            file = Path(nodeid.split("::")[0])
            return "outcomes" if file.stem.removeprefix("test_") in OUTCOMES else str(file)

        def _assign_work_unit(self, node: Any) -> None:
            in_browser = [scope for scope in self.workqueue if Path(scope).parent.name == "browser"]
            others = [scope for scope in self.workqueue if scope not in in_browser]
            is_driver = node == self.nodes[0]
            scope = ([*in_browser, *others] if is_driver else [*others, *reversed(in_browser)])[0]
            self.workqueue.move_to_end(scope, last=False)
            super()._assign_work_unit(node)

    return Together(config, log)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Browser tests begin: together they take longer than all others."""
    items.sort(key=lambda item: item.path.parent.name != "browser")


def pytest_collection_finish() -> None:
    """All AppTests look once for components in the installed packages: that costs twice what showing a page does."""
    if "streamlit.testing.v1" in sys.modules:
        from streamlit.components.v2 import manifest_scanner  # not where no page is tested: it takes half a second

        manifest_scanner.scan_component_manifests = functools.cache(manifest_scanner.scan_component_manifests)
    _few_values_a_curve()
    # Twelve thousand tests stay as long as the process: nothing of them is garbage to be looked for again and again.
    gc.freeze()
    gc.enable()


def _few_values_a_curve() -> None:
    """Worst cases of mixtures at four values of epsilon in place of 16; what the population page measures, one release.

    Every setting that a page test tries has curves of its own, which take longer than all the rest of the page; no test
    here is about a band, or about how dense a curve is. For all tests, since they share what is kept.
    """
    if "dpot_app.views" in sys.modules or "streamlit.testing.v1" in sys.modules:
        from dpot_app.views.mixture.curves import results as mixtures
        from dpot_app.views.population.guaranteed import results as guaranteed

        mixtures.EPSILONS = mixtures.EPSILONS[::5]
        guaranteed.EPSILONS = guaranteed.LONG_EPSILONS
        guaranteed.DRAWS = guaranteed.LONG_DRAWS = 1


@pytest.fixture(scope="session")
def real_data() -> Callable[[str], Path]:
    """The path of a file among the real data: ``real_data("gowalla/austin_counts.csv.gz")``.

    They lie outside the repository, in the folder that the variable DPOT_DATA names.
    """

    def find(name: str) -> Path:
        folder = os.environ.get("DPOT_DATA")
        if not folder:
            unavailable("the variable DPOT_DATA names no folder with the real data (see data/README.md)")
        path = Path(folder) / name
        if not path.is_file():
            unavailable(f"no {name} in the folder that DPOT_DATA names")
        return path

    return find


@pytest.fixture
def serve(monkeypatch):
    """Start servers with the replies (status, body, headers) given."""
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setattr("pooch.core.time.sleep", lambda seconds: None)
    running = []

    def start(*replies):
        server = Server(*replies)
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        running.append((server, thread))
        return server

    yield start
    for server, thread in running:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.fixture
def folders(tmp_path, monkeypatch):
    """The cache, and the folder of temporary files; no DPOT_DATA."""
    monkeypatch.delenv("DPOT_DATA", raising=False)
    cache, temporary = tmp_path / "cache", tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    return cache, temporary


@pytest.fixture
def nothing_loaded() -> Iterator[None]:
    """No data set is kept from an earlier test: what is missing on this machine is missing."""
    from dpot_core.datasets import dataset  # takes over a second, which not every run of a few tests needs

    dataset._kept.cache_clear()
    yield
    dataset._kept.cache_clear()
