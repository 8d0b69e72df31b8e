"""The one picture of every kind of scenario, for the board and the report."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import plotly.graph_objects as go

from dpot_core.figures import geolocation, meaning, metric, mixture, movies, needs, sinkhorn
from dpot_core.figures.metric import crowd as metric_crowd
from dpot_core.figures.metric import pays as metric_pays
from dpot_core.figures.style import COLOURS, TITLE_HEIGHT, new_figure, plain, simulated
from dpot_core.studies._kit.view import Results
from dpot_core.studies.table import VIEWS

#: Key of a kind -> figure of its results, on a light ground. Kinds that are not here get bars of their headlines.
PICTURES: dict[str, Callable[..., go.Figure]] = {
    "geolocation.person": geolocation.output_maps,
    "geolocation.crowd": lambda crowd, _curve: geolocation.crowd_maps(crowd),
    "geolocation.crowd-curve": lambda crowd, curve: geolocation.crowd_curve_figure(curve, crowd.epsilon),
    "geolocation.worst-case": lambda curves, cells: geolocation.worst_case_figure(curves, [], cells),
    "mixture.line": lambda result, _curves, now: mixture.line_figure(result, now.divergences["kl"]),
    "mixture.plane": mixture.plane_figure,
    "mixture.sphere": mixture.caps_figure,
    "movies.user": lambda user, curve: movies.liked_curve_figure(curve, user.config.epsilon),
    "movies.sweep": lambda found, _lists: movies.everyone_figure(found, found.points[-1].epsilon),
    "movies.adversary": lambda users, _curve: movies.ratio_figure(users),
    "metric.protect": metric.protection_figure,
    "metric.ask": metric.errors_figure,
    "metric.crowd": metric_crowd.crowd_maps,
    "metric.crowd-curve": lambda now, errors, _budgets: metric_crowd.crowd_errors_figure(
        errors, now.config.base.epsilon
    ),
    "metric.pays": metric_pays.pays_figure,
    "sinkhorn.release": lambda result: sinkhorn.plan_figure(result, "sinkhorn"),
    "sinkhorn.cost": lambda found: sinkhorn.cost_figure(list(found.points), found.ground, found.epsilon),
    "sinkhorn.convergence": lambda found: sinkhorn.convergence_figure(found.found, simulated(found.ground.simulated)),
    "sinkhorn.theorem": lambda found: sinkhorn.counterexample_figure(found.walk),
    "decide.epsilon": needs.needs_figure,
    "explain.release": meaning.beliefs_figure,
    "explain.distance": meaning.distance_figure,
    "explain.releases": meaning.releases_figure,
    "explain.rounds": meaning.rounds_figure,
}


def picture(kind: str, results: Results, headlines: Mapping[str, float], title: str) -> go.Figure:
    """The picture of one scenario, on a light ground.

    Args:
        kind: key of its kind.
        results: of running it.
        headlines: its numbers: name with unit -> value.
        title: what it is, for pictures that do not say so themselves.
    """
    make = PICTURES.get(kind)
    figure = VIEWS[kind].board_picture(results) if kind in VIEWS else make(*results.parts) if make else None
    return figure or headlines_figure(headlines, title)


def headlines_figure(headlines: Mapping[str, float], title: str) -> go.Figure:
    """Bars of a few numbers.

    Args:
        headlines: name with unit -> value.
        title: what the picture shows.
    """
    names = list(headlines)
    bars = {
        "type": "bar",
        "orientation": "h",
        "y": [plain(name) for name in names],
        "x": [headlines[name] for name in names],
        "text": [f"{headlines[name]:.4g}" for name in names],
        "marker": {"color": COLOURS["wpm"]},
        "hovertemplate": "%{y}: %{x:.6g}<extra></extra>",
    }
    height = TITLE_HEIGHT + 60 + 36 * len(names)
    return new_figure(title, height, [bars], yaxis={"autorange": "reversed"}, xaxis={"rangemode": "tozero"})
