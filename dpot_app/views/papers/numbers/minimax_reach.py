"""MBDE of minimax_ldp_sampling: how far its log-density can span, and how near an output of that span can be."""

import math

import numpy as np
from scipy.optimize import brentq

from dpot_app.views.papers.row import Number, Numbers, mean_of
from dpot_core.arguments import Array
from dpot_core.datasets.published_mixtures import published_mixtures
from dpot_core.mechanisms.continuous.classifiers import CAP
from dpot_core.mechanisms.continuous.gaussian import gaussian_mixture_family, gaussian_reference
from dpot_core.mechanisms.continuous.mbde import step_weights

#: The authors' program (phy811/Optimal-LDP-Sampling, mbde.py): classifiers end in a sigmoid, whose values lie between 0
#: and 1, and weigh (ε/(ε + 4))^t in three rounds.
_THEIR_ROUNDS, _OUR_ROUNDS = 3, 10


def span(epsilon: float, theirs: bool) -> float:
    """Largest minus smallest log(q/q0) that MBDE can reach: sum over rounds of weight times the classifier's range."""
    if theirs:
        return math.fsum((epsilon / (epsilon + 4.0)) ** number for number in range(1, _THEIR_ROUNDS + 1))
    return 2.0 * CAP * math.fsum(step_weights(epsilon, _OUR_ROUNDS))


def nearest(p: Array, q0: Array, weights: Array, reach: float) -> Array:
    """The density q nearest to p in KL(p, q) whose log(q/q0) spans at most ``reach``: ``clip(p, a q0, a e^reach q0)``.

    ``KL(p, q0 e^S/Z) = const - E_p S + log E_q0 e^S`` is convex in S, and where S is not at an end of its range its
    derivative q - p is 0; a is the number that makes the integral 1.
    """

    def excess(log_a: float) -> float:
        return float(weights @ np.clip(p, math.exp(log_a) * q0, math.exp(log_a + reach) * q0)) - 1.0

    log_a = float(brentq(excess, -reach - 1e-9, 1e-9, xtol=1e-13))
    return np.asarray(np.clip(p, math.exp(log_a) * q0, math.exp(log_a + reach) * q0))


def reach() -> Numbers:
    """Both spans at epsilon 1, and the least KL within them from the 100 published mixtures, by Gauss' rule."""
    edges = np.linspace(-4.0, 4.0, 401)
    places, shares = np.polynomial.legendre.leggauss(8)
    half = np.diff(edges)[:, None] / 2.0
    x = ((edges[1:] + edges[:-1])[:, None] / 2.0 + half * places).ravel()
    weights = (half * shares).ravel()
    family, q0 = gaussian_mixture_family(), gaussian_reference(1.0, (-4.0, 4.0)).density(x)
    numbers: dict[str, Number] = {}
    mixtures = [
        np.asarray(family.mixture(row["means"], [weight / sum(row["weights"]) for weight in row["weights"]])(x))
        for row in published_mixtures()["rows_epsilon_1"]
    ]
    for words, theirs in (("ours", False), ("their program", True)):
        size = span(1.0, theirs)
        least = [float(weights @ (p * np.log(p / nearest(p, q0, weights, size)))) for p in mixtures]
        numbers[f"span of the log-density, {words}"] = Number(size)
        numbers[f"least KL within it, {words}"] = mean_of(least)
    return numbers
