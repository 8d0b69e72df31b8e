from collections.abc import Iterator, Sequence
from functools import partial

from dpot_app.cities.city_map import CityMap
from dpot_app.figures.city_maps import lines_text
from dpot_app.figures.style import km_at_most
from dpot_app.kit.many_releases import many_text
from dpot_app.kit.view import Blocks, Columns, Picture, Tab
from dpot_app.views.geolocation.base import MINIMAX_END_OF_FINE, MinimaxPoint, minimax_epsilons
from dpot_app.views.geolocation.person.results import one_person
from dpot_app.views.geolocation.settings import BASES, Config, requirements
from dpot_app.views.geolocation.views import city_view, slow
from dpot_app.views.geolocation.worst_case.figures import (
    above_text,
    in_use_figure,
    worst_case_figure,
    worst_cells_figure,
)
from dpot_app.views.geolocation.worst_case.results import (
    Here,
    InUse,
    Minimax,
    WorstCases,
    WorstCells,
    in_use,
    minimax,
    worst_cases,
    worst_cells,
)
from dpot_core.mechanisms import MECHANISMS, rivals
from dpot_core.privacy.numerals import enumeration

EVERY_BASE = partial(requirements, every_base=True)


def show(config: Config, curves: WorstCases, cells: WorstCells, points: Sequence[MinimaxPoint] = ()) -> Blocks:
    """Curves, with the points of the minimax base if there are any, and the worst cells."""
    alt = "Worst-case distance against epsilon"
    curve = Picture("worst-case", alt, worst_case_figure, curves, points, cells)
    by_cell = Picture("worst-case-cells", "Worst-case distance by cell", worst_cells_figure, curves, cells)
    yield Columns((curve, by_cell), (1.4, 1))
    yield (
        "The worst input is always a point mass (Theorem 3.5): a person who was only ever in one cell. "
        f"{_read(cells.map)} of the releases from that cell; single releases land nearer and farther. "
        f"{_without_curve()}WPM is the exact projection here"
        + ("." if config.reg is None else f"; with λ = {config.reg:g}, as chosen, it can move some people farther.")
        + _minimax_of_blocks(cells, points)
        + lines_text(cells.map, places=True)
    )


def _read(city: CityMap) -> str:
    """The meaning of W_p from a point mass."""
    mean = {1.0: "mean distance", 2.0: "root mean square distance"}
    usual = f"p-th root of the mean p-th power of the distance, p = {city.p:g},"
    return f"{city.loss} is then the {mean.get(city.p, usual)}"


def _without_curve() -> str:
    """Why some mechanisms have a curve and others have none."""
    known, unknown = (" and ".join(row.label for row in rivals(kind).values()) for kind in ("exact", "lower bound"))
    return (
        f"For {known} the worst case is also taken over all inputs. {unknown} have no curve here, because their worst "
        "case over all inputs is not known exactly. *One person* shows bounds for it. "
    )


def _minimax_of_blocks(cells: WorstCells, points: Sequence[MinimaxPoint]) -> str:
    above = max(cells.above, *(point.above for point in points), 0.0)
    if above == 0:
        return ""
    return (
        " On so fine a grid the minimax base is found on blocks of cells. Its worst case is exact. It is proven to be "
        f"the smallest that any mechanism can have{above_text(above)}."
        + (f" Its curve ends at ε = {MINIMAX_END_OF_FINE:g}: beyond, blocks prove less." if points else "")
    )


def show_in_use(config: Config, worst: InUse, here: Here) -> Blocks:
    """The worst cases of the mechanisms that are shown: beside the maps, on no tab."""
    alt = "Worst-case Wasserstein distance of the mechanisms that are shown, against epsilon"
    yield Picture("worst-curves", alt, in_use_figure, worst, here)
    yield "★: the lines at this ε. ○: this person. " + " ".join([*_known(worst), *_missing(worst), *_bases(worst)])
    yield many_text({MECHANISMS[name].label: one for name, one in worst.many.items()}, worst.config.epsilon)


def _known(worst: InUse) -> Iterator[str]:
    """How the lines are known that are no worst cases."""
    config, wpm = worst.config, worst.curves.get("wpm")
    bands = [MECHANISMS[name].label for name, curve in worst.curves.items() if not curve.known and curve is not wpm]
    if bands:
        yield (
            f"{enumeration(bands)}: the line is the largest distance over people who were in one cell only. Over all "
            "histories, the worst case lies in the shade, whose upper edge is a proven bound."
        )
    if wpm is not None and worst.exact is not None:
        some = "" if worst.all_run else f" of the {worst.run:,} cells that were tried"
        yield (
            f"WPM with λ = {config.reg:g} (dotted): the largest distance over people in one cell{some}. Over all "
            f"histories it is proven to be at most {km_at_most(wpm.now.at_most)} at this ε. Only the exact "
            "projection's worst case is known."
        )


def _missing(worst: InUse) -> Iterator[str]:
    if worst.missing:
        yield (
            f"{enumeration([MECHANISMS[name].label for name in worst.missing])}: left out, because its reference, the "
            "base measure, has cells that are never released."
        )


def _bases(worst: InUse) -> Iterator[str]:
    if len(worst.bases) > 1:
        said = ", ".join(f"{BASES[name].lower()} {km_at_most(far)}" for name, far in worst.bases.items())
        yield f"Exact WPM's worst case by base measure: {said}."


def minimax_headlines(result: Minimax) -> dict[str, float]:
    (point,) = result.points
    return {
        f"Worst-case {result.map.loss}, minimax base (km)": point.kilometres,
        f"Worst-case {result.map.loss}, lower bound of every base measure (km)": point.lower_bound,
    }


VIEWS = (
    city_view(
        "worst-case",
        "worst",
        lambda city, config, progress: (
            worst_cases(city, progress),
            worst_cells(city, config.base, config.epsilon, progress),
        ),
        title="Worst case",
        show=show,
        tabs=(Tab("worst", "Worst case", idle=("mechanisms",)),),
        headlines=lambda curves, cells: {f"Worst-case {cells.map.loss} of WPM (km)": float(cells.worst)},
        requirements=EVERY_BASE,
    ),
    city_view(
        "minimax",
        "worst",
        lambda city, config, progress: (minimax(city, (config.epsilon,), progress),),
        title="Smallest worst case of any mechanism",
        show=lambda config, result: (),
        scrub=(),
        headlines=minimax_headlines,
        requirements=EVERY_BASE,
        heavy=lambda config: True,
    ),
)

#: Beside the maps of one person, on no tab: what is seen there depends on the person too.
IN_USE = city_view(
    "worst-curves",
    "person",
    lambda city, config, progress: (
        in_use(city, config, progress),
        Here(city.map, one_person(city, config).kilometres),
    ),
    title="Worst cases of the mechanisms shown",
    show=show_in_use,
    headlines=lambda worst, here: {},
    heavy=lambda config: slow(config) or (config.reg is not None and config.reg < 0.01),
)

#: The minimax base along the curves, whatever the settings' epsilon: the page draws it into them.
ALONG = city_view(
    "minimax-along",
    "worst",
    lambda city, config, progress: (minimax(city, minimax_epsilons(city), progress),),
    title="Minimax base",
    show=lambda config, result: (),
    scrub=(),
    headlines=lambda result: {},
    requirements=EVERY_BASE,
    heavy=lambda config: True,
)
