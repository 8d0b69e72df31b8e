"""Sweep files: what they stand for, and what is wrong with those that cannot be used, by field and line."""

from __future__ import annotations

import time

import pytest

from dpot_app.batch.scenarios import VIEWS, ScenarioError
from dpot_app.batch.sweeps import EXAMPLE, example, read
from dpot_app.batch.sweeps.document import MOST_POINTS
from dpot_app.command_line import UNUSABLE, main
from dpot_app.views.ring import settings as ring
from tests.batch.scenarios.outcomes import by_day

BEGIN = "sweep: 1\nview: ring.outputs\nsettings: {ring: {k: 12}}\nover:\n"


def test_the_example_of_the_help_is_every_combination_the_last_fastest() -> None:
    sweep = read(EXAMPLE)
    configs = list(sweep.configs())
    assert len(configs) == sweep.points == 2 * 5 * 20
    assert configs[0] == ring.Config(ring=ring.Ring(k=12), epsilon=0.5, mechanisms=("wpm",))
    assert [config.source.seed for config in configs[:21]] == [*range(1, 21), 1]
    assert [config.epsilon for config in configs[:100:20]] == [0.5, 1.0, 2.0, 4.0, 8.0]


@pytest.mark.parametrize("key", by_day(VIEWS))
def test_every_view_has_an_example(key: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["example", key, "--sweep"]) == 0
    printed = capsys.readouterr().out
    sweep = read(printed)
    assert printed == example(VIEWS[key]) and sweep.view.key == key
    assert 1 <= len(list(sweep.configs())) == sweep.points < 100


def test_ranges_hold_decimals_as_people_write_them() -> None:
    sweep = read(BEGIN + "  epsilon: {from: 0.1, to: 0.5, steps: 5}\n  reg: {from: 1e-3, to: 1, steps: 4, scale: log}")
    assert sweep.over["epsilon"] == (0.1, 0.2, 0.3, 0.4, 0.5)
    assert sweep.over["reg"] == (0.001, 0.01, 0.1, 1.0)
    assert all(type(k) is int for k in read(BEGIN + "  source.point: {from: 0, to: 9, steps: 4}").over["source.point"])


