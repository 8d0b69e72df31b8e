"""Movies: one film is released from what a user has rated. Does the user like it, and what does it give away?"""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import streamlit as st

from dpot_app import shell
from dpot_app.batch.tags import tagged
from dpot_app.films.catalogue import Films
from dpot_app.films.own_weights import START, genre_weights
from dpot_app.films.profiles import fan_genres
from dpot_app.films.releases import MECHANISMS
from dpot_app.kit.setting import Declared, declared
from dpot_app.kit.view import Tab, View
from dpot_app.views.movies import PAGE
from dpot_app.views.movies.data import about, films_of, rows_of
from dpot_app.views.movies.settings import GIVE_STARS, OWN, WITHOUT_FILES, Config
from dpot_app.views.movies.user.results import LikedCurve, OneUser
from dpot_app.views.movies.user.text import likeliest, rated
from dpot_core import datasets
from dpot_core.datasets.formats import TABLE_ENDINGS
from dpot_core.datasets.ratings_csv import RATING_ROLES

ORDER = "1 rated most"
#: What a room asks for.
PRESETS = {
    **shell.usual(),
    "Minimax base": {"base": "minimax-placed"},
    "Exact": {"lambda": 0.0},
    "λ = 0.1": {"lambda": 0.1},
}
#: The seed of the film that is drawn.
SEED, FIRST = Declared("Draw number (seed)", "field", "draw", low=0, high=9999), 1


def columns(controls: shell.Controls, values: Mapping[str, Any]) -> shell.Columns:
    """Files of one's own, and which column of the ratings is what."""
    if values["source"] != "csv":
        return ()
    ratings = shell.upload(controls, "ratings", "Ratings: user, film, rating (0.5 to 5)", TABLE_ENDINGS)
    roles = () if ratings is None else shell.columns_of(controls, ratings, datasets.sniff_ratings, RATING_ROLES)
    shell.upload(controls, "films", "Optional: film, title, genres (with | between)", TABLE_ENDINGS)
    if ratings is None:
        raise shell.Waiting(WITHOUT_FILES)
    return roles


def own_base(controls: shell.Controls, _values: Mapping[str, Any]) -> str:
    """The reader's own weights of genres as they are typed."""
    return shell.typed_text(controls, "own", declared(Config)["own"], genre_weights, START)


def views(controls: shell.Controls, view: View, tab: Tab, config: Config, films: Films) -> list[shell.Shown | None]:
    look = view.show
    shell.presets(controls, PRESETS)
    above, first = st.container(horizontal=True, vertical_alignment="bottom"), st.container()
    below, pictures = st.container(horizontal=True, vertical_alignment="bottom"), st.container()
    slots: dict[str, Any] = {"lists": lists}
    with above:
        if tab.key == "user":
            config = with_users(controls, config, films, "Test user", two=False)
            another(controls)
        elif tab.key == "adversary":
            config = with_users(controls, config, films, "First user", two=True)
    if config.user == OWN:
        config = replace(config, profile=own_profile(films))
        if not config.profile:
            return []
    if tab.key == "user":
        # What is compared stands above the fold; these controls, beneath it, beside the map that they change.
        slots["maps"] = lambda *_: first.container(key="swipe_movies_user").columns(
            1 + len(config.mechanisms), vertical_alignment="bottom"
        )
        slots["said"] = lambda *_: [first.container()]
        slots["under"] = lambda *_: first.columns(2)
        with below:
            large = controls.ask(Declared("Large map", "segments", "map", MECHANISMS), "wpm")
            look = partial(look, large=large, draw=int(controls.ask(SEED, FIRST, width=160)))

    def curves(*_: object) -> None:
        shell.shown(controls, PAGE.view(PAGE.curves), config, Tab("curves", ""))

    with pictures:
        return [shell.shown(controls, view, config, replace(tab, show=look), slots | {"curves": curves})]


def with_users(controls: shell.Controls, config: Config, films: Films, label: str, two: bool) -> Config:
    """The user whose ratings are shown: a test user or the reader."""
    own = controls.ask(Declared("My own profile", "toggle", "own"), False)
    made = "" if own or two else ready_made(controls, films)
    user = OWN if own else made or shell.pick(controls, films.names, "user", label, 10, ORDER)
    other = shell.pick(controls, films.names, "other", "Second user", 11, ORDER) if two else ""
    return replace(config, user=user, other=other)


def ready_made(controls: shell.Controls, films: Films) -> str:
    """The profile made from films of these data that is chosen; "" for a test user's ratings."""
    fans = {genre: name for name, genre in fan_genres(films).items()}
    options = {"": "A test user", **{genre: f"Fan of {genre}" for genre in fans}}
    return fans.get(controls.ask(Declared("Whose ratings", "segments", "who", options), ""), "") if fans else ""


def another(controls: shell.Controls) -> None:
    """The button that draws another film: it takes the next seed."""
    key = f"{controls.page}_{SEED.link}"

    def onward() -> None:
        st.session_state[key] = (int(st.session_state.get(key, FIRST)) + 1) % (int(SEED.range[1]) + 1)

    st.button("Draw a film", key=f"{key}_next", on_click=onward, icon=":material/casino:")


def own_profile(films: Films) -> tuple[tuple[int, float], ...]:
    """The reader's own ratings; none while they make no input."""
    st.caption(GIVE_STARS)
    key = f"movies_profile_{tagged(films.ratings.digest, 'ratings')}"  # browsers see it
    profile = shell.marks_given(key, *rows_of(films), "stars", (0.5, 5.0, 0.5))
    if not profile.keys() & set(films.inputs.tolist()):
        st.info("Give stars to at least one film marked input; then the pictures appear.")
        return ()
    return tuple(sorted(profile.items()))


def lists(controls: shell.Controls, user: OneUser, _curve: LikedCurve) -> None:
    left, right = st.columns([1, 1.3])
    with left:
        st.markdown(rated(user))
        columns = ("film", "stars", "role", "genres")
        st.dataframe(user.rated(), column_order=columns, height=330, hide_index=True, key="movies_rated")
    with right:
        name = controls.ask(Declared("Likeliest releases of", "segments", "list", MECHANISMS), "wpm")
        shell.show((likeliest(user, name),), "movies_lists")


def details(_controls: shell.Controls, _config: Config, films: Films) -> None:
    with st.expander("Data, split, distances"):
        st.markdown("\n".join(f"- {line}" for line in about(films)))


shell.show_data_page(PAGE, Config(), films_of, views, details, {"columns": columns, "own": own_base})
