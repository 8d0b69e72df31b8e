"""Find my epsilon: say what must be possible, and get the smallest epsilon of every mechanism."""

from __future__ import annotations

import streamlit as st

from dpot_core.studies._kit.privacy import EPSILONS
from dpot_core.studies._kit.setting import declared
from dpot_core.studies._kit.values import filled
from dpot_core.studies._kit.view import Tab
from dpot_core.studies.decide import PAGE
from dpot_core.studies.decide.figures import SIDES
from dpot_core.studies.decide.leads import leads_to
from dpot_core.studies.decide.results import Answer
from dpot_core.studies.decide.settings import NEEDS, Config
from dpot_core.studies.decide.text import VIEW, show_answer, show_side
from pages import _shell as shell

ANSWER = Tab("answer", "", show_answer)


def choose(controls: shell.Controls) -> Config:
    name = shell.ask(controls, Config, "need")
    need = NEEDS[name]
    limit = "at least" if need.at_least else "at most"
    key = f"{name.replace('-', '_')}_target"
    values = {"need": name, "target": controls.steps(key, f"How good: {limit}", need.targets, need.default)}
    st.caption(need.question.format(f"**{need.write(values['target'])}**").capitalize() + ".")
    if need.sets is not None:
        titles = {key: row.title for key, row in need.sets.items()}
        label = declared(Config)["source"].label
        values["source"] = controls.choice("films" if name == "movies" else "city", label, titles, "simulated")
    if need.says:
        st.caption(need.says)
    begin = filled(Config(), values)
    return shell.sidebar(controls, begin, ("d", "k", "seed", "p")) or begin


def lead_on(answer: Answer) -> None:
    """Buttons that open the page of the need at the epsilon found, and the page that says what it means."""
    with st.container(horizontal=True):
        for side, searched in answer.sides.items():
            best = searched.best
            epsilon = None if best is None else next((e for e in EPSILONS if e >= best[1]), None)
            if epsilon is None:
                continue
            label = f"{SIDES[side]}: see it at ε = {epsilon:g}"
            if st.button(label, key=f"decide_open_{side}", icon=":material/open_in_new:"):
                shell.open_prepared(*leads_to(answer.config, side, epsilon))
            if st.button(f"What does ε = {epsilon:g} mean?", key=f"decide_mean_{side}", icon=":material/help:"):
                link = {"explain_view": "One release", "explain_epsilon": f"{epsilon:g}"}
                shell.open_prepared("explain", link)


@st.fragment
def guarantee(answer: Answer, results: shell.Shown) -> None:
    there = {side: words for side, words in SIDES.items() if side in answer.sides}
    side = controls.choice("promise", "The promise at the smallest ε", there, next(iter(there)), kind="segments")
    promised = answer.guarantee(side)
    if promised is None:
        st.info("No mechanism reaches the target here, so there is nothing to promise.")
    else:
        shell.words(shell.disclosure_strip(results.results.disclosure, promised), key="decide_strip")


controls = shell.Controls(PAGE.prefix)
notice = st.container()
with st.sidebar:
    config = choose(controls)
shell.heading(PAGE)
answered = shell.shown(controls, VIEW, config, ANSWER)
if answered is not None:
    (answer,) = answered.results.parts
    lead_on(answer)
    for side in answer.sides:
        shell.show(show_side(answer, side), f"decide_{side}")
    guarantee(answer, answered)
    shell.below(controls, [answered])
with notice:
    controls.notices(complete=answered is not None)
