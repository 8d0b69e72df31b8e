"""Parameters of the controls of the page US population."""

from __future__ import annotations

from typing import Any

from dpot_core.experiments import population
from dpot_core.studies._kit.links import CannotShowError, Parameters, parameters
from dpot_core.studies._kit.setting import declared
from pages._board.fields import named, only, whole
from pages._population import controls as people
from pages._population import curves_view, synthetic_view

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
