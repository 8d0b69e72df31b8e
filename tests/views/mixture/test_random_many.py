"""Random mixtures through every density: none fails, and every integral is right by a rule that shares nothing.

`make nightly PART=mixtures` takes eight seeds of 100 mixtures, other ones each night, five epsilon, three mechanisms.
Forty seeds were run once in 1,161 s of processor time, 60,000 outputs and 300,000 integrals: no failure, and errors of
at most 0.17 (KL), 0.26 (TV), 0.44 (squared Hellinger) and 0.44 (chi2) times what is stated; outputs have a mass within
1e-15 of 1.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime

import numpy as np
import pytest

from dpot_app.views.mixture.many.results import FIG4_EPSILONS, draw_mixtures
from dpot_app.views.mixture.outputs import private_density
from dpot_app.views.mixture.settings import MECHANISMS, Config, Family, Modes
from dpot_core.arguments import Array
from dpot_core.mechanisms.continuous.outputs import PrivateDensity

#: Seeds of a hundred mixtures each, of which 1 once ended in "quadrature's error 8.1e-09", and how many of each are
#: integrated again; by night all.
NIGHT = datetime.now(UTC).toordinal()
SEEDS = [(1, 1), *(pytest.param(8 * NIGHT + seed, 100, marks=pytest.mark.nightly) for seed in range(8))]
#: Pieces of a cell, and of a cell in which p and q cross: Boole's rule needs four, midpoints many.
PIECES, FINE = 4, 256


@dataclass
class Rule:
    """Boole's rule between the nodes of an output, where q is linear times h; its error is that beside Simpson's.

    p and q cross in few cells; there |p - q| is summed over midpoints.
    """

    nodes: Array
    means: Array
    weights: Array
    x: Array = field(init=False)
    p: Array = field(init=False)

    def __post_init__(self) -> None:
        parts = [self.nodes[:-1] + np.diff(self.nodes) * piece / PIECES for piece in range(PIECES)]
        self.x = np.append(np.stack(parts, axis=1).ravel(), self.nodes[-1])
        self.p = self.input(self.x) / self.mass

    def input(self, x: Array) -> Array:
        """The mixture, not normalised."""
        return np.asarray((self.weights * np.exp(-((x[:, None] - self.means) ** 2) / 2)).sum(axis=1))

    @property
    def mass(self) -> float:
        return self.integral(self.input(self.x))[0]

    def by_cell(self, values: Array) -> tuple[Array, Array]:
        cells = np.lib.stride_tricks.sliding_window_view(values, PIECES + 1)[::PIECES]
        width = np.diff(self.nodes)
        boole = width * (cells @ np.array([7.0, 32.0, 12.0, 32.0, 7.0])) / 90
        return boole, np.abs(boole - width * (cells @ np.array([1.0, 4.0, 2.0, 4.0, 1.0])) / 12)

    def integral(self, values: Array) -> tuple[float, float]:
        """The integral of values at x, and its error."""
        boole, errors = self.by_cell(values)
        return float(boole.sum()), float(errors.sum())

    def distance(self, out: PrivateDensity, q: Array) -> tuple[float, float]:
        """The integral of |p - q| / 2, and its error."""
        sign = np.sign(self.p - q)
        cells = np.lib.stride_tricks.sliding_window_view(sign, PIECES + 1)[::PIECES]
        crossed = np.flatnonzero(cells.min(axis=1) < cells.max(axis=1))
        boole, errors = self.by_cell(np.abs(self.p - q) / 2)
        width = np.diff(self.nodes)[crossed, None]
        x = (self.nodes[crossed, None] + width * (np.arange(FINE) + 0.5) / FINE).ravel()
        fine = (np.abs(self.input(x) / self.mass - out.density(x)) / 2).reshape(len(crossed), FINE) * width / FINE
        total = float(boole.sum() - boole[crossed].sum() + fine.sum())
        # A midpoint is wrong by at most its own contribution's change, where there is a kink.
        return total, float(errors.sum() - errors[crossed].sum()) + 4 * float(fine.max(initial=0.0)) / FINE


def outputs(modes: Modes) -> Iterator[tuple[float, str, PrivateDensity]]:
    for epsilon in FIG4_EPSILONS:
        for name in MECHANISMS:
            if name != "wpm":
                yield epsilon, name, private_density(name, Config(modes=modes, family=Family(), epsilon=epsilon))


def integrals(rule: Rule, out: PrivateDensity) -> dict[str, tuple[float, float]]:
    q, p = np.asarray(out.density(rule.x)), rule.p
    return {
        "mass": rule.integral(q),
        "kl": rule.integral(p * np.log(p / q)),
        "tv": rule.distance(out, q),
        "hellinger": rule.integral((np.sqrt(p) - np.sqrt(q)) ** 2 / 2),
        "chi2": rule.integral((p - q) ** 2 / q),
    }


#: Mixtures of seed 1 at which each part of the stated errors is needed: errors are 8 to 1e6 times the rest of them.
TELLING = (0, 2, 4)


def held(modes: Modes, rules: dict[int, Rule], out: PrivateDensity, case: tuple[object, ...]) -> dict[str, float]:
    """Errors of an output's integrals as shares of what is stated, after checking that they are below it."""
    found = {"mass": 1.0, **out.divergences()}
    (nodes,) = out.grid.axes
    rule = rules.setdefault(id(nodes), Rule(nodes, np.array(modes.means), np.array(modes.weights)))
    stated, shares = {"mass": out.tolerance, **out.divergence_errors()}, dict[str, float]()
    for key, (value, error) in integrals(rule, out).items():
        off = abs(value - found[key])
        here = (*case, key, off, stated[key], error)
        assert off <= stated[key], here
        assert error <= max(stated[key] / 2, 1e-12), here
        assert stated[key] < 1e-4 * max(1.0, found[key]), here  # three digits are shown
        shares[key] = off / stated[key]
    return shares


def test_errors_are_below_what_is_stated_where_each_part_of_it_counts() -> None:
    mixtures = draw_mixtures(100, 1, 1.0)
    for number in TELLING:
        rules: dict[int, Rule] = {}
        for epsilon, name, out in outputs(mixtures[number]):
            held(mixtures[number], rules, out, (number, epsilon, name))


@pytest.mark.nightly
@pytest.mark.parametrize(("seed", "count"), SEEDS)
def test_no_random_mixture_fails_and_integrals_hold(seed: int, count: int) -> None:
    mixtures = draw_mixtures(100, seed, 1.0)
    again = set(np.random.default_rng(seed).choice(len(mixtures), count, replace=False).tolist())
    worst, begin = dict[str, float](), time.process_time()
    for number, modes in enumerate(mixtures):
        rules: dict[int, Rule] = {}
        for epsilon, name, out in outputs(modes):
            out.divergences()
            if number in again:
                for key, share in held(modes, rules, out, (number, epsilon, name)).items():
                    worst[key] = max(worst.get(key, 0.0), share)
    print(seed, {key: f"{value:.2g}" for key, value in worst.items()}, f"{time.process_time() - begin:.0f} s")
