"""Parameters of the controls of the pages metric privacy and private transport."""

from __future__ import annotations

from typing import Any

from dpot_core.experiments import geolocation, metric, sinkhorn
from dpot_core.studies._kit.links import CannotShowError, Parameters, parameters
from pages._board.fields import named, only, option, step
from pages._metric import controls as places
from pages._metric.views import VIEWS as METRIC_VIEWS
from pages._sinkhorn.views import VIEWS as SINKHORN_VIEWS

_OWN_FILE = "files of your own in a link"


def metric_parameters(kind: str, config: Any) -> Parameters:
    """Parameters of the page metric privacy."""
    found = parameters(config) | {"view": METRIC_VIEWS[kind.split(".")[1].removesuffix("-curve")]}
    if isinstance(config, metric.AskConfig):
        _only_what_is_asked(config)
    if not isinstance(config, metric.PaysConfig):
        found |= _changes(config.base)
        # Asked for a file of one's own only.
        del found["within"]
    return named("metric", found)


def _changes(config: metric.Config) -> Parameters:
    place = config.place
    expected = geolocation.Place(place.n, place.least, box=geolocation.BOXES.get(config.source))
    if config.source == "csv" or config.columns:
        raise CannotShowError(_OWN_FILE)
    if place != expected:
        raise CannotShowError(f"the grid {place}")
    count = option(str(len(config.changes)), places.COUNTS, "kinds of changes that are protected")
    found: Parameters = {"count": count}
    for number, (share, km) in enumerate(config.changes, 1):
        found[f"share{number}"] = step(share, tuple(metric.SHARES), "share of the data", metric.SHARES.__getitem__)
        found[f"km{number}"] = step(km, metric.KILOMETRES, "km of a change")
    return found


def _only_what_is_asked(config: metric.AskConfig) -> None:
    usual = metric.AskConfig()
    if config.query == "position":
        only((config.east, config.north), (usual.east, usual.north), "a place of the mean position")
    if config.query != "region":
        only((config.radius, config.edge), (usual.radius, usual.edge), "a region that the question has not")


def sinkhorn_parameters(kind: str, config: Any) -> Parameters:
    """Parameters of the page private transport."""
    view = kind.split(".")[1]
    data = (config.base if isinstance(config, sinkhorn.TheoremConfig) else config).data
    if data.source == "csv" or data.columns:
        raise CannotShowError(_OWN_FILE)
    view_parameter: Parameters = {"view": SINKHORN_VIEWS["plan" if view == "release" else view]}
    return named("sinkhorn", view_parameter | parameters(config))
