"""Cards of the board, side by side: picture, promise, numbers, and what can be done with each."""

import json
from collections.abc import Sequence
from dataclasses import replace
from html import escape
from textwrap import wrap
from typing import Any

import streamlit as st

from dpot_app import shell
from dpot_app.batch.scenarios.scenario import LONGEST_REASON, LONGEST_TITLE
from dpot_app.figures.map_writing import GIVES_WAY
from dpot_app.figures.style import from_plotly, on_dark_ground
from dpot_app.shell.board.compute import problem_of
from dpot_app.shell.board.links import link_of
from dpot_app.shell.guarantee_strip import short_size
from dpot_app.shell.pins import Pin, board
from dpot_core.privacy.disclosures import Disclosure
from dpot_core.privacy.numerals import at_most, number

# Pixels of a picture, and of the text in it.
_LOW, _HIGH, _SMALL = 240, 340, 10
# What panels need beyond it: in several rows, and with titles of two lines.
_SECOND_ROW, _SECOND_LINE = 30, 80
# Letters of an axis' name that fit beside the lowest picture.
_LONG = 32
# The same under one of several panels, and how much smaller marks are.
_NARROW, _SHRUNK = 12, 0.7
_NUMBERS = """<style>
.dpot-card {font-size: 0.85rem; margin: 0; width: 100%; border-collapse: collapse;}
.dpot-card td {padding: 0.1rem 0; vertical-align: top; border: 0;}
.dpot-card td:last-child {text-align: right; font-variant-numeric: tabular-nums; padding-left: 0.6rem;}
</style>"""


def cards() -> None:
    """Draw every scenario; buttons change the board at once."""
    pins = board().pins
    specs = on_one_scale(pins)
    count = 2 if len(pins) == 2 else 3
    for start in range(0, len(pins), count):
        for column, pin in zip(st.columns(count), pins[start : start + count], strict=False):
            with column.container(border=True, height="stretch"):
                _card(pin, pins, specs.get(pin.number))


def on_one_scale(pins: Sequence[Pin]) -> dict[int, dict[str, Any]]:
    """The figures by number of the pin; those of one kind have one range of every axis that has a fixed one."""
    specs = {pin.number: json.loads(pin.summary.picture) for pin in pins if pin.summary is not None}
    for kind in {pin.scenario.kind for pin in pins}:
        together = [specs[pin.number]["layout"] for pin in pins if pin.scenario.kind == kind and pin.number in specs]
        for name in {name for layout in together for name in layout if name[:5] in ("xaxis", "yaxis")}:
            axes = [layout.get(name, {}) for layout in together]
            ranges = [axis.get("range") for axis in axes]
            if all(ranges) and len({axis.get("type", "linear") for axis in axes}) == 1:
                turned = ranges[0][0] > ranges[0][1]
                ends = sorted(end for one in ranges for end in one)
                for axis in axes:
                    axis["range"] = [ends[-1], ends[0]] if turned else [ends[0], ends[-1]]
    return specs


def _card(pin: Pin, pins: Sequence[Pin], spec: dict[str, Any] | None) -> None:
    at = pins.index(pin)
    about = pin.scenario.view
    chosen = pin.scenario.chosen is not None
    st.markdown(f"{'**★ Chosen.** ' if chosen else ''}**{at + 1}. {shell.as_text(pin.scenario.title)}**")
    if chosen:
        field = f"board_{pin.number}_reason"
        st.text_area(
            "Why this one",
            pin.scenario.chosen,
            max_chars=LONGEST_REASON,
            height=80,
            key=field,
            on_change=_reason,
            args=(pin, field),
            help="Stands with the choice on the first page of the report.",
        )
    if not pin.scenario.title.startswith(what := f"{about.page}: {about.title}"):
        st.caption(shell.as_text(what))
    if pin.summary is not None and spec is not None:
        _picture(pin, spec, pin.summary.promise)
        _release_with(pin, pin.summary.disclosure)
        st.markdown(_guarantee(pin.summary.disclosure))
        if pin.summary.disclosure.compares:
            st.caption(shell.as_text(pin.summary.disclosure.comparison(short_size)))
        rows = "".join(
            f'<tr><td>{escape(name)}</td><td title="{float(value)!r}">{number(value)}</td></tr>'
            for name, value in pin.summary.headlines.items()
        )
        st.html(f'{_NUMBERS}<table class="dpot-card">{rows}</table>')
    elif (problem := problem_of(pin)) is None:
        st.info("Not computed yet.")
    else:
        st.error(shell.as_text(problem))
    _buttons(pin, at, len(pins))


def _release_with(pin: Pin, disclosure: Disclosure) -> None:
    """Which mechanism the decision is about, where several are compared."""
    if len(names := list(disclosure.choices)) > 1:
        key = f"board_{pin.number}_with"
        at = names.index(disclosure.way)
        st.selectbox("I will release with", names, at, key=key, on_change=_release, args=(pin, key))


def _release(pin: Pin, key: str) -> None:
    pinned = board()
    # What was computed is still known: only its promise is said anew.
    other = replace(pin, scenario=pin.scenario.releasing(st.session_state[key]), summary=None, known=None)
    pinned.put([other if one.number == pin.number else one for one in pinned.pins])


def _guarantee(disclosure: Disclosure) -> str:
    """The promise of one release by the chosen mechanism."""
    promise = disclosure.promise
    if promise is None:
        return "Parts whose promises do not add up" if disclosure.parts else "Nothing is released here"
    guarantee = promise.weakest
    delta = f", δ = {at_most(guarantee.delta, 0.0)}" if guarantee.delta else ""
    whom = " in the sample" if promise.sampled is not None else ""
    by = f"{shell.as_text(disclosure.way)}: " if len(disclosure.choices) > 1 else ""
    return (
        f"{by}ε = {at_most(guarantee.epsilon)}{delta}{whom}: e^ε = {at_most(guarantee.odds_factor)} "
        f"({'at distance 1' if guarantee.neighbours == 'metric' else shell.as_text(guarantee.neighbours)})"
    )


