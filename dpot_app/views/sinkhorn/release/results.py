from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from dpot_app.kit.cache import cached
from dpot_app.kit.particles import columns, fallen, uniforms
from dpot_app.views.sinkhorn.noise import noise
from dpot_app.views.sinkhorn.point_grid import PointGrid
from dpot_app.views.sinkhorn.settings import CLAIMED, ROUNDS, Config
from dpot_core.arguments import Array
from dpot_core.arguments.lazy import cached_property
from dpot_core.datasets import PointPair
from dpot_core.mechanisms.central.sinkhorn import noisy_sinkhorn
from dpot_core.mechanisms.central.sinkhorn_paper import Claim, paper_sinkhorn
from dpot_core.mechanisms.central.sinkhorn_proven import PairProtection, Rounds, check_grids, rounds
from dpot_core.mechanisms.central.sinkhorn_results import NoisySinkhorn, coupling
from dpot_core.privacy.guarantees import RECORDS, Guarantee

#: Pairs of cells with less of the mass than this get no row in a table.
LEAST_MASS = 1e-6

#: Particles that walk along a plan.
PARTICLES = 240


def on_points(guarantee: Guarantee, pair: PointPair) -> Guarantee:
    """A guarantee for the grid's counts as one for the points: what else is public, and what one record is."""
    public = guarantee.public
    if pair.around:
        public = (*public, "the rectangle, although drawn around the points")
    if pair.record == "check-in":
        public = (*public, "whose check-ins are in which set, and which of them were drawn")
    return replace(guarantee, public=public, record=pair.record if pair.record in RECORDS else "point")


@dataclass(frozen=True, eq=False)
class Result:
    """The release at these settings, and the exact answers."""

    config: Config
    grid: PointGrid
    entropic: Array  # plan at the same eta without noise, (k, k); not private
    potentials: tuple[Array, Array]  # of that plan, (k,) each; not private
    released: NoisySinkhorn  # as set: on the grid, or ("paper") on points, for costs over their bound
    histograms: NoisySinkhorn  # the whole budget on private histograms, Sinkhorn's algorithm on them
    plans: dict[str, Array]  # private plans on the grid, of mass 1: "sinkhorn", "histograms"

    @property
    def guarantee(self) -> Guarantee:
        """The guarantee of noisy Sinkhorn as set, alone."""
        return on_points(self.released.guarantee, self.grid.pair)

    @property
    def histograms_guarantee(self) -> Guarantee:
        """The guarantee of the private histograms, which are released beside it."""
        return on_points(self.histograms.guarantee, self.grid.pair)

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
        return {name: float((self.plan(name) * self.grid.cost).sum()) for name in ("exact", "entropic", *self.plans)}

    def plan(self, name: str) -> Array:
        """A plan by its name in `plan_costs`."""
        return {"exact": self.grid.exact_plan, "entropic": self.entropic, **self.plans}[name]

    def particles(self, name: str) -> tuple[Array, Array]:
        """Where particles set out, and where a plan takes them, (PARTICLES, 2) each: exact draws from the plan.

        The same known uniforms at all settings and for all plans, which are therefore compared particle by particle.
        """
        plan, among, extent = self.plan(name), columns(self.grid.space.points), self.grid.pair.extent
        random = uniforms("sinkhorn.particles", PARTICLES, 4)
        cell = (extent[0] / self.grid.data.cells, extent[1] / self.grid.data.cells)
        cells, starts = fallen(plan.sum(axis=1), among, random[:, :2], cell)
        return starts, fallen(plan[cells], among, random[:, 2:], cell)[1]

    def shares(self, name: str) -> tuple[float, float]:
        """The extra cost of a private plan over the exact one: by regularisation, and by privacy (may be negative)."""
        costs = self.plan_costs
        return costs["entropic"] - costs["exact"], costs[name] - costs["entropic"]

    @cached_property
    def independent(self) -> float:
        """Cost of the plan that knows both sets and nothing of the distance between them, mu times nu."""
        first, second = self.grid.weights
        return float(first @ self.grid.cost @ second)

    @cached_property
    def grid_potentials(self) -> dict[str, Array]:
        """phi of the first set on the grid without its mean over the cells: "true", "sinkhorn", "histograms".

        The mean over the cells is public; one that is weighted by the points would tell of them. Algorithm 1 has nan in
        cells without one of its points.
        """
        phi = self.released.potentials[0]
        if self.config.guarantee == "paper":
            cells, size = self.grid.sample_cells[0], len(self.grid.space)
            phi = phi * self.grid.sample_bound
            with np.errstate(invalid="ignore"):
                phi = np.bincount(cells, phi, size) / np.bincount(cells, minlength=size)
        potentials = {"true": self.potentials[0], "histograms": self.histograms.potentials[0], "sinkhorn": phi}
        return {name: values - float(np.nanmean(values)) for name, values in potentials.items()}

    @cached_property
    def potential_errors(self) -> dict[str, float]:
        """Error of phi over its spread, both root mean squares over the first set's points: 1 is as bad as a guess.

        Not private: the points weigh the errors, and the mean that is taken out of both potentials.
        """
        weights = self.grid.weights[0]
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
        points = self.grid.space.points
        cells = pd.DataFrame({"cell": np.arange(len(points)), "x": points[:, 0], "y": points[:, 1]})
        cells["first (not private)"], cells["second (not private)"] = self.grid.weights
        for name, phi in self.grid_potentials.items():
            cells[f"phi {name}{self._status(name)}"] = phi
        truths = {"exact": self.grid.exact_plan, "entropic": self.entropic}
        # Which pairs of cells have a row must not tell of plans that are not private.
        shown = np.nonzero(np.max([self.plans[name] for name in self.on_public_grid], axis=0) > LEAST_MASS)
        theirs = np.nonzero(np.maximum(self.grid.exact_plan, self.entropic) > LEAST_MASS)
        return {
            "cells": cells,
            "plans": self._pairs(shown, self.plans | truths),
            "true-plans": self._pairs(theirs, truths),
            "plan-costs": self._costs(),
            "budget": self._budget(),
        }

    def _costs(self) -> pd.DataFrame:
        """The cost of each plan, and how far the released ones are from the ones without noise."""
        return pd.DataFrame(
            {
                "plan": list(self.plan_costs),
                "cost": list(self.plan_costs.values()),
                "share that differs": [self.elsewhere.get(name) for name in self.plan_costs],
                "potential's error over its spread": [self.potential_errors.get(name) for name in self.plan_costs],
            }
        )

    def _pairs(self, place: tuple[Any, ...], plans: dict[str, Array]) -> pd.DataFrame:
        table = pd.DataFrame({"from cell": place[0], "to cell": place[1]})
        for name, plan in plans.items():
            table[f"{name}{self._status(name)}"] = plan[place]
        return table

    def _status(self, name: str) -> str:
        if name in ("true", "exact", "entropic"):
            return " (not private)"
        return " (not proven)" if name == "sinkhorn" and self.config.guarantee in CLAIMED else ""

    def _budget(self) -> pd.DataFrame:
        rows = [
            {
                "release": entry.what,
                "data set": entry.data,
                "times": entry.releases,
                "share of the budget": entry.share,
                "noise over sensitivity": entry.sigma,
                "epsilon alone": entry.epsilon,
                "delta": entry.delta,
                "promise": "claimed, not proven" if self.config.guarantee in CLAIMED else "proven",
            }
            for entry in self.released.ledger
        ]
        return pd.DataFrame(rows)


