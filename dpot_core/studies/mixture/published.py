"""What the authors of minimax_ldp_sampling published for Fig. 4: their 100 mixtures at epsilon 1, and their maxima."""

import json
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Any

from dpot_core.studies.mixture.settings import Modes

_FILE = resources.files(__package__).joinpath("fig4.json")
_NAMES = {"kl": "kl", "tv": "tv", "hellinger": "squared_hellinger"}

#: Divergences by name, of "kpm" (their program stops when the integral is within 1e-5 of 1), and of "mbde", a trained
#: approximation of the relative mollifier.
Published = Mapping[str, Mapping[str, float]]


@cache
def published_modes() -> tuple[Modes, ...]:
    """The 100 mixtures of Fig. 4 at epsilon 1."""
    rows = _content()["rows_epsilon_1"]
    # Weights sum to 1 up to rounding.
    weights = [tuple(weight / sum(row["weights"]) for weight in row["weights"]) for row in rows]
    return tuple(Modes(tuple(row["means"]), own) for row, own in zip(rows, weights, strict=True))


@cache
def published_rows() -> tuple[Published, ...]:
    """What they published for each of these mixtures, at epsilon 1."""
    return tuple(_published(row) for row in _content()["rows_epsilon_1"])


@cache
def published_worst() -> Mapping[float, Published]:
    """Their maxima over 100 mixtures, by epsilon; the mixtures differ from one epsilon to the next."""
    return {row["epsilon"]: _published(row) for row in _content()["worst"]}


def _published(row: Mapping[str, Any]) -> Published:
    keys = {"kpm": "minimax", "mbde": "mbde"}
    return {key: {name: float(row[old][theirs]) for name, theirs in _NAMES.items()} for key, old in keys.items()}


@cache
def _content() -> dict[str, Any]:
    content: dict[str, Any] = json.loads(_FILE.read_text(encoding="utf-8"))
    return content
