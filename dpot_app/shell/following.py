"""Frames of a view: what it shows at every value of a setting that can be scrubbed."""

import math
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, TypeVar

import streamlit as st

from dpot_app.kit.cache import identity
from dpot_app.kit.links import text
from dpot_app.kit.setting import Declared
from dpot_app.kit.values import get, put
from dpot_app.kit.view import Blocks, Results, View
from dpot_app.live.frames import Frames, Screen
from dpot_app.shell.charts import on_dark
from dpot_app.shell.controls import Controls
from dpot_app.shell.files import files_for, has_own
from dpot_app.shell.guarantee_strip import disclosure_strip
from dpot_app.shell.live import STILL, Offline, Part, Scrub, at_place
from dpot_app.shell.picture_menu import feet
from dpot_app.shell.teaching import large_type
from dpot_app.shell.views import screens
from dpot_core.arguments.progress import Progress

#: What draws a screen at a value of a setting.
Draw = Callable[[Any, Progress], Screen | None]
#: What computes a view at a value of a setting.
Found = Callable[[Any, Progress], Results | None]

T = TypeVar("T")

#: So many steps on both sides are computed where nothing is drawn in advance: a result on the finest grid has 2.5 MB.
_STEPS = 4


def follow(
    controls: Controls,
    view: View,
    config: Any,
    key: str,
    look: Callable[..., Blocks],
    more: Callable[[Results], Screen] = lambda results: {},
) -> Part:
    """The frames of a view on the screen: those of every setting of it that has a slider there.

    Args:
        controls: of the page.
        view: what is computed.
        config: its settings.
        key: of its pictures on the page.
        look: (settings, *results) -> what is shown.
        more: what else of the page follows, by its name there.
    """
    files = {role: file.content for role, file in files_for(controls, view, config).items()}
    dark, large, offered = on_dark(), large_type(), view.frames_at(config)
    own, heavy = has_own(controls, view, config), view.heavy(config)
    still = offered is not None and not offered and not view.personal(config)
    # Frames are drawn in the background, where no control can be asked.
    by, onward, followed = controls.mechanism, _onward(controls, view, config), STILL
    for name in view.scrub:
        known = controls.instead.get(name, view.declared[name])
        scrub = controls.scrubs.get(name) or scrub_of(controls, known, name, get(config, name))
        if scrub is None:
            continue

        found: Found = partial(_found, view, config, files, name)

        def screen(value: Any, progress: Progress, dark: bool, large: bool, found: Found = found) -> Screen | None:
            results = found(value, progress)
            if results is None:
                return None
            results = results.releasing(by)
            strip = disclosure_strip(results.disclosure, view.otherwise(results.config, *results.parts))
            blocks = tuple(look(results.config, *results.parts))
            return {
                **dict(screens(blocks, key, feet(view, results, blocks), dark=dark, large=large, keep=not own)),
                f"words_{view.key}_strip": strip,
                **more(results),
            }

        # Frames that show nothing end at once: what is computed ahead of them is told anew with every value.
        rest = put(config, name, scrub.values[0]) if not still else config
        what = (view.key, key, rest, identity(files), identity(view.digests(config)), dark, large, _named(look), by)
        on_page: Draw = partial(screen, dark=dark, large=large)
        alone: Draw = partial(screen, dark=False, large=False)
        if offered is not None:
            # A file of its own has no other values, but it begins at the present one.
            on_page = at_nearest(scrub, offered, on_page)
            some = {*offered, scrub.values[scrub.at]}
            alone, found = at_some(some, alone), at_some(some, found)
        next_ones = [onward, *_beside(config, name, scrub)] if still else [onward]
        ahead = [partial(view.run, one, files) for one in next_ones if one is not None]
        part = controls.live.part(scrub, what, on_page, ahead, own=own, heavy=heavy)
        offline = Offline(scrub, Frames(scrub.values, scrub.at, at_place(scrub, alone)), found)
        followed = Part(
            {**followed.families, **part.families},
            {**followed.at, **part.at},
            {**followed.offline, scrub.slider: offline},
        )
    return followed


