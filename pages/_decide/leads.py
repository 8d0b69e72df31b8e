"""From an answer to the pages that show it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import streamlit as st

from dpot_core.cities.place import Place
from dpot_core.datasets import BOXES
from dpot_core.experiments import needs as experiment
from dpot_core.figures.needs import SIDES
from dpot_core.studies.geolocation import settings as geolocation
from dpot_core.studies.movies import settings as movies
from dpot_core.studies.ring import settings as ring
from pages import _shell as shell
from pages._board.links import link_parameters

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
    asked: Any
    if config.need == "geolocation":
        place = Place(box=BOXES.get(config.source))
        asked = geolocation.Config(config.source, place, epsilon=float(epsilon))
        view = "worst-case" if side == "worst" else "crowd"
        return "pages/geolocation.py", link_parameters(f"geolocation.{view}", asked)
    if config.need == "movies":
        return "pages/movies.py", link_parameters("movies.sweep", movies.Config(config.source, epsilon=float(epsilon)))
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
        return "pages/sinkhorn.py", link_parameters("sinkhorn.cost", asked)
    if config.need == "population":
        people = replace(experiment.PEOPLE, epsilon=float(epsilon))
        return "pages/population.py", link_parameters("population.map", people)
    asked = ring.Config(ring.Ring(config.k, 1, config.p), source=ring.Source(seed=config.seed), epsilon=float(epsilon))
    view = "Worst-case divergences" if config.need == "ring-tv" else "Worst case"
    return "pages/ring.py", link_parameters("ring.outputs", asked) | {"ring_view": view}
