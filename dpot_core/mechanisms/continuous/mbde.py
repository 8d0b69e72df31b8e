"""MBDE: the reference density, boosted by trained classifiers whose outputs are bounded; a baseline."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol, overload

import numpy as np
from numpy.typing import ArrayLike

from dpot_core.arguments import Array, Rows, check_count, check_number
from dpot_core.arguments.options import by_name
from dpot_core.arguments.progress import Progress
from dpot_core.distributions.divergences import DIVERGENCES
from dpot_core.mechanisms.continuous.classifiers import CAP, Classifier, Training, trained
from dpot_core.mechanisms.continuous.crossings import Nodes, cut, laid_out
from dpot_core.mechanisms.continuous.envelopes import LEVELS, Envelope, build_envelope
from dpot_core.mechanisms.continuous.families import DensityFamily, on_points
from dpot_core.mechanisms.continuous.quadrature import integral
from dpot_core.mechanisms.exact_bernoulli import happens
from dpot_core.privacy.polytopes import inward_bounds

# A draw costs e^(epsilon/2) draws from the reference.
_LARGEST_EPSILON = 20.0
# What panels are refined to, and the share of the budget that covers the rounding of exponents.
_TOLERANCE = 1e-9
_ROUNDING = 1e-14
_MOST_AT_ONCE = 200_000


class Drawable(Protocol):
    """A density that can be drawn from exactly, as `GaussianMixture`."""

    def __call__(self, points: Array) -> Array:
        """Values at points (n,) or (n, 2)."""

    def sample(self, n: int, rng: np.random.Generator) -> Array:
        """Draw n points, (n,) or (n, 2)."""


@dataclass(frozen=True, eq=False)
class BoostedDensity:
    """An output density q = q0 e^S / Z with S = sum_t theta_t c_t, and how it was found.

    With a = epsilon / (epsilon + 4 log 2) and theta_t = a^t, the classifiers' bound log 2 gives |S| <= E for E =
    log 2 sum_t theta_t = epsilon (1 - a^T) / 4. So Z, a mean of e^S, lies in [e^-E, e^E], and q in [e^-2E, e^2E] q0:
    outputs of two inputs differ by at most e^4E < e^epsilon, however the classifiers were trained.

    The promise is for a draw. The classifiers were trained on points of the input: they, Z and the density itself stay
    with the person. Draws are exact and need no quadrature to be private: Z cancels in them.

    Attributes:
        epsilon: privacy parameter of a draw, in nats.
        epsilon_used: 4 E.
        classifiers: c_1, ..., c_T.
        weights: theta_1, ..., theta_T.
        reference: q0.
        normaliser: Z, by quadrature.
        error: of the integral of q, as far as the coarser rules show.
    """

    epsilon: float
    epsilon_used: float
    classifiers: tuple[Classifier, ...] = field(repr=False)
    weights: tuple[float, ...] = field(repr=False)
    reference: Envelope = field(repr=False)
    normaliser: float
    error: float
    nodes: Nodes = field(repr=False)

    @property
    def b(self) -> float:
        """Lower bound as a multiple of q0: e^-2E."""
        return math.exp(-self.epsilon_used / 2)

    @property
    def upper(self) -> float:
        """Upper bound as a multiple of q0: e^2E."""
        return math.exp(self.epsilon_used / 2)

    @property
    def acceptance(self) -> float:
        """Share of draws from q0 that `sample` accepts: 1 / upper within `error`, for every input."""
        return 1.0 / self.upper

    @overload
    def density(self, x: float) -> float: ...
    @overload
    def density(self, x: Rows) -> Array: ...
    @overload
    def density(self, x: ArrayLike) -> float | Array: ...
    def density(self, x: ArrayLike) -> float | Array:
        """q at points: any shape on the line, (..., 2) in the plane; 0 outside the domain."""
        return on_points(lambda points: self._between(points)[0], x, self.reference.domain.dimension)

    @overload
    def band(self, x: float) -> tuple[float, float]: ...
    @overload
    def band(self, x: Rows) -> tuple[Array, Array]: ...
    @overload
    def band(self, x: ArrayLike) -> tuple[float | Array, float | Array]: ...
    def band(self, x: ArrayLike) -> tuple[float | Array, float | Array]:
        """The bounds of every output at points, as floats: e^-2E q0 and e^2E q0."""
        dimension = self.reference.domain.dimension
        return (
            on_points(lambda points: self._between(points)[1], x, dimension),
            on_points(lambda points: self._between(points)[2], x, dimension),
        )

    def divergences(self) -> dict[str, float]:
        """D_f(P || Q) for every name of `DIVERGENCES`, by the quadrature that found Z."""
        p, q = self.nodes.p, self.nodes.h
        ratio = np.divide(p, q, out=np.ones_like(p), where=q > 0)
        return {name: max(self.nodes.integral(q * row.generator(ratio)), 0.0) for name, row in DIVERGENCES.items()}

    def sample(self, n: int, rng: np.random.Generator) -> Array:
        """Draw n points, (n,) or (n, 2), from q by rejection from q0, exactly: no Markov chain is needed.

        How many draws are rejected does not depend on the input (see `acceptance`), so it reveals nothing about it.
        """

        def accepted(points: Array) -> Array:
            return self._ratio(points) / self.upper

        return _by_rejection(self.reference, accepted, check_count(n, "n", 0, 10**9), self.acceptance, rng)

    def _ratio(self, points: Array) -> Array:
        """Q over q0, e^S / Z, at points (n,) or (n, 2)."""
        exponent = _exponent(self.classifiers, self.weights, self.epsilon_used / 4, points)
        return np.clip(np.exp(exponent) / self.normaliser, self.b, self.upper)

    def _between(self, points: Array) -> tuple[Array, Array, Array]:
        """The output and its bounds at points (n,) or (n, 2)."""
        q0 = self.reference.density(points)
        lower, upper = inward_bounds(q0, self.b, self.upper)
        return np.clip(q0 * self._ratio(points), lower, upper), lower, upper


@by_name(training=Training)
def boosted_density(
    p: Drawable,
    reference: DensityFamily | Envelope,
    epsilon: float,
    rng: np.random.Generator,
    training: Training = Training(),
    progress: Progress = lambda done, total: None,
) -> BoostedDensity:
    """MBDE: q_t proportional to q_(t-1) e^(theta_t c_t), theta_t = (epsilon / (epsilon + 4 log 2))^t, T rounds from q0.

    c_t, bounded by log 2, is trained to tell points of p from points of q_(t-1), of which log(p / q_(t-1)) would be
    the best without the bound. Trained and random: another ``rng`` gives another output, each in the band e^(+-
    epsilon/2) q0. Classifiers are networks with one hidden layer, trained by Adam on the cross-entropy; points of
    q_(t-1) are drawn exactly, by rejection from q0, where the paper runs Metropolis-Hastings. Its program's
    classifiers, which end in a sigmoid, lie between 0 and 1 and weigh (epsilon/(epsilon + 4))^t in three rounds: its
    log-density spans .248 at epsilon 1, this one .500.

    Args:
        p: density of the input, with a method to draw from it.
        reference: q0, public, on a bounded interval or in the plane: an `Envelope`, or the normalised h of a family.
        epsilon: privacy parameter in nats, of a draw; at most 20.
        rng: of the training: points, first weights, order.
        training: how classifiers are trained; fields may be given by name (rounds, samples, hidden, steps).
        progress: is told how many steps of how many are done.

    Returns:
        `BoostedDensity` with `.density(x)`, `.b`, `.divergences()`, `.sample(n, rng)`.

    Raises:
        ValueError: if an argument is out of range, or the reference lives on an unbounded interval.

    Source: Husain, Balle, Cranko, Nock 2020 (MBDE), as minimax_ldp_sampling, section 2.3 and 5, compares with it.
    """
    epsilon = check_number(epsilon, "epsilon", 1e-6, _LARGEST_EPSILON)
    shape = reference.envelope if isinstance(reference, DensityFamily) else reference
    if shape.domain.dimension == 1 and not shape.domain.is_bounded:
        raise ValueError(f"on the line MBDE is made for bounded intervals; got {shape.domain.bounds}")
    for name, most in {"rounds": 1000, "samples": 10**7, "hidden": 1000, "steps": 10**6}.items():
        check_count(getattr(training, name), name, 1, most)
    rounds, steps = training.rounds, training.steps
    weights = step_weights(epsilon, rounds)
    found: list[Classifier] = []
    for number in range(rounds):

        def report(step: int, number: int = number) -> None:
            progress(number * steps + step, rounds * steps)

        ours = p.sample(training.samples, rng)
        theirs = _draw(shape, found, weights[:number], training.samples, rng)
        found.append(trained(ours, theirs, training.hidden, steps, rng, report))
    return combined(p, shape, epsilon, found)


def step_weights(epsilon: float, rounds: int) -> tuple[float, ...]:
    """theta_t = (epsilon / (epsilon + 4 log 2))^t for t = 1, ..., rounds; they sum to less than epsilon / (4 log 2).

    Args:
        epsilon: privacy parameter in nats.
        rounds: T.
    """
    base = epsilon / (epsilon + 4 * CAP)
    return tuple(base**t for t in range(1, rounds + 1))


def combined(p: Drawable, reference: Envelope, epsilon: float, classifiers: Sequence[Classifier]) -> BoostedDensity:
    """The output of given classifiers, which need not have been trained well, or at all.

    Args:
        p: density of the input, for `divergences`.
        reference: q0.
        epsilon: privacy parameter in nats.
        classifiers: c_1, ..., c_T.
    """
    kept = tuple(classifiers)
    weights = step_weights(epsilon, len(kept))
    # 4 E, a little less, so that rounding stays inside: the exponent is cut there.
    used = epsilon * (1.0 - (epsilon / (epsilon + 4 * CAP)) ** len(kept)) * (1.0 - _ROUNDING)

    def unnormalised(x: Array) -> Array:
        return reference.density(x) * np.exp(_exponent(kept, weights, used / 4, x))

    mass, error, nodes = _integrated(p, reference, unnormalised)
    normaliser = float(np.clip(mass, math.exp(-used / 4), math.exp(used / 4)))
    return BoostedDensity(epsilon, used, kept, weights, reference, normaliser, error, nodes)


def _integrated(p: Drawable, reference: Envelope, unnormalised: Callable[[Array], Array]) -> tuple[float, float, Nodes]:
    """Z, the error of the integral of q, and P and Q at nodes: numbers to show, on which no promise depends."""
    panels, _ = reference.panels(LEVELS[0])
    first = panels.line == 0
    try:
        edges = np.append(panels.low[first], panels.high[first][-1])
        output = build_envelope(unnormalised, reference.domain, edges=edges)
        nodes = next(laid_out(p, output, _TOLERANCE))
        total, error = integral(nodes.panels, nodes.h)
        return output.mass, error + abs(total - 1.0), cut(p, output, nodes, (1.0,))
    except ValueError:  # too rough for panels that are refined: the public ones, and the error as it is
        q = panels.values(unnormalised)
        mass, error = integral(panels, q)
        values = np.nan_to_num(np.asarray(p(panels.points), dtype=np.float64), posinf=0.0).reshape(q.shape)
        return mass, error / mass, Nodes(panels, np.maximum(values, 0.0), q / mass, error / mass)


def _exponent(classifiers: Sequence[Classifier], weights: Sequence[float], bound: float, x: Array) -> Array:
    """S at points (n,) or (n, 2), within the bound."""
    total = np.zeros(len(x))
    for weight, classifier in zip(weights, classifiers, strict=True):
        total += weight * classifier(x)
    return np.clip(total, -bound, bound)


def _draw(
    reference: Envelope, classifiers: Sequence[Classifier], weights: Sequence[float], n: int, rng: np.random.Generator
) -> Array:
    """Points from the density proportional to q0 e^S."""
    bound = CAP * math.fsum(weights)

    def accepted(points: Array) -> Array:
        return np.exp(_exponent(classifiers, weights, bound, points) - bound)

    return _by_rejection(reference, accepted, n, math.exp(-bound), rng)


def _by_rejection(
    reference: Envelope, accepted: Callable[[Array], Array], n: int, rate: float, rng: np.random.Generator
) -> Array:
    """Points of q0, each kept with the probability that it is given; the rate only sets how many are tried."""
    kept: list[Array] = []
    missing = n
    while missing > 0:
        points = reference.sample(min(int(1.1 * missing / rate) + 16, _MOST_AT_ONCE), rng)
        kept.append(points[happens(accepted(points), rng)][:missing])
        missing -= len(kept[-1])
    return np.concatenate(kept) if kept else reference.sample(1, rng)[:0]
