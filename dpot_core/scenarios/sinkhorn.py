"""What can be run on transport between two sensitive data sets."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import pandas as pd

from dpot_core import datasets
from dpot_core.experiments import sinkhorn as experiment
from dpot_core.progress import Progress, part_of
from dpot_core.scenarios.kinds import Files, HasTables, Kind, Results
from dpot_core.studies._kit.values import ScenarioError


@dataclass(frozen=True, eq=False)
class Costs:
    """The released cost at several values of epsilon.

    Attributes:
        ground: the points.
        points: ascending in epsilon.
        epsilon: the settings' own, one of them.
    """

    ground: experiment.Ground
    points: tuple[experiment.CostPoint, ...]
    epsilon: float

    def tables(self) -> dict[str, pd.DataFrame]:
        """Every number drawn."""
        return {"costs": experiment.cost_table(list(self.points))}


@dataclass(frozen=True, eq=False)
class Rounds:
    """The gaps round by round, and the points they belong to."""

    ground: experiment.Ground
    found: experiment.Convergence

    def tables(self) -> dict[str, pd.DataFrame]:
        """Every number drawn."""
        return self.found.tables()


@dataclass(frozen=True, eq=False)
class Assumptions:
    """A point that walks, and what Theorem 2 says as printed and as corrected."""

    walk: experiment.Counterexample
    constants: pd.DataFrame

    def tables(self) -> dict[str, pd.DataFrame]:
        """Every number drawn."""
        return self.walk.tables() | {"constants": self.constants}


Parts = Callable[[Any, experiment.Ground, experiment.Result, Progress | None], tuple[HasTables, ...]]


def _base(config: Any) -> experiment.Config:
    found: experiment.Config = config.base if isinstance(config, experiment.TheoremConfig) else config
    return found


@lru_cache(maxsize=4)
def make_ground(data: experiment.Data) -> experiment.Ground:
    """The points of a source that needs no file, kept."""
    return experiment.make_ground(data)


def _kind(
    view: str,
    title: str,
    example: Any,
    parts: Parts,
    headlines: Callable[..., Mapping[str, float]],
) -> Kind:
    def run(config: Any, files: Files, progress: Progress | None) -> Results:
        base = _base(config)
        if base.data.source == "csv":
            pair = datasets.read_pair_csv(files["points"], dict(base.data.columns) or None, base.data.box)
            ground = experiment.make_ground(base.data, pair)
        else:
            ground = make_ground(base.data)
        result = experiment.run(base, ground)
        return Results(config, parts(config, ground, result, progress), experiment.disclosure(result, view))

    return Kind(
        key=f"sinkhorn.{view}",
        page="Private transport",
        title=title,
        example=example,
        run=run,
        headlines=headlines,
        snippet=lambda config: experiment.snippet(_base(config)),
        requirements=_fits,
        files=lambda config: {"points": True} if _base(config).data.source == "csv" else {},
        data_sets=datasets.downloaded(datasets.DATASETS),
        digests=_digests,
    )


def _fits(config: Any) -> None:
    data = _base(config).data
    path = ("data", "box") if isinstance(config, experiment.Config) else ("base", "data", "box")
    if data.box is None:
        return
    if data.source != "csv":
        raise ScenarioError("must be null unless the source is csv", path)
    try:
        datasets.check_rectangle(data.box)
    except ValueError as problem:
        raise ScenarioError(str(problem).removeprefix("box "), path) from problem


def _digests(config: Any) -> dict[str, str]:
    return datasets.digests(datasets.DATASETS, _base(config).data.source)


def _release(
    _config: experiment.Config, _ground: experiment.Ground, result: experiment.Result, _: Progress | None
) -> tuple[HasTables, ...]:
    return (result,)


def _costs(
    config: experiment.Config, ground: experiment.Ground, _: experiment.Result, progress: Progress | None
) -> tuple[HasTables, ...]:
    epsilons = sorted({*experiment.EPSILONS, config.epsilon})
    points = []
    for number, epsilon in enumerate(epsilons):
        report = part_of(progress, number, len(epsilons))
        points.append(experiment.cost_point(config, ground, epsilon, report))
    return (Costs(ground, tuple(points), config.epsilon),)


def _rounds(
    config: experiment.Config, ground: experiment.Ground, result: experiment.Result, _: Progress | None
) -> tuple[HasTables, ...]:
    proven = result
    if config.guarantee != "proven":
        proven = experiment.run(replace(config, guarantee="proven"), ground)
    noise = {(entry.what, entry.data): entry.sigma for entry in proven.released.ledger}
    ratios = noise["potentials", "first"], noise["potentials", "second"]
    return (Rounds(ground, experiment.convergence(config, ground, ratios)),)


def _theorem(
    config: experiment.TheoremConfig, ground: experiment.Ground, _: experiment.Result, __: Progress | None
) -> tuple[HasTables, ...]:
    constants = experiment.constants_table(config.base, len(ground.sample_cost))
    return (Assumptions(experiment.counterexample(config.place), constants),)


def _cost_numbers(found: Costs) -> dict[str, float]:
    """Without the paper's ways where their noise leaves float64; the table says so."""
    now = next(point for point in found.points if point.epsilon == found.epsilon)
    unit = f" ({now.unit})" if now.unit else ""
    errors = {f"Median error of the cost, {name}{unit}": now.typical(way) for way, name in experiment.COSTS.items()}
    return {name: error for name, error in errors.items() if math.isfinite(error)}


def _round_numbers(found: Rounds) -> dict[str, float]:
    gaps = found.found
    return {
        "Gap after the last round, without noise (of |c|)": float(gaps.quiet[-1]),
        "Gap after the last round, proven (of |c|)": float(gaps.proven[-1]),
        "Noise on a potential, proven (of |c|)": gaps.noise["proven"],
        "Noise on a potential, paper (of |c|)": gaps.noise["paper"],
    }


def _walk_numbers(found: Assumptions) -> dict[str, float]:
    walk = found.walk
    return {
        f"Own potential moves, n = {walk.n[-1]:g} (of |c|)": float(walk.own[-1]),
        f"Any other potential moves, n = {walk.n[-1]:g} (of |c|)": float(walk.others[-1]),
        "Noise asked for, as printed (of |c|)": float(found.constants["noise for epsilon"].iloc[0]),
        "Noise asked for, corrected (of |c|)": float(found.constants["noise for epsilon"].iloc[1]),
    }


KINDS = (
    _kind("release", "Plan and potentials", experiment.Config(), _release, experiment.headlines),
    _kind("cost", "The cost alone against ε", experiment.Config(), _costs, _cost_numbers),
    _kind("convergence", "Round by round", experiment.Config(), _rounds, _round_numbers),
    _kind("theorem", "What the paper's theorem assumes", experiment.TheoremConfig(), _theorem, _walk_numbers),
)
