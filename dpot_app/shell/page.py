"""A page from its declaration: sidebar, picture, guarantee, tabs, take-away."""

import secrets
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from functools import partial
from typing import Any

import streamlit as st

from dpot_app.kit.glossary import explained
from dpot_app.kit.page import Page
from dpot_app.kit.setting import Declared, declared
from dpot_app.kit.view import Blocks, Results, Tab, View
from dpot_app.live.frames import Screen
from dpot_app.shell import live
from dpot_app.shell.carried import release_with
from dpot_app.shell.controls import Controls
from dpot_app.shell.files import has_own
from dpot_app.shell.following import follow
from dpot_app.shell.guarantee_strip import disclosure_strip
from dpot_app.shell.learning import learn
from dpot_app.shell.picture_menu import beside as beside_controls
from dpot_app.shell.picture_menu import menus
from dpot_app.shell.presets import presets
from dpot_app.shell.project import arrive, line
from dpot_app.shell.sidebar import Special, sidebar
from dpot_app.shell.students import chosen_controls, show_task
from dpot_app.shell.taking import take_away
from dpot_app.shell.teaching import presenting
from dpot_app.shell.views import Shown, computed, loaded, show
from dpot_core.privacy.disclosures import short_name

#: By name, what draws a page's own piece of a view: (controls, *results).
Slots = Mapping[str, Callable[..., Any]]


def show_page(
    page: Page,
    special: Mapping[str, Special] | None = None,
    looks: Callable[[Controls, View], Callable[..., Blocks]] = lambda controls, hero: hero.show,
    beside: Callable[[Controls], Mapping[str, Any]] = lambda controls: {},
    room: Mapping[str, Mapping[str, Any]] | None = None,
) -> None:
    """Draw a page whose views all have the settings that its sidebar asks for.

    Args:
        special: asks, by dotted name, for settings that need more than their declaration.
        looks: (controls, view above the tabs) -> what is seen of it, by controls that change no numbers.
        beside: controls -> how the worst cases beside it are seen.
        room: what a room asks for, see `presets`.
    """

    def slots(controls: Controls, config: Any, how: Mapping[str, Any]) -> Slots:
        if not page.curves:
            return {}
        view = page.view(page.curves)
        tab = Tab("curves", "", partial(view.show, **how) if how else None)
        return {"curves": lambda *_: shown(controls, view, config, tab)}

    def inside(controls: Controls, config: Any) -> bool:
        hero = None
        if page.hero:
            view = page.view(page.hero)
            presets(controls, room or {})
            with st.container(horizontal=True, vertical_alignment="bottom"):
                look, how = looks(controls, view), beside(controls)
            hero = shown(controls, replace(view, show=look), config, slots=slots(controls, config, how))
        if hero is not None:
            strip(hero)
        elif page.hero:
            return True
        view, tab, place = open_tab(controls, page)
        with place:
            opened = shown(controls, view, config, tab)
            if hero is None and opened is not None:
                strip(opened)
                below(controls, [opened])
        if hero is not None:
            below(controls, [one for one in (hero, opened) if one is not None])
        return True

    framed(page, page.views[0].example, special, inside)


def show_data_page(
    page: Page,
    begin: Any,
    load: Callable[[Any, Mapping[str, bytes]], Any],
    views: Callable[[Controls, View, Tab, Any, Any], Sequence[Shown | None]],
    details: Callable[[Controls, Any, Any], None],
    special: Mapping[str, Special] | None = None,
) -> None:
    """Draw a page whose views all read the same data, and ask for further settings inside their tabs.

    Args:
        load: (settings of the sidebar, files by role) -> the data; without them there are no tabs.
        views: draws the open tab from settings of the sidebar and data; the first of what it has shown can be pinned.
        details: (settings of the sidebar, data) -> what stands under the guarantee.
        special: by dotted name, what asks for a setting that needs more than its declaration.
    """

    def inside(controls: Controls, config: Any) -> bool:
        files = {role: own.content for role, own in controls.files.items()}
        with st.spinner("Reading the data …"):
            data = loaded(controls, lambda: load(config, files))
        if data is None:
            return False
        view, tab, place = open_tab(controls, page)
        with place:
            drawn = [one for one in views(controls, view, tab, config, data) if one is not None]
            if drawn:
                strip(drawn[0])
                details(controls, config, data)
                below(controls, drawn)
        return True

    framed(page, begin, special, inside)


def framed(
    page: Page, begin: Any, special: Mapping[str, Special] | None, inside: Callable[[Controls, Any], bool]
) -> None:
    """Sidebar, title, what ``inside`` draws (and whether there are data for it), and the notice about the link."""
    controls = Controls(page.prefix)
    arrive(page)
    notice = st.container()
    live.opened(controls.page)
    start = page.first if page.first is not None and controls.means_first() else begin
    with st.sidebar:
        if page.tabs:
            tab = page.tabs[controls.opening("view", page.labels)][1]
            controls.idle = tab.idle
            if tab.why and chosen_controls(controls.page) is None:
                st.caption(tab.why)
        config = sidebar(controls, start, page.sidebar, special)
        again(controls, page, start)
    told = heading(page)
    show_task(controls.page)
    if config is None:
        waiting(controls)
    complete = config is not None and inside(controls, config)
    told()
    with st.sidebar:
        controls.live.follow()
    with notice:
        controls.notices(complete=complete)


