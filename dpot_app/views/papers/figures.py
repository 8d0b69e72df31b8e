"""Recorded numbers of a row as curves, where it records more than its page draws."""

from collections.abc import Mapping
from fractions import Fraction

from dpot_app.figures.panels import panels
from dpot_app.figures.style import COLOURS, MARKERS, TITLE_HEIGHT, Figure, new_figure
from dpot_app.figures.traces import Trace, line
from dpot_app.views.papers.row import Curves, Number

_DASHES = ("solid", "dash", "dot")


def recorded_figure(curves: Curves, numbers: Mapping[str, Number]) -> Figure:
    """Mean and standard deviation of single runs at every recorded value, a panel for each ending."""
    data: list[Trace] = []
    for panel, ending in enumerate(curves.panels):
        for (name, (thing, marker)), dash in zip(curves.series.items(), _DASHES, strict=False):
            at, found = curves.along(name, ending, numbers)
            spread = {"array": [one.spread for one in found], "thickness": 1.2, "width": 3}
            data.append(
                line(
                    at,
                    [one.value for one in found],
                    name.capitalize(),
                    colour=COLOURS[thing],
                    dash=dash,
                    symbol=marker or MARKERS[thing],
                    hover="%{x:,g}: %{y:.3~g} ± %{customdata:.3~g}",
                    customdata=spread["array"],
                    panel=panel,
                    error_y=spread,
                    legendgroup=name,
                    showlegend=panel == 0,
                )
            )
    runs = max(one.runs for one in numbers.values())
    at = sorted({float(x) for trace in data for x in trace["x"]})
    words = [str(Fraction(x)) if x < 1 else f"{x:,g}" for x in at]
    scale = {"type": "log", "dtick": "D2"} if curves.log_y else {"rangemode": "tozero"}
    layout = panels(
        [*curves.panels.values()],
        len(curves.panels),
        x={"title_text": curves.x, "type": "log" if curves.log_x else "linear", "tickvals": at, "ticktext": words},
        y={"title_text": f"{curves.y}, ± of {runs} runs", **scale},
    )
    return new_figure(_finding(curves, numbers), TITLE_HEIGHT + 380, data, **layout)


def _finding(curves: Curves, numbers: Mapping[str, Number]) -> str:
    """At how many values the first of two series costs less on average than the second."""
    said = []
    for ending, title in curves.panels.items():
        (at, one), (_, other) = (curves.along(name, ending, numbers) for name in curves.compared)
        wins = sum(a.value < b.value for a, b in zip(one, other, strict=True))
        said.append((f"{'all' if wins == len(at) else f'{wins} of'} {len(at)} values of {curves.axis}", title))
    alike = len({count for count, _ in said}) == 1
    counts = [count if alike or not title else f"{count} ({title})" for count, title in said]
    *others, last = dict.fromkeys(counts)
    told = f"{', '.join(others)} and {last}" if others else last
    return f"{curves.finding} at {told}{curves.simulated}"
