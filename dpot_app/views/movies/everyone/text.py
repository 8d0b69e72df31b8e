from dpot_app.figures.findings import where
from dpot_app.films.catalogue import LIKED
from dpot_app.films.releases import REFERENCES
from dpot_app.films.scores import mean_and_error
from dpot_app.kit.view import Blocks, Note, Picture, Tab, Table, means
from dpot_app.views.movies.everyone.figures import everyone_figure
from dpot_app.views.movies.everyone.results import CURVES, EPSILONS, RIVALS, SCALES, Everyone, Lists, at_epsilons
from dpot_app.views.movies.settings import BASES, Config, link
from dpot_app.views.movies.views import movies_view
from dpot_core.arguments import Array
from dpot_core.privacy.numerals import number
from dpot_core.privacy.numerals import percent_with_error as _cell


def show_sweep(config: Config, everyone: Everyone, lists: Lists) -> Blocks:
    yield Picture("hit-rate", "Hit Rate at one against epsilon", everyone_figure, everyone, config.epsilon)
    ignores = ". With this base WPM ignores the input here, because the worst film is far from all candidates"
    yield (
        f"Hit Rate@1: the probability that the user gave the released film {LIKED:g} stars or more. It is computed "
        "exactly; nothing is drawn. WPM and Genre KPM have a uniform base. At each ε its mass is the best of "
        f"{SCALES}, by Hit Rate@1 on {everyone.films.validation.size:,} validation users. Public prior: a base in "
        "proportion to their likes, mass e^(ε/4). Minimax base: the smallest worst case over all "
        f"inputs{ignores if everyone.minimax_ignores else ''}. Genre KPM, public prior: its base follows the genres of "
        f"their inputs; {_prior_pays(everyone)}. The same most liked film for all: the candidate that most validation "
        "users like. It does not look at the user, so ε = 0. Error bars: ± 1 standard error of each mean (references "
        "have none). The title compares mechanisms user by user (paired): the same users are behind every curve."
    )
    yield from show(config, everyone, lists)


def _prior_pays(everyone: Everyone) -> str:
    """Where the public prior of genres is better than no prior, user by user."""
    at = [point.epsilon for point in everyone.points]
    one, other = CURVES["kpm-prior"], CURVES["kpm"]
    won, lost = (where(at, everyone.ahead(*pair)) for pair in (("kpm-prior", "kpm"), ("kpm", "kpm-prior")))
    said = [
        f"{first} beats {second} {found}" for first, second, found in ((one, other, won), (other, one, lost)) if found
    ]
    return "; ".join(said) or f"{one} and {other} are within 2 paired s.e."


def show(config: Config, everyone: Everyone, lists: Lists) -> Blocks:
    yield Table(("Hit Rate@1 ± s.e.", *(f"ε = {point.epsilon:g}" for point in everyone.points)), summary(everyone))
    yield Note(f"**Ten independent releases by each user, at ε = {config.epsilon:g}**")
    yield ten_releases(lists)
    yield (
        "Spent ε adds up: ten releases at ε each cost 10 ε in all; ten releases at ε/10 each cost ε. Hit Rate@10: at "
        "least one of the ten is liked. NDCG@10: a liked film counts once, where it appears first; later ranks count "
        "less. No mass is chosen here, so Hit Rate@1 differs from that above. The base measure of WPM is "
        f"{BASES[config.base]}; Genre KPM has its minimax one."
    )


def summary(everyone: Everyone) -> list[tuple[str, ...]]:
    """Release, then mean ± standard error at each epsilon; below, paired differences and masses chosen for bases."""
    points, same = everyone.points, everyone.references
    rows = [(label, *(_cell(*mean_and_error(point.hits[name])) for point in points)) for name, label in CURVES.items()]
    rows += [(label, *[_cell(*mean_and_error(same[name]))] * len(points)) for name, label in REFERENCES.items()]
    rows += [
        (f"WPM minus {label}, paired", *(_cell(*pair) for pair in everyone.differences("wpm", name)))
        for name, label in RIVALS.items()
    ]
    masses = (tuple(number(point.mass[name]) for point in points) for name in points[0].mass)
    return rows + [(f"mass chosen, {CURVES[name]}", *mass) for name, mass in zip(points[0].mass, masses, strict=True)]


def ten_releases(lists: Lists) -> Table:
    """Each release, then its scores with what they cost in all."""
    columns = dict.fromkeys(key[1:] for key in lists.scores)
    heads = [f"{score}, ε = {total:g} in all" for _, total, score in columns]
    releases = dict.fromkeys(key[0] for key in lists.scores)
    rows = [(name, *(_cell(*lists.scores[name, *column]) for column in columns)) for name in releases]
    return Table(["Release", *heads], rows)


def of_users(everyone: Everyone, _lists: Lists) -> dict[str, Array]:
    hits = everyone.points[0].hits
    return {f"Hit Rate@1 of {label}": hits[name] for name, label in CURVES.items() if name != "wpm-minimax"}


def of_users_at_each(everyone: Everyone, _lists: Lists) -> dict[str, Array]:
    return {f"Hit Rate@1 of {CURVES['wpm']}, ε = {p.epsilon:g}": p.hits["wpm"] for p in everyone.points}


VIEWS = (
    movies_view(
        key="movies.everyone",
        heavy=lambda config: True,
        title="Everyone at this ε",
        compute=lambda config, *given: at_epsilons(config, (config.epsilon,), *given),
        show=show,
        headlines=lambda *results: means(of_users(*results)),
        runs=of_users,
        parameters=lambda config: link(config, "everyone"),
    ),
    movies_view(
        key="movies.sweep",
        heavy=lambda config: True,
        title="Everyone against ε",
        compute=lambda config, *given: at_epsilons(config, EPSILONS, *given),
        show=show_sweep,
        # Kept is everyone at this epsilon, which the sweep may not have.
        tabs=(Tab("everyone", "Everyone", pinned="movies.everyone", idle=("mechanisms",)),),
        # The curves stay, computed once; the ten releases are few.
        scrub=("epsilon",),
        headlines=lambda *results: means(of_users_at_each(*results)),
        runs=of_users_at_each,
        parameters=lambda config: link(config, "everyone"),
    ),
)
