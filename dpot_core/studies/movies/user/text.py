from dpot_core.disclosures import exact_outputs
from dpot_core.figures.style import counted
from dpot_core.films.releases import MECHANISMS
from dpot_core.progress import Progress
from dpot_core.studies._kit.markdown import as_text
from dpot_core.studies._kit.view import Blocks, Files, Picture, Slot, Tab, Table, thumbnails
from dpot_core.studies.movies.data import films_of
from dpot_core.studies.movies.disclosed import FREE, guarantee
from dpot_core.studies.movies.settings import Config, link
from dpot_core.studies.movies.user.figures import SHOWN, film_map, liked_curve_figure, small_film_map
from dpot_core.studies.movies.user.results import LikedCurve, OneUser, liked_curve, one_user
from dpot_core.studies.movies.views import movies_view

TAB = "One user"


def compute(config: Config, files: Files, progress: Progress) -> tuple[OneUser, LikedCurve]:
    films = films_of(config, files)
    return one_user(films, config), liked_curve(films, config.at_any_epsilon, progress)


#: The mechanisms whose maps can be large. These words stand in people's links: add, but do not reword.
COMPARE = {name: MECHANISMS[name] for name in SHOWN}


def show(config: Config, user: OneUser, curve: LikedCurve, large: str = "wpm") -> Blocks:
    """The films on one large map, as one mechanism releases them; the others small.

    Args:
        large: the mechanism whose map is large.
    """
    alt = f"Films on a plane, coloured by the probability with which {MECHANISMS[large]} releases them"
    yield Picture("film-map", alt, film_map, user, large, curve, config.epsilon, light=True)
    yield thumbnails(COMPARE, large, "map", "film-map", small_film_map, user, curve)
    yield (
        f"Films near each other are rated by the same people. Crosses: what {as_text(user.name)} rated; "
        "dots: films that can be released; diamonds: of these, films that the user likes (4 stars or more), which no "
        f"mechanism knows. The plane shows {user.films.in_plane:.0%} of the embedding; distances are taken in all of "
        f"it. W₁ from the input (cosine distance): WPM as set {user.distance:.4f}, exact projection "
        f"{user.exact_distance:.4f}; both satisfy the guarantee."
    )
    yield Slot("lists")
    alt = "Probability of a liked film against epsilon"
    yield Picture("liked-against-epsilon", alt, liked_curve_figure, curve, config.epsilon, light=True)
    likes = {name: "likes" if share == 1 else "does not like" for name, share in curve.references.items()}
    yield (
        f"Beside these: {as_text(user.name)} {likes['nearest']} the film that is nearest to the input (no "
        f"privacy), and {likes['popular']} the film that most validation users like (the same for all, ε = 0)."
    )


def rated(user: OneUser) -> str:
    return f"**{as_text(user.name)} rated {counted(int((user.stars > 0).sum()), 'film', 'films')}**"


def likeliest(user: OneUser, name: str) -> Table:
    """The films that a mechanism is most likely to release."""
    films = user.likely(name)
    rows = zip(films["film"], films["probability"], films["liked"], films["genres"], strict=True)
    heads = ("Ten likeliest films", "Probability", "Liked", "Genres")
    return Table(heads, [(film, f"{share:.2%}", liked, genres) for film, share, liked, genres in rows])


def drawn(user: OneUser, seed: int) -> str:
    """A demonstration: the films that a seed draws."""
    titles = {name: as_text(user.films.ratings.films[film]) for name, film in user.drawn(seed).items()}
    films = "; ".join(f"{MECHANISMS[name]}: {title}" for name, title in titles.items())
    return f"Draw {seed}, a demonstration with a seed, not a release: {films}."


def headlines(user: OneUser, _curve: LikedCurve) -> dict[str, float]:
    return {f"Probability of a liked film, {MECHANISMS[name]}": hit for name, hit in user.hits.items()}


VIEW = movies_view(
    key="movies.user",
    title="One user",
    compute=compute,
    show=show,
    tabs=(Tab("user", TAB),),
    scrub=("epsilon",),
    picture="liked-against-epsilon",
    disclosure=lambda config, user, curve: exact_outputs(guarantee(config, user.films), "one released film", FREE),
    headlines=headlines,
    parameters=lambda config: link(config, TAB, user="1"),
)
