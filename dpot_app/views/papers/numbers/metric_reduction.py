"""The reduction to histories of one length in metric_dp_emd: what its informal form and Fact 5.1 promise too much."""

import math

import numpy as np
from scipy.stats import binom

from dpot_app.views.papers.row import Number, Numbers
from dpot_core.mechanisms.metric.reduction import DiscreteGuarantee, discrete_guarantee


def informal() -> Numbers:
    """Theorem 1.3 at its least r, s = 1,000, delta = 1e-6, alpha = s: what 5.3 gives, and two histories that need more.

    All items of the one lie at a point, a share r of the other's at distance 1 from it: s draws hold Binomial(s, r) far
    ones. The mechanism answers one bit, 1 with probability ``min(e^(alpha (d - b/s)), 1)/2`` at distance d from the
    first history, which is (alpha, 0)-private by distance; b is the number of far items at which most is needed.
    """
    samples, delta = 1_000, 1e-6
    alpha = float(samples)
    r = 2.0 * math.log(1.0 / delta) / samples
    count = np.arange(samples + 1)
    drawn = binom.pmf(count, samples, r)
    least = []
    for threshold in range(1, 120):
        moved = float(drawn @ np.exp(np.minimum(alpha * (count - threshold) / samples, 0.0))) / 2.0
        still = math.exp(-alpha * threshold / samples) / 2.0
        least.append((math.log(max(moved - delta, 1e-300) / still), moved, math.exp(alpha * r) * still + delta))
    needed, moved, allowed = max(least)
    return {
        "ε of Theorem 5.3 over α r": Number(discrete_guarantee(alpha, delta, r, samples).epsilon / (alpha * r)),
        "ε that two histories need over α r": Number(needed / (alpha * r)),
        "P[M(K') = 1] there": Number(moved),
        "e^(α r) P[M(K) = 1] + δ": Number(allowed),
    }


def groups() -> Numbers:
    """Fact 5.1 at two steps, epsilon = 3, delta = 0.001: a bit that is 1 the more likely the more steps lie between.

    ``p(0) = 1e-5, p(j + 1) = e^epsilon p(j) + delta`` by ``j = ceil(d/r)``, at most two: (epsilon, delta, r)-discrete.
    """
    epsilon, delta = 3.0, 1e-3
    p = [1e-5]
    for _ in range(2):
        p.append(math.exp(epsilon) * p[-1] + delta)
    return {
        "δ at 2 ε that the bit needs, over δ": Number((p[2] - math.exp(2 * epsilon) * p[0]) / delta),
        "Fact 5.1 allows, e²": Number(math.exp(2.0)),
        "group privacy allows, 1 + e^ε": Number(DiscreteGuarantee(epsilon, delta, 0.1).at(0.2)[1] / delta),
    }
