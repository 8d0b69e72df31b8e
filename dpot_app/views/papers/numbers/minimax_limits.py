"""Limits of minimax_ldp_sampling: worst cases as epsilon and k run (Appendix E), and where (6) has no solution."""

import math

import numpy as np

from dpot_app.views.papers.row import Number, Numbers
from dpot_core.arguments import Array
from dpot_core.distributions.divergences import DIVERGENCES, kl
from dpot_core.mechanisms.continuous.families import DensityFamily
from dpot_core.mechanisms.kl_projection import kl_projection, minimax_base_kl
from dpot_core.mechanisms.relative_mollifier import relative_mollifier
from dpot_core.privacy.polytopes import Polytope
from dpot_core.worst_case import worst_case_divergence

_EPSILONS = np.geomspace(0.01, 20.0, 60)
_SIZES = (2, 3, 10, 100, 1_000, 10_000)


def behaviors() -> Numbers:
    """Appendix E in the divergences with a finite f(0), and reverse KL, whose f(0) is infinite, near a point."""
    k, rng = 10, np.random.default_rng(5)
    family = DensityFamily(0.0, 3.0, np.ones_like, (0.0, 1.0))
    steps: dict[str, list[float]] = {"in ε": [], "in k": [], "densities": []}
    for name in DIVERGENCES:
        worst = np.array([[worst_case_divergence(name, size, one) for one in _EPSILONS] for size in _SIZES])
        steps["in ε"].append(float(np.diff(worst, axis=1).max()))
        steps["in k"].append(float(np.diff(worst, axis=0).min()))
        steps["densities"].append(float(np.diff([family.worst_case(name, one) for one in _EPSILONS]).max()))
    numbers = {
        "largest step of R as ε grows": Number(max(steps["in ε"])),
        "largest step of R as ε grows, densities up to 3": Number(max(steps["densities"])),
        "least step of R as k grows": Number(min(steps["in k"])),
        "R in KL, k = 10, ε = 20": Number(worst_case_divergence("kl", k, 20.0)),
        "R in KL, densities up to 3, ε = 20": Number(family.worst_case("kl", 20.0)),
    }
    inputs = np.vstack([np.eye(k), rng.dirichlet(np.full(k, 0.2), 300)])
    for epsilon in (0.1, 0.01):
        farthest = np.abs(kl_projection(inputs, _ball(k, epsilon)) - 1.0 / k).max()
        numbers[f"farthest of KPM's probabilities from 1/k, ε = {epsilon:g}"] = Number(float(farthest))
    for rest in (1e-3, 1e-6, 1e-12):
        near = np.full(k, rest / (k - 1))
        near[0] = 1.0 - rest
        output = kl_projection(near, _ball(k, 1.0))
        numbers[f"reverse KL of KPM, ε = 1, all but {rest:g} at one point"] = Number(float(kl(output, near)))
    return numbers


def formula_6() -> Numbers:
    """The largest that (6) sums to over r at epsilon 1, for a point under three references; and (8) as a case of it."""
    k, epsilon = 10, 1.0
    point, uniform = np.eye(k)[0], np.full(k, 1.0 / k)
    low, high = math.exp(-epsilon / 2), math.exp(epsilon / 2)
    references = {
        "Q₀ another point": np.eye(k)[1],
        "Q₀ uniform": uniform,
        "Q₀ with 0.4 there": np.where(point > 0.0, 0.4, 0.6 / (k - 1)),
    }
    # The sum falls in r: its largest is the limit at r = 0.
    numbers = {
        f"largest sum of (6) over r, P a point, {words}": Number(float(np.where(point > 0.0, high, low) @ reference))
        for words, reference in references.items()
    }
    ball, inputs = _ball(k, epsilon), np.random.default_rng(6).dirichlet(np.full(k, 0.5), 300)
    apart = np.abs(kl_projection(inputs, ball) - [_by_6(one, ball.base, epsilon) for one in inputs]).max()
    return numbers | {
        "KL of ours, Q₀ uniform": Number(float(kl(point, relative_mollifier(point, uniform, epsilon)))),
        "least KL of any output near it": Number(-math.log(high / k)),
        "(8) minus (6) with a measure as Q₀": Number(float(apart)),
    }


def _ball(k: int, epsilon: float) -> Polytope:
    return Polytope(minimax_base_kl(k, epsilon), epsilon)


def _by_6(p: Array, base: Array, epsilon: float) -> Array:
    """(6) with a measure in place of Q0, log r by bisection."""
    low, high = math.exp(-epsilon / 2) * base, math.exp(epsilon / 2) * base
    least, largest = -60.0, 60.0
    for _ in range(200):
        middle = (least + largest) / 2
        if np.clip(p * math.exp(-middle), low, high).sum() > 1.0:
            least = middle
        else:
            largest = middle
    return np.clip(p * math.exp(-largest), low, high)
