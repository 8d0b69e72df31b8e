"""The sidebar of the ring page: widgets in, settings out."""

from __future__ import annotations

import streamlit as st

from dpot_core.experiments import ring as experiment
from dpot_core.mechanisms import MECHANISMS
from pages import _shell as shell

CONCENTRATIONS = (0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 50.0)
REGS = (0.0, 1e-4, 3e-4, 1e-3, 3e-3, 0.01, 0.03, 0.1, 0.3, 1.0)
# These words stand in people's links: add, but do not reword.
INPUTS = {"dirichlet": "Random", "dirac": "One point", "two-bumps": "Two bumps", "numbers": "My numbers"}
BASES = {"best-uniform": "Best uniform", "uniform": "Uniform", "minimax": "Minimax", "prior": "Public prior"}

BASE_HELP = (
    "WPM puts between e^(-ε/2) and e^(ε/2) times this measure on each output point. "
    "It is public, so it must not depend on private data."
)
REG_HELP = (
    "Weight of the entropy in Algorithm 1. It counts for costs scaled so that the largest is 1: "
    "λ means nothing without that scale."
)


def choose(controls: shell.Controls) -> tuple[experiment.Config | None, dict[str, str]]:
    """Draw the controls.

    Returns:
        The settings, or None while pasted numbers cannot be used (the screen says why), and what a link has to
        carry beside the controls.
    """
    epsilon = controls.epsilon(2.0)
    mechanisms = controls.several(
        "mechanisms",
        "Mechanisms",
        {name: build.label for name, build in MECHANISMS.items()},
        ("wpm", "kpm", "em"),
        help="; ".join(f"{build.label}: {build.title.lower()}" for build in MECHANISMS.values()),
    )
    k = controls.integer("k", "Points on the ring (k)", 3, 200, 30)
    source, source_link = _source(controls, k)
    base, base_link = _base(controls, k)
    with st.expander("Order, outputs, solver"):
        p = controls.integer("p", "Order p of the distance W_p", 1, 4, 2)
        every = controls.integer(
            "every", "Release every n-th point only", 1, 10, 1, help="At most n = k - 1: two outputs."
        )
        reg = controls.steps("lambda", "Entropic weight λ", REGS, 0.0, show=_reg, help=REG_HELP)
    if source is None or base is None:
        return None, {}
    ring = experiment.Ring(k, min(every, k - 1), p)
    config = experiment.Config(ring, base, source, epsilon, reg or None, mechanisms)
    return config, source_link | base_link


def _source(controls: shell.Controls, k: int) -> tuple[experiment.Source | None, dict[str, str]]:
    kind = controls.choice("input", "Input distribution", INPUTS, "dirichlet")
    if kind == "dirichlet":
        concentration = controls.steps(
            "concentration",
            "Dirichlet concentration",
            CONCENTRATIONS,
            0.1,
            help="Small: a few large masses. Large: nearly uniform.",
        )
        seed = controls.integer("seed", "Seed of the random draw", 0, 9999, 1, kind="number")
        return experiment.Source(kind, concentration=concentration, seed=seed), {}
    if kind == "dirac":
        point = controls.integer("point", "Point", 0, 199, 0, kind="number", help="Counted modulo k.")
        return experiment.Source(kind, point=point), {}
    if kind == "numbers":
        numbers = shell.numbers_input(controls, "numbers", "Weights of the points", _example(k))
        if numbers is None:
            return None, {}
        return experiment.Source(kind, numbers=numbers), {"numbers": shell.link_part(numbers)}
    return experiment.Source(kind), {}


def _base(controls: shell.Controls, k: int) -> tuple[experiment.Base | None, dict[str, str]]:
    kind = controls.choice("base", "Base measure of WPM", BASES, "best-uniform", help=BASE_HELP)
    if kind == "uniform":
        scale = controls.number("scale", "Its mass: e^(s ε/2), s =", -1.0, 1.0, 0.0, 0.05)
        return experiment.Base(kind, scale=scale), {}
    if kind == "prior":
        prior = shell.numbers_input(controls, "prior", "Public weights of the points", _example(k))
        if prior is None:
            return None, {}
        return experiment.Base(kind, prior=prior), {"prior": shell.link_part(prior)}
    return experiment.Base(kind), {}


def _example(k: int) -> list[float]:
    return [round(float(mass), 4) for mass in experiment.make_input(experiment.Source("two-bumps"), k)]


def _reg(value: float) -> str:
    return "exact" if value == 0.0 else f"{value:g}"
