from dpot_core.studies._kit.view import Blocks, Columns, Picture, Tab
from dpot_core.studies.mixture.densities import make_family, ring_modes
from dpot_core.studies.mixture.disclosed import disclosure
from dpot_core.studies.mixture.outputs import numbers_table, total_variations
from dpot_core.studies.mixture.plane.figures import difference_figure, plane_figure
from dpot_core.studies.mixture.plane.results import Plane, largest_change, run_plane
from dpot_core.studies.mixture.settings import TABS, Config, Family, in_the_plane, link
from dpot_core.studies.mixture.views import mixture_view, refusals


def show(config: Config, result: Plane) -> Blocks:
    first = next(iter(result.densities), "")
    pictures = [*show_maps(config, result), *(show_difference(config, result, first) if first else ())]
    yield Columns(pictures, (1.5, 1.0)[: len(pictures)])
    yield from show_numbers(config, result)


def show_maps(_config: Config, result: Plane) -> Blocks:
    alt = "Density of the input and of each mechanism's output in the plane"
    yield Picture("plane", alt, plane_figure, result, light=True)


def show_difference(config: Config, result: Plane, name: str) -> Blocks:
    """One output minus the input; the first where the settings do not allow the one that is asked for."""
    name = name if name in result.densities else next(iter(result.densities))
    alt = "Difference between an output density and the input density"
    yield Picture("difference", alt, difference_figure, result, name, largest_change(config, name), light=True)


def show_numbers(config: Config, result: Plane) -> Blocks:
    """The promise, and this input in numbers."""
    text = "One colour scale for all maps. Dotted: borders of where KPM clips P/r."
    yield text + refusals(result.infeasible)
    yield disclosure(config)
    yield numbers_table(result.numbers, result.worst)
    yield (
        f"c₂ = {make_family(config.family).c2:.9g}. Between public nodes outputs are linear multiples of h: "
        f"their integral is a finite sum, within 2e-7 of 1 for every input whatsoever (error of the public numbers: "
        f"{result.error:.1e}); the density is made for ε′ = {result.epsilon_used:.9g}. Draws in the plane are floats, "
        f"for demonstrations: a release for real is made on the line only. WPM: exact, on "
        f"{config.cells} × {config.cells} cells of the square shown."
    )


VIEW = mixture_view(
    key="mixture.plane",
    title="A density in the plane",
    example=Config(ring_modes(3), Family(0.5, 1.0, 2), 0.5, ("kpm", "mollifier", "wpm"), cells=20),
    compute=lambda config, files, progress: (run_plane(config),),
    show=show,
    tabs=(Tab("plane", TABS["plane"]),),
    scrub=("epsilon",),
    headlines=lambda result: {
        **total_variations(result.config, result.numbers),
        "Worst-case total variation of KPM": result.worst["tv"],
    },
    requirements=in_the_plane,
    parameters=link,
)
