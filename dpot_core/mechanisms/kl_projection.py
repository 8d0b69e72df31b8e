"""KPM: release a draw from the point of the LDP polytope that is nearest to the input in KL divergence."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from dpot_core.arguments import Array, check_count, check_distributions, check_epsilon
from dpot_core.privacy.polytopes import Polytope, check_polytope


def kl_projection(mu: ArrayLike, Q: Polytope) -> Array:
    """KPM: argmin over nu in Q of KL(mu || nu) = clip(mu / r, lower, upper), with r making the sum 1.

    With `minimax_base_kl` this is max(mu / r, 1 / (e^epsilon + k - 1)), minimax optimal for every f-divergence.
    Outputs must be the same points as inputs (k_v = k); move the input first where they are not.

    Args:
        mu: inputs, (k,) or (n, k).
        Q: LDP polytope with any base measure on the k points.

    Returns:
        Output distributions inside Q, the shape of mu.

    Source: minimax_ldp_sampling, Theorem 3.1; wpm_2605.10015, section 2.2.
    """
    rows, single = check_distributions(mu, "mu", len(check_polytope(Q)))
    projected = Q.project_kl(rows)
    return projected[0] if single else projected


def minimax_base_kl(k: int, epsilon: float) -> Array:
    """Base measure e^(epsilon/2) / (e^epsilon + k - 1) at each of k points, (k,): optimal for every f-divergence.

    Source: minimax_ldp_sampling, Theorem 3.1; wpm_2605.10015, section 2.2.
    """
    k, epsilon = check_count(k, "k"), check_epsilon(epsilon)
    # Divided by e^epsilon, so that no power leaves float64.
    return np.full(k, np.exp(-epsilon / 2) / (1.0 + (k - 1) * np.exp(-epsilon)))
