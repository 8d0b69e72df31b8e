"""A real release: one index, drawn with the operating system's entropy, by exact integer arithmetic."""

from __future__ import annotations

import secrets
from bisect import bisect_right
from fractions import Fraction
from itertools import accumulate

import numpy as np
from numpy.typing import ArrayLike

from dpot_core.arguments import check_distributions
from dpot_core.privacy.polytopes import Polytope, check_polytope


def integer_weights(nu: ArrayLike, Q: Polytope) -> list[int]:
    """Whole numbers w_j, proportional to nu up to rounding, whose total depends on Q only and with L_j <= w_j <= U_j.

    L_j = ceil(N lower_j) and U_j = floor(N upper_j) for a power of two N >= 2^53, so that U_j / L_j <=
    upper_j / lower_j <= e^epsilon. Drawing j with probability w_j / total is exactly epsilon-LDP: nothing is
    rounded after that.

    Args:
        nu: one output distribution in Q, (k_v,).
        Q: the polytope, public.

    Raises:
        ValueError: if nu is not one distribution in Q.
    """
    rows, single = check_distributions(nu, "nu", len(check_polytope(Q)))
    if not single:
        raise ValueError(f"release takes one distribution (k_v,); got {np.shape(nu)}")
    if not Q.contains(np.asarray(nu, dtype=np.float64)):
        raise ValueError("nu must lie in the polytope; Q.repair moves a nearly feasible distribution inside")
    lowest = [Fraction(float(x)) for x in Q.lower]
    highest = [Fraction(float(x)) for x in Q.upper]
    # N so large that the narrowest non-empty interval [N lower, N upper] holds whole numbers.
    smallest = min(float(x) for x in Q.lower if x > 0)
    scale = 2 ** (96 + max(0, -int(np.floor(np.log2(smallest)))))
    least = [-((-scale * x.numerator) // x.denominator) for x in lowest]
    most = [max((scale * x.numerator) // x.denominator, low) for x, low in zip(highest, least, strict=True)]
    total = min(max(scale, sum(least)), sum(most))
    exact = [Fraction(float(x)) * total for x in rows[0]]
    weights = [min(max(round(x), low), high) for x, low, high in zip(exact, least, most, strict=True)]
    missing = total - sum(weights)
    for j, weight in enumerate(weights):
        room = most[j] - weight if missing > 0 else least[j] - weight
        step = min(missing, room) if missing > 0 else max(missing, room)
        weights[j], missing = weight + step, missing - step
        if missing == 0:
            break
    return weights


def release(nu: ArrayLike, Q: Polytope) -> int:
    """Draw one output index from nu for a real release; exactly epsilon-LDP as long as Q is the same for all inputs.

    Uses whole numbers from `integer_weights` and `secrets.randbelow` (the operating system's entropy). It cannot be
    seeded: demonstrations draw with a numpy Generator instead.

    Args:
        nu: one output distribution in Q, (k_v,).
        Q: the polytope of the mechanism, public.

    Returns:
        The index j of the released output.

    Raises:
        ValueError: if nu is not one distribution in Q.
    """
    cumulative = list(accumulate(integer_weights(nu, Q)))
    return bisect_right(cumulative, secrets.randbelow(cumulative[-1]))