def _onward(controls: Controls, view: View, config: Any) -> Any:
    """The settings at which a slider that has just moved stands after one step more, or None.

    A reader who walks along a slider takes the next step soon: it is computed while they look. What is computed from
    a reader's own numbers is not kept, so that there is nothing to compute ahead.
    """
    if view.personal(config):
        return None
    last, onward = st.session_state.get(memory := f"{controls.page}_{view.key}_walked", (None, None))
    if last != config:
        onward = None if type(last) is not type(config) else _next(controls, view, last, config)
        st.session_state[memory] = config, onward
    return onward


def _next(controls: Controls, view: View, last: Any, config: Any) -> Any:
    moved = [name for name in view.declared if get(last, name) != get(config, name)]
    if len(moved) != 1:
        return None
    (name,) = moved
    known = controls.stopping(controls.instead.get(name, view.declared[name]))
    whole = isinstance(get(config, name), int)
    stops = [None if known.empty is not None and stop == 0.0 else int(stop) if whole else stop for stop in known.stops]
    if get(last, name) not in stops or get(config, name) not in stops:
        return None
    was, at = stops.index(get(last, name)), stops.index(get(config, name))
    to = at + (1 if at > was else -1)
    if not 0 <= to < len(stops):
        return None
    try:
        return put(config, name, stops[to])
    except ValueError:
        return None  # the slider goes on, other settings do not let it


def _beside(config: Any, name: str, scrub: Scrub) -> Iterator[Any]:
    """The settings a few steps of a slider away, on both sides, the nearest first."""
    for at in (scrub.at + side * step for step in range(1, _STEPS + 1) for side in (-1, 1)):
        if 0 <= at < len(scrub.values):
            with suppress(ValueError):  # other settings do not let it
                yield put(config, name, scrub.values[at])


def _found(
    view: View, config: Any, files: Mapping[str, bytes], name: str, value: Any, progress: Progress
) -> Results | None:
    try:
        return view.run(put(config, name, value), files, progress)
    except (ValueError, RuntimeError):
        return None  # settings that fit here need not fit there: such a value takes the ordinary way


def at_nearest(scrub: Scrub, offered: Collection[Any], screen: Draw) -> Draw:
    """A function that draws at the nearest of some values on the slider, if there is one."""
    places = [place for place, value in enumerate(scrub.values) if value in offered]

    def near(value: Any, progress: Progress) -> Screen | None:
        at = scrub.values.index(value)
        nearest = min(places, key=lambda place: abs(place - at), default=None)
        return None if nearest is None else screen(scrub.values[nearest], progress)

    return near


def at_some(offered: Collection[Any], made: Callable[[Any, Progress], T | None]) -> Callable[[Any, Progress], T | None]:
    """A function that makes something at some values only."""
    return lambda value, progress: made(value, progress) if value in offered else None


def scrub_of(
    controls: Controls, known: Declared, name: str, value: Any, own: Callable[[Any], Any] = lambda number: number
) -> Scrub | None:
    """A setting with its slider, if that is on the page and has a place for the value.

    Args:
        known: the control that asks for it.
        own: what makes the setting's value from the control's number.
    """
    if not known.link or not controls.shows(known.link) or not known.stops:
        return None
    known = controls.stopping(known)
    numbers: Sequence[Any] = known.stops
    if isinstance(value, int) and not isinstance(value, bool):
        numbers = [int(number) for number in numbers]
    values = tuple(own(None if known.empty is not None and number == 0.0 else number) for number in numbers)
    if isinstance(value, float):
        # The browser counts the steps of a slider in floats of its own.
        value = next((there for there in values if there is not None and math.isclose(there, value)), value)
    if value not in values:
        return None
    labels = tuple(text(known, number) for number in numbers)
    return Scrub(name, known.label, f"{controls.page}_{known.link}", values, labels, values.index(value))


def scrubbed(
    controls: Controls, known: Declared, name: str, value: Any, own: Callable[[Any], Any] = lambda number: number
) -> None:
    """Say that a control of the page's own asks for a setting; see `scrub_of`."""
    scrub = scrub_of(controls, known, name, value, own)
    if scrub is not None:
        controls.scrubs[name] = scrub


def _named(look: Callable[..., Any]) -> Any:
    """The identity of one way to show a view."""
    if isinstance(look, partial):
        return (_named(look.func), identity(look.args), identity(look.keywords))
    return f"{look.__module__}.{look.__qualname__}"
