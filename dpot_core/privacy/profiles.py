"""The privacy profile of a release: the delta at which it is (epsilon, delta)-private, for every epsilon."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from dpot_core.arguments import Array
from dpot_core.privacy.guarantees import Guarantee
from dpot_core.privacy.privacy_loss import log_gaussian_delta, tree_delta


@dataclass(frozen=True)
class Profile:
    """The privacy profile of one release, as the hockey-stick divergence between neighbours' outputs.

    Attributes:
        mu: of its Gaussian noise all together, sensitivity over standard deviation; None for none.
        trees: of each group the scales of a noisy tree's levels; empty for none.
        neighbours: "replace" or "add-remove".
        pure: epsilon from which on delta is 0, towards the points that are used; None for none.
        rate: largest share of a population that was sampled; None if nothing was.
    """

    mu: float | None
    trees: tuple[tuple[float, ...], ...]
    neighbours: str
    pure: float | None
    rate: float | None

    def delta(self, epsilons: ArrayLike) -> Array:
        """The smallest delta known, rounded up, (T,): towards the population if there is one.

        A uniform sample of rate q turns ``delta(epsilon)`` into ``q delta(log(1 + (e^epsilon - 1)/q))``.

        Args:
            epsilons: privacy parameters, nats, 0 or more, (T,).

        Source:
            Balle, Barthe, Gaboardi 2018, Theorem 9.
        """
        inner, share = np.asarray(epsilons, dtype=np.float64), 1.0
        if self.rate is not None:
            share, inner = self.rate, np.log1p(np.expm1(inner) / self.rate)
        if self.trees:
            found = np.max([tree_delta(inner, self.mu, one, self.neighbours) for one in set(self.trees)], axis=0)
        elif self.mu is None:
            raise ValueError("mu must be given where there is no tree")
        else:
            found = np.exp(np.minimum(log_gaussian_delta(inner, self.mu), 0.0))
        if self.pure is not None:
            # Losses are rounded up to a grid: the largest one may lie a hair above what is known to be spent.
            found = np.where(inner >= self.pure, 0.0, found)
        return np.asarray(share * found)


def profile_of(promise: Guarantee, sample: Guarantee, mu: float | None, trees: Sequence[tuple[float, ...]]) -> Profile:
    """The profile of a release that makes a promise, and one to those whose points were used."""
    rate = None if promise.sampled is None else promise.sampled.rate
    pure = sample.epsilon if sample.delta == 0.0 else None
    return Profile(mu, tuple(trees), sample.neighbours, pure, rate)
