"""Learning by doing, under the page in teaching mode: a bet, a curve to draw first, tasks that tick themselves."""

from collections.abc import Mapping, Sequence
from functools import partial
from math import log
from typing import Any

import streamlit as st

from dpot_app.figures.findings import best_two
from dpot_app.figures.sketch import EPSILONS, read_sketch, shares, sketch_figure
from dpot_app.kit.lesson import Bet, Task
from dpot_app.kit.markdown import as_text
from dpot_app.kit.page import page_of
from dpot_app.kit.values import put
from dpot_app.shell.charts import draw
from dpot_app.shell.controls import Controls
from dpot_app.shell.files import files_for
from dpot_app.shell.teaching import teaching
from dpot_app.shell.views import Shown, watched
from dpot_core.arguments.progress import Progress, counted
from dpot_core.privacy.numerals import number

#: Where bets are about: at the one that is farther from the present epsilon.
_BETS = (0.5, 4.0)


def learn(controls: Controls, views: Sequence[Shown]) -> None:
    """Questions of a page's lesson about the views that are shown; none outside teaching mode."""
    lesson = page_of(views[0].view.key).lesson
    if lesson is None or not teaching():
        return
    known = {one.view.key: one for one in views}
    bet, tasks = lesson.bet, [task for task in lesson.tasks if task.view in known]
    if (bet is None or bet.view not in known) and not tasks:
        return
    with st.container(border=True, key=f"learn_{controls.page}"):
        st.subheader("Try it", anchor=False)
        if bet is not None and bet.view in known:
            _bet(controls, known[bet.view], bet)
            _sketch(controls, known[bet.view], bet)
        _tasks(controls, known, tasks)


def _bet(controls: Controls, one: Shown, bet: Bet) -> None:
    """Ask, lock the answer, move epsilon; then reply to what was answered."""
    key, numbers = f"{controls.page}_bet", bet.numbers(*one.results.parts)
    locked = st.session_state.get(key)
    epsilon = one.results.config.epsilon
    if locked is None:
        at = max(_BETS, key=lambda value: abs(log(value / epsilon)))
        st.markdown(f"**Bet first.** {bet.question} at ε = {at:g}?")
        answer = st.radio(bet.question, list(numbers), index=None, horizontal=True, key=f"{key}_answer", **_QUIET)

        def lock() -> None:
            st.session_state[key] = {"answer": answer, "at": at, "reply": ""}
            st.session_state[f"{controls.page}_epsilon"] = at

        st.button("Lock the answer and move ε there", disabled=answer is None, on_click=lock, key=f"{key}_lock")
        return
    if epsilon == locked["at"] and locked["answer"] in numbers:
        locked["reply"] = reply(bet, locked["answer"], numbers, epsilon)
    words = locked["reply"] or f"You said {locked['answer']}. Move ε to {locked['at']:g}: the page answers."
    st.markdown(f"**Bet first.** {as_text(words)}")
    st.button("Bet again", on_click=lambda: st.session_state.pop(key, None), key=f"{key}_again")


_QUIET: dict[str, Any] = {"label_visibility": "collapsed"}


def reply(bet: Bet, answer: str, numbers: Mapping[str, float], epsilon: float) -> str:
    """The result, beside the reader's answer; mechanisms whose numbers read the same are all right."""
    best, _ = best_two(numbers, answer, largest=bet.largest)
    texts = {name: f"{number(value)} {bet.unit}" for name, value in numbers.items()}
    right = "that is right" if texts[best] == texts[answer] else f"it is {best}"
    told = ", ".join(f"{name} {text}" for name, text in texts.items())
    return f"You said {answer}: {right}. At ε = {epsilon:g}: {told}."


def _sketch(controls: Controls, one: Shown, bet: Bet) -> None:
    """A curve to be drawn before the true one appears over it."""
    key = f"{controls.page}_sketch"
    box = st.expander("Draw it first", key=f"{key}_box", on_change="rerun")
    if not box.open:
        return
    with box:
        config = put(one.results.config, "epsilon", EPSILONS[0])
        found = watched(controls, "sketch", config, partial(_curve, controls, one, bet), "The true curve")
        if found is None:
            return
        name, values = found
        text = f"{key}_text"
        points = read_sketch(st.session_state.get(text, ""))
        alt = f"{bet.axis} of {name} against epsilon, as drawn by hand"
        figure = sketch_figure(points, values, name, bet.axis, bet.unit)
        draw(figure, alt=alt, key=key, draws=("curve", "sketch"))
        with st.container(horizontal=True):
            typed = st.text_input("As numbers: ε value; ε value", key=f"{key}_typed", placeholder="0.1 5; 1 3; 10 1")
            if typed and st.session_state.get(f"{key}_last") != typed:
                st.session_state[f"{key}_last"] = typed
                try:
                    st.session_state[text] = shares(typed, values)
                    st.rerun()
                except ValueError as problem:
                    st.error(as_text(str(problem)))
            st.button("Draw anew", on_click=lambda: st.session_state.pop(text, None), key=f"{key}_anew")


def _curve(controls: Controls, one: Shown, bet: Bet, progress: Progress) -> tuple[str, list[float]]:
    """Name of the mechanism that is drawn, and its numbers at `EPSILONS`."""
    config = one.results.config
    files = {role: file.content for role, file in files_for(controls, one.view, config).items()}
    every = [
        bet.numbers(*one.view.run(put(config, "epsilon", epsilon), files).parts)
        for epsilon in counted(EPSILONS, progress)
    ]
    name = "WPM" if "WPM" in every[0] else next(iter(every[0]))
    return name, [numbers[name] for numbers in every]


def _tasks(controls: Controls, known: dict[str, Shown], tasks: Sequence[Task]) -> None:
    """Ticks stay once they are reached, until the tab is closed."""
    for place, task in enumerate(tasks):
        key, results = f"{controls.page}_task_{place}", known[task.view].results
        if task.done(results.config, *results.parts):
            st.session_state[key] = True
        st.markdown(
            f"{':material/check_box:' if st.session_state.get(key) else ':material/check_box_outline_blank:'} "
            f"{task.words}"
        )
