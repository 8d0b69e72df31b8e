"""Every tab of every page, opened at small settings, with what can be taken away there (no browser)."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from dpot_app.shell import taking
from tests.apps import APP, html_of, ran, specs

CITY = {"geo_n": "6"}
_SET_ASIDE = "Like the crowd set aside"
FEW = {"pop_n": "500", "pop_m": "4"}
#: Page -> what opens each of its tabs, and each of what a tab shows by a choice that changes its numbers.
PLACES: dict[str, dict[str, Mapping[str, str]]] = {
    "ring": {
        "worst": {"ring_view": "Worst case"},
        "divergences": {"ring_view": "Worst-case divergences"},
        "numbers": {"ring_view": "This input in numbers", "ring_epsilon": "0.5"},
        "guess": {"ring_view": "Best guess", "ring_belief": "Two bumps", "ring_input": "Two places"},
        "base": {"ring_view": "Base measure"},
        "plan": {"ring_view": "Transport plan", "ring_lambda": "0.1"},
        "convergence": {"ring_view": "Convergence"},
    },
    "geolocation": {
        "person": CITY,
        "person-drawn": {**CITY, "geo_who": "Drawn by hand"},
        "crowd": {**CITY, "geo_view": "The crowd", "geo_epsilon": "3"},
        "worst": {**CITY, "geo_view": "Worst case"},
        "guess": {
            **CITY,
            "geo_view": "Best guess",
            "geo_base": "Public prior",
            "geo_belief": _SET_ASIDE,
        },
        "gets": {**CITY, "geo_view": "Near own places"},
        "one-place": {**CITY, "geo_view": "Geo-indistinguishability"},
        "worst-minimax": {**CITY, "geo_view": "Worst case", "geo_minimax": "true"},
    },
    "mixture": {
        "line": {"mix_view": "Line"},
        "line-many": {"mix_view": "Line", "mix_details": "Worst of many", "mix_epsilon": "0.5"},
        "plane": {"mix_view": "Plane"},
        "sphere": {"mix_view": "Sphere"},
    },
    "movies": {
        "user": {"movies_candidates": "40"},
        "everyone": {"movies_candidates": "40", "movies_view": "Everyone"},
        "adversary": {"movies_candidates": "40", "movies_view": "What the adversary learns"},
        "guess": {"movies_candidates": "40", "movies_view": "Best guess", "movies_belief": "Uniform"},
    },
    "population": {
        "map": FEW,
        "map-many": {**FEW, "pop_show": "20 possible releases"},
        "curves-n": {**FEW, "pop_view": "Curves"},
        "curves-epsilon": {**FEW, "pop_view": "Curves", "pop_axis": "Against ε"},
        "inside": {**FEW, "pop_view": "Inside"},
        "sensitivity": {**FEW, "pop_view": "Is the sensitivity true?"},
        "synthetic": {**FEW, "pop_view": "Synthetic"},
        "digits": {**FEW, "pop_view": "Synthetic", "pop_example": "Digits"},
    },
    "metric": {
        "protect": {"metric_n": "6"},
        "protect-paper": {"metric_n": "6", "metric_example": "The paper's example"},
        "ask": {"metric_n": "6", "metric_view": "Ask a question"},
        "crowd": {"metric_n": "6", "metric_view": "Release the crowd", "metric_visits": "10"},
        "pays": {"metric_view": "When does it pay?"},
        "linear": {"metric_view": "Ask about embeddings"},
    },
    "sinkhorn": {
        "plan": {"sinkhorn_n": "200"},
        "potentials": {"sinkhorn_n": "200", "sinkhorn_view": "Potentials"},
        "cost": {"sinkhorn_n": "200", "sinkhorn_view": "Cost alone"},
        "convergence": {"sinkhorn_n": "200", "sinkhorn_view": "Convergence"},
        "theorem": {"sinkhorn_n": "200", "sinkhorn_view": "What the paper's theorem assumes"},
    },
    "decide": {
        "ring": {"decide_need": "Worst-case distance on a ring"},
        "sphere": {"decide_need": "Worst-case distance on the sphere"},
    },
    "explain": {
        "one": {},
        "distance": {"explain_view": "Privacy by distance"},
        "several": {"explain_view": "Several releases"},
        "central": {"explain_view": "Several releases", "explain_kind": "Central"},
    },
}


@dataclass(frozen=True)
class Taken:
    """What a page shows and gives away."""

    app: AppTest
    files: Mapping[str, str]  # by the name on its button
    python: str
    specs: list[dict[str, Any]] = field(repr=False)  # of the pictures on the screen
    html: list[str] = field(repr=False)  # tables and promises on the screen

    @property
    def tables(self) -> dict[str, pd.DataFrame]:
        """The CSV files."""
        return {
            name.removesuffix(".csv"): pd.read_csv(io.StringIO(text))
            for name, text in self.files.items()
            if name.endswith(".csv")
        }

    @property
    def numbers(self) -> Any:
        return json.loads(self.files["numbers.json"])


def take(
    page: str,
    prefix: str,
    parameters: Mapping[str, Any],
    bring: Callable[[AppTest], None] = lambda app: None,
    *,
    left: tuple[str, ...] = (".html", ".ipynb"),
) -> Taken:
    """Open a page and everything that it lets be taken away, apart from figures (5 MB each), explorables, notebooks.

    Args:
        left: endings of the files that are not made.
    """
    made: dict[str, Callable[[], str]] = {}
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(taking, "_file", lambda _page, name, _mime, make: made.__setitem__(name, make))
        app = AppTest.from_file(APP, default_timeout=300)
        app.query_params.update(parameters)
        ran(app.switch_page(f"pages/{page}.py").run())
        bring(app)
        app.session_state[f"{prefix}_away"] = True
        made.clear()
        ran(app.run())
    files = {name: make() for name, make in made.items() if not name.endswith(left)}
    (python,) = [block.value for block in app.code if "headlines |= " in block.value]
    return Taken(app, files, python, specs(app), html_of(app))
