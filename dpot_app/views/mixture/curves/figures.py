from collections.abc import Mapping

import numpy as np

from dpot_app.figures.style import Figure
from dpot_app.figures.worst_curves import WorstCurve, worst_curves_figure
from dpot_app.kit.fields import DISTANCE, LOSSES
from dpot_app.views.mixture.curves.results import Curves
from dpot_app.views.mixture.line.results import Result
from dpot_app.views.mixture.looks import DASHES, THINGS
from dpot_app.views.mixture.settings import NAMES
from dpot_core.distributions.divergences import DIVERGENCES
from dpot_core.privacy.numerals import at_least, at_most, subscript
from dpot_core.worst_case import Bracket

# The picture ends so many times as high as the highest line: proven bounds may lie far above.
_ROOM = 1.5


def curves_figure(curves: Curves, here: Result, loss: str) -> Figure:
    """The worst case of every mechanism over the family, and what this input costs; for divergences also R."""
    config, now = curves.config, curves.now[loss]
    along = {
        name: {end: np.array([getattr(one[loss][name], end) for one in curves.along]) for end in Bracket._fields}
        for name in now
    }
    bound = loss in curves.bound and "kpm" in now
    highest = [float(values["at_least"].max()) for values in along.values()]
    highest += [found.at_least for found in now.values()] + ([float(curves.bound[loss].max())] if bound else [])
    edge = _ROOM * max(highest, default=1.0)
    drawn = [
        WorstCurve(
            THINGS[name],
            NAMES[name],
            values["at_least"],
            now[name].at_least,
            None if (values["at_most"] == values["at_least"]).all() else np.minimum(values["at_most"], 2.0 * edge),
            this_input(here, loss).get(name),
            DASHES[name],
        )
        for name, values in along.items()
    ]
    if bound:
        drawn.append(
            WorstCurve("kpm", "R: KPM, any density under c₂h", curves.bound[loss], curves.bound_now[loss], dash="dot")
        )
    said = [f"{NAMES[name]} {between(found)}" for name, found in now.items()]
    title = f"Worst case over the family at ε = {config.epsilon:g}: {', '.join(said)}{unit(loss)}"
    return worst_curves_figure(
        title if said else "Worst cases stand here when a mechanism is chosen",
        curves.epsilons,
        drawn,
        config.epsilon,
        axis_title(loss, config.p),
        edge=edge,
    )


def this_input(here: Result, loss: str) -> Mapping[str, float]:
    """The cost of the present input for each mechanism."""
    return {
        name: one.divergences[loss] if loss in one.divergences else float(one.loss or 0.0)
        for name, one in here.numbers.items()
        if name in here.config.mechanisms
    }


def between(found: Bracket) -> str:
    """A worst case in words: one number where both bounds read alike."""
    low, high = at_least(found.at_least), at_most(found.at_most)
    return high if found.at_least == found.at_most or low == high else f"{low} to {high}"


def axis_title(loss: str, p: float) -> str:
    return f"W{subscript(p)} (units of x)" if loss == DISTANCE else DIVERGENCES[loss].axis


def unit(loss: str) -> str:
    """After a number in a sentence."""
    return " units of x" if loss == DISTANCE else {"kl": " nats of KL"}.get(loss, f" in {LOSSES[loss].lower()}")
