"""The points on their grid, the cost, and the exact answers that no private release may look at."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpot_app.kit.cache import CACHE, cached
from dpot_app.kit.reading import read_once
from dpot_app.kit.view import Files
from dpot_app.views.sinkhorn.settings import PAPER_POINTS, Data
from dpot_core import datasets
from dpot_core.arguments import Array
from dpot_core.arguments.lazy import cached_property
from dpot_core.datasets import BOXES, DATASETS, SIMULATED_PAIRS, PointPair
from dpot_core.spaces import Space, cost_matrix, point_cloud
from dpot_core.transport.wasserstein import network_simplex, transport_cost

Indices = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class PointGrid:
    """Two sets of points on a grid of k cells."""

    data: Data
    pair: PointPair
    space: Space  # centres of the cells
    first: Array  # counts of the first set, (k,)
    second: Array
    cost: Array  # distance to the power p between centres, (k, k)

    @property
    def key(self) -> str:
        """Equal keys, equal grids."""
        return f"{self.data} {self.pair.digest}"

    @property
    def largest(self) -> float:
        return float(self.cost.max())

    @property
    def n(self) -> tuple[int, int]:
        return int(self.first.sum()), int(self.second.sum())

    @property
    def weights(self) -> tuple[Array, Array]:
        return self.first / self.n[0], self.second / self.n[1]

    @property
    def cost_unit(self) -> str:
        """Unit of the cost: ``km²``; "" where coordinates have none."""
        powers = {1: "", 2: "²", 3: "³"}
        return f"{self.pair.unit}{powers.get(self.data.p, f'^{self.data.p}')}" if self.pair.unit else ""

    @cached_property
    def exact_plan(self) -> Array:
        """An optimal plan between the true histograms, (k, k)."""
        rows, columns = self.first > 0, self.second > 0
        a, b = self.weights
        plan = np.zeros_like(self.cost)
        part = np.ascontiguousarray(self.cost[np.ix_(rows, columns)])
        plan[np.ix_(rows, columns)] = network_simplex(a[rows], b[columns], part)[0]
        return plan

    @cached_property
    def exact_cost(self) -> float:
        return float((self.exact_plan * self.cost).sum())

    @cached_property
    def samples(self) -> tuple[Array, Array]:
        """The first points of each set, of equal number, for the variant that needs a potential for every point."""
        count = min(PAPER_POINTS, *self.n)
        return self.pair.first[:count], self.pair.second[:count]

    @property
    def sample_bound(self) -> float:
        """Public bound of the cost between points: the diagonal of the rectangle to the power p."""
        return float(np.hypot(*self.pair.extent)) ** self.data.p

    @cached_property
    def sample_cost(self) -> Array:
        """Cost between these points over its bound, in [0, 1], (m, m): the paper's constants have no unit."""
        first, second = self.samples
        return np.minimum(cost_matrix(point_cloud(first), second, self.data.p) / self.sample_bound, 1.0)

    @cached_property
    def sample_exact_cost(self) -> float:
        """The exact transport cost between these points, unit of the cost."""
        m = len(self.sample_cost)
        uniform = np.full(m, 1.0 / m)
        return transport_cost(uniform, uniform, self.sample_cost) * self.sample_bound

    @cached_property
    def sample_cells(self) -> tuple[Indices, Indices]:
        """The cell of each of these points, (m,) twice."""
        side = self.data.cells
        first, second = (
            np.clip(np.floor(points / self.pair.extent * side).astype(np.intp), 0, side - 1) for points in self.samples
        )
        return first[:, 1] * side + first[:, 0], second[:, 1] * side + second[:, 0]


def load_pair(data: Data) -> PointPair:
    """The points of a source that needs no file; DatasetMissing if they have to be downloaded first."""
    if data.source in SIMULATED_PAIRS:
        return datasets.simulated_pair(data.source, data.n, data.seed)
    if data.source in DATASETS:
        return datasets.check_in_pair(datasets.loaded(DATASETS[data.source]), data.n, data.seed, BOXES.get(data.source))
    raise ValueError(f"the points of the source {data.source!r} must be given")


@cached
def point_grid(data: Data, pair: PointPair | None = None) -> PointGrid:
    """Put points on their grid; without a pair, those of a source that needs no file."""
    points = load_pair(data) if pair is None else pair
    space, first, second = points.on_grid(data.cells)
    for name, counts in zip(points.names, (first, second), strict=True):
        if counts.sum() < 2:
            raise ValueError(f"each set needs at least 2 points; {name!r} has {counts.sum():g}")
        if np.count_nonzero(counts) < 2:
            # Its potential would be one number, which says nothing, and errors have no scale.
            raise ValueError(f"{name!r} lies in one cell of the grid: take a rectangle that fits it, or more cells")
    return PointGrid(data, points, space, first, second, cost_matrix(space, p=data.p))


def grid_of(data: Data, files: Files) -> PointGrid:
    """The points of the settings on their grid, from a file of one's own where they say so."""
    return point_grid(data, own_points(files["points"], data) if data.source == "csv" else None)


def own_points(content: bytes, data: Data) -> PointPair:
    """The points of a file of one's own."""
    if data.box is not None:
        datasets.check_rectangle(data.box)  # which is no matter of the file
    return _read(content, dict(data.columns) or None, data.box)


_read = read_once(CACHE, datasets.read_pair_csv)
