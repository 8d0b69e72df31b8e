from dataclasses import replace

import numpy as np

from dpot_app.kit.best_guess import Attacked, Guesses, attacked
from dpot_app.kit.cache import cached
from dpot_app.kit.fields import CURVE_EPSILONS
from dpot_app.views.ring.settings import Config
from dpot_app.views.ring.source import Source
from dpot_app.views.ring.units import order
from dpot_core.arguments import Array
from dpot_core.arguments.progress import Progress, counted
from dpot_core.mechanisms import MECHANISMS

# Stands for epsilon in settings of what does not depend on it.
_ANY = 1.0


def guesses(config: Config, progress: Progress | None = None) -> Guesses:
    """Compute chances and distances at the present epsilon and along the curves, for mechanisms known at all points.

    Raises:
        ValueError: if the settings do not fit together.
    """
    prior, curves, now = config.prior, dict[str, list[Attacked]](), dict[str, Attacked]()
    for name in counted(config.mechanisms, progress):
        # Neither the person's input nor what else is compared changes anything; lambda is WPM's.
        public = replace(config.problem, source=Source(), reg=config.reg if name == "wpm" else None)
        curve = _curve(public.at(_ANY), name, tuple(prior.tolist()))
        if curve and _known_at_points(public, name):
            curves[name], now[name] = curve, _attacked(public, name, prior)
    epsilons = np.asarray(CURVE_EPSILONS)
    return Guesses("point", order(config.ring.p), "steps", prior, epsilons, curves, config.epsilon, now)


@cached
def _curve(config: Config, name: str, prior: tuple[float, ...]) -> list[Attacked]:
    """The curve at `CURVE_EPSILONS`; empty where an input point has no output at one of them."""
    every = [config.at(epsilon) for epsilon in CURVE_EPSILONS]
    if not all(_known_at_points(one, name) for one in every):
        return []
    return [_attacked(one, name, np.array(prior)) for one in every]


def _attacked(config: Config, name: str, prior: Array) -> Attacked:
    ring = config.ring
    rows = MECHANISMS[name](config.public)(np.eye(ring.k))
    return attacked(ring.cost, rows, ring.p, prior)


def _known_at_points(config: Config, name: str) -> bool:
    """Whether the mechanism has an output for every point input: the mollifier's reference may miss some."""
    return MECHANISMS[name].feasible(config.public, np.full(config.ring.k, 1.0 / config.ring.k))
