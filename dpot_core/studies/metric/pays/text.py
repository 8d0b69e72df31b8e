"""When does it pay? Frequency estimation by distance against user-level privacy."""

from __future__ import annotations

from functools import partial
from typing import Any, Literal

import streamlit as st

from dpot_core.experiments.metric import frequency_errors
from dpot_core.experiments.metric import pays as experiment
from dpot_core.experiments.metric.disclosed import protect_disclosure
from dpot_core.experiments.metric.reproduce_pays import pays_snippet
from dpot_core.figures.metric import pays as figures
from pages import _shell as shell
from pages._metric.scene import Drawn, Scene
from pages._shell.asking import ask
from pages._shell.work import worked


def pays_view(controls: shell.Controls, scene: Scene) -> Drawn | None:
    """Error against alpha/epsilon and against k, with the crossover."""
    config = _choose(controls, scene)
    job = (f"{config}", "Errors over α/ε and k", partial(experiment.run, config))
    done = worked("metric_pays", [job])
    if not done:
        return None
    pays = done[0]
    makers = {
        "error-over-ratio": partial(figures.pays_figure, pays),
        "error-over-k": partial(figures.pays_over_k_figure, pays),
    }
    left, right = st.columns(2)
    with left:
        shell.draw(
            figures.pays_figure(pays, shell.on_dark()),
            alt="Error of each release against alpha over epsilon, with the value from which privacy by distance pays",
            key="metric_pays_ratio",
        )
    with right:
        shell.draw(
            figures.pays_over_k_figure(pays, shell.on_dark()),
            alt="Error of each release against the number of points at the chosen alpha over epsilon",
            key="metric_pays_k",
        )
    st.caption(_reading(pays))
    snippet = partial(pays_snippet, config)
    return Drawn(config, pays.tables(), makers, snippet, config.guarantee, protect_disclosure(), (pays,))


def _choose(controls: shell.Controls, scene: Scene) -> frequency_errors.PaysConfig:
    def asked(name: str, width: int | Literal["content"] = "content") -> Any:
        return ask(controls, frequency_errors.PaysConfig, name, width=width)

    with st.container(horizontal=True, vertical_alignment="bottom"):
        model, users, items = asked("model"), asked("users", 200), asked("items", 200)
        ratio = asked("ratio", 220)
    with st.expander("The space: clusters of points"), st.container(horizontal=True):
        space = asked("clusters", 220), asked("size", 220), asked("r", 300)
    base = scene.config
    return frequency_errors.PaysConfig(model, users, items, *space, base.epsilon, ratio, base.delta)


def _reading(pays: experiment.Pays) -> str:
    config = pays.config
    return (
        "**Two promises on one picture.** *By distance* (α, brown): a change costs α times its earth mover's distance. "
        f"*Whole user* (ε, blue): any change of a whole history costs ε = {config.epsilon:g}. Changes smaller than "
        f"ε/α are hidden better by the first, larger ones by the second. At α/ε = 1/r = {1 / config.r:g} both ask the "
        "same for a history in which everything moves inside its cluster.\n\n"
        f"Items are simulated: {config.users:,} users with {config.items:,} items each, {len(config.space)} points. "
        f"Marks: mean over {frequency_errors.RUNS} runs with a fixed seed; band: middle 90%. Thin solid lines: proven "
        "for the mean (equation 9; Lemmas 6.4 and 6.7 with constants worked out) as far as it is below 1. Estimates "
        "are unbiased and then moved to the nearest distribution, first over clusters, then inside; the bounds cover "
        "that. Shuffled: by Theorem 4.4 where it beats composition. One random item: each user reports on one of "
        "their items, so nothing has to be shuffled; its α is proven here, not in the paper. The paper's crossover, "
        f"whose constants are not known, is of the order α/ε ≈ {pays.printed_crossover:.3g}. The changes on the left "
        "do not enter here; ε and δ do."
    )
