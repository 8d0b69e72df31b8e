"""The view of the line: one mixture, what each mechanism makes of it, worst cases."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import pandas as pd
import streamlit as st

from dpot_core.experiments import mixture as experiment
from dpot_core.figures import mixture as figures
from dpot_core.guarantees import Guarantee
from dpot_core.mechanisms.continuous.mbde import BoostedDensity
from dpot_core.scenarios.mixture import LINE, line_results
from pages import _shell as shell
from pages._mixture import controls as sidebar
from pages._mixture.shared import Drawn, numbers_table
from pages._shell.asking import ask

# These words stand in people's links: add, but do not reword.
DETAILS = {"numbers": "This input in numbers", "worst": "Worst case", "many": "Worst of many"}
SOURCES = {"published": "The paper's 100", "random": "Random"}

_worst_cases = st.cache_resource(max_entries=30, show_spinner=False)(experiment.worst_cases)


@st.cache_resource(max_entries=100, show_spinner=False)
def _run(config: experiment.Config, _boosted: BoostedDensity | None) -> experiment.Result:
    return experiment.run_line(config, _boosted)


def choose(controls: shell.Controls) -> tuple[experiment.Config | None, dict[str, str]]:
    """Draw the controls."""
    epsilon = ask(controls, LINE, "epsilon")
    mechanisms = ask(controls, LINE, "mechanisms")
    radius = ask(controls, LINE, "family.radius")
    variance = ask(controls, LINE, "family.variance")
    modes, link = sidebar.line_modes(controls, radius)
    with st.expander("Draws, reference, WPM"):
        draws, seed = ask(controls, LINE, "draws"), ask(controls, LINE, "seed")
        reference = ask(controls, LINE, "reference")
        cells = ask(controls, LINE, "cells")
        p = ask(controls, LINE, "p")
    training = ask(controls, LINE, "training") if "mbde" in mechanisms else LINE.training
    if modes is None:
        return None, {}
    family = experiment.Family(variance, radius)
    return experiment.Config(modes, family, epsilon, mechanisms, reference, cells, p, draws, seed, training), link


def view(controls: shell.Controls) -> Drawn | None:
    """The picture, the promise and the details."""
    with st.sidebar:
        config, link = choose(controls)
    if config is None:
        st.info("The picture appears as soon as the modes on the left can be used.")
        return None
    try:
        config, boosted = _trained(config)
        result = _run(config, boosted)
    except (ValueError, RuntimeError) as problem:
        st.error(f"These settings do not fit together: {shell.as_text(str(problem))}.")
        sidebar.offer_radius(controls, "radius", config.modes, config.family)
        return None
    now = experiment.worst_now(config.family, config.epsilon)
    shell.draw(
        figures.line_figure(result, now["kl"], shell.on_dark()),
        alt="Density of the input and of each mechanism's output on the line, with the band that privacy allows",
        key="mix_line",
    )
    st.caption(_reading(result))
    shell.disclosure_strip(experiment.disclosure(config))
    makers = {"line": partial(figures.line_figure, result, now["kl"])}
    tables = {name: partial(_table, result, name) for name in ("line-densities", "line-numbers", "line-draws")}
    with st.expander("Release for real"):
        st.caption(
            "One number, drawn by KPM from the operating system's entropy in whole numbers: exactly ε-LDP for every "
            "input, whatever its density is. Run it where the data are; the page itself only demonstrates. "
            "The other mechanisms have no release for real here."
        )
        st.code(experiment.release_snippet(config), language="python")
    worst = _worst_cases(config.family)
    makers["worst-case"] = partial(figures.worst_case_figure, worst, now, result.numbers, config.epsilon)
    tables["worst-case"] = partial(_table, worst, "worst-case")
    opened, boxes = controls.tabs("details", DETAILS)
    with boxes[opened]:
        if opened == "numbers":
            numbers_table(result.numbers, now)
            st.caption(_explained(result))
        elif opened == "worst":
            shell.draw(
                figures.worst_case_figure(worst, now, result.numbers, config.epsilon, shell.on_dark()),
                alt="Worst-case divergences of the family against epsilon, with this input's divergences",
                key="mix_worst",
            )
            st.caption(
                "R is the worst case over all densities between 0 and c₂ h, of which the mixtures are some "
                f"(c₂ = {experiment.make_family(config.family).c2:.9g})."
            )
        else:
            many = _many(controls, config)
            if many is not None:
                same = worst if many.source == "random" else _worst_cases(experiment.Family())
                published = experiment.published_worst()
                shell.draw(
                    figures.many_figure(many, same, published, shell.on_dark()),
                    alt="Largest divergence over many mixtures for every mechanism, beside the paper's",
                    key="mix_many",
                )
                st.caption(_beside_the_paper(many))
                makers["fig4"] = partial(figures.many_figure, many, same, published)
                names = ("fig4-worst", "fig4-mixtures", "fig4-published")
                tables |= {name: partial(_table, many, name) for name in names}
    results = partial(line_results, result, worst)
    snippet = partial(experiment.snippet, config)
    return Drawn(config, experiment.disclosure(config), tables, makers, snippet, link, "mixture.line", results)


def _trained(config: experiment.Config) -> tuple[experiment.Config, BoostedDensity | None]:
    """The settings with what MBDE has learned for them; without MBDE when the reader abandons the training."""
    if "mbde" not in config.mechanisms:
        return config, None
    job = partial(experiment.train_mbde, config)
    found = shell.worked("mix_mbde", [(f"mbde {experiment.training_key(config)}", "Training MBDE", job)])
    if found:
        return config, found[0]
    return replace(config, mechanisms=tuple(name for name in config.mechanisms if name != "mbde")), None


def _many(controls: shell.Controls, config: experiment.Config) -> experiment.Many | None:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        source = controls.choice("source", "Mixtures", SOURCES, "published", kind="segments")
        count, seed = 100, 0
        if source == "random":
            count = controls.integer("many", "How many", 1, 1000, 100, kind="number", width=140)
            seed = controls.integer("many_seed", "Seed", 0, 9999, 1, kind="number", width=140)
    family = experiment.Family() if source == "published" else config.family
    key = f"mixture {source} {count} {seed} {family} {config.reference} {config.p}"
    job = partial(experiment.worst_of_many, source, count, seed, config)
    found = shell.worked("mix_many", [(key, "Mixtures", job)])
    return found[0] if found else None


def _table(result: experiment.Result | experiment.WorstCases | experiment.Many, name: str) -> pd.DataFrame:
    return result.tables()[name]


def _reading(result: experiment.Result) -> str:
    if result.trivial:
        return "The family is so narrow that its members differ by less than e^ε: KPM releases the input itself."
    text = "Shaded columns, grey: KPM lifts P/r to its lower bound b h. Orange: it cuts P/r at b e^ε′ h."
    if "kpm" in result.numbers:
        text += (
            f" Accepted: {100 * (result.numbers['kpm'].acceptance or 0.0):.3g} % of the draws from h, for every input."
        )
    if "mbde" in result.numbers:
        text += (
            " MBDE is trained on points of the input. Its bound e^(±ε/2) times the Gaussian holds for every trained "
            "network, but for the draw only: the network itself shows the input and is not released."
        )
    if result.config.draws:
        text += (
            f" The {result.config.draws} draws are a demonstration: floats from a known seed, and all of one input, so "
            f"that together they would spend {result.config.draws} ε."
        )
    for name, reason in result.infeasible.items():
        text += f" {experiment.NAMES[name]}: {shell.as_text(reason)}."
    return text


def _explained(result: experiment.Result) -> str:
    guarantee: Guarantee = result.config.guarantee
    trained = ""
    if "mbde" in result.numbers:
        trained = (
            " MBDE: low and high times the mollifier's Gaussian, not by clipping but because its networks are bounded; "
            "its draws are exact and need no ε′."
        )
    return (
        f"P is divided by r, then clipped between low and high times h (mollifier: times its Gaussian). "
        f"Between public nodes outputs are linear multiples of h, so that no input hides anything from the integral, "
        f"which is a finite sum, within d = 1e-9 of 1 for every input whatsoever (error of the public numbers: "
        f"{result.error:.1e}). The density is made for ε′ = ε − log((1 + d)/(1 − d)) = {result.epsilon_used:.12g} and "
        f"the draw satisfies ε = {guarantee.epsilon:g}. "
        f"WPM: on {result.config.cells} cells, W of order {result.config.p}, exact. "
        f"Inputs that differ by a total variation of t have KPM outputs that differ by at most {_lipschitz(result)} t. "
        f"W₁: how far the mass moves on average, in units of x, between the same cells.{trained}"
    )


def _lipschitz(result: experiment.Result) -> str:
    return f"{2.0 / (result.numbers['kpm'].r or 1.0):.3g}"


def _beside_the_paper(many: experiment.Many) -> str:
    text = (
        "A demonstration with fixed mixtures. Open markers: the maxima in the paper, of 100 other mixtures at each ε "
        "except 1; MBDE is a trained approximation of the mollifier. WPM: on 200 cells. "
        "Line: no mixture, seen or not, costs KPM more than R."
    )
    if many.disagreement is not None:
        text += (
            f" At ε = 1 these are the paper's own mixtures: our KPM agrees with theirs on every one of them within "
            f"{many.disagreement:.1e} (their program stops when the integral is within 1e-5 of 1)."
        )
    return text
