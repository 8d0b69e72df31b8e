"""A stranger with a file: from Home to the sheet, then the release; one epsilon everywhere, and the file keeps it.

Ratios are held exactly, and a hundred thousand releases of two people by the walk's own scenario are audited. Of all at
once (a barycenter) a release takes too long for that: `tests/batch/release/test_central.py` audits a thousand.
"""

from __future__ import annotations

import csv
import io
import json
import re
import time
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Locator, Page, expect

import dpot_core as dpot
from dpot_app.batch import scenarios
from dpot_app.batch.release.films import one_film_each
from dpot_app.batch.release.ledger import Ledger
from dpot_app.batch.release.places import one_place_each, outputs
from dpot_app.batch.scenarios import Scenario
from dpot_app.batch.tags import tag_of
from dpot_app.command_line import DONE, main
from dpot_core.datasets.simulated_films import simulated_films
from dpot_core.privacy import releases
from dpot_core.privacy.releases import integer_weights
from tests.batch.release.exactness import weights_within
from tests.browser import driver
from tests.browser.conftest import OpenPage
from tests.browser.customers import MUNICH, PEOPLE, customers, munich

#: Fewer clicks than this from Home to the sheet and the scenario, and fewer seconds of the machine.
CLICKS, SECONDS = 15, 300


class Stranger:
    """A reader who clicks on what is visible; clicks are counted, keys and reading are not."""

    def __init__(self, page: Page) -> None:
        self.page, self.clicks, self.began, self.ended = page, 0, time.monotonic(), 0.0

    def click(self, what: Locator) -> None:
        what.click()
        self.clicks += 1
        driver.wait_idle(self.page)

    def choose(self, control: str, option: str) -> None:
        self.click(self.page.get_by_role("combobox", name=control))
        self.click(self.page.get_by_role("option", name=option, exact=True))

    def bring(self, name: str, content: bytes) -> None:
        """The button that asks for a file, and the file in the system's own window."""
        file = {"name": name, "mimeType": "text/csv", "buffer": content}
        self.page.locator("input[type=file]").first.set_input_files(file)
        self.clicks += 1
        driver.wait_idle(self.page)

    def opens(self, button: str, page: str) -> None:
        expect(self.page.get_by_role("button", name=button)).to_be_visible(timeout=300_000)
        self.click(self.page.get_by_role("button", name=button))
        self.page.wait_for_url(f"**/{page}*")
        driver.wait_idle(self.page)

    def takes(self, name: str, folder: Path) -> str:
        path = driver.save(self.page, name, folder)
        self.clicks += 1
        return path.read_text(encoding="utf-8")


@pytest.fixture
def stranger(open_page: OpenPage) -> Iterator[Stranger]:
    """On the first page; at the end their clicks and seconds to the sheet are told."""
    one = Stranger(open_page("/"))
    one.click(one.page.get_by_role("link", name="Which ε do I need?"))
    yield one
    seconds = one.ended - one.began
    print(f"{one.clicks} clicks, {seconds:.0f} s of the machine")
    assert one.clicks < CLICKS and 0 < seconds < SECONDS


def sheet_of(one: Stranger, folder: Path, way: str = "WPM") -> tuple[Scenario, float]:
    """The sheet's epsilon is that of the slider, and of the scenario that is taken along; its question is in it."""
    on_slider = one.page.get_by_role("slider", name="Privacy parameter ε").get_attribute("aria-valuetext")
    line = one.page.get_by_text(re.compile("^Project: ")).first.inner_text()
    one.click(one.page.get_by_text("Take it away"))
    sheet, asked = one.takes("sheet.md", folder), one.takes("scenario.yaml", folder)
    one.ended = time.monotonic()
    (scenario,) = scenarios.read(asked)
    (epsilon,) = {float(said) for said in re.findall(rf"One release with {way} at ε = (\d+(?:\.\d+)?)", sheet)}
    assert float(on_slider or "nan") == epsilon == scenario.config.epsilon
    assert f"ε = {epsilon:g}" in line and way in line
    assert scenario.question and scenario.question in line and scenario.question in sheet
    return scenario, epsilon


def released(
    folder: Path, monkeypatch: pytest.MonkeyPatch, epsilon: float, *settings: str
) -> tuple[list[dict[str, str]], dict[str, object]]:
    """Rows and promise of a release by the command: charged once, at the sheet's epsilon, which is all there is."""
    monkeypatch.setenv("DPOT_LEDGER", str(folder / "ledger.db"))
    (file,) = folder.glob("*.yaml")
    out = folder / "released.csv"
    given = ["release", str(file), "--data", str(folder / "mine.csv"), "--out", str(out), *settings]
    assert main([*given, "--total", str(epsilon)]) == DONE
    assert [Fraction(row["epsilon"]) for row in Ledger.usual().rows()] == [Fraction(repr(epsilon))]
    said = json.loads(out.with_name("released.csv.json").read_text(encoding="utf-8"))
    assert said["epsilon"] == epsilon
    return [*csv.DictReader(io.StringIO(out.read_text(encoding="utf-8-sig")))], said


def remember_weights(monkeypatch: pytest.MonkeyPatch) -> None:
    """Work out the weights of one distribution once, not for each of the hundred thousand people who have it."""
    known: dict[bytes, list[int]] = {}

    def weights(nu: np.ndarray, Q: dpot.Polytope) -> list[int]:
        key = nu.tobytes() + Q.lower.tobytes() + Q.upper.tobytes()
        if key not in known:
            known[key] = integer_weights(nu, Q)
        return known[key]

    monkeypatch.setattr(releases, "integer_weights", weights)


