"""The crowd against epsilon, and what a report costs: what the page says of it, beside the crowd's map."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from dpot_core.studies._kit.view import Block, Picture
from dpot_core.studies.metric.crowd.results import CrowdRelease
from dpot_core.studies.metric.crowd.text import headlines
from dpot_core.studies.metric.crowd_curve.figures import budgets_figure, crowd_errors_figure
from dpot_core.studies.metric.crowd_curve.results import Budgets, CrowdErrors, curve
from dpot_core.studies.metric.disclosed import curve_disclosure
from dpot_core.studies.metric.protected import load
from dpot_core.studies.metric.reproduce import crowd_snippet
from dpot_core.studies.metric.settings import CrowdConfig
from dpot_core.studies.metric.views import city_view


def show(config: CrowdConfig, _now: CrowdRelease, errors: CrowdErrors, budgets: Budgets) -> Iterator[Block]:
    draw = partial(crowd_errors_figure, errors, config.base.epsilon)
    yield Picture("crowd-against-epsilon", draw, "Distance of each estimate from the true crowd against epsilon")
    alt = "What one report may cost against the number of reports, by shuffling and by composition"
    yield Picture("cost-of-a-report", partial(budgets_figure, budgets), alt)


VIEW = city_view(
    "crowd",
    key="metric.crowd-curve",
    title="The crowd against ε",
    example=CrowdConfig(),
    compute=lambda config, files, progress: curve(config, load(config.base, files), progress),
    show=show,
    disclosure=lambda config, now, errors, budgets: curve_disclosure(now),
    headlines=lambda now, errors, budgets: headlines(now),
    snippet=crowd_snippet,
)
