"""WPM on the line: the exact Wasserstein projection by the order of the points, fast enough for fine grids."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from dpot_core.arguments import Array, check_distributions, check_finite, check_order
from dpot_core.privacy.polytopes import Polytope, check_polytope
from dpot_core.transport.line import LineCosts, line_cost, project_line

#: Costs that are kept for several inputs: twice so many numbers, 64 MB.
_MOST = 2**22


@dataclass(frozen=True)
class LineProjection:
    """Exact projection on the line; for a batch every field has a leading axis n.

    Attributes:
        output: nearest point of Q, (k_v,), inside Q in floating point.
        value: W_p^p(output, mu), in units of the places to the power p.
    """

    output: Array
    value: float | Array


def wasserstein_projection_line(
    mu: ArrayLike, points: ArrayLike, Q: Polytope, p: float = 2.0, targets: ArrayLike | None = None
) -> LineProjection:
    """WPM: argmin over nu in Q of W_p(nu, mu) for places on the line with the distance |x - y|, exactly.

    The same projection as `project_exact` with the cost |x_i - v_j|^p, without the matrix: 1000 places take about
    0.1 s.

    Args:
        mu: inputs, (k,) or (n, k).
        points: increasing places of the input, (k,).
        Q: LDP polytope on the k_v outputs.
        p: order, at least 1.
        targets: increasing places of the outputs, (k_v,); the points when None.

    Source: wpm_2605.10015, section 3; the dynamic programme is our own, held against `project_exact`.
    """
    p = check_order(p)
    x = _increasing(points, "points")
    y = x if targets is None else _increasing(targets, "targets")
    if len(y) != len(check_polytope(Q)):
        raise ValueError(f"there are {len(y)} output places, but the polytope has {len(Q)} outputs")
    rows, single = check_distributions(mu, "mu", len(x))
    costs = LineCosts(x, y, p) if len(rows) > 1 and len(x) * len(y) <= _MOST else None
    outputs = np.stack([Q.repair(project_line(row, x, y, p, Q.lower, Q.upper, costs)) for row in rows])
    values = np.array([line_cost(row, x, nu, y, p) for row, nu in zip(rows, outputs, strict=True)])
    return LineProjection(outputs[0], float(values[0])) if single else LineProjection(outputs, values)


def _increasing(values: ArrayLike, name: str) -> Array:
    places = check_finite(values, name, non_negative=False)
    if places.ndim != 1 or not places.size or not (np.diff(places) > 0).all():
        raise ValueError(f"{name} must be a vector of increasing places; got shape {places.shape}")
    return places
