"""Protected changes, and the alpha that follows from them, the privacy parameter per unit of distance."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from dpot_core.arguments import Array, check_cost, check_epsilon, check_number
from dpot_core.privacy.guarantees import Guarantee
from dpot_core.spaces import Space
from dpot_core.transport.wasserstein import wasserstein

#: Rounding that a distance of 1 may show.
_SLACK = 1e-9


def check_change(tau: float, q: float) -> tuple[float, float]:
    """Return a change (tau, q): both more than 0 and at most 1.

    Args:
        tau: fraction of one person's data that moves.
        q: how far it moves on average, as a fraction of the largest distance.

    Returns:
        ``(tau, q)`` as floats.

    Raises:
        ValueError: says which one is out of range.
    """
    found = (check_number(tau, "tau", 0.0, 1.0), check_number(q, "q", 0.0, 1.0))
    for name, value in zip(("tau", "q"), found, strict=True):
        if value == 0.0:
            raise ValueError(f"{name} must be more than 0 (a change of nothing needs no protection); got 0")
    return found


def protection_rate(changes: Sequence[tuple[float, float]], epsilon: float) -> float:
    r"""The largest alpha that gives every protected change at most ``epsilon``.

    ``alpha = min over (tau, q) of epsilon / (tau q)``: when a fraction ``tau`` of the data moves by ``q`` on average,
    the two histories are at most ``tau q`` apart in earth mover's distance, and ``alpha tau q <= epsilon``.

    Args:
        changes: pairs (tau, q), each in (0, 1]: fraction of one person's data, average distance over the largest one.
        epsilon: privacy parameter of these changes, nats.

    Returns:
        alpha, nats per unit of distance (1 = the largest distance). At least ``epsilon``: with it every change at all
        is protected.

    Raises:
        ValueError: if there is no change, or one is out of range.

    Source:
        metric_dp_emd, section 3, "Setting the Privacy Parameters".
    """
    budget = check_epsilon(epsilon)
    if len(changes) == 0:
        raise ValueError("changes must name at least one change (tau, q) that is protected")
    return min(budget / (tau * q) for tau, q in (check_change(*change) for change in changes))


def check_unit_distances(distances: ArrayLike) -> Array:
    """Return distances, none of which may exceed 1: alpha counts in units of the largest one.

    Args:
        distances: d(x_i, v_j) divided by the largest distance, (k, k_v).

    Returns:
        The same as float64.

    Raises:
        ValueError: if one is larger than 1, with the value.
    """
    matrix = check_cost(distances)
    largest = float(matrix.max())
    if largest > 1.0 + _SLACK:
        raise ValueError(
            f"distances must be divided by the largest one (unit_distances does that); the largest is {largest:g}"
        )
    return matrix


def unit_distances(space: Space) -> Array:
    """Distances within a space over its diameter: ``d(x, x') / max d``, so that the largest is 1.

    Args:
        space: at least two points that are apart, with a metric (the cosine distance is none).

    Returns:
        (k, k), in [0, 1].

    Raises:
        ValueError: if all points lie at one place, or the distance breaks the triangle inequality.
    """
    if space.metric == "cosine":
        raise ValueError("metric privacy needs a metric; the cosine distance breaks the triangle inequality")
    if space.diameter == 0.0:
        raise ValueError("the space must have two points that are apart; its largest distance is 0")
    return np.asarray(space.distances() / space.diameter)


def earth_movers_distance(mu: ArrayLike, nu: ArrayLike, distances: ArrayLike) -> float:
    """``d_EM = min over couplings of E d(x, y)``, exact: W_1 with distances whose largest is 1.

    Args:
        mu: first distribution, (k,).
        nu: second distribution, (k_v,).
        distances: over the largest one, (k, k_v).

    Returns:
        A number in [0, 1].

    Raises:
        ValueError: if distances exceed 1 or shapes and masses do not fit.
        RuntimeError: if the solver does not reach an optimum.

    Source:
        metric_dp_emd, Definition 2.4.
    """
    return min(wasserstein(mu, nu, check_unit_distances(distances), 1), 1.0)


def check_rate(alpha: float, name: str = "alpha") -> float:
    """Return a privacy parameter per unit of distance.

    Args:
        alpha: nats per largest distance.
        name: of the argument, for the message.

    Returns:
        ``alpha`` as a float.

    Raises:
        ValueError: unless it lies in [1e-9, 1e12].
    """
    return check_number(alpha, name, 1e-9, 1e12)


def earth_mover_guarantee(
    alpha: float,
    changes: Sequence[tuple[float, float]],
    delta: float = 0.0,
    words: Sequence[str] = (),
    public: tuple[str, ...] = (),
    note: str = "",
    unit: str = "the largest distance",
) -> Guarantee:
    r"""The promise of an (alpha, delta)-d_EM-private mechanism, told for the changes that a person wants protected.

    ``epsilon = max over (tau, q) of alpha tau q``. Any other change costs ``alpha`` times the earth mover's distance.

    Args:
        alpha: nats per largest distance.
        changes: pairs (tau, q) that are protected.
        delta: additive slack, for every pair of histories.
        words: one text per change; by default fractions in per cent.
        public: what everybody knows.
        note: a restriction that a reader of the promise has to know.
        unit: what a distance of 1 is, in words: promises in unlike units do not add up.

    Returns:
        A guarantee with neighbours "earth-mover".

    Raises:
        ValueError: if a change is out of range, or there is not one text per change.
    """
    pairs = [check_change(*change) for change in changes]
    if not pairs:
        raise ValueError("changes must name at least one change (tau, q) that is protected")
    texts = tuple(words) or tuple(f"{tau:.3g} of the data moved by {q:.3g} of the largest distance" for tau, q in pairs)
    if len(texts) != len(pairs):
        raise ValueError(f"words must hold one text per change, {len(pairs)}; got {len(texts)}")
    rate = check_rate(alpha)
    worst = max(rate * tau * q for tau, q in pairs)
    return Guarantee(worst, delta, "earth-mover", public, note, rate=rate, protects=texts, unit=unit)
