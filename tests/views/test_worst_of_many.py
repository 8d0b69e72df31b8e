"""Worst cases beside the pictures against brute force: point inputs by linear programs, a thousand random inputs."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import linprog

import dpot_core as dpot
from dpot_app.kit.fields import DISTANCE
from dpot_app.views.ring.settings import Base, Config, Ring, Source
from dpot_app.views.ring.worst_case.results import brackets
from dpot_core.arguments import Array

KINDS = ("wpm", "kpm", "em", "krr", "mollifier")
#: Of the ring, by its order: a base measure, epsilon and how often points are released.
SETTINGS = {
    1.0: (Base(), 2.0, 1),
    1.5: (Base(), 0.3, 2),
    2.0: (Base(kind="uniform", scale=0.4), 0.5, 1),
    3.0: (Base(kind="minimax"), 1.0, 3),
    4.0: (Base(kind="prior", prior=(3.0, 1.0, 1.0, 2.0, 1.0, 1.0, 1.0, 4.0)), 4.0, 1),
}


def transported(mu: Array, nu: Array, cost: Array) -> float:
    """The least cost of moving mu to nu, as the linear program is printed."""
    k, k_v = cost.shape
    rows, columns = np.kron(np.eye(k), np.ones(k_v)), np.kron(np.ones(k), np.eye(k_v))
    found = linprog(cost.ravel(), A_eq=np.vstack([rows, columns[:-1]]), b_eq=np.concatenate([mu, nu[:-1]]))
    assert found.status == 0
    return float(found.fun)


def many(k: int, count: int, rng: np.random.Generator) -> Array:
    """Random inputs: nearly one point, a few points, nearly uniform, and halves at two points."""
    spread = [rng.dirichlet(np.full(k, each), count // 4) for each in (0.03, 0.3, 3.0)]
    pairs = rng.integers(0, k, (count - 3 * (count // 4), 2))
    return np.vstack([*spread, (np.eye(k)[pairs[:, 0]] + np.eye(k)[pairs[:, 1]]) / 2])


@pytest.mark.nightly
@pytest.mark.parametrize("reg", [None, 0.03])
@pytest.mark.parametrize("p", SETTINGS)
def test_a_thousand_inputs_of_the_ring_lie_in_every_bracket_and_points_attain_its_lower_end(
    p: float, reg: float | None
) -> None:
    base, epsilon, every = SETTINGS[p]
    ring = Ring(k=8, every=every, p=p)
    inputs = many(8, 1000, np.random.default_rng(int(10 * p)))
    public = Config(ring=ring, base=base, reg=reg, epsilon=epsilon, source=Source()).public
    for name in KINDS:
        kernel = dpot.MECHANISMS[name](public)
        all_losses = dict(brackets(ring, base, reg if name == "wpm" else None, name, epsilon))
        found = all_losses.pop(DISTANCE)
        rows = kernel(np.eye(8))
        points = max(transported(mu, nu, ring.cost) for mu, nu in zip(np.eye(8), rows, strict=True))
        assert found.at_least == pytest.approx(points ** (1 / p), rel=1e-7), name
        moved = [dpot.wasserstein(mu, nu, ring.cost, p) for mu, nu in zip(inputs, kernel(inputs), strict=True)]
        assert max(moved) <= found.at_most * (1 + 1e-7), name
        assert max(moved) >= 0.5 * found.at_least, "some of them are bad inputs"
        assert bool(all_losses) == (every == 1), "else divergences are infinite"
        for loss, known in all_losses.items():
            costs = dpot.DIVERGENCES[loss](np.vstack([np.eye(8), inputs]), np.vstack([rows, kernel(inputs)]))
            assert costs[:8].max() == pytest.approx(known.at_least, rel=1e-7), (name, loss)
            assert costs.max() <= known.at_most * (1 + 1e-7), (name, loss)
        worst = int(np.argmax(moved))
        program = transported(inputs[worst], kernel(inputs[worst]), ring.cost) ** (1 / p)
        assert moved[worst] == pytest.approx(program, rel=1e-6), name
