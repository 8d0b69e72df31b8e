"""When noisy Sinkhorn is worth its budget: said from the numbers on screen, and from nothing else."""

from __future__ import annotations

from dpot_core.experiments.sinkhorn.curves import CostPoint
from dpot_core.experiments.sinkhorn.release import Result
from dpot_core.experiments.sinkhorn.settings import CLAIMED


def advice(result: Result, costs: CostPoint) -> str:
    """Two sentences: one for the cost alone, one for plans and potentials.

    Args:
        result: the release on screen.
        costs: estimates of the cost at the same settings.
    """
    way = "paper" if result.config.guarantee == "paper" else "proven"
    return f"{_cost_sentence(costs, way)} {_plan_sentence(result)}"


def _cost_sentence(costs: CostPoint, way: str) -> str:
    ours, direct = costs.typical(way), costs.typical("laplace")
    unit = f" {costs.unit}" if costs.unit else ""
    numbers = (
        f"noisy Sinkhorn errs by {number(ours)}{unit}, direct Laplace on the exact cost by {number(direct)}{unit} "
        "(medians)"
    )
    if ours >= 1.2 * direct:
        return f"Not for the cost alone: {numbers}."
    if direct >= 1.2 * ours:
        return f"For the cost alone noisy Sinkhorn is ahead here: {numbers}."
    return f"For the cost alone both do about as well: {numbers}."


def _plan_sentence(result: Result) -> str:
    plan, potential = result.elsewhere, result.potential_errors
    numbers = (
        f"noisy Sinkhorn's plan has {plan['sinkhorn']:.0%} of its mass elsewhere and its potential is off by "
        f"{number(potential['sinkhorn'])} spreads; private histograms, then plain Sinkhorn, at the same ε: "
        f"{plan['histograms']:.0%} and {number(potential['histograms'])}"
    )
    better = [plan["sinkhorn"] <= plan["histograms"], potential["sinkhorn"] <= potential["histograms"]]
    claimed = " (and its guarantee is not proven)" if result.config.guarantee in CLAIMED else ""
    if all(better):
        return f"Worth it for plan and potentials, which direct Laplace does not give{claimed}: {numbers}."
    if any(better):
        which = "the plan" if better[0] else "the potentials"
        return f"Worth it for {which} only{claimed}: {numbers}."
    return (
        f"For plan and potentials, which direct Laplace does not give, it is not the best way here{claimed}: {numbers}."
    )


def number(value: float) -> str:
    """A number for a sentence.

    >>> number(0.01234), number(12345.0), number(1e30)
    ('0.012', '12,000', 'more than a million')
    """
    if value >= 1e6:
        return "more than a million"
    return f"{float(f'{value:.2g}'):,.10g}"