@pytest.mark.parametrize(
    ("over", "message"),
    [
        ("  epsilom: [1]", "over.epsilom (line 5): unknown setting; the settings here are ring.k, "),
        ("  ring: [1]", "over.ring (line 5): unknown setting"),
        ("  ring.k: [12]", "over.ring.k (line 5): varies, and stands under settings as well"),
        ("  epsilon: [1, many]", "over.epsilon[1] (line 5): must be a number; got text 'many'"),
        ("  epsilon: [1,\n   0.5, 1.0]", "over.epsilon (line 5): the value 1.0 stands twice"),
        ("  epsilon: [.nan]", "over.epsilon[0] (line 5): must be a finite number; got nan"),
        ("  epsilon: [1, -2]", "over.epsilon[1] (line 5): must be at least "),
        ("  source.kind: [dirac, none]", "over.source.kind[1] (line 5): must be one of dirichlet, "),
        ("  epsilon: []", "over.epsilon (line 5): must be a list of values, or a range {from, to, steps, scale}"),
        ("  epsilon: 3", "over.epsilon (line 5): must be a list of values, or a range"),
        ("  epsilon: {from: 1, to: 2}", "over.epsilon.steps (line 5): missing field"),
        ("  epsilon: {from: 1, to: 2, step: 1}", "over.epsilon.step (line 5): unknown field; the fields here are from"),
        ("  epsilon: {from: 1, to: 2, steps: 0}", "over.epsilon.steps (line 5): a range has at least 2 values; got 0"),
        ("  epsilon: {from: 1, to: 2, steps: -3}", "over.epsilon.steps (line 5): a range has at least 2 values"),
        ("  epsilon: {from: 1, to: 2, steps: 2.5}", "over.epsilon.steps (line 5): must be a whole number"),
        ("  epsilon: {from: .nan, to: 2, steps: 3}", "over.epsilon.from (line 5): must be a finite number; got nan"),
        ("  epsilon: {from: 1, to: .inf, steps: 3}", "over.epsilon.to (line 5): must be a finite number; got inf"),
        ("  epsilon: {from: 2, to: 2, steps: 3}", "over.epsilon.to (line 5): must be more than from, 2; got 2"),
        ("  epsilon: {from: 1, to: 2, steps: 3, scale: cubic}", "over.epsilon.scale (line 5): must be linear or log"),
        ("  epsilon: {from: 1, to: 2, steps: 3, scale: [log]}", "over.epsilon.scale (line 5): must be linear or log"),
        ("  reg: {from: 0, to: 1, steps: 3, scale: log}", "over.reg.from (line 5): must be more than 0 on a log scale"),
        ("  source.seed: {from: 1, to: 2, steps: 3}", "over.source.seed (line 5): the range holds 1.5, and this"),
        ("  source.kind: {from: 1, to: 2, steps: 2}", "over.source.kind (line 5): each value must be text: list the"),
        ("  mechanisms: [wpm]", "over.mechanisms[0] (line 5): must be a list, each entry text; got text 'wpm'"),
        ("  source.seed: {from: 0, to: 999999999, steps: 1000000000}", f"at most {MOST_POINTS:,} are computed in one"),
        (
            "  epsilon: {from: 1, to: 2, steps: 1000}\n  source.seed: {from: 1, to: 1000000, steps: 1000000}",
            "over (line 4): these are 1,000,000,000 combinations (1,000 × 1,000,000); at most 100,000",
        ),
    ],
    ids=str,
)
def test_wrong_ranges_are_named_with_their_line(over: str, message: str) -> None:
    begin = time.process_time()
    with pytest.raises(ScenarioError) as problem:
        read(BEGIN + over)
    assert message in str(problem.value)
    assert time.process_time() - begin < 1.0


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the file must hold a mapping"),
        ("[1]", "the file must hold a mapping"),
        ("schema: 2\nscenarios: []", "scenarios (line 2): these are scenarios"),
        ("view: ring.outputs", "sweep (line 1): must be 1; got None"),
        ("sweep: 2\nview: ring.outputs", "sweep (line 1): must be 1; got 2: newer than this program, which reads 1"),
        ("sweep: true", "sweep (line 1): must be 1; got True"),
        ("sweep: 1\nview: ring.nothing", "view (line 2): unknown view 'ring.nothing'; the views are ring.outputs"),
        ("sweep: 1\nview: [1]", "view (line 2): unknown view [1]"),
        ("sweep: 1\nview: ring.outputs", "over (line 1): must be a mapping of settings to lists or ranges"),
        ("sweep: 1\nview: ring.outputs\nover: {}", "over (line 3): must be a mapping of settings"),
        ("sweep: 1\nview: ring.outputs\nseeds: 3", "seeds (line 3): unknown field; the fields here are sweep, view"),
        ("sweep: 1\nview: ring.outputs\nsettings: {ring: {k: 2}}", "settings.ring.k (line 3): must be at least 3"),
        (BEGIN + "  epsilon: [1]\n  epsilon: [2]", "over.epsilon (line 6): stands twice"),
        (BEGIN + "  epsilon: [!!float 1]", "tags (! and !!) are not read"),
        (BEGIN + "  epsilon: [1]\ndata: {check-ins: no}", "data.check-ins (line 6): must be a digest"),
        ("sweep: 1\n" * 200_000, "the file must be at most 200,000 bytes"),
    ],
    ids=lambda text: text[:40],
)
def test_a_file_that_is_no_sweep_is_named_with_its_line(text: str, message: str) -> None:
    with pytest.raises(ScenarioError) as problem:
        read(text)
    assert message in str(problem.value)


def test_the_command_says_what_is_wrong_in_one_line_and_writes_nothing(tmp_path, monkeypatch, capsys) -> None:
    monkeypatch.chdir(tmp_path)
    for text, message in {
        BEGIN + "  epsilon: [0.0001e-9x]": "s.yaml: over.epsilon[0] (line 5): must be a number",
        BEGIN + "  epsilon: [1]\ndata: {ratings: " + "0" * 64 + "}": "data.ratings: the file is not here",
        BEGIN + "  ring.every: [13, 14]": "no point can be computed; the first one: ring.every: must be less",
    }.items():
        (tmp_path / "s.yaml").write_text(text, encoding="utf-8")
        assert main(["sweep", "s.yaml", "--out", "out"]) == UNUSABLE
        said = capsys.readouterr()
        assert said.out == "" and said.err.count("\n") == 1 and message in said.err
    assert main(["sweep", "nowhere.yaml", "--out", "out"]) == UNUSABLE
    assert main(["sweep", "s.yaml", "--out", "out", "--processes", "0"]) == UNUSABLE
    assert not (tmp_path / "out").exists()
