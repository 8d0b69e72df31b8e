from collections.abc import Sequence
from typing import Any

import numpy as np

from dpot_app.figures.findings import BY_ERRORS, clearly_below, where
from dpot_app.figures.panels import POWERS, guide, guide_label, log_axis
from dpot_app.figures.style import MARKERS, TITLE_HEIGHT, Figure, colour, new_figure, see_through
from dpot_app.figures.traces import Trace, band, line
from dpot_app.views.metric.pays.results import Pays, Point
from dpot_core.privacy.numerals import at_most, number

_HEIGHT = 480
# First, second and third of a kind differ in marker and dash: colour says which promise.
_SYMBOLS = {
    "metric": (MARKERS["metric"], MARKERS["metric"] + "-open", "star"),
    "user-level": (MARKERS["user-level"], MARKERS["user-level"] + "-open", "diamond"),
}
#: Releases that have their names beside them; and pixels beside the picture for that.
_NAMED, _BESIDE = 4, 112
_BOUNDS = "bounds"
_DASHES = ("dot", "dash", "dashdot")
_MODEL = {"local": "no one trusted", "central": "one party trusted"}


def pays_figure(pays: Pays) -> Figure:
    """Error against alpha/epsilon, with the value from which a release by distance is better."""
    same, crossover, shapes, labels = 1.0 / pays.config.r, pays.crossover, [], []
    ratios = [point.ratio for point in pays.over_ratio]
    if ratios[0] <= same <= ratios[-1]:
        label = guide_label(0, same, "1/r")
        shapes.append(guide(0, x=same, dash="dash"))
        # On the side with more room: names of releases stand beside the right end.
        side = ("left", 4) if same * same <= ratios[0] * ratios[-1] else ("right", -4)
        labels.append(label | {"y": 0.0, "yanchor": "bottom", "xanchor": side[0], "xshift": side[1]})
    if crossover is not None and crossover > ratios[0]:
        shapes.append(guide(0, x=crossover))
        labels.append(guide_label(0, crossover, f"pays from {at_most(crossover)}"))
    name, ticks = "α/ε (nats per distance between clusters, over nats)", [1, 10, 100, 1000]
    return _figure(_title(pays), pays, pays.over_ratio, ratios, name, ticks, shapes=shapes, annotations=labels)


def pays_over_k_figure(pays: Pays) -> Figure:
    ks = [point.k for point in pays.over_k]
    k = len(pays.config.space)
    now = {"shapes": [guide(0, x=k)], "annotations": [guide_label(0, k, f"k = {k:,}")]}
    return _figure(_title_over_k(pays, ks), pays, pays.over_k, ks, "number of points k", ks, **now)


def _figure(
    title: str,
    pays: Pays,
    points: Sequence[Point],
    at: Sequence[float],
    name: str,
    ticks: Sequence[float],
    **guides: Any,
) -> Figure:
    data: list[Trace] = []
    named = named_releases(pays)
    for thing, by_distance in (("metric", True), ("user-level", False)):
        releases = [name for name, release in pays.releases.items() if release.by_distance == by_distance]
        for place, release in enumerate(releases):
            bound, *rest = series = _series(points, at, release, _label(pays, release), thing, place)
            shown = [bound | {"legendgroup": _BOUNDS}, *rest]
            data += shown if release in named else [trace | {"visible": "legendonly"} for trace in series]
    lowest = min(float(np.quantile(point.errors[release], 0.05)) for point in points for release in pays.releases)
    highest = max(point.mean(release) for point in points for release in pays.releases)
    low, high, edge = max(lowest, 1e-9) * 0.8, min(max(highest, 1e-6) * 8, 1.3), (at[-1] / at[0]) ** 0.03
    marked = {"tickvals": ticks, "ticktext": [f"{tick:,g}" for tick in ticks]}
    data = [trace | {"showlegend": False} if trace["legendgroup"] in named else trace for trace in data]
    # One entry of the legend for all bounds, which it puts away together.
    bounds = next((trace for trace in data if trace["legendgroup"] == _BOUNDS and any(trace["y"])), None)
    if bounds is not None:
        bounds |= {"name": "proven bounds (thin lines)", "showlegend": True}
    data += _names(pays, points[-1], (at[-1], at[-1] * edge), (low, high))
    return new_figure(
        title,
        _HEIGHT,
        data,
        xaxis=log_axis(name, at[0] / edge, at[-1] * edge, zeroline=False, **marked),
        yaxis=log_axis("error (earth mover's distance; 1 = between clusters)", low, high, zeroline=False, **POWERS),
        margin={"t": TITLE_HEIGHT + 28, "r": _BESIDE},
        showlegend=True,
        **guides,
    )


