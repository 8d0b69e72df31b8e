"""When noisy Sinkhorn is worth its budget: said from the numbers of the page, and from nothing else."""

from __future__ import annotations

from dpot_core.experiments.sinkhorn.curves import CostPoint, laplace_error
from dpot_core.experiments.sinkhorn.release import Result
from dpot_core.experiments.sinkhorn.settings import CLAIMED


def advice(result: Result, costs: CostPoint) -> tuple[tuple[str, str], tuple[str, str]]:
    """What to take, and the numbers that say so: for the cost alone, and for plan and potentials.

    Args:
        result: the release on screen.
        costs: estimates of the cost at the same settings.
    """
    return _cost_alone(result, costs), _plan(result)


def _cost_alone(result: Result, costs: CostPoint) -> tuple[str, str]:
    way = "paper" if result.config.guarantee == "paper" else "proven"
    ours, direct = costs.typical(way), costs.typical("laplace")
    unit = f" {costs.unit}" if costs.unit else ""
    draws = len(costs.estimates["laplace"])
    if ours >= 1.2 * direct:
        head = "For the cost alone noisy Sinkhorn is not worth it"
    elif direct >= 1.2 * ours:
        head = "For the cost alone noisy Sinkhorn is ahead"
    else:
        head = "For the cost alone noisy Sinkhorn does about as well as direct Laplace"
    closed = number(laplace_error(result.config, result.ground, costs.epsilon))
    return head, (
        f"it errs by {number(ours)}{unit}, direct Laplace on the exact cost by {number(direct)}{unit} (medians of "
        f"{draws} draws; direct Laplace in closed form: {closed}{unit})."
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


def percent(value: float) -> str:
    """A share with two digits.

    >>> percent(0.0222), percent(0.00341), percent(12.0), percent(1e9)
    ('2.2 %', '0.34 %', '1,200 %', 'more than a million %')
    """
    return f"{number(100.0 * value)} %"


def number(value: float) -> str:
    """A number for a sentence.

    >>> number(0.01234), number(12345.0), number(1e30), number(0.0000761), number(0.0)
    ('0.012', '12,000', 'more than a million', '0.000076', '0')
    """
    if value >= 1e6:
        return "more than a million"
    if 0.0 < value < 1e-7:
        return f"{value:.1e}"
    return f"{float(f'{value:.2g}'):,.9f}".rstrip("0").rstrip(".")
