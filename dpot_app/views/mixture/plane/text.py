from dpot_app.kit.view import Blocks, Columns, Picture, Tab, thumbnails
from dpot_app.views.mixture.densities import make_family, ring_modes
from dpot_app.views.mixture.disclosed import disclosure
from dpot_app.views.mixture.outputs import TABLE_IN_WORDS, many_in_words, numbers_table, total_variations
from dpot_app.views.mixture.plane.figures import difference_figure, plane_figure, small_plane_figure
from dpot_app.views.mixture.plane.results import Plane, largest_change, run_plane
from dpot_app.views.mixture.settings import NAMES, TABS, Config, Family, in_the_plane, link
from dpot_app.views.mixture.views import TRAINED_IN_WORDS, mixture_view, refusals
from dpot_core.privacy.numerals import at_most, number


def show(config: Config, result: Plane, compare: str = "kpm") -> Blocks:
    """The input, one output and what has moved; the other outputs small.

    Args:
        compare: the mechanism whose output is large; the first one where the settings leave it out.
    """
    large = compare if compare in result.densities else next(iter(result.densities), "")
    alt = "Density of the input and of what is released in the plane"
    shown = [Picture("plane", alt, plane_figure, result, large)]
    if large:
        alt = "Difference between an output density and the input density"
        change = largest_change(config, large)
        shown.append(Picture("difference", alt, difference_figure, result, large, change))
    yield Columns(shown, (2.0, 1.1)[: len(shown)])
    others = {name: NAMES[name] for name in result.densities}
    if len(others) > 1:
        yield thumbnails(others, large, "compare", "plane", small_plane_figure, result)
    yield from show_numbers(config, result)


def show_numbers(config: Config, result: Plane) -> Blocks:
    """The promise, and this input in numbers."""
    text = "One colour scale for all maps. White lines on KPM's map: borders of where it clips the density."
    if "mbde" in result.numbers:
        text += f" {TRAINED_IN_WORDS}"
    yield text + refusals(result.infeasible)
    yield disclosure(config)
    yield numbers_table(result.numbers, result.worst)
    yield (
        f"{TABLE_IN_WORDS} c₂ = {number(make_family(config.family).c2)}. Between public points an output is h times a "
        "linear function. Its integral is a finite sum, within 2e-7 of 1 for every input. (Error of the public "
        f"numbers: {at_most(result.error, 0.0)}.) To make up for this, the density is made for ε − "
        f"{number(config.epsilon - result.epsilon_used)}. Draws in the plane are demonstrations: a computer rounds "
        f"their digits. A release for real is made on the line only. WPM: exact, on {config.cells} × {config.cells} "
        "cells of the square shown."
    )
    yield many_in_words(config, result.numbers)


VIEW = mixture_view(
    key="mixture.plane",
    title="A density in the plane",
    example=Config(
        modes=ring_modes(3),
        family=Family(variance=0.5, radius=1.0, dimension=2),
        epsilon=0.5,
        mechanisms=("kpm", "mollifier", "wpm"),
        cells=20,
    ),
    compute=lambda config, files, progress: (run_plane(config, progress),),
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
