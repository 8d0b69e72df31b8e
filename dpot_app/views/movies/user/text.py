from dpot_app.films.catalogue import LIKED, PAPERS_ORDER
from dpot_app.films.releases import MECHANISMS
from dpot_app.kit.blocks import Note, by_command, for_real
from dpot_app.kit.markdown import as_text
from dpot_app.kit.view import Blocks, Columns, Files, Folded, Picture, Slot, Tab, Table
from dpot_app.views.movies.data import called, films_of
from dpot_app.views.movies.disclosed import guarantee, one_film
from dpot_app.views.movies.settings import PUBLIC, Config, link
from dpot_app.views.movies.user.figures import film_map, liked_curve_figure, profile_map, shared_scale, small_film_map
from dpot_app.views.movies.user.results import LikedCurve, OneUser, liked_curve, one_user
from dpot_app.views.movies.views import movies_view
from dpot_core.arguments.progress import Progress
from dpot_core.datasets.ratings import Codes
from dpot_core.privacy.numerals import counted, number, percent
from dpot_core.privacy.wording import same_answer


def compute(config: Config, files: Files, progress: Progress) -> tuple[OneUser, LikedCurve]:
    films = films_of(config, files)
    return one_user(films, config), liked_curve(films, config.at_any_epsilon, progress)


def show(config: Config, user: OneUser, curve: LikedCurve, large: str = "wpm", draw: int | None = None) -> Blocks:
    """The user's profile and what each mechanism releases, side by side; one of them large below.

    Args:
        large: the mechanism whose map is large.
        draw: seed of the demonstration whose film is marked on the maps; None for none.
    """
    alt = "The films that the user rated, and those that the user likes, on the plane of the embedding"
    maps = [Picture("film-map-profile", alt, profile_map, user, curve)]
    maps += [
        Picture(
            f"film-map-{name}",
            f"Films on a plane, coloured by the probability with which {label} releases them, small",
            small_film_map,
            *(user, name, curve, draw),
        )
        for name, label in MECHANISMS.items()
        if name in config.mechanisms
    ]
    yield Columns(maps, swipe=True, boxes="maps")
    low, high = map(percent, shared_scale(user, curve))
    legend = (
        f"Crosses: rated films. Dots: films that can be released, larger and brighter where likelier ({low} to {high}, "
        "one logarithmic scale). Diamonds: films that the user likes. Star: a draw."
    )
    yield Columns((legend,), boxes="said")
    alt = "Probability of a liked film against epsilon"
    liked = Picture("liked-against-epsilon", alt, liked_curve_figure, curve, config.epsilon, config.mechanisms)
    likes = {name: "likes" if share == 1 else "does not like" for name, share in curve.references.items()}
    yield Columns(
        (
            Slot("curves"),
            (
                liked,
                f"Without privacy the film nearest to the input is recommended: {as_text(user.name)} "
                f"{likes['nearest']} it. At ε = 0 all users can get the same film, the one that validation users like "
                f"most. This user {likes['popular']} it.",
            ),
        ),
        boxes="under",
    )
    yield Columns((what_order_changes(user),), boxes="said")
    hits = ", ".join(
        f"{number(100 * share)} by {MECHANISMS[name]}" for name, share in user.hits.items() if name in config.mechanisms
    )
    told = same_answer(guarantee(config, user.films), "film")
    yield f"Said to a person: of 100 recommendations you like on average {hits or 'none'}. {told}"
    if draw is not None:
        yield drawn(user, draw)
    alt = f"Films on a plane, coloured by the probability with which {MECHANISMS[large]} releases them"
    yield Picture("film-map", alt, film_map, user, large, curve, config.epsilon, draw)
    yield (
        f"Films near each other are rated by the same people. Crosses: films that {called(user.films, user.name)} "
        f"rated{_made(user)}. Dots: films that can be released. Diamonds: dots that the user likes (4 stars or more); "
        f"no mechanism knows these likes. The map is flat: it shows {percent(user.films.in_plane)} of the variance of "
        f"the films' places. Distances are taken in all dimensions. {_measure(user)} from the input: WPM as set "
        f"{number(user.distance)}, exact projection {number(user.exact_distance)}. Both satisfy the guarantee."
    )
    yield Folded(f"What {as_text(user.name)} rated, and the ten likeliest films", (Slot("lists"),))
    yield for_real(guarantee(config, user.films), _real(config))


def _real(config: Config) -> Note:
    """How one film of each person is released."""
    if config.source != "csv":
        return by_command("one film for each person in a file", "ratings.csv", config.epsilon)
    public = (
        "The catalogue here is learned from your files, so it tells something about the people in them. Choose a "
        "public catalogue whose titles the ratings have."
    )
    return by_command(
        "one film for each person in a file", "ratings.csv", config.epsilon, f" --set source={PUBLIC}", public
    )


def _measure(user: OneUser) -> str:
    """The measure of the distances from the input."""
    p = user.films.order
    return "W₁ (cosine distance)" if p == PAPERS_ORDER else f"W²/2 with chords (p = {p:g})"


def what_order_changes(user: OneUser) -> str:
    """The effect of the order of the loss, in numbers of this user."""
    here, other = user.orders
    return (
        f"p = {here.p:g}: exact WPM moves this profile by {number(here.mean)} on average (cosine distance). The "
        f"farthest tenth of it moves {number(here.tenth)} on average. With p = {other.p:g} and this base measure the "
        f"two are {number(other.mean)} and {number(other.tenth)}."
    )


def rated(user: OneUser) -> str:
    return f"**{as_text(user.name)} rated {counted(int((user.stars > 0).sum()), 'film', 'films')}**"


def likeliest(user: OneUser, name: str) -> Table:
    """The films that a mechanism is most likely to release."""
    films = user.likely(name)
    rows = zip(films["film"], films["probability"], films["liked"], films["genres"], strict=True)
    heads = ("Ten likeliest films", "Probability", "Liked", "Genres")
    return Table(heads, [(film, percent(share), liked, genres) for film, share, liked, genres in rows])


def drawn(user: OneUser, seed: int) -> str:
    """A demonstration: the films that a seed draws, with their odds."""
    said = []
    for name, film in user.drawn(seed).items():
        odds = user.odds(name, film)
        title, likes = as_text(user.films.ratings.films[film]), user.stars[film] >= LIKED
        said.append(
            f"{MECHANISMS[name]}: {title} ({percent(odds)}, one in {number(1 / odds)}{', liked' if likes else ''})"
        )
    return f"★ Draw {seed}, a demonstration with a seed, not a release: {'; '.join(said)}."


def _made(user: OneUser) -> str:
    """The films from which a ready-made profile is made."""
    if not user.made:
        return ""
    return f" (invented: made from {_listed(user, user.films.inputs)}, with 5 stars each)"


def _listed(user: OneUser, films: Codes) -> str:
    rated = [as_text(user.films.ratings.films[film]) for film in films if user.stars[film] > 0]
    return ", ".join(rated)


def headlines(user: OneUser, _curve: LikedCurve) -> dict[str, float]:
    return {f"Probability of a liked film, {MECHANISMS[name]}": hit for name, hit in user.hits.items()}


VIEW = movies_view(
    key="movies.user",
    title="One user",
    compute=compute,
    show=show,
    tabs=(Tab("user", "One user"),),
    scrub=("epsilon",),
    picture="liked-against-epsilon",
    disclosure=lambda config, user, curve: one_film(config, user.films),
    headlines=headlines,
    parameters=lambda config: link(config, "user", user="1"),
)
