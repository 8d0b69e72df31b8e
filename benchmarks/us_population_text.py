"""Numbers of `benchmarks.us_population_table` as Markdown, with the paper's beside them and the reasons they differ."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from dpot_core.mechanisms.central.paper_barycenter import assumed_noise
from dpot_core.transport.semidiscrete import transport

SIZES = {"one": 200_000, "four": 100_000}
HEADS = {"one": "Everybody as one group", "four": "Four groups of adults: White, Asian/Pacific, Black, Hispanic"}

#: Row -> (name, whether its guarantee is proven).
ROWS = {
    "coreset": ("Coreset", "proven"),
    "classical": ("Perturbation as published, classical constant", "not proven"),
    "analytic": ("Perturbation as published, analytic Gaussian", "not proven"),
    "cells": ("Noisy steps, sums over cells (the default)", "proven"),
    "chunks": ("Noisy steps, means of chunks", "proven"),
}

#: The paper's numbers (Figure 3, and for epsilon 5 its appendix): setting, epsilon, row -> cost, W2.
PAPER = {
    ("one", 1): {"non-private": (15.92, 0.0), "coreset": (21.62, 5.633), "classical": (16.031, 2.665)},
    ("one", 5): {"non-private": (15.92, 0.0), "coreset": (24.99, 5.964), "classical": (16.957, 2.906)},
    ("four", 1): {"non-private": (5018.618, 0.0), "coreset": (6770.353, 11.978), "classical": (4924.467, 1.622)},
    ("four", 5): {"non-private": (5018.618, 0.0), "coreset": (7046.907, 12.967), "classical": (4937.966, 1.449)},
}

_TOP = """# Private barycenters of the United States

Made by `python -m benchmarks.us_population_table draws.json > docs/us_population.md`, with the variable `DPOT_DATA`
naming the folder of the real data. Only the columns "paper" and the words were written by hand.

48 equally weighted atoms for the people of the Census tracts of 2010 in the contiguous United States (48 states and the
District of Columbia). A draw takes a fresh sample of each group, uniform and without replacement. Everything below
is the mean and the standard deviation (of single draws, not of the mean) over {draws} draws. In each draw all rows see
the same sample, and cost and distance are measured on it by exact transport. Longitude and latitude in degrees are
taken for coordinates of the plane, as in the paper.

- **Cost**: mean over the groups of W_2^2 between the group and the atoms (dp_barycenters, equation 1), squared degrees.
- **W2**: distance between the row's atoms and those of the barycenter without privacy, degrees.
- Noise comes from a seeded generator, because these are experiments and not releases.

{notes}
"""


def document(
    found: dict[str, list[dict]], farther: tuple[int, float, float], notes: Sequence[str], diameter: float, starts: int
) -> str:
    """All of it.

    Args:
        found: draws of every setting, as `us_population_table.one_draw` returns them.
        farther: places of Alaska and Hawaii, their share of people, cost without privacy with them.
        notes: what was done to the tracts.
        diameter: of the contiguous states, degrees.
        starts: of the search without privacy for one group.
    """
    parts = [_TOP.format(draws=len(found["one"]), notes=" ".join(notes))]
    for key in found:
        parts += [f"## {HEADS[key]}\n", _sampled(key, found[key]), _costs(key, found[key])]
    parts += ["## What each row promises\n", _PROMISES, _noises(found), "## How far the numbers can be trusted\n"]
    truth = [draw["rows"]["non-private"][0] for draw in found["one"]]
    places, share, cost = farther
    parts.append(
        _WHY.format(
            least=min(truth),
            largest=max(truth),
            starts=starts,
            places=places,
            share=100 * share,
            cost=cost,
            contiguous=np.mean(truth),
            square=diameter**2,
            unperturbed=_pair(found["one"], "chunks unperturbed", 0),
            between_one=_between(found["one"]),
            between_four=_between(found["four"]),
        )
    )
    parts += [_CLASSICAL, _adequacy(found)]
    return "\n".join(parts)


def _sampled(key: str, draws: list[dict]) -> str:
    n, totals = SIZES[key], draws[0]["totals"]
    people = ", ".join(f"{total:,}" for total in totals)
    return (
        f"n = {n:,} people from each group of {people}; delta = 1/n = {1 / n:g}, sampling rate "
        f"{draws[0]['rate']:.3g}{' (the largest of the four)' if len(totals) > 1 else ''}.\n"
    )


def _costs(key: str, draws: list[dict]) -> str:
    """One table per epsilon."""
    lines = []
    for epsilon in (1, 5):
        paper = PAPER[key, epsilon]
        lines += [
            f"epsilon = {epsilon} towards the population:\n",
            "| | cost | paper | W2 | paper | privacy |",
            "|---|---|---|---|---|---|",
            _line("Without privacy", _pair(draws, "non-private", 0), "0", paper["non-private"], "none"),
        ]
        for row, (name, proven) in ROWS.items():
            cost, distance = (_pair(draws, f"{row} {epsilon}", number) for number in (0, 1))
            lines.append(_line(name, cost, distance, paper.get(row), proven))
        lines.append("")
    return "\n".join(lines)


def _line(name: str, cost: str, distance: str, paper: tuple[float, float] | None, privacy: str) -> str:
    first, second = ("", "") if paper is None else (f"{paper[0]:.7g}", f"{paper[1]:.7g}")
    return f"| {name} | {cost} | {first} | {distance} | {second} | {privacy} |"


def _pair(draws: list[dict], row: str, number: int) -> str:
    values = [draw["rows"][row][number] for draw in draws]
    return f"{np.mean(values):.3f} ± {np.std(values, ddof=1):.3f}"


def _between(draws: list[dict]) -> str:
    """W2 between the barycenters without privacy of one draw and the next, which see different samples."""
    atoms = [np.array(draw["atoms"]) for draw in draws]
    values = [np.sqrt(transport(first, None, second).cost) for first, second in pairwise(atoms)]
    return f"{np.mean(values):.3f} ± {np.std(values, ddof=1):.3f}"


_PROMISES = """\
Neighbours replace one person, in one group. Sizes of the groups and of the populations, who belongs to which
group, the outline of the states, the number of atoms and of chunks are public. Epsilon and delta are promised
towards the population, of whom the sample is a uniform draw without replacement that no one knows. Towards
a person who is known to be in the sample only epsilon_s and delta_s hold: epsilon = log(1 + q (e^epsilon_s -
1)), delta = q delta_s (Balle, Barthe, Gaboardi 2018). Both are weak. Delta = 1/n is the paper's choice and is
more than one in the number of people, so that for a release a smaller delta should be asked for. The coreset
needs no delta at all.

