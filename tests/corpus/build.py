"""Make the corpus: links by random use of every page, scenario files by random settings, with the numbers they give."""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from typing import Any
from urllib.parse import parse_qs

from streamlit.testing.v1 import AppTest

from dpot_app.batch import scenarios
from dpot_app.batch.scenarios import VIEWS, Scenario, ScenarioError
from tests.apps import open_page, pin, pinned
from tests.batch.scenarios.settings import settings_of
from tests.corpus.entries import Entry, differences, numbers_of, read, tolerance_of, write

COUNT = 32
#: The prefix of a page's parameters, and what opens each of its views at a size that is quickly computed.
SMALL = {"pop_n": "500", "pop_m": "4"}
OPENED: dict[str, tuple[str, list[dict[str, Any]]]] = {
    "ring": ("ring", [{}]),
    "geolocation": (
        "geo",
        [
            {"geo_n": "8"},
            {"geo_view": "The crowd", "geo_n": "6"},
            {"geo_view": "Worst case", "geo_n": "6"},
            {"geo_view": "Geo-indistinguishability", "geo_n": "5"},
        ],
    ),
    "mixture": ("mix", [{}, {"mix_view": "Plane"}, {"mix_view": "Sphere"}]),
    "movies": (
        "movies",
        [{"movies_candidates": "40"}, {"movies_view": "What the adversary learns", "movies_candidates": "40"}],
    ),
    "population": (
        "pop",
        [SMALL, SMALL | {"pop_view": "Inside"}, SMALL | {"pop_view": "Synthetic", "pop_example": "Digits"}],
    ),
    "metric": (
        "metric",
        [
            {},
            {"metric_view": "Ask a question", "metric_n": "6"},
            {"metric_view": "Release the crowd", "metric_n": "6", "metric_visits": "10"},
            {"metric_view": "When does it pay?"},
            {"metric_view": "Ask about embeddings"},
        ],
    ),
    "sinkhorn": (
        "sinkhorn",
        [{"sinkhorn_n": "200"}, {"sinkhorn_n": "200", "sinkhorn_view": "Convergence"}],
    ),
    "decide": (
        "decide",
        [{"decide_need": "Worst-case distance on the sphere"}, {"decide_need": "Worst-case distance on a ring"}],
    ),
    "explain": ("explain", [{}, {"explain_view": "Privacy by distance"}, {"explain_view": "Several releases"}]),
}
#: Settings that would take long, or need files or data that are not here.
AVOIDED = (
    "Gowalla",
    "MovieLens",
    "CSV",
    "tracts",
    "Teaching",
    "Large",
    "crowd",
    "People drawn",
    "Minimax",
    "minimax",
    "MBDE",
)
#: What the view is, which the choice of the view decides.
VIEW_KEYS = (
    "mix_view",
    "geo_view",
    "pop_view",
    "pop_example",
    "metric_view",
    "sinkhorn_view",
    "explain_view",
    "movies_view",
)
WIDGETS = ("selectbox", "select_slider", "slider", "number_input", "toggle", "button_group", "radio", "checkbox")


def elsewhere(app: AppTest, prefix: str, rng: random.Random) -> dict[str, Any]:
    """Parameters that set a few random controls of a page to random values."""
    there = [
        widget
        for kind in WIDGETS
        for widget in app.get(kind)
        if str(getattr(widget, "key", "")).startswith(f"{prefix}_")
    ]
    there = [widget for widget in there if not any(word in widget.label for word in AVOIDED)]
    found: dict[str, Any] = {}
    for widget in rng.sample(there, min(len(there), rng.randint(1, 4))):
        options = [str(option) for option in getattr(widget, "options", ())]
        allowed = [option for option in options if not any(word in option for word in AVOIDED)]
        if allowed:
            found[widget.key] = rng.choice(allowed)
        elif getattr(widget, "max", None) is not None:
            now = widget.value[0] if isinstance(widget.value, list | tuple) else widget.value
            low, high = int(widget.min), int(min(widget.max, now + 20))
            found[widget.key] = str(rng.randint(low, high))
    return found


