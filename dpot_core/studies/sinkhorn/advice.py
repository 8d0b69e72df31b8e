"""When noisy Sinkhorn is worth its budget: said from the numbers of the page, and from nothing else."""

from __future__ import annotations

from dpot_core.studies.sinkhorn.cost.results import CostPoint, laplace_error
from dpot_core.studies.sinkhorn.release.results import Result
from dpot_core.studies.sinkhorn.settings import CLAIMED, DRAWS
from dpot_core.studies.sinkhorn.units import number, percent


def advice(result: Result, costs: CostPoint) -> tuple[tuple[str, str], tuple[str, str]]:
    """What to take, and the numbers that say so: for the cost alone, and for plan and potentials."""
    return _cost_alone(result, costs), _plan(result)


def _cost_alone(result: Result, costs: CostPoint) -> tuple[str, str]:
    ours, direct = costs.typical(result.config.guarantee), costs.typical("laplace")
    unit = f" {result.grid.cost_unit}".rstrip()
    if ours >= 1.2 * direct:
        head = "For the cost alone noisy Sinkhorn is not worth it"
    elif direct >= 1.2 * ours:
        head = "For the cost alone noisy Sinkhorn is ahead"
    else:
        head = "For the cost alone noisy Sinkhorn does about as well as direct Laplace"
    closed = number(laplace_error(result.config, result.grid))
    return head, (
        f"it errs by {number(ours)}{unit}, direct Laplace on the exact cost by {number(direct)}{unit} (medians of "
        f"{DRAWS} draws; direct Laplace in closed form: {closed}{unit})."
    )


def _plan(result: Result) -> tuple[str, str]:
    plan, potential = result.elsewhere, result.potential_errors
    better = [
        plan["sinkhorn"] < min(plan["histograms"], 0.5),
        not result.released.vacuous and potential["sinkhorn"] < min(potential["histograms"], 1.0),
    ]
    claimed = ", though without a proof" if result.config.guarantee in CLAIMED else ""
    if min(potential.values()) >= 1.0 and min(plan.values()) >= 0.5:
        head = "At these settings neither way says much about plan and potentials"
    elif all(better):
        head = f"For plan and potentials it is worth it{claimed}"
    elif any(better):
        head = f"For {'the plan' if better[0] else 'the potentials'} only it is worth it{claimed}"
    elif plan["histograms"] >= plan["sinkhorn"] or potential["histograms"] >= potential["sinkhorn"]:
        head = "For plan and potentials noisy Sinkhorn is not worth it here"
    else:
        head = "For plan and potentials, which direct Laplace does not give, private histograms first do better here"
    return head, (
        f"in this draw noisy Sinkhorn has {percent(plan['sinkhorn'])} of the plan's mass elsewhere and errs in the "
        f"potential by {percent(potential['sinkhorn'])} of its spread; private histograms, then plain Sinkhorn, at "
        f"the same ε have {percent(plan['histograms'])} and {percent(potential['histograms'])}."
    )
