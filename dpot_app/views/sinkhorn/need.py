from dataclasses import replace
from functools import partial
from typing import Any

from dpot_app.kit.need import NO_FILES, Need, Own, Side
from dpot_app.kit.view import Files
from dpot_app.views.sinkhorn.cost.results import cost_point, laplace_error
from dpot_app.views.sinkhorn.noise import noise
from dpot_app.views.sinkhorn.point_grid import PointGrid, grid_of
from dpot_app.views.sinkhorn.release.results import on_points
from dpot_app.views.sinkhorn.settings import BRING, DRAWS, SOURCES, Config, Data
from dpot_core import datasets
from dpot_core.datasets import DATASETS
from dpot_core.mechanisms.central.sinkhorn_costs import CostOptions, private_transport_cost
from dpot_core.privacy.guarantees import Guarantee
from dpot_core.privacy.numerals import at_most, number

#: What the page would be asked for, beside data and epsilon.
PAIR = Config(data=Data(n=1_000, p=1))

#: The ways to the cost that keep their guarantee.
WAYS = {
    "laplace": "Direct Laplace",
    "histograms": "Histograms first",
    "proven": "Noisy Sinkhorn, then its dual value",
}
_COLOURS = {"laplace": "direct-laplace", "histograms": "private-histograms", "proven": "noisy-sinkhorn"}

_CELLS = f"{PAIR.data.cells} × {PAIR.data.cells} cells"
_GRID = f"The true distance is that between the counts in {_CELLS}: what the grid rounds off is not counted."

#: Values of epsilon that are tried where nothing is known.
GRID = (0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0)


def _points(config: Any) -> Data:
    if config.source != "csv":
        return replace(PAIR.data, source=config.source)
    return replace(PAIR.data, source="csv", columns=config.columns, box=config.box)


def _guarantee(grid: PointGrid, way: str, epsilon: float) -> Guarantee:
    guarantee = private_transport_cost(
        grid.cost,
        grid.first,
        grid.second,
        epsilon=epsilon,
        delta=0.0 if way == "laplace" else PAIR.delta,
        options=CostOptions(PAIR.eta * grid.largest, PAIR.steps),
        method=way,
        rng=noise(replace(PAIR, epsilon=epsilon), grid, f"cost-{way}"),
    ).guarantee
    return on_points(guarantee, grid.pair)


def _error(grid: PointGrid, way: str, epsilon: float) -> float:
    """Median error of the cost, km: in closed form for Laplace noise on it, from draws for the others."""
    pair = replace(PAIR, epsilon=epsilon)
    return laplace_error(pair, grid) if way == "laplace" else cost_point(pair, grid, (way,)).typical(way)


def _side(points: PointGrid, **known: Any) -> Side:
    return Side(
        colours=_COLOURS,
        evaluate=partial(_error, points),
        because={"laplace": "Its noise has the scale |c|/(n ε), whatever the data are."},
        guarantee=partial(_guarantee, points),
        **known,
    )


def _worst(config: Any, files: Files = NO_FILES) -> Side:
    grid = grid_of(_points(config), files)
    return _side(
        grid,
        what=f"median error of the released distance (W_1), wherever the {grid.n[0]:,} and {grid.n[1]:,} check-ins are",
        labels={"laplace": WAYS["laplace"]},
        note=(
            f"Closed form: |c| log 2/(n ε). Here |c| = {number(grid.largest)} km is the longest way between two cells, "
            f"and n the size of the smaller set. Only the rectangle and the sizes of the data count. {_GRID} The other "
            "ways have no closed form."
        ),
    )


def _data(config: Any, files: Files = NO_FILES) -> Side:
    grid = grid_of(_points(config), files)
    return _side(
        grid,
        what=(
            f"median error of the released distance (W_1), {grid.n[0]:,} and {grid.n[1]:,} check-ins, {DRAWS} draws of "
            "the noise (Direct Laplace: closed form)"
        ),
        labels=WAYS,
        note=f"{_GRID} K = {PAIR.steps} rounds, η = {PAIR.eta:g} |c|, "
        f"δ = {PAIR.delta:g} (Direct Laplace needs none). Draws with fixed seeds. {grid.pair.title}.",
        simulated=grid.pair.simulated,
        grid=GRID,
    )


_OWN = Own(
    role="points",
    source=SOURCES["csv"],
    label="File: group, x, y",
    missing=BRING,
    sniff=datasets.sniff_pair,
    roles=datasets.PAIR_ROLES,
    regions={"around": "Around the points", "fixed": "Fixed beforehand"},
    rectangle="fixed",
    region="rectangle",
)

NEED = Need(
    key="two-sets",
    title="Distance between two data sets",
    question="the released distance is at most {} from the true one, half of the time",
    unit="median error (km)",
    write=lambda value: f"{at_most(value)} km",
    targets=(0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0),
    default=0.05,
    worst=_worst,
    data=_data,
    shows=lambda config, side: ("sinkhorn.cost", replace(PAIR, data=_points(config))),
    sets=DATASETS,
    own=_OWN,
)
