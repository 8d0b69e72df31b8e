"""The person that is looked at: one of the data, by number or by name; or the reader's own entries."""

from collections.abc import Mapping, Sequence

import streamlit as st

from dpot_app.kit.setting import Declared
from dpot_app.shell.controls import Controls

_MOST = 10_000


def pick(controls: Controls, names: Sequence[str], name: str, label: str, default: int, order: str) -> str:
    """A person by number, which links carry, or by name; beyond the last one it is the last one.

    ``order``: what the numbers mean, for people.
    """
    by_number = Declared(f"{label} ({order})", "field", name, low=1, high=_MOST)
    number: int = controls.ask(by_number, default, width=170)
    key = f"{controls.page}_{name}"
    search = f"{key}_search"

    def take() -> None:
        chosen = st.session_state[search]
        if chosen in names:
            st.session_state[key] = names.index(chosen) + 1
        st.session_state[search] = None

    by_name = f"{label}, by name"
    st.selectbox(by_name, names, None, key=search, placeholder="search", on_change=take, width=170)
    return names[min(number, len(names)) - 1]


def marks_given(
    key: str, rows: Sequence[int], columns: Mapping[str, Sequence[str]], head: str, scale: tuple[float, float, float]
) -> Mapping[int, float]:
    """The reader's entries in the last column of a table, by row; kept in this session and nowhere else.

    Args:
        key: where it is kept.
        rows: what tells the rows apart, whatever their order.
        columns: the others, by head.
        head: of the last column.
        scale: smallest mark, largest, step.
    """
    editor, start = f"{key}_editor", f"{key}_start"
    marks: dict[int, float] = st.session_state.setdefault(key, {})
    if editor not in st.session_state:
        # The editor replays its edits on the table that it began with, so that table must stay as it was.
        st.session_state[start] = dict(marks)
    began: Mapping[int, float] = st.session_state[start]
    low, high, step = scale

    def take() -> None:
        for number, change in st.session_state[editor]["edited_rows"].items():
            if head in change:
                row = rows[int(number)]
                if change[head] is None:
                    marks.pop(row, None)
                else:
                    marks[row] = min(max(float(change[head]), low), high)

    st.data_editor(
        {**columns, head: [began.get(row) for row in rows]},
        key=editor,
        height=260,
        hide_index=True,
        disabled=list(columns),
        column_config={head: st.column_config.NumberColumn(min_value=low, max_value=high, step=step)},
        on_change=take,
    )
    return marks
