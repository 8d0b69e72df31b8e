"""Where the noise of a demonstration comes from: a stream for every mechanism at all of its settings."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import Any

import numpy as np

from dpot_core.experiments.sinkhorn.ground import Ground
from dpot_core.experiments.sinkhorn.settings import Config
from dpot_core.streams import stream

#: What draws -> the name of its stream. Two that share noise could be solved for the data.
STREAMS = {
    "sinkhorn": "noisy Sinkhorn",
    "paper": "Algorithm 1",
    "histograms": "histograms first",
    "convergence": "noisy Sinkhorn, round by round",
    "convergence-paper": "Algorithm 1, round by round",
    "tuning": "tuning on a guess",
    "cost-laplace": "cost, direct Laplace",
    "cost-histograms": "cost, histograms first",
    "cost-proven": "cost, noisy Sinkhorn",
    "cost-paper": "cost, Algorithm 1",
    "cost-two-stage": "cost, two stages",
}


def noise_settings(config: Config) -> dict[str, Any]:
    """The settings that a stream depends on: all but the seed of the noise and the variant, which the name tells.

    Args:
        config: the settings.
    """
    points = asdict(config.data)
    points["points"] = points.pop("seed")
    return points | {name: value for name, value in vars(config).items() if name not in ("data", "guarantee", "draw")}


def noise(config: Config, ground: Ground, what: str, **changed: float) -> np.random.Generator:
    """The generator of one mechanism's noise; for a file of one's own it depends on what stands in the file, too.

    Args:
        config: the settings; those of the data are the ground's.
        ground: the points.
        what: a key of ``STREAMS``.
        changed: settings that differ from ``config``, such as epsilon along a curve.
    """
    settings = noise_settings(replace(config, data=ground.data)) | changed
    if ground.data.source == "csv":
        settings["file"] = ground.pair.digest
    return stream(config.draw, STREAMS[what], **settings)
