"""What the population page's numbers give away."""

from __future__ import annotations

from collections.abc import Sequence

from dpot_core.disclosures import Disclosure, demonstration, known_seed, nothing_released
from dpot_core.guarantees import Guarantee

#: Columns that depend on the settings only, or that the promise covers.
FREE = {
    "atoms": ("barycenter", "draw", "atom", "simulated"),
    "costs": ("barycenter", "draw", "simulated"),
    "levels": ("level", "budget epsilon", "budget share", "noise scale (people)", "simulated"),
    "cells": ("level", "west", "east", "south", "north", "noisy", "private", "simulated"),
}


def disclosure(view: str, parts: Sequence[tuple[str, Guarantee]] = (), seed: int = 0) -> Disclosure:
    """What a view's numbers say about the people.

    Args:
        view: "map", "inside", "curve-n", "curve-epsilon", "sensitivity" or "synthetic".
        parts: releases in it: name, promise.
        seed: of the people and of the noise.
    """
    if view not in ("map", "inside") or not parts:
        return nothing_released("analysis", FREE)
    return demonstration(parts, known_seed(seed), free=FREE)
