"""Gaussian local privacy of one release: how hard two inputs are to tell apart, beside the largest ratio."""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from itertools import permutations

import numpy as np
import scipy
from numpy.typing import ArrayLike

from dpot_core.arguments import Array, check_distributions
from dpot_core.privacy.accounting import check_delta
from dpot_core.privacy.guarantees import Guarantee
from dpot_core.privacy.polytopes import Polytope
from dpot_core.privacy.privacy_loss import smallest_epsilon
from dpot_core.privacy.rounding import added

#: Relative error of the inverse of Phi and its arguments, with room to spare; error of sums near 1.
_ROUNDING, _SUMS = 1e-13, 2.0**-51


def certify_gaussian(Q: Polytope | ArrayLike) -> float:
    r"""The smallest mu, rounded up, for which all outputs are mu-Gaussian-private (mu-GDP).

    Two outputs are as hard to tell apart as N(0, 1) and N(mu, 1) if for every test with false alarms y and hits x
    ``Phi^-1(x) - Phi^-1(y) <= mu``. Hits as a function of false alarms are concave, and so is the Gaussian curve: it is
    enough to look at the corners.

    **All of a polytope.** Let L and U be the sums of its bounds. Two of its points differ on a set A by at most
    e^epsilon, ``x <= e^epsilon y`` and ``1 - y <= e^epsilon (1 - x)``, and by at most ``d = min(1 - L, U - 1)`` in
    total variation: x <= 1 - L + l(A) and y >= l(A); x <= u(A) and y >= 1 - U + u(A). The three lines have a corner at
    ``y = d / (e^epsilon - 1), x = e^epsilon y``, and its mirror image, which gives the same mu; without the last line,
    d is tanh(epsilon/2). A base whose mass is not 1 has a smaller d, hence a smaller mu than epsilon alone gives. It is
    attained if some set has the mass that makes both ends of a line equalities.

    Args:
        Q: a `Polytope`, or a matrix of output distributions, one row per input, (n, k_v), of which all ordered pairs
            are compared.

    Returns:
        mu, 0 if nothing can be told; infinite if an output tells two inputs apart for sure.

    Source: Dong, Roth and Su 2022 (trade-off functions, mu-GDP); the corner of the polytope is our own.
    """
    if isinstance(Q, Polytope):
        lowest, highest, least = math.fsum(Q.lower), math.fsum(Q.upper), math.exp(-Q.epsilon)
        apart = min(1.0 - lowest, highest - 1.0, math.tanh(Q.epsilon / 2)) + _SUMS
        alarm = apart / math.expm1(Q.epsilon) if Q.epsilon < 700.0 else apart * least
        miss = max((max(lowest, 2.0 - highest) - _SUMS - least) / -math.expm1(-Q.epsilon), alarm)
        return _mu(*np.array([[apart / -math.expm1(-Q.epsilon)], [miss], [alarm], [1.0 - alarm]]))
    rows, _ = check_distributions(Q, "matrix")
    return max((_of_pair(p, q) for p, q in permutations(rows, 2)), default=0.0)


def gaussian_guarantee(releases: Sequence[Polytope], delta: float) -> Guarantee:
    r"""The promise of several releases about one person together, as (epsilon, delta): their mu add up by squares.

    The least epsilon of mu-GDP at delta, ``delta = Phi(mu/2 - epsilon/mu) - e^epsilon Phi(-mu/2 - epsilon/mu)``, or the
    sum of all epsilons with delta 0 where that is less. A release may depend on the ones before it.

    The promise has no `gaussian`: with it goes how often a loss exceeds epsilon, and that can be more often here than
    for Gaussian noise, which is as hard to tell apart by every test, but not by every loss.

    Args:
        releases: the LDP polytopes that hold the outputs, each drawn from once.
        delta: slack, in [1e-300, 1).

    Source: Dong, Roth and Su 2022, Corollaries 2.13 and 3.3.
    """
    delta, certified = check_delta(delta), {id(Q): certify_gaussian(Q) for Q in {id(Q): Q for Q in releases}.values()}
    mu = math.hypot(*(certified[id(Q)] for Q in releases)) * (1 + _ROUNDING)
    pure = functools.reduce(added, (Q.epsilon for Q in releases), 0.0)
    epsilon = smallest_epsilon(mu, delta) if mu > 0.0 else 0.0
    return Guarantee(epsilon, delta) if epsilon < pure else Guarantee(pure)


def _of_pair(p: Array, q: Array) -> float:
    """mu of one ordered pair: hits by p, false alarms by q."""
    p, q = p[(p > 0) | (q > 0)], q[(p > 0) | (q > 0)]
    with np.errstate(divide="ignore"):
        order = np.argsort(-p / q, kind="stable")
    p, q = p[order], q[order]
    hits, alarms = np.cumsum(p)[:-1], np.cumsum(q)[:-1]
    return _mu(hits, np.cumsum(p[:0:-1])[::-1], alarms, np.cumsum(q[:0:-1])[::-1])


def _mu(hits: Array, misses: Array, alarms: Array, silences: Array) -> float:
    """Largest Phi^-1(x) - Phi^-1(y), at least 0, rounded up; x and y with their complements, which keep all digits."""
    ndtri = scipy.special.ndtri
    far = np.where(hits < 0.5, ndtri(hits * (1 + _ROUNDING)), -ndtri(misses * (1 - _ROUNDING)))
    near = np.where(alarms < 0.5, ndtri(alarms * (1 - _ROUNDING)), -ndtri(silences * (1 + _ROUNDING)))
    told = hits > 0.0
    found = far[told] - near[told] + _ROUNDING * (np.abs(far[told]) + np.abs(near[told]))
    return max(float(found.max(initial=0.0)), 0.0)
