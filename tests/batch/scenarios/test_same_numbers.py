"""Whatever way a scenario is run, it gives the same numbers: the page's functions, the table, public names."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from dpot_app.batch import scenarios
from dpot_app.batch.scenarios import VIEWS, Outcome, Scenario, ScenarioError, by_tag
from dpot_app.batch.sweeps.table import short
from dpot_app.cities.city import make_city
from dpot_app.films.catalogue import Split
from dpot_app.views.geolocation import settings as geolocation
from dpot_app.views.geolocation.person.results import one_person as geolocation_person
from dpot_app.views.movies import settings as movies
from dpot_app.views.movies.everyone.results import CURVES
from dpot_core import datasets
from tests.batch.scenarios.outcomes import names_of, outcome_of
from tests.batch.scenarios.settings import settings_of
from tests.views.geolocation import by_hand as geolocation_by_hand
from tests.views.metric import by_hand as metric_by_hand
from tests.views.mixture import by_hand as mixture_by_hand
from tests.views.movies import by_hand as movies_by_hand
from tests.views.sinkhorn import by_hand as sinkhorn_by_hand

Tables = dict[str, pd.DataFrame]


@cache
def run(key: str, config: Any) -> Outcome:
    return scenarios.run(Scenario(key, "test", config, scenarios.describe_data(VIEWS[key], config, {})))


def near(found: Any, expected: Any, what: str) -> None:
    np.testing.assert_allclose(
        np.asarray(found, dtype=float), np.asarray(expected, dtype=float), rtol=0, atol=1e-12, err_msg=what
    )


def by(table: pd.DataFrame, name: str) -> pd.DataFrame:
    return table.set_index(name)


def kilometres(table: pd.DataFrame, more: str = "") -> Any:
    """The column of W_p, whatever p is."""
    (name,) = (name for name in table.columns if re.fullmatch(rf"W[\d.]+ km{more}", name))
    return table[name]


def one_person(names: dict[str, Any], tables: Tables) -> None:
    cells, distances = tables["person-cells"], by(tables["person-distances"], "mechanism")
    near(names["mu"], cells["truth"], "truth")
    for name, nu in names["outputs"].items():
        near(nu, cells[name], name)
        near(names["kilometres"][name], kilometres(distances)[name], name)


def crowd(names: dict[str, Any], tables: Tables) -> None:
    curve = by(tables["crowd-distances"], "estimate")
    for name, runs in names["crowd_kilometres"].items():
        near(np.mean(runs), kilometres(curve, ", mean")[name], name)
        near(names["estimates"][name][0], tables["crowd-first-run-cells"][name], name)


def worst_cells(names: dict[str, Any], tables: Tables) -> None:
    near(names["worst_case"].per_input, kilometres(tables["worst-case-cells"]), "worst case")


def divergences(table: str) -> Callable[[dict[str, Any], Tables], None]:
    def compare(names: dict[str, Any], tables: Tables) -> None:
        numbers = by(tables[table], "mechanism")
        assert set(numbers.index) <= set(names["divergences"])
        for mechanism in numbers.index:
            for name, value in names["divergences"][mechanism].items():
                near(value, numbers.loc[mechanism, name], f"{mechanism} {name}")

    return compare


def caps(names: dict[str, Any], tables: Tables) -> None:
    table = by(tables["sphere-caps"], "p")
    for p, cap in names["caps"].items():
        near([cap.scale, cap.value, cap.threshold], table.loc[p, ["scale", "worst case", "threshold"]], f"p = {p}")


def one_user(names: dict[str, Any], tables: Tables) -> None:
    for name, nu in names["outputs"].items():
        near(nu, tables["user-outputs"][name], name)
        near(names["hits"][name], nu[tables["user-outputs"]["liked"]].sum(), name)


def everyone(names: dict[str, Any], tables: Tables) -> None:
    table = by(tables["hit-rate"], "release")
    for name, rates in names["hit_rates"].items():
        near(rates.mean(), table.loc[CURVES[name], "Hit Rate@1"], name)


def question(names: dict[str, Any], tables: Tables) -> None:
    near(names["answers"].mean(axis=0), tables["true-answer"].iloc[0, : names["answers"].shape[1]], "true answer")
    last = tables["errors"].iloc[-1]  # central, whole user: what the loop ends with
    near(names["noise"].scale, last["scale of the noise"], "scale")
    near(names["release"].errors.mean(), last.filter(like="mean error").iloc[0], "error")


def crowd_by_distance(names: dict[str, Any], tables: Tables) -> None:
    rows = by(tables["crowd-errors"], "release")
    for how, words in {"shuffling": "shuffled", "composition": "composed"}.items():
        if how in names["ways"]:
            row = rows.loc[f"{words}, estimates"]
            near(names["item_rates"][how], row["alpha_0 of a report on a known visit"], how)
            near(np.mean(names["kilometres"][how]), row["error km"], how)


def pays(names: dict[str, Any], tables: Tables) -> None:
    rows = tables["error-over-k"]
    rows = rows[rows["k"] == names["k"]]
    assert len(rows) == len(names["errors"])
    for errors, row in zip(names["errors"].values(), rows["mean error d_EM"], strict=True):
        near(errors.mean(), row, "mean error")


def linear(names: dict[str, Any], tables: Tables) -> None:
    rows = tables["linear-errors"].groupby("release").last()["error"]
    near(names["errors"]["by distance"], rows["K-norm (Algorithm 1)"], "by distance")
    near(names["errors"]["whole user"], rows["K-norm, 2-norm"], "whole user")


def two_sets(names: dict[str, Any], tables: Tables) -> None:
    cells, plans = tables["cells"], tables["plans"]
    rows, columns = plans["from cell"], plans["to cell"]
    near(names["histograms"].plan[rows, columns], plans["histograms"], "histograms first")
    near(names["a"] / names["a"].sum(), cells["first (not private)"], "first set")
    assert len(names["released"].ledger) == len(tables["budget"])
    if names["released"].marginals is not None:  # on the grid
        near(names["plan"][rows, columns], plans["sinkhorn"], "noisy Sinkhorn")


#: What is computed by hand, against a view's tables.
COMPARE: dict[str, Callable[[dict[str, Any], Tables], None]] = {
    "geolocation.person": one_person,
    "geolocation.crowd": crowd,
    "geolocation.worst-case": worst_cells,
    "mixture.line": divergences("line-numbers"),
    "mixture.plane": divergences("plane-numbers"),
    "mixture.sphere": caps,
    "movies.user": one_user,
    "movies.everyone": everyone,
    "metric.ask": question,
    "metric.crowd": crowd_by_distance,
    "metric.pays": pays,
    "metric.linear": linear,
    "sinkhorn.release": two_sets,
}


#: The same from public names.
BY_HAND: dict[str, Callable[[Any], str]] = {
    "geolocation": geolocation_by_hand.snippet,
    "mixture": mixture_by_hand.snippet,
    "movies": movies_by_hand.snippet,
    "sinkhorn": sinkhorn_by_hand.snippet,
    "metric.ask": metric_by_hand.ask_snippet,
    "metric.crowd": metric_by_hand.crowd_snippet,
    "metric.pays": metric_by_hand.pays_snippet,
    "metric.linear": metric_by_hand.linear_snippet,
}


@pytest.mark.nightly
@pytest.mark.parametrize("key", COMPARE)
def test_public_names_give_the_numbers_of_the_tables(key: str) -> None:
    by_hand = BY_HAND.get(key) or BY_HAND[key.split(".")[0]]
    for config in settings_of(key):
        COMPARE[key](names_of(by_hand(config)), run(key, config).tables())


# --- data of one's own, and data sets that are not here -----------------------------------------------------


def csv() -> bytes:
    few = datasets.simulated_city(30)
    rows = pd.DataFrame({"user": [few.labels[i] for i in few.user], "lat": few.lat, "lon": few.lon})
    return rows.to_csv(index=False).encode()


def test_a_file_of_one_s_own_is_known_by_its_tag() -> None:
    files = by_tag([csv()])
    (tag,) = files
    config = geolocation.Config(source="csv", place=geolocation.Place(n=5, least=2))
    scenario = Scenario("geolocation.person", "mine", config, (("check-ins", tag),))
    assert scenarios.missing(scenario, {}) == {"check-ins": tag}
    with pytest.raises(ScenarioError, match=rf"data\.check-ins: the file is not here: its tag is {tag}$"):
        scenarios.run(scenario)
    with pytest.raises(ScenarioError, match="the file is not here"):
        scenarios.run(scenario, by_tag([csv() + b"\n"]))
    city = make_city(datasets.read_checkins_csv(csv()), config.place)
    page = geolocation_person(city, config)
    assert scenarios.run(scenario, files).results.parts[0].kilometres == page.kilometres
    assert scenarios.describe_data(VIEWS["geolocation.person"], config, {"check-ins": tag}) == scenario.data
    with pytest.raises(ScenarioError, match=r"data\.check-ins: missing: the tag"):
        Scenario("geolocation.person", "mine", config)
    with pytest.raises(ScenarioError, match=r"data\.other: these settings read no such file"):
        Scenario("geolocation.person", "mine", config, (*scenario.data, ("other", tag)))


def test_titles_of_films_may_be_left_out() -> None:
    ratings = datasets.simulated_films(40, 60)
    rows = [f"{u},{f},{s:g}" for u, f, s in zip(ratings.user, ratings.film, ratings.stars, strict=True)]
    files = by_tag(["\n".join(["user,film,rating", *rows]).encode()])
    config = movies.Config(source="csv", split=Split(candidates=10, dimensions=4))
    scenario = Scenario("movies.user", "mine", config, (("ratings", next(iter(files))),))
    assert scenarios.run(scenario, files).headlines
    with pytest.raises(ScenarioError, match=r"user: must be a test user of these data; got 'nobody'"):
        scenarios.run(Scenario("movies.user", "", scenarios.put(config, "user", "nobody"), scenario.data), files)


@pytest.mark.usefixtures("folders")
def test_a_data_set_that_is_not_here_or_another_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    config = geolocation.Config(source="gowalla-austin", place=geolocation.Place(around=True))
    scenario = Scenario("geolocation.person", "Austin", config, (("gowalla-austin", "ab" * 32),))
    row = datasets.DATASETS["gowalla-austin"]

    def absent() -> datasets.CheckIns:
        raise datasets.DatasetMissing("Gowalla has to be downloaded first")

    monkeypatch.setitem(datasets.DATASETS, "gowalla-austin", replace(row, load=absent))
    with pytest.raises(ScenarioError, match="data: the data set is not on this machine: Gowalla"):
        scenarios.run(scenario)
    another = replace(row, load=lambda: datasets.simulated_city(30))
    monkeypatch.setitem(datasets.DATASETS, "gowalla-austin", another)
    with pytest.raises(ScenarioError, match=r"has the digest .*; the scenario names abab"):
        scenarios.run(scenario)
    # Settings changed by hand: what is said to be written is what is to be written.
    changed = Scenario("geolocation.person", "Austin", config)
    with pytest.raises(ScenarioError, match="the scenario names none; if this is the one that you mean") as problem:
        scenarios.run(changed)
    line = str(problem.value).split("`")[1]
    (found,) = scenarios.read(f"{scenarios.write([changed])}  {line}\n")
    assert dict(found.data) == {"gowalla-austin": another.load().digest} and scenarios.run(found).headlines
    simulated = replace(found, config=replace(config, source="simulated"))
    with pytest.raises(ScenarioError, match="no such data set is read on this machine: leave its line out"):
        scenarios.run(simulated)


def test_gowalla_runs_by_name_and_digest(real_data: Callable[[str], Path]) -> None:
    real_data("gowalla/austin_counts.csv.gz")
    config = geolocation.Config(
        source="gowalla-austin", place=geolocation.Place(n=6, box=datasets.BOXES["gowalla-austin"])
    )
    data = scenarios.describe_data(VIEWS["geolocation.person"], config, {})
    scenario = Scenario("geolocation.person", "Austin", config, data)
    assert [key for key, _ in data] == ["gowalla-austin"]
    (back,) = scenarios.read(scenarios.write([scenario]))
    assert back == scenario and scenarios.run(back).headlines


@pytest.mark.nightly
@pytest.mark.parametrize("key", VIEWS)
def test_headline_means_are_the_means_of_their_runs(key: str) -> None:
    """The columns of a sweep: one for each number."""
    outcome = outcome_of(key)
    for name, values in outcome.scenario.view.runs(*outcome.results.parts).items():
        assert outcome.headlines[name] == values.mean()
    assert len({short(name) for name in outcome.headlines}) == len(outcome.headlines)
