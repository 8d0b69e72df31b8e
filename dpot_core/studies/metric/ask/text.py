"""Ask a question about everybody's locations."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import plotly.graph_objects as go
import streamlit as st

from dpot_core.experiments import metric as experiment
from dpot_core.figures import metric as figures
from dpot_core.figures.metric.words import amount, with_miles
from pages import _shell as shell
from pages._metric.scene import KEYS, Drawn, Scene
from pages._shell.asking import ask

# These words stand in people's links: add, but do not reword.
WHO = {"local": "Each person", "central": "A trusted curator"}

_ask = st.cache_resource(max_entries=60, show_spinner=False, hash_funcs=KEYS)(experiment.ask)


def ask_view(controls: shell.Controls, scene: Scene) -> Drawn | None:
    """A query, its truth, noisy answers, and their errors against those of user-level privacy."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        query = ask(controls, experiment.AskConfig, "query", width=280)
        model = controls.choice("model", "Noise is added by", WHO, "local", kind="segments")
        kind = ask(controls, experiment.AskConfig, "kind")
    config = experiment.AskConfig(scene.config, query, kind=kind, **_place(controls, query))
    try:
        result = _ask(config, scene.city)
    except ValueError as problem:
        st.error(f"This question cannot be answered: {shell.as_text(str(problem))}.")
        return None
    makers: dict[str, Callable[[], go.Figure]] = {
        "noisy-answers": partial(figures.answers_figure, result, model),
        "errors": partial(figures.errors_figure, result),
    }
    left, right = st.columns([1, 1])
    with left:
        shell.draw(
            figures.answers_figure(result, model, shell.on_dark()),
            alt="Noisy answers around the true one, private by distance and for the whole user",
            key="metric_answers",
        )
    with right:
        shell.draw(
            figures.errors_figure(result, shell.on_dark()),
            alt="Errors of the noisy answers in both models, private by distance and for the whole user",
            key="metric_errors",
        )
    st.caption(_reading(result))
    if query != "position":
        makers["question"] = partial(figures.question_map, result)
        with st.expander("The question on the map"):
            shell.draw(
                figures.question_map(result, shell.on_dark()),
                alt="Value of the question at each cell, and the two cells between which it changes fastest",
                key="metric_question",
            )
    disclosure = experiment.ask_disclosure(result)
    snippet = partial(experiment.ask_snippet, config)
    return Drawn(config, result.tables(), makers, snippet, result.guarantee, disclosure, (result,))


def _place(controls: shell.Controls, query: str) -> dict[str, Any]:
    """What the question is asked for beside itself, by name of the setting."""
    if query == "position":
        return {}
    names = {"distance": ("east", "north"), "region": ("east", "north", "radius", "edge")}[query]
    with st.container(horizontal=True, vertical_alignment="bottom"):
        return {name: ask(controls, experiment.AskConfig, name, width=212) for name in names}


def _reading(result: experiment.Ask) -> str:
    unit = result.unit
    alone = with_miles(result.one_person("metric"), unit)
    both = ", ".join(f"{model} {with_miles(result.error(model, 'metric'), unit)}" for model in experiment.MODELS)
    whole = ", ".join(f"{model} {with_miles(result.error(model, 'user-level'), unit)}" for model in experiment.MODELS)
    return (
        f"A demonstration: {experiment.DRAWS} answers per row with a fixed seed, each the mean over all people; every "
        f"person counts the same. Large marks: the exact expected error. By distance (the protected changes cost ε, "
        f"others α τ q): {both}; one person's own local answer is off by {alone}. Whole user (any change at all costs "
        f"at most ε, another promise): {whole}; one person's by {amount(result.one_person('user-level'), unit)}."
    )
