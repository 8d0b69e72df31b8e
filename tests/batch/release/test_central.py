"""One release of everyone in a file: paid for by all, refused where it is not proven, exact, and never half made."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dpot_core as dpot
from dpot_app.batch import scenarios
from dpot_app.batch.release import central
from dpot_app.batch.release.central import AllAtOnce, one_barycenter, one_transport
from dpot_app.batch.release.ledger import Ledger
from dpot_app.batch.tags import tag_of
from dpot_app.command_line import DONE, UNUSABLE, main
from dpot_app.views.population.releases import Published
from dpot_app.views.population.settings import BASELINES, MECHANISMS
from dpot_app.views.population.settings import Config as PeopleConfig
from dpot_app.views.sinkhorn.settings import CLAIMED, COSTS, ROUTES, Data
from dpot_app.views.sinkhorn.settings import Config as PairConfig
from dpot_core.mechanisms.central import sinkhorn_exact
from dpot_core.privacy.disclosures import short_name
from tests.batch.release import test_places

ROOT = Path(__file__).resolve().parents[3]
Points = Sequence[tuple[float, float]]
BOX = (0.0, 0.0, 10.0, 10.0)
PEOPLE = PeopleConfig(source="csv", groups="file", n=60, m=2, epsilon=1.0, box=BOX)
PAIR = PairConfig(data=Data(source="csv", cells=2, box=BOX), epsilon=1.0)
CROWD = [(float(2 + 5 * (i % 2)), float(1 + i % 7)) for i in range(80)]
SETS = (CROWD[:20], [(y, x) for x, y in CROWD[:25]])


def people_file(points: Points) -> bytes:
    return "\n".join(["x,y", *(f"{x!r},{y!r}" for x, y in points)]).encode()


def pair_file(first: Points, second: Points) -> bytes:
    rows = [f"{name},{x!r},{y!r}" for name, points in (("a", first), ("b", second)) for x, y in points]
    return "\n".join(["group,x,y", *rows]).encode()


def scenario(kind: str, content: bytes, name: str = "", **settings: Any) -> scenarios.Scenario:
    of_people = kind == "population.map"
    config = replace(PEOPLE if of_people else PAIR, **settings)
    role = "population" if of_people else "points"
    data = ((role, tag_of(content)),) if "csv" in (config.source if of_people else config.data.source) else ()
    return scenarios.Scenario(kind, "everyone", config, data, "", short_name(name))


def prepared(kind: str, content: bytes, name: str = "", **settings: Any) -> AllAtOnce:
    asked = scenario(kind, content, name, **settings)
    if kind == "population.map":
        return one_barycenter(asked, {"population": content})
    return one_transport(asked, {"points": content})


@pytest.mark.parametrize("mechanism", [*MECHANISMS, *BASELINES])
def test_a_barycenter_is_promised_before_it_is_drawn_what_it_then_keeps(mechanism: str, monkeypatch) -> None:
    made: list[dpot.Guarantee] = []
    publish = central.publish

    def watched(*given: Any) -> Any:
        made.append((found := publish(*given)).guarantee)
        return found

    monkeypatch.setattr(central, "publish", watched)
    release = prepared("population.map", people_file(CROWD), {**MECHANISMS, **BASELINES}[mechanism])
    assert len(made) == 1, "on simulated people, until it is paid for"
    first, second = release.drawn(False), release.drawn(False)
    assert first.shape == (2, 2) and not first.equals(second) and list(first) == ["x", "y"]
    assert made == [release.promise] * 3
    assert (release.promise.epsilon, release.promise.delta) == (1.0, 0.0 if mechanism == "coreset" else 1e-9)
    assert release.promise.neighbours == "replace" and release.promise.sampled is not None


@pytest.mark.parametrize("people", ["one", "both"])
@pytest.mark.parametrize(
    ("kind", "name"),
    [
        *(("sinkhorn.cost", COSTS[way]) for way in COSTS if way not in CLAIMED),
        *(("sinkhorn.release", name) for name in ROUTES.values()),
    ],
)
def test_transport_is_promised_and_drawn_likewise(kind: str, name: str, people: str) -> None:
    release = prepared(kind, pair_file(*SETS), name, people=people)
    assert release.promise.epsilon == 1.0 and release.promise.delta == (0.0 if name == COSTS["laplace"] else 1e-5)
    assert release.promise.neighbours == {"one": "replace", "both": "replace-in-both"}[people]
    assert "20 and 25 points" in str(release.promise.public) or "20 points in the first" in str(release.promise.public)
    first, second = release.drawn(False), release.drawn(False)
    assert not first.equals(second), "drawn anew, from no seed"
    if kind == "sinkhorn.cost":
        assert list(first) == ["cost"] and len(first) == 1
    else:
        assert len(first) == 16 and first["mass"].sum() == pytest.approx(1.0)
        assert set(first["from x"]) == {2.5, 7.5}


def test_an_atom_lies_where_people_are_and_a_cost_is_near_the_true_one() -> None:
    crowded = people_file([(2.0, 3.0)] * 500 + [(8.0, 7.0)] * 500)
    atoms = prepared("population.map", crowded, epsilon=20.0, n=1000).drawn(False).to_numpy()
    np.testing.assert_allclose(atoms, [[2.0, 3.0], [8.0, 7.0]], atol=0.5)
    # So many that noise from the operating system is far from 2.5: its standard deviation is 0.14 at most.
    far = pair_file([(1.0, 1.0)] * 40_000, [(9.0, 1.0)] * 40_000)
    for way in (way for way in COSTS if way not in CLAIMED):
        table = prepared("sinkhorn.cost", far, COSTS[way], epsilon=20.0).drawn(False)
        assert table["cost"][0] == pytest.approx(25.0, abs=2.5), way


def test_whether_there_is_a_release_does_not_depend_on_where_the_points_are() -> None:
    """The page shows no plan of a set that lies in one cell; that there is none would tell that it does."""
    assert len(prepared("sinkhorn.release", pair_file([(1.0, 1.0)] * 9, SETS[1])).drawn(False)) == 16
    assert len(prepared("population.map", people_file([(99.0, 99.0)] * 80)).drawn(False)) == 2


# --- what is refused --------------------------------------------------------------------------------------------

HERE = {"source": "places", "box": None, "groups": "everybody"}
REFUSED = [
    ("population.map", "", HERE, "is made of a file of your own"),
    ("population.map", "", {"outside": "reject"}, "outside: must be clip"),
    ("population.map", "", {"adjacency": "add-remove"}, "adjacency must be 'replace'"),
    ("population.map", "Perturbation", {"guarantee": "paper"}, "not proven is not released"),
    ("population.map", "KPM", {}, "must be one of coreset, perturbation, private-k-means"),
    ("sinkhorn.cost", "", {"data": Data()}, "is made of a file of your own"),
    ("sinkhorn.cost", "", {"data": Data(source="csv")}, "the rectangle must be public"),
    *(("sinkhorn.cost", COSTS[way], {}, "not proven is not released") for way in CLAIMED),
    ("sinkhorn.release", "", {"guarantee": "paper"}, "not proven is not released"),
    ("sinkhorn.release", "", {"share": 0.0}, "there is no plan"),
]


@pytest.mark.parametrize(("kind", "name", "settings", "words"), REFUSED)
def test_unproven_or_private_settings_are_refused_before_the_charge(
    kind: str, name: str, settings: dict[str, Any], words: str, folder: Path, capsys
) -> None:
    content = (folder / ("people.csv" if kind == "population.map" else "pair.csv")).read_bytes()
    asked = scenario(kind, content, name, **settings)
    (folder / "asked.yaml").write_text(scenarios.write([asked]), encoding="utf-8")
    data = () if not asked.data else (kind,)
    assert release(folder, *data, scenario="asked.yaml", total="4") == UNUSABLE
    assert words in capsys.readouterr().err
    assert not Ledger.usual().file.exists() and not (folder / "out.csv").exists()


def test_fractions_of_people_are_refused_since_how_one_is_rounded_depends_on_the_others() -> None:
    content = b"x,y,weight\n1,1,20.5\n2,2,30.5\n3,3,9"
    with pytest.raises(scenarios.ScenarioError, match="whole numbers of people"):
        prepared("population.map", content)


def test_without_opendp_nothing_is_charged(folder: Path, monkeypatch, capsys) -> None:
    monkeypatch.setattr("dpot_core.mechanisms.central.noise.importlib.util.find_spec", lambda name: None)
    assert release(folder, "sinkhorn.cost", total="4") == UNUSABLE
    assert "pip install 'dpot[release]'" in capsys.readouterr().err and not Ledger.usual().file.exists()


# --- the command ------------------------------------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("DPOT_LEDGER", str(tmp_path / "ledger.db"))
    put(tmp_path, people_file(CROWD), pair_file(*SETS))
    return tmp_path


def put(folder: Path, people: bytes, pair: bytes) -> None:
    (folder / "people.csv").write_bytes(people)
    (folder / "pair.csv").write_bytes(pair)
    for kind in ("population.map", "sinkhorn.cost", "sinkhorn.release"):
        content = people if kind == "population.map" else pair
        (folder / f"{kind}.yaml").write_text(scenarios.write([scenario(kind, content)]), encoding="utf-8")


def arguments(folder: Path, *kinds: str, scenario: str = "", out: str = "out.csv", **more: str) -> list[str]:
    files = [folder / ("people.csv" if kind == "population.map" else "pair.csv") for kind in kinds]
    asked = str(folder / (scenario or f"{kinds[0]}.yaml"))
    options = [f"--{name}={value}" for name, value in more.items()]
    return ["release", asked, "--out", str(folder / out), *(f"--data={file}" for file in files), *options]


def release(folder: Path, *kinds: str, **more: str) -> int:
    return main(arguments(folder, *kinds, **more))


def test_the_walk_to_a_barycenter_a_cost_and_a_plan_from_one_ledger(folder: Path, capsys) -> None:
    for kind in ("population.map", "sinkhorn.cost", "sinkhorn.release"):
        dry = f"dry-{kind}.csv"
        assert main([*arguments(folder, scenario=f"{kind}.yaml", out=dry), "--dry-run"]) == DONE
        assert {row["simulated"] for row in test_places.rows(folder / dry)} == {"True"}
    assert not Ledger.usual().file.exists()
    assert release(folder, "population.map", delta="1e-6") == UNUSABLE and "beside --total" in capsys.readouterr().err
    assert release(folder, "population.map", total="2.5", delta="1") == UNUSABLE
    assert "--delta 1: must be at least 0, and less than 1" in capsys.readouterr().err
    assert release(folder, "population.map", total="2.5", delta="2e-05") == DONE
    assert "1 barycenter, ε = 1 for each person; total ε = 2.5, δ = 2e-05" in capsys.readouterr().out
    assert len(test_places.rows(folder / "out.csv")) == 2
    said = json.loads((folder / "out.csv.json").read_text(encoding="utf-8"))
    assert said["what"] == "barycenter by Coreset" and said["people"] == "everyone" and said["delta"] == 0.0
    assert said["neighbours"] == "replace" and "80" not in json.dumps(said["promise"])
    assert main([*arguments(folder, "sinkhorn.release", out="named.csv"), "--names"]) == UNUSABLE
    assert "names no one" in capsys.readouterr().err
    assert release(folder, "sinkhorn.release", out="plan.csv") == DONE
    assert "1 transport plan, ε = 1, δ = 1e-05 for each point" in capsys.readouterr().out
    assert len(test_places.rows(folder / "plan.csv")) == 16
    assert release(folder, "sinkhorn.cost", out="cost.csv") == UNUSABLE
    assert "Everyone would be beyond the total of ε = 2.5, δ = 2e-05; up to ε = 2, δ = 1e-05" in (
        capsys.readouterr().err
    )
    assert main(["ledger"]) == DONE
    listed = capsys.readouterr().out
    assert (
        "barycenter by Coreset\teveryone\tε = 1\t" in listed and "Noisy Sinkhorn\teveryone\tε = 1, δ = 1e-05" in listed
    )


def test_a_slack_that_was_not_stated_is_refused(folder: Path, capsys) -> None:
    assert release(folder, "sinkhorn.release", total="4") == UNUSABLE
    assert "costs ε = 1, δ = 1e-05. Everyone would be beyond the total of ε = 4" in capsys.readouterr().err
    assert release(folder, "sinkhorn.release", total="4", delta="1e-05") == DONE


CHANGED = {
    "in another order": CROWD[::-1],
    "one more": [*CROWD, (5.0, 5.0)],
    "one less": CROWD[1:],
    "all moved by a metre": [(x + 0.001, y) for x, y in CROWD],
    "in other units": [(y / 2, x / 2) for x, y in CROWD],
}


@pytest.mark.parametrize("how", CHANGED)
def test_the_same_data_changed_are_no_way_round_the_ledger(folder: Path, how: str, capsys) -> None:
    assert release(folder, "population.map", total="1") == DONE
    put(folder, people_file(CHANGED[how]), pair_file(*SETS))
    assert release(folder, "population.map", out="again.csv") == UNUSABLE
    assert "Everyone would be beyond the total" in capsys.readouterr().err and not (folder / "again.csv").exists()
    # Of other people, who are not among these: another ledger.
    assert release(folder, "population.map", out="others.csv", total="1", ledger=str(folder / "others.db")) == DONE


def test_one_who_released_a_place_by_name_is_among_everyone_and_the_other_way_round(folder: Path, capsys) -> None:
    content = test_places.file_of({"ann": [test_places.CORNER], "ben": [test_places.OTHER]})
    (folder / "customers.csv").write_bytes(content)
    (folder / "places.yaml").write_text(scenarios.write([test_places.scenario(content)]), encoding="utf-8")
    given = ["release", str(folder / "places.yaml"), "--data", str(folder / "customers.csv")]
    assert main([*given, "--out", str(folder / "places.csv"), "--total", "2"]) == DONE
    assert release(folder, "sinkhorn.cost") == DONE
    for again in ([*given, "--out", str(folder / "more.csv")], arguments(folder, "sinkhorn.cost", out="more.csv")):
        assert main(again) == UNUSABLE and "; up to ε = 2 are spent" in capsys.readouterr().err


#: Where a process is killed: before which call of what; what is charged and whether the release is there then.
STEPS = {
    "rehearsing": ("central.private_transport_cost", 1, 0, False),
    "drawing": ("central.private_transport_cost", 2, 1, False),
    "before the promise has its name": ("os.replace", 1, 1, False),
    "before the cost has its own": ("os.replace", 2, 1, False),
    "before it is noted that it is done": ("Ledger.done", 1, 1, True),
}


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="POSIX only")
@pytest.mark.parametrize(
    "step", [at if at == "drawing" else pytest.param(at, marks=pytest.mark.nightly) for at in STEPS]
)
def test_whenever_it_is_killed_nothing_is_half_released_and_nothing_is_free(folder: Path, step: str) -> None:
    name, number, charged, released = STEPS[step]
    code = f"""
