"""Promise of many releases about one person: by the sum of their epsilons, and by Gaussian local privacy."""

from collections.abc import Mapping
from typing import NamedTuple

from dpot_core.privacy.gaussian_promises import certify_gaussian, gaussian_guarantee
from dpot_core.privacy.numerals import at_most
from dpot_core.privacy.polytopes import Polytope

#: How many releases are added up, and the slack that their Gaussian promise takes.
RELEASES, DELTA = 100, 1e-6


class Many(NamedTuple):
    """One release of a mechanism, and `RELEASES` of them."""

    mu: float  # two inputs are as hard to tell apart as N(0, 1) and N(mu, 1)
    epsilon: float  # of all together, nats
    gaussian: bool  # whether it takes the slack; otherwise it is the sum


def many(polytope: Polytope) -> Many:
    """The promise from the polytope that holds all outputs of a mechanism."""
    promise = gaussian_guarantee([polytope] * RELEASES, DELTA)
    return Many(certify_gaussian(polytope), promise.epsilon, promise.delta > 0.0)


def many_text(found: Mapping[str, Many], epsilon: float) -> str:
    """Sentences about mechanisms, by their names on screen; "" if there is none.

    Args:
        found: see `many`.
        epsilon: of one release, nats.
    """
    if not found:
        return ""
    each = ", ".join(f"{label} μ = {at_most(one.mu)}" for label, one in found.items())
    less = [f"{label} ε = {at_most(one.epsilon)}" for label, one in found.items() if one.gaussian]
    text = (
        "Gaussian local privacy: two inputs are at least as hard to tell apart as draws from two Gaussians, N(0, 1) "
        f"and N(μ, 1). {each}. "
    )
    summed = f"{RELEASES} releases add up to ε = {at_most(RELEASES * epsilon)}"
    if not less:
        return f"{text}{summed}. With a slack of δ = {DELTA:g} no smaller ε follows."
    held = f"a smaller ε holds for the {RELEASES} releases: {', '.join(less)}"
    return f"{text}{summed}. With a slack of δ = {DELTA:g} {held}."