@pytest.mark.nightly
def test_customers_of_a_town(stranger: Stranger, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    content = customers(munich())
    (tmp_path / "mine.csv").write_bytes(content)
    stranger.choose("Data at hand", "My file")
    stranger.bring("mine.csv", content)
    page = stranger.page
    if page.get_by_text("no column for user").count():
        stranger.choose("user", "customer")
    stranger.opens("Worst case: see it", "geolocation")
    stranger.click(page.get_by_role("tab", name="One person"))
    scenario, epsilon = sheet_of(stranger, tmp_path)
    box = f"--set=place.box={list(MUNICH)}"
    rows, _ = released(tmp_path, monkeypatch, epsilon, box)
    assert len(rows) == PEOPLE and all("simulated" not in row for row in rows)
    cells = scenario.config.place.n**2
    assert all(0 <= int(row["cell"]) < cells for row in rows)

    public = replace(scenario.config, place=replace(scenario.config.place, box=MUNICH))

    def prepared(at: list[tuple[float, float]]):
        mine = customers(at)
        asked = replace(scenario, config=public, data=(("check-ins", tag_of(mine)),))
        return one_place_each(asked, {"check-ins": mine})

    corner, other = (48.02, 11.32), (48.28, 11.88)
    mine, one, two = prepared(munich()), prepared([corner, other]), prepared([other, (48.15, 11.6)])
    weights_within(epsilon, [each for made in (mine, one, two) for each in outputs(made.city, made.public, "wpm")])

    def many(at: tuple[float, float], n: int, _: np.random.Generator) -> np.ndarray:
        return prepared([at] * n).drawn(named=True)["cell"].to_numpy()

    remember_weights(monkeypatch)
    found = dpot.audit(many, [(corner, other)], 100_000, np.random.default_rng(1))
    assert 0.2 * epsilon < found <= epsilon


def ratings(users: slice) -> bytes:
    data, out = simulated_films(), io.StringIO()
    rows = csv.writer(out, lineterminator="\n")
    rows.writerow(["user", "film", "rating"])
    chosen = set(range(data.n_users)[users])
    triples = zip(data.user, data.film, data.stars, strict=True)
    rows.writerows([f"u{user}", data.films[film], stars] for user, film, stars in triples if user in chosen)
    return out.getvalue().encode()


@pytest.mark.nightly
def test_ratings_of_customers(stranger: Stranger, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    content = ratings(slice(0, PEOPLE))
    (tmp_path / "mine.csv").write_bytes(content)
    stranger.choose("What must be possible", "Liked recommendations")
    stranger.choose("Data at hand", "My files")
    stranger.bring("mine.csv", content)
    stranger.opens("Data at hand: see it", "movies")
    stranger.click(stranger.page.get_by_role("tab", name="One user"))
    scenario, epsilon = sheet_of(stranger, tmp_path)
    rows, said = released(tmp_path, monkeypatch, epsilon, "--set=source=simulated")
    assert len(rows) == PEOPLE and said["what"] == "one film each by WPM"
    asked = replace(scenario, config=replace(scenario.config, source="simulated"), data=())
    mine, others = one_film_each(asked, content), one_film_each(asked, ratings(slice(PEOPLE, 320)))
    weights_within(epsilon, [*mine.outputs(), *others.outputs()])
    numbers = {title: place for place, title in enumerate(simulated_films().films)}

    def many(film: str, n: int, _: np.random.Generator) -> np.ndarray:
        rows = "\n".join(f"u{number},{film},5" for number in range(n))
        drawn = one_film_each(asked, f"user,film,rating\n{rows}\n".encode()).drawn(named=True)
        return drawn["film"].map(numbers).to_numpy()

    first, *_, last = sorted(csv.DictReader(io.StringIO(content.decode())), key=lambda row: row["film"])
    remember_weights(monkeypatch)
    found = dpot.audit(many, [(first["film"], last["film"])], 100_000, np.random.default_rng(1))
    assert 0.0 <= found <= epsilon


@pytest.mark.nightly
def test_homes_of_a_town(stranger: Stranger, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Points of a population: a few private places for all of them, over a box that is public."""
    content = "\n".join(["lon,lat", *(f"{lon:.5f},{lat:.5f}" for lat, lon in munich())]).encode()
    (tmp_path / "mine.csv").write_bytes(content)
    stranger.choose("What must be possible", "Places for a population")
    stranger.choose("Data at hand", "My file")
    stranger.bring("mine.csv", content)
    stranger.choose("Public region", "A box")
    page = stranger.page
    for edge, number in zip(("Smallest x", "Smallest y", "Largest x", "Largest y"), MUNICH, strict=True):
        page.get_by_label(edge).fill(str(number))
        page.get_by_label(edge).press("Enter")
        driver.wait_idle(page)
    # Three hundred people are few for a promise to each: the places may cost half as much again.
    good = page.get_by_role("slider", name=re.compile("^How good"))
    good.press("End")
    good.press("ArrowLeft")
    driver.wait_idle(page)
    stranger.opens("Data at hand: see it", "population")
    scenario, epsilon = sheet_of(stranger, tmp_path, "Coreset")
    assert scenario.config.box == MUNICH
    rows, said = released(tmp_path, monkeypatch, epsilon)
    assert said["what"] == "barycenter by Coreset" and said["people"] == "everyone" and said["delta"] == 0.0
    assert len(rows) == scenario.config.m and all("simulated" not in row for row in rows)
    west, south, east, north = MUNICH
    assert all(west <= float(row["x"]) <= east and south <= float(row["y"]) <= north for row in rows)
