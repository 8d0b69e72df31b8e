"""The board as a file: out as YAML and as a report, in again in another session."""

from collections.abc import Sequence

import streamlit as st

from dpot_app import shell
from dpot_app.batch import scenarios
from dpot_app.batch.scenarios import ScenarioError
from dpot_app.batch.tags import MEANING, is_foreign, is_tag, not_kept, short, tag_of
from dpot_app.shell.pins import MOST_PINS, Pin, board

_SAID, _PROBLEM = "board_import_said", "board_import_problem"


def files_view(pins: Sequence[Pin]) -> None:
    left, right = st.columns(2)
    with left:
        save(pins)
    with right:
        load()
        own_files(pins)


def save(pins: Sequence[Pin]) -> None:
    st.download_button(
        "scenarios.yaml",
        lambda: scenarios.write([pin.scenario for pin in pins]),
        "scenarios.yaml",
        "application/yaml",
        key="board_export",
        on_click="ignore",
        icon=":material/download:",
    )
    text = "Opens on this board in another session, and runs without the app:"
    own = [pin.scenario for pin in pins if pin.scenario.view.personal(pin.scenario.config)]
    if own:
        text = f"**Holds your own numbers** ({len(own)} of {len(pins)} scenarios). {text}"
    st.caption(text)
    st.code("python -m dpot_app run scenarios.yaml --out folder", language="sh")
    known = [known for pin in pins for _, known in pin.scenario.data]
    if any(map(is_tag, known)):
        st.caption(f"The content of your own files is not in it. {MEANING} {not_kept()}")
    elif known:
        st.caption("Data sets are named by their digest; their content is not in the file.")


def load() -> None:
    key = f"board_import_{st.session_state.setdefault('board_import_version', 0)}"
    st.file_uploader("Scenarios (YAML)", type=["yaml", "yml"], key=key, on_change=_take, args=(key,))
    said, problem = st.session_state.pop(_SAID, None), st.session_state.pop(_PROBLEM, None)
    if problem is not None:
        st.error(f"This file cannot be used: {shell.as_text(problem)}.")
    if said is not None:
        st.success(shell.as_text(said))


def own_files(pins: Sequence[Pin]) -> None:
    """Ask for files that scenarios were made with and that are not here."""
    absent = {tag: role for pin in pins for role, tag in scenarios.missing(pin.scenario, board().files).items()}
    foreign = {tag: role for tag, role in absent.items() if is_foreign(tag)}
    if named := "; ".join(f"{role}, tag {short(tag)}" for tag, role in absent.items() if tag not in foreign):
        key = f"board_own_{len(absent)}"
        label = f"Files that scenarios were made with: {named}"
        st.file_uploader(label, key=key, accept_multiple_files=True, on_change=_bring, args=(key,))
    for tag, role in foreign.items():
        key = f"board_own_{tag}"
        label = f"{role}, tag {short(tag)}. What you bring here is taken as that file"
        st.file_uploader(label, key=key, on_change=_bring_for, args=(key, tag))
    wrong = st.session_state.pop("board_own_wrong", None)
    if wrong:
        st.error(f"Not what was asked for: {shell.as_text(wrong)}.")


def _take(key: str) -> None:
    file = st.session_state[key]
    if file is None:
        return
    st.session_state["board_import_version"] += 1
    try:
        brought = scenarios.read(file.getvalue())
    except ScenarioError as problem:
        st.session_state[_PROBLEM] = str(problem)
        return
    pinned = board()
    room = MOST_PINS - len(pinned.pins)
    said = [pinned.add(scenario) for scenario in brought]
    added = sum(text.startswith("Pinned") for text in said)
    known = sum(text.startswith("Already") for text in said)
    parts = [f"Added {added} of {len(brought)} scenarios"]
    if known:
        parts.append(f"{known} were there already")
    if added + known < len(brought):
        parts.append(f"the board had room for {room}")
    st.session_state[_SAID] = "; ".join(parts) + "."


def _bring(key: str) -> None:
    pinned = board()
    wanted = {tag for pin in pinned.pins for tag in scenarios.missing(pin.scenario, pinned.files).values()}
    wrong = []
    for file in st.session_state[key] or []:
        content = file.getvalue()
        tag = tag_of(content)
        if tag in wanted:
            pinned.bring({tag: content})
        else:
            wrong.append(file.name)
    if wrong:
        st.session_state["board_own_wrong"] = ", ".join(wrong)


def _bring_for(key: str, foreign: str) -> None:
    file = st.session_state[key]
    if file is not None:
        board().take_for(foreign, file.getvalue())
