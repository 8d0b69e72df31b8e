from dataclasses import replace

from dpot_app.kit.blocks import Slot
from dpot_app.kit.fields import POWER
from dpot_app.kit.view import Blocks, Columns, Note, Picture, Tab, Table
from dpot_app.views.ring.outputs.figures import epsilons_figure, outputs_figure
from dpot_app.views.ring.outputs.results import Moves, Result, moves, run
from dpot_app.views.ring.outputs.rings import MOST_ARCS, distances_figure, ring_figure
from dpot_app.views.ring.settings import Config
from dpot_app.views.ring.units import order, steps
from dpot_app.views.ring.views import ring_view
from dpot_app.views.ring.worst_case.results import WorstNow, now
from dpot_core.distributions.divergences import DIVERGENCES
from dpot_core.mechanisms import MECHANISMS
from dpot_core.privacy.numerals import number, percent

PICTURES = {"ring": "One ring", "rings": "Side by side", "bars": "Unrolled", "epsilons": "At three ε"}
#: Of minimax_ldp_sampling, Fig. 2.
THREE = (0.1, 0.5, 1.0)
_ROW = 3

#: Which settings a hand on the ring changes, see `Picture`.
Turns = tuple[tuple[str, ...], int, dict[str, str]]


def show(_config: Config, result: Result, _now: WorstNow, moved: Moves, picture: str = "ring") -> Blocks:
    """The outputs around one ring, around one ring each, or unrolled into bars, also at three values of epsilon.

    Args:
        picture: a key of `PICTURES`.
    """
    names = list(result.outputs)
    if picture == "bars" or not names:
        alt = "The input distribution and the output distribution of each mechanism along the ring"
        yield Picture("distributions", alt, outputs_figure, result)
        if names:
            yield Slot("curves")
            yield f"{_SHADED} {_reading(result)}".strip()
        return
    if picture == "epsilons":
        alt = "The output distribution of each mechanism along the ring at three values of epsilon, over the input"
        three = [run(replace(result.config, epsilon=each)) for each in THREE]
        yield Picture("epsilons", alt, epsilons_figure, three)
        yield Slot("curves")
        far = {name: ", ".join(number(one.distances[name]) for one in three) for name in names}
        said = "; ".join(f"{MECHANISMS[name].label} by {each}" for name, each in far.items())
        yield f"{_SHADED} Moved, in steps of {order(result.config.ring.p)}: {said}. The slider of ε changes nothing."
        return
    # A touch on the ring puts the person at that one point, or the nearest of two points there.
    two = result.config.source.kind == "two-places"
    turns: Turns = (("point", "other"), len(result.mu), {}) if two else (("point",), len(result.mu), {"input": "dirac"})
    distances = "How far each mechanism moves the input, in steps along the ring"
    arcs = _moves_in_words(moved, names if picture == "rings" else names[:1])
    drag = ", or drag ◆ round it," if result.config.source.kind == "dirac" else ""
    hand = "**Drag ◆ round the ring to move either place.**" if two else f"**Tap the ring{drag} {_HOW_TO_MOVE}"
    words = f"{_HOW_TO_READ} {arcs} {_what_p_changes(moved)}{_reading(result)}".strip(), hand
    if picture == "ring":
        alt = "The ring seen from above: the input as an outline, the outputs of each mechanism as bars outwards"
        large = Picture("distributions", alt, ring_figure, result, moved, names, turns=turns)
        beside = (Picture("distances", distances, distances_figure, result), Slot("curves"))
        yield Columns((large, beside), (1.3, 1.0))
        yield from words
        return
    for first in range(0, len(names), _ROW):
        row = names[first : first + _ROW]
        rings = [_one_ring(result, moved, name, turns) for name in row]
        yield Columns(rings, swipe=True)
    yield Slot("curves")
    yield from words


_SHADED = "Outline: the input. Shaded: the bounds that make a mechanism private, for mechanisms that have such bounds."
_HOW_TO_READ = (
    "Bars outwards: how likely each point is to be released. Bar length: square root of the probability. "
    "Outline: the input."
)
_HOW_TO_MOVE = "to put the person at one point** (as *Input distribution: One point* in the controls)."


