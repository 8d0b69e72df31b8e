"""Where the noise of a demonstration comes from: a stream for every mechanism at all of its settings."""

from dataclasses import asdict, replace
from typing import Any

import numpy as np

from dpot_app.views.sinkhorn.point_grid import PointGrid
from dpot_app.views.sinkhorn.settings import Config
from dpot_core.privacy.streams import stream

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
    """The settings that a stream depends on: all but the seed of the noise and the variant, which the name tells."""
    points = asdict(config.data)
    points["points"] = points.pop("seed")
    return points | {name: value for name, value in vars(config).items() if name not in ("data", "guarantee", "draw")}


def noise(config: Config, grid: PointGrid, what: str) -> np.random.Generator:
    """The generator of one mechanism's noise, ``what`` a key of ``STREAMS``.

    The settings of the data are the grid's; for a file of one's own the noise depends on what stands in the file, too.
    """
    settings = noise_settings(replace(config, data=grid.data))
    if grid.data.source == "csv":
        settings["file"] = grid.pair.digest
    return stream(config.draw, STREAMS[what], **settings)
