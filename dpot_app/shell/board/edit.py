"""One setting changed in place, in one scenario or in all that have it; the board computes the numbers anew."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import streamlit as st

from dpot_app import shell
from dpot_app.batch import scenarios
from dpot_app.batch.scenarios import ScenarioError
from dpot_app.batch.scenarios.comparison import allowed_of
from dpot_app.kit.links import CannotShowError, parameter
from dpot_app.kit.setting import Declared
from dpot_app.kit.values import describe, hint_at
from dpot_app.shell.pins import Pin, board
from dpot_app.shell.widgets import widget_of

_PROBLEM, _DONE = "board_edit_problem", "board_edit_done"
_SAME = "The setting has this value already. Choose another one."
_EVERY = 0


def editor(pins: Sequence[Pin]) -> None:
    names = {_EVERY: "All that have the setting"} | {
        pin.number: f"{at}. {pin.scenario.title}" for at, pin in enumerate(pins, start=1)
    }
    left, middle, right = st.columns([1.2, 1.2, 1])
    with left:
        # Scenarios that differ in a setting alone would all be the same: then one is changed, unless all are asked for.
        start = 0 if _together(pins) else 1
        who: int = st.selectbox("In", list(names), start, format_func=names.__getitem__, key="board_edit_who")
    chosen = [pin for pin in pins if who in (_EVERY, pin.number)]
    fields = _fields(chosen)
    with middle:
        name: str = st.selectbox("Setting", list(fields), format_func=fields.__getitem__, key="board_edit_name")
    having = [pin for pin in chosen if name in dict(scenarios.leaves(pin.scenario.config))]
    with right:
        given = _given(having[0], name)
    st.button("Change and compute", key="board_edit_go", type="primary", on_click=_apply, args=(having, name, given))
    problem, done = st.session_state.pop(_PROBLEM, None), st.session_state.pop(_DONE, None)
    if problem is not None:
        st.error(f"Nothing was changed. {shell.as_text(problem)}")
    if done == _SAME:
        st.info(done)
        return
    if done is not None:
        st.success(shell.as_text(done))


def _together(pins: Sequence[Pin]) -> bool:
    """Whether all scenarios may be given the same value of the first setting, and remain apart."""
    name = next(iter(_fields(pins)))
    having = [pin.scenario for pin in pins if name in dict(scenarios.leaves(pin.scenario.config))]
    value = scenarios.get(having[0].config, name)
    try:
        alike = [replace(one, config=scenarios.put(one.config, name, value)) for one in having]
    except ScenarioError:
        return False
    rest = [pin.scenario for pin in pins if pin.scenario not in having]
    return len({one.same for one in (*alike, *rest)}) == len(pins)


def _fields(pins: Sequence[Pin]) -> dict[str, str]:
    """Label of every setting by its dotted name, epsilon first."""
    labels: dict[str, str] = {}
    for pin in pins:
        for name, _ in scenarios.leaves(pin.scenario.config):
            labels.setdefault(name, allowed_of(pin.scenario, name).label)
    return dict(sorted(labels.items(), key=lambda item: item[0] != "epsilon"))


def _given(pin: Pin, name: str) -> Callable[[Any], Any]:
    """The page's own control for the setting, or a field to type in; gives the value for the settings of a scenario."""
    config, known = pin.scenario.config, replace(allowed_of(pin.scenario, name), label="New value")
    value, hint = scenarios.get(config, name), hint_at(config, name)
    # A key of its own for each present value: a widget that is kept would show an old one.
    key = f"board_edit_value_{pin.number}_{name}_{hash(value)}"
    if not known.widget and (known.options or hint is bool):
        known = replace(known, widget="list" if known.options else "toggle")
    if known.exact and known.grid and _has_place(known, value):
        known = known.stopping_at(value)
    # Scenarios take more values than the control has: the reader may want to type.
    placed = known.options or known.widget == "toggle"
    if placed or (_has_place(known, value) and not st.toggle("Enter a value", key=f"{key}_type")):
        widget = widget_of(known, value)
        widget.draw(key=key)
        return lambda config: widget.value(st.session_state[key])
    st.text_input(known.label, scenarios.value_text(value), key=f"{key}_text", help=_help(known, hint))
    return lambda config: scenarios.read_value(config, name, st.session_state[f"{key}_text"])


def _has_place(known: Declared, value: Any) -> bool:
    """Whether the page's control can show a value."""
    try:
        return bool(known.widget and parameter(known, value))
    except CannotShowError:
        return False


def _help(allowed: Declared, hint: Any) -> str:
    text = describe(hint).capitalize()
    if allowed.low is not None and allowed.high is not None:
        text += f", from {allowed.low:g} to {allowed.high:g}"
    if allowed.empty is not None:
        text += f". null: {allowed.empty}"
    return f"{text}."


def _apply(having: Sequence[Pin], name: str, given: Callable[[Any], Any]) -> None:
    pinned = board()
    changed: dict[int, Pin] = {}
    try:
        for pin in having:
            config = pin.scenario.config
            value = given(config)
            other = replace(pin.scenario, config=scenarios.put(config, name, value), title=_title(pin, name, value))
            if other.config != config:
                changed[pin.number] = replace(pin, scenario=other, summary=None, link="", known=None)
    except ScenarioError as problem:
        st.session_state[_PROBLEM] = f"{problem}."
        return
    new = [changed.get(pin.number, pin) for pin in pinned.pins]
    if len({pin.scenario.same for pin in new}) < len(new):
        st.session_state[_PROBLEM] = "Two scenarios would be the same."
        return
    pinned.put(new)
    many = f"Changed in {len(changed)} of {len(having)} scenarios."
    st.session_state[_DONE] = many if changed else _SAME


def _title(pin: Pin, name: str, value: Any) -> str:
    """A title that states epsilon goes on stating the right one."""
    title, config = pin.scenario.title, pin.scenario.config
    old = getattr(config, "epsilon", None)
    if name != "epsilon" or old is None or not isinstance(value, float):
        return title
    return title.replace(f"ε = {old:g}", f"ε = {value:g}")
