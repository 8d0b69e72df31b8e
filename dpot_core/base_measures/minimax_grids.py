"""A nearly minimax base measure of a large grid, with a proof of how near: solved on blocks of the grid.

Points are drawn together to blocks of s by s, and the minimax base of the blocks' middles is found by cutting planes
(`minimax`). From its two halves come both ends of an interval that holds min f of the whole grid, over all bases:

- **From above.** The mass of a block is spread evenly over its points. That is a base measure of the grid, and its
  worst case f(m) is known exactly (`costliest_point`): min f is no larger.
- **From below.** The dual solution is a mixture of inputs c, with weights w_c and marginal costs tau_c. Any mixture of
  inputs of the grid, each with any tau_i, gives the bound of weak duality

      f(m) >= sum_i w_i phi_i(m) >= sum_i w_i (tau_i + sum_j (alpha (C_ij - tau_i)_+ - beta (tau_i - C_ij)_+) m_j),

  whose least value over all m is a sort (`least_slope`). Here each block's weight is spread evenly over its points, and
  over the blocks that are its mirror images. Nothing is asked of the blocks' solution: however far it is off, the
  bound holds.

Spread over a block, cost, mass and weight change to second order in the size of the block only, so that the ends are
near each other with few blocks.
"""

from __future__ import annotations

import numpy as np

from dpot_core.arguments import Array, check_count, check_epsilon, check_number
from dpot_core.base_measures.minimax import MinimaxBase, Mixture, cutting_planes, reduced
from dpot_core.base_measures.objective import GapProgress, least_slope
from dpot_core.base_measures.scaled import best_uniform_base
from dpot_core.spaces import GridCost, Space
from dpot_core.transport.point_inputs import Indices, costliest_point, costs_of_points

#: Distances that are worked on together, 32 MB.
_AT_ONCE = 2**22
#: Rounding of sums of so many terms, relative to the largest cost.
_ROUNDING = 1e-12


def minimax_base_on_grid(
    cost: GridCost,
    epsilon: float,
    tol: float = 1e-3,
    blocks: int = 40,
    max_iter: int = 1000,
    progress: GapProgress | None = None,
) -> MinimaxBase:
    """A base measure of a grid of any size whose worst case is near the smallest one, and how near it is for certain.

    Args:
        cost: of the grid.
        epsilon: privacy parameter in nats.
        tol: relative gap to which the minimax base of the blocks is found; that of the whole grid is `.gap`.
        blocks: at most so many on each axis; more are nearer, and take longer.
        max_iter: largest number of rounds for the blocks.
        progress: called with (round, value, lower_bound) of the blocks; an exception from it abandons the work.

    Returns:
        `.base`, its worst case `.value` (exact), and `.lower_bound`, below which no base measure has its worst case.
        The gap is not zero, because blocks are no points. `.trace` is that of the blocks.

    Raises:
        RuntimeError: if the gap of the blocks is not closed within max_iter rounds.
    """
    epsilon, tol = check_epsilon(epsilon), check_number(tol, "tol", 1e-12, 1.0)
    blocks, max_iter = check_count(blocks, "blocks", 2), check_count(max_iter, "max_iter")
    xs, ys = cost.axes
    along_x, along_y = blocks_of(xs.size, blocks), blocks_of(ys.size, blocks)
    block = (along_y[:, None] * (along_x[-1] + 1) + along_x).ravel()
    size = np.bincount(block).astype(np.float64)
    scale = cost.max() or 1.0
    coarse = Space(_middles(cost.space.points, block), cost.space.metric).distances() ** cost.p / scale
    objective, delta, inputs = reduced(coarse, epsilon)

    def report(step: int, value: float, bound: float) -> None:
        if progress is not None:
            progress(step, value * scale, bound * scale)

    start = best_uniform_base(objective.cost, epsilon)
    solved, bound, trace, proof = cutting_planes(objective, start, delta, tol, max_iter, report)
    if trace[-1, 0] - bound > tol * trace[-1, 0] + _ROUNDING:
        raise RuntimeError(f"minimax base: the gap of {size.size} blocks is open after {len(trace)} rounds")
    base = (solved / size)[block]
    # Mirror images are one number, so that one quarter of the inputs will do.
    base = _mirrored(base, ys.size, xs.size)
    base *= np.clip(base.sum(), objective.alpha, objective.beta) / base.sum()
    lower, upper = objective.alpha * base, objective.beta * base

    def alive(_done: int, _total: int) -> None:
        report(len(trace), *trace[-1])

    def costs_of(inputs: Indices) -> Array:
        return costs_of_points(cost, lower, upper, inputs, alive)

    _, value = costliest_point(cost.space, cost.p, costs_of)
    proven = _proven(cost, proof, inputs, block, size, objective.alpha, objective.beta)
    # No output is nearer to an input than its nearest place.
    proven = min(max(proven - _ROUNDING * scale, 0.0), value)
    return MinimaxBase(base, value, proven, value - proven, len(trace), trace * scale)


