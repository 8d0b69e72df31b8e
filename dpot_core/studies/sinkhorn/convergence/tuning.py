"""Which eta and how many rounds: found on a public guess of the data."""

from __future__ import annotations

from dpot_core.mechanisms.central.sinkhorn_tuning import Trials, Tuned, tune_sinkhorn
from dpot_core.progress import Progress
from dpot_core.streams import stream
from dpot_core.studies._kit.cache import cached
from dpot_core.studies.sinkhorn.noise import STREAMS, noise_settings
from dpot_core.studies.sinkhorn.point_grid import PointGrid
from dpot_core.studies.sinkhorn.settings import Config

ETAS = (0.05, 0.1, 0.2, 0.3, 0.5, 1.0, 2.0)
ROUNDS = (1, 2, 3, 5)


@cached
def tune(config: Config, grid: PointGrid, progress: Progress | None = None) -> Tuned:
    """Try pairs of eta (over the largest cost) and K on masses that fall off along the grid; the data are not read."""
    return tune_sinkhorn(
        grid.cost / grid.largest,
        min(grid.n),
        epsilon=config.epsilon,
        delta=config.delta,
        rng=stream(config.draw, STREAMS["tuning"], **noise_settings(config)),
        trials=Trials(None, config.share, config.floor, config.people, ETAS, ROUNDS),
        progress=progress,
    )
