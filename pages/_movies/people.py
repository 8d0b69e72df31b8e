"""Whose ratings are shown: a test user by number or by name, or the reader's own profile."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from dpot_core.experiments import movies as experiment
from pages import _shell as shell

Profile = tuple[tuple[int, float], ...]
_MOST = 10_000


def pick(controls: shell.Controls, films: experiment.Films, name: str, label: str, default: int) -> str:
    """A test user, by number (part of the link) or by name."""
    number = controls.integer(name, f"{label} (1 rated most)", 1, _MOST, default, kind="number", width=170)
    key = f"{controls.page}_{name}"
    search = f"{key}_search"

    def take() -> None:
        chosen = st.session_state[search]
        if chosen in films.names:
            st.session_state[key] = films.names.index(chosen) + 1
        st.session_state[search] = None

    st.selectbox(
        f"{label}, by name",
        films.names,
        None,
        key=search,
        placeholder="search",
        on_change=take,
        width=170,
    )
    return films.names[min(number, len(films.names)) - 1]


def own_profile(films: experiment.Films) -> Profile:
    """The reader's own ratings, from a table; kept in this session and nowhere else."""
    key = f"movies_profile_{films.ratings.digest}"
    editor, start = f"{key}_editor", f"{key}_start"
    profile: dict[int, float] = st.session_state.setdefault(key, {})
    if editor not in st.session_state:
        # The editor replays its edits on the table that it began with, so that table must stay as it was.
        st.session_state[start] = dict(profile)
    ratings = films.ratings
    order = [int(film) for film in (*films.inputs, *films.candidates)]
    began: Mapping[int, float] = st.session_state[start]

    def take() -> None:
        for row, change in st.session_state[editor]["edited_rows"].items():
            if "stars" in change:
                film = order[int(row)]
                if change["stars"] is None:
                    profile.pop(film, None)
                else:
                    profile[film] = min(max(float(change["stars"]), 0.5), 5.0)

    st.caption(
        "Give stars to films: those marked input make your profile; stars for candidates only say what you like. "
        "Your ratings stay in this session; the link does not carry them."
    )
    st.data_editor(
        {
            "film": [ratings.films[film] for film in order],
            "genres": [ratings.genres_of(film) for film in order],
            "role": ["input"] * len(films.inputs) + ["candidate"] * len(films.candidates),
            "stars": [began.get(film) for film in order],
        },
        key=editor,
        height=260,
        hide_index=True,
        disabled=["film", "genres", "role"],
        column_config={"stars": st.column_config.NumberColumn(min_value=0.5, max_value=5.0, step=0.5)},
        on_change=take,
    )
    return tuple(sorted(profile.items()))
