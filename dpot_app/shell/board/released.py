"""The promise when everything on the board is released."""

from collections.abc import Sequence

import streamlit as st

from dpot_app import shell
from dpot_app.batch.scenarios import together
from dpot_app.shell.pins import Pin

_ALL = (
    "If all are released",
    "Every scenario that would be a release, each once with its mechanism, with secret, fresh randomness of its own.",
)
COMPARED = "Publishing all that the scenarios compare instead:"


def together_view(pins: Sequence[Pin]) -> None:
    ready = [pin.summary.disclosure for pin in pins if pin.summary is not None]
    st.markdown(
        "The scenarios on the board are alternatives, and only the one that you choose costs privacy. "
        "If instead all of them are released, once each:"
    )
    if len(ready) < len(pins):
        st.warning(f"{len(pins) - len(ready)} of {len(pins)} scenarios have no numbers and are left out.")
    if not ready:
        return
    all_of_them = together(ready)
    if all_of_them.guarantee is None:
        st.info(shell.as_text(all_of_them.words))
    else:
        shell.words(shell.guarantee_strip(all_of_them.guarantee, _ALL), key="board_all")
        st.caption(shell.as_text(all_of_them.words))
    if any(one.compares for one in ready):
        st.caption(shell.as_text(f"{COMPARED} {together(ready, compared=True).words}"))
