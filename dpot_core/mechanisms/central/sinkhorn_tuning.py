"""Which eta and how many rounds: tried out on a public guess of the data, so that the choice costs no privacy."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from dpot_core.arguments import Array, check_cost, check_count, check_distributions
from dpot_core.arguments.options import by_name
from dpot_core.mechanisms.central.sinkhorn import noisy_sinkhorn
from dpot_core.mechanisms.central.sinkhorn_proven import PairProtection, Rounds
from dpot_core.transport.wasserstein import transport_cost

ROUNDS = (1, 2, 3, 5, 8)


@dataclass(frozen=True)
class Tuned:
    """The best of all pairs that were tried.

    Attributes:
        eta: entropic weight, unit of the cost.
        steps: K.
        error: mean of ``|<c, plan> - exact cost|`` at that pair on the guess, unit of the cost.
        etas: entropic weights that were tried, (E,).
        rounds: numbers of rounds that were tried, (R,).
        errors: the mean for each pair, (E, R).
    """

    eta: float
    steps: int
    error: float
    etas: Array
    rounds: tuple[int, ...]
    errors: Array


@dataclass(frozen=True)
class Trials:
    """Settings of the trials: the public data and what is promised with them.

    Attributes:
        guess: two public distributions, (k,) and (l,); None for mass that falls off linearly along each grid, in
            opposite directions.
        plan_share: as for ``noisy_sinkhorn``, more than 0.
        floor: as for ``noisy_sinkhorn``.
        people: as for ``noisy_sinkhorn``.
        etas: entropic weights to try; None for 8 from 1/30 to 3 times the range of the cost.
        rounds: numbers of rounds to try.
        draws: runs per pair.
    """

    guess: tuple[ArrayLike, ArrayLike] | None = None
    plan_share: float = 0.5
    floor: float = 0.0
    people: str = "one"
    etas: Sequence[float] | None = None
    rounds: Sequence[int] = ROUNDS
    draws: int = 3


@by_name(trials=Trials)
def tune_sinkhorn(
    cost: ArrayLike,
    n: int,
    *,
    epsilon: float,
    delta: float,
    rng: np.random.Generator,
    trials: Trials = Trials(),
    progress: Callable[[int, int], None] | None = None,
) -> Tuned:
    """Numerical choice of eta and K for the proven variant: least mean error of the cost of the private plan.

    The mechanism runs on data drawn up from a public guess, at the epsilon, delta and n of the release. Nothing is
    read from the private data, so the choice costs no privacy; a guess far from the data costs accuracy.

    Args:
        cost: (k, l) between the public grids.
        n: number of points of each data set.
        epsilon: privacy parameter of the release, nats.
        delta: additive slack of the release.
        rng: source of the noise of the trials.
        trials: what is tried; fields may be given by name (guess, plan_share, floor, people, etas, rounds, draws).
        progress: called with (pairs done, pairs in all).

    Returns:
        The best pair, and the error of each.

    Raises:
        ValueError: if an argument is out of range.

    Source:
        None; the paper's choice is (13), ``sinkhorn_theory.paper_eta``.
    """
    matrix = check_cost(cost)
    count, repeats = check_count(n, "n", 2), check_count(trials.draws, "draws", 1)
    shapes = [np.arange(matrix.shape[0], 0.0, -1.0), np.arange(1.0, matrix.shape[1] + 1.0)]
    given = [shape / shape.sum() for shape in shapes] if trials.guess is None else list(trials.guess)
    data = []
    for share, name, length in zip(given, ("guess[0]", "guess[1]"), matrix.shape, strict=True):
        rows, _ = check_distributions(share, name, length)
        data.append(_counts(rows[0], count))
    truth = transport_cost(data[0] / count, data[1] / count, matrix)
    span = float(np.ptp(matrix)) or 1.0
    rounds, weights = tuple(trials.rounds), np.geomspace(span / 30.0, 3.0 * span, 8)
    if trials.etas is not None:
        weights = np.asarray(trials.etas, dtype=np.float64)
    errors = np.empty((weights.size, len(rounds)))
    for place in np.ndindex(errors.shape):
        values = []
        for _ in range(repeats):
            released = noisy_sinkhorn(
                matrix,
                *data,
                epsilon=epsilon,
                delta=delta,
                rounds=Rounds(float(weights[place[0]]), rounds[place[1]], trials.plan_share, trials.floor),
                rng=rng,
                protection=PairProtection(trials.people),
            )
            if released.plan is None:
                raise ValueError("plan_share must be more than 0: without private histograms there is no plan to judge")
            values.append(abs(float((matrix * released.plan).sum()) - truth))
        errors[place] = np.mean(values)
        if progress is not None:
            progress(int(np.ravel_multi_index(place, errors.shape)) + 1, errors.size)
    best = divmod(int(errors.argmin()), len(rounds))
    return Tuned(float(weights[best[0]]), int(rounds[best[1]]), float(errors[best]), weights, rounds, errors)


def _counts(share: Array, n: int) -> Array:
    """Whole numbers near n times the shares that sum to n: the largest remainders are rounded up."""
    exact = share * n
    whole = np.floor(exact)
    up = np.argsort(whole - exact, kind="stable")[: n - int(whole.sum())]
    whole[up] += 1.0
    return whole
