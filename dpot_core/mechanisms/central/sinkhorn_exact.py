r"""A transport cost and a dual value without rounding, for a release: whole numbers, and noise on whole numbers.

Costs become integers in [0, B], points of set s have mass ``L/n_s``, and the optimum V is exact: replacing a point of
set s changes it by at most ``B L/n_s`` (between samples by L more, for the caller's rounding of costs). It gets
discrete Laplace noise from OpenDP: epsilon-DP with delta = 0. Proof: ``docs/proofs/private_transport_cost.md``.
"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np

from dpot_core.arguments import Array
from dpot_core.mechanisms.central.noise import MAX_SCALE, discrete_laplace, scale_for
from dpot_core.mechanisms.central.sinkhorn_proven import power_of_two
from dpot_core.privacy.guarantees import Guarantee
from dpot_core.transport.integer_cost import LARGEST, integer_transport

#: Costs are told apart up to this share of their bound, as a power of two, where 64 bits allow it; and no worse than.
FINEST, COARSEST = 30, 10


def exact_laplace(
    cost: Array, bound: float, counts: tuple[Array, Array], promise: Guarantee, together: bool, samples: bool
) -> tuple[float, float]:
    """The transport cost with discrete Laplace noise from OpenDP, see the theorem above.

    Args:
        cost: (k, l), in [0, bound].
        bound: |c|, public.
        counts: whole numbers of points, (k,) and (l,).
        promise: what the release promises, which must be proven; its epsilon is spent.
        together: whether one point of each data set may be replaced, or one of either.
        samples: whether rows and columns are private points, so that the caller computed the cost from them.

    Returns:
        The release and the scale of its noise, unit of the cost.

    Raises:
        ValueError: if the numbers of points or epsilon leave no room in 64 bits.
    """
    if bound == 0.0:
        return 0.0, 0.0
    first, second = (values.astype(np.int64) for values in counts)
    n = int(first.sum()), int(second.sum())
    whole = math.lcm(*n)
    changes = [whole // size for size in n]
    change = sum(changes) if together else max(changes)
    bits = _bits(whole, change, promise.epsilon)
    sensitivity = (change << bits) + (whole if samples else 0)
    scale = scale_for(sensitivity, Fraction(promise.epsilon))
    integers = np.rint(np.ldexp(cost / bound, bits)).astype(np.int64)
    value = integer_transport(first * (whole // n[0]), second * (whole // n[1]), integers)
    noisy = discrete_laplace(np.array([value]), scale, np.random.default_rng(), secure=promise)[0]
    unit = bound / (whole << bits)
    return float(noisy) * unit, scale * unit


def _bits(whole: int, change: int, epsilon: float) -> int:
    """Digits of a cost: as many as the mass and the noise leave room for."""
    noise = MAX_SCALE * epsilon / (change + whole)
    bits = min(FINEST, math.floor(math.log2(LARGEST / whole)) - 1, math.floor(math.log2(noise)) - 1)
    if bits < COARSEST:
        raise ValueError(f"n and epsilon leave no room for exact arithmetic; {whole:,} is a common multiple of the n")
    return bits


def exact_dual(potentials: tuple[Array, Array], counts: tuple[Array, Array], together: bool) -> tuple[float, float]:
    """``<a, phi> + <b, psi>`` at public potentials as a multiple of a public power of two, and its sensitivity.

    Args:
        potentials: phi (k,) and psi (l,), public.
        counts: whole numbers of points, (k,) and (l,).
        together: whether one point of each data set may be replaced, or one of either.

    Returns:
        The value before noise, and by how much neighbours' values differ at most.
    """
    total, changes, largest = Fraction(0), [], 0.0
    for values, numbers in zip(potentials, counts, strict=True):
        n = int(numbers.sum())
        exact = [Fraction(float(value)) for value in values]
        total += sum((int(count) * value for count, value in zip(numbers, exact, strict=True)), Fraction(0)) / n
        changes.append((max(exact) - min(exact)) / n)
        largest += float(np.abs(values).max())
    change = sum(changes) if together else max(changes)
    # A multiple of the width must be a float, so that it has at most 53 digits.
    width = power_of_two(max(2.0**-20 * float(change), 2.0**-50 * largest, 2.0**-1000))
    multiple = round(total / Fraction(width))
    return float(multiple) * width, math.nextafter(float(change + Fraction(width)), math.inf)
