"""OpenDP is an extra: without it nothing is released for real, and whoever asks is told what to install."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import dpot_core as dpot

POINTS = np.random.default_rng(0).uniform(size=(40, 2))
BOX = ([0.0, 0.0], [1.0, 1.0])
LINE = np.array([[0.0, 1.0], [1.0, 0.0]])
RELEASES: dict[str, Callable[..., Any]] = {
    "private_measure": lambda **how: dpot.private_measure(POINTS, 1.0, region=BOX, **how),
    "coreset_barycenter": lambda **how: dpot.coreset_barycenter([POINTS], 2, 1.0, region=BOX, **how),
    "perturbed_barycenter": lambda **how: dpot.perturbed_barycenter([POINTS], 2, 1.0, 1e-6, region=BOX, **how),
    "noisy_sinkhorn": lambda **how: dpot.noisy_sinkhorn(
        LINE, [5, 5], [2, 8], eta=1.0, epsilon=1.0, delta=1e-6, steps=2, **how
    ),
    "private_transport_cost": lambda **how: dpot.private_transport_cost(LINE, [5, 5], [2, 8], epsilon=1.0, **how),
}


def test_every_function_that_can_release_is_here() -> None:
    functions = {name: getattr(dpot, name) for name in dpot.__all__ if inspect.isfunction(getattr(dpot, name))}
    assert {name for name, one in functions.items() if _may_release(one)} == set(RELEASES)


def _may_release(function: Callable[..., Any]) -> bool:
    """Whether it takes `secure`, by itself or in its options."""
    return any(
        name == "secure" or hasattr(parameter.default, "secure")
        for name, parameter in inspect.signature(function).parameters.items()
    )


@pytest.mark.parametrize("name", RELEASES)
def test_a_release_says_what_to_install_and_a_demonstration_needs_nothing(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in [module for module in sys.modules if module.split(".")[0] == "opendp"]:
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.setitem(sys.modules, "opendp", None)  # type: ignore[arg-type]
    RELEASES[name](rng=np.random.default_rng(1))
    with pytest.raises(ImportError, match=r"^secure=True .* pip install 'dpot\[release\]'"):
        RELEASES[name](secure=True)
    monkeypatch.undo()
    RELEASES[name](secure=True)
