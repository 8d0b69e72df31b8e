"""OpenDP is an extra: without it nothing is released for real, and a caller is told what to install."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import dpot_core as dpot
from dpot_core.mechanisms.central import noise
from dpot_core.privacy.guarantees import Guarantee

POINTS = np.random.default_rng(0).uniform(size=(40, 2))
BOX = ([0.0, 0.0], [1.0, 1.0])
LINE = np.array([[0.0, 1.0], [1.0, 0.0]])
RELEASES: dict[str, Callable[..., Any]] = {
    "private_measure": lambda **how: dpot.private_measure(POINTS, 1.0, region=BOX, **how),
    "coreset_barycenter": lambda **how: dpot.coreset_barycenter([POINTS], 2, 1.0, region=BOX, **how),
    "perturbed_barycenter": lambda **how: dpot.perturbed_barycenter([POINTS], 2, 1.0, 1e-6, region=BOX, **how),
    "private_kmeans": lambda **how: dpot.central.private_kmeans([POINTS], 2, 1.0, 1e-6, region=BOX, **how),
    "noisy_sinkhorn": lambda **how: dpot.noisy_sinkhorn(
        LINE, [5, 5], [2, 8], eta=1.0, epsilon=1.0, delta=1e-6, steps=2, **how
    ),
    "private_transport_cost": lambda **how: dpot.private_transport_cost(LINE, [5, 5], [2, 8], epsilon=1.0, **how),
}
#: What is claimed only, by every name under which it can be called.
CLAIMED: dict[str, Callable[..., Any]] = {
    "paper_barycenter": lambda **how: dpot.central.paper_barycenter([POINTS], 2, 1.0, 1e-6, region=BOX, **how),
    "perturbed_barycenter": lambda **how: RELEASES["perturbed_barycenter"](guarantee="paper", **how),
    **{
        method: lambda method=method, **how: dpot.private_transport_cost(
            np.ones((3, 3)), epsilon=1.0, delta=1e-6, method=method, **how
        )
        for method in ("paper", "two-stage")
    },
}


def test_every_function_that_can_release_is_here() -> None:
    rooms = {name: getattr(room, name) for room in (dpot, dpot.central, dpot.metric) for name in room.__all__}
    functions = {name: one for name, one in rooms.items() if inspect.isfunction(one)}
    assert {name for name, one in functions.items() if _may_release(one)} == {*RELEASES, "paper_barycenter"}


@pytest.mark.parametrize("name", RELEASES)
def test_noise_of_a_release_is_drawn_under_the_promise_that_the_result_states(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A mechanism cannot draw under a proven promise and state another one."""
    asked: list[Guarantee] = []
    real = noise._opendp
    monkeypatch.setattr(noise, "_opendp", lambda promise: (asked.append(promise), real(promise))[1])
    stated = RELEASES[name](secure=True).guarantee
    assert asked and stated.proven and all(one.proven for one in asked)
    assert {one.neighbours for one in asked} == {stated.neighbours}
    assert max(one.epsilon for one in asked) == stated.epsilon and max(one.delta for one in asked) == stated.delta


@pytest.mark.parametrize("name", CLAIMED)
def test_unproven_mechanisms_are_not_released(name: str) -> None:
    assert not CLAIMED[name](rng=np.random.default_rng(1)).guarantee.proven
    with pytest.raises(ValueError, match="not proven is not released"):
        CLAIMED[name](secure=True)


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
