"""The views of the private transport page: plan, potentials, convergence, the cost alone, the theorem."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from dpot_core.experiments import sinkhorn as experiment
from dpot_core.figures import sinkhorn as figures
from dpot_core.figures.sinkhorn.words import power_of_ten
from dpot_core.figures.style import simulated
from dpot_core.scenarios import sinkhorn as kinds
from dpot_core.scenarios.kinds import HasTables
from pages import _shell as shell
from pages._sinkhorn.theorem import bounds_words, theorem_words

# These words stand in people's links: add, but do not reword.
VIEWS = {
    "plan": "Plan",
    "potentials": "Potentials",
    "cost": "Cost alone",
    "convergence": "Convergence",
    "theorem": "What the paper's theorem assumes",
}
POTENTIALS = ("true", "sinkhorn", "histograms")
PLANS = ("exact", "entropic", "sinkhorn", "histograms")
SHOWN = {"errors": "Error", "estimates": "Released cost"}
WAYS = {"proven": ("laplace", "proven"), "paper": ("laplace", "paper")}

KEYS: dict[str | type[Any], Callable[[Any], Any]] = {experiment.Ground: lambda ground: ground.key}
_run = st.cache_resource(max_entries=60, show_spinner=False, hash_funcs=KEYS)(experiment.run)
_convergence = st.cache_resource(max_entries=60, show_spinner=False, hash_funcs=KEYS)(experiment.convergence)
_counterexample = st.cache_resource(max_entries=60, show_spinner=False)(experiment.counterexample)
_bounds = st.cache_resource(max_entries=60, show_spinner=False, hash_funcs=KEYS)(experiment.bounds)


@dataclass(frozen=True)
class Drawn:
    """What a view shows, to be taken away.

    Attributes:
        result: the release at the page's settings.
        tables: by name.
        figures: makes each figure, by name.
        kind: key of what can be run, for the board.
        results: what running it gives.
        place: where a point walks to, in the view that lets one walk.
    """

    result: experiment.Result
    tables: Mapping[str, pd.DataFrame]
    figures: Mapping[str, Callable[[], go.Figure]]
    kind: str
    results: tuple[HasTables, ...]
    place: float | None = None

    @property
    def config(self) -> experiment.Config | experiment.TheoremConfig:
        """The settings of the view."""
        own = self.result.config
        return own if self.place is None else experiment.TheoremConfig(own, self.place)


def release(ground: experiment.Ground, config: experiment.Config) -> experiment.Result:
    """The release as set."""
    return _run(config, ground)


def advice(result: experiment.Result) -> str:
    """When noisy Sinkhorn is worth it, in plain words; empty if the reader abandons the draws behind it."""
    config, ground = result.config, result.ground
    ways = WAYS[config.guarantee]
    run = partial(_costs_at, config, ground, config.epsilon, ways)
    job = (f"sinkhorn advice {ground.key} {config}", "Draws of the cost behind the advice", run)
    return " ".join(
        f"**{shell.as_text(head)}**: {shell.as_text(numbers)}"
        for costs in shell.worked("sinkhorn_advice", [job])
        for head, numbers in experiment.advice(result, costs)
    )


def plan_view(controls: shell.Controls, result: experiment.Result) -> Drawn:
    """Four plans: two that nobody may see, two that are released."""
    makers = {f"plan-{name}": partial(figures.plan_figure, result, name) for name in PLANS}
    for column, (name, make) in zip(st.columns(len(makers)), makers.items(), strict=True):
        with column:
            alt = "Arrows from each cell of the first data set to where its mass goes on average; shaded: second set"
            shell.draw(make(shell.on_dark()), alt=alt, key=f"sinkhorn_{name}")
    first, second = (shell.as_text(name) for name in result.ground.pair.names)
    few = (
        f" Algorithm 1 runs on the first {len(result.ground.sample_cost)} points of each set."
        if result.config.guarantee == "paper"
        else ""
    )
    st.caption(
        f"Grey: not private. Of the two others each spends ε: showing both would cost both. "
        f"Arrows start at cells of the first set ({first}) and end where their "
        f"mass goes on average. Shaded: the second set ({second}), or what the plan makes of it. Elsewhere: total "
        "variation to the entropic plan at the same η. Histograms first: the whole budget on private histograms, then "
        "plain Sinkhorn; it could take any η at the same noise." + few + _vacuous(result)
    )
    return Drawn(result, result.tables(), makers, "sinkhorn.release", (result,))


def potentials_view(controls: shell.Controls, result: experiment.Result) -> Drawn:
    """The potential of the first set, and its noise."""
    maps = {f"potential-{name}": partial(figures.potential_map, result, name) for name in POTENTIALS}
    alt = "The potential of the first data set on the grid"
    for column, (name, make) in zip(st.columns(len(maps)), maps.items(), strict=True):
        with column:
            shell.draw(make(), alt=alt, key=f"sinkhorn_{name}")
    noise = partial(figures.potential_noise, result)
    alt = "The released potentials against the one without noise"
    shell.draw(noise(shell.on_dark()), alt=alt, key="sinkhorn_potential-noise")
    makers = {**maps, "potential-noise": noise}
    claimed = result.config.guarantee in experiment.CLAIMED
    several = " Noisy Sinkhorn: mean over the points in a cell; bars are the noise of one point." if claimed else ""
    st.caption(
        "A potential says what one more unit of mass in a cell would cost; only its differences count, so its mean "
        "over the cells is taken out. Off by: root mean square error over the first set's points."
        + several
        + _vacuous(result)
    )
    return Drawn(result, result.tables(), makers, "sinkhorn.release", (result,))


def convergence_view(controls: shell.Controls, result: experiment.Result) -> Drawn:
    """Gaps round by round."""
    config, ground = result.config, result.ground
    ledger = {(entry.what, entry.data): entry.sigma for entry in _proven(result).released.ledger}
    found = _convergence(config, ground, (ledger["potentials", "first"], ledger["potentials", "second"]))
    make = partial(figures.convergence_figure, found, simulated(ground.simulated))
    alt = "Gap to the best potentials by round, without noise, proven, Algorithm 1, and the bound of Theorem 1"
    shell.draw(make(shell.on_dark()), alt=alt, key="sinkhorn_convergence")
    end, noise = found.neighbourhood, {name: experiment.number(value) for name, value in found.noise.items()}
    neighbourhood = f"{experiment.number(end) if end < 1e6 else power_of_ten(end)} |c|"
    beaten = (found.paper[1:] > found.theorem[1:] * (1 + 1e-9)).any()
    st.caption(
        f"|c| is the largest cost. Noise on each potential: {noise['proven']} |c| (proven, last round) and "
        f"{noise['paper']} |c| (Algorithm 1, as "
        f"Theorem 2 asks). Theorem 1 ends in a noisy neighbourhood of {neighbourhood}. "
        + (
            "In this run Algorithm 1's gap is above what Theorem 1 says of the mean: see the last view. "
            if beaten
            else ""
        )
        + "Gaps are computed from the data: they are shown here, and not released."
    )
    if controls.toggle("tune", "Find η and K on a public guess of the data", False):
        _tuned(config, ground)
    rounds = kinds.Rounds(ground, found)
    return Drawn(result, found.tables(), {"convergence": make}, "sinkhorn.convergence", (rounds,))


def cost_view(controls: shell.Controls, result: experiment.Result) -> Drawn | None:
    """The cost alone against epsilon."""
    config, ground = result.config, result.ground
    shown = controls.choice("shown", "Show", SHOWN, "errors", kind="segments")
    epsilons = sorted({*experiment.EPSILONS, config.epsilon})
    points = shell.worked("sinkhorn_costs", [_cost_job(config, ground, epsilon) for epsilon in epsilons])
    if len(points) < len(epsilons):
        return None
    make = partial(figures.cost_figure, points, ground, config.epsilon, shown == "errors")
    shell.draw(
        make(shell.on_dark()), alt="The released cost of five ways against epsilon, with bands", key="sinkhorn_cost"
    )
    count = len(ground.sample_cost)
    st.caption(
        f"Lines: medians. Bands: 90% of {experiment.DRAWS} draws of the noise. Each way spends ε for itself; δ = "
        f"{config.delta:g}, direct Laplace needs none. Histograms first: exact cost between private histograms. "
        f"Noisy Sinkhorn spends {1 - config.share:.0%} on potentials, the rest on the cost. "
        f"The paper's ways run on the first {count} points of each set and are compared with the exact cost of these; "
        "their guarantee is claimed, not proven. What leaves the chart is drawn at its edge."
    )
    costs = kinds.Costs(ground, tuple(points), config.epsilon)
    return Drawn(result, costs.tables(), {"costs": make}, "sinkhorn.cost", (costs,))


def theorem_view(controls: shell.Controls, result: experiment.Result) -> Drawn:
    """The cautions, and a point that walks."""
    place = controls.number("place", "Where one point moves to (it starts near 0)", 0.0, 1.0, 1.0, 0.05)
    found = _counterexample(place)
    make = partial(figures.counterexample_figure, found)
    alt = "Change of the moving point's potential and of the others against the number of points"
    shell.draw(make(shell.on_dark()), alt=alt, key="sinkhorn_counterexample")
    constants = experiment.constants_table(result.config, len(result.ground.sample_cost))
    theorem_words(found, constants, result)
    bounds_words(_bounds(result.config, result.ground))
    assumed = kinds.Assumptions(found, constants)
    return Drawn(result, assumed.tables(), {"counterexample": make}, "sinkhorn.theorem", (assumed,), place)


def _tuned(config: experiment.Config, ground: experiment.Ground) -> None:
    job = (f"sinkhorn tune {ground.key} {config}", "Pairs of η and K tried", partial(experiment.tune, config, ground))
    for found in shell.worked("sinkhorn_tune", [job]):
        st.markdown(
            f"Best of {found.errors.size} pairs: **η = {found.eta:g} |c|, K = {found.steps}**. There the cost of the "
            f"private plan misses the exact cost by {found.error:.2g} |c| on average."
        )
        rows = [
            (f"η = {eta:g} |c|", *(f"{error:.2g}" for error in errors))
            for eta, errors in zip(found.etas, found.errors, strict=True)
        ]
        shell.table(("mean miss (of |c|)", *(f"K = {count}" for count in found.rounds)), rows)
        st.caption(
            "Tried on masses that fall off along the grid, in opposite directions, with your n, ε, δ and shares. Your "
            "data are not read, so the choice costs no privacy; a guess far from the data costs accuracy."
        )


def _proven(result: experiment.Result) -> experiment.Result:
    if result.config.guarantee == "proven":
        return result
    return release(result.ground, replace(result.config, guarantee="proven"))


def _cost_job(
    config: experiment.Config, ground: experiment.Ground, epsilon: float
) -> tuple[str, str, Callable[[shell.Progress], experiment.CostPoint]]:
    # What the estimates do not depend on must not compute them again.
    key = replace(config, epsilon=epsilon, guarantee="proven")
    return (
        f"sinkhorn costs {ground.key} {key}",
        f"Draws at ε = {epsilon:g}",
        partial(_costs_at, config, ground, epsilon, ()),
    )


def _costs_at(
    config: experiment.Config,
    ground: experiment.Ground,
    epsilon: float,
    ways: tuple[str, ...],
    progress: shell.Progress,
) -> experiment.CostPoint:
    return experiment.cost_point(config, ground, epsilon, progress, ways)


def _vacuous(result: experiment.Result) -> str:
    if not result.released.vacuous:
        return ""
    remedy = (
        "Larger η or ε" if result.config.guarantee in experiment.CLAIMED else "Larger η, n or ε, or a uniform share,"
    )
    return (
        f" **The noise on a potential is {result.released.noise_ratio:.2g} times the range of the cost: the "
        f"released potentials say nothing.** {remedy} would help."
    )
