"""Converses of minimax_ldp_sampling: no channel, and no other reference, does better; an input that attains R."""

import math

import numpy as np
from scipy.optimize import linprog

from dpot_app.views.papers.row import Number, Numbers
from dpot_core.arguments import Array
from dpot_core.distributions.divergences import DIVERGENCES
from dpot_core.mechanisms.continuous.densities import kl_projection_density
from dpot_core.mechanisms.continuous.families import DensityFamily
from dpot_core.mechanisms.relative_mollifier import relative_mollifier
from dpot_core.worst_case import worst_case_divergence


def best_diagonal(k: int, epsilon: float) -> float:
    """The largest t at which some epsilon-LDP channel gives every point t of its own mass: over all channels.

    A sampler is a channel from all distributions to points, of which the k points are some: their rows Q_1 to Q_k are
    epsilon-LDP whatever it does with the others. D_f(point i, Q_i) depends on Q_i(i) only, and falls in it for every f,
    so that no sampler has a smaller worst case than that of ``max over Q of min over i of Q_i(i)``, a linear program.
    """
    pairs = [(i, j) for i in range(k) for j in range(k) if i != j]
    # Unknown are the k rows one after the other, and t.
    ratios = np.zeros((len(pairs), k, k, k))
    for number, (i, j) in enumerate(pairs):
        ratios[number, :, i] = np.eye(k)
        ratios[number, :, j] = -math.exp(epsilon) * np.eye(k)
    own = np.eye(k)[:, :, None] * np.eye(k)[:, None, :]
    bounded = np.zeros((len(pairs) * k + k, k * k + 1))
    bounded[:-k, :-1] = ratios.reshape(len(pairs) * k, k * k)
    bounded[-k:, :-1], bounded[-k:, -1] = -own.reshape(k, k * k), 1.0
    sums = np.hstack([np.repeat(np.eye(k), k, axis=1), np.zeros((k, 1))])
    objective = -np.eye(k * k + 1)[-1]
    found = linprog(objective, A_ub=bounded, b_ub=np.zeros(len(bounded)), A_eq=sums, b_eq=np.ones(k))
    if found.x is None:
        raise RuntimeError(f"the linear program of Theorem 3.1's converse: {found.message}")
    return float(found.x[-1])


def converse() -> Numbers:
    """Theorem 3.1 at k = 10, epsilon = 1: the least worst case over all channels, in three divergences."""
    k, epsilon = 10, 1.0
    mass = best_diagonal(k, epsilon)
    point, near = np.zeros(k), np.full(k, (1.0 - mass) / (k - 1))
    point[0], near[0] = 1.0, mass
    numbers = {}
    for name, label in (("kl", "KL"), ("tv", "TV"), ("hellinger", "Hellinger²")):
        least = float(np.asarray(DIVERGENCES[name](point, near)))
        numbers[f"{label}: least worst case of any channel, by linear programming"] = Number(least)
        numbers[f"{label}: R minus that"] = Number(worst_case_divergence(name, k, epsilon) - least)
    return numbers


def attained() -> Numbers:
    """Theorem 3.3 where h = 2x on [0, 1], c1 = 1/5, c2 = 3, epsilon = 1: the input that is c2 h, then c1 h."""
    family = DensityFamily(0.2, 3.0, lambda x: 2.0 * x, (0.0, 1.0))
    share = (1.0 - family.c1) / (family.c2 - family.c1)

    def extreme(x: Array) -> Array:
        return np.where(x < math.sqrt(share), family.c2, family.c1) * 2.0 * x

    out = kl_projection_density(extreme, family, 1.0).divergences()
    return {
        f"{label} of {words}, h = 2x, c1 = 1/5, c2 = 3": Number(value)
        for name, label in (("kl", "KL"), ("tv", "TV"))
        for words, value in (("R", family.worst_case(name, 1.0)), ("an extreme input", out[name]))
    }


def best_reference() -> Numbers:
    """Appendix F.1 at k = 10, epsilon = 1: the mollifier's worst case over points, around 500 references."""
    k, epsilon, rng = 10, 1.0, np.random.default_rng(9)
    points = np.eye(k)
    outputs = [
        relative_mollifier(points, one, epsilon) for one in (np.full(k, 1.0 / k), *rng.dirichlet(np.full(k, 30.0), 500))
    ]
    numbers = {}
    for name, label in (("kl", "KL"), ("tv", "TV"), ("hellinger", "Hellinger²")):
        worst = [float(np.asarray(DIVERGENCES[name](points, one)).max()) for one in outputs]
        numbers[f"{label}: worst case around the uniform reference"] = Number(worst[0])
        numbers[f"{label}: least around 500 others"] = Number(min(worst[1:]))
    return numbers
