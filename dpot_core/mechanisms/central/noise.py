"""Noise for exploration (a seeded NumPy generator) and for a release (OpenDP, on operating-system entropy)."""

from __future__ import annotations

import importlib.util
import math
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpot_core.arguments import Array
from dpot_core.privacy.guarantees import Guarantee

Integers = NDArray[np.int64]

#: Beyond this scale discrete Laplace noise would leave 64-bit integers.
MAX_SCALE = 2.0**55


def scale_for(sensitivity: int, budget: Fraction) -> float:
    """The smallest float that is not below sensitivity/budget: rounding never spends privacy.

    Args:
        sensitivity: largest change of the counts in the 1-norm between neighbours.
        budget: what may be spent, nats, more than 0.

    Returns:
        Scale of Laplace noise.

    Raises:
        ValueError: if the scale is beyond `MAX_SCALE`.
    """
    exact = Fraction(sensitivity) / budget
    if exact > MAX_SCALE:
        raise ValueError(
            f"epsilon must leave noise below {MAX_SCALE:.3g} per count; a level has scale {float(exact):g}"
        )
    scale = float(exact)
    return scale if Fraction(scale) >= exact else math.nextafter(scale, math.inf)


def discrete_laplace(
    counts: Integers, scale: float, rng: np.random.Generator, *, secure: Guarantee | None = None
) -> Integers:
    """Add integer noise with P(z) proportional to e^(-|z|/scale) to every count.

    Exploration draws the difference of two geometric variables from ``rng``: exact in distribution up to the rounding
    of float64 logarithms, repeatable, and so never for a release. ``secure`` draws with OpenDP's exact sampler, which
    cannot be seeded and adds in saturating 64-bit arithmetic.

    Args:
        counts: whole numbers, any shape (n,).
        scale: scale of the noise, more than 0.
        rng: source of randomness of an exploration.
        secure: for a release: what it promises, which must be proven; None for an exploration.

    Returns:
        Noisy counts, (n,).

    Raises:
        ValueError: if what a release promises is not proven.

    Source:
        Ghosh, Roughgarden, Sundararajan 2012 (geometric mechanism); Canonne, Kamath, Steinke 2020, section 5.2.
    """
    if counts.size == 0:
        return counts.copy()
    if secure is not None:
        dp = _opendp(secure)
        return np.asarray(dp.m.make_laplace(*_integers(), scale=scale)(counts.tolist()), dtype=np.int64)
    success = -math.expm1(-1.0 / scale)
    return counts + rng.geometric(success, counts.size) - rng.geometric(success, counts.size)


def gaussian(values: Array, noise: float, rng: np.random.Generator, *, secure: Guarantee | None = None) -> Array:
    """Add Gaussian noise of standard deviation ``noise`` to every value.

    ``secure`` draws with OpenDP: a discrete Gaussian on the multiples of 2^-1074, whose privacy differs from the
    continuous one's by less than the 1e-9 that `accounting.gaussian_noise` adds to the standard deviation.

    Args:
        values: any shape.
        noise: standard deviation, at least 0.
        rng: source of randomness of an exploration.
        secure: for a release: what it promises, which must be proven; None for an exploration.

    Returns:
        Noisy values, the same shape.

    Raises:
        ValueError: if what a release promises is not proven.
    """
    if noise == 0.0:
        return values.copy()
    if secure is not None:
        dp = _opendp(secure)
        return np.asarray(dp.m.make_gaussian(*_reals(), scale=noise)(values.ravel().tolist())).reshape(values.shape)
    return values + noise * rng.standard_normal(values.shape)


def expected_size(scale: float) -> float:
    """E|Z| of discrete Laplace noise: ``2 q/(1 - q^2)``, ``q = e^(-1/scale)``.

    Args:
        scale: scale of the noise.

    Returns:
        The expectation; nearly the scale where that is large.
    """
    return 1.0 / math.sinh(1.0 / scale) if scale > 1.0 / 700.0 else 0.0


def check_opendp() -> None:
    """Complain where a release is asked for that nothing here can draw: OpenDP is large, and an extra of the package.

    Raises:
        ImportError: says how to install it.
    """
    if importlib.util.find_spec("opendp") is None:
        raise ImportError(
            "secure=True draws its noise with OpenDP, which is not installed; pip install 'dpot[release]' brings it",
            name="opendp",
        )


def _opendp(promise: Guarantee) -> Any:
    """OpenDP with its contributed mechanisms, for what is proven; loaded when a release is drawn: it takes a second."""
    promise.released()
    check_opendp()
    return _loaded()


@cache
def _loaded() -> Any:
    import opendp.prelude as dp

    dp.enable_features("contrib")
    return dp


@cache
def _integers() -> tuple[Any, Any]:
    """Vectors of whole numbers with the 1-norm."""
    dp = _loaded()
    return dp.vector_domain(dp.atom_domain(T="i64")), dp.l1_distance(T="i64")


@cache
def _reals() -> tuple[Any, Any]:
    """Vectors of floats with the 2-norm."""
    dp = _loaded()
    return dp.vector_domain(dp.atom_domain(T=float, nan=False)), dp.l2_distance(T=float)
