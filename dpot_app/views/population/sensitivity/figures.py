import numpy as np

from dpot_app.figures.panels import axis, guide, ticks
from dpot_app.figures.style import GUIDE, MARKERS, TITLE_HEIGHT, Figure, colour, new_figure, simulated
from dpot_app.figures.traces import bars, line
from dpot_app.views.population.map.figures import atoms_trace, backdrop_traces, map_axes, path, points, square_axes
from dpot_app.views.population.sensitivity.results import Circle, Sensitivity
from dpot_app.views.population.units import unit
from dpot_core.privacy.numerals import at_most, number


def movement_figure(result: Sensitivity) -> Figure:
    """How far everything moves when one person is replaced, as a share of the bound; one bar for each person."""
    people = np.arange(1, len(result.replacements) + 1)
    paper = np.array([one.moved for one in result.replacements]) / result.assumed
    proven = np.array([one.sums_moved for one in result.replacements]) / result.proven
    title = "Neither bound fails for these people; only one of them is proven"
    if beyond := int((paper > 1).sum()):
        title = f"The assumed bound fails for {beyond} of {len(people)} people, "
        title += f"the proven one for {int((proven > 1).sum()) or 'none'}"
    hover = "person %{x}: %{y:.3~g} of the bound"
    names = ("atoms, against the paper's bound (not proven)", "sums of a step, against the proven bound")
    bound = guide(0, y=1)
    bound["line"] |= {"width": 2}
    return new_figure(
        title + simulated(result.backdrop.simulated),
        TITLE_HEIGHT + 320,
        [
            bars(people, paper, names[0], colour=colour("perturbation"), hover=hover),
            bars(people, proven, names[1], colour=colour("input"), hover=hover),
        ],
        xaxis=axis("person who is replaced", dtick=1),
        yaxis=axis("moved / bound", rangemode="tozero"),
        shapes=[bound],
    )


def replaced_map(result: Sensitivity, person: int) -> Figure:
    """The paper's atoms before and after one person, counted from 1, is replaced."""
    one, hue = result.replacements[person - 1], colour("mollifier")
    journey = path(np.stack([one.before, one.after]), colour=hue, dash="dash")
    ends = (("circle", "the person, before", one.before, 8), ("triangle-up", "the person, after", one.after, 12))
    return new_figure(
        f"Person {person} is replaced: one atom moves {number(one.farthest)} {unit(result.backdrop.geographic)}; "
        f"assumed: at most {at_most(result.assumed_atom)}" + simulated(result.backdrop.simulated),
        TITLE_HEIGHT + 320,
        [
            *backdrop_traces(result.backdrop),
            journey,
            *(points(at[None], name, size=size, symbol=symbol, color=hue) for symbol, name, at, size in ends),
            atoms_trace(result.atoms, "non-private", 10, dark=False) | {"name": "atoms before"},
            atoms_trace(one.atoms, "perturbation", 10, dark=False) | {"name": "atoms after, without noise"},
        ],
        **map_axes(result.backdrop),
    )


def circle_figure(result: Circle, number: int) -> Figure:
    """One of the two data sets on the circle and its barycenter, ten chunks: before (0), after (1)."""
    turn = next(turn for turn in result.turns if turn.chunks == 10)
    corners, atoms = turn.points[number], turn.atoms[number]
    traces = [
        points(corners[1:], "points of a chunk", size=6, color=GUIDE),
        points(corners[:1], "the point replaced", size=11, symbol="triangle-up", color=colour("mollifier")),
        points(atoms, "atoms", size=14, symbol=MARKERS["perturbation"], color=colour("perturbation")),
    ]
    title = ("First data set", "One point replaced")[number]
    return new_figure(title, TITLE_HEIGHT + 300, traces, **square_axes(0.6, "diameters"))


def circle_moves_figure(result: Circle) -> Figure:
    """How far an atom moves on the circle against the number of chunks, beside the claim."""
    chunks, hue = [turn.chunks for turn in result.turns], colour("perturbation")
    moved, assumed = [turn.moved for turn in result.turns], [turn.assumed for turn in result.turns]
    hover = "%{x} chunks: %{y:.3~g}"
    return new_figure(
        f"With {chunks[-1]} chunks one point moves an atom by {number(moved[-1])} diameters; claimed: {assumed[-1]:g}",
        TITLE_HEIGHT + 300,
        [
            line(chunks, moved, "moved", colour=hue, hover=hover, symbol=MARKERS["perturbation"]),
            line(chunks, assumed, "the paper's bound, 1/k' (not proven)", colour=GUIDE, dash="dash", hover=hover),
        ],
        xaxis=axis("chunks k'", type="log", **ticks({value: str(value) for value in chunks})),
        yaxis=axis("farthest move (diameters)", range=[0, 1.05]),
    )
