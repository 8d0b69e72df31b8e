"""What do I protect? The sliders' words become alpha."""

from __future__ import annotations

from functools import partial

import streamlit as st

from dpot_core.experiments import metric as experiment
from dpot_core.figures import metric as figures
from dpot_core.figures.metric.words import distance
from pages import _shell as shell
from pages._metric.scene import Drawn, Scene
from pages._shell.asking import ask


def protect_view(controls: shell.Controls, scene: Scene) -> Drawn | None:
    """The cost of every change."""
    example = ask(controls, experiment.ProtectConfig, "example", label_visibility="collapsed")
    config = experiment.ProtectConfig(scene.config, example)
    result = experiment.protect(config, scene.largest, scene.city.check_ins.simulated)
    left, right = st.columns([1.7, 1])
    with left:
        shell.draw(
            figures.protection_figure(result, shell.on_dark()),
            alt="Cost of a change against the fraction of a person's data and the distance by which it moves",
            key="metric_protect",
        )
    with right:
        _changes(result)
    if example == "paper":
        _paper()
    return Drawn(
        config,
        result.tables(),
        {"cost-of-changes": partial(figures.protection_figure, result)},
        partial(experiment.protect_snippet, config),
        result.guarantee,
        experiment.protect_disclosure(result),
        (result,),
    )


def _changes(result: experiment.Protect) -> None:
    rows = [
        [text, f"{result.epsilon / (tau * q):.4g}", f"{cost:.3g}"]
        for text, (tau, q), cost in zip(result.words, result.changes, result.costs, strict=True)
    ]
    shell.table(["Protected change", "allows α", "costs ε"], rows)
    noise = result.largest / result.alpha
    st.markdown(
        f"**α = {result.alpha:.4g}** for a largest distance of {distance(result.largest)} {result.unit}: the smallest "
        f"of the α's, set by *{shell.as_text(result.words[result.binding])}*. A change of a fraction τ by a distance q "
        f"costs ε = α τ q, q counted in largest distances.\n\n"
        f"In the unit of the map: {result.alpha / result.largest:.3g} nats per {result.unit.removesuffix('s')}. One "
        f"person's average distance to a place then is off by {distance(noise)} {result.unit} on average."
    )
    if any(q == 1.0 for _, q in result.changes):
        st.caption("A distance beyond the largest one counts as the largest.")


def _paper() -> None:
    numbers = experiment.paper_numbers()
    st.markdown(
        "**The numbers of the paper's example, recomputed.** 100,000 people with 1,000 locations each, δ = 1e-12, "
        "on the Earth; 12,500 miles make 1,000 miles q = 0.08, as there. The paper's α₀ ≈ 3.0 comes out as 2.70, 2.41 "
        "or 2.48, depending on which δ is meant; its 1.6 miles are the noise of one person over √n."
    )
    st.markdown("\n".join(f"- {_line(*row)}" for row in numbers.itertuples(index=False)))


def _line(number: str, printed: str, value: float, why: str) -> str:
    there = f"the paper: {printed}" if printed else "not in the paper"
    return f"{number}: **{value:.3g}** ({there}). {why}."
