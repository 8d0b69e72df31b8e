"""What the movies page is asked for: data, split, base measure, privacy parameter, users."""

from __future__ import annotations

from dpot_core.datasets import FILM_DATASETS
from dpot_core.mechanisms import compared_in_distance
from dpot_core.studies._kit.privacy import epsilon
from dpot_core.studies._kit.setting import choice, free, group, number, settings, whole

#: Mechanisms that release a film under epsilon-LDP, with their names on screen; KPM acts on the films' genres.
MECHANISMS = {name: row.label for name, row in compared_in_distance().items()} | {"kpm": "Genre KPM"}

#: Base measures of WPM, with their names in words.
BASES = {
    "rule": "uniform, mass e^(ε/4)",
    "minimax": "minimax",
    "prior": "likes of the validation users, mass e^(ε/4)",
}

#: The sweep of the paper's experiment (Fig. 2): values of epsilon, and scales of the uniform base that are tried.
EPSILONS = (0.2, 0.5, 1.0, 2.0, 3.0, 4.0)
SCALES = 9

#: Iterations of Algorithm 1, as in the paper's experiments.
ITERATIONS = 40

#: A user likes a film to which they give this many stars or more.
LIKED = 4.0

#: Shares of the films that make inputs and of the users who are set aside for everything that is learned.
TRAIN_FILMS = 0.8
VALIDATION_USERS = 0.8

#: Relative gap to which the minimax base measure is solved.
MINIMAX_TOLERANCE = 1e-2

#: Stands for the reader's own profile in `Config.user` and `Config.other`.
OWN = "(my own profile)"

REGS = (0.0, 3e-3, 0.01, 0.03, 0.1)
# These words stand in people's links: add, but do not reword.
SOURCES = {key: data.title for key, data in FILM_DATASETS.items()} | {"csv": "My CSV files"}
BASE_LABELS = {"rule": "Uniform", "minimax": "Minimax", "prior": "Public prior"}
BASE_HELP = (
    "WPM puts between e^(-ε/2) and e^(ε/2) times this measure on each film. Uniform: mass e^(ε/4), which needs no data "
    "(Everyone chooses the mass on validation users, as the paper does). Minimax: the smallest worst case. Public "
    "prior: how many validation users like each film, mass e^(ε/4)."
)
REG_HELP = (
    f"Weight of the entropy in Algorithm 1 ({ITERATIONS} iterations), in units of the cosine distance, which lies in "
    "[0, 2]: λ means nothing without that scale. Exact takes longer."
)


@settings
class Split:
    """Who and what is set aside, and how films are embedded; the defaults are the paper's.

    Attributes:
        seed: of the random split of films and users.
        dimensions: principal components that are kept.
        centred: whether each film's mean is taken out first.
        candidates: at most so many test films may be released: those that most validation users rated.
    """

    seed: int = whole("Seed of the split", 0, low=0, high=2**32, soft=(0, 99), widget="slider", link="split")
    dimensions: int = whole(
        "Principal components", 64, low=2, high=1000, soft=(2, 128), step=8.0, widget="slider", link="dimensions"
    )
    centred: bool = free("Centre the ratings of each film first", False, widget="toggle", link="centred")
    candidates: int = whole(
        "Films that can be released",
        250,
        low=2,
        high=500,
        soft=(10, 500),
        step=25.0,
        widget="slider",
        link="candidates",
    )


@settings
class Config:
    """All settings of the page; split, lambda and iterations default to those of wpm_2605.10015, section 5.2.

    Attributes:
        source: a key of `dpot_core.datasets.FILM_DATASETS`, or "csv".
        split: what is learned from whom.
        base: base measure of WPM: a key of `BASES`.
        epsilon: privacy parameter in nats, of one release.
        reg: entropic weight lambda of WPM, in units of the cosine distance; None for exact.
        user: name of the test user who is shown, or `OWN`; "" for the one who rated most films.
        other: the second user, for whoever compares two; "" for the one who rated second most.
        profile: for `OWN`: (film, stars) of one's own.
        columns: for "csv": (role, column) of the ratings file.
    """

    source: str = choice("Data", "simulated", SOURCES, link="data")
    split: Split = group(Split)
    base: str = choice("Base measure of WPM", "rule", BASE_LABELS, link="base", help=BASE_HELP)
    epsilon: float = epsilon(2.0)
    reg: float | None = number(
        "Entropic weight λ",
        0.01,
        low=1e-4,
        high=1.0,
        step=2.0,
        factor=True,
        empty="exact",
        grid=REGS,
        widget="steps",
        link="lambda",
        help=REG_HELP,
    )
    user: str = free("User (empty: who rated most)", "")
    other: str = free("Second user (empty: who rated second most)", "")
    profile: tuple[tuple[int, float], ...] = free("Own ratings: film, stars", ())
    columns: tuple[tuple[str, str], ...] = free("Columns of the file", ())
