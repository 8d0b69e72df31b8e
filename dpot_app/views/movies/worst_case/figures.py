import numpy as np

from dpot_app.figures.style import Figure, simulated
from dpot_app.figures.worst_curves import WorstCurve, worst_curves_figure
from dpot_app.films.releases import MECHANISMS
from dpot_app.views.movies.worst_case.results import EPSILONS, WorstCases
from dpot_core.mechanisms import MECHANISMS as TABLE
from dpot_core.privacy.numerals import at_least, at_most
from dpot_core.worst_case import Bracket


def worst_figure(worst: WorstCases) -> Figure:
    """The worst case of every mechanism that is shown against epsilon, and how far the user's profile is moved."""
    config = worst.config
    shown = [name for name in MECHANISMS if name in config.mechanisms]
    drawn = [
        WorstCurve(
            name,
            MECHANISMS[name],
            worst.at_least[name].to_numpy(),
            worst.now[name].at_least,
            None if known(worst, name) else worst.at_most[name].to_numpy(),
            worst.here[name],
            TABLE[name].dash,
        )
        for name in shown
    ]
    said = ", ".join(f"{MECHANISMS[name]} {between(worst.now[name])}" for name in shown)
    return worst_curves_figure(
        f"Worst case at ε = {config.epsilon:g}: {said}{simulated(worst.films.simulated)}",
        np.asarray(EPSILONS),
        drawn,
        config.epsilon,
        unit(config.p),
    )


def known(worst: WorstCases, name: str) -> bool:
    """Whether the worst case of a mechanism is known, and not bounded only."""
    return bool((worst.at_least[name] == worst.at_most[name]).all())


def unit(p: float) -> str:
    """The unit of the drawn worst cases."""
    return "moved (cosine distance)" if p == 2.0 else f"W²/2 of the chord, p = {p:g}"


def between(found: Bracket) -> str:
    """A worst case in words: one number where it is known."""
    low, high = at_least(found.at_least), at_most(found.at_most)
    return high if found.at_least == found.at_most or low == high else f"{low} to {high}"
