"""Pictures that follow a slider: nothing but the marks moves, little is sent, and a frame is what the page draws."""

import functools
import json
import zlib
from collections.abc import Iterator
from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from numpy.typing import NDArray

from dpot_app.kit.blocks import pictures
from dpot_app.kit.values import get, put
from dpot_app.kit.view import View
from dpot_app.live.frames import Writer, plain, single, text
from dpot_app.views.decide.settings import NEEDS
from dpot_app.views.decide.settings import Config as Need
from dpot_app.views.table import VIEWS
from tests.apps import lists
from tests.batch.scenarios.outcomes import LONG, few_masses, shorten_sweeps
from tests.batch.scenarios.settings import settings_of

#: By day one slider of a view, its first, stands for all of them.
FOLLOWING = [
    pytest.param(
        view, name, id=f"{view.key}-{name}", marks=[pytest.mark.nightly] * (view.key in LONG or name != view.scrub[0])
    )
    for view in VIEWS.values()
    for name in view.scrub
]
#: Settings whose sliders the pages make themselves, with their values; and what is quick to compute.
OWN = {"prior": [percent / 100 for percent in range(1, 100)], "target": NEEDS["ring"].targets}
EXAMPLES = {"decide.epsilon": Need(need="ring", target=4.0)}
EXAMPLES |= {key: settings_of(key)[0] for key in ("geolocation.crowd", "geolocation.crowd-curve", "movies.sweep")}


def example(view: View) -> Any:
    return EXAMPLES.get(view.key, view.example)


def places(view: View, name: str) -> list[Any]:
    """Both ends of a slider, or of its values that have frames, and the present value."""
    known, now = view.declared[name], get(example(view), name)
    if (offered := view.frames_at(example(view))) is not None:
        at = sorted(offered)
        return [at[0], now, at[-1]]
    values = (
        [*OWN[name]]
        if name in OWN
        else [None if known.empty is not None and number == 0.0 else number for number in known.stops]
    )
    if isinstance(now, int):
        values = [int(number) for number in values if number is not None]
    return [values[0], now, values[-1]]


@functools.cache
def drawn(key: str, name: str) -> dict[Any, dict[str, Any]]:
    """The figures of a view by the value of a setting; sweeps have one point and try few base measures."""
    view = VIEWS[key]
    with pytest.MonkeyPatch.context() as monkeypatch:
        # The axes of this one reach over its whole sweep.
        if key != "sinkhorn.cost":
            shorten_sweeps(monkeypatch)
            few_masses(monkeypatch)
        return {value: figures(view, put(example(view), name, value)) for value in places(view, name)}


def figures(view: View, config: Any) -> dict[str, Any]:
    results = view.run(config)
    shown = [*pictures(view.show(config, *results.parts))]
    for tab in view.tabs:
        if tab.show is not None:
            shown += pictures(tab.show(config, *results.parts))
    return {picture.name: plain(picture.draw().to_dict()) for picture in shown}


