"""Hostile links: the end of what numbers can be, in every parameter that a setting declares, on every page."""

from __future__ import annotations

import os
from functools import cache
from random import Random

from streamlit.testing.v1 import AppTest

from dpot_app.kit.setting import declared
from dpot_app.views.table import PAGES
from tests.apps import APP
from tests.hostile.case import case_rng

COUNT = 400

NUMBERS = (
    *("nan", "inf", "-inf", "Infinity", "1e308", "-1e308", "1e309", "1e-320", "-0", "", " ", "0x10", "1_0", "\u0661"),
    *(
        "9" * 400,
        "9" * 5000,
        "1e",
        "--1",
        "1,5",
        "[1]",
        "null",
        "true",
        "<script>alert(1)</script>",
        "a" * 5000,
        "\x00",
    ),
    *("%", "&", "😀", "99999999999999999999", "-99999999999999999999", "1e18", "0.1e-1000"),
)
LISTS = ("1e308,1e308", "1e308:1", "0:1e308;0.5:1e308", "nan,1", "1e-320:1e-320", ";;;", "0,0", "-1", "1:" * 3000)
#: Parameters that pages read themselves, with what has to be chosen so that they do.
TEXTS = {
    "ring": {"ring_numbers": {"ring_input": "My numbers"}, "ring_prior": {"ring_base": "My prior"}},
    "mixture": {
        "mix_own": {"mix_modes": "My own"},
        "mix_plane_own": {"mix_view": "Plane", "mix_plane_modes": "My own"},
        "mix_variance": {"mix_modes": "Fig. 4 of the paper", "mix_epsilon": "10"},
    },
    "geolocation": {"geo_drawn": {"geo_user": "0"}},
    "explain": {"explain_epsilons": {}},
}


@cache
def parameters(page: str) -> tuple[str, ...]:
    """The names in links of everything that a page's settings declare."""
    known = {one.link for view in PAGES[page].views for one in declared(view.settings).values() if one.link}
    return tuple(f"{PAGES[page].prefix}_{name}" for name in sorted(known))


def page_of(number: int) -> str:
    return list(PAGES)[number % len(PAGES)]


def make(rng: Random, page: str) -> tuple[str, dict[str, str | list[str]]]:
    own = TEXTS.get(page, {})
    if own and rng.random() < 0.3:
        name = rng.choice(list(own))
        return page, {**own[name], name: rng.choice((*LISTS, *NUMBERS, "0.05"))}
    chosen = rng.sample(parameters(page), min(len(parameters(page)), rng.choice((1, 1, 2, 5))))
    every: dict[str, str | list[str]] = {name: rng.choice(NUMBERS) for name in chosen}
    if rng.random() < 0.1:
        every = {name: [rng.choice(NUMBERS), rng.choice(NUMBERS)] for name in every}
    if rng.random() < 0.2:
        every[f"{PAGES[page].prefix}_view"] = rng.choice([tab.label for _, tab in PAGES[page].tabs.values()] or [""])
    return page, every


def opened(page: str, every: dict[str, str | list[str]]) -> AppTest:
    app = AppTest.from_file(APP, default_timeout=600)
    app.query_params.update(every)
    return app.switch_page(f"pages/{page}.py").run()


def read(brought: tuple[str, dict[str, str | list[str]]]) -> object:
    app = opened(*brought)
    if app.exception:
        raise TypeError(f"{brought}: {[entry.value[:200] for entry in app.exception]}")
    return app


def view_of(number: int) -> tuple[str, tuple[tuple[str, str], ...]]:
    """The page that a case opens, and the parameters that choose a view or a tab of it."""
    page, every = make(case_rng("links", number), page_of(number))
    tabs = {name: value for name, value in every.items() if name.endswith("_view") and isinstance(value, str)}
    return page, tuple(tabs.items())


def warm(page: str, tabs: tuple[tuple[str, str], ...]) -> None:
    """What the page shows at first, and on a tab, is computed once, for all cases: what they add to that is bounded."""
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    assert not opened(page, dict(tabs)).exception
