"""The movies page as a program (Streamlit's AppTest: no browser): views, data of one's own, the download."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

import numpy as np
import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from dpot_app.batch.tags import tagged
from dpot_app.films.catalogue import Split, make_films
from dpot_app.films.profiles import fan_genres
from dpot_app.kit.cache import CACHE
from dpot_app.views.movies import PAGE
from dpot_app.views.movies.settings import Config
from dpot_app.views.movies.user.text import VIEW
from dpot_core import datasets
from dpot_core.datasets import movielens, simulated_films
from dpot_core.privacy.numerals import percent
from tests.apps import APP, figures, html_of, in_names, specs, text_of, titles
from tests.batch.scenarios.outcomes import few_masses, shorten_sweeps
from tests.datasets.test_movielens import GENRES, archive
from tests.views.movies import by_hand

NASTY = "<img src=x onerror=alert(1)>"


def open_page(parameters: Mapping[str, str | list[str]] | None = None) -> AppTest:
    app = AppTest.from_file(APP, default_timeout=600)
    app.query_params.update(parameters or {})
    app.switch_page("pages/movies.py").run()
    assert not app.exception, [entry.value for entry in app.exception]
    return app


def csv(n_users: int = 40, n_films: int = 60, label: str = "film") -> tuple[bytes, bytes]:
    data = simulated_films(n_users, n_films)
    rows = [f"{u},{f},{s:g}" for u, f, s in zip(data.user, data.film, data.stars, strict=True)]
    about = [f'{f},"{label} {f}",{data.genres_of(f).replace(", ", "|")}' for f in range(n_films)]
    return "\n".join(["user,film,rating", *rows]).encode(), "\n".join(["film,title,genres", *about]).encode()


def with_csv(content: bytes, films: bytes | None = None) -> AppTest:
    app = open_page({"movies_data": "My CSV files"})
    app.sidebar.file_uploader(key="movies_ratings_file").set_value(("mine.csv", content, "text/csv")).run()
    if films is not None:
        app.sidebar.file_uploader(key="movies_films_file").set_value(("films.csv", films, "text/csv")).run()
    assert not app.exception, [entry.value for entry in app.exception]
    return app


# --- views ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("view", "count"), [("One user", 7), ("Everyone", 1), ("What the adversary learns", 2)])
def test_every_view_draws_without_complaint_on_simulated_films(
    view: str, count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    shorten_sweeps(monkeypatch)
    few_masses(monkeypatch)
    app = open_page({"movies_view": view})
    assert not app.warning and not app.error
    assert figures(app) == count
    charts = [title for title in titles(app) if "rated" not in title and "Ten indep" not in title][:count]
    assert all("simulated" in title for title in charts), charts
    assert "Simulated data" in text_of(app) and "in [0, 2]" in text_of(app)
    strips = [body for body in html_of(app)]
    assert any("learned from 320 other users" in strip and "ten releases cost 10 ε" in strip for strip in strips)
    if view == "Everyone":  # the most liked film is said where it beats WPM
        assert "the same most liked film for all (ε = 0) beats WPM" in titles(app)[0]
        assert "10 ε in all" in text_of(app)


@pytest.mark.parametrize(
    "parameters",
    [
        {"movies_epsilon": "0.05", "movies_lambda": "exact", "movies_base": "Minimax"},
        {"movies_epsilon": "10", "movies_lambda": "0.003", "movies_base": "Public prior", "movies_user": "10000"},
        {"movies_dimensions": "2", "movies_candidates": "10", "movies_centred": "true", "movies_split": "99"},
        {"movies_view": "What the adversary learns", "movies_user": "1", "movies_other": "1"},
        {"movies_list": "k-RR", "movies_draw": "9999"},
    ],
    ids=str,
)
def test_the_ends_of_every_control_work(parameters: dict[str, str]) -> None:
    app = open_page(parameters)
    assert not app.warning and not app.error
    assert figures(app) >= 2


@pytest.mark.nightly
def test_another_user_by_number_and_by_name_changes_the_picture() -> None:
    app = open_page()
    before = titles(app)
    app.number_input(key="movies_user").set_value(3).run()
    assert titles(app) != before
    names = app.selectbox(key="movies_user_search").options
    app.selectbox(key="movies_user_search").set_value(names[9]).run()
    assert not app.exception
    assert app.number_input(key="movies_user").value == 10
    assert titles(app) == before


def test_a_base_measure_of_one_s_own_is_given_by_genre() -> None:
    app = open_page({"movies_base": "My own", "movies_own": "Comedy 99"})
    assert not app.warning and not app.error
    assert "My own" in text_of(app), "with its worst case, beside those of other base measures"
    before = titles(app)
    app.text_area(key="movies_own_text").set_value("War 99").run()
    assert not app.exception and titles(app) != before
    app.text_area(key="movies_own_text").set_value("Western 1").run()
    assert any("There is no genre" in error.value for error in app.error)


def test_an_own_profile_is_asked_for_and_stays_out_of_the_link() -> None:
    app = open_page({"movies_own": "true"})
    assert "at least one film marked input" in app.info[0].value and figures(app) == 0
    films = make_films(simulated_films(), Split())
    key = f"movies_profile_{tagged(films.ratings.digest, 'ratings')}"
    app.session_state[key] = {int(films.inputs[0]): 5.0, int(films.candidates[0]): 4.0}
    app.run()
    assert not app.exception and figures(app) == 7
    assert "my own profile\\) rated 2 films" in text_of(app)
    link = take_away(app)
    assert "movies_own=true" in link and "profile" not in link


@pytest.mark.nightly
@pytest.mark.parametrize("place", [0, 1, 2])
def test_ready_made_profiles_are_made_from_films_that_are_named(place: int) -> None:
    films = make_films(simulated_films(), Split())
    names = list(fan_genres(films))
    assert len(names) == 3
    genre = fan_genres(films)[names[place]]
    app = open_page({"movies_who": f"Fan of {genre}"})
    assert not app.warning and not app.error and figures(app) == 7
    config = Config(user=names[place])
    (user, _) = VIEW.run(config).parts
    assert user.made and "invented: made from" in text_of(app)
    rated = [film for film in np.flatnonzero(user.stars) if film in films.inputs]
    assert len(rated) >= 5 and all(genre in films.ratings.genres_of(int(film)) for film in rated)
    assert all(films.ratings.films[film] in text_of(app).replace("\\", "") for film in rated)
    there: dict[str, Any] = {}
    exec(by_hand.snippet(config).split("# Everyone")[0], there)
    np.testing.assert_array_equal(there["stars"], user.stars)
    assert there["outputs"]["wpm"] == pytest.approx(user.outputs["wpm"], abs=1e-12)


def test_a_film_is_drawn_by_a_button_with_its_odds() -> None:
    app = open_page({"movies_draw": "7"})
    user = VIEW.run(Config(user=make_films(simulated_films(), Split()).names[9])).parts[0]
    for seed in (7, 8):
        (large,) = [spec for spec in specs(app) if "What WPM releases" in json.dumps(spec)]
        (star,) = [trace for trace in large["data"] if trace.get("name") == "drawn"]
        film = user.drawn(seed)["wpm"]
        assert user.films.ratings.films[film] in star["text"][0]
        assert percent(user.odds("wpm", film)) in star["text"][0]
        assert f"★ Draw {seed}, a demonstration with a seed, not a release" in text_of(app)
        app.button(key="movies_draw_next").click().run()
    assert app.number_input(key="movies_draw").value == 9


# A link that people may have: never change it, only add others.
OLD_LINK = (
    "movies_data=Simulated+catalogue&movies_epsilon=1&movies_base=Public+prior&movies_split=2&movies_dimensions=32"
    "&movies_candidates=100&movies_centred=true&movies_lambda=0.03&movies_view=One+user&movies_own=false&movies_user=4"
    "&movies_list=EM&movies_draw=7"
)


def take_away(app: AppTest) -> str:
    app.session_state["movies_away"] = True
    app.run()
    assert not app.exception
    return next(str(block.value) for block in app.code if "movies_epsilon" in block.value)


def test_the_maps_stand_side_by_side_and_the_large_one_is_the_mechanism_s_that_the_link_names() -> None:
    app = open_page({"movies_map": "EM"})
    names = [title.split(":")[0] for title in titles(app)[:4]]
    assert names == ["Profile", "WPM", "Genre KPM", "EM"]
    (large,) = [spec for spec in specs(app) if "What EM releases at ε = 2" in json.dumps(spec, ensure_ascii=False)]
    assert large["layout"]["annotations"][0]["text"] == "What EM releases at ε = 2"


@pytest.mark.nightly
def test_an_old_link_still_restores_everything() -> None:
    app = open_page(parse_qs(OLD_LINK))
    assert not app.warning
    link = take_away(app)
    assert parse_qs(link.split("?", 1)[1]) == in_names(parse_qs(OLD_LINK)) | {
        "movies_map": ["wpm"],
        "movies_p": ["2"],
        "movies_mechanisms": ["wpm", "kpm", "em"],
        "movies_with": ["wpm"],
        "movies_belief": ["uniform"],
    }
    films = make_films(simulated_films(), Split(seed=2, dimensions=32, centred=True, candidates=100))
    config = Config(source="simulated", split=films.split, base="prior", epsilon=1.0, reg=0.03, user=films.names[3])
    expected = VIEW.python(config, (PAGE.view("movies.worst"), config))
    assert expected.strip() in [block.value.strip() for block in app.code]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("movies_epsilon", "x"),
        ("movies_data", NASTY),
        ("movies_user", "0"),
        ("movies_lambda", "-1"),
        ("movies_view", ""),
    ],
)
def test_a_broken_parameter_falls_back_to_its_default_and_says_so(name: str, value: str) -> None:
    app = open_page({name: value})
    assert len(app.warning) == 1 and f"`{name}`" in app.warning[0].value
    assert figures(app) == 7


# --- data of one's own ----------------------------------------------------------------------------------


def test_ratings_of_one_s_own_with_titles_and_genres() -> None:
    app = with_csv(*csv(label=f"{NASTY} **bold** :red[x]"))
    assert not app.error and figures(app) == 7
    assert not any("simulated" in title for title in titles(app))
    assert "does not carry your files" in text_of(app)
    charts = [json.dumps(spec) for spec in specs(app)]
    assert not any("<img" in chart or "\\u003cimg" in chart for chart in charts)
    tables = [body for body in html_of(app)]
    assert any("&lt;img" in table for table in tables) and not any("<img" in table for table in tables)
    # HTML and titles of pictures know no Markdown; what does has it escaped.
    said = "\n".join(str(element.value) for element in [*app.markdown, *app.caption])
    assert "\\:\u2060red\\[x\\]" in said and "\\*\\*bold" in said
    assert ":red[" not in said and "**bold" not in said and not re.search(r"(?<!\\)<img", said)


def test_ratings_alone_will_do() -> None:
    app = with_csv(csv()[0])
    assert not app.error and figures(app) == 7
    assert "There are no genres" in text_of(app).replace("\\", "")


def test_without_a_file_the_page_asks_for_one() -> None:
    app = open_page({"movies_data": "My CSV files"})
    assert "not written to disk" in app.info[0].value and figures(app) == 0


def test_columns_of_other_names_are_asked_for() -> None:
    app = with_csv(csv()[0].replace(b"user,film,rating", b"wer,was,sterne"))
    assert "Choose the columns in the controls" in app.error[0].value and figures(app) == 0
    for role, column in (("user", "wer"), ("film", "was"), ("rating", "sterne")):
        next(box for box in app.sidebar.selectbox if box.label == role).set_value(column).run()
    assert not app.exception and not app.error and figures(app) == 7


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "empty"),
        (b"user,film,rating\na,1,6\n", "row 2, column 'rating'"),
        (f"user,film,rating\na,1,{NASTY}\n".encode(), "img src=x"),
        (b"user,film\na,1\n", "no column for rating"),
        (b"user,film,rating\na,1,4\nb,2,3\n", "two are needed"),
        (b"PK\x03\x04" + bytes(50), "the archive cannot be unpacked"),
    ],
    ids=lambda value: str(value)[:30],
)
def test_a_file_that_cannot_be_used_gets_a_sentence(content: bytes, message: str) -> None:
    app = with_csv(content)
    assert len(app.error) == 1 and figures(app) == 0
    assert message in app.error[0].value.replace("\\", "")
    assert "<img" not in app.error[0].value.replace("\\<", "")


# --- MovieLens ------------------------------------------------------------------------------------------


@pytest.fixture
def no_movielens(folders: tuple[Path, Path], nothing_loaded: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Neither the real data nor a cache on this machine."""
    monkeypatch.setattr("pooch.os_cache", lambda project: folders[0] / project)
    CACHE.clear()
    st.cache_resource.clear()
    yield
    CACHE.clear()
    st.cache_resource.clear()


