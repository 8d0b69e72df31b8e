"""The guided tour: captions beside the picture of the home page, one after the other, and the way back to them."""

import streamlit as st

from dpot_app import shell
from dpot_app.shell.home.places import TOUR, Step

_AT = "tour_step"


def now() -> Step | None:
    """The caption that is open; None while there is no tour."""
    number = st.session_state.get(_AT)
    return None if number is None else TOUR[number]


def take_link(number: str | None) -> None:
    """Open the step that a link names, from 1 on."""
    if number is not None and number.isdecimal() and 1 <= int(number) <= len(TOUR):
        _go_to(int(number) - 1)


def _go_to(number: int) -> None:
    """Open a step, its epsilon on the slider; called before the slider is made."""
    st.session_state[_AT] = number
    st.session_state["home_epsilon"] = TOUR[number].epsilon


def bar(path: str) -> None:
    """The way back to the tour from the pages that it leads to."""
    step = now()
    if step is None or path == "":
        return
    with st.container(border=True, key="tour_bar"):
        st.markdown(f"**From the tour, step {TOUR.index(step) + 1} of {len(TOUR)}: {step.title}.**")
        with st.container(horizontal=True):
            st.page_link("pages/home.py", label="Return to the tour", icon=":material/arrow_back:")
            st.button("Close the tour", key="tour_close", on_click=st.session_state.pop, args=(_AT,))


def heading(step: Step) -> None:
    """The line above a caption."""
    number = TOUR.index(step)
    st.markdown(f"**{number + 1} of {len(TOUR)}: {step.title}**")
    st.progress((number + 1) / len(TOUR))


def steering(step: Step) -> None:
    """The line below a caption: the way on, by the arrow keys as well, and the pages that say more."""
    number = TOUR.index(step)
    with st.container(horizontal=True):
        st.button(
            "Back",
            key="tour_back",
            icon=":material/arrow_back:",
            shortcut="Left",
            disabled=number == 0,
            on_click=_go_to,
            args=(max(number - 1, 0),),
        )
        if number + 1 < len(TOUR):
            st.button(
                "Next",
                key="tour_next",
                icon=":material/arrow_forward:",
                shortcut="Right",
                type="primary",
                on_click=_go_to,
                args=(number + 1,),
            )
        st.button("Close the tour", key="tour_close", on_click=st.session_state.pop, args=(_AT,))
    for label, (page, link) in step.leads.items():
        if st.button(label, key=f"tour_lead_{page}", type="tertiary", icon=":material/open_in_new:"):
            shell.open_prepared(page, link)


def offer() -> None:
    """The invitation on the home page: begin, or jump to any step."""
    # Apart from the link above.
    st.space("xsmall")
    with st.container(horizontal=True, vertical_alignment="center"):
        title = f"Guided tour in {len(TOUR)} steps"
        st.button(title, key="tour_start", type="primary", icon=":material/tour:", on_click=_go_to, args=(0,))
        with st.popover("Steps of the tour"):
            for number, step in enumerate(TOUR):
                words = f"{number + 1}. {step.title}"
                st.button(words, key=f"tour_to_{number + 1}", type="tertiary", on_click=_go_to, args=(number,))
