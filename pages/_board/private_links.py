"""Parameters of the controls of the pages US population, metric privacy and private transport."""

from __future__ import annotations

from typing import Any

from dpot_core.experiments import geolocation, metric, population, sinkhorn
from dpot_core.studies._kit.setting import declared
from pages import _shell as shell
from pages._board.fields import named, only, option, step, whole
from pages._metric import ask, crowd, pays, protect
from pages._metric import controls as places
from pages._metric.views import VIEWS as METRIC_VIEWS
from pages._population import controls as people
from pages._population import curves_view, synthetic_view
from pages._shell.asking import CannotShowError, Parameters, parameters
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
    view = kind.split(".")[1].removesuffix("-curve")
    found: Parameters = {"view": METRIC_VIEWS[view]}
    if isinstance(config, metric.PaysConfig):
        return named("metric", found | _pays(config))
    if isinstance(config, metric.ProtectConfig):
        found["example"] = protect.EXAMPLES[config.example]
    elif isinstance(config, metric.CrowdConfig):
        found["visits"] = step(config.visits, crowd.VISITS, "random visits of a person")
        found["shuffler"] = crowd.WHO[config.who]
    else:
        found |= _ask(config)
    return named("metric", found | _places(config.base))


def _places(config: metric.Config) -> Parameters:
    place = config.place
    expected = geolocation.Place(place.n, place.least, box=geolocation.BOXES.get(config.source))
    if config.source == "csv" or config.columns:
        raise CannotShowError(_OWN_FILE)
    if place != expected:
        raise CannotShowError(f"the grid {place}")
    found: Parameters = {
        "data": option(config.source, places.SOURCES, "data"),
        "epsilon": step(config.epsilon, shell.EPSILONS, "ε"),
        "count": option(str(len(config.changes)), places.COUNTS, "kinds of changes that are protected"),
        "least": whole(place.least, 1, 100, "check-ins that a person needs"),
        "n": whole(place.n, 5, 40, "cells per side"),
        "delta": step(config.delta, places.DELTAS, "δ"),
    }
    for number, (share, km) in enumerate(config.changes, 1):
        found[f"share{number}"] = step(share, tuple(metric.SHARES), "share of the data", metric.SHARES.__getitem__)
        found[f"km{number}"] = step(km, metric.KILOMETRES, "km of a change")
    return found


def _ask(config: metric.AskConfig) -> Parameters:
    usual = metric.AskConfig()
    found: Parameters = {"query": metric.QUERIES[config.query], "noise": ask.NOISE[config.kind]}
    if config.query == "position":
        only((config.east, config.north), (usual.east, usual.north), "a place of the mean position")
    else:
        found["east"] = whole(config.east, 0, 100, "per cent from west to east")
        found["north"] = whole(config.north, 0, 100, "per cent from south to north")
    if config.query == "region":
        found["radius"] = step(config.radius, ask.RADII, "km around the place")
        found["edge"] = step(config.edge, ask.EDGES, "km of the soft edge")
    else:
        only((config.radius, config.edge), (usual.radius, usual.edge), "a region that the question has not")
    return found


def _pays(config: metric.PaysConfig) -> Parameters:
    return {
        "epsilon": step(config.epsilon, shell.EPSILONS, "ε"),
        "delta": step(config.delta, places.DELTAS, "δ"),
        "trust": pays.MODELS[config.model],
        "users": step(config.users, pays.USERS, "users", pays.whole_text),
        "items": step(config.items, pays.ITEMS, "items of each user", pays.whole_text),
        "ratio": step(config.ratio, pays.SHOWN_RATIOS, "α/ε"),
        "clusters": step(config.clusters, pays.COUNTS, "clusters", pays.whole_text),
        "size": step(config.size, pays.COUNTS, "points in each cluster", pays.whole_text),
        "inside": step(config.r, pays.INSIDE, "distance inside a cluster"),
    }


def sinkhorn_parameters(kind: str, config: Any) -> Parameters:
    """Parameters of the page private transport."""
    view = kind.split(".")[1]
    data = (config.base if isinstance(config, sinkhorn.TheoremConfig) else config).data
    if data.source == "csv" or data.columns:
        raise CannotShowError(_OWN_FILE)
    view_parameter: Parameters = {"view": SINKHORN_VIEWS["plan" if view == "release" else view]}
    return named("sinkhorn", view_parameter | parameters(config))