@cached
def run(config: Config, grid: PointGrid) -> Result:
    eta = config.eta * grid.largest
    entropic, potentials = _without_noise(eta, grid)
    released = _released(config, grid)
    histograms = _noisy(config, grid, "histograms", Rounds(eta, ROUNDS, plan_share=1.0))
    plans = {"sinkhorn": _on_grid(released, grid), "histograms": _known(histograms.plan)}
    return Result(config, grid, entropic, potentials, released, histograms, plans)


@cached
def _without_noise(eta: float, grid: PointGrid) -> tuple[Array, tuple[Array, Array]]:
    """The plan and its potentials, which are the same at every epsilon."""
    grids = check_grids(grid.cost, grid.first, grid.second)
    quiet = rounds(grids, grids.weights, Rounds(eta, ROUNDS), (0.0, 0.0), np.random.default_rng(0))
    potentials = (quiet.phi[-1], quiet.psi[-1])
    return coupling(*potentials, *grids.weights, grid.cost, eta), potentials


def _released(config: Config, grid: PointGrid) -> NoisySinkhorn:
    if config.guarantee == "proven":
        as_set = Rounds(config.eta * grid.largest, config.steps, config.share, config.floor)
        return _noisy(config, grid, "sinkhorn", as_set)
    return paper_sinkhorn(
        grid.sample_cost,
        eta=config.eta,
        epsilon=config.epsilon,
        delta=config.delta,
        steps=config.steps,
        rng=noise(config, grid, "paper"),
        claim=Claim(1.0, constants=config.constants),
    )


def _noisy(config: Config, grid: PointGrid, stream: str, rounds: Rounds) -> NoisySinkhorn:
    return noisy_sinkhorn(
        grid.cost,
        grid.first,
        grid.second,
        epsilon=config.epsilon,
        delta=config.delta,
        rounds=rounds,
        rng=noise(config, grid, stream),
        protection=PairProtection(config.people),
    )


def _on_grid(released: NoisySinkhorn, grid: PointGrid) -> Array:
    """The plan on the grid, scaled to mass 1 (the paper's plan has any mass, and lives on points)."""
    if released.marginals is not None:
        return _known(released.plan)
    phi, psi = released.potentials
    exponent = (phi[:, None] + psi[None, :] - grid.sample_cost) / released.eta
    mass = np.exp(exponent - exponent.max())
    rows, columns = grid.sample_cells
    size = len(grid.space)
    plan = np.bincount((rows[:, None] * size + columns[None, :]).ravel(), mass.ravel(), size * size)
    return np.asarray((plan / plan.sum()).reshape(size, size))


def _known(plan: Array | None) -> Array:
    if plan is None:
        raise ValueError("share must be more than 0: without private histograms there is no plan")
    return plan


def _centred(values: Array, weights: Array) -> Array:
    known = np.where(np.isfinite(values), weights, 0.0)
    return np.asarray(values - float(np.where(known > 0, values, 0.0) @ known) / known.sum())
