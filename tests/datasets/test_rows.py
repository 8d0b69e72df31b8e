"""A data set is its loader and one row: nothing above the tables names the downloads one by one."""

import subprocess
import sys
from pathlib import Path

import pytest

from dpot_core import datasets

ROOT = Path(__file__).resolve().parents[2]

# A second city, downloaded from a publisher on loopback. Its row is registered before anything above the table is
# imported, as if it stood in the table's file. Gowalla's download would raise.
SECOND = """
import sys, threading
from dataclasses import replace
from pathlib import Path

from dpot_core import datasets
from dpot_core.datasets.downloads import fetched, in_cache
from tests.publishers import Server

people = datasets.simulated_city(40)
rows = zip(people.user, people.lat, people.lon, people.count, strict=True)
lines = ["user,lat,lon,count", *(f"{user},{lat + 5},{lon},{count:g}" for user, lat, lon, count in rows)]
server = Server((200, "\\n".join(lines).encode(), {}))
threading.Thread(target=server.serve_forever, daemon=True).start()
path = in_cache("second.csv", sys.argv[1])

def load():
    if not path.is_file():
        raise datasets.DatasetMissing("Second is not on this machine")
    return replace(datasets.read_checkins_csv(path.read_bytes()), title="Second")

def keep(raw, output, bar):
    Path(output).write_bytes(Path(raw).read_bytes())

def refused(progress):
    raise AssertionError("this is not Gowalla")

west, east = float(min(people.lon)) - 0.01, float(max(people.lon)) + 0.01
south, north = float(min(people.lat)) + 4.99, float(max(people.lat)) + 5.01
datasets.DATASETS["gowalla-austin"] = replace(datasets.DATASETS["gowalla-austin"], download=refused)
datasets.DATASETS["second"] = datasets.Dataset(
    title="Second city", description="Forty people elsewhere.", load=load, simulated=False,
    licence="Free to use.", source=server.url, download_megabytes=1,
    download=lambda progress: fetched(server.url, path, keep, progress), box=(west, south, east, north),
)

import streamlit as st
from dpot_core.datasets import dataset
from streamlit.testing.v1 import AppTest
from tests.apps import APP, figures

def opened(page, **query):
    # As if no one had met the second city.
    path.unlink(missing_ok=True)
    server.requests = 0
    dataset._kept.cache_clear()
    st.cache_resource.clear()
    app = AppTest.from_file(str(APP), default_timeout=600)
    app.switch_page(f"pages/{page}.py")
    app.query_params.update(query)
    app.run()
    assert not app.exception, app.exception
    return app

def fetched_by(app):
    (button,) = [button for button in app.button if button.label == "Download 1 MB"]
    assert "Forty people elsewhere. Free to use." in app.info[0].value.replace("\\\\", "")
    assert not path.exists() and not server.requests
    button.click().run()
    assert not app.exception and not app.error, (app.exception, app.error)
    assert path.is_file() and server.requests == 1
    return app
"""

PAGES = """
assert figures(fetched_by(opened("geolocation", geo_data="second", geo_n="5"))) >= 5
assert figures(fetched_by(opened("metric", metric_data="second", metric_n="5"))) >= 1
assert figures(fetched_by(opened("sinkhorn", sinkhorn_data="second"))) >= 1
assert figures(fetched_by(opened("decide", decide_city="second"))) == 1
"""

SCENARIOS = """
from dpot_app.batch import scenarios
from dpot_app.cities.place import Place
from dpot_app.views.geolocation.settings import Config

datasets.DATASETS["second"].download(lambda done, total: None)
config = Config(source="second", place=Place(n=5, box=datasets.DATASETS["second"].box))
digest = datasets.loaded(datasets.DATASETS["second"]).digest
for key in ("geolocation.person", "metric.ask", "sinkhorn.cost", "decide.epsilon"):
    kind = scenarios.VIEWS[key]
    assert {"second", "gowalla-austin"} <= set(kind.data_sets), key
written = scenarios.write([scenarios.Scenario("geolocation.person", "Second", config, (("second", digest),))])
(scenario,) = scenarios.read(written)
outcome = scenarios.run(scenario)
assert dict(outcome.scenario.data) == {"second": digest}, outcome.scenario.data
assert "source='second'" in scenario.view.python(config) and "box" not in scenario.title
"""


def run(code: str, folder: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", SECOND + code, str(folder)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=150,
        check=False,
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.nightly
def test_pages_offer_a_second_city_fetch_it_from_its_own_address_and_write_scenarios(tmp_path: Path) -> None:
    """In one process: starting it takes longer than all that is tested."""
    run(PAGES + SCENARIOS, tmp_path)


@pytest.mark.parametrize("table", [datasets.DATASETS, datasets.FILM_DATASETS, datasets.POPULATIONS])
def test_every_row_says_what_consumers_ask(table) -> None:
    for row in table.values():
        assert row.title and row.description.endswith(".") and row.licence.endswith(".") and row.source
        assert (row.download is None) == (row.download_megabytes == 0)
        assert not (row.simulated and row.download)
        assert row.download is None or f"{row.download_megabytes} MB" in row.description
    assert set(datasets.downloaded(table)) <= {"gowalla-austin", "movielens-100k", "tracts"}


def test_a_data_set_is_read_once_for_all() -> None:
    row = datasets.DATASETS["simulated"]
    assert datasets.loaded(row) is datasets.loaded(row)
    places = datasets.POPULATIONS["places"]
    assert datasets.loaded(places, "everybody").n_groups == 1 < datasets.loaded(places, "regions").n_groups
    assert datasets.digests(datasets.DATASETS, "simulated") == datasets.digests(datasets.DATASETS, "csv") == {}