import os, signal, sys
from dpot_app.command_line import main
from dpot_app.batch.release import central
from dpot_app.batch.release.ledger import Ledger
was, calls = {name}, []
def killed(*given, **more):
    calls.append(1)
    if len(calls) == {number}:
        os.kill(os.getpid(), signal.SIGKILL)
    return was(*given, **more)
{name} = killed
main(sys.argv[1:])
"""
    given = arguments(folder, "sinkhorn.cost", total="1")
    assert subprocess.run([sys.executable, "-c", code, *given], cwd=ROOT).returncode == -9
    ledger = Ledger.usual()
    assert len(ledger.rows() if ledger.file.exists() else ()) == charged
    assert (folder / "out.csv").exists() == released
    assert not released or (folder / "out.csv.json").exists()
    assert release(folder, "sinkhorn.cost", total="1", out="again.csv") == (UNUSABLE if charged else DONE)


# --- exactness --------------------------------------------------------------------------------------------------


def asked(kind: str, module: Any, content: bytes, monkeypatch: pytest.MonkeyPatch, **more: Any) -> list[Any]:
    """What a release adds discrete Laplace noise to, and the scales, where the noise happens to be 0."""
    found: list[Any] = []

    def watched(counts: np.ndarray, scale: float, rng: Any, *, secure: Any) -> np.ndarray:
        found.append((counts.copy(), scale, secure))
        return counts.copy()

    made = prepared(kind, content, **more)
    with monkeypatch.context() as patch:
        patch.setattr(module, "discrete_laplace", watched)
        made.drawn(False)
    assert found and all(secure.proven for _, _, secure in found)
    return [(counts, Fraction(scale)) for counts, scale, _ in found]


CORNERS = [(0.0, 0.0), (10.0, 10.0), (0.0, 10.0), (-50.0, 70.0)]


@pytest.mark.parametrize("together", [False, True])
def test_the_cost_of_neighbours_is_as_likely_but_for_e_epsilon_exactly(together: bool, monkeypatch) -> None:
    """Whole numbers before discrete Laplace noise: the ratio of two laws is exp(|difference|/scale) at most."""
    first, second = [(0.0, 0.0)] * 6, [(0.0, 0.0)] * 9
    losses = []
    for one, other in [(one, other) for one in CORNERS for other in CORNERS]:
        crowds = (first, second), ([one, *first[1:]], [other, *second[1:]] if together else second)
        values = [
            asked("sinkhorn.cost", sinkhorn_exact, pair_file(*sets), monkeypatch, people="both" if together else "one")
            for sets in crowds
        ]
        ((a, scale),), ((b, same),) = values
        assert scale == same
        losses.append(abs(int(a[0]) - int(b[0])) / scale)
    assert max(losses) <= 1 and max(losses) > 0.5, "and the worst case comes near"


@pytest.mark.parametrize("row", ["170,60", "-10,-80", "0.5,0.5", "179.9,1", "-179.9,1"])
def test_one_row_of_a_file_is_one_record_for_the_mechanism(row: str, monkeypatch) -> None:
    """What the proofs are about is one point, replaced; a reader that moved others by it would break them."""
    rows = ["-170,50", "-100,20", "-11,-30", "30,40"]
    crowds = []
    monkeypatch.setattr(central, "publish", lambda population, *_: crowds.append(population) or _PUBLISHED)
    for first in ("-120,10", row):
        content = "\n".join(["lon,lat", first, *rows]).encode()
        prepared("population.map", content, box=(-180.0, -90.0, 180.0, 90.0)).drawn(False)
    _, before, _, after = (dict(zip(map(tuple, one.points), one.weights[0], strict=True)) for one in crowds)
    changes = [after.get(place, 0.0) - before.get(place, 0.0) for place in before.keys() | after.keys()]
    assert sorted(changes) == [-1.0, *[0.0] * 4, 1.0]
    pairs = []
    for first in ("-120,10", row):
        content = "\n".join(["group,lon,lat", f"a,{first}", *(f"a,{one}" for one in rows), "b,1,1", "b,2,2"]).encode()
        data = Data(source="csv", cells=2, box=(-180.0, -90.0, 180.0, 90.0))
        pairs.append(central.own_points(content, data))
    assert (pairs[0].first != pairs[1].first).any(axis=1).tolist() == [True, *[False] * 4]
    assert (pairs[0].second == pairs[1].second).all() and pairs[0].extent == pairs[1].extent


_PUBLISHED = Published("coreset", np.zeros((2, 2)), None, dpot.Guarantee(1.0), dpot.Guarantee(1.0), {})


@pytest.mark.nightly
def test_an_audit_of_forty_thousand_costs_finds_no_more_than_is_promised() -> None:
    here = [(1.0, 1.0)] * 3
    near, far = pair_file(here, here), pair_file([(9.0, 9.0), *here[1:]], here)

    def releases(content: bytes, n: int, _: np.random.Generator) -> np.ndarray:
        made = prepared("sinkhorn.cost", content)
        return np.array([made.drawn(False)["cost"][0] for _ in range(n)])

    found = dpot.audit(releases, [(near, far)], 20_000, np.random.default_rng(1))
    assert 0.8 < found <= 1.0


@pytest.mark.nightly
@pytest.mark.parametrize("mechanism", [*MECHANISMS, *BASELINES])
def test_an_audit_of_barycenters_finds_no_more_than_is_promised(mechanism: str) -> None:
    """Of one atom, whose place a person among six moves."""
    here = [(5.0, 5.0)] * 5

    def releases(content: bytes, n: int, _: np.random.Generator) -> np.ndarray:
        made = prepared("population.map", content, {**MECHANISMS, **BASELINES}[mechanism], m=1, delta=1e-3)
        return np.array([made.drawn(False).to_numpy()[0] for _ in range(n)])

    pair = people_file([*here, (10.0, 10.0)]), people_file([*here, (0.0, 0.0)])
    found = dpot.audit(releases, [pair], 1_000, np.random.default_rng(1), delta=0.0 if mechanism == "coreset" else 1e-3)
    assert 0.0 <= found <= 1.0
