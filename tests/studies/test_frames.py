"""Pictures that follow a slider: nothing but the marks moves, little is sent, and a frame is what the page draws."""

import json
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from dpot_core.live.frames import Writer, plain, single
from dpot_core.studies._kit.blocks import pictures
from dpot_core.studies._kit.values import get, put
from dpot_core.studies._kit.view import View
from dpot_core.studies.decide.settings import NEEDS
from dpot_core.studies.decide.settings import Config as Need
from dpot_core.studies.table import VIEWS
from tests.apps import lists

FOLLOWING = [(view, name) for view in VIEWS.values() for name in view.scrub]
#: Settings whose sliders the pages make themselves, with their values; and what is quick to compute.
OWN = {"prior": [percent / 100 for percent in range(1, 100)], "target": NEEDS["ring"].targets}
EXAMPLES = {"decide.epsilon": Need("ring", 4.0)}


def example(view: View) -> Any:
    return EXAMPLES.get(view.key, view.example)


def places(view: View, name: str) -> list[Any]:
    """Both ends of a slider, or of its values that have frames, what is in the middle, and the present value."""
    known, now = view.declared[name], get(example(view), name)
    if (offered := view.frames_at(example(view))) is not None:
        at = sorted(offered)
        return [at[0], now, at[len(at) // 2], at[-1]]
    values = (
        [*OWN[name]]
        if name in OWN
        else [None if known.empty is not None and number == 0.0 else number for number in known.grid or ()]
    )
    if isinstance(now, int):
        values = [int(number) for number in values if number is not None]
    return [values[0], now, values[len(values) // 2], values[-1]]


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
            elif key != "template":
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
            if letter == "z":
                shared = figure["layout"].get(trace.get("coloraxis", ""), {})
                held = {"zmin", "zmax"} <= trace.keys() or {"cmin", "cmax"} <= shared.keys()
            else:
                held = "range" in figure["layout"].get(axis, {})
            numbers = [one for one in flat(trace.get(letter, [])) if isinstance(one, int | float)]
            if numbers and not held:
                low, high = reached.get(axis, (np.inf, -np.inf))
                reached[axis] = (min(low, *numbers, numbers[0]), max(high, *numbers, numbers[0]))
    return reached


def flat(values: Any) -> Iterator[Any]:
    for value in values:
        if isinstance(value, list):
            yield from flat(value)
        else:
            yield value


def outside(figure: Any) -> Iterator[str]:
    """Bars and marks that leave their axes; lines and bands may."""
    for trace in lists(figure["data"]):
        if trace["type"] != "bar" and "markers" not in trace.get("mode", ""):
            continue
        for letter in "xy" if trace["type"] in ("scatter", "scattergl", "bar") else "":
            axis = figure["layout"].get(trace.get(f"{letter}axis", letter).replace(letter, f"{letter}axis"), {})
            if "range" not in axis:
                continue
            low, high = sorted(axis["range"])
            numbers = np.array([one for one in trace[letter] if isinstance(one, int | float)])
            if axis.get("type") == "log":
                numbers = np.log10(numbers)
            room = 1e-9 * (high - low)
            if (numbers < low - room).any() or (numbers > high + room).any():
                yield f"{trace.get('name', trace['type'])} on {letter}"


@pytest.mark.parametrize(("view", "name"), FOLLOWING, ids=[f"{view.key}-{name}" for view, name in FOLLOWING])
def test_no_mark_leaves_its_axes(view: View, name: str) -> None:
    for value in places(view, name):
        for picture, figure in figures(view, put(example(view), name, value)).items():
            assert not list(outside(figure)), (picture, value)


@pytest.mark.parametrize(("view", "name"), FOLLOWING, ids=[f"{view.key}-{name}" for view, name in FOLLOWING])
def test_axes_and_colours_hold_still(view: View, name: str) -> None:
    first, *others = [figures(view, put(example(view), name, value)) for value in places(view, name)]
    for other in others:
        assert other.keys() == first.keys()
        for picture, figure in other.items():
            assert dict(scales(figure)) == dict(scales(first[picture])), picture
            there, here = reaches(figure), reaches(first[picture])
            assert there == {axis: pytest.approx(ends, rel=1e-9) for axis, ends in here.items()}, picture


@pytest.mark.parametrize(("view", "name"), FOLLOWING, ids=[f"{view.key}-{name}" for view, name in FOLLOWING])
def test_marks_stay_on_their_axes(view: View, name: str) -> None:
    for value in places(view, name):
        for picture, figure in figures(view, put(example(view), name, value)).items():
            for trace in lists(figure["data"]):
                for letter in "xy":
                    axis = figure["layout"].get(trace.get(f"{letter}axis", letter).replace(letter, f"{letter}axis"), {})
                    # What is shaded may be cut: it shows what is allowed, not what is.
                    if "range" not in axis or trace.get("fill"):
                        continue
                    numbers = [one for one in flat(trace.get(letter, [])) if isinstance(one, int | float)]
                    log = axis.get("type") == "log"
                    low, high = sorted(10**end if log else end for end in axis["range"])
                    room = 1e-6 * (high - low)
                    outside = [one for one in numbers if not low - room <= one <= high + room]
                    assert not outside, (picture, trace.get("name"), axis["range"], outside[:3])


@pytest.mark.parametrize(("view", "name"), FOLLOWING, ids=[f"{view.key}-{name}" for view, name in FOLLOWING])
def test_a_frame_is_what_the_page_draws_and_little_is_sent(view: View, name: str) -> None:
    writer, sent, held = Writer(), dict.fromkeys(figures(view, example(view)), 0), {}
    for place, value in enumerate(places(view, name)):
        drawn = figures(view, put(example(view), name, value))
        line = json.loads(writer.line(place, drawn))
        held = line.get("screen") or held
        put_in = json.loads(json.dumps(held))
        for path, part in line.get("changes", ()):
            inside = put_in
            for key in path[:-1]:
                inside = inside[key]
            inside[path[-1]] = part
            sent[path[0]] += len(json.dumps(part))
        assert put_in == json.loads(json.dumps(plain(single(drawn))))
    # Three changes were counted, of at most 28 on a slider.
    assert all(28 / 3 * size <= 1_000_000 for size in sent.values()), sent
