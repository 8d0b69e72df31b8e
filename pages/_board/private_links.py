"""Parameters of the controls of the pages US population, metric privacy and private transport."""

from __future__ import annotations

from typing import Any

from dpot_core.experiments import geolocation, metric, population, sinkhorn
from pages import _shell as shell
from pages._board.fields import named, only, option, step, twentieth, whole
from pages._metric import controls as places
from pages._metric.views import VIEWS as METRIC_VIEWS
from pages._population import controls as people
from pages._population import curves_view, synthetic_view
from pages._shell.asking import CannotShowError, Parameters, parameters
from pages._sinkhorn import controls as pair
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
    source = option(config.source, people.SOURCES, "data")
    return {
        "data": source,
        f"{config.source}_groups": option(config.groups, people.GROUPS[config.source], "groups"),
        "epsilon": step(config.epsilon, shell.EPSILONS, "ε"),
        "n": step(config.n, people.SIZES, "people drawn from each group", people.count_text),
        "m": step(config.m, people.ATOMS, "atoms"),
        "adjacency": population.ADJACENCIES[config.adjacency],
        "guarantee": population.GUARANTEES[config.guarantee],
        "delta": step(config.delta, people.DELTAS, "δ"),
        "method": population.METHODS[config.method],
        "chunks": step(config.chunks, people.CHUNKS, "chunks of a group", people.chunks_text),
        "steps": whole(config.steps, 1, 10, "noisy steps"),
        "lambda": step(config.reg, people.REGS, "λ", people.reg_text),
        "seed": whole(config.seed, 1, 9999, "seed"),
    }


def _synthetic(view: str, axis: str, config: population.SyntheticConfig) -> Parameters:
    usual = population.SyntheticConfig()
    only(config.points, usual.points, "points drawn from a picture")
    found: Parameters = {
        "view": people.VIEWS["synthetic"],
        "example": synthetic_view.EXAMPLES[view],
        "epsilon": step(config.epsilon, shell.EPSILONS, "ε"),
        "seed": whole(config.seed, 1, 9999, "seed"),
    }
    if view == "digits":
        only(
            (config.n, config.m, config.projection), (usual.n, usual.m, usual.projection), "of the Gaussians, n, m, d′"
        )
        return found | {
            "digit": whole(config.digit, 0, 9, "digit"),
            "pictures": whole(config.pictures, 1, 10, "pictures"),
            "digit_atoms": whole(config.digit_atoms, 2, 32, "atoms"),
        }
    drawn = (config.digit, config.pictures, config.digit_atoms)
    only(drawn, (usual.digit, usual.pictures, usual.digit_atoms), "of the digits, digit, pictures, atoms")
    return found | {
        "synthetic_axis": synthetic_view.AXES[axis],
        "synthetic_n": whole(config.n, 50, 5000, "points n"),
        "synthetic_m": whole(config.m, 1, 32, "atoms m"),
        "projection": whole(config.projection, 1, 9, "dimensions d′"),
    }


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
    found: Parameters = {"view": SINKHORN_VIEWS["plan" if view == "release" else view]}
    if isinstance(config, sinkhorn.TheoremConfig):
        config, place = config.base, config.place
        if not 0 <= place <= 1:
            raise CannotShowError(f"a point that moves to {place:g}")
        found["place"] = twentieth(place, "where one point moves to")
    data = config.data
    if data.source == "csv" or data.columns:
        raise CannotShowError(_OWN_FILE)
    found |= {
        "data": option(data.source, pair.SOURCES, "data"),
        "n": step(data.n, pair.SIZES, "points of each set"),
        "guarantee": pair.GUARANTEES[config.guarantee],
        "epsilon": step(config.epsilon, shell.EPSILONS, "ε"),
        "eta": step(config.eta, pair.ETAS, "η / |c|"),
        "rounds": whole(config.steps, 1, 20, "rounds K"),
        "share": step(config.share, pair.SHARES, "share of the budget for the histograms"),
        "cells": whole(data.cells, 3, 16, "cells per side"),
        "cost": option(str(data.p), pair.COSTS, "power p of the distance"),
        "delta": step(config.delta, pair.DELTAS, "δ"),
        "people": pair.PEOPLE[config.people],
        "floor": step(config.floor, pair.FLOORS, "uniform share inside the algorithm"),
        "constants": pair.CONSTANTS[config.constants],
        "seed": whole(data.seed, 0, 9999, "seed of the points"),
        "draw": whole(config.draw, 0, 9999, "seed of the noise"),
    }
    return named("sinkhorn", found)
