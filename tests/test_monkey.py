"""Random steps break no page: a sample with a known seed (`make monkey` draws 10,000 anew)."""

import json
import random
import subprocess
import sys
from types import SimpleNamespace

import pytest

from tests.apps import APP
from tests.monkey.__main__ import main, shortest, tried
from tests.monkey.steps import Step, _value


@pytest.mark.nightly
@pytest.mark.slow
def test_a_sample_of_random_steps_breaks_no_page() -> None:
    command = [sys.executable, "-m", "tests.monkey", "--steps", "60", "--length", "30", "--seed", "1"]
    done = subprocess.run(command, cwd=APP.removesuffix("app.py"), capture_output=True, text=True, timeout=900)
    assert done.returncode == 0, done.stdout[-4000:]
    assert ": 0 broke a page, " in done.stdout


@pytest.mark.nightly
@pytest.mark.slow
def test_a_page_that_breaks_is_noticed_with_the_fewest_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    from dpot_app.shell import teaching

    def broken() -> bool:
        raise RuntimeError("planted")

    steps = [Step("page", "explain"), Step("page", "home"), Step("page", "ring"), Step("link")]
    assert tried(steps)[1] == ""
    monkeypatch.setattr(teaching, "large_type", broken)
    monkeypatch.setattr("dpot_app.shell.following.large_type", broken)
    said = tried(steps)[1]
    assert "planted" in said
    assert len(shortest(steps, said)) <= 2


def test_a_script_that_runs_too_long_is_told_with_its_seed_and_steps(monkeypatch: pytest.MonkeyPatch, capsys) -> None:
    """Without them no one could look at what took so long."""
    there = [Step("page", "home"), Step("text_input", "own", "x")]
    monkeypatch.setattr("tests.monkey.__main__.open_app", lambda: None)
    monkeypatch.setattr("tests.monkey.__main__.tried", lambda **_: (there, "TooLong"))
    assert main(["--steps", "2", "--seed", "77"]) == 0
    said = capsys.readouterr().out
    assert "seed 77: 2 steps\n" in said and "0 broke a page, 1 took too long" in said
    assert [Step(**json.loads(line)) for line in said.splitlines() if line.startswith("{")] == there


def test_a_slider_with_two_thumbs_is_moved_within_its_ends() -> None:
    widget = SimpleNamespace(value=(0.2, 0.8), min=0.0, max=1.0, step=0.1)
    for seed in range(20):
        low, high = _value(random.Random(seed), "slider", widget)
        assert 0.0 <= low <= high <= 1.0