def from_page(page: str, rng: random.Random) -> Entry | None:
    """A link that random use of a page gives, with its scenario."""
    prefix, views = OPENED[page]
    parameters = dict(rng.choice(views))
    # Some controls are there only once another one is set.
    for _ in range(2):
        app = open_page(page, parameters)
        parameters |= {key: value for key, value in elsewhere(app, prefix, rng).items() if key not in VIEW_KEYS}
    app = open_page(page, parameters)
    if not any(button.key == f"{prefix}_pin" for button in app.button):
        return None
    pin(app, prefix)
    if not pinned(app):
        return None
    (kept,) = pinned(app)
    outcome = scenarios.run(kept.scenario)
    return Entry(
        page,
        scenarios.write([kept.scenario]),
        numbers_of(outcome),
        parse_qs(kept.link, keep_blank_values=True),
    )


def varied(key: str, rng: random.Random) -> Any:
    """Settings of a kind, some of them elsewhere in what is allowed."""
    kind = VIEWS[key]
    config = rng.choice(settings_of(key))
    for name, allowed in kind.declared.items():
        if rng.random() > 0.35 or any(word in allowed.label for word in AVOIDED):
            continue
        now = scenarios.get(config, name)
        if allowed.options is not None and not allowed.many:
            value = rng.choice(
                [option for option in allowed.options if option not in ("csv", "own", "numbers", "prior", "minimax")]
            )
        elif allowed.step is not None and isinstance(now, int | float) and not isinstance(now, bool):
            moved = (
                now * allowed.step ** rng.choice((-1, 1))
                if allowed.factor
                else now + allowed.step * rng.choice((-1, 1))
            )
            value = type(now)(round(moved) if isinstance(now, int) else moved)
        else:
            continue
        try:
            changed_ = scenarios.put(config, name, value)
            Scenario(key, "x", changed_, scenarios.describe_data(kind, changed_, {}))
            config = changed_
        except (ScenarioError, ValueError, OSError, RuntimeError):
            continue
    return config


def from_settings(page: str, rng: random.Random, slow: set[str]) -> Entry | None:
    """A scenario file with random settings."""
    keys = [key for key in VIEWS if key.startswith(f"{page}.") and key not in slow]
    if not keys:
        return None
    key = rng.choice(keys)
    config = varied(key, rng)
    try:
        scenario = Scenario(key, f"Corpus: {key}", config, scenarios.describe_data(VIEWS[key], config, {}))
        start = time.process_time()
        outcome = scenarios.run(scenario)
    except (ScenarioError, ValueError, RuntimeError, OSError):
        return None
    if time.process_time() - start > 6.0:
        slow.add(key)
        return None
    return Entry(page, scenarios.write([scenario]), numbers_of(outcome))


def entries(page: str) -> Iterator[Entry]:
    """The entries of a page: as many links, as many files."""
    rng, slow = random.Random(f"corpus {page}"), set()
    for make in (lambda: from_page(page, rng), lambda: from_settings(page, rng, slow)):
        seen: set[str] = set()
        for _ in range(8 * COUNT):
            if len(seen) == COUNT:
                break
            entry = make()
            if entry is not None and entry.yaml not in seen:
                seen.add(entry.yaml)
                yield entry


def renewed(page: str) -> Iterator[Entry]:
    """The entries of a page; those whose numbers changed have what they give on this machine, and it is printed."""
    for number, entry in enumerate(read(page)):
        (scenario,) = scenarios.read(entry.yaml.encode())
        now = numbers_of(scenarios.run(scenario))
        changed = differences(entry.numbers, now, tolerance_of(scenario))
        for what in changed:
            print(f"{page} {number}: {what}", flush=True)
        yield replace(entry, numbers=now) if changed else entry


def main() -> None:
    """Make the corpora of the pages that are named, or of all; --numbers: only their numbers, where they changed."""
    chosen = [argument for argument in sys.argv[1:] if argument != "--numbers"]
    for page in chosen or OPENED:
        found = list(renewed(page) if "--numbers" in sys.argv else entries(page))
        write(page, found)
        links = sum(entry.link is not None for entry in found)
        print(f"{page}: {links} links, {len(found) - links} files")


if __name__ == "__main__":
    main()