def _one_ring(result: Result, moved: Moves, name: str, turns: Turns) -> Picture:
    label, distance = MECHANISMS[name].label, steps(result.distances[name])
    title = f"{label} moves the input by {order(result.config.ring.p)} = {distance}"
    alt = f"The ring seen from above: the input as an outline, what {label} releases as bars, its moves as arcs"
    return Picture(f"distributions-{name}", alt, ring_figure, result, moved, [name], title, 420, turns=turns)


def _moves_in_words(moved: Moves, names: list[str]) -> str:
    """The caption of the arcs."""
    said = [f"{MECHANISMS[name].label} moves {percent(moved.moved[name])}" for name in names]
    text = (
        "Arcs inside: probability (mass) that moves; a thicker arc moves more. "
        f"{', '.join(said)} of the mass to other points."
    )
    if any((moved.plans[name] > 0).sum() > MOST_ARCS + len(moved.targets) for name in names):
        text += f" Only the {MOST_ARCS} heaviest arcs are drawn."
    return text


def _what_p_changes(moved: Moves) -> str:
    """The effect of the order of the loss, in numbers of this input; "" without WPM."""
    if not moved.orders:
        return ""
    here, other = moved.orders
    said = [f"{steps(one.mean)} on average, the farthest tenth of it by {steps(one.tenth)}" for one in moved.orders]
    if said[0] == said[1]:
        return f"Exact WPM moves the mass by {said[0]}, with p = {here.p:g} as with p = {other.p:g}. "
    return (
        f"With p = {here.p:g} ({POWER}) exact WPM moves the mass by {said[0]}. With p = {other.p:g} and this base "
        f"measure, by {said[1]}. "
    )


def _reading(result: Result) -> str:
    config = result.config
    text = ""
    if config.ring.every > 1:
        text += " KPM, k-RR and the mollifier first move every point to the nearest output."
    if "kpm-prior" in result.outputs and config.base.kind != "prior":
        text += " KPM around prior is KPM here: the base measure is no public prior."
    if result.infeasible:
        text += (
            " The mollifier is left out: its reference is the base measure, which has no mass where the input has some."
        )
    if result.exact_distance is not None:
        text += f" WPM is computed by Algorithm 1 with λ = {config.reg:g}, for costs scaled to a largest of 1" + (
            "" if result.converged else "; it has not converged after 1000 iterations"
        )
        text += f". It is as private as the exact projection, which is {steps(result.exact_distance)} from the input."
    return text.strip()


def show_numbers(_config: Config, result: Result, _now: WorstNow, _moved: Moves) -> Blocks:
    if not result.distances:
        yield Note("Choose a mechanism in the controls: its distances appear here.", "info")
        return
    name = order(result.config.ring.p)
    rows = [
        [
            f"{MECHANISMS[key].label} ({MECHANISMS[key].title})",
            *map(_number, (distance, *(result.divergences[key][one] for one in DIVERGENCES))),
        ]
        for key, distance in result.distances.items()
    ]
    yield Table(["From the input to", f"{name} (steps)", *(row.axis for row in DIVERGENCES.values())], rows)
    yield (
        f"{name} counts steps along the ring: moving all mass by one point costs 1. The divergences do not know which "
        "points are close."
        + (" ∞: the input has mass where the output cannot have any." if any("∞" in row for row in rows) else "")
    )


def _number(value: float) -> str:
    return "∞" if value == float("inf") else number(value)


def headlines(result: Result, worst: WorstNow, _moved: Moves) -> dict[str, float]:
    name = order(result.config.ring.p)
    moved = {f"{name} of {MECHANISMS[key].label} (steps)": value for key, value in result.distances.items()}
    return moved | {f"Worst-case {name} of WPM (steps)": worst.in_use}


VIEW = ring_view(
    "outputs",
    title="One input through every mechanism",
    compute=lambda config, files, progress: (run(config), now(config), moves(config)),
    show=show,
    scrub=("epsilon", "reg"),
    worst_case="ring.worst-case",
    tabs=(Tab("numbers", "This input in numbers", show_numbers),),
    headlines=headlines,
)