def scales(spec: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Everything in a figure that says how large a number looks."""
    held = {"range", "zmin", "zmax", "cmin", "cmax", "tickvals", "domain", "height", "width", "margin", "colorscale"}
    if isinstance(spec, dict):
        for key, value in spec.items():
            if key in held:
                yield f"{path}.{key}", value
            elif key not in ("template", "shapes"):  # shapes are marks: they may come and go
                yield from scales(value, f"{path}.{key}")
    elif isinstance(spec, list):
        for number, value in enumerate(spec):
            yield from scales(value, f"{path}[{number}]")


def reaches(figure: Any) -> dict[str, Any]:
    """From where to where the numbers reach on each axis and colour scale that has no range of its own."""
    reached: dict[str, Any] = {}
    for trace in lists(figure["data"]):
        for letter in "xyz":
            axis = "z" if letter == "z" else trace.get(f"{letter}axis", letter).replace(letter, f"{letter}axis")
            if trace["type"] in ("surface", "scatter3d"):
                assert "range" in figure["layout"]["scene"][f"{letter}axis"]
                continue
            held = _coloured(trace, figure["layout"]) if letter == "z" else "range" in figure["layout"].get(axis, {})
            numbers = [one for one in flat(trace.get(letter, [])) if isinstance(one, int | float)]
            if numbers and not held:
                low, high = reached.get(axis, (np.inf, -np.inf))
                reached[axis] = (min(low, *numbers, numbers[0]), max(high, *numbers, numbers[0]))
    return reached


def _coloured(trace: Any, layout: Any) -> bool:
    """Whether a trace's colours, or the levels of its lines, have ends of their own."""
    shared = layout.get(trace.get("coloraxis"), {})
    levels = trace.get("contours", {})
    return {"zmin", "zmax"} <= trace.keys() or {"cmin", "cmax"} <= shared.keys() or {"start", "end"} <= levels.keys()


def outside(figure: Any) -> Iterator[Any]:
    """Marks, lines and bars that leave axes with a range of their own; shaded areas and a map's rivers may."""
    maps = {trace.get("xaxis", "x") for trace in figure["data"] if trace["type"] == "heatmap"}
    for trace in lists(figure["data"]):
        if trace.get("mode") == "lines" and trace.get("xaxis", "x") in maps:
            continue
        for letter in "xy":
            axis = figure["layout"].get(trace.get(f"{letter}axis", letter).replace(letter, f"{letter}axis"), {})
            if trace.get("fill") or "range" not in axis:
                continue
            numbers = np.array([np.nan if one is None else one for one in flat(trace.get(letter, []))], dtype=float)
            with np.errstate(divide="ignore"):
                numbers = np.log10(numbers) if axis.get("type") == "log" else numbers
            low, high = sorted(axis["range"])
            room = 1e-9 * (high - low)
            # What is zero is nowhere on a logarithmic axis.
            out = np.isfinite(numbers) & ((numbers < low - room) | (numbers > high + room))
            yield from ((trace.get("name"), letter, one, (low, high)) for one in numbers[out][:1])


def flat(values: Any) -> Iterator[Any]:
    for value in values:
        if isinstance(value, list):
            yield from flat(value)
        else:
            yield value


@pytest.mark.nightly
@pytest.mark.parametrize(("view", "name"), FOLLOWING)
def test_no_mark_leaves_its_axes(view: View, name: str) -> None:
    for value, pictured in drawn(view.key, name).items():
        for picture, figure in pictured.items():
            assert not list(outside(figure)), (picture, value)


@pytest.mark.nightly
@pytest.mark.parametrize(("view", "name"), FOLLOWING)
def test_axes_and_colours_hold_still(view: View, name: str) -> None:
    first, *others = drawn(view.key, name).values()
    for other in others:
        assert other.keys() == first.keys()
        for picture, figure in other.items():
            assert dict(scales(figure)) == dict(scales(first[picture])), picture
            there, here = reaches(figure), reaches(first[picture])
            assert there == {axis: pytest.approx(ends, rel=1e-9) for axis, ends in here.items()}, picture


@pytest.mark.nightly
@pytest.mark.parametrize(("view", "name"), FOLLOWING)
def test_a_frame_is_what_the_page_draws_and_little_is_sent(view: View, name: str) -> None:
    every = drawn(view.key, name)
    writer, sent, held = Writer(), dict.fromkeys(next(iter(every.values())), 0), {}
    for place, screen in enumerate(every.values()):
        line = json.loads(writer.line(place, screen))
        held = line.get("screen") or held
        put_in = json.loads(json.dumps(held))
        for path, part in line.get("changes", ()):
            assert not {"bdata", "differences"} & set(path), "arrays are put whole"
            inside = put_in
            for key in path[:-1]:
                inside = inside[key]
            inside[path[-1]] = part
            # As the server sends it: compressed.
            sent[path[0]] += len(zlib.compress(text(part), 5))
        assert put_in == json.loads(json.dumps(plain(single(screen))))
    # Three changes were counted, of at most 28 on a slider.
    assert all(28 / 3 * size <= 1_000_000 for size in sent.values()), sent


def read(held: Any) -> Any:
    """Tables from the differences between neighbours, as the browser reads them (frames.js)."""
    if isinstance(held, dict) and "differences" in held:
        numbers = np.array([ord(one) - 93 for one in held["differences"]]).reshape(-1, held["columns"])
        steps = np.where(numbers % 2, -(numbers + 1) // 2, numbers // 2).cumsum(axis=0).cumsum(axis=1)
        return held["low"] + held["step"] * steps
    if isinstance(held, dict):
        return {key: read(part) for key, part in held.items()}
    return [read(part) for part in held] if isinstance(held, list) else held


@given(hnp.arrays(np.float64, hnp.array_shapes(min_dims=2, max_dims=2), elements=st.floats(-1e300, 1e300)))
def test_tables_keep_four_digits_of_their_range(table: NDArray[np.float64]) -> None:
    (trace,) = go.Figure({"type": "heatmap", "z": table}).to_dict()["data"]
    held = json.loads(text(single(trace)))
    there = read(held)["z"]
    assert "differences" in held["z"] and there.shape == table.shape
    # Half a step, and rounding where all numbers are nearly one, or the smallest that there are.
    rounding = 1e-12 * np.abs(table).max() + np.finfo(np.float64).tiny
    assert np.abs(there - table).max() <= 0.5001e-4 * np.ptp(table) + rounding


def test_tables_with_gaps_are_sent_as_they_are() -> None:
    gap = np.array([[0.0, np.nan], [1.0, 2.0]])
    (trace,) = go.Figure({"type": "heatmap", "z": gap}).to_dict()["data"]
    np.testing.assert_array_equal(lists(json.loads(text(single(trace))))["z"], gap)
