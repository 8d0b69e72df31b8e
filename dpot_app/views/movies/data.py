"""The films of the settings, and what a reader should know of them."""

from collections.abc import Iterator

from dpot_app.films.catalogue import CACHE, Films, make_films
from dpot_app.films.profiles import fan_genres
from dpot_app.films.releases import ITERATIONS
from dpot_app.kit.markdown import as_text, cited
from dpot_app.kit.reading import read_once
from dpot_app.kit.values import ScenarioError
from dpot_app.kit.view import Files
from dpot_app.views.movies.settings import OWN, Config
from dpot_core import datasets
from dpot_core.privacy.numerals import counted, number

_read = read_once(CACHE, datasets.read_ratings_csv)


def films_of(config: Config, files: Files) -> Films:
    """The films of the settings, from files "ratings" and, if there is one, "films" (both CSV) where they ask for them.

    Raises:
        DatasetMissing: if the data have to be downloaded first.
        UnusableFile: if a file cannot be used.
        ScenarioError: if the settings name a person who is no test user, or a genre that no film has.
        ValueError: if there is too little of something.
    """
    if config.source == "csv":
        ratings = _read(files["ratings"], files.get("films"), dict(config.columns) or None)
    else:
        ratings = datasets.loaded(datasets.FILM_DATASETS[config.source])
    films = with_own_base(make_films(ratings, config.split).of_order(config.p), config)
    for name, user in (("user", config.user), ("other", config.other)):
        if user not in ("", OWN, *films.names) and user not in fan_genres(films):
            raise ScenarioError(f"must be a test user of these data; got {user!r}", (name,))
    return films


def with_own_base(films: Films, config: Config) -> Films:
    """The films with the weights of the settings, where the base measure is made of them.

    Raises:
        ScenarioError: if they cannot be used.
    """
    if config.base != "own":
        return films
    try:
        return films.with_own(config.own)
    except ValueError as problem:
        raise ScenarioError(str(problem), ("own",)) from None


def rows_of(films: Films) -> tuple[list[int], dict[str, list[str]]]:
    """The films to give stars to, train films first, and what is said of each."""
    rows = [int(film) for film in (*films.inputs, *films.candidates)]
    return rows, {
        "film": [films.ratings.films[film] for film in rows],
        "genres": [films.ratings.genres_of(film) for film in rows],
        "role": ["input"] * len(films.inputs) + ["candidate"] * len(films.candidates),
    }


def called(films: Films, name: str) -> str:
    """A user by the number of the page's control, where it has one, and by the name in the data, in Markdown."""
    return f"test user {films.names.index(name) + 1} ({as_text(name)})" if name in films.names else as_text(name)


def about(films: Films) -> Iterator[str]:
    """Where data, distances and numbers come from, in Markdown."""
    ratings, split = films.ratings, films.split
    lost = f" {films.left_out:,} test users rated none of the train films and are left out." if films.left_out else ""
    given, seen = counted(len(ratings), "rating", "ratings"), counted(ratings.n_films, "film", "films")
    yield cited(ratings, f": {given} of {seen} by {counted(ratings.n_users, 'user', 'users')}.")
    yield (
        f"Split with seed {split.seed}: {films.inputs.size:,} train films make inputs (in proportion to the stars). "
        f"{films.candidates.size:,} of the other films can be released: those that most validation users rated. "
        f"{films.validation.size:,} validation users, {films.test.size:,} test users.{lost}"
    )
    yield (
        f"Embedding: each film is a direction in space, given by {split.dimensions} numbers. They are the first "
        f"principal components of the validation users' {'centred ' if split.centred else ''}ratings (0 where there is "
        "none). Films that the same people rated have directions close together. Cosine distance: 1 minus the "
        f"cosine of the angle between two films. It lies in [0, 2], here up to {number(films.distances.max())}. Two "
        "short ways can be shorter than the direct one, so it is a cost rather than a metric. The chord is the "
        "straight line between two directions on a sphere of radius 1: √(2 − 2 cos). It is a metric, and its square "
        f"is twice the cosine distance. Moving a film costs (cosine distance)^(p/2), here with p = {films.order:g}. At "
        "p = 2 that is the cosine distance itself. λ counts in units of this cost, which is 1 at cosine distance 1. "
        "Films that no validation user rated lie at distance 1 from all others."
    )
    yield (
        "Genre KPM: KPM draws a genre from those of the input; then any candidate film of that genre is released. "
        "k-RR (randomized response) first moves each train film to its nearest candidate."
    )
    yield (
        f"{ITERATIONS} iterations of Algorithm 1. Stopping early makes fewer recommended films liked; it never costs "
        "privacy."
    )
    yield from map(as_text, ratings.notes)
