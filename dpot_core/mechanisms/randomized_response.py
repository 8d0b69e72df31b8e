"""k-ary randomized response on a draw from the input, and its unbiased decoding."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from dpot_core.arguments import Array, check_distributions, check_epsilon, check_finite
from dpot_core.mechanisms.kl_projection import minimax_base_kl
from dpot_core.privacy.polytopes import Polytope


def randomized_response(mu: ArrayLike, epsilon: float) -> Array:
    """nu_j = (mu_j (e^epsilon - 1) + 1) / (e^epsilon + k - 1): draw a point from mu, keep it or replace it.

    Lies in the polytope of `minimax_base_kl`, hence epsilon-LDP for any two input distributions.

    Args:
        mu: inputs, (k,) or (n, k).
        epsilon: privacy parameter in nats.

    Source: Warner 1965; Kairouz, Oh, Viswanath 2014.
    """
    epsilon = check_epsilon(epsilon)
    rows, single = check_distributions(mu, "mu")
    k = rows.shape[1]
    # Numerator and denominator divided by e^epsilon, so that no power leaves float64.
    noise = np.exp(-epsilon)
    mixed = (rows * -np.expm1(-epsilon) + noise) / (1.0 + (k - 1) * noise)
    released = Polytope(minimax_base_kl(k, epsilon), epsilon).repair(mixed)
    return released[0] if single else released


def decode_randomized_response(nu: ArrayLike, epsilon: float) -> Array:
    """Unbiased estimate of the input from released frequencies, projected on the simplex.

    mu_j = (nu_j (e^epsilon + k - 1) - 1) / (e^epsilon - 1), then the Euclidean projection on {mu >= 0, sum = 1}
    (post-processing; the projection makes it a distribution and slightly biased).

    Args:
        nu: released frequencies, (k,) or (n, k), each row summing to 1.
        epsilon: privacy parameter in nats that the releases were made with.
    """
    epsilon = check_epsilon(epsilon)
    rows, single = check_distributions(nu, "nu")
    k = rows.shape[1]
    noise = np.exp(-epsilon)
    decoded = project_simplex((rows * (1.0 + (k - 1) * noise) - noise) / -np.expm1(-epsilon))
    return decoded[0] if single else decoded


def project_simplex(values: ArrayLike) -> Array:
    """Euclidean projection of rows (n, k) on the probability simplex: (x - t)_+ with t making the sum 1.

    Source: Held, Wolfe, Crowder 1974.
    """
    rows = np.atleast_2d(check_finite(values, "values", non_negative=False))
    descending = -np.sort(-rows, axis=1)
    excess = np.cumsum(descending, axis=1) - 1.0
    kept = (descending * np.arange(1, rows.shape[1] + 1) > excess).sum(axis=1)
    threshold = excess[np.arange(len(rows)), kept - 1] / kept
    clipped = np.maximum(rows - threshold[:, None], 0.0)
    return np.asarray(clipped / clipped.sum(axis=1, keepdims=True))
