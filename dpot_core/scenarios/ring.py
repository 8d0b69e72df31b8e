"""What can be run on the ring."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from dpot_core.experiments import ring as experiment
from dpot_core.mechanisms import MECHANISMS, rivals
from dpot_core.progress import Progress
from dpot_core.scenarios.kinds import Files, Found, HasTables, Kind
from dpot_core.scenarios.values import ScenarioError


def _kind(
    view: str,
    title: str,
    parts: Callable[[experiment.Config], tuple[HasTables, ...]],
    headlines: Callable[..., Mapping[str, float]],
) -> Kind:
    def run(config: experiment.Config, _files: Files, _progress: Progress | None) -> Found:
        return Found(parts(config), experiment.disclosure(config, view))

    return Kind(
        key=f"ring.{view}",
        page="Finite ring",
        title=title,
        example=experiment.Config(),
        run=run,
        headlines=headlines,
        snippet=experiment.snippet,
        personal=lambda config: config.source.kind == "numbers",
        fits=_fits,
    )


def _fits(config: experiment.Config) -> None:
    if config.ring.every >= config.ring.k:
        raise ScenarioError(f"must be less than k = {config.ring.k}; got {config.ring.every}", ("ring", "every"))
    for group, kind, name, numbers in (
        ("source", "numbers", "numbers", config.source.numbers),
        ("base", "prior", "prior", config.base.prior),
    ):
        if getattr(config, group).kind == kind and len(numbers) != config.ring.k:
            raise ScenarioError(f"must hold k = {config.ring.k} numbers; got {len(numbers)}", (group, name))


def _now(config: experiment.Config) -> experiment.WorstNow:
    return experiment.worst_case_now(config.ring, config.base, config.epsilon)


def _distance(config: experiment.Config) -> str:
    return f"W{'₀₁₂₃₄₅₆₇₈'[config.ring.p]}"


def _outputs(result: experiment.Result, now: experiment.WorstNow) -> dict[str, float]:
    name = _distance(result.config)
    found = {f"{name} of {MECHANISMS[key].label} (steps)": value for key, value in result.distances.items()}
    return found | {f"Worst-case {name} of WPM (steps)": now.in_use}


def _worst(_curves: Any, now: experiment.WorstNow) -> dict[str, float]:
    return {
        "Worst case of WPM (steps)": now.in_use,
        "Worst case of WPM, best uniform base (steps)": now.wasserstein["wpm"],
        **{f"Worst case of {row.label} (steps)": now.wasserstein[name] for name, row in rivals("exact").items()},
        "Worst-case total variation of KPM": now.divergences["tv"]["minimax"],
    }


def _base(report: experiment.BaseReport) -> dict[str, float]:
    return {
        "Worst case, base in use (steps)": report.worst["yours"],
        "Worst case, minimax base (steps)": report.worst["minimax"],
        "Nobody can do better than (steps)": report.lower_bound,
    }


def _convergence(result: experiment.Convergence) -> dict[str, float]:
    return {"Exact projection (steps)": result.exact} | {
        f"Algorithm 1, λ = {run.reg:g} (steps)": float(run.distance[-1]) for run in result.runs
    }


KINDS = (
    _kind("outputs", "One input through every mechanism", lambda c: (experiment.run(c), _now(c)), _outputs),
    _kind("worst-case", "Worst cases against ε", lambda c: (experiment.worst_cases(c.ring), _now(c)), _worst),
    _kind("base", "Base measures", lambda c: (experiment.base_report(c.ring, c.base, c.epsilon),), _base),
    _kind(
        "plan",
        "Transport plan",
        lambda c: (experiment.plan(c.ring, c.base, c.source, c.epsilon),),
        lambda plan: {"Mass that leaves its place": plan.moved},
    ),
    _kind(
        "convergence",
        "Convergence of Algorithm 1",
        lambda c: (experiment.convergence(c.ring, c.base, c.source, c.epsilon),),
        _convergence,
    ),
)
