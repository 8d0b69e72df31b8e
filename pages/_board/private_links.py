"""Parameters of the controls of the pages US population, metric privacy and private transport."""

from __future__ import annotations

from typing import Any

from dpot_core.experiments import geolocation, metric, population, sinkhorn
from dpot_core.studies._kit.links import CannotShowError, Parameters, parameters
from dpot_core.studies._kit.setting import declared
from pages._board.fields import named, only, option, step, whole
from pages._metric import controls as places
from pages._metric.views import VIEWS as METRIC_VIEWS
from pages._population import controls as people
from pages._population import curves_view, synthetic_view
from pages._sinkhorn.views import VIEWS as SINKHORN_VIEWS

_OWN_FILE = "files of your own in a link"


def population_parameters(kind: str, config: Any) -> Parameters:
    """Parameters of the page US population."""
    view, _, axis = kind.split(".")[1].partition("-")
    if isinstance(config, population.SyntheticConfig):
        return named("pop", _synthetic(view, axis, config))
    found: Parameters = {"view": people.VIEWS["curves" if view == "curve" else view]}
    if view == "curve":
        found["axis"] = curves_view.AXES[axis]
    elif view == "inside":
        config, group = config.base, config.group
        if config.groups == "everybody":
            only(group, 0, "group of everybody")
        else:
            found["group"] = whole(group + 1, 1, 12, "group, by number")
    return named("pop", found | _people(config))


def _people(config: population.Config) -> Parameters:
    if config.source == "csv" or config.columns:
        raise CannotShowError(_OWN_FILE)
    only(config.box, None, "a box around the data sets of this page")
    only(config.outside, "clip", "points outside the region")
    return parameters(config) | {f"{config.source}_groups": population.GROUPS[config.groups]}


def _synthetic(view: str, axis: str, config: population.SyntheticConfig) -> Parameters:
    usual, known = population.SyntheticConfig(), declared(population.SyntheticConfig)
    found = parameters(config) | {"view": people.VIEWS["synthetic"], "example": synthetic_view.EXAMPLES[view]}
    for name in ("points", *(synthetic_view.MIXTURE if view == "digits" else synthetic_view.DIGITS)):
        only(getattr(config, name), getattr(usual, name), known[name].label)
        found.pop(known[name].link, None)
    return found if view == "digits" else found | {"synthetic_axis": synthetic_view.AXES[axis]}


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
