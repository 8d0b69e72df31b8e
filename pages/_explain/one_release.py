"""One release: beliefs before and after, odds, what can be denied."""

from __future__ import annotations

from functools import partial

import streamlit as st

from dpot_core.experiments import meaning as experiment
from dpot_core.figures import meaning as figures
from pages import _shell as shell
from pages._explain.shared import Drawn, prior
from pages._shell.asking import ask


def view(controls: shell.Controls) -> Drawn:
    """Odds first, then e^epsilon, then deniability."""
    with st.sidebar:
        epsilon = ask(controls, experiment.Config, "epsilon")
        before = prior(controls, "prior", experiment.Config)
    config = experiment.Config(epsilon, before)
    result = experiment.run(config)
    shell.draw(
        figures.beliefs_figure(result, shell.on_dark()),
        alt="A hundred people before a release, and after the outputs that say most for and against",
        key="explain_people",
    )
    st.caption(
        "Strong: those of whom it is believed; faint: the others. These are limits for every output and everybody who "
        "looks at it, whatever else they know; most outputs change beliefs less."
    )
    shell.guarantee_strip(config.guarantee)
    odds, factor = figures.odds, shell.factor(result.factor)
    shell.table(
        ["", "Odds", "Belief"],
        [
            ["Before", odds(result.prior_odds), figures.share(before)],
            [
                f"After the output most for it: odds × {factor}",
                f"≤ {odds(result.prior_odds * result.factor)}",
                f"≤ {figures.share(result.most)}",
            ],
            [
                f"After the output most against it: odds ÷ {factor}",
                f"≥ {odds(result.prior_odds / result.factor)}",
                f"≥ {figures.share(result.least, up=False)}",
            ],
        ],
    )
    shell.draw(
        figures.deniability_figure(result, shell.on_dark()),
        alt="A hundred releases if something is true, and a hundred if it is false",
        key="explain_deniable",
    )
    st.caption(
        f"Randomized response on yes and no, which uses up the promise: a “yes” is × {factor} as likely from somebody "
        "of whom it is true (the likelihood ratio). So a “yes” proves nothing: it may be one of the others."
    )
    makers = {
        "beliefs": partial(figures.beliefs_figure, result),
        "deniability": partial(figures.deniability_figure, result),
    }
    tables = {"one-release": lambda: result.tables()["one-release"]}
    return Drawn(config, tables, makers, lambda: experiment.snippet(config))
