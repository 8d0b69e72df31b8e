"""Find my epsilon on a reader's own file: the numbers of the page that takes it; nothing of it is kept for others."""

from __future__ import annotations

import gc
from dataclasses import replace
from pathlib import Path

import pytest

from dpot_app.batch.scenarios import Scenario, by_tag, read, run, write
from dpot_app.batch.tags import tag_of
from dpot_app.kit.cache import CACHE, file_digest, forget
from dpot_app.kit.page import page_of
from dpot_app.kit.script import file_name
from dpot_app.kit.values import ScenarioError, filled
from dpot_app.kit.workers import jobs as queued
from dpot_app.views.decide.leads import leads_to
from dpot_app.views.decide.results import Answer
from dpot_app.views.decide.settings import NEEDS, Config
from dpot_app.views.decide.text import LOOKED, VIEW
from dpot_app.views.population.people import load_population
from dpot_core.datasets import country_outline
from dpot_core.datasets.simulated import simulated_city
from tests.test_exported_python import near, ran
from tests.test_movies_page import csv as ratings
from tests.test_sinkhorn_page import csv as points

OWN = [key for key, need in NEEDS.items() if need.own is not None]


def customers(n: int = 30) -> bytes:
    """One place each, in the simulated city."""
    data = simulated_city(n)
    first = dict(zip(data.user[::-1], zip(data.lat[::-1], data.lon[::-1], strict=True), strict=True))
    return "\n".join(["user,lat,lon", *(f"{user},{lat:.5f},{lon:.5f}" for user, (lat, lon) in first.items())]).encode()


def people() -> bytes:
    rows = [f"{0.01 * (i % 13)},{0.02 * (i % 7)}" for i in range(60)]
    return "\n".join(["x,y", *rows]).encode()


FILES = {"geolocation": customers(), "movies": ratings()[0], "population": people(), "two-sets": points()}
SETTINGS = {
    "geolocation": {"cells": 6},
    "movies": {},
    "population": {"box": (0.0, 0.0, 0.2, 0.2)},
    "two-sets": {},
}


def asked(key: str, **more: object) -> Config:
    return filled(Config(need=key, target=NEEDS[key].default, source="csv"), {**SETTINGS[key], **more})


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    for page in ("geolocation", "population", "sinkhorn"):
        monkeypatch.setattr(f"dpot_app.views.{page}.need.GRID", (1.0, 10.0))
    monkeypatch.setattr("dpot_app.kit.need.GRID", (1.0, 10.0))
    monkeypatch.setattr("dpot_app.views.population.need.PEOPLE", replace(NEEDS_PEOPLE, m=2))
    assert not queued.are_open()


NEEDS_PEOPLE = NEEDS["population"].shows(Config(need="population", target=1.0), "data")[1]


def answer_of(config: Config) -> Answer:
    (answer,) = VIEW.run(config, {NEEDS[config.need].own.role: FILES[config.need]}).parts
    return answer


@pytest.mark.slow
@pytest.mark.parametrize("key", OWN)
def test_every_need_that_takes_a_file_answers_for_it(key: str) -> None:
    config = asked(key)
    answer = answer_of(config)
    assert answer.sides["data"].side.simulated is False and not answer.public("worst")
    results = VIEW.run(config, {NEEDS[key].own.role: FILES[key]})
    assert results.disclosure.status == "analysis", "what is found in a file is as private as the file"
    assert LOOKED in [getattr(block, "text", "") for block in VIEW.show(config, answer)]
    # The page that the answer leads to takes the file, and can be told so.
    page, link = leads_to(config, "data", 2.0)
    prefix = page_of(page).prefix
    assert link[f"{prefix}_data"] == "csv" and link[f"{prefix}_epsilon"] == "2"


def test_people_of_another_country_are_in_its_outline_and_in_kilometres() -> None:
    """A file of Japan was moved to the coast of the United States, or needed a box."""
    rows = "\n".join(f"{139.2 + 0.05 * (i % 13)},{35.5 + 0.04 * (i % 7)}" for i in range(60))
    files = {"population": f"lon,lat\n{rows}".encode()}
    config = asked("population", box=None, region="JP")
    (answer,) = VIEW.run(config, files).parts
    people = load_population(NEEDS["population"].shows(config, "data")[1], files)
    assert answer.sides["data"].searches and people.outline.geographic
    assert people.outline.bounds == country_outline("JP").bounds and people.lon.min() > 139
    _, link = leads_to(config, "data", 2.0)
    assert link["pop_region"] == "JP" and link["pop_data"] == "csv"


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"region": "nowhere"}, "must be one of us, AF"),
        ({"need": "geolocation", "region": "JP"}, "must be empty here"),
        ({"region": "JP", "box": (0.0, 0.0, 1.0, 1.0)}, "must be null where the region is 'JP'"),
    ],
)
def test_a_region_that_is_none_is_refused(more: dict[str, str], words: str) -> None:
    with pytest.raises(ScenarioError, match=words):
        VIEW.check(asked("population", **{"box": None, **more}))


@pytest.mark.parametrize("key", OWN)
def test_the_exported_python_finds_the_same_in_the_file(
    key: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config, role = asked(key), NEEDS[key].own.role
    python = VIEW.python(config)
    monkeypatch.chdir(tmp_path)
    Path(file_name(role)).write_bytes(FILES[key])
    results = VIEW.run(config, {role: FILES[key]})
    near(ran(python), VIEW.headlines(*results.parts), results.tables())


def test_the_worst_case_is_that_of_the_files_own_grid() -> None:
    """Find my epsilon told 6.99 km of the simulated city where the grid of the file gave 3.2."""
    config = asked("geolocation")
    side = answer_of(config).sides["worst"].side
    view = page_of("geolocation").view("geolocation.worst-case")
    settings = NEEDS["geolocation"].shows(config, "worst")[1]
    parts = view.run(replace(settings, epsilon=2.0), {"check-ins": FILES["geolocation"]}).parts
    told = {name: value for name, value in view.headlines(*parts).items() if "WPM" in name}
    assert any(side.evaluate("wpm", 2.0) == pytest.approx(value, rel=1e-9) for value in told.values()), told


def test_a_scenario_names_the_file_by_its_tag_and_runs_anew() -> None:
    config, content = asked("geolocation"), FILES["geolocation"]
    scenario = Scenario("decide.epsilon", "Ours", config, (("check-ins", tag_of(content)),))
    (again,) = read(write([scenario]))
    assert again == scenario
    assert run(again, by_tag([content])).headlines == VIEW.headlines(answer_of(config))
    with pytest.raises(ScenarioError, match="the tag of the file"):
        Scenario("decide.epsilon", "Ours", config)
    with pytest.raises(ScenarioError, match="must be one of"):
        Scenario("decide.epsilon", "Ours", Config(need="ring", target=4.0, source="csv"))


def test_nothing_of_a_forgotten_file_is_kept() -> None:
    content = FILES["geolocation"]
    answer_of(asked("geolocation"))
    digest = file_digest(content)

    def held() -> list[object]:
        return [key for entries in CACHE._memories.values() for key in entries if digest in CACHE._files.get(key, ())]

    assert held()
    forget(digest)
    gc.collect()
    assert not held()
