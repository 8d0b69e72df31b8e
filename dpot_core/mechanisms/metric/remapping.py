"""Bayesian remapping: after a release, report the output that is the best guess under a public prior."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpot_core.arguments import Array, check_cost, check_distributions, check_order

# A guess takes another output's place only if it is better by more than rounding.
_ROUNDING = 1e-12


@dataclass(frozen=True, eq=False)
class Remapped:
    """A mechanism followed by a map of its outputs.

    Attributes:
        onto: what is reported for each output, (k_v,).
        kernel: of both steps together, (k, k_v).
        value: expected loss after them, distance ** p.
    """

    onto: NDArray[np.intp]
    kernel: Array
    value: float


def bayesian_remap(kernel: ArrayLike, prior: ArrayLike, distances: ArrayLike, p: float = 1.0) -> Remapped:
    r"""Report for each output z the w that minimises ``sum_x pi_x K(z|x) d(x, w)^p``: the posterior expected loss.

    The map depends on kernel and prior only: post-processing, which costs no privacy, whatever the promise is. Summed
    over z these minima are the expected loss afterwards; staying at z is one of the choices, so that it never grows
    under this prior. Under another one, and at single places, it may.

    Where no choice is better than z by more than rounding, z stays; among equals the first is taken.

    Args:
        kernel: K(z|x), (k, k_v).
        prior: pi, public, (k,).
        distances: d(x, z), from inputs to outputs, (k, k_v).
        p: order of the loss.

    Returns:
        The map, the kernel after it, and its expected loss.

    Raises:
        ValueError: if shapes do not fit or an argument is out of range.

    Source:
        Chatzikokolakis, ElSalamouny, Palamidessi 2017, section 3 (remapping by the posterior).
    """
    rows, _ = check_distributions(kernel, "kernel")
    loss = check_cost(distances) ** check_order(p)
    if rows.shape != loss.shape:
        raise ValueError(f"distances must be those from inputs to outputs, {rows.shape}; got shape {loss.shape}")
    before, single = check_distributions(prior, "prior", len(rows))
    if not single:
        raise ValueError(f"prior must be one distribution (k,); got shape {before.shape}")
    expected = (before.T * rows).T @ loss  # of output z if w is reported, (k_v, k_v)
    stay = np.diagonal(expected)
    onto = np.where(expected.min(axis=1) < stay * (1.0 - _ROUNDING), expected.argmin(axis=1), np.arange(len(stay)))
    after = np.zeros_like(rows)
    np.add.at(after.T, onto, rows.T)
    return Remapped(onto, after, float((before.T * after * loss).sum()))
