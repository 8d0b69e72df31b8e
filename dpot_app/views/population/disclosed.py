from collections.abc import Sequence

from dpot_core.privacy.accounting import from_one_sample
from dpot_core.privacy.disclosures import Disclosure, demonstration, known_seed, nothing_released
from dpot_core.privacy.guarantees import Guarantee

_CURVE = ("simulated", "barycenter", "run")

_MAP = {
    "atoms": ("*",),
    "atoms-not-private": ("atom", "simulated"),
    "costs": ("barycenter", "draw", "simulated"),
    "privacy-profile": ("*",),
}

#: Columns that depend on the settings only, or that the guarantee covers.
FREE = {
    **_MAP,
    **{f"many-{name}": columns for name, columns in _MAP.items()},
    "farther-than-need-be": ("epsilon", "simulated"),
    "guaranteed-and-measured": ("epsilon", "barycenter", "draw", "simulated"),
    "how-far-people-are": ("p", "simulated"),
    "levels": (
        *("level", "budget epsilon", "budget share", "noise scale (people)", "cells looked at", "cells without noise"),
        "simulated",
    ),
    "cells": ("level", "west", "east", "south", "north", "noisy", "private", "simulated"),
    "circle": ("*",),
    "replaced-people": (
        *("simulated", "person", "bound assumed in the paper (units)", "bound assumed for one atom (units)"),
        "bound proven (units x people)",
    ),
    **{f"against-{axis}": (*_CURVE, axis) for axis in ("n", "epsilon")},
    **{f"gaussians-against-{axis}": (*_CURVE, axis) for axis in ("n", "epsilon", "projection")},
    "digit-atoms": ("*",),
    "digit-atoms-not-private": ("simulated",),
    "digit-costs": ("barycenter", "simulated"),
    "headlines": ("Proven bound on the expected W₁ (units)",),
}

_PEOPLE = " The people of the sample are drawn from the same known seed: they are no secret here."


def analysis() -> Disclosure:
    """The disclosure of views in which nothing is released."""
    return nothing_released("analysis", FREE)


def released(releases: Sequence[tuple[str, Guarantee]], seed: int, sample: str = "") -> Disclosure:
    """Releases in a view's tables: names, and the guarantee of each one alone.

    All of them are computed from one sample of the people. So they add up towards the people drawn, and only their sum
    is amplified (`accounting.from_one_sample`); so do those of another view with the same ``sample`` (`People.key`).
    """
    named: dict[str, list[Guarantee]] = {}
    for name, guarantee in releases:
        named.setdefault(name, []).append(guarantee)
    parts = [
        (name, same[0]) if len(same) == 1 else (f"{name}, {len(same)} releases", from_one_sample(same))
        for name, same in named.items()
    ]
    every = [guarantee for _, guarantee in releases]
    together = every[0] if len(every) == 1 else from_one_sample(every)
    words = known_seed(seed) + (_PEOPLE if together.sampled is not None else "")
    # Several runs of a mechanism show how much they differ: one releases once.
    ways = [(name, same[0]) for name, same in named.items()]
    return demonstration(parts, words, together=together, free=FREE, sample=sample, ways=ways)