"Noise" is the standard deviation of each coordinate of an atom, degrees: of the one noise, or of every one of the
steps with chunks. For sums over cells it is what the noise of a sum makes of the mean over the groups of the means of
their cells of n/48 people, every step.
"""


def _noises(found: dict[str, list[dict]]) -> str:
    names = [name for row, (name, _) in ROWS.items() if row != "coreset"]
    lines = [
        f"| | epsilon | epsilon_s | delta_s | noise: {' | noise: '.join(names)} |",
        f"|{'---|' * (4 + len(names))}",
    ]
    for key, draws in found.items():
        for epsilon in (1, 5):
            facts = {row: draws[0]["facts"][f"{row} {epsilon}"] for row in ROWS}
            spent = facts["cells"]
            # An atom is the mean over the groups of their cells' means.
            fewer = {"cells": len(draws[0]["totals"]) ** -0.5}
            noises = [f"{facts[row]['noise'] * fewer.get(row, 1.0):.3g}" for row in ROWS if row != "coreset"]
            cells = [HEADS[key].split(":")[0], str(epsilon), f"{spent['epsilon']:.3f}", f"{spent['delta']:.3g}"]
            lines.append(f"| {' | '.join(cells + noises)} |")
    return "\n".join(lines) + "\n"


_WHY = """\
- **Local minima.** The problem is not convex, and every search ends in some local minimum. Without privacy the
  best of {starts} starts costs {least:.3f} to {largest:.3f} in the draws above (one group). The barycenters
  of one draw and the next are {between_one} degrees apart (four groups: {between_four}). A W2 of that size
  therefore says nothing about privacy, and a private row may well cost less than the row without privacy: it
  happened upon a better minimum. What privacy costs must be read off the costs.
- **The paper's costs for one group are much higher**, also without privacy (15.92). Ours are for the contiguous
  states. With the {places} places of Alaska and Hawaii of 15,000 people or more ({share:.2f} % of all people)
  added to the tracts, the barycenter without privacy costs {cost:.2f} instead of {contiguous:.2f}. Too few
  people live there for an atom of their own, so that some of the mass of an atom must travel across the
  Pacific. The caption of the paper's Figure 3 says “continental US”: whether it has them in stays open. What is
  left of the difference we ascribe to its solver (entropic, 50 rounds): on these tracts it ends at higher costs
  than exact transport ([us_order.md](us_order.md)). Its data are of 2015 (American Community Survey), and it draws
  tracts with replacement.
- **The paper's costs for four groups are not averaged like its formula.** A mean of squared distances within
  the contiguous states is at most {square:.0f}, the square of their diameter. Ours follow the formula.
- In the paper both private costs are higher at epsilon 5 than at epsilon 1. The spread of single draws and searches
  that end in different local minima can do this, as our own rows show; less noise cannot.
- **Perturbation as published is not private as stated** (rows "not proven"). It assumes that one replaced
  person moves the barycenter by 1/(k k') of the diameter at most, but the result of an arg-min can turn as a
  whole. Its noise is small because of that assumption. The rows "noisy steps" have a proof
  (`dpot_core.perturbed_barycenter`): each step asks for something of bounded sensitivity at atoms that are
  public already.
- **Chunks cost accuracy before any noise**: a chunk of n/k' people has few points per atom, and averages over
  chunks are drawn together. One group, the paper's k' = 1000, before the noise: cost {unperturbed}. Sums over
  cells need no chunks.
- The coreset's barycenter is computed from 20,000 of each group's private points, evenly over their cells; the
  paper thins its coresets too. The outline of the states is public, and private points are drawn inside it
  only.
- The defaults of the noisy steps (the share of epsilon for the start, four steps) were chosen from a few draws. On
  the embedded places (`python -m benchmarks.perturbation_defaults`) other shares and steps did about as well.
"""

_CLASSICAL = """## The classical Gaussian constant

`sqrt(2 log(1.25/delta))/epsilon` is proven for epsilon < 1 only, and the published mechanism spends epsilon_s. Its
noise over the noise that the same (assumed) sensitivity really needs, with delta_s as above, and if 1/n were spent on
the sample:
"""


def _adequacy(found: dict[str, list[dict]]) -> str:
    lines = ["| | epsilon | epsilon_s | with delta_s | with 1/n |", "|---|---|---|---|---|"]
    for key, draws in found.items():
        for epsilon in (1, 5):
            spent = draws[0]["facts"][f"classical {epsilon}"]
            ratios = []
            for delta in (spent["delta"], 1 / SIZES[key]):
                classical, needed = assumed_noise(spent["epsilon"], delta, 1.0)
                ratios.append(f"{classical / needed:.3f}")
            cells = [HEADS[key].split(":")[0], str(epsilon), f"{spent['epsilon']:.3f}", *ratios]
            lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) + "\n\nBelow 1 there is too little noise even for the assumed sensitivity.\n"
