"""The three views of the movies page: one user, everyone, what the adversary learns."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, TypeVar

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from dpot_core.experiments import movies as experiment
from dpot_core.figures import movies as figures
from dpot_core.figures.style import counted
from dpot_core.scenarios.kinds import HasTables
from pages import _shell as shell
from pages._movies.people import own_profile, pick

T = TypeVar("T")

# These words stand in people's links: add, but do not reword.
VIEWS = {"user": "One user", "everyone": "Everyone", "adversary": "What the adversary learns"}

KEYS: dict[str | type[Any], Callable[[Any], Any]] = {experiment.Films: lambda films: films.key}
_one_user = st.cache_resource(max_entries=60, show_spinner=False, hash_funcs=KEYS)(experiment.one_user)
_two_users = st.cache_resource(max_entries=60, show_spinner=False, hash_funcs=KEYS)(experiment.two_users)


@dataclass(frozen=True)
class Drawn:
    """What a view shows, to be taken away."""

    config: experiment.Config
    tables: Mapping[str, pd.DataFrame]
    figures: Mapping[str, Callable[[], go.Figure]]
    kind: str
    results: Callable[[], tuple[HasTables, ...]] | None


def user_view(controls: shell.Controls, films: experiment.Films, config: experiment.Config) -> Drawn | None:
    """One user's ratings and what each mechanism makes of them."""
    asked = _with_user(controls, films, config, "Test user")
    if asked is None:
        return None
    config = asked
    # One's own profile stays out of the cache, which all sessions share.
    own = config.user == experiment.OWN
    result = experiment.one_user(films, config) if own else _one_user(films, config)
    makers = {f"film-map-{name}": partial(figures.film_map, result, name) for name in figures.SHOWN}
    for column, (name, make) in zip(st.columns(len(makers)), makers.items(), strict=True):
        with column:
            alt = "Films that can be released on a plane, coloured by their probability"
            shell.draw(make(shell.on_dark()), alt=alt, key=f"movies_{name}")
    st.caption(
        f"Films near each other are rated by the same people. Crosses: what {shell.as_text(result.name)} rated; "
        "dots: films that can be released; diamonds: of these, films that the user likes (4 stars or more), which no "
        f"mechanism knows. The plane shows {films.in_plane:.0%} of the embedding; distances are taken in all of it. "
        f"W₁ from the input (cosine distance): WPM as set {result.distance:.4f}, exact projection "
        f"{result.exact_distance:.4f}; both satisfy the guarantee."
    )
    _lists(controls, result)
    curve = _over_epsilon("curve", experiment.liked_curve, films, config)
    if curve is None:
        return None
    makers["liked-against-epsilon"] = partial(figures.liked_curve_figure, curve, config.epsilon)
    figure = figures.liked_curve_figure(curve, config.epsilon, shell.on_dark())
    shell.draw(figure, alt="Probability of a liked film against epsilon", key="movies_liked")
    known = {name: "likes" if share == 1 else "does not like" for name, share in curve.references.items()}
    st.caption(
        f"Beside these: {shell.as_text(result.name)} {known['nearest']} the film that is nearest to the input (no "
        f"privacy), and {known['popular']} the film that most validation users like (the same for all, ε = 0)."
    )
    return Drawn(config, result.tables() | curve.tables(), makers, "movies.user", lambda: (result, curve))


def everyone_view(controls: shell.Controls, films: experiment.Films, config: experiment.Config) -> Drawn | None:
    """Hit Rate@1 of all test users."""
    points = shell.worked("movies_sweep", [_point_job(films, config, e) for e in experiment.EPSILONS])
    if len(points) < len(experiment.EPSILONS):
        return None
    result = experiment.everyone(films, points)
    make = partial(figures.everyone_figure, result, config.epsilon)
    shell.draw(make(shell.on_dark()), alt="Hit Rate at one against epsilon", key="movies_everyone")
    learners = films.validation.size
    st.caption(
        f"Exact: the probability that the released film is one that the user gave {experiment.LIKED:g} stars or more; "
        f"nothing is drawn. For WPM and genre KPM the mass of the uniform base is chosen among {experiment.SCALES} on "
        f"{learners:,} validation users at each ε, for Hit Rate@1. Public prior: in proportion to their likes, mass "
        "e^(ε/4). Minimax base: the smallest worst case over all inputs"
        + (
            ", which here ignores the input: the worst film is far from all candidates. "
            if result.minimax_ignores
            else ". "
        )
        + "One film for all: the candidate that most "
        "validation users like; it does not look at the user, so ε = 0."
    )
    shell.table(("Hit Rate@1 ± s.e.", *[f"ε = {e:g}" for e in experiment.EPSILONS]), figures.summary(result))
    tables = result.tables()
    lists = shell.worked("movies_lists", [_lists_job(films, config)])
    if lists:
        st.markdown(f"**Ten independent releases by each user, at ε = {config.epsilon:g}**")
        shell.table(*figures.list_rows(lists[0]))
        st.caption(
            "Privacy adds up: ten releases at ε each cost 10 ε in all; ten releases at ε/10 each cost ε. Hit Rate@10: "
            "at least one of the ten is liked. NDCG@10: a liked film counts at its first appearance, discounted by "
            f"its rank. Base measure of WPM: {experiment.BASES[config.base]}."
        )
        tables = tables | lists[0].tables()
    # Pinned is everyone at this epsilon, which the sweep may not have.
    return Drawn(config, tables, {"hit-rate": make}, "movies.everyone", None)


