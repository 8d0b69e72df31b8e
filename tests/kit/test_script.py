"""Settings written as Python are those settings, and a script has the numbers of each of its views."""

from __future__ import annotations

import contextlib
import io
from importlib import import_module
from typing import Any

import pytest

from dpot_app.kit.script import written
from dpot_app.views.explain.settings import Config, DistanceConfig
from dpot_app.views.ring import settings as ring
from dpot_app.views.table import VIEWS
from tests.batch.scenarios.settings import settings_of


def run(python: str) -> dict[str, Any]:
    names: dict[str, Any] = {}
    with contextlib.redirect_stdout(io.StringIO()):
        exec(compile(python, "exported", "exec"), names)
    return names


@pytest.mark.parametrize("key", VIEWS)
def test_settings_written_as_python_are_those_settings(key: str) -> None:
    for config in settings_of(key):
        # Of the script all but what runs the view.
        lines = VIEWS[key].python(config).replace("results = ", "break_here = ").split("break_here")[0]
        assert run(lines.replace("files = {", "files = {} and {"))["config"] == config


def test_usual_settings_are_not_written_and_long_ones_have_lines() -> None:
    assert written(ring.Config()) == "Config()"
    config = ring.Config(ring=ring.Ring(k=12), epsilon=0.5)
    assert written(config) == "Config(ring=Ring(k=12), epsilon=0.5)"
    assert written(config, 20) == "Config(\n    ring=Ring(k=12),\n    epsilon=0.5,\n)"


def test_each_view_of_a_script_has_its_own_settings_and_leaves_its_numbers() -> None:
    one, other = Config(epsilon=0.7), DistanceConfig(alpha=0.3, distance=2.0)
    views = VIEWS["explain.release"], VIEWS["explain.distance"]
    for first, second in ((one, other), (one, Config(epsilon=0.9))):
        view = views[1] if second is other else views[0]
        found = run(views[0].python(first, (view, second)))
        expected = [each.run(config) for each, config in ((views[0], first), (view, second))]
        headlines = {**views[0].headlines(*expected[0].parts), **view.headlines(*expected[1].parts)}
        assert found["headlines"] == headlines
        assert found["tables"].keys() == expected[0].tables().keys() | expected[1].tables().keys()


@pytest.mark.parametrize("key", VIEWS)
def test_a_script_names_the_functions_that_compute(key: str) -> None:
    said = [line[4:].partition(":")[0] for line in VIEWS[key].python(VIEWS[key].example).splitlines()]
    steps = [name for name in said if name.startswith(("dpot_core.", "dpot_app."))]
    assert steps
    for name in steps:
        module, _, function = name.rpartition(".")
        assert callable(getattr(import_module(module), function))
