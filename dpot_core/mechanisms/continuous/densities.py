"""KPM for densities, and its baselines: the relative mollifier and the mixture mechanism."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from dpot_core.arguments import EPSILON_RANGE, Array, check_epsilon, check_number
from dpot_core.mechanisms.continuous.envelopes import Envelope
from dpot_core.mechanisms.continuous.families import DensityFamily
from dpot_core.mechanisms.continuous.grids import fitted
from dpot_core.mechanisms.continuous.outputs import PrivateDensity
from dpot_core.mechanisms.continuous.quadrature import Function

#: Error of public integrals that mechanisms are calibrated for, by dimension.
TOLERANCES = {1: 1e-9, 2: 2e-7}
# Ratios p / h are held between these: outside they are as good as 0 and infinite.
_LEAST, _MOST = 1e-290, 1e290
# A member of a family may leave its bounds by rounding.
_OUTSIDE = 1e-9


def kl_projection_density(
    p: Callable[[Array], Array], family: DensityFamily, epsilon: float, tolerance: float | None = None
) -> PrivateDensity:
    """KPM: the density q = clip(p / r, b h, b e^epsilon h), nearest to p in KL among those between the two bounds.

    b = (c2 - c1) / ((e^epsilon - 1)(1 - c1) + c2 - c1); minimax optimal over the family for every f-divergence. If all
    of the family is within e^epsilon (c2 <= c1 e^epsilon, or one member only), the output is p itself. All at public
    nodes, linear multiples of h between them, private for every p: see `PrivateDensity`.

    Args:
        p: density of the input: a function of points (n,) or (n, 2) to values (n,).
        family: what is publicly known about p; usefulness depends on it, privacy does not.
        epsilon: privacy parameter in nats, of one draw.
        tolerance: error of public integrals that is allowed for; 1e-9 on the line and 2e-7 in the plane when None.

    Returns:
        `PrivateDensity` with `.density(x)`, `.r`, `.b`, `.divergences()`, `.sample(n, rng)`; see `release_density`.

    Raises:
        ValueError: if epsilon is not above what the tolerance spends. Nothing is raised because of p.
        RuntimeError: if h cannot be integrated within the tolerance.

    Source: minimax_ldp_sampling, Theorem 3.3 and section 4.1; the nodes are our own.
    """
    return _family_density(p, family, epsilon, tolerance, mixed=False)


def relative_mollifier_density(
    p: Callable[[Array], Array],
    reference: DensityFamily | Envelope,
    epsilon: float,
    tolerance: float | None = None,
    level: float = 1.0,
) -> PrivateDensity:
    """The density q with e^(-epsilon/2) q0 <= q <= e^(epsilon/2) q0 that is nearest to p in KL: clip(p / r, ..., ...).

    With another level it lies between these multiples of level q0. That of `prior_family` makes it KPM around a public
    prior, for any p: unlike in `kl_projection_density`, no bound of a family stands for what p is outside it.

    Where too much of q0 lies where p has no mass, no multiple of p can be clipped to a density. The nearest one is then
    e^(epsilon/2) q0 where p has mass, and one multiple of q0 where it has none.

    Args:
        p: density of the input.
        reference: q0, public: the normalised h of a family.
        epsilon: privacy parameter in nats.
        tolerance: as for `kl_projection_density`.
        level: public, in [e^(-epsilon/2), e^(epsilon/2)].

    Raises:
        ValueError: if epsilon is not above what the tolerance spends, or the level is out of range. Nothing is raised
            because of p.
        RuntimeError: if q0 cannot be integrated within the tolerance.

    Source: minimax_ldp_sampling, section 2.3 (baseline of Husain et al. 2020, which MBDE approximates).
    """
    shape = reference.envelope if isinstance(reference, DensityFamily) else reference
    epsilon, used, allowed = _budget(epsilon, tolerance, shape)
    ratios, problem = _ratios(p, shape)
    level = check_number(level, "level", math.exp(-used / 2), math.exp(used / 2))
    low, high = level * math.exp(-used / 2), level * math.exp(used / 2)
    gain, multiples = fitted(ratios, shape.grid.masses, min(low, 1.0), max(high, 1.0))
    error = shape.grid.error
    return PrivateDensity(
        epsilon, used, allowed, error, 1.0 / gain, 0.0, level, used, False, problem, shape, ratios, multiples
    )


def mixture_density(
    p: Callable[[Array], Array], family: DensityFamily, epsilon: float, tolerance: float | None = None
) -> PrivateDensity:
    """gamma p + (1 - gamma) h with gamma = (e^epsilon - 1) / ((e^epsilon - 1)(1 - c1) + c2 - c1), in the band of KPM.

    In the worst case it is as good as KPM; for other inputs it is not. gamma is the largest for which two members are
    within e^epsilon: (gamma c2 + 1 - gamma) / (gamma c1 + 1 - gamma) = e^epsilon.

    Args:
        p: density of the input.
        family: what is publicly known about p.
        epsilon: privacy parameter in nats.
        tolerance: as for `kl_projection_density`.

    Raises:
        ValueError: if epsilon is not above what the tolerance spends. Nothing is raised because of p.
        RuntimeError: if h cannot be integrated within the tolerance.

    Source: minimax_ldp_sampling, proof of Theorem 3.3.
    """
    return _family_density(p, family, epsilon, tolerance, mixed=True)


def _family_density(
    p: Callable[[Array], Array], family: DensityFamily, epsilon: float, tolerance: float | None, mixed: bool
) -> PrivateDensity:
    """KPM, or the mixture mechanism."""
    shape = family.envelope
    epsilon, used, allowed = _budget(epsilon, tolerance, shape)
    level, width, trivial = _bounds(family, used)
    gamma = 1.0
    if mixed and not trivial:
        spread = 2.0 * math.sinh(used / 2)
        gamma = spread / (spread * (1.0 - family.c1) + (family.c2 - family.c1) * math.exp(-used / 2))
    ratios, problem = _ratios(p, shape, (family.c1, family.c2))
    low, high = level * math.exp(-width / 2), level * math.exp(width / 2)
    gain, multiples = fitted(gamma * ratios + (1.0 - gamma), shape.grid.masses, min(low, 1.0), max(high, 1.0))
    return PrivateDensity(
        epsilon,
        used,
        allowed,
        shape.grid.error,
        1.0 / (gamma if mixed else gain),
        1.0 - gamma,
        level,
        width,
        trivial,
        problem,
        shape,
        ratios,
        multiples,
    )


def _budget(epsilon: float, tolerance: float | None, shape: Envelope) -> tuple[float, float, float]:
    """(epsilon, epsilon', tolerance)."""
    epsilon = check_epsilon(epsilon)
    allowed = TOLERANCES[shape.domain.dimension] if tolerance is None else tolerance
    allowed = check_number(allowed, "tolerance", 1e-13, 0.1)
    # Rounded up by more than the functions can err.
    spent = (math.log1p(allowed) - math.log1p(-allowed)) * (1 + 1e-15)
    used = math.nextafter(epsilon - spent, 0.0)
    if used < EPSILON_RANGE[0]:
        raise ValueError(
            f"epsilon = {epsilon:g} is too small: the tolerance {allowed:g} spends {spent:g} of it, and at least "
            f"{EPSILON_RANGE[0]:g} must be left"
        )
    if shape.grid.error > allowed:
        raise RuntimeError(
            f"the integral of the public density is known to {shape.grid.error:.1e} only, above the tolerance "
            f"{allowed:.1e}: a larger tolerance gives a smaller epsilon' and stays private"
        )
    return epsilon, used, allowed


def _bounds(family: DensityFamily, epsilon: float) -> tuple[float, float, bool]:
    """Middle multiple of h, log of the ratio of the bounds, whether trivial."""
    if not family.is_trivial(epsilon):
        return family.level(epsilon), epsilon, False
    if family.c1 <= 0.0 or math.log(family.c2 / family.c1) > epsilon:
        return 1.0, 0.0, True  # the only member is h
    return math.sqrt(family.c1 * family.c2), math.log(family.c2 / family.c1), True


def _ratios(p: Function, shape: Envelope, bounds: tuple[float, float] | None = None) -> tuple[Array, str]:
    """p / h at the nodes, between the bounds of a family; and what was wrong with p.

    Whatever p gives or raises, an answer comes back: a refusal would tell something about the person.
    """
    grid = shape.grid
    nothing = np.ones_like(grid.masses)
    try:
        with np.errstate(all="ignore"):
            values = np.asarray(p(grid.points()), dtype=np.float64)
    except Exception as error:  # whatever it is, it is private
        return nothing, f"the input gives no density, so that h is released: {type(error).__name__}: {error}"
    if values.shape != (grid.masses.size,):
        return nothing, (
            f"the input gives no density, so that h is released: it must give one number per point, shape "
            f"({grid.masses.size},); got {values.shape}"
        )
    values = values.reshape(grid.masses.shape)
    bad = ~(values >= 0.0) | np.isposinf(values)
    problem = (
        f"at {int(bad.sum())} nodes the input is negative or not finite: it counts as 0 there" if bad.any() else ""
    )
    h = grid.heights / shape.mass
    with np.errstate(all="ignore"):
        ratios = np.divide(np.where(bad, 0.0, values), h, out=np.zeros_like(h), where=h > 0.0)
    ratios = np.where(ratios < _LEAST, 0.0, np.minimum(ratios, _MOST))
    if bounds is None:
        return ratios, problem
    low, high = bounds
    outside = (grid.masses > 0.0) & ((ratios > high * (1 + _OUTSIDE)) | (ratios < low * (1 - _OUTSIDE)))
    if outside.any() and not problem:
        place = int(np.argmax(np.where(outside, np.abs(ratios - 1.0), -1.0)))
        problem = (
            f"the input is not in the family: at x = {np.round(grid.points()[place], 6)} it is "
            f"{ratios.ravel()[place]:.6g} h, outside {low:.6g} h to {high:.6g} h, and counts as the bound there. "
            "Enlarge h or the bounds c1, c2 to hold it"
        )
    return np.clip(ratios, low, high), problem
