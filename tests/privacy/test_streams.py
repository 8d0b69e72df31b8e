"""Generators of demonstrations: repeatable, and independent for every name, setting and seed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

import dpot_core as dpot


@dataclass(frozen=True)
class Place:
    n: int
    box: tuple[float, float] | None = None


def drawn(seed=7, name="histogram", **settings) -> bytes:
    return dpot.stream(seed, name, **settings).standard_normal(8).tobytes()


def test_equal_settings_repeat_and_every_other_one_is_independent() -> None:
    settings = [
        {},
        {"seed": 8},
        {"name": "potentials"},
        {"epsilon": 1.0},
        {"epsilon": 2.0},
        {"epsilon": "1.0"},
        {"delta": 1.0},
        {"epsilon": 1.0, "delta": 1.0},
        {"epsilon": None},
        {"epsilon": True},
        {"sizes": (1, 2)},
        {"sizes": (2, 1)},
        {"place": Place(6)},
        {"place": Place(7)},
        {"place": Place(6, (0.0, 1.0))},
        {"epsilon": np.nextafter(1.0, 2.0)},
    ]
    found = [drawn(**each) for each in settings]
    assert len(set(found)) == len(settings)
    assert found == [drawn(**each) for each in settings]


def test_a_whole_number_is_the_same_setting_as_the_float_and_order_does_not_count() -> None:
    assert drawn(epsilon=1, people=np.int64(5)) == drawn(people=5.0, epsilon=np.float64(1.0))
    assert drawn(place=Place(6)) == drawn(place=Place(np.int64(6)))


def test_noise_at_two_scales_does_not_cancel() -> None:
    """From x + s z and x + 2 s z one solves for x: not with noise of two streams."""
    truth = np.arange(64.0)
    one = truth + 3.0 * dpot.stream(7, "histogram", epsilon=1.0).standard_normal(64)
    two = truth + 6.0 * dpot.stream(7, "histogram", epsilon=0.5).standard_normal(64)
    assert np.abs(2 * one - two - truth).max() > 5.0


def test_arguments_without_a_fixed_meaning_are_refused() -> None:
    with pytest.raises(TypeError, match="settings must be numbers, text"):
        dpot.stream(7, "histogram", points=np.zeros(3))
    with pytest.raises(ValueError):
        dpot.stream(7, "histogram", epsilon=float("nan"))