def blocks_of(points: int, most: int) -> Indices:
    """The block of each point of an axis, (points,): at most so many blocks, which are the same from both ends.

    The outermost points, where inputs are worst off, are blocks of their own.
    """
    if points <= most:
        return np.arange(points)
    inner = points - 2
    count = most - 2 - (inner - most) % 2
    half = (np.arange(inner // 2) * count) // inner
    middle = [count // 2] * (inner % 2)
    within = np.concatenate([half, middle, count - 1 - half[::-1]])
    return np.concatenate([[0], 1 + within, [count + 1]]).astype(np.intp)


def _middles(points: Array, block: Indices) -> Array:
    """The mean of each block's points, (blocks, d)."""
    count = np.bincount(block)
    return np.column_stack([np.bincount(block, along) / count for along in points.T])


def _mirrored(values: Array, ny: int, nx: int) -> Array:
    """The mean of values (ny nx,) and their mirror images, the same to the last bit at all four."""
    table = values.reshape(ny, nx)
    table = 0.5 * (table + table[::-1])
    return np.asarray(0.5 * (table + table[:, ::-1])).ravel()


def _proven(
    cost: GridCost, proof: Mixture, inputs: Indices, block: Indices, size: Array, alpha: float, beta: float
) -> float:
    """The bound from below, in cost units.

    Args:
        cost: of the grid.
        proof: of the blocks, costs divided by the largest one of the grid.
        inputs: class of every block.
        block: of every point.
        size: number of points of every block.
        alpha: e^(-epsilon/2).
        beta: e^(epsilon/2).
    """
    scale, (xs, ys) = cost.max() or 1.0, cost.axes
    # One output of each four that are mirror images.
    rows, columns = np.arange((ys.size + 1) // 2), np.arange((xs.size + 1) // 2)
    quarter = (rows[:, None] * xs.size + columns).ravel()
    images = (2 - (2 * rows + 1 == ys.size))[:, None] * (2 - (2 * columns + 1 == xs.size))
    slopes = np.zeros(quarter.size)
    members = np.bincount(inputs)
    points = cost.space.points
    for number, tau, weight in zip(proof.inputs, proof.taus * scale, proof.weights, strict=True):
        places = np.flatnonzero(inputs[block] == number)
        # Every block of the class has the same share, and so has each point of a block.
        share = weight / (members[number] * size[block[places]])
        step = max(1, _AT_ONCE // places.size)
        for first in range(0, quarter.size, step):
            outputs = points[quarter[first : first + step]]
            away = Space(outputs, cost.space.metric).distances(points[places]) ** cost.p - tau
            slopes[first : first + step] += np.where(away > 0, alpha, beta) * away @ share
    return float(proof.weights @ proof.taus) * scale + least_slope(
        slopes, images.ravel().astype(np.float64), alpha, beta
    )
