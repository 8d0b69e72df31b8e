"""KPM on finitely many points around any public reference, and when it is minimax optimal there."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import scipy
from numpy.typing import ArrayLike

from dpot_core.arguments import Array, check_distributions, check_epsilon, check_number
from dpot_core.distributions.divergences import two_point_divergence

#: Points of a reference whose subsets `packing` lists: 2^k of them.
MOST_POINTS = 16
_SAME_MASS = 1e-9


def _level(c1: float, c2: float, epsilon: float) -> float:
    """b of Definition C.1: outputs lie between b and b e^epsilon times the reference."""
    low, high = check_number(c1, "c1", 0.0, 1.0), check_number(c2, "c2", 1.0, 1e300)
    if not low < 1.0 < high or high <= low * math.exp(check_epsilon(epsilon)):
        raise ValueError(f"c1 < 1 < c2 and c1 e^epsilon < c2 are required; got c1 = {low:g}, c2 = {high:g}")
    return (high - low) / (math.expm1(epsilon) * (1.0 - low) + high - low)


def reference_base(reference: ArrayLike, c1: float, c2: float, epsilon: float) -> Array:
    """Base measure b e^(epsilon/2) reference, with which KPM serves the inputs between c1 and c2 times the reference.

    ``b = (c2 - c1)/((e^epsilon - 1)(1 - c1) + c2 - c1)``. For such inputs `kl_projection` with it is
    ``clip(P/r, b reference, b e^epsilon reference)``; for others it is epsilon-LDP too.

    Args:
        reference: public probabilities, (k,).
        c1: inputs are at least this multiple of the reference, in [0, 1).
        c2: and at most this one, more than 1 and than c1 e^epsilon (else a draw of the input itself is epsilon-LDP).
        epsilon: privacy parameter in nats.

    Returns:
        The base measure, (k,). The uniform reference with c1 = 0, c2 = k gives `minimax_base_kl`.

    Raises:
        ValueError: if arguments do not fit.

    Source: minimax_ldp_sampling, Definition C.1.
    """
    shape = check_distributions(reference, "reference")[0][0]
    return _level(c1, c2, epsilon) * math.exp(epsilon / 2) * shape


def worst_case_between(name: str, c1: float, c2: float, epsilon: float) -> float:
    """R of (32): a bound of KPM's worst case over inputs between c1 and c2 times any reference.

    It is attained, and no epsilon-LDP mechanism has a smaller one, if the reference is decomposable (`packing`).

    Args:
        name: "kl" (nats), "tv", "hellinger" (squared, 1 - sum sqrt(pq)) or "chi2".
        c1: as in `reference_base`.
        c2: likewise.
        epsilon: privacy parameter in nats.

    Source: minimax_ldp_sampling, Theorem C.4 and Proposition C.5.
    """
    level = _level(c1, c2, epsilon)
    return two_point_divergence(name, c1 / level, c2 / level * math.exp(-epsilon))


def packing(reference: ArrayLike, c1: float, c2: float) -> float:
    r"""alpha t/u for the best packing of u copies of the points by t sets of mass alpha = (1 - c1)/(c2 - c1).

    At most 1; the reference is alpha-decomposable exactly where it is 1. Each set A gets the share w_A of copies,
    ``sum_A w_A 1_A <= 1`` at every point, and ``sum_A w_A = t/u`` is made as large as possible: masses add up to
    ``alpha t/u <= 1``. The best shares are a vertex of a rational polytope, so that whole t and u exist.

    Args:
        reference: public probabilities, (k,), k at most `MOST_POINTS`: all subsets are looked at.
        c1: as in `reference_base`.
        c2: likewise.

    Returns:
        Share of the copies that sets of mass alpha cover; 0 if no set has that mass.

    Raises:
        ValueError: if arguments do not fit.
        RuntimeError: if the linear program is not solved.

    Source: minimax_ldp_sampling, Definition C.3.
    """
    shape = check_distributions(reference, "reference")[0][0]
    if len(shape) > MOST_POINTS:
        raise ValueError(f"reference must have at most {MOST_POINTS} points; got {len(shape)}")
    if not 0.0 <= c1 < 1.0 < c2 <= 1e300:
        raise ValueError(f"0 <= c1 < 1 < c2 is required; got c1 = {c1:g}, c2 = {c2:g}")
    alpha = (1.0 - c1) / (c2 - c1)
    # Points without mass belong to no input: every set may have them.
    points = np.flatnonzero(shape)
    sets = [
        chosen
        for size in range(1, len(points) + 1)
        for chosen in combinations(points, size)
        if abs(shape[list(chosen)].sum() - alpha) <= _SAME_MASS
    ]
    if not sets:
        return 0.0
    member = np.array([[point in chosen for chosen in sets] for point in points], dtype=np.float64)
    found = scipy.optimize.linprog(-np.ones(len(sets)), A_ub=member, b_ub=np.ones(len(points)))
    if not found.success or found.x is None:
        raise RuntimeError(f"the packing's linear program was not solved: {found.message}")
    return float(np.sum(found.x)) * alpha
