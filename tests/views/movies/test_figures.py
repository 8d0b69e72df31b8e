"""The movies figures: the results' numbers, one scale, words that follow from them, titles that are no markup."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import numpy as np
import pandas as pd
import pytest

from dpot_app.figures.style import to_html
from dpot_app.films.catalogue import Films, Split, make_films
from dpot_app.films.releases import MECHANISMS, REFERENCES
from dpot_app.films.scores import mean_and_error
from dpot_app.views.movies.adversary.figures import largest_figure, ratio_figure
from dpot_app.views.movies.adversary.results import largest_ratio, two_users
from dpot_app.views.movies.adversary.text import show
from dpot_app.views.movies.everyone import results as everybody
from dpot_app.views.movies.everyone.figures import everyone_figure
from dpot_app.views.movies.everyone.results import CURVES, Everyone, everyone_at
from dpot_app.views.movies.everyone.text import summary
from dpot_app.views.movies.settings import Config
from dpot_app.views.movies.user.figures import (
    SHOWN,
    _colour_bar,
    film_map,
    liked_curve_figure,
    profile_map,
    small_film_map,
)
from dpot_app.views.movies.user.results import LikedCurve, OneUser, liked_curve, one_user
from dpot_core.datasets import simulated_films
from dpot_core.privacy.numerals import percent

CONFIG = Config(epsilon=3.0)
NASTY = "<img src=x onerror=alert(1)>"


@pytest.fixture(scope="module")
def films() -> Films:
    return make_films(simulated_films(100, 120), Split(dimensions=8))


@pytest.fixture(scope="module")
def user(films: Films) -> OneUser:
    return one_user(films, CONFIG)


@pytest.fixture(scope="module")
def curve(films: Films) -> LikedCurve:
    return liked_curve(films, CONFIG)


@pytest.fixture(scope="module")
def everyone(films: Films) -> Everyone:
    return everybody.everyone(films, [everyone_at(films, e, 0.01) for e in (0.5, 3.0)])


def test_maps_share_one_scale_and_draw_every_candidate_once(user: OneUser, curve: LikedCurve) -> None:
    maps = [film_map(user, name, curve, CONFIG.epsilon) for name in SHOWN]
    profile = profile_map(user, curve)
    assert len({(m.layout.coloraxis.cmin, m.layout.coloraxis.cmax) for m in maps}) == 1
    highest = max(user.outputs[name].max() for name in SHOWN)
    assert highest <= 10 ** maps[0].layout.coloraxis.cmax
    highest = max(highest, *(curve.reach[name][1] for name in SHOWN))
    assert maps[0].layout.coloraxis.cmax == pytest.approx(np.log10(highest))
    for name, figure in zip(SHOWN, maps, strict=True):
        rated, plain, liked, _names = figure.data
        assert len(rated.x) == (user.mu > 0).sum() and len(liked.x) == user.liked.sum()
        drawn = np.sort(10 ** np.concatenate([plain.marker.color, liked.marker.color]))
        low = 10 ** maps[0].layout.coloraxis.cmin
        np.testing.assert_allclose(drawn, np.maximum(np.sort(user.outputs[name]), low))
        assert (
            f"WPM recommends a film the user likes {percent(user.hits['wpm'])} of the time" in figure.layout.title.text
        )
        assert figure.layout.annotations[0].text == f"What {MECHANISMS[name]} releases at ε = 3"
        small = small_film_map(user, name, curve)
        np.testing.assert_array_equal(small.data[0].marker.color, plain.marker.color)
        np.testing.assert_array_equal(small.data[1].marker.color, liked.marker.color)
        assert small.layout.title.text.startswith(f"{MECHANISMS[name]}: {percent(user.hits[name])} liked")
        ranges = [(one.layout.xaxis.range, one.layout.yaxis.range, one.layout.height) for one in (small, profile)]
        assert ranges[0] == ranges[1] and small.layout.coloraxis.cmax == maps[0].layout.coloraxis.cmax
    assert len(profile.data[0].x) == (user.mu > 0).sum() and len(profile.data[1].x) == user.liked.sum()
    assert (
        f"Profile: {(user.mu > 0).sum()} train films of {(user.stars > 0).sum()} films rated"
        in profile.layout.title.text
    )


def test_the_title_of_the_map_names_what_is_shown_only(user: OneUser, curve: LikedCurve) -> None:
    alone = replace(user, config=replace(user.config, mechanisms=("em",)))
    said = film_map(alone, "em", curve, CONFIG.epsilon).layout.title.text
    assert said.startswith(f"EM recommends a film the user likes {percent(user.hits['em'])} of the time")
    assert not any(MECHANISMS[name] in said for name in ("wpm", "kpm", "krr"))
    assert "Genre KPM" in film_map(alone, "kpm", curve, CONFIG.epsilon).layout.title.text, "what is large is shown"


def test_the_titles_on_the_map_are_those_of_the_likeliest_films_and_do_not_cover_each_other(
    user: OneUser, curve: LikedCurve
) -> None:
    figure = film_map(user, "wpm", curve, CONFIG.epsilon)
    names = figure.data[-1]
    likeliest = user.films.candidates[np.argsort(-user.outputs["wpm"], kind="stable")[:8]]
    titles = [user.films.ratings.films[film] for film in likeliest]
    assert names.text[0] == titles[0] and set(names.text) <= set(titles) and len(names.text) > 1
    width, height = (np.subtract(*axis.range[::-1]) for axis in (figure.layout.xaxis, figure.layout.yaxis))
    for i, j in combinations(range(len(names.text)), 2):
        assert abs(names.x[i] - names.x[j]) > 0.2 * width or abs(names.y[i] - names.y[j]) > 0.04 * height


@pytest.mark.nightly
def test_the_curve_of_everyone_draws_means_and_standard_errors(everyone: Everyone) -> None:
    figure = everyone_figure(everyone, 3.0)
    for name, trace in zip(CURVES, figure.data, strict=False):
        scores = [mean_and_error(point.hits[name]) for point in everyone.points]
        np.testing.assert_allclose(trace.y, [mean for mean, _ in scores])
        np.testing.assert_allclose(trace.error_y.array, [error for _, error in scores])
    assert {trace.name for trace in figure.data} >= set(REFERENCES.values())
    rows = summary(everyone)
    mean, error = mean_and_error(everyone.points[0].hits["wpm"])
    shown = [float(part.rstrip("%")) / 100 for part in rows[0][1].split(" ± ")]
    assert shown == pytest.approx([mean, error], abs=0.051 * error), "no digit behind the error's second"
    assert [row[0] for row in rows[-2:]] == ["mass chosen, Genre KPM", "mass chosen, Genre KPM, public prior"]


def test_the_title_says_what_the_numbers_say(everyone: Everyone) -> None:
    point, one = everyone.points[1], np.ones(20)
    rng = np.random.default_rng(0)

    def with_lead(lead: float, popular: float) -> str:
        hits = point.hits | {"wpm": (0.3 + lead) * one + 0.01 * rng.normal(size=20), "kpm": 0.3 * one, "em": 0.3 * one}
        made = replace(
            everyone,
            points=(replace(point, hits=hits),),
            references={name: popular * one for name in REFERENCES},
        )
        return str(everyone_figure(made, 3.0).layout.title.text)

    won = "WPM beats Genre KPM and EM at every ε shown (by more than 2 paired s.e.) (simulated)"
    assert with_lead(0.2, 0.1).replace("<br>", " ").startswith(won)
    # The same measure for all: WPM may be behind the most liked film by less, which a reader sees in the picture.
    assert (
        "the same most liked film for all (ε = 0) beats WPM at every ε shown (each by more than 2 paired s.e.)"
        in with_lead(0.2, 0.9)
    )
    lost = "Genre KPM beats WPM at every ε shown; EM beats WPM at every ε shown"
    assert lost in with_lead(-0.2, 0.1).replace("<br>", " ")
    even = "between WPM and Genre KPM and EM the difference is within 2 paired s.e."
    assert even in with_lead(0.0, 0.1).replace("<br>", " ")


def test_the_title_names_each_rival_by_paired_differences(everyone: Everyone) -> None:
    """Users differ far more than releases for one user do: unpaired errors would call all of this a tie."""
    rng, point = np.random.default_rng(2), everyone.points[0]
    users, noise = rng.uniform(0, 0.9, 40), 0.002 * rng.normal(size=(3, 40))
    points = [
        replace(
            point, epsilon=epsilon, hits=point.hits | {"kpm": users, "em": users + em, "wpm": users + wpm + noise[i]}
        )
        for i, (epsilon, wpm, em) in enumerate([(0.2, -0.01, -0.05), (1.0, 0.0, -0.05), (4.0, 0.01, -0.05)])
    ]
    made = replace(everyone, points=tuple(points), references=dict.fromkeys(REFERENCES, 0.1 * users))
    assert mean_and_error(users)[1] > 0.03
    title = str(everyone_figure(made, 3.0).layout.title.text).replace("<br>", " ")
    assert title.startswith(
        "WPM beats Genre KPM from ε = 4 on, EM at every ε shown; Genre KPM beats WPM up to ε = 0.2 (each by "
        "more than 2 paired s.e.)"
    )
    rows = {row[0]: row[1:] for row in summary(made)}
    mean, error = mean_and_error(-0.01 + noise[0])
    shown = rows["WPM minus Genre KPM, paired"][0].replace("−", "-").split(" ± ")
    assert [float(part.rstrip("%")) / 100 for part in shown] == pytest.approx([mean, error], abs=0.051 * error)


@pytest.mark.parametrize(
    ("clear", "where"),
    [((0, 1, 1), "from ε = 2 on"), ((1, 1, 0), "up to ε = 2"), ((1, 0, 1), "at 2 of 3 values of ε"), ((0, 0, 0), "")],
)
def test_the_title_says_where_the_lead_is_whatever_its_shape(
    everyone: Everyone, clear: tuple[int, ...], where: str
) -> None:
    # What "up to" says must hold at every smaller epsilon as well; a lead that is lost again is not none.
    noise = 0.01 * np.random.default_rng(0).normal(size=20)
    hits = {True: 0.5 + noise, False: 0.1 + noise}
    one, other = everyone.points[0], dict.fromkeys(("kpm", "em"), np.full(20, 0.3))
    points = tuple(
        replace(one, epsilon=epsilon, hits=one.hits | other | {"wpm": hits[bool(won)]})
        for epsilon, won in zip((1.0, 2.0, 3.0), clear, strict=True)
    )
    references = dict.fromkeys(REFERENCES, np.full(20, 0.3))
    title = str(everyone_figure(replace(everyone, points=points, references=references), 3.0).layout.title.text)
    won = f"WPM beats Genre KPM and EM {where}; " if where else "Genre KPM beats WPM at every"
    assert title.replace("<br>", " ").startswith(won)
    lost = {"from ε = 2 on": "up to ε = 1", "up to ε = 2": "from ε = 3 on", "": "at every ε shown"}
    assert f"the same most liked film for all (ε = 0) beats WPM {lost.get(where, 'at ε = 2 only')}" in title


def test_the_adversary_s_figures_draw_the_ratios_inside_the_bound(films: Films) -> None:
    config = Config(epsilon=2.0)
    result, curve = two_users(films, config), largest_ratio(films, config)
    figure = ratio_figure(result)
    for name, trace in zip(MECHANISMS, figure.data, strict=True):
        np.testing.assert_allclose(trace.y, -np.sort(-result.ratios[name]) / 2.0)
        np.testing.assert_allclose(trace.customdata, -np.sort(-result.ratios[name]))
    low, high = figure.layout.yaxis.range
    assert low < -1 and high > 1 and {shape.y0 for shape in figure.layout.shapes} == {1.0, -1.0}
    largest = largest_figure(curve, 2.0)
    assert largest.data[-1].name == "what ε allows"
    assert all((np.array(trace.y) <= curve.epsilon + 1e-12).all() for trace in largest.data)


def test_shares_of_epsilon_are_rounded_up_to_two_digits_and_near_1_nothing_is_called_far(films: Films) -> None:
    result, curve = two_users(films, CONFIG), largest_ratio(films, CONFIG)
    few = replace(curve, largest=curve.largest.assign(**{name: 0.0521 * curve.epsilon for name in curve.largest}))
    assert (
        "these two users differ by up to 5.3% of what ε allows under WPM" in largest_figure(few, 1.0).layout.title.text
    )
    quiet = replace(result, ratios={name: 0.1 * ratio for name, ratio in result.ratios.items()})
    near = replace(few, largest=few.largest.assign(em=0.95 * curve.epsilon))
    for shown, far in ((few, True), (near, False)):
        caption = [block for block in show(CONFIG, quiet, shown) if isinstance(block, str)]
        assert ("may be far from that" in caption[0]) == far


def test_the_title_says_where_another_mechanism_does_better(curve: LikedCurve) -> None:
    rates = {name: np.full(len(curve.epsilon), 0.1) for name in curve.hits}
    rates["krr"] = np.where(curve.epsilon >= 6.0, 0.3, 0.1)
    made = replace(curve, hits=pd.DataFrame(rates), references=curve.references | {"uniform": 0.05})
    title = liked_curve_figure(made, 1.0).layout.title.text.replace("<br>", " ")
    assert "chance at every ε shown; k-RR from ε = 6 on more often than WPM" in title


def test_the_colour_bar_has_round_numbers() -> None:
    for low, high in ((0.00069, 0.11), (0.004, 0.008), (1e-5, 0.1), (0.02, 0.045)):
        bar = _colour_bar(low, high)
        assert 3 <= len(bar["ticktext"]) <= 8 and all(len(text.strip("0.%")) <= 3 for text in bar["ticktext"])
        assert np.log10(low) <= min(bar["tickvals"]) and max(bar["tickvals"]) <= np.log10(high)
    assert _colour_bar(0.00069, 0.11)["ticktext"] == ["0.1%", "0.3%", "1%", "3%", "10%"]


def test_a_release_that_tells_nothing_has_its_line_at_the_end_of_the_logarithmic_axis(films: Films) -> None:
    result, curve = two_users(films, CONFIG), largest_ratio(films, CONFIG)
    nothing = replace(curve, largest=curve.largest.assign(wpm=0.0))
    figure = largest_figure(nothing, 1.0)
    line = next(trace for trace in figure.data if trace.name == "WPM")
    assert set(np.log10(line.y)) == {figure.layout.yaxis.range[0]} and set(line.customdata) == {0.0}
    assert figure.layout.yaxis.ticktext[0] == "≤ 0.001"
    assert "these two users differ by 0% of what ε allows under WPM" in figure.layout.title.text
    title = ratio_figure(replace(result, ratios=result.ratios | {"wpm": 0.0 * result.ratios["wpm"]})).layout.title.text
    assert title.startswith("With WPM no film shifts the odds between these two; ε allows a factor of")


def test_every_title_of_simulated_data_says_simulated(
    films: Films, user: OneUser, curve: LikedCurve, everyone: Everyone
) -> None:
    made = [film_map(user, name, curve, CONFIG.epsilon) for name in SHOWN]
    made += [small_film_map(user, name, curve) for name in SHOWN]
    made += [
        everyone_figure(everyone, 1.0),
        liked_curve_figure(curve, 1.0),
    ]
    made += [ratio_figure(two_users(films, CONFIG))]
    made += [largest_figure(largest_ratio(films, CONFIG), 1.0)]
    assert all("(simulated)" in figure.layout.title.text for figure in made)


def test_titles_of_films_are_no_markup() -> None:
    ratings = simulated_films(100, 120)
    named = replace(ratings, films=tuple(f"{NASTY} {i}" for i in range(120)))
    films = make_films(named, Split(dimensions=8))
    config = Config()
    for figure in (
        film_map(one_user(films, config), "wpm", liked_curve(films, config), config.epsilon),
        ratio_figure(two_users(films, config)),
    ):
        texts = [text for trace in figure.data for text in (trace.text if trace.text is not None else [])]
        assert texts and not any("<img" in text for text in texts)
        assert "<img src=x" not in to_html(figure)


@pytest.mark.parametrize(("value", "text"), [(0.26, "26%"), (0.0613, "6.13%"), (0.0042, "0.42%"), (1.0, "100%")])
def test_probabilities_in_words(value: float, text: str) -> None:
    assert percent(value) == text
