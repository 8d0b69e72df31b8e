"""Live pictures on the screen: mounted once, updated in place, with frames for the settings that can be scrubbed."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import streamlit as st

from dpot_app.figures.style import on_dark_ground, title_apart
from dpot_app.kit.view import Results
from dpot_app.live.frames import Frames, Screen, plain, spec_of
from dpot_app.shell import serving
from dpot_app.shell.teaching import LARGE_FONT, large_type
from dpot_core.arguments.progress import Progress

# One line of its own: browsers load the rest from the app's server, and keep it. `coming.js` says where the app is.
_SCRIPT = """export default async (component) => {
  const { default: live } = await import(new URL("%s", window.dpotRoot ?? document.baseURI).href);
  return live(component);
};"""

#: Size of the letters in pictures.
_FONT = 12

#: Keys of pieces that show nothing begin so: the style of pages lets them take no room.
UNSEEN = "unseen_"

#: Families of frames that a page's session holds: what it showed long ago is computed anew.
_MOST = 16


@dataclass(frozen=True)
class Scrub:
    """A setting that moves pictures in the browser while its slider is dragged."""

    name: str  # of the setting, dotted
    label: str  # its name for people
    slider: str  # key of its widget
    values: tuple[Any, ...]  # what it can be, in the slider's order
    labels: tuple[str, ...]  # the values as words
    at: int  # place of the present value


@dataclass(frozen=True)
class Offline:
    """A part as a file of its own shows it, on a light ground."""

    scrub: Scrub  # its slider
    frames: Frames  # what stands there at every value
    found: Callable[[Any, Progress], Results | None]  # (value, progress) -> the results there; None for none


@dataclass(frozen=True)
class Part:
    """The frames that a picture or a text belongs to, by slider."""

    families: Mapping[str, str] = field(default_factory=dict)  # tokens of the frames
    at: Mapping[str, int] = field(default_factory=dict)  # places of the sliders
    offline: Mapping[str, Offline] = field(default_factory=dict)  # for a file of its own


#: What follows no slider.
STILL = Part()


class Live:
    """The parts of a page that follow its sliders, gathered in one run of its script."""

    def __init__(self, page: str) -> None:
        self._page = page
        self._tokens: dict[str, tuple[Scrub, list[str]]] = {}

    def part(
        self,
        scrub: Scrub,
        what: object,
        screen: Callable[[Any, Progress], Screen | None],
        ahead: Sequence[Callable[[Progress], object]] = (),
        *,
        own: bool = False,
        heavy: bool = False,
    ) -> Part:
        """A part of the page whose frames belong together.

        Args:
            scrub: the setting that moves it.
            what: tells the part from others, with all that it depends on but the setting; compared by value.
            screen: (value of the setting, progress) -> what stands there; None for nothing.
            ahead: see `dpot_app.live.frames.Frames`.
            own: what the reader brought is in it.
            heavy: workers compute it.
        """
        held: dict[Any, tuple[str, Frames]] = st.session_state.setdefault(f"{self._page}_live", {})
        identity = (scrub.name, what)
        if identity in held:
            token, frames = held.pop(identity)
        else:
            shared = None if own else (self._page, *identity)
            frames = Frames(scrub.values, scrub.at, at_place(scrub, screen), shared=shared, heavy=heavy)
            token = serving.offer(frames)
        frames.at, frames.ahead = scrub.at, ahead
        held[identity] = token, frames
        while len(held) > _MOST:
            held.pop(next(iter(held)))
        self._tokens.setdefault(scrub.slider, (scrub, []))[1].append(token)
        return Part({scrub.slider: token}, {scrub.slider: scrub.at})

    def follow(self) -> None:
        """Stand beside every slider that moves something, with the addresses of its frames."""
        for slider, (scrub, tokens) in self._tokens.items():
            families = [{"token": token, "address": serving.frames_address(token)} for token in tokens]
            data = {"kind": "slider", "slider": slider, "label": scrub.label, "at": scrub.at, "families": families}
            _mount(data, f"{UNSEEN}{slider}")
        self._tokens.clear()


def at_place(
    scrub: Scrub, screen: Callable[[Any, Progress], Screen | None]
) -> Callable[[int, Progress], Screen | None]:
    """A function that draws the screen at a place of the slider, from one that draws it at a value."""
    return lambda place, progress: screen(scrub.values[place], progress)


def picture(
    screen: Mapping[str, Any],
    *,
    key: str,
    part: Part = STILL,
    chooses: tuple[str, str] | None = None,
    paints: tuple[str, int, float, float] | None = None,
    turns: tuple[Sequence[str], int, Mapping[str, str]] | None = None,
    draws: tuple[str, str] | None = None,
    menu: Mapping[str, Any] | None = None,
) -> None:
    """A figure as `screen_of` gives it, in place of the one that stood there.

    Args:
        chooses: name of a control of the page that has options, and the option that a click on the figure chooses.
        paints, turns, draws: what the hand on the figure sets, see `dpot_app.kit.blocks.Picture`.
        menu: what takes it away, see `dpot_app.shell.picture_menu`.
    """
    data: dict[str, Any] = {"kind": "picture", "large": LARGE_FONT if large_type() else 0}
    if menu:
        data["menu"] = menu
    if chooses:
        name, option = chooses
        data["chooses"] = {"control": f"{_here()}_{name}", "option": option}
    if paints:
        name, cells, weight, total = paints
        data["paints"] = {"cells": cells, "weight": weight, "total": total}
        _part(data, screen, f"chart_{key}", part, on_painted_change=_writes(key, "painted", name))
        return
    if draws:
        data["draws"], name = draws
        _part(data, screen, f"chart_{key}", part, on_drawn_change=_writes(key, "drawn", name))
        return
    if turns:
        numbers, places, others = turns
        data["turns"] = {"places": places}
        told, here = f"chart_{key}", _here()

        def turned() -> None:
            place, _, which = map(int, st.session_state[told]["turned"])
            control = f"{here}_{numbers[which]}"
            if control not in st.session_state:
                # A control that does not stand yet does not put its number into the address.
                st.query_params[control] = str(place)
            st.session_state[control] = place
            st.session_state.update({f"{here}_{other}": value for other, value in others.items()})

        _part(data, screen, told, part, on_turned_change=turned)
        return
    _part(data, screen, f"chart_{key}", part)


def _writes(key: str, told: str, name: str) -> Callable[[], None]:
    """A callback that writes to a text of the page what a picture has told."""
    text = f"{_here()}_{name}_text"

    def write() -> None:
        st.session_state[text] = st.session_state[f"chart_{key}"][told]

    return write


def _here() -> str:
    """The page that is drawn, as `opened` was told."""
    return str(st.session_state.get("live_page", ""))


def words(html: str, *, key: str, part: Part = STILL) -> None:
    """A text in HTML, in place of the one that stood there."""
    _part({"kind": "words"}, html, f"words_{key}", part)


def opened(page: str) -> None:
    """Say which page is drawn: what a hand sets on its pictures is among its settings."""
    st.session_state["live_page"] = page


def page_frame(data: Mapping[str, Any], key: str, heard: Callable[[], None]) -> None:
    """Mount the pieces of every page beside its pictures; see `shell.page_frame` and `shell.tab_storage`."""
    # That the line to the browser is back needs no more than the run of the script that it brings.
    _mount({"kind": "page_frame", **data}, key, on_kept_change=heard, on_back_change=lambda: None)


def tab(wish: Mapping[str, Any]) -> None:
    """Tell the browser's tab what to do with the board; see `dpot_app.shell.tab_storage`."""
    _mount({"kind": "tab", **wish}, f"{UNSEEN}tab")


