"""Relative mollifier: KL projection on the ball of radius epsilon/2 around a reference distribution."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from dpot_core.arguments import Array, check_distributions, check_weights
from dpot_core.privacy.polytopes import Polytope


def relative_mollifier(mu: ArrayLike, reference: ArrayLike, epsilon: float) -> Array:
    """argmin of KL(mu || nu) over {nu : e^(-epsilon/2) q0 <= nu <= e^(epsilon/2) q0} = clip(mu / r, ..., ...).

    The ball is the LDP polytope whose base measure is the reference, so any two outputs differ by e^epsilon at most.

    Args:
        mu: inputs, (k,) or (n, k).
        reference: q0, (k,), public; usually a distribution. Another mass is used as it is.
        epsilon: privacy parameter in nats.

    Returns:
        Output distributions, the shape of mu.

    Raises:
        ValueError: if no distribution lies in the ball (mass of the reference outside
            [e^(-epsilon/2), e^(epsilon/2)]), or if an input has mass where the reference has none, so that every
            output in the ball is infinitely far from it.

    Source: minimax_ldp_sampling, section 2.3 (baseline of Husain et al. 2020).
    """
    q0 = check_weights(reference, "reference")
    rows, single = check_distributions(mu, "mu", q0.size)
    outside = (rows[:, q0 == 0] > 0).any(axis=1)
    if outside.any():
        raise ValueError(
            f"infeasible: input {int(np.argmax(outside))} has mass where the reference has none, "
            "so KL is infinite for every output near the reference"
        )
    projected = Polytope(q0, epsilon).project_kl(rows)
    return projected[0] if single else projected
