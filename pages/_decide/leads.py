"""From an answer to the pages that show it."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from dpot_core.datasets import DATASETS, FILM_DATASETS
from dpot_core.experiments import needs as experiment
from dpot_core.figures.needs import SIDES
from pages import _shell as shell
from pages._board.private_links import population_parameters, sinkhorn_parameters

Link = dict[str, str | list[str]]


def lead_on(answer: experiment.Answer) -> None:
    """Buttons that open the page of the need at the epsilon found, and the page that says what it means."""
    with st.container(horizontal=True):
        for side, found in answer.sides.items():
            epsilon = None if found.best is None else next((e for e in shell.EPSILONS if e >= found.best[1]), None)
            if epsilon is None:
                continue
            file, link = page_of(answer.config, side, f"{epsilon:g}")
            label = f"{SIDES[side]}: see it at ε = {epsilon:g}"
            if st.button(label, key=f"decide_open_{side}", icon=":material/open_in_new:"):
                shell.open_prepared(file, link)
            if st.button(f"What does ε = {epsilon:g} mean?", key=f"decide_mean_{side}", icon=":material/help:"):
                shell.open_prepared(
                    "pages/explain.py", {"explain_view": "One release", "explain_epsilon": f"{epsilon:g}"}
                )


def page_of(config: experiment.Config, side: str, epsilon: str) -> tuple[str, Link]:
    """The page that shows the mechanisms of a need, and what prepares it."""
    if config.need == "geolocation":
        view = "Worst case" if side == "worst" else "The crowd"
        same: Link = {"geo_n": "20", "geo_least": "10", "geo_base": "Best uniform", "geo_lambda": "0.01"}
        return "pages/geolocation.py", same | {
            "geo_data": DATASETS[config.source].title,
            "geo_outputs": "Grid cells",
            "geo_epsilon": epsilon,
            "geo_view": view,
        }
    if config.need == "movies":
        link: Link = {
            "movies_data": FILM_DATASETS[config.source].title,
            "movies_base": "Uniform",
            "movies_epsilon": epsilon,
        }
        return "pages/movies.py", link | {"movies_lambda": "0.01", "movies_view": "Everyone"}
    if config.need == "sphere":
        return "pages/mixture.py", {
            "mix_view": "Sphere",
            "mix_sphere_epsilon": epsilon,
            "mix_d": str(config.d),
            "mix_orders": [str(config.p)],
        }
    if config.need == "two-sets":
        data = replace(experiment.PAIR.data, source=config.source)
        asked = replace(experiment.PAIR, data=data, epsilon=float(epsilon))
        return "pages/sinkhorn.py", sinkhorn_parameters("sinkhorn.cost", asked)
    if config.need == "population":
        people = replace(experiment.PEOPLE, epsilon=float(epsilon))
        return "pages/population.py", population_parameters("population.map", people)
    view = "Worst-case divergences" if config.need == "ring-tv" else "Worst case"
    ring: Link = {"ring_k": str(config.k), "ring_p": str(config.p), "ring_every": "1", "ring_lambda": "exact"}
    ring |= {"ring_input": "Random", "ring_concentration": "0.1", "ring_seed": str(config.seed)}
    return "pages/ring.py", ring | {"ring_epsilon": epsilon, "ring_base": "Best uniform", "ring_view": view}
