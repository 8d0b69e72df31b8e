from collections.abc import Sequence
from functools import partial

from dpot_app.figures.city_maps import lines_text
from dpot_app.kit.view import Blocks, Columns, Picture, Tab
from dpot_app.views.geolocation.base import MINIMAX_END_OF_FINE, MinimaxPoint, minimax_epsilons
from dpot_app.views.geolocation.settings import Config, requirements
from dpot_app.views.geolocation.views import city_view
from dpot_app.views.geolocation.worst_case.figures import above_text, worst_case_figure, worst_cells_figure
from dpot_app.views.geolocation.worst_case.results import (
    Minimax,
    WorstCases,
    WorstCells,
    minimax,
    worst_cases,
    worst_cells,
)
from dpot_core.mechanisms import rivals

_TAB = "Worst case"

EVERY_BASE = partial(requirements, every_base=True)


def show(config: Config, curves: WorstCases, cells: WorstCells, points: Sequence[MinimaxPoint] = ()) -> Blocks:
    """Curves, with the points of the minimax base if there are any, and the worst cells."""
    alt = "Worst-case distance against epsilon"
    curve = Picture("worst-case", alt, worst_case_figure, curves, points, cells, light=True)
    by_cell = Picture("worst-case-cells", "Worst-case distance by cell", worst_cells_figure, curves, cells, light=True)
    yield Columns((curve, by_cell), (1.4, 1))
    yield (
        "The worst input is always a point mass (Theorem 3.5): a person who was only ever in one cell. W₁ is then the "
        "mean distance of a release from that cell; single releases land nearer and farther. "
        f"{_without_curve()}WPM is the exact projection here"
        + ("." if config.reg is None else f"; with λ = {config.reg:g}, as chosen, it can move some people farther.")
        + _minimax_of_blocks(cells, points)
        + lines_text(cells.map, places=True)
    )


def _without_curve() -> str:
    """Why some mechanisms have a curve and others have none."""
    known, unknown = (" and ".join(row.label for row in rivals(kind).values()) for kind in ("exact", "lower bound"))
    return (
        f"For {known} the worst case is also taken over all inputs. {unknown} have no curve: for them the worst of "
        "all inputs is not known exactly. "
    )


def _minimax_of_blocks(cells: WorstCells, points: Sequence[MinimaxPoint]) -> str:
    above = max(cells.above, *(point.above for point in points), 0.0)
    if above == 0:
        return ""
    return (
        " On so fine a grid the minimax base is found on blocks of cells: its worst case is exact, and proven to be "
        f"the smallest that any mechanism can have{above_text(above)}."
        + (f" Its curve ends at ε = {MINIMAX_END_OF_FINE:g}: beyond, blocks prove less." if points else "")
    )


def minimax_headlines(result: Minimax) -> dict[str, float]:
    (point,) = result.points
    return {
        "Worst-case W₁, minimax base (km)": point.kilometres,
        "Worst-case W₁, lower bound of every base measure (km)": point.lower_bound,
    }


VIEWS = (
    city_view(
        "worst-case",
        _TAB,
        lambda city, config, progress: (
            worst_cases(city, progress),
            worst_cells(city, config.base, config.epsilon, progress),
        ),
        title="Worst case",
        show=show,
        tabs=(Tab("worst", _TAB),),
        headlines=lambda curves, cells: {"Worst-case W₁ of WPM (km)": float(cells.worst)},
        requirements=EVERY_BASE,
    ),
    city_view(
        "minimax",
        _TAB,
        lambda city, config, progress: (minimax(city, (config.epsilon,), progress),),
        title="Smallest worst case of any mechanism",
        show=lambda config, result: (),
        scrub=(),
        headlines=minimax_headlines,
        requirements=EVERY_BASE,
        heavy=lambda config: True,
    ),
)

#: The minimax base along the curves, whatever the settings' epsilon: the page draws it into them.
ALONG = city_view(
    "minimax-along",
    _TAB,
    lambda city, config, progress: (minimax(city, minimax_epsilons(city), progress),),
    title="Minimax base",
    show=lambda config, result: (),
    scrub=(),
    headlines=lambda result: {},
    requirements=EVERY_BASE,
    heavy=lambda config: True,
)