def screen_of(figure: Any, alt: str, *, dark: bool, large: bool, foot: Sequence[str] = ()) -> dict[str, Any]:
    """A figure as pictures take it, plain: its title apart, as text that breaks on a phone.

    Args:
        figure: on a light ground.
        alt: for those who cannot see it.
        dark: whether it shall stand on a dark ground.
        large: whether its letters shall be large.
        foot: what stands under it in a file.
    """
    spec = spec_of(figure)
    title, spec = title_apart(on_dark_ground(spec) if dark else spec)
    if large:
        for note in spec["layout"].get("annotations", ()):
            note["font"] = {**note.get("font", {}), "size": LARGE_FONT}
        spec["data"] = [_with_larger_letters(trace) for trace in spec["data"]]
    return {"title": title, "spec": spec, "alt": alt, **({"foot": list(foot)} if foot else {})}


def _with_larger_letters(trace: Mapping[str, Any]) -> Mapping[str, Any]:
    """A trace whose texts have larger letters, where it says how large they are."""
    letters = trace.get("textfont", {})
    if "size" not in letters:
        return trace
    return {**trace, "textfont": {**letters, "size": letters["size"] * LARGE_FONT / _FONT}}


def _part(data: dict[str, Any], screen: Any, key: str, part: Part, **heard: Callable[[], None]) -> None:
    _mount({**data, "name": key, "families": part.families, "at": part.at}, key, screen, **heard)


def _mount(data: Mapping[str, Any], key: str, screen: Any = None, **heard: Callable[[], None]) -> None:
    # A screen is plain, and may be one that many look at: it is large.
    _component()(key=key, data=plain(data) | ({} if screen is None else {"screen": screen}), **heard)


@cache
def _component() -> Any:
    return st.components.v2.component("dpot_live", js=_SCRIPT % serving.address("live.js"), isolate_styles=False)
