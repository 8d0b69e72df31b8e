"""How good released films are, computed exactly from the output distributions: nothing is drawn."""

from __future__ import annotations

import numpy as np

from dpot_core.arguments import Array
from dpot_core.datasets.ratings import Flags

#: Releases of the longer list.
LIST = 10


def hit_rate(outputs: Array, liked: Flags) -> Array:
    """Hit Rate@1 of each user, sum_j nu_j [j is liked]: the probability that the released film is liked, (n,).

    Args:
        outputs: output distributions, (n, k_v) or (k_v,) for one that all users share.
        liked: which candidates each user likes, (n, k_v).
    """
    return np.asarray((outputs * liked).sum(axis=1))


def hit_rate_of_list(outputs: Array, liked: Flags) -> Array:
    """Probability that at least one of `LIST` independent releases is liked, 1 - (1 - h)^10, (n,)."""
    return np.asarray(1.0 - (1.0 - hit_rate(outputs, liked)) ** LIST)


def ndcg_of_list(outputs: Array, liked: Flags) -> Array:
    """Expected NDCG@10 of ten independent releases, in their order, (n,); 0 for a user who likes no candidate.

    A liked film counts 1 / log2(1 + rank) at its first appearance only: sum_r sum_j nu_j (1 - nu_j)^(r-1) [j is
    liked] / log2(1 + r), divided by the best that is possible for the user.

    Source: Jarvelin and Kekalainen 2002 (gain 1 for liked films).
    """
    discounts = 1.0 / np.log2(np.arange(2, LIST + 2))
    nu = np.broadcast_to(outputs, liked.shape) * liked
    gain = sum(discount * (nu * (1.0 - nu) ** rank).sum(axis=1) for rank, discount in enumerate(discounts))
    best = np.concatenate([[np.inf], discounts.cumsum()])[np.minimum(liked.sum(axis=1), LIST)]
    return np.asarray(gain / best)


def mean_and_error(scores: Array) -> tuple[float, float]:
    """Mean over users and its standard error (s.d. with n - 1, divided by the root of n)."""
    return float(scores.mean()), float(scores.std(ddof=1) / np.sqrt(scores.size))
