"""The sidebar of the ring page: widgets in, settings out."""

from __future__ import annotations

import streamlit as st

from dpot_core.experiments import ring as experiment
from pages import _shell as shell
from pages._shell.asking import ask


def choose(controls: shell.Controls) -> tuple[experiment.Config | None, dict[str, str]]:
    """Draw the controls.

    Returns:
        The settings, or None while pasted numbers cannot be used (the screen says why), and what a link has to
        carry beside the controls.
    """
    epsilon = ask(controls, experiment.Config, "epsilon")
    mechanisms = ask(controls, experiment.Config, "mechanisms")
    k = ask(controls, experiment.Ring, "k")
    source, source_link = _source(controls, k)
    base, base_link = _base(controls, k)
    with st.expander("Order, outputs, solver"):
        p = ask(controls, experiment.Ring, "p")
        every = ask(controls, experiment.Ring, "every")
        reg = ask(controls, experiment.Config, "reg")
    if source is None or base is None:
        return None, {}
    config = experiment.Config(experiment.Ring(k, min(every, k - 1), p), base, source, epsilon, reg, mechanisms)
    return config, source_link | base_link


def _source(controls: shell.Controls, k: int) -> tuple[experiment.Source | None, dict[str, str]]:
    kind = ask(controls, experiment.Source, "kind")
    if kind == "dirichlet":
        concentration = ask(controls, experiment.Source, "concentration")
        return experiment.Source(kind, concentration=concentration, seed=ask(controls, experiment.Source, "seed")), {}
    if kind == "dirac":
        return experiment.Source(kind, point=ask(controls, experiment.Source, "point")), {}
    if kind == "numbers":
        numbers = shell.numbers_input(controls, "numbers", "Weights of the points", _example(k))
        if numbers is None:
            return None, {}
        return experiment.Source(kind, numbers=numbers), {"numbers": shell.link_part(numbers)}
    return experiment.Source(kind), {}


def _base(controls: shell.Controls, k: int) -> tuple[experiment.Base | None, dict[str, str]]:
    kind = ask(controls, experiment.Base, "kind")
    if kind == "uniform":
        return experiment.Base(kind, scale=ask(controls, experiment.Base, "scale")), {}
    if kind == "prior":
        prior = shell.numbers_input(controls, "prior", "Public weights of the points", _example(k))
        if prior is None:
            return None, {}
        return experiment.Base(kind, prior=prior), {"prior": shell.link_part(prior)}
    return experiment.Base(kind), {}


def _example(k: int) -> list[float]:
    return [round(float(mass), 4) for mass in experiment.make_input(experiment.Source("two-bumps"), k)]
