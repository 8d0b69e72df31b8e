"""The guided tour: a bar above the pages that leads from one prepared state to the next."""

import streamlit as st

from pages import _shell as shell
from pages._home.places import TOUR

_AT = "tour_step"


def go_to(number: int) -> None:
    step = TOUR[number]
    st.session_state[_AT] = number
    shell.open_prepared(step.page, step.link)


def bar(path: str) -> None:
    """The bar of the tour, above the page, while the tour is open."""
    number = st.session_state.get(_AT)
    if number is None:
        return
    step = TOUR[number]
    with st.container(border=True, key="tour_bar"):
        st.markdown(f"**Tour, step {number + 1} of {len(TOUR)}: {step.title}.** {step.words}")
        with st.container(horizontal=True):
            if step.page != path and st.button("Return to this step", key="tour_here"):
                go_to(number)
            if st.button("Back", key="tour_back", disabled=number == 0, icon=":material/arrow_back:"):
                go_to(number - 1)
            if number + 1 < len(TOUR):
                if st.button("Next", key="tour_next", type="primary", icon=":material/arrow_forward:"):
                    go_to(number + 1)
            else:
                st.page_link("pages/home.py", label="Back to the start", icon=":material/home:")
            st.button("Close the tour", key="tour_close", on_click=st.session_state.pop, args=(_AT,))


def offer() -> None:
    """The invitation on the home page: begin, or jump to any step."""
    with st.container(horizontal=True, vertical_alignment="center"):
        if st.button(f"Guided tour in {len(TOUR)} steps", key="tour_start", type="primary", icon=":material/tour:"):
            go_to(0)
        with st.popover("Steps of the tour"):
            for number, step in enumerate(TOUR, start=1):
                if st.button(f"{number}. {step.title}", key=f"tour_to_{number}", type="tertiary"):
                    go_to(number - 1)
