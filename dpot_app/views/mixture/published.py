"""Published data of minimax_ldp_sampling's authors for Fig. 4: their 100 mixtures at epsilon 1, and their maxima."""

from collections.abc import Mapping
from functools import cache
from typing import Any

from dpot_app.views.mixture.settings import Modes
from dpot_core.datasets.published_mixtures import published_mixtures

_NAMES = {"kl": "kl", "tv": "tv", "hellinger": "squared_hellinger"}

#: Divergences by name, of "kpm" (their program stops when the integral is within 1e-5 of 1), and of "mbde", a trained
#: approximation of the relative mollifier.
Published = Mapping[str, Mapping[str, float]]


@cache
def published_modes() -> tuple[Modes, ...]:
    """The 100 mixtures of Fig. 4 at epsilon 1."""
    rows = published_mixtures()["rows_epsilon_1"]
    # Weights sum to 1 up to rounding.
    weights = [tuple(weight / sum(row["weights"]) for weight in row["weights"]) for row in rows]
    return tuple(Modes(means=tuple(row["means"]), weights=own) for row, own in zip(rows, weights, strict=True))


@cache
def published_rows() -> tuple[Published, ...]:
    """Their published numbers for each of these mixtures, at epsilon 1."""
    return tuple(_published(row) for row in published_mixtures()["rows_epsilon_1"])


@cache
def published_worst() -> Mapping[float, Published]:
    """Their maxima over 100 mixtures, by epsilon; the mixtures differ from one epsilon to the next."""
    return {row["epsilon"]: _published(row) for row in published_mixtures()["worst"]}


def _published(row: Mapping[str, Any]) -> Published:
    keys = {"kpm": "minimax", "mbde": "mbde"}
    return {key: {name: float(row[old][theirs]) for name, theirs in _NAMES.items()} for key, old in keys.items()}