def again(controls: Controls, page: Page, begin: Any) -> None:
    """Buttons that bring the defaults back, and draw with another seed; the link has it."""
    left, right = st.columns(2)
    left.button("Defaults", on_click=controls.forget, icon=":material/restart_alt:", key=f"{page.prefix}_defaults")
    if not page.seed:
        return
    known = declared(type(begin))[page.seed]

    def draw_again() -> None:
        st.session_state[f"{page.prefix}_{known.link}"] = secrets.randbelow(int(known.range[1]) + 1)

    there = controls.shows(known.link)
    why = "Draws with a new seed; the link carries it." if there else "Nothing here is drawn at random."
    right.button("Draw again", on_click=draw_again, disabled=not there, help=why, key=f"{page.prefix}_again")


def heading(page: Page) -> Callable[[], None]:
    """Title and question of a page, under the line of the reader's project, which the result says once more."""
    told = line(page)
    st.subheader(page.title, anchor=False, help=explained(page.terms))
    if not presenting():  # the lecturer has said it, and pictures begin higher
        st.markdown(page.question)
    return told


def waiting(controls: Controls) -> None:
    st.info(controls.waiting or "The picture appears as soon as the numbers in the controls can be used.")


def open_tab(controls: Controls, page: Page) -> tuple[View, Tab, Any]:
    """The view and the tab that is open, with the tab's place on the screen."""
    opened, boxes = controls.tabs("view", page.labels)
    return (*page.tabs[opened], boxes[opened])


def shown(
    controls: Controls,
    view: View,
    config: Any,
    tab: Tab | None = None,
    slots: Slots | None = None,
    more: Callable[[Results], Screen] = lambda results: {},
) -> Shown | None:
    """Compute a view and draw what it, or one tab of it, shows; None while it cannot be (the screen says why).

    ``more``: what else of the page follows the view's sliders, by its name there.
    """
    results = computed(controls, view, config)
    if results is None:
        return None
    name, look = (tab.key, tab.show or view.show) if tab else ("hero", view.show)
    return drawn(controls, view, results, name, look, slots, tab.pinned if tab else "", more)


def drawn(
    controls: Controls,
    view: View,
    results: Results,
    name: str,
    look: Callable[..., Blocks],
    slots: Slots | None = None,
    pinned: str = "",
    more: Callable[[Results], Screen] = lambda results: {},
) -> Shown:
    """Draw what is seen of a view, or a piece of it where a page puts the pieces together itself.

    Args:
        results: of the view.
        name: tells what is drawn from other pieces on the page.
        look: (settings, *results) -> what is seen.
        slots: by name, what draws a page's own piece.
        pinned: key of the view that the board keeps instead.
        more: what else of the page follows, by its name there.
    """
    pictures, results = _release_with(controls, results)
    config = results.config
    blocks = tuple(look(config, *results.parts))
    own = {slot: partial(draw, controls, *results.parts) for slot, draw in (slots or {}).items()}
    key = f"{controls.page}_{name}"
    with pictures:
        part = follow(controls, view, config, key, look, more)
        keep = not has_own(controls, view, config)
        menu = menus(controls, view, results, blocks)
        show(blocks, key, own, part, menus=menu, keep=keep, known=controls.known_words)
        offered = view.frames_at(config)
        if offered is not None and view.tabs:
            for scrub in (one.scrub for one in part.offline.values()):
                st.caption(_where(scrub, offered))
    one = Shown(view, results, blocks, pinned, part)
    controls.drawn.append(one)
    return one


def _release_with(controls: Controls, results: Results) -> tuple[AbstractContextManager[Any], Results]:
    """Ask, once on a page, which of the compared mechanisms is released with: the promise is said of that one.

    Returns:
        Where the pictures go, above the question; the results, with the promise of that mechanism.
    """
    place: AbstractContextManager[Any] = nullcontext()
    if len(results.disclosure.choices) > 1 and not controls.shows("with"):
        place, names = st.container(), list(results.disclosure.choices)
        known = Declared("I will release with", "list", "with", {short_name(name): name for name in names})
        controls.mechanism = controls.ask(known, short_name(names[0]))
        release_with((known.options or {})[controls.mechanism])
    return place, results.releasing(controls.mechanism)


def _where(scrub: live.Scrub, offered: Collection[Any]) -> str:
    """The values of a slider at which the pictures follow it, in words."""
    at = ", ".join(label for value, label in zip(scrub.values, scrub.labels, strict=True) if value in offered)
    if not at:
        return f"While you drag “{scrub.label}”, the pictures wait: making them in advance takes too long here."
    return (
        f"While you drag “{scrub.label}”, the pictures show the nearest of {at}. When you let go, they show the value "
        "itself."
    )


def strip(one: Shown) -> None:
    results = one.results
    html = disclosure_strip(results.disclosure, one.view.otherwise(results.config, *results.parts))
    live.words(html, key=f"{one.view.key}_strip", part=one.part)


def below(controls: Controls, views: list[Shown]) -> None:
    """The take-away, of these and of all else that was drawn."""
    others = [one for one in controls.drawn if not any(one is known for known in views)]
    controls.drawn.clear()  # callbacks of buttons that are gone hold the controls, and files are forgotten
    learn(controls, [*views, *others])
    _below(controls, [*views, *others])


@st.fragment
def _below(controls: Controls, views: list[Shown]) -> None:
    """Opening it computes nothing again."""
    first = views[0]
    with st.container(key=f"take_{controls.page}"):
        take_away(controls, views, beside_controls(controls, first.view, first.results.config))