def _picture(pin: Pin, spec: dict[str, Any], promise: str) -> None:
    spec = on_dark_ground(spec) if shell.on_dark() else spec
    title, page, link = (
        from_plotly(spec["layout"]["title"]["text"]),
        pin.scenario.kind.split(".")[0],
        link_of(pin),
    )
    st.caption(shell.as_text(title))
    alt, foot = f"{pin.scenario.title}: {title}", [title, promise]
    menu: dict[str, Any] = {"file": f"board-{page}-{pin.number}", "title": pin.scenario.title}
    if not isinstance(link, str):
        menu |= {"page": page, "more": link}
    screen = {"title": "", "spec": small(spec), "alt": alt, "foot": foot}
    shell.picture(screen, key=f"board_picture_{pin.number}", menu=menu)


def small(spec: dict[str, Any]) -> dict[str, Any]:
    """A figure, changed to the size of a card: without title, with room for the titles of its panels and a legend."""
    layout = spec["layout"]
    notes = layout.get("annotations", ())
    above = any("<br>" in note["text"] for note in notes)
    rows = len({note["y"] for note in notes if note.get("yref") == "paper"})
    height = min(max(round(0.6 * layout["height"]), _LOW), _HIGH)
    height += _SECOND_LINE if above else _SECOND_ROW if rows > 1 else 0
    layout |= {"title": {"text": ""}, "height": height, "font": {"size": _SMALL}}
    top = 40 if above else 24
    layout["margin"] = {"l": 8, "r": 8, "b": 8, **layout.get("margin", {}), "t": top}
    for note in notes:
        note["font"] = {**note.get("font", {}), "size": _SMALL}
    bars = [axis.get("colorbar") for name, axis in layout.items() if name.startswith("coloraxis")]
    for bar in filter(None, [*bars, *(trace.get("colorbar") for trace in spec["data"])]):
        if bar.get("orientation") == "h":
            _shorten(bar)
    many = sum(name.startswith("xaxis") for name in layout) > 1
    for name, axis in layout.items():
        room = _LONG if name.startswith("yaxis") else _NARROW if many and name.startswith("xaxis") else None
        if room is not None and len(text := axis.get("title", {}).get("text", "")) > room:
            axis["title"]["text"] = "<br>".join(wrap(text, room, break_long_words=False))
    for trace in spec["data"]:
        if trace.get("meta") == GIVES_WAY:
            trace["mode"] = "markers"
        marker = trace.get("marker", {})
        if isinstance(marker.get("size"), int | float):
            marker["size"] *= _SHRUNK
    return spec


def _shorten(bar: dict[str, Any]) -> None:
    """A flat colour bar for the width of a card: only as many numbers as fit, its name above where there is room."""
    bar |= {"tickangle": 0, "nticks": 4}
    if bar.get("yref") != "container":
        bar |= {"len": 0.9, "title": {**bar.get("title", {}), "side": "top"}}
    if "ticktext" in bar:
        bar["ticktext"] = [text if i in (0, len(bar["ticktext"]) - 1) else "" for i, text in enumerate(bar["ticktext"])]


def _buttons(pin: Pin, at: int, count: int) -> None:
    key = f"board_{pin.number}"
    with st.container(horizontal=True, gap="small"):
        plain: Any = {"type": "tertiary"}
        st.button("Earlier", key=f"{key}_left", disabled=at == 0, on_click=_move, args=(pin, -1), **plain)
        st.button("Later", key=f"{key}_right", disabled=at == count - 1, on_click=_move, args=(pin, 1), **plain)
        with st.popover("Rename", **plain):
            field, title = f"{key}_title", pin.scenario.title
            most = LONGEST_TITLE
            st.text_input("Title", title, max_chars=most, key=field, on_change=_rename, args=(pin, field))
        chosen = pin.scenario.chosen is not None
        label, icon = ("Chosen", ":material/star:") if chosen else ("Choose", ":material/star_outline:")
        number = None if chosen else pin.number
        st.button(label, key=f"{key}_choose", icon=icon, on_click=board().choose, args=(number,), **plain)
        st.button("Remove", key=f"{key}_remove", on_click=_remove, args=(pin,), **plain)
        link = link_of(pin)
        if isinstance(link, str):
            st.button("Open page", key=f"{key}_open", disabled=True, help=shell.as_text(link), **plain)
        elif st.button("Open page", key=f"{key}_open", help="At these settings", **plain):
            shell.open_prepared(pin.scenario.kind.split(".")[0], link)


def _move(pin: Pin, by: int) -> None:
    pinned = board()
    at = next(i for i, other in enumerate(pinned.pins) if other.number == pin.number) + by
    others = [other for other in pinned.pins if other.number != pin.number]
    others.insert(max(at, 0), pin)
    pinned.put(others)


def _remove(pin: Pin) -> None:
    pinned = board()
    pinned.put([other for other in pinned.pins if other.number != pin.number])


def _reason(pin: Pin, field: str) -> None:
    board().choose(pin.number, st.session_state[field])


def _rename(pin: Pin, field: str) -> None:
    pinned, title = board(), st.session_state[field].strip()
    if title:
        renamed = replace(pin, scenario=replace(pin.scenario, title=title))
        pinned.put([renamed if other.number == pin.number else other for other in pinned.pins])
