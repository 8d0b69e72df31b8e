"""Output perturbation in dp_barycenters: its projection, and orders other than 2."""

import itertools
import math

import numpy as np

from dpot_app.views.papers.row import Number, Numbers, mean_of
from dpot_core.arguments import Array
from dpot_core.mechanisms.central.perturbed_barycenter import Iteration, perturbed_barycenter
from dpot_core.mechanisms.central.projection import gaussian_matrix
from dpot_core.mechanisms.central.regions import BoxRegion
from dpot_core.privacy.numerals import subscript
from dpot_core.transport.barycenters import free_support


def mixture(n: int, rng: np.random.Generator) -> Array:
    """n points of the mixture of Figure 2 in R^10, as the view of the page People draws them."""
    signs = rng.choice((-0.25, 0.25), (n, 2))
    points = 0.04 * rng.standard_normal((n, 10))
    points[:, :2] += signs
    return np.clip(points, -0.5, 0.5)


def hexagon() -> Numbers:
    """Algorithm 5 with its projection: 20 chunks of a hexagon in R^10, d' = 5; one corner of one chunk at two places.

    Three equal atoms pair the corners. The two ways along the hexagon's sides are mirror images in its centre, so they
    cost the same under every linear map; which is cheaper is up to one person. All plans are tried, in the projection.
    """
    turns = np.exp(1j * math.pi / 3 * (np.arange(6) + np.array([[0.0] * 6, [0.1] + [0.0] * 5, [-0.1] + [0.0] * 5])))
    plain, *changed = np.pad(0.5 * np.stack([turns.real, turns.imag], axis=2), ((0, 0), (0, 0), (0, 8)))
    ways = np.array(
        [order for order in itertools.permutations(range(6)) if all(np.diff(np.reshape(order, (3, 2))) > 0)]
    )
    first = ways[(np.diff(ways[:, ::2]) > 0).all(axis=1)]
    rng, moves = np.random.default_rng(1), []
    for _ in range(200):
        matrix, best = gaussian_matrix(10, 5, rng), []
        for other in changed:
            # The 19 hexagons all have the plan that is best for the atoms, the same for all.
            atoms = (19 * _pairs(plain, first)[:, None] + _pairs(other, ways)[None]) / 20
            gain = ((atoms @ matrix) ** 2).sum(axis=(2, 3))
            best.append(atoms[np.unravel_index(gain.argmax(), gain.shape)])
        orders = itertools.permutations(range(3))
        moves.append(min(float(np.linalg.norm(best[0] - best[1][list(order)], axis=1).max()) for order in orders))
    return {
        "an atom moves by (diameters), hexagons in R¹⁰, d' = 5": mean_of(moves),
        "projections of 200 where it moves farther than 1/(k k')": Number(float(np.sum(np.array(moves) > 1 / 20))),
        "1/(k k') allows, hexagons": Number(1 / 20),
    }


def _pairs(points: Array, ways: Array) -> Array:
    return np.asarray(points[ways].reshape(len(ways), 3, 2, -1).mean(axis=2))


def steps_in_a_projection() -> Numbers:
    """Proven steps at the mixture of Figure 2, m = 8, epsilon = 1, delta = 1e-5, with and without a projection."""
    box, numbers = BoxRegion(np.full(10, -0.5), np.full(10, 0.5)), dict[str, Number]()
    for n in (1_000, 10_000):
        costs: dict[str, list[float]] = {}
        for run in range(10):
            group = mixture(n, np.random.default_rng([1, run]))
            plain = free_support([(group, None)], 8, np.random.default_rng([1, run, 1]))
            costs.setdefault("non-private", []).append(plain.cost)
            for target, label in ((None, "not projected"), (5, "d' = 5"), (2, "d' = 2")):
                made = perturbed_barycenter(
                    [group],
                    8,
                    1.0,
                    1e-5,
                    region=box,
                    rng=np.random.default_rng([2, run]),
                    iteration=Iteration(projection=target),
                )
                costs.setdefault(label, []).append(made.cost([(group, None)]))
        numbers |= {f"cost, {label}, n = {n:,}": mean_of(found) for label, found in costs.items()}
    return numbers


def other_orders() -> Numbers:
    """W_p to two groups of four skew clouds, m = 4, epsilon = 1: steps for the order that is asked for, and for 2."""
    numbers, square = dict[str, Number](), ((-0.5, -0.5), (0.5, 0.5))
    centres = np.array([[-0.25, -0.25], [-0.25, 0.25], [0.25, -0.25], [0.25, 0.25]])
    for p in (1.0, 4.0):
        costs: dict[str, list[float]] = {}
        for run in range(5):
            rng = np.random.default_rng([3, run])
            drawn = (centres[rng.integers(0, 4, n)] + 0.03 * rng.standard_exponential((n, 2)) for n in (6_000, 4_000))
            groups = [np.clip(points, -0.5, 0.5) for points in drawn]
            pairs = [(points, None) for points in groups]
            costs.setdefault("non-private", []).append(free_support(pairs, 4, np.random.default_rng(run), p).cost)
            for order in (p, 2.0):
                made = perturbed_barycenter(
                    groups,
                    4,
                    1.0,
                    1e-5,
                    region=square,
                    rng=np.random.default_rng([4, run]),
                    iteration=Iteration(p=order),
                )
                costs.setdefault(f"steps for p = {order:g}", []).append(made.cost(pairs, p))
        for label, found in costs.items():
            numbers[f"W{subscript(int(p))}, {label}"] = mean_of([cost ** (1 / p) for cost in found])
    return numbers
