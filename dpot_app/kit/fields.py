"""Fields that several studies have: the privacy parameter, its slack, the entropic weight of Algorithm 1."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from dpot_app.kit.setting import Declared, number
from dpot_core.distributions.divergences import DIVERGENCES
from dpot_core.privacy.numerals import percent_at_most

#: Epsilon in steps of about a fifth, from 0.05 to 10. Links carry these numbers: only ever add to them.
EPSILONS: tuple[float, ...] = (
    *(0.05, 0.06, 0.07, 0.08, 0.1, 0.12, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8),
    *(1.0, 1.2, 1.5, 2.0, 2.5, 3.0, 3.5, 4.0, 5.0, 6.0, 7.0, 8.0, 10.0),
)
#: Ends of the epsilons that can be typed in.
LEAST, LARGEST = 0.01, 20.0
#: Values of epsilon at which curves are computed: even in the logarithm, 0.05 to 10.
CURVE_EPSILONS = tuple(float(e) for e in np.round(np.geomspace(0.05, 10.0, 31), 6))
HELP_EPSILON = (
    "Small: strong privacy, little detail. An output is at most e^ε times as likely under one input as under another."
)
#: Names of controls that are the same on every page.
LOSS, SOLVER, BASE, MECHANISMS = "Order p of the loss Wₚ", "Solver λ (1 = largest cost)", "Base measure", "Mechanisms"
LOSS_HELP = "Wₚ is the p-th root of the mean of distance^p: a large p punishes far moves."
SOLVER_HELP = (
    "Weight of the entropy in Algorithm 1, which blurs the transport plan. λ applies to costs that are divided by "
    "the largest one. Exact: no entropy, no blur."
)
#: What p is, in words.
POWER = "the power of the distance that counts"
#: Orders p of a slider.
ORDERS: tuple[float, ...] = (1.0, 1.5, 2.0, 3.0, 4.0)
#: The loss W_p; the others that worst cases are told in are divergences.
DISTANCE = "distance"
LOSSES = {DISTANCE: "Distance Wₚ", **{name: row.label for name, row in DIVERGENCES.items()}}
WORST_IN = Declared("Worst case in", "segments", "loss", LOSSES)
#: Epsilon beyond which little privacy is left.
LITTLE = 4.0


def epsilon(default: float, **known: Any) -> Any:
    """The field of the privacy parameter, on a logarithmic grid from 0.05 to 10; files may have .01 to 20."""
    usual = {"grid": EPSILONS, "low": LEAST, "high": LARGEST, "step": 1.25, "factor": True, "link": "epsilon"}
    said = {"ends": ("more private", "more useful"), "exact": True, "remark": little_left}
    return number("Privacy parameter ε (nats)", default, **{"help": HELP_EPSILON, **usual, **said, **known})


def little_left(epsilon: float) -> str:
    """A warning for an epsilon beyond `LITTLE`; nothing below.

    >>> little_left(4.0), little_left(7.0)
    ('', 'Little privacy is left: one release can turn 50:50 into 99.91%.')
    """
    if epsilon <= LITTLE:
        return ""
    return f"Little privacy is left: one release can turn 50:50 into {percent_at_most(1 / (1 + math.exp(-epsilon)))}."


def slack(label: str, default: float, grid: tuple[float, ...], **known: Any) -> Any:
    """The field of δ, on a grid of powers of ten; files may have 1e-15 to 0.1."""
    usual = {"grid": grid, "low": 1e-15, "high": 0.1, "step": 10.0, "factor": True, "link": "delta"}
    return number(label, default, **{**usual, **known})


def entropic_weight(
    default: float | None, grid: Sequence[float], help: str = SOLVER_HELP, label: str = SOLVER, **known: Any
) -> Any:
    """The field of the weight; None, which stands at 0 of the grid, is the exact projection."""
    usual = {"low": 1e-4, "high": 1.0, "step": 2.0, "factor": True, "empty": "exact", "link": "lambda"}
    return number(label, default, grid=grid, help=help, **{**usual, **known})


def order(default: float, **known: Any) -> Any:
    """The field of the order p of the loss, on the grid `ORDERS`."""
    usual = {"low": 1.0, "high": 12.0, "step": 1.0, "widget": "steps", "link": "p", "help": LOSS_HELP}
    return number(LOSS, default, grid=ORDERS, **{**usual, **known})
