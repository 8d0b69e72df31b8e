"""One release with everything next to it: the exact plan, the entropic one, noisy Sinkhorn, histograms first."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from dpot_core.checks import Array
from dpot_core.datasets import PointPair
from dpot_core.experiments.sinkhorn.draws import noise
from dpot_core.experiments.sinkhorn.ground import Ground, make_ground
from dpot_core.experiments.sinkhorn.settings import CLAIMED, ROUNDS, Config
from dpot_core.guarantees import RECORDS, Guarantee
from dpot_core.mechanisms.central.sinkhorn import noisy_sinkhorn
from dpot_core.mechanisms.central.sinkhorn_paper import Claim, paper_sinkhorn
from dpot_core.mechanisms.central.sinkhorn_proven import PairProtection, Rounds, check_grids, rounds
from dpot_core.mechanisms.central.sinkhorn_results import NoisySinkhorn, coupling

#: Pairs of cells with less of the mass than this get no row in a table.
LEAST_MASS = 1e-6


def on_points(promise: Guarantee, pair: PointPair) -> Guarantee:
    """A promise for histograms as a promise for the points: what else is public, and what one record is.

    Args:
        promise: of a mechanism on the grid's counts.
        pair: the points.
    """
    public = promise.public
    if pair.around:
        public = (*public, "the rectangle, although drawn around the points")
    if pair.record == "check-in":
        public = (*public, "whose check-ins are in which set, and which of them were drawn")
    return replace(promise, public=public, record=pair.record if pair.record in RECORDS else "point")


@dataclass(frozen=True, eq=False)
class Result:
    """What is released at these settings, and what the exact answers are.

    Attributes:
        config: the settings.
        ground: points, grid, cost.
        entropic: plan at the same eta without noise, (k, k). Not private.
        potentials: of that plan, ((k,), (k,)). Not private.
        released: noisy Sinkhorn as set: on the grid, or ("paper") on points, for costs over their bound.
        histograms: the whole budget on private histograms, Sinkhorn's algorithm on them.
        plans: private plans on the grid, of mass 1: "sinkhorn", "histograms".
    """

    config: Config
    ground: Ground
    entropic: Array
    potentials: tuple[Array, Array]
    released: NoisySinkhorn
    histograms: NoisySinkhorn
    plans: dict[str, Array]

    @property
    def guarantee(self) -> Guarantee:
        """The promise of noisy Sinkhorn as set, alone."""
        return on_points(self.released.guarantee, self.ground.pair)

    @property
    def histograms_guarantee(self) -> Guarantee:
        """The promise of the private histograms, which are released beside it."""
        return on_points(self.histograms.guarantee, self.ground.pair)

    @property
    def on_public_grid(self) -> tuple[str, ...]:
        """The routes whose potentials and plan are released on the grid: Algorithm 1 has them for points.

        Where its points lie on the grid is known from the points only, so that its columns in the tables are not
        private, whatever is claimed for the numbers.
        """
        return ("histograms",) if self.config.guarantee in CLAIMED else ("sinkhorn", "histograms")

    @cached_property
    def elsewhere(self) -> dict[str, float]:
        """Share of the mass that a private plan has elsewhere than the entropic plan: total variation, in [0, 1]."""
        return {name: 0.5 * float(np.abs(plan - self.entropic).sum()) for name, plan in self.plans.items()}

    @cached_property
    def plan_costs(self) -> dict[str, float]:
        """Cost of each plan: "exact", "entropic", and the private ones."""
        plans = {"exact": self.ground.exact_plan, "entropic": self.entropic, **self.plans}
        return {name: float((plan * self.ground.cost).sum()) for name, plan in plans.items()}

    @cached_property
    def grid_potentials(self) -> dict[str, Array]:
        """phi of the first set on the grid without its mean over the cells: "true", "sinkhorn", "histograms".

        The mean over the cells is public; one that is weighted by the points would tell of them. Algorithm 1 has nan in
        cells without one of its points.
        """
        found = {"true": self.potentials[0], "histograms": self.histograms.potentials[0]}
        phi = self.released.potentials[0]
        if self.config.guarantee == "paper":
            cells, size = self.ground.sample_cells[0], len(self.ground.space)
            phi = phi * self.ground.sample_bound
            with np.errstate(invalid="ignore"):
                phi = np.bincount(cells, phi, size) / np.bincount(cells, minlength=size)
        found["sinkhorn"] = phi
        return {name: values - float(np.nanmean(values)) for name, values in found.items()}

    @cached_property
    def potential_errors(self) -> dict[str, float]:
        """Error of phi over its spread, both root mean squares over the first set's points: 1 is as bad as a guess.

        Not private: the points weigh the errors, and the mean that is taken out of both potentials.
        """
        weights = self.ground.weights[0]
        truth = _centred(self.grid_potentials["true"], weights)
        spread = max(float(np.sqrt(weights @ truth**2)), 1e-300)
        errors = {}
        for name in ("sinkhorn", "histograms"):
            values = _centred(self.grid_potentials[name], weights)
            known = np.where(np.isfinite(values), weights, 0.0)
            off = np.where(known > 0, values - truth, 0.0)
            errors[name] = float(np.sqrt(known @ off**2 / known.sum())) / spread
        return errors

    def tables(self) -> dict[str, pd.DataFrame]:
        """Every number drawn; names say what no private release may show, and what has no proof."""
        points = self.ground.space.points
        cells = pd.DataFrame({"cell": np.arange(len(points)), "x": points[:, 0], "y": points[:, 1]})
        a, b = self.ground.weights
        cells["first (not private)"], cells["second (not private)"] = a, b
        for name, phi in self.grid_potentials.items():
            cells[f"phi {name}{self._status(name)}"] = phi
        truths = {"exact": self.ground.exact_plan, "entropic": self.entropic}
        # Which pairs of cells have a row must not tell of plans that are not private.
        shown = np.nonzero(np.max([self.plans[name] for name in self.on_public_grid], axis=0) > LEAST_MASS)
        theirs = np.nonzero(np.maximum(self.ground.exact_plan, self.entropic) > LEAST_MASS)
        return {
            "cells": cells,
            "plans": self._pairs(shown, self.plans | truths),
            "true-plans": self._pairs(theirs, truths),
            "budget": ledger_table(self),
        }

    def _pairs(self, place: tuple[Any, ...], plans: dict[str, Array]) -> pd.DataFrame:
        """The entries of plans at some pairs of cells."""
        table = pd.DataFrame({"from cell": place[0], "to cell": place[1]})
        for name, plan in plans.items():
            table[f"{name}{self._status(name)}"] = plan[place]
        return table

    def _status(self, name: str) -> str:
        """What a column must say of a plan or potential besides its name."""
        if name in ("true", "exact", "entropic"):
            return " (not private)"
        return " (not proven)" if name == "sinkhorn" and self.config.guarantee in CLAIMED else ""


def ledger_table(result: Result) -> pd.DataFrame:
    """The budget, one line per kind of release."""
    return pd.DataFrame(
        [
            {
                "release": entry.what,
                "data set": entry.data,
                "times": entry.releases,
                "share of the budget": entry.share,
                "noise over sensitivity": entry.sigma,
                "epsilon alone": entry.epsilon,
                "delta": entry.delta,
                "promise": "claimed, not proven" if result.config.guarantee in CLAIMED else "proven",
            }
            for entry in result.released.ledger
        ]
    )


def run(config: Config, ground: Ground | None = None) -> Result:
    """Release a plan and potentials at these settings.

    Args:
        config: the settings.
        ground: made from ``config.data``; None makes it.
    """
    ground = make_ground(config.data) if ground is None else ground
    eta = config.eta * ground.largest
    grids = check_grids(ground.cost, ground.first, ground.second)
    quiet = rounds(grids, grids.weights, Rounds(eta, ROUNDS), (0.0, 0.0), np.random.default_rng(0))
    potentials = (quiet.phi[-1], quiet.psi[-1])
    entropic = coupling(*potentials, *grids.weights, ground.cost, eta)
    released = release(config, ground)
    histograms = noisy_sinkhorn(
        ground.cost,
        ground.first,
        ground.second,
        epsilon=config.epsilon,
        delta=config.delta,
        rounds=Rounds(eta, ROUNDS, plan_share=1.0),
        rng=noise(config, ground, "histograms"),
        protection=PairProtection(config.people),
    )
    plans = {"sinkhorn": _on_grid(released, ground), "histograms": _known(histograms.plan)}
    return Result(config, ground, entropic, potentials, released, histograms, plans)


def release(config: Config, ground: Ground) -> NoisySinkhorn:
    """Noisy Sinkhorn as set."""
    rng = noise(config, ground, "paper" if config.guarantee in CLAIMED else "sinkhorn")
    if config.guarantee == "paper":
        return paper_sinkhorn(
            ground.sample_cost,
            eta=config.eta,
            epsilon=config.epsilon,
            delta=config.delta,
            steps=config.steps,
            rng=rng,
            claim=Claim(1.0, constants=config.constants),
        )
    return noisy_sinkhorn(
        ground.cost,
        ground.first,
        ground.second,
        epsilon=config.epsilon,
        delta=config.delta,
        rounds=Rounds(config.eta * ground.largest, config.steps, config.share, config.floor),
        rng=rng,
        protection=PairProtection(config.people),
    )


def _on_grid(released: NoisySinkhorn, ground: Ground) -> Array:
    """The plan on the grid, scaled to mass 1 (the paper's plan has any mass, and lives on points)."""
    if released.marginals is not None:
        return _known(released.plan)
    phi, psi = released.potentials
    exponent = (phi[:, None] + psi[None, :] - ground.sample_cost) / released.eta
    mass = np.exp(exponent - exponent.max())
    rows, columns = ground.sample_cells
    size = len(ground.space)
    plan = np.bincount((rows[:, None] * size + columns[None, :]).ravel(), mass.ravel(), size * size)
    return np.asarray((plan / plan.sum()).reshape(size, size))


def _known(plan: Array | None) -> Array:
    if plan is None:
        raise ValueError("share must be more than 0: without private histograms there is no plan")
    return plan


def _centred(values: Array, weights: Array) -> Array:
    known = np.where(np.isfinite(values), weights, 0.0)
    return np.asarray(values - float(np.where(known > 0, values, 0.0) @ known) / known.sum())


def headlines(result: Result) -> dict[str, float]:
    """The numbers that a person would compare."""
    unit = f" ({result.ground.cost_unit})" if result.ground.cost_unit else ""
    return {
        f"exact cost{unit}": result.ground.exact_cost,
        f"cost of the private plan{unit}": result.plan_costs["sinkhorn"],
        "mass elsewhere, noisy Sinkhorn": result.elsewhere["sinkhorn"],
        "mass elsewhere, histograms first": result.elsewhere["histograms"],
        "error of the potential over its spread": result.potential_errors["sinkhorn"],
    }
