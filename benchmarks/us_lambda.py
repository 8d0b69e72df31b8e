"""The tables of ``docs/us_lambda.md``: lambda's scale and the set of states against the paper's costs (Fig. 3, 9).

``python -m benchmarks.us_lambda draws.json > docs/us_lambda.md``, with DPOT_DATA set. The numbers of every draw are
kept in the file named, and a second run computes only those that it lacks; a quarter of an hour from nothing.
"""

from collections.abc import Callable, Iterator
from functools import cache

import numpy as np

import dpot_core as dpot
from benchmarks.us_order import REG, Country, M, N, kept, line, paragraph, perturbed, private
from dpot_core.arguments import Array
from dpot_core.datasets import load_tracts
from dpot_core.privacy.numerals import number
from dpot_core.transport.barycenters import barycenter_cost

#: So many times as large are the paper's coordinates, if lambda = .001 counts for squared distances there.
SCALES = (1.0, 2.0, 3.0, 3.5, 4.0)
STATES = {"contiguous": False, "with Alaska and Hawaii": True}
#: Where the private barycenters are computed too: scales near the paper's cost without privacy.
NEAR = {"contiguous": 3.5, "with Alaska and Hawaii": 1.0}
EPSILONS = (1.0, 5.0)
#: People drawn from each of the four groups, as in docs/us_population.md.
EACH = 100_000


@cache
def country(states: str) -> Country:
    return Country(far=STATES[states])


@cache
def sample(states: str) -> tuple[Array, Array]:
    return country(states).sample(N, np.random.default_rng([N, 0]))


def alone(states: str, scale: float) -> list[float]:
    """Cost without privacy, by entropic plans."""
    return [cost([sample(states)], scale)]


def cost(groups: list[tuple[Array, Array]], scale: float) -> float:
    """Cost of the entropic barycenter, by exact transport."""
    rng, reg = np.random.default_rng([N, 0, 1]), REG * scale**2
    found = dpot.barycenter(groups, M, rng=rng, starts=1, method="entropic", reg=reg, max_iter=50)
    return barycenter_cost(groups, found.atoms)


def both(states: str, scale: float, epsilon: float) -> list[float]:
    """Costs of coreset and perturbation."""
    group, how = sample(states), {"entropic": True, "reg": REG * scale**2}
    one, other = (np.random.default_rng([N, 0, turn, int(epsilon)]) for turn in (2, 3))
    found = (
        private(group, country(states), epsilon, one, **how),
        perturbed(group, country(states), epsilon, 1 / N, other, **how),
    )
    return [barycenter_cost([group], atoms) for atoms in found]


def four(scale: float) -> list[float]:
    """Four groups: the cost without privacy; that of one atom at their mean; the largest squared distance."""
    groups = list(load_tracts("race").sample(EACH, np.random.default_rng([EACH, 0])).groups)
    points = np.concatenate([points for points, _ in groups])
    shares = np.concatenate([np.asarray(counts, float) / np.sum(counts) for _, counts in groups]) / len(groups)
    spread = float((((points - shares @ points) ** 2).sum(axis=1) * shares).sum())
    return [cost(groups, scale), spread, float((np.ptp(points, axis=0) ** 2).sum())]


def draws() -> Iterator[tuple[str, Callable[[], list[float]]]]:
    """Every draw by name, and what computes it."""
    for states, scale in NEAR.items():
        for epsilon in EPSILONS:
            yield f"{states} {scale:g} {epsilon:g}", lambda s=states, k=scale, e=epsilon: both(s, k, e)
    yield "four 3.5", lambda: four(3.5)
    for states in STATES:
        for scale in SCALES:
            yield f"{states} {scale:g}", lambda s=states, k=scale: alone(s, k)


def document(found: dict[str, list[float]]) -> str:
    """The tables, and what they leave open."""
    costs, spread, largest = found["four 3.5"]
    lines = [
        "# The paper's costs and the scale of lambda",
        "",
        paragraph(
            "Made by `python -m benchmarks.us_lambda draws.json > docs/us_lambda.md`, with the variable `DPOT_DATA` "
            "naming the folder of the real data. Are the paper's costs so large (Figures 3 and 9) because lambda "
            "counts for other units, or because of states that are not contiguous? Entropic plans with regularisation "
            f"{REG:g} s² at diameter 1: s is how many times as large the paper's coordinates would be. One draw of "
            f"{N:,} people, Census tracts of 2010, {M} atoms. Costs are in squared degrees, by exact transport. The "
            "rounds are those of [us_order.md](us_order.md)."
        ),
        "## Without privacy",
        "",
        line("s", *STATES),
        line(*["---"] * (1 + len(STATES))),
    ]
    for scale in SCALES:
        lines.append(line(f"{scale:g}", *(number(found[f"{states} {scale:g}"][0]) for states in STATES)))
    lines += [
        "",
        "The paper has 15.92.",
        "",
        "## With privacy, at scales near that",
        "",
        line("states", "s", "epsilon", "coreset", "perturbation"),
        line(*["---"] * 5),
    ]
    for states, scale in NEAR.items():
        for epsilon in EPSILONS:
            cells = map(number, found[f"{states} {scale:g} {epsilon:g}"])
            lines.append(line(states, f"{scale:g}", f"{epsilon:g}", *cells))
    lines += [
        "",
        "The paper has 21.62 and 16.031 at epsilon = 1, 24.99 and 16.957 at epsilon = 5.",
        "",
        "## What this explains, and what it does not",
        "",
        paragraph(
            "The cost without privacy comes out near the paper's in two ways: contiguous states with s of about 3.5, "
            "or Alaska and Hawaii with s between 1 and 2. Each is a hypothesis; the paper names neither. In one draw "
            "of each, both give its order too: the perturbation costs less than the coreset. Presumably a large "
            "lambda draws all atoms to the middle, and noise spreads them again. The coreset's costs stay "
            "unexplained: here they lie within a few per cent of those without privacy and hardly change with "
            "epsilon. In the paper they are 36% and 57% above, and rise with epsilon."
        ),
        paragraph(
            f"Four groups of adults, {EACH:,} of each: {number(costs)} at s = 3.5. The paper has 5018.618. No scale of "
            f"lambda can give that. All atoms at the common mean cost {number(spread)}, the mean over the groups. No "
            f"two people are farther apart than {number(largest)} squared degrees, the diagonal of their box. Divided "
            "by 4 the paper's number is 1,255, four times the cost of the mean. Its unit is not known."
        ),
    ]
    return "\n".join(lines)


if __name__ == "__main__":
    print(document(kept("us_lambda", str(__doc__), draws())), end="")