def published() -> tuple[bytes, bytes]:
    """A stand-in for the publisher's zip with simulated ratings, and its u.data."""
    data = simulated_films(60, 80)
    rows = "".join(f"{u + 1}\t{f + 1}\t{s:g}\t0\n" for u, f, s in zip(data.user, data.film, data.stars, strict=True))
    items = "".join(f"{f + 1}|{title}||||0|1|0\n" for f, title in enumerate(data.films))
    assert GENRES.count(b"|") == 3
    return archive(rows.encode(), items.encode()), rows.encode()


def press_download(url: str, md5: str, monkeypatch: pytest.MonkeyPatch) -> AppTest:
    row = datasets.FILM_DATASETS["movielens-100k"]
    download = partial(movielens.download_movielens, url, md5=md5)
    patched = replace(row, download=lambda progress: download(progress=progress))
    monkeypatch.setitem(datasets.FILM_DATASETS, "movielens-100k", patched)
    app = open_page({"movies_data": "MovieLens 100K"})
    assert figures(app) == 0
    said = app.info[0].value.replace("\\", "")
    assert "5 MB" in said and "no redistribution" in said and "Research use only" in said and "Harper" in said
    app.button(key="movies_download").click().run()
    assert not app.exception
    return app


@pytest.mark.nightly
def test_movielens_is_downloaded_when_asked_for(
    no_movielens: None, serve: Callable[..., object], monkeypatch: pytest.MonkeyPatch
) -> None:
    file, rows = published()
    monkeypatch.setattr(movielens, "RATINGS_MD5", hashlib.md5(rows).hexdigest())
    server = serve((200, [file[i : i + 20_000] for i in range(0, len(file), 20_000)], {}))
    app = press_download(server.url, hashlib.md5(file).hexdigest(), monkeypatch)
    assert not app.error and not app.info
    assert figures(app) == 7
    assert not any("simulated" in title for title in titles(app))


@pytest.mark.parametrize(
    ("reply", "message"),
    [
        ((404, b"gone", {}), "404"),
        ((200, b"tampered", {}), "hash"),
        ((200, b"cut", {"Content-Length": "1000"}), "could not download"),
    ],
    ids=["404", "wrong checksum", "cut connection"],
)
def test_a_download_that_fails_says_so_and_can_be_tried_again(
    no_movielens: None,
    serve: Callable[..., object],
    monkeypatch: pytest.MonkeyPatch,
    reply: tuple[int, bytes, dict[str, str]],
    message: str,
) -> None:
    server = serve(reply)
    app = press_download(server.url, "0" * 32, monkeypatch)
    assert message in app.error[0].value.replace("\\", "")
    assert not datasets.cached_movielens().exists()
    app.run()
    assert app.button(key="movies_download").label == "Download 5 MB"


@pytest.mark.nightly
def test_movielens_shows_one_user(real_data: Callable[[str], Path]) -> None:
    real_data("ml-100k/u.data")
    app = open_page({"movies_data": "MovieLens 100K"})
    assert not app.error and not app.warning and figures(app) == 7
    assert "754 validation users, 189 test users" in text_of(app)
