"""Weights beta_i of the groups in a barycenter's objective, sum_i beta_i W_p^p(mu_i, nu)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar, cast

import numpy as np
from numpy.typing import ArrayLike

from dpot_core.arguments import Array, check_finite

#: An array, or a sparse one.
T = TypeVar("T", bound=Any)


def check_shares(weights: ArrayLike | None, k: int) -> Array | None:
    """The groups' shares ``beta_i / sum beta``, (k,), or None where all are equal.

    Equal weights are the plain mean over groups, computed in the same way to the last bit.

    Args:
        weights: beta, (k,), each more than 0; they are divided by their sum. None for equal ones. Public.
        k: number of groups.

    Returns:
        Shares that add up to 1, or None.

    Raises:
        ValueError: if there is not one weight per group, or one is not finite and positive.

    Source:
        dp_barycenters, Definition 3.
    """
    if weights is None:
        return None
    beta = check_finite(weights, "weights", non_negative=False)
    if beta.shape != (k,):
        raise ValueError(f"weights must have one number per group, ({k},); got shape {beta.shape}")
    if not (beta > 0).all():
        raise ValueError(f"weights must be more than 0; got {beta.min():g}")
    if (beta == beta[0]).all():
        return None
    beta = beta / beta.max()
    return beta / beta.sum()


def average(values: Sequence[Array] | Sequence[float], shares: Array | None) -> Array:
    """Mean over groups of one array each, by their shares; the plain mean where they are None."""
    return np.asarray(np.mean(values, axis=0) if shares is None else np.tensordot(shares, np.asarray(values), 1))


def scaled(arrays: Sequence[T], shares: Array | None) -> list[T]:
    """The groups' masses (or plans), each times its share and the number of groups; unchanged where they are None."""
    if shares is None:
        return list(arrays)
    return [cast("T", float(share * len(arrays)) * array) for share, array in zip(shares, arrays, strict=True)]
