"""What the metric page's numbers give away."""

from __future__ import annotations

from dpot_core.cities.public import Columns, on_map, public_map
from dpot_core.disclosures import Disclosure, demonstration, known_seed, nothing_released
from dpot_core.experiments.metric.ask import SEED, Ask
from dpot_core.experiments.metric.crowd import HOW, CrowdRelease
from dpot_core.experiments.metric.protect import Protect
from dpot_core.experiments.metric.visits import SEED as VISITS_SEED

_RELEASED = tuple(f"{what}, {how}" for how in HOW.values() for what in ("reports", "estimate"))

#: Columns that depend on the settings only, or that the promise covers.
FREE: Columns = {
    "errors": ("simulated", "model", "promise"),
    "noisy-answers": ("simulated", "model", "promise"),
    "true-answer": ("simulated", "people"),
    "question": ("simulated", "cell"),
    "crowd-cells": ("simulated", "cell", *_RELEASED),
    "crowd-errors": ("simulated", "epsilon", "release", "neighbours", "delta"),
    "cost-of-a-report": ("reports m",),
    "cost-of-a-report-counted": ("reports m",),
}

#: The same where the size of the map is public, on which they depend.
LENGTHS: Columns = {
    "errors": (
        *("scale of the noise", "expected error (km)", "expected error (miles)", "expected error (share)"),
        *("expected error of one person's answer (km)", "expected error of one person's answer (share)"),
    ),
    "question": ("f",),
    "crowd-errors": (
        *("alpha", "beta of a report on a random visit", "beta by Theorem 4.4"),
        "alpha_0 of a report on a known visit",
    ),
    "cost-of-a-report": ("*",),
    "cost-of-a-report-counted": ("*",),
}


def protect_disclosure(result: Protect | None = None) -> Disclosure:
    """Of the view "protect", which reads the size of the map, and of "pays", which invents its items.

    Args:
        result: of the view "protect".
    """
    if result is None or result.simulated or result.config.example == "paper":
        return nothing_released("public")
    return nothing_released("public" if public_map(result.config.base.place) else "analysis")


def ask_disclosure(result: Ask) -> Disclosure:
    """Of the view "ask": hundreds of answers, of which a release would draw one. None of them is free.

    Args:
        result: the view.
    """
    place, simulated = result.config.base.place, result.ground.simulated
    draws = known_seed(SEED) + " It draws hundreds of answers to show their errors; a release draws one."
    free = on_map(FREE, place, simulated, LENGTHS)
    return demonstration([("one noisy answer", result.guarantee)], draws, source=_ask_source(result), free=free)


def crowd_disclosure(release: CrowdRelease) -> Disclosure:
    """Of the view "crowd": the first run of each way, from visits and noise of its own.

    Args:
        release: the view.
    """
    place, simulated = release.config.base.place, release.ground.simulated
    parts = [(f"{HOW[how]} reports", release.promise(how)) for how in release.promises]
    betas = ", ".join(f"{found.item_rate!r}" for found in release.promises.values())
    source = f"metric.crowd {betas} {release.config.visits} {release.people} {release.largest!r}"
    free = on_map(FREE, place, simulated, LENGTHS)
    return demonstration(parts, known_seed(VISITS_SEED), source=source, free=free)


def curve_disclosure(release: CrowdRelease) -> Disclosure:
    """Of the crowd at many epsilon: what is measured there is computed from the data.

    Args:
        release: one of them.
    """
    # Of the maps nothing is free: one of many releases, nothing of which is published.
    free = FREE | {"crowd-against-epsilon": FREE["crowd-errors"], "crowd-cells": ("simulated", "cell")}
    lengths = LENGTHS | {"crowd-against-epsilon": LENGTHS["crowd-errors"]}
    place, simulated = release.config.base.place, release.ground.simulated
    return nothing_released("analysis", on_map(free, place, simulated, lengths))


def _ask_source(result: Ask) -> str:
    scales = ", ".join(f"{noise.scale!r}" for noise in result.noise.values())
    return f"metric.ask {scales} {result.people}"
