"""Which eta and how many rounds: found on a public guess of the data."""

from __future__ import annotations

from dpot_core.experiments.sinkhorn.draws import STREAMS, noise_settings
from dpot_core.experiments.sinkhorn.ground import Ground
from dpot_core.experiments.sinkhorn.settings import Config
from dpot_core.mechanisms.central.sinkhorn_tuning import Trials, Tuned, tune_sinkhorn
from dpot_core.progress import Progress
from dpot_core.streams import stream

ETAS = (0.05, 0.1, 0.2, 0.3, 0.5, 1.0, 2.0)
ROUNDS = (1, 2, 3, 5)


def tune(config: Config, ground: Ground, progress: Progress | None = None) -> Tuned:
    """Try pairs of eta (over the largest cost) and K on masses that fall off along the grid; the data are not read.

    Args:
        config: the settings.
        ground: its grid and its number of points count, its points do not.
        progress: called with (pairs done, pairs in all).
    """
    return tune_sinkhorn(
        ground.cost / ground.largest,
        min(ground.n),
        epsilon=config.epsilon,
        delta=config.delta,
        rng=stream(config.draw, STREAMS["tuning"], **noise_settings(config)),
        trials=Trials(None, config.share, config.floor, config.people, ETAS, ROUNDS),
        progress=progress,
    )
