"""File, question, mechanism and epsilon that a reader takes from page to page, in this session and nowhere else."""

from dataclasses import dataclass, field

import streamlit as st

#: Names in links of the controls that every page begins with as the last one had them.
CARRIED = ("epsilon", "with", "within")

_PROJECT, _SAID, _MECHANISM = "project", "project_said", "project_mechanism"


@dataclass
class Project:
    """One decision: it begins with a file, or with an answer of Find my epsilon."""

    files: dict[str, str] = field(default_factory=dict)  # tags of files that some page keeps, by role
    question: str = ""  # what has to be possible


def note(name: str, text: str) -> None:
    """Remember what a control of any page has, as links write it, if pages share it."""
    if name in CARRIED:
        said()[name] = text


def said() -> dict[str, str]:
    """The last text of each control in `CARRIED`."""
    known: dict[str, str] = st.session_state.setdefault(_SAID, {})
    return known


def release_with(name: str) -> None:
    """Remember the mechanism that is released with, by its name on screen."""
    st.session_state[_MECHANISM] = name


def mechanism() -> str:
    """The mechanism that was released with last; "" before any was chosen."""
    return str(st.session_state.get(_MECHANISM, ""))


def project() -> Project | None:
    """The project of this session, if one has begun."""
    found: Project | None = st.session_state.get(_PROJECT)
    return found


def begin(question: str = "") -> Project:
    """The project, begun if there is none; ``question``: the new one, if there is one."""
    mine: Project = st.session_state.setdefault(_PROJECT, Project())
    mine.question = question or mine.question
    return mine


def end() -> None:
    st.session_state.pop(_PROJECT, None)
