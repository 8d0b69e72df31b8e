"""Epsilon chosen by the data of a file: who has enough, what it costs whom, and that only their own data count."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from dpot_app.batch import scenarios
from dpot_app.batch.release.choice import EpsilonForAll, epsilon_for_all
from dpot_app.batch.release.ledger import Ledger
from dpot_app.batch.release.places import outputs
from dpot_app.cities.city import make_public
from dpot_app.cities.place import Place
from dpot_app.command_line import DONE, UNUSABLE, main
from dpot_app.kit.fields import EPSILONS
from dpot_app.views.geolocation.base import make_base
from dpot_app.views.geolocation.gets.results import _to_own, have_enough
from dpot_app.views.geolocation.settings import Config
from dpot_core.privacy.numerals import percent
from tests.batch.release.test_places import BOX, MIDDLE, OTHER, Visits, file_of, release, rows, scenario

__all__ = ["folder"]
from tests.batch.release.test_places import folder

PEOPLE: Visits = {f"p{number}": [MIDDLE] * (number % 3) + [OTHER] for number in range(12)}


def asked(content: bytes, **settings: object) -> scenarios.Scenario:
    return replace(scenario(content, **settings), kind="geolocation.gets")


def prepared(visits: Visits = PEOPLE, **settings: object) -> EpsilonForAll:
    content = file_of(visits)
    return epsilon_for_all(asked(content, **settings), {"check-ins": content})


def test_people_who_have_enough_are_counted_by_hand() -> None:
    made = prepared(epsilon=3.0)
    city = made.each.city
    public = make_public(city, make_base(city, "best-uniform", 3.0), 3.0, made.each.scenario.config.reg)
    found = have_enough(city, public, made.each.mechanism, 3.0)
    for number, (_, nu) in enumerate(outputs(city, public, made.each.mechanism)):
        near = _to_own(city, city.histogram(number)) <= 3.0 + 1e-9
        assert found[number] == (nu[near].sum() >= 0.9 - 1e-9)


def test_whether_a_person_has_enough_depends_on_no_one_else() -> None:
    alone, among = prepared({"a": [MIDDLE, OTHER]}), prepared({**PEOPLE, "a": [MIDDLE, OTHER]})
    for epsilon in EPSILONS:
        found = []
        for made in (alone, among):
            city = made.each.city
            public = make_public(city, make_base(city, "best-uniform", epsilon), epsilon, 0.01)
            found.append(have_enough(city, public, "wpm", 3.0)[city.check_ins.labels.index("a")])
        assert found[0] == found[1], epsilon


def test_a_costly_choice_is_the_epsilon_that_serves_as_many_as_are_wanted() -> None:
    made = prepared(spent=20.0, enough=100.0, beyond=4.0, reg=None)
    city = made.each.city
    counts = [
        have_enough(city, make_public(city, make_base(city, "best-uniform", at), at, None), "wpm", 4.0).sum()
        for at in EPSILONS
    ]
    assert counts[0] < 12 and counts[-1] == 12
    best = {at for at, count in zip(EPSILONS, counts, strict=True) if count == 12}
    drawn = [made.drawn(False)["epsilon"][0] for _ in range(5)]
    assert len(set(drawn) & best) >= 1 and made.drawn(False)["within km"][0] == 4.0


def test_the_choice_is_charged_to_each_person_and_adds_to_the_release(folder: Path, capsys) -> None:
    content = (folder / "customers.csv").read_bytes()
    near = asked(content, spent=0.5, enough=50.0, reg=None)
    (folder / "near.yaml").write_text(scenarios.write([near]), encoding="utf-8")
    assert main(["release", str(folder / "near.yaml"), "--dry-run", "--out", str(folder / "dry.csv")]) == DONE
    assert rows(folder / "dry.csv")[0]["simulated"] == "True" and not Ledger.usual().file.exists()
    call = ["release", str(folder / "near.yaml"), "--data", str(folder / "customers.csv")]
    assert main([*call, "--out", str(folder / "epsilon.csv"), "--total", "1.5"]) == DONE
    assert "1 choice of ε, ε = 0.5 for each person" in capsys.readouterr().out
    (row,) = rows(folder / "epsilon.csv")
    assert float(row["epsilon"]) in EPSILONS and row["share of people (%)"] == "50.0"
    said = json.loads((folder / "epsilon.csv.json").read_text(encoding="utf-8"))
    assert said["epsilon"] == 0.5 and said["neighbours"] == "replace" and said["people"] == 3
    assert any("values of ε to choose from" in one for one in said["public"])
    # Places at ε = 1: the sum is the total; another choice is beyond it.
    assert release(folder) == DONE
    assert main([*call, "--out", str(folder / "again.csv")]) == UNUSABLE
    assert "beyond the total of ε = 1.5" in capsys.readouterr().err and not (folder / "again.csv").exists()
    assert main([*call, "--names", "--out", str(folder / "named.csv")]) == UNUSABLE


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"place": Place(n=5, least=1)}, "the map must be public"),
        ({"place": Place(n=64, least=1, box=BOX)}, "at most 40 for this view"),
        ({"mechanisms": ("mollifier",), "base": "minimax", "place": Place(n=5, least=1, box=BOX)}, "has no output"),
        ({"base": "prior", "place": Place(n=5, least=1, box=BOX, held_out=True)}, "costs their privacy"),
    ],
)
def test_settings_that_are_not_public_are_refused(settings: dict[str, object], words: str) -> None:
    with pytest.raises(scenarios.ScenarioError, match=words):
        prepared(**settings)


def test_the_error_that_is_said_is_that_of_the_choice() -> None:
    table = prepared(spent=1.0).drawn(False)
    (off,) = (table[name][0] for name in table if "farther from it" in str(name))
    assert off == int(np.ceil(2.0 * np.log(len(EPSILONS) / 0.05))) and percent(0.95) in str([*table])
    assert Config().spent == 0.5
