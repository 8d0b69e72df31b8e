from functools import partial

from dpot_app.kit.view import Blocks, Columns, Files, Picture, Tab
from dpot_app.views.population.people import draw_people, load_population, reference
from dpot_app.views.population.sensitivity.figures import (
    circle_figure,
    circle_moves_figure,
    movement_figure,
    replaced_map,
)
from dpot_app.views.population.sensitivity.results import Circle, Sensitivity, circle, replace_people
from dpot_app.views.population.settings import TABS, Config, link, of_the_paper
from dpot_app.views.population.units import unit
from dpot_app.views.population.views import people_view
from dpot_core.arguments.progress import Progress
from dpot_core.privacy.numerals import at_most


def show(_config: Config, turned: Circle, result: Sensitivity) -> Blocks:
    """The view on the circle, where everything can be computed exactly, and on the data."""
    yield from show_circle(turned)
    yield from show_replaced(result, 1)


def show_circle(turned: Circle) -> Blocks:
    alt = "A barycenter on a circle turns by one point"
    both = [Picture(f"circle-{when}", alt, circle_figure, turned, n) for n, when in enumerate(("before", "after"))]
    yield Columns([*both, Picture("circle-moves", alt, circle_moves_figure, turned)], [1, 1, 1.5])
    yield (
        "The paper splits a group into k' chunks. The two data sets here differ in one point of one chunk. The "
        "pictures show that chunk, with k' = 10. In all other chunks the points lie evenly on the circle. So the two "
        "atoms could lie in any direction at nearly equal cost, and one point decides in which. The paper adds noise "
        "for atoms that move by at most 1/k' diameters. Barycenters here are exact."
    )


def show_replaced(result: Sensitivity, person: int) -> Blocks:
    """How far everything moves, and where to for one person, counted from 1."""
    alt = "How far atoms move when one person is replaced, against the bound"
    movement = Picture("movement", alt, movement_figure, result)
    yield Columns([movement, Picture("replaced-person", alt, replaced_map, result, person)])
    units = unit(result.backdrop.geographic)
    yield (
        "This view is about p = 2 and groups that count alike, as in the paper. Each person of the first group in "
        f"turn is moved to the far end of the region. The {result.chunks:,} chunks and the random starts stay the "
        "same, and no noise is added. Measured moves can show that a bound fails; they cannot prove that one holds. "
        "The barycenter is the best local minimum that the search finds, which would be released. The paper assumes "
        f"that all atoms together move by at most {at_most(result.assumed)} {units}. Proven here: the sums of "
        f"positions in a step change by at most {at_most(result.proven)} {units} × people."
    )


def compute(config: Config, files: Files, progress: Progress) -> tuple[Circle, Sensitivity]:
    people = draw_people(load_population(config, files), config.n, config.seed)
    config = of_the_paper(config)
    truth = reference(people, config.m, config.seed, config.reg, progress)
    return circle(), replace_people(people, truth, config, progress)


def headlines(_turned: Circle, result: Sensitivity) -> dict[str, float]:
    return {
        "Largest move of all atoms (units)": max(one.moved for one in result.replacements),
        "Bound assumed in the paper (units)": result.assumed,
        "Largest move of the proven step's sums (units × people)": max(one.sums_moved for one in result.replacements),
        "Bound proven for the sums (units × people)": result.proven,
    }


VIEW = people_view(
    key="population.sensitivity",
    title="What one person moves (no noise)",
    compute=compute,
    show=show,
    picture="movement",
    tabs=(
        Tab(
            "sensitivity",
            TABS["sensitivity"],
            idle=("p", "reg", "compared", "steps"),
            why="This tab is about p = 2, as in the paper. Settings in grey do not count here.",
        ),
    ),
    headlines=headlines,
    parameters=partial(link, "sensitivity"),
    # Measured without noise, so that no picture depends on it: what stands on the page beside them does.
    scrub=("epsilon",),
)
