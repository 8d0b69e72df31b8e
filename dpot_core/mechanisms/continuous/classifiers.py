"""Classifiers whose outputs are bounded, and how they are trained."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from dpot_core.arguments import Array

#: Bound of every classifier: |c_t| <= log 2.
CAP = math.log(2.0)
# Adam, with steps that shrink linearly to 0; pairs of points per step; steps between two reports.
_RATE, _FIRST, _SECOND, _TINY = 0.02, 0.9, 0.999, 1e-8
_BATCH = 256
_REPORT = 25


@dataclass(frozen=True, eq=False)
class Classifier:
    """c(x) = log 2 tanh(sum_j outer_j tanh(<slope_j, x> + offset_j) + shift): |c| <= log 2, whatever the weights are.

    Attributes:
        slopes: of the hidden layer, (m,) on the line, (2, m) in the plane.
        offsets: (m,), of the hidden layer.
        outer: (m,), of the output.
        shift: of the output.
    """

    slopes: Array
    offsets: Array
    outer: Array
    shift: float

    def __call__(self, x: Array) -> Array:
        """Values at points (n,) or (n, 2); weights that give no number give 0."""
        with np.errstate(all="ignore"):
            score = np.tanh(_along(x, self.slopes) + self.offsets) @ self.outer + self.shift
        return CAP * np.tanh(np.where(np.isnan(score), 0.0, score))


@dataclass(frozen=True)
class Training:
    """How the classifiers are trained.

    Attributes:
        rounds: T.
        samples: points of each of p and q_(t-1) to train with.
        hidden: units of the hidden layer.
        steps: of Adam in each round.
    """

    rounds: int = 10
    samples: int = 4000
    hidden: int = 16
    steps: int = 400


def trained(
    ours: Array, theirs: Array, hidden: int, steps: int, rng: np.random.Generator, report: Callable[[int], None]
) -> Classifier:
    """A classifier with c > 0 where ours, (n,) or (n, 2), are more frequent: Adam on the cross-entropy of logits c."""
    both = np.concatenate([ours, theirs])
    centre, scale = both.mean(axis=0), max(float(both.std(axis=0).max()), 1e-300)
    slopes = rng.normal(0.0, 2.0, (*both.shape[1:], hidden))
    # Every hidden unit turns where there are points.
    turns = slopes * (rng.choice(both, hidden) - centre).T / scale
    first = [slopes, -turns.reshape(-1, hidden).sum(axis=0), rng.normal(0.0, 0.1, hidden), np.zeros(1)]
    # All weights in one row, of which the parts are views: Adam treats every weight alike.
    weights = np.concatenate([part.ravel() for part in first])
    mean, square, gradient = (np.zeros_like(weights) for _ in range(3))
    parts, gradients = _views(weights, first), _views(gradient, first)
    sign = np.repeat([1.0, -1.0], _BATCH)
    ends = sign * CAP
    for step in range(1, steps + 1):
        if step % _REPORT == 1:
            report(step - 1)
        drawn = [points[rng.integers(0, len(points), _BATCH)] for points in (ours, theirs)]
        x = (np.concatenate(drawn) - centre) / scale
        inner = np.tanh(_along(x, parts[0]) + parts[1])
        outer = np.tanh(inner @ parts[2] + parts[3])
        # Derivative of the mean of log(1 + e^(-sign c)), backwards through both layers.
        slope = -sign / (1.0 + np.exp(ends * outer)) * CAP * (1.0 - outer**2) / _BATCH
        back = np.multiply.outer(slope, parts[2]) * (1.0 - inner**2)
        for part, value in zip(gradients, (x.T @ back, back.sum(axis=0), slope @ inner, slope.sum()), strict=True):
            part[...] = value
        rate = _RATE * (1.0 - (step - 1) / steps)
        mean += (1.0 - _FIRST) * (gradient - mean)
        square += (1.0 - _SECOND) * (gradient**2 - square)
        weights -= rate * mean / (1.0 - _FIRST**step) / (np.sqrt(square / (1.0 - _SECOND**step)) + _TINY)
    moved = np.dot(centre, parts[0]) / scale
    return Classifier(parts[0] / scale, parts[1] - moved, parts[2], float(parts[3][0]))


def _views(row: Array, like: Sequence[Array]) -> list[Array]:
    """Consecutive pieces of a row in the shapes of others."""
    ends = np.cumsum([part.size for part in like])[:-1]
    return [piece.reshape(part.shape) for piece, part in zip(np.split(row, ends), like, strict=True)]


def _along(x: Array, slopes: Array) -> Array:
    """<slope_j, x_i>, (n, m)."""
    return np.asarray(np.multiply.outer(x, slopes) if x.ndim == 1 else x @ slopes)
