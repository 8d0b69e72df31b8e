"""What is promised when everything on the board is released."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from dpot_core.scenarios import together
from pages import _shell as shell
from pages._shell.pins import Pin

_ALL = "If all are released", "Every scenario that would be a release, each with secret, fresh randomness of its own."


def together_view(kept: Sequence[Pin]) -> None:
    ready = [pin for pin in kept if pin.summary is not None]
    st.markdown(
        "The scenarios on the board are alternatives, and only the one that you choose costs privacy. "
        "If instead all of them are released, once each:"
    )
    if len(ready) < len(kept):
        st.warning(f"{len(kept) - len(ready)} of {len(kept)} scenarios have no numbers and are left out.")
    if not ready:
        return
    found = together([pin.summary.disclosure for pin in ready if pin.summary is not None])
    if found.guarantee is None:
        st.info(shell.as_text(found.words))
        return
    shell.guarantee_strip(found.guarantee, _ALL)
    st.caption(shell.as_text(found.words))
