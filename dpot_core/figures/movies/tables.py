"""Tables that stand under the figures, as texts."""

from __future__ import annotations

from dpot_core.experiments.movies import CURVES, REFERENCES, Everyone, Lists
from dpot_core.experiments.movies.scores import mean_and_error

Row = tuple[str, ...]


def summary(result: Everyone) -> list[Row]:
    """Release, then mean ± standard error at each epsilon; below, the masses of the bases that were chosen."""
    rows: list[Row] = [
        (label, *[_cell(*mean_and_error(point.hits[name])) for point in result.points])
        for name, label in CURVES.items()
    ]
    for name, label in REFERENCES.items():
        rows.append((label, *[_cell(*mean_and_error(result.references[name]))] * len(result.points)))
    for name in result.points[0].mass:
        rows.append((f"mass chosen, {CURVES[name]}", *[f"{point.mass[name]:.3g}" for point in result.points]))
    return rows


def list_rows(result: Lists) -> tuple[Row, list[Row]]:
    """Heads and rows: each release, then its scores with what they cost in all."""
    columns = list(dict.fromkeys(key[1:] for key in result.scores))
    heads = [f"{score}, ε {total:g} in all" for _, total, score in columns]
    releases = dict.fromkeys(key[0] for key in result.scores)
    return ("Release", *heads), [
        (name, *[_cell(*result.scores[name, each, total, score]) for each, total, score in columns])
        for name in releases
    ]


def _cell(mean: float, error: float) -> str:
    return f"{mean:.4f} ± {error:.4f}"
