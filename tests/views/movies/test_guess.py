"""The best guess of the one film that a user has rated: by hand, against what epsilon allows, for every order."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

import dpot_core as dpot
from dpot_app.films.catalogue import Films, Split
from dpot_app.films.releases import MECHANISMS, make_base, make_releases
from dpot_app.kit.blocks import pictures
from dpot_app.kit.fields import ORDERS
from dpot_app.views.movies import PAGE
from dpot_app.views.movies.data import films_of
from dpot_app.views.movies.guess.results import believed, film_guesses
from dpot_app.views.movies.settings import Config
from dpot_app.views.movies.worst_case.results import bracket, nearest_outputs, released_from_films
from tests.batch.scenarios.outcomes import with_short_curves

VIEW = PAGE.view("movies.guess")
SMALL = Config(split=Split(candidates=12, dimensions=4), mechanisms=tuple(MECHANISMS), epsilon=1.5, reg=None)


@pytest.fixture(scope="module", autouse=True)
def short() -> Iterator[None]:
    with with_short_curves():
        yield


@pytest.fixture(scope="module")
def films() -> Films:
    return films_of(SMALL, {})


@pytest.mark.parametrize("reg", [None, 0.05])
@pytest.mark.parametrize("p", [1.0, 2.0, 4.0])
def test_a_profile_of_one_film_releases_the_same_as_on_the_page(films: Films, p: float, reg: float | None) -> None:
    here, one = films.of_order(p), np.eye(len(films.inputs))[films.placed]
    kernels = make_releases(here, make_base(here, "prior", 1.5), 1.5, reg)
    for name, kernel in kernels.items():
        rows = released_from_films(here, "prior", reg, name, 1.5)
        np.testing.assert_allclose(rows, np.vstack([kernel(mu[None, :]) for mu in one]), atol=1e-9, err_msg=name)
    wpm = released_from_films(here, "prior", reg, "wpm", 1.5)
    assert dpot.Polytope(make_base(here, "prior", 1.5), 1.5).contains(wpm).all()


@pytest.mark.parametrize("p", ORDERS)
def test_no_output_of_the_polytope_is_nearer_to_one_film(films: Films, p: float) -> None:
    cost = films.of_order(p).cost[:40]
    for base in ("rule", "prior", "minimax-placed"):
        polytope = dpot.Polytope(make_base(films.of_order(p), base, 2.0), 2.0)
        found = (nearest_outputs(cost, polytope) * cost).sum(axis=1)
        np.testing.assert_allclose(
            found ** (1 / p), dpot.worst_case_wasserstein(cost, polytope, p).per_input, rtol=1e-9
        )


@pytest.mark.parametrize("belief", ["uniform", "rated"])
def test_chances_are_those_of_guessing_output_by_output(films: Films, belief: str) -> None:
    config = replace(SMALL, belief=belief)
    found = film_guesses(films, config)
    assert found.prior.sum() == pytest.approx(1.0) and (np.ptp(found.prior) > 1e-3) == (belief == "rated")
    for name, now in found.now.items():
        rows = released_from_films(films, config.base, None, name, 1.5)
        right = sum(max(found.prior * rows[:, output]) for output in range(rows.shape[1]))
        assert now.right == pytest.approx(right, rel=1e-9)
        allowed = dpot.Guarantee(1.5).posterior(found.without)
        assert found.without - 1e-12 <= now.right <= allowed * (1 + 1e-9)
        single = bracket(films, config.base, None, name, 1.5).at_least
        assert now.distance == pytest.approx(single, rel=1e-6), name
        assert now.distance <= bracket(films, config.base, None, name, 1.5).at_most * (1 + 1e-9)


def test_a_film_is_as_likely_as_validation_users_rated_it(films: Films) -> None:
    stars = films.ratings.matrix[np.ix_(films.validation, films.inputs[films.placed])]
    counts = (stars > 0).sum(axis=0)
    np.testing.assert_allclose(believed(films, "rated"), counts / counts.sum())


def test_words_titles_and_link_name_the_film_and_the_mechanism_as_the_page_does() -> None:
    results = VIEW.run(replace(SMALL, belief="rated"))
    *_, said = VIEW.show(replace(SMALL, belief="rated"), *results.parts)
    assert isinstance(said, str) and said.startswith("The user has rated one film only, drawn from the prior.")
    assert "Prior: like the validation users' ratings" in said
    first, second = pictures(VIEW.show(SMALL, *results.parts))
    assert "best guess of the film" in first.draw().layout.title.text
    assert "in cosine distance" in second.draw().layout.title.text
    assert "Best guess right after Genre KPM (share)" in VIEW.headlines(*results.parts)
    assert VIEW.parameters(replace(SMALL, belief="rated"))["view"] == "guess"
