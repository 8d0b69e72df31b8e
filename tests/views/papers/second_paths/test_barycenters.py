"""Private barycenters: recorded numbers by a second path, a few lines against the formula."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import ot
import pandas as pd
import pytest

from dpot_app.views.papers.numbers import barycenters
from dpot_core.mechanisms.central import four_gaussians
from tests.views.papers.recorded import value


def test_proposition_d2_by_ranks() -> None:
    """On the line the optimal assignment pairs by rank, so that it changes where ranks do."""
    n, order = 20, np.arange(1, 21)
    for scale, place, words in (
        (1 / n, 2.5 / n, "the printed example (k/n, the first to 2.5/n)"),
        (1 / n**2, 1 / n + 1 / n**2, "all points within 1/n (k/n², the first to 1/n + 1/n²)"),
    ):
        points = order * scale
        moved = np.concatenate([[place], points[1:]])
        changed = (np.argsort(np.argsort(points)) != np.argsort(np.argsort(moved))).sum()
        assert value("barycenters-propD.2", f"assignments that change, {words}") == changed


def test_figure_2_by_cells_by_hand_and_a_solver_of_its_own() -> None:
    """60 points in R^10 at epsilon 1 fill cells halved along six axes; the cost of atoms by another solver."""
    points = four_gaussians.gaussians(60, np.random.default_rng([1, 0]))
    factor = barycenters.GAUSSIAN_PANELS[0][2]
    for shrink in (factor, 1.0):
        made = four_gaussians.release(points, 8, 1.0, 5, seed=1, run=0, shrink=shrink)
        copy = np.abs(made.measures[0].points)
        whole = (copy <= 0.5 * shrink + 1e-12).all(axis=0)
        halved = (np.abs(copy - 0.25) <= 0.25 * shrink + 1e-12).all(axis=0)
        assert (whole | halved).all() and halved.sum() >= 6
        squared = ((points[:, None] - made.atoms) ** 2).sum(axis=2)
        by_pot = float(ot.emd2(np.full(60, 1 / 60), np.full(8, 1 / 8), squared))
        assert barycenters._run(60, 1.0, 5, 0, 0.04, shrink) == pytest.approx(by_pot)


@pytest.mark.nightly
def test_the_survey_by_county_by_another_solver_and_starts_of_its_own(real_data: Callable[[str], Path]) -> None:
    """Exact Lloyd by POT: masses of atoms are equal, so that an atom goes to the mean of what is transported to it."""
    table = pd.read_csv(real_data("us/counties_acs2015.csv.gz"))
    assert value("barycenters-data", "people") == table["pop_total"].sum()
    where, mass = table[["lon", "lat"]].to_numpy(), table["pop_total"].to_numpy() / table["pop_total"].sum()
    rng, costs = np.random.default_rng(7), []
    for _ in range(4):
        atoms = where[rng.choice(len(where), 48, replace=False, p=mass)]
        for _ in range(20):
            plan = ot.emd(mass, np.full(48, 1 / 48), ot.dist(where, atoms), numItermax=10**7)
            atoms = 48 * plan.T @ where
        costs.append(float((plan * ot.dist(where, atoms)).sum()))
    recorded = value("barycenters-data", "cost without privacy, one group")
    assert min(costs) == pytest.approx(recorded, rel=0.05)  # both end in local minima
