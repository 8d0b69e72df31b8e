"""A mechanism is its file and one row of `MECHANISMS`: nothing above the table names the mechanisms one by one."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import dpot_core as dpot

ROOT = Path(__file__).resolve().parents[2]

# A row is registered before anything above the table is imported, as if it stood in the table's file.
SIXTH = """
import numpy as np
import dpot_core as dpot
from dpot_core import mechanisms
from dpot_core.mechanisms import Mechanism
from dpot_core.mechanisms.knowledge import Public

def blind(public: Public):
    uniform = dpot.uniform_base(public.cost.shape[1])
    return dpot.Polytope(uniform, public.epsilon), lambda inputs: np.tile(uniform, (len(inputs.mu), 1))

dpot.MECHANISMS["blind"] = Mechanism(
    "Blind", "Uniform, whatever the input", blind, colour="#112233", marker="bowtie", dash="5px,2px",
    worst_distance="exact", box=True,
    improves="It does not change.", decode=lambda outputs, epsilon: outputs,
)
mechanisms.WITHOUT_PRIOR["blind"] = dpot.MECHANISMS["blind"]  # of the table as it was imported

from dataclasses import replace
from dpot_app.batch import scenarios
from dpot_core.datasets import DATASETS
from dpot_app.views.decide import settings as decide
from dpot_app.views.ring import settings as ring
from dpot_app.views.ring.outputs import figures as ring_outputs
from dpot_app.views.ring.outputs.results import run
from dpot_app.views.ring.worst_case import figures as ring_worst
from dpot_app.views.ring.worst_case.results import worst_case_now, worst_cases

def ran(key, **settings):
    kind = scenarios.VIEWS[key]
    return scenarios.run(scenarios.Scenario(key, "One", replace(kind.example, **settings)))
"""


def with_a_sixth(code: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", SIXTH + code], cwd=ROOT, capture_output=True, text=True, timeout=900, check=False
    )
    assert done.returncode == 0, done.stderr


def test_few_product_files_name_a_mechanism_that_is_no_hero() -> None:
    files = [*ROOT.glob("dpot_*/**/*.py"), *ROOT.glob("pages/**/*.py"), ROOT / "app.py"]
    # A row of the papers names what its paper names.
    files = [path for path in files if "papers" not in path.parts]
    naming = [path for path in files if '"krr"' in path.read_text(encoding="utf-8")]
    assert len(files) > 300
    assert ROOT / "dpot_core/mechanisms/__init__.py" in naming
    assert len(naming) <= 3, naming


def test_rows_say_how_a_mechanism_looks() -> None:
    rows = dpot.MECHANISMS
    # The colours that everything which was ever exported has (DESIGN, section 5).
    exported = {
        "wpm": "#0072B2",
        "kpm": "#D55E00",
        "em": "#009E73",
        "krr": "#CC79A7",
        "mollifier": "#E69F00",
        "kpm-prior": "#A6611A",
    }
    assert {name: rows[name].colour for name in exported} == exported
    assert len({row.colour for row in rows.values()}) == len(rows)
    assert len({row.marker for row in rows.values()}) == len(rows)
    compared = [row for row in rows.values() if row.worst_distance is not None]
    assert len({row.dash for row in compared}) == len(compared) >= 4


@pytest.mark.parametrize("name", [name for name, row in dpot.MECHANISMS.items() if row.worst_divergence])
def test_the_closed_form_of_a_worst_divergence_is_reached_by_a_point(name: str) -> None:
    row, epsilon, k = dpot.MECHANISMS[name], 1.0, 5
    space = dpot.ring(k)
    public = dpot.Public(dpot.cost_matrix(space), space.distances(), epsilon, dpot.uniform_base(k))
    for divergence, function in dpot.DIVERGENCES.items():
        bound = dpot.worst_case_divergence(divergence, k, epsilon, row.worst_divergence)
        assert function(np.eye(k), row(public)(np.eye(k))).max() == pytest.approx(bound, rel=1e-9)


RING = """
everyone = replace(ring.Config(), mechanisms=tuple(dpot.MECHANISMS))
(scenario,) = scenarios.read(scenarios.write([scenarios.Scenario("ring.outputs", "One", everyone)]))
assert "W₂ of Blind (steps)" in scenarios.run(scenario).headlines
result = run(ring.Config(mechanisms=tuple(dpot.MECHANISMS)))
figure = ring_outputs.outputs_figure(result)
(bars,) = [trace for trace in figure.data if trace.name == "Blind"]
assert bars.marker.color == "#112233" and (bars.y == 1 / 30).all()
assert "blind lower" in result.tables()["distributions"]
worst, now = worst_cases(ring.Ring()), worst_case_now(ring.Ring(), ring.Base(), 2.0)
assert "Worst-case W₂ of Blind (steps)" in ran("ring.worst-case").headlines
figure = ring_worst.worst_case_figure(worst, now)
(line,) = [trace for trace in figure.data if trace.name == "Blind"]
assert (line.line.color, line.line.dash) == ("#112233", "5px,2px")
for name, need in decide.NEEDS.items():
    if name not in ("population", "two-sets", "sphere"):  # other models, other mechanisms
        config = decide.Config(need=name)
        sides = [side for side in (need.worst(config), need.data(config)) if not isinstance(side, str)]
        assert any("blind" in side.labels for side in sides), name
"""

CITY = """
from dpot_app.cities.place import Place
from dpot_app.batch.scenarios import VIEWS
from dpot_app.kit.view import pictures

place = Place(n=8)
assert "W₁ of Blind (km)" in ran("geolocation.person", place=place).headlines
assert {"Crowd's W₁ of Blind (km)", "Crowd's W₁ of Blind decoded (km)"} <= set(
    ran("geolocation.crowd", place=place).headlines
)

def drawn(view, **more):
    kind = VIEWS[f"geolocation.{view}"]
    results = kind.run(replace(kind.example, place=place))
    shows = [kind.show, *(tab.show for tab in kind.tabs if tab.show is not None)]
    blocks = [block for show in shows for block in show(results.config, *results.parts, **more)]
    return {picture.name: picture.draw() for picture in pictures(blocks)}

names = [note.text for note in drawn("person", compare="blind")["person-outputs"].layout.annotations]
assert any(name.startswith("Blind:") for name in names), names
crowd = drawn("crowd")
assert sum(note.text.startswith("Blind") for note in crowd["crowd"].layout.annotations) == 2
assert {"crowd-blind", "crowd-blind-decoded"} <= set(crowd)
hues = {trace.name: trace.marker.color for trace in drawn("crowd-curve")["crowd-against-epsilon"].data}
assert hues["Blind"] == hues["Blind decoded"] == "#112233"
assert "Blind" in [trace.name for trace in drawn("worst-case")["worst-case"].data]
"""

FILMS = """
found = ran("movies.user")
assert "Probability of a liked film, Blind" in found.headlines, found.headlines
"""


@pytest.mark.nightly
def test_a_sixth_is_in_every_view_of_the_ring_and_of_a_city_and_recommends_films() -> None:
    with_a_sixth(RING + CITY + FILMS)
