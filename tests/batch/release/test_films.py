"""One film each, for real: what is drawn keeps its promise, over a catalogue that is public."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import numpy as np
import pytest

import dpot_core as dpot
from dpot_app.batch import scenarios
from dpot_app.batch.release.films import DRY_PEOPLE, OneFilmEach, one_film_each
from dpot_app.batch.release.ledger import Ledger
from dpot_app.batch.tags import tag_of
from dpot_app.command_line import DONE, UNUSABLE, main
from dpot_app.films.catalogue import Split
from dpot_app.films.releases import MECHANISMS
from dpot_app.views.movies.data import films_of
from dpot_app.views.movies.settings import BASES, Config
from dpot_core.privacy.disclosures import short_name
from tests.batch.release import test_places
from tests.batch.release.exactness import weights_within

SMALL = {"split": Split(dimensions=4, candidates=9), "epsilon": 1.0, "own": "Comedy 9"}
TITLES = [films.ratings.films[film] for films in [films_of(Config(**SMALL), {})] for film in films.inputs]
Stars = dict[str, dict[str, float]]

ONE: Stars = {"ann": {TITLES[0]: 5.0}, "ben": {TITLES[1]: 0.5, TITLES[7]: 4.0}}
OTHER: Stars = {"zoe": {title: 3.0 for title in TITLES[5:25]}, "yan": {"No such film": 1.0}, "xav": {TITLES[3]: 5.0}}


def file_of(stars: Stars) -> bytes:
    text = io.StringIO()
    rows = [[user, title, given] for user, films in stars.items() for title, given in films.items()]
    csv.writer(text, lineterminator="\n").writerows([["user", "film", "rating"], *rows])
    return text.getvalue().encode()


def prepared(stars: Stars, name: str = "wpm", **settings: object) -> OneFilmEach:
    config = Config(**{**SMALL, **settings})
    data = (("ratings", tag_of(file_of(stars))),) if config.source == "csv" else ()
    scenario = scenarios.Scenario("movies.user", "one film each", config, data, "", short_name(MECHANISMS[name]))
    return one_film_each(scenario, file_of(stars))


@pytest.mark.parametrize(
    ("name", "base"), [*((name, "rule") for name in MECHANISMS), *(("wpm", base) for base in BASES if base != "rule")]
)
def test_a_released_film_is_as_likely_but_for_e_epsilon_for_all_ratings(name: str, base: str) -> None:
    """Exact: whole numbers over one total, from files that share nothing but the public catalogue."""
    people = [one for stars in (ONE, OTHER) for one in prepared(stars, name, base=base).outputs()]
    drawn = weights_within(1.0, people)
    assert drawn[0] != drawn[2], "and the ratings count"


@pytest.mark.parametrize("name", MECHANISMS)
def test_the_outputs_are_those_of_the_page(name: str) -> None:
    from dpot_app.views.movies.user.results import OWN, one_user

    made = prepared(ONE, name)
    places = {title: int(film) for title, film in zip(TITLES, made.films.inputs, strict=True)}
    profile = tuple((places[title], given) for title, given in ONE["ben"].items())
    shown = one_user(made.films, Config(**SMALL, user=OWN, profile=profile)).outputs[name]
    np.testing.assert_allclose([nu for _, nu in made.outputs()][1], shown, atol=1e-12)


def test_a_person_s_release_does_not_depend_on_the_others() -> None:
    alone = next(nu for _, nu in prepared({"ben": ONE["ben"]}).outputs())
    among = prepared({**OTHER, **{f"p{number}": {TITLES[number]: 2.0} for number in range(45)}, **ONE})
    assert [nu for _, nu in among.outputs()][among.people.index("ben")] == pytest.approx(alone, abs=1e-12)


def test_one_who_rated_no_film_of_the_catalogue_takes_part_like_one_who_rated_all_alike() -> None:
    made = prepared({**OTHER, "all": {title: 2.0 for title in TITLES}})
    outputs = dict(zip(made.people, (nu for _, nu in made.outputs()), strict=True))
    assert outputs["yan"] == pytest.approx(outputs["all"], abs=1e-12)
    table = made.drawn(named=True)
    assert list(table["person"]) == ["zoe", "yan", "xav", "all"]
    assert set(table["film"]) <= {made.films.ratings.films[film] for film in made.films.candidates}


def test_titles_are_known_in_any_case() -> None:
    shouted = {"ann": {TITLES[0].upper(): 5.0}, "ben": ONE["ben"]}
    for (_, one), (_, other) in zip(prepared(ONE).outputs(), prepared(shouted).outputs(), strict=True):
        assert (one == other).all()


def test_private_or_missing_catalogues_are_refused() -> None:
    with pytest.raises(scenarios.ScenarioError, match="the catalogue must be public"):
        prepared(ONE, source="csv")
    with pytest.raises(ValueError, match="no film of the file is one of the catalogue, whose titles are"):
        prepared({"ann": {"17": 5.0}, "ben": {"18": 1.0}})


@pytest.mark.parametrize("kind", ["movies.everyone", "movies.adversary"])
def test_views_of_other_mechanisms_or_many_releases_are_not_released(kind: str, tmp_path: Path, capsys) -> None:
    """Everyone chooses another mass at each epsilon: what is released would not be what it shows."""
    file = tmp_path / "asked.yaml"
    file.write_text(scenarios.write([scenarios.Scenario(kind, "many", Config(**SMALL))]), encoding="utf-8")
    assert main(["release", str(file), "--dry-run", "--out", str(tmp_path / "out.csv")]) == UNUSABLE
    assert f"this is {kind}" in capsys.readouterr().err and not (tmp_path / "out.csv").exists()


@pytest.mark.nightly
@pytest.mark.parametrize("name", ["wpm", "kpm", "em"])
def test_an_audit_of_a_hundred_thousand_releases_finds_no_more_than_is_promised(name: str) -> None:
    films = prepared(ONE).films
    numbers = {films.ratings.films[film]: place for place, film in enumerate(films.candidates)}

    def releases(stars: dict[str, float], n: int, _: np.random.Generator) -> np.ndarray:
        drawn = prepared({f"p{number}": stars for number in range(n)}, name).drawn(named=True)
        return drawn["film"].map(numbers).to_numpy()

    found = dpot.audit(releases, [(ONE["ann"], OTHER["xav"])], 100_000, np.random.default_rng(1))
    assert 0.0 <= found <= 1.0


# --- the command ------------------------------------------------------------------------------------------------


def rows(file: Path) -> list[dict[str, str]]:
    return [*csv.DictReader(io.StringIO(file.read_text(encoding="utf-8-sig")))]


def test_the_walk_from_ratings_to_films_and_one_ledger_for_films_and_places(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("DPOT_LEDGER", str(tmp_path / "ledger.db"))
    (tmp_path / "ratings.csv").write_bytes(file_of(ONE))
    scenario = scenarios.Scenario("movies.user", "one film each", Config(**SMALL))
    (tmp_path / "films.yaml").write_text(scenarios.write([scenario]), encoding="utf-8")

    def release(*more: str, out: str) -> int:
        return main(["release", str(tmp_path / "films.yaml"), "--out", str(tmp_path / out), *more])

    data = ("--data", str(tmp_path / "ratings.csv"))
    assert release("--dry-run", out="dry.csv") == DONE
    assert len(rows(tmp_path / "dry.csv")) == DRY_PEOPLE and not Ledger.usual().file.exists()
    assert release("--dry-run", *data, out="none.csv") == UNUSABLE and "nothing here reads" in capsys.readouterr().err
    assert release("--total", "2.5", out="films.csv") == UNUSABLE
    assert "must be one file, the ratings of those who release" in capsys.readouterr().err
    assert release(*data, "--total", "2.5", out="films.csv") == DONE
    assert "2 films, ε = 1 for each person; total ε = 2.5" in capsys.readouterr().out
    assert [sorted(row) for row in rows(tmp_path / "films.csv")] == [["film", "genres"]] * 2
    said = json.loads((tmp_path / "films.csv.json").read_text(encoding="utf-8"))
    assert said["epsilon"] == 1.0 and said["what"] == "one film each by WPM" and "sha256 of the films" in said
    # The same people release places: what is about a person adds up, whatever it is.
    places = test_places.file_of({"ann": [test_places.CORNER], "dan": [test_places.OTHER]})
    (tmp_path / "places.csv").write_bytes(places)
    (tmp_path / "places.yaml").write_text(scenarios.write([test_places.scenario(places)]), encoding="utf-8")
    given = ["release", str(tmp_path / "places.yaml"), "--data", str(tmp_path / "places.csv")]
    assert main([*given, "--out", str(tmp_path / "places1.csv")]) == DONE
    assert release(*data, out="again.csv") == UNUSABLE
    assert "1 person of 2 would be beyond the total" in capsys.readouterr().err
