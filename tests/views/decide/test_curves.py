"""Curves that come with the package: what the code gives now, and not used for anything else."""

import json
from dataclasses import replace
from typing import Any

import pytest

from dpot_app.kit.need import Side
from dpot_app.views.decide import curves
from dpot_app.views.decide.curves import SHIPPED, Curve, made_of, shipped
from dpot_app.views.decide.figures import needs_figure
from dpot_app.views.decide.results import Answer, run, unfinished
from dpot_app.views.decide.settings import NEEDS, Config
from dpot_core.datasets import digests

KEPT: dict[str, Any] = json.loads(curves.FILE.read_text(encoding="utf-8"))
#: What takes the least time to compute anew: one value of each mechanism.
CHEAP = {"geolocation": 10.0, "movies": 10.0, "population": 10.0, "two-sets": 10.0}


def sides(config: Config) -> dict[str, Side]:
    need = NEEDS[config.need]
    made = {"worst": need.worst(config), "data": need.data(config)}
    return {name: side for name, side in made.items() if isinstance(side, Side)}


def data_of(config: Config) -> tuple[tuple[str, str], ...]:
    sets = NEEDS[config.need].sets
    return tuple(sorted(({} if sets is None else digests(sets, config.source)).items()))


@pytest.mark.parametrize(
    "key", [key if key != "population" else pytest.param(key, marks=pytest.mark.nightly) for key in SHIPPED]
)
def test_shipped_curves_are_what_the_code_gives(key: str) -> None:
    """One value of each mechanism is computed anew; where this fails, `make curves` makes them anew."""
    config = Config(need=key, target=NEEDS[key].default)
    assert {name for name in KEPT if name.startswith(f"{key}.")} == {f"{key}.{name}" for name in sides(config)}
    for name, side in sides(config).items():
        known = shipped(config, data_of(config), name, side)
        assert known, "other settings, data, seeds or words than when they were made: run `make curves`"
        for mechanism in side.labels:
            points = {epsilon: value for (m, epsilon), value in known.items() if m == mechanism}
            at = min(points, key=lambda epsilon: abs(epsilon - CHEAP[key]))
            assert side.evaluate(mechanism, at) == pytest.approx(points[at], rel=1e-9)


def test_all_that_a_first_visit_asks_for_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """The page was blank for 25 to 38 seconds: with the curves nothing of what takes long is evaluated."""

    def evaluated(self: Curve, mechanism: str, epsilon: float) -> float:
        assert (mechanism, epsilon) in self.values, (mechanism, epsilon)
        return self.values[mechanism, epsilon]

    monkeypatch.setattr(Curve, "__call__", evaluated)
    for key in SHIPPED:
        for target in NEEDS[key].targets:
            run(Config(need=key, target=target))


@pytest.mark.parametrize("change", [{"note": "other seeds"}, {"grid": (1.0,)}, {"labels": {"wpm": "WPM"}}])
def test_shipped_curves_are_not_used_for_other_data(change: dict[str, Any]) -> None:
    config = Config(need="movies", target=0.1)
    side = sides(config)["data"]
    assert shipped(config, data_of(config), "data", side)
    assert not shipped(config, data_of(config), "data", replace(side, **change))
    assert not shipped(config, (("ratings", "another digest"),), "data", side)
    assert not shipped(replace(config, seed=2), data_of(config), "data", side)


def test_their_version_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    config = Config(need="movies", target=0.1)
    monkeypatch.setattr(curves, "VERSION", curves.VERSION + 1)
    assert not shipped(config, data_of(config), "data", sides(config)["data"])
    assert made_of(config, (), sides(config)["data"])["version"] == curves.VERSION


@pytest.mark.nightly
def test_curves_that_are_not_there_are_drawn_point_by_point() -> None:
    """While values are tried, those that are known make a picture without star and answer."""
    config = Config(need="ring", target=4.0, k=11, p=3, seed=9)
    seen: list[tuple[int, int]] = []
    pictured: list[Answer] = []

    def watch(done: int, total: int) -> None:
        seen.append((done, total))
        known = unfinished(config)
        assert known is not None
        pictured.append(known)

    answer = run(config, watch)
    assert seen == [(done, seen[-1][1]) for done in range(1, seen[-1][1] + 1)]
    tried = [sum(len(s.points) for side in one.sides.values() for s in side.searches.values()) for one in pictured]
    assert tried == list(range(1, len(tried) + 1))
    figure = needs_figure(pictured[len(pictured) // 2], "half way")
    assert figure.layout.title.text == "half way"
    assert not [trace for trace in figure.data if "for good" in trace.name and len(trace.x)]
    assert any(len(trace.x) for trace in needs_figure(answer).data if "for good" in trace.name)
