"""What the movies page is asked for: data, split, base measure, privacy parameter, users."""

from __future__ import annotations

from dataclasses import dataclass, field

from dpot_core.mechanisms import compared_in_distance

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


@dataclass(frozen=True)
class Split:
    """Who and what is set aside, and how films are embedded; the defaults are the paper's.

    Attributes:
        seed: of the random split of films and users.
        dimensions: principal components that are kept.
        centred: whether each film's mean is taken out first.
        candidates: at most so many test films may be released: those that most validation users rated.
    """

    seed: int = 0
    dimensions: int = 64
    centred: bool = False
    candidates: int = 250


@dataclass(frozen=True)
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

    source: str = "simulated"
    split: Split = field(default_factory=Split)
    base: str = "rule"
    epsilon: float = 2.0
    reg: float | None = 0.01
    user: str = ""
    other: str = ""
    profile: tuple[tuple[int, float], ...] = ()
    columns: tuple[tuple[str, str], ...] = ()
