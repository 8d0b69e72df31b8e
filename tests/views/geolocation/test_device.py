"""What a device runs is what `dpot release` draws from: by the science alone, within the promise."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import dpot_core as dpot
from dpot_app.batch.release.places import one_place_each, outputs
from dpot_app.views.geolocation.device import device_script
from dpot_app.views.geolocation.settings import Config
from dpot_core.mechanisms import WITHOUT_PRIOR
from tests.batch.release.test_places import BOX, CORNER, MIDDLE, OUTSIDE, file_of, scenario

ROOT = Path(__file__).resolve().parents[3]
VISITS = [CORNER, MIDDLE, MIDDLE, OUTSIDE, (48.2, 11.7)]


@pytest.mark.parametrize(
    ("name", "more"),
    [
        *((name, {}) for name in WITHOUT_PRIOR),
        ("wpm", {"p": 2.0, "reg": None}),
        ("wpm", {"base": "minimax", "epsilon": 3.0}),
    ],
)
def test_the_device_draws_from_the_distribution_of_the_release(name: str, more: dict[str, object]) -> None:
    content = file_of({"a": VISITS, "b": [CORNER]})
    made = one_place_each(scenario(content, dpot.MECHANISMS[name].label.lower(), **more), {"check-ins": content})
    _, nu = next(outputs(made.city, made.public, made.mechanism))
    module: dict[str, object] = {}
    exec(device_script(made.scenario.config, name), module)
    output = module["output"](VISITS)
    if more.get("reg", 0) is None:  # the cells left and right of the middle are as near: the last digit decides
        true, distances = np.zeros(len(nu)), module["distances"]
        for where in module["grid"].nearest_km(*np.transpose(VISITS)):
            true[((module["grid"].space.points - where) ** 2).sum(axis=1).argmin()] += 1 / len(VISITS)
        there, here = (dpot.wasserstein(true, one, distances**2, p=2) for one in (output, nu))
        assert there == pytest.approx(here, rel=1e-9)
    else:
        assert output == pytest.approx(nu, abs=2e-5 if "base" in more else 1e-9)
    assert (module["polytope"].upper / module["polytope"].lower).max() <= np.exp(made.promise.epsilon)
    lat, lon = module["release"](VISITS)
    assert BOX[0] - 0.1 <= lon <= BOX[2] + 0.1 and BOX[1] - 0.1 <= lat <= BOX[3] + 0.1


@pytest.mark.nightly
def test_the_device_needs_the_science_only(tmp_path: Path) -> None:
    content = file_of({"a": VISITS})
    config = scenario(content).config
    (tmp_path / "device.py").write_text(device_script(config, "wpm"), encoding="utf-8")
    code = "import sys; sys.modules['dpot_app'] = None; import device; print(device.release([(48.1, 11.5)]))"
    path = {"PYTHONPATH": f"{ROOT}:{tmp_path}", "PATH": "/usr/bin:/bin"}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=path, cwd=tmp_path)
    assert done.returncode == 0 and done.stdout.startswith("(48."), done.stderr


def test_no_device_release_is_offered_that_needs_the_file() -> None:
    config = Config(place=replace(Config().place, box=BOX))
    assert device_script(config, "wpm")
    for needs in (replace(config, base="prior"), replace(config, zones=True)):
        assert not device_script(needs, "wpm")
    assert "(west, south, east, north)" in device_script(replace(Config(), source="csv"), "wpm")
