"""The crowd's map with user-level privacy: what the releases by distance are held against."""

from __future__ import annotations

import numpy as np

from dpot_core.checks import Array
from dpot_core.experiments.metric.visits import RUNS, SEED
from dpot_core.mechanisms.metric.frequency import laplace_scale
from dpot_core.mechanisms.metric.hadamard import HadamardResponse
from dpot_core.mechanisms.randomized_response import project_simplex
from dpot_core.streams import stream

#: User-level baselines at the same epsilon, with names on screen.
BASELINES = {
    "laplace": "whole user: Laplace noise by a curator",
    "one-visit": "whole user: one visit each, Hadamard response",
}


def whole_user_estimates(epsilon: float, histograms: Array) -> dict[str, Array]:
    """Estimates of the crowd with user-level privacy, (RUNS, k), by name: for any change of a whole history.

    Args:
        epsilon: nats.
        histograms: of each person, (people, k).
    """
    people, k = histograms.shape
    rng = stream(SEED, "metric.crowd, whole user", epsilon=epsilon, people=people, cells=k)
    noise = rng.laplace(0.0, laplace_scale(people, epsilon), (RUNS, k))
    response = HadamardResponse(k, epsilon)
    one = np.stack([rng.multinomial(1, histograms).sum(axis=0) for _ in range(RUNS)])
    decoded = response.decode(response.release_counts(one, rng) / people)
    return {"laplace": project_simplex(histograms.mean(axis=0) + noise), "one-visit": project_simplex(decoded)}
