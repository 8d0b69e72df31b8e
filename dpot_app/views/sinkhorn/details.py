"""Surroundings of the views: advice above them, the budget, the data and a release for real under them."""

from collections.abc import Iterator
from dataclasses import replace

from dpot_app.kit.blocks import FOR_REAL, Block, Blocks, Code, Folded, Note, Table, by_command, for_real
from dpot_app.kit.markdown import as_text
from dpot_app.kit.script import program
from dpot_app.views.sinkhorn.cost.results import CostPoint, laplace_error
from dpot_app.views.sinkhorn.release.results import Result
from dpot_app.views.sinkhorn.settings import CLAIMED, DRAWS, Config
from dpot_app.views.sinkhorn.units import THEOREM, cost_text, number, percent
from dpot_core.privacy.guarantees import Guarantee

_GRID = """
# Noise from OpenDP: another answer each time. Publish one, and nothing else from these points.
grid = grid_of(config.data, files)
"""
_RELEASE = {
    "plan": """released = noisy_sinkhorn(
    grid.cost,
    grid.first,  # counts of points by cell
    grid.second,
    epsilon=config.epsilon,
    delta=config.delta,
    eta=config.eta * grid.largest,
    steps=config.steps,
    plan_share=config.share,
    floor=config.floor,
    people=config.people,
    secure=True,
)
phi, psi = released.potentials
np.savetxt("phi.csv", phi)
np.savetxt("psi.csv", psi)
np.savetxt("plan.csv", released.plan, delimiter=",")
print(released.guarantee)
""",
    "cost": """released = private_transport_cost(
    grid.cost, grid.first, grid.second, epsilon=config.epsilon, people=config.people, secure=True
)
print(released.value)
print(released.guarantee)
""",
}


def release_script(config: Config, what: str) -> str:
    """Python that makes one release for real and writes nothing else: no seed, no truth, no error.

    That is potentials and "plan" of proven Noisy Sinkhorn, or the "cost" by Direct Laplace.
    """
    imports = {
        "dpot_core": "noisy_sinkhorn" if what == "plan" else "private_transport_cost",
        "dpot_app.views.sinkhorn.point_grid": "grid_of",
    }
    roles = {"points": True} if config.data.source == "csv" else {}
    steps = _GRID + _RELEASE[what]
    script = program(replace(config, draw=Config().draw), roles, imports, steps)
    return f"import numpy as np\n{script}" if what == "plan" else script


def advice(result: Result, costs: CostPoint) -> tuple[tuple[str, str], tuple[str, str]]:
    """Advice on what to take, with its numbers: for the cost alone, and for plan and potentials."""
    return _cost_alone(result, costs), _plan(result)