def adversary_view(controls: shell.Controls, films: experiment.Films, config: experiment.Config) -> Drawn | None:
    """How well a released film tells two users apart."""
    asked = _with_user(controls, films, config, "First user", second=True)
    if asked is None:
        return None
    config = asked
    own = config.user == experiment.OWN
    result = experiment.two_users(films, config) if own else _two_users(films, config)
    curve = _over_epsilon("ratios", experiment.largest_ratio, films, config)
    if curve is None:
        return None
    makers = {
        "log-likelihood-ratios": partial(figures.ratio_figure, result),
        "largest-ratio": partial(figures.largest_figure, curve, config.epsilon),
    }
    for column, (name, make) in zip(st.columns(2), makers.items(), strict=True):
        with column:
            shell.draw(make(shell.on_dark()), alt="Log-likelihood ratios between two users", key=f"movies_{name}")
    first, second = map(shell.as_text, result.names)
    if first == second:
        st.caption("Both are the same user: every ratio is 1, and its logarithm 0.")
    else:
        st.caption(
            f"Whoever sees the released film and asks whether it came from {first} or {second} multiplies their odds "
            "by e to the power shown. The guarantee bounds it by ε for any two rating histories, also for those that "
            "differ most; these two may be far from that."
        )
    return Drawn(config, result.tables() | curve.tables(), makers, "movies.adversary", lambda: (result, curve))


def _with_user(
    controls: shell.Controls, films: experiment.Films, config: experiment.Config, label: str, second: bool = False
) -> experiment.Config | None:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        own = controls.toggle("own", "My own profile", False)
        user = experiment.OWN if own else pick(controls, films, "user", label, 10)
        other = pick(controls, films, "other", "Second user", 11) if second else ""
    config = replace(config, user=user, other=other)
    if not own:
        return config
    profile = own_profile(films)
    if not set(map(int, films.inputs)) & {film for film, _ in profile}:
        st.info("Give stars to at least one film marked input; then the pictures appear.")
        return None
    return replace(config, profile=profile)


def _lists(controls: shell.Controls, result: experiment.OneUser) -> None:
    left, right = st.columns([1, 1.3])
    with left:
        rated = result.rated()
        number = counted(len(rated), "film", "films")
        st.markdown(f"**{shell.as_text(result.name)} rated {number}**")
        st.dataframe(rated[["film", "stars", "role", "genres"]], height=330, hide_index=True, key="movies_rated")
    with right:
        with st.container(horizontal=True, vertical_alignment="bottom"):
            name = controls.choice("list", "Likeliest releases of", experiment.MECHANISMS, "wpm", kind="segments")
            seed = controls.integer("draw", "Draw number (seed)", 0, 9999, 1, kind="number", width=160)
        likely = result.likely(name)
        rows = zip(likely["film"], likely["probability"], likely["liked"], likely["genres"], strict=True)
        shell.table(
            ("Ten likeliest films", "Probability", "Liked", "Genres"),
            [(film, f"{p:.2%}", liked, genres) for film, p, liked, genres in rows],
        )
        drawn = {name: result.films.ratings.films[film] for name, film in result.drawn(seed).items()}
        films = "; ".join(f"{experiment.MECHANISMS[n]}: {shell.as_text(film)}" for n, film in drawn.items())
        st.caption(f"Draw {seed}, a demonstration with a seed, not a release: {films}.")


def _over_epsilon(
    name: str,
    run: Callable[[experiment.Films, experiment.Config, shell.Progress | None], T],
    films: experiment.Films,
    config: experiment.Config,
) -> T | None:
    """A curve over epsilon, or None if it was abandoned. One's own profile stays out of the cache of all sessions."""
    if config.profile:
        return run(films, config, None)
    same = replace(config, epsilon=1.0)  # the curve does not depend on it
    job = (f"movies {name} {films.key} {same}", "Values of ε", lambda progress: run(films, config, progress))
    done = shell.worked(f"movies_{name}", [job])
    return done[0] if done else None


def _point_job(films: experiment.Films, config: experiment.Config, epsilon: float) -> shell.Job[experiment.Point]:
    run = partial(experiment.everyone_at, films, epsilon, config.reg)
    return f"movies point {films.key} {epsilon} {config.reg}", f"Everyone at ε = {epsilon:g}", run


def _lists_job(films: experiment.Films, config: experiment.Config) -> shell.Job[experiment.Lists]:
    run = partial(experiment.lists, films, config.base, config.epsilon, config.reg)
    return f"movies lists {films.key} {config.base} {config.epsilon} {config.reg}", "Ten releases", run
