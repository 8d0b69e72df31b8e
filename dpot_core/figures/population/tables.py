"""Small tables of costs and distances as texts."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dpot_core.experiments.population import BARYCENTERS, MapResult
from dpot_core.figures.population.words import squared_unit, unit


def cost_rows(result: MapResult) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """Heads and rows: cost and W_2 of the three barycenters; mean and standard deviation over several draws."""
    degrees = result.ground.geographic
    heads = ["Barycenter", f"Cost ({squared_unit(degrees)})", f"W₂ to non-private ({unit(degrees)})"]
    truth = result.reference
    first = [BARYCENTERS["non-private"], f"{truth.cost:.3f}", "0"]
    if degrees:
        heads[1:] = [heads[1], "√cost (km)", heads[2], "W₂ (km)"]
        first = [*first[:2], f"{truth.km:,.0f}", "0", "0"]
    rows = [tuple(first)]
    for name, draws in result.draws.items():
        numbers = [[draw.cost for draw in draws], [draw.distance for draw in draws]]
        texts = [_text(values, ".3f") for values in numbers]
        if degrees:
            km = [[draw.cost_km or 0.0 for draw in draws], [draw.distance_km or 0.0 for draw in draws]]
            texts = [texts[0], _text(km[0], ",.0f"), texts[1], _text(km[1], ",.0f")]
        rows.append((BARYCENTERS[name], *texts))
    return tuple(heads), rows


def _text(values: Sequence[float], form: str) -> str:
    if len(values) == 1:
        return format(values[0], form)
    return f"{np.mean(values):{form}} ± {np.std(values, ddof=1):{form}}"