def _cost_alone(result: Result, costs: CostPoint) -> tuple[str, str]:
    ours, direct = costs.typical(result.config.guarantee), costs.typical("laplace")
    unit = f" {result.grid.cost_unit}".rstrip()
    if ours >= 1.2 * direct:
        head = "For the cost alone Noisy Sinkhorn is not worth it"
    elif direct >= 1.2 * ours:
        head = "For the cost alone Noisy Sinkhorn is ahead"
    else:
        head = "For the cost alone Noisy Sinkhorn does about as well as Direct Laplace"
    closed = number(laplace_error(result.config, result.grid))
    return head, (
        f"it errs by {number(ours)}{unit}. Direct Laplace, which adds noise to the exact cost, errs by "
        f"{number(direct)}{unit}. These are medians of {DRAWS} draws; by formula Direct Laplace's median is "
        f"{closed}{unit}."
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
        head = "For plan and potentials Noisy Sinkhorn is not worth it here"
    else:
        head = "For plan and potentials, which Direct Laplace does not give, Histograms first does better here"
    return head, (
        f"in this draw {percent(plan['sinkhorn'])} of Noisy Sinkhorn's plan lies elsewhere than in the entropic plan: "
        f"same blur, no noise. Its potential is off by {percent(potential['sinkhorn'])} of the "
        f"potential's spread. At the same ε, Histograms first has {percent(plan['histograms'])} for the plan and "
        f"{percent(potential['histograms'])} for the potential."
    )


_PLAN_IN_WORDS = (
    "(A plan says how much mass goes from where to where. A potential says what one more unit of mass in a cell would "
    "cost.)"
)

_WHO = {"first": "first set", "second": "second set", "both": "both sets"}
#: What a view could release.
_RELEASED = {
    "sinkhorn.release": ("plan", "Noisy Sinkhorn's potentials and plan"),
    "sinkhorn.cost": ("cost", "the cost by Direct Laplace"),
}


def moved(result: Result) -> Blocks:
    pair = result.grid.pair
    if pair.beyond:
        points = f"{pair.beyond:,} of {sum(result.grid.n):,} points"
        yield Note(f"{points} lay beyond the public rectangle and were moved to its edge.", "warning")


def when_to_use(result: Result, costs: CostPoint) -> Note:
    said = advice(result, costs)
    words = " ".join(f"**{as_text(head)}**: {as_text(numbers)}" for head, numbers in said)
    return Note(f"{words} {_PLAN_IN_WORDS}")


def claimed(result: Result) -> Blocks:
    if result.config.guarantee in CLAIMED:
        yield Note(f"The guarantee below is what the paper claims. It is **not proven**: see *{THEOREM}*.", "warning")


def details(result: Result, view: str) -> Iterator[Folded]:
    """The budget, the data and the settings in words, and how a release is made that may be published."""
    if view == "sinkhorn.release":  # whose files have it, too
        yield Folded("Budget: who pays for what", tuple(_budget(result)))
    yield Folded("Data, cost, settings", (_data(result),))
    if view in _RELEASED:
        yield _for_real(result, *_RELEASED[view])


def _budget(result: Result) -> Blocks:
    config = result.config
    forms = {"releases": "", "share": ".0%", "sigma": ".3g", "epsilon": ".3g", "delta": ".0e"}
    rows = [
        (f"{entry.what}, {_WHO[entry.data]}", *(format(getattr(entry, name), form) for name, form in forms.items()))
        for entry in result.released.ledger
    ]
    yield Table(("Release", "times", "share", "noise / sensitivity", "ε alone", "δ"), rows)
    spent = f"they cost exactly ε = {config.epsilon:g} at δ = {config.delta:g}"
    if config.guarantee == "paper":
        yield "All of the budget is for the potentials, as Theorem 2 claims; the plan comes with them."
    elif config.people == "one":
        yield (
            "A person is in one set and pays for that set's lines only. Their shares add up to 100%. Together "
            f"{spent}. Sensitivity: the most that one person can change a release. z: a release's noise over its "
            "sensitivity. For Gaussian noise 1/z² adds up over releases: a line's share is its part of that sum. The ε "
            "of single lines do not add up."
        )
    else:
        yield (
            f"A person is in both sets and pays for all lines. Their shares add up to 100%; together {spent}. Shares "
            "count 1/z² (z: noise over sensitivity of one release)."
        )


def _data(result: Result) -> Note:
    grid, config, pair = result.grid, result.config, result.grid.pair
    kind = "**Simulated data**: " if pair.simulated else ""
    record = "" if pair.record == "point" else f" One point is one {pair.record}."
    notes = "".join(f"\n- {as_text(note)}" for note in pair.notes)
    return Note(
        f"- {kind}{as_text(pair.title)}, {grid.n[0]:,} and {grid.n[1]:,} points. Source: "
        f"{as_text(pair.source)}.{record}\n"
        f"- Grid: {config.data.cells} × {config.data.cells} cells; a point counts for its cell's centre. Cost: "
        f"distance between centres to the power {config.data.p}; the largest is |c| = "
        f"{cost_text(grid.largest, grid)}.\n"
        f"- η = {config.eta:g} |c| = {cost_text(config.eta * grid.largest, grid)}. Seed of the noise: "
        f"{config.draw}: a demonstration in floating point; see *Release for real*.\n"
        "- Errors, gaps, exact and entropic numbers are computed from the data for this page: not private."
        f"{notes}"
    )


def _for_real(result: Result, what: str, released: str) -> Folded:
    if result.grid.pair.around:
        words = (
            "The rectangle is drawn around the points, so it tells where the outermost ones are. A release needs a "
            "rectangle that was fixed beforehand, without a look at the points."
        )
        return Folded(FOR_REAL, (Note(words),))
    words = (
        f"This page shows a demonstration: the seed gives away the noise. The program below releases {released}, and "
        "writes nothing else: no error, no true plan. Noise comes from OpenDP. Numbers before the noise are whole or "
        "on a public grid, so rounding spends no privacy. Each run spends ε again."
    )
    config = result.config
    # The cost alone is released by Direct Laplace, whatever is promised of the plan.
    promise = result.guarantee if what == "plan" else Guarantee(config.epsilon)
    ways: tuple[Block, ...] = (Note(words), Code(release_script(config, what)))
    if config.data.source == "csv":
        ways = (by_command(released, "points.csv", config.epsilon, delta=promise.delta),)
    return for_real(promise, *ways, instead="Choose *Proven* in the controls.")