def named_releases(pays: Pays) -> tuple[str, ...]:
    """At most four: those that are the best of their promise most often, then those that are best on average."""
    points = [*pays.over_ratio, *pays.over_k]

    def rank(name: str) -> tuple[int, float]:
        by_distance = pays.releases[name].by_distance
        wins = sum(point.mean(name) <= pays.best(point, by_distance) for point in points)
        return -wins, float(np.mean([np.log(max(point.mean(name), 1e-12)) for point in points]))

    return tuple(sorted(pays.releases, key=rank)[:_NAMED])


def _label(pays: Pays, release: str) -> str:
    return f"{'α' if pays.releases[release].by_distance else 'ε'}: {pays.releases[release].label}"


def _names(pays: Pays, last: Point, x: tuple[float, float], ends: tuple[float, float]) -> list[Trace]:
    """Names to the right of the curves, each led to its end, in two lines, so far apart that all can be read.

    ``x``: where the curves end, and where names begin.
    """
    low, high = np.log10(ends)
    apart, names = 0.115 * (high - low), sorted(named_releases(pays), key=last.mean)
    reached = np.maximum([last.mean(name) for name in names], ends[0])
    at = np.log10(reached)
    for place in range(1, len(at)):
        at[place] = max(at[place], at[place - 1] + apart)
    at -= max(at[-1] + apart / 2 - high, 0.0)
    texts = [_label(pays, name).replace(", ", ",<br>", 1) for name in names]
    hues = [colour("metric" if pays.releases[name].by_distance else "user-level") for name in names]
    beside = {"mode": "lines+text", "textposition": "middle right", "textfont": {"size": 12}, "cliponaxis": False}
    return [
        line(x, [end, 10.0**y], colour=hue, width=1) | {"text": ["", text]} | beside
        for end, y, text, hue in zip(reached, at, texts, hues, strict=True)
    ]


def _series(
    points: Sequence[Point], at: Sequence[float], release: str, label: str, thing: str, place: int
) -> list[Trace]:
    """The bound as far as it is one (a distance is at most 1), the band of the runs, and the mean."""
    hue = colour(thing)
    low, high = np.quantile([point.errors[release] for point in points], [0.05, 0.95], axis=1)
    bounds = [point.bounds[release] if point.bounds[release] <= 1.0 else None for point in points]
    mean = line(
        at,
        [point.mean(release) for point in points],
        label,
        colour=hue,
        dash=_DASHES[place],
        width=1,
        hover="%{x:.3~g}: %{y:.3~g}",
        symbol=_SYMBOLS[thing][place],
    )
    around = band(at, low, high, colour=hue, opacity=0.15)
    bound = line(at, bounds, colour=see_through(hue, 0.75), width=1)
    return [trace | {"legendgroup": release} for trace in (bound, around, mean)]


def _title(pays: Pays) -> str:
    config, crossover = pays.config, pays.crossover
    setting = f"{_MODEL[config.model]}, k = {len(config.space):,}, simulated"
    if crossover is None:
        return f"Privacy by distance does not pay up to α/ε = {number(pays.over_ratio[-1].ratio)} ({setting})"
    if crossover <= pays.over_ratio[0].ratio:
        return f"Privacy by distance pays at every α/ε shown ({setting})"
    return f"Privacy by distance pays from α/ε = {at_most(crossover)} on ({setting})"


def _title_over_k(pays: Pays, ks: Sequence[int]) -> str:
    ratio = f"α/ε = {pays.config.ratio:,g}"
    if not any(pays.gain(point) for point in pays.over_k):
        return f"At {ratio} both promises have the same error at every k shown (simulated)"
    wins = []
    for point in pays.over_k:
        ours, theirs = (point.errors[pays.best_of(point, by_distance)] for by_distance in (True, False))
        wins.append(clearly_below(ours, theirs))
    return (
        f"At {ratio} a release by distance is better {where(ks, wins, 'k') or 'at no k shown'} ({BY_ERRORS}, simulated)"
    )
