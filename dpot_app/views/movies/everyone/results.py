from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass

import numpy as np
import pandas as pd
from threadpoolctl import threadpool_limits

from dpot_app.films.catalogue import Films
from dpot_app.films.releases import (
    MECHANISMS,
    REFERENCES,
    Kernel,
    genre_kpm,
    genres_prior,
    make_base,
    make_releases,
    references,
    wpm,
)
from dpot_app.films.scores import LIST, hit_rate, hit_rate_of_list, mean_and_error, ndcg_of_list
from dpot_app.kit.cache import cached
from dpot_app.kit.view import Files
from dpot_app.views.movies.data import films_of
from dpot_app.views.movies.settings import Config
from dpot_core.arguments import Array
from dpot_core.arguments.progress import Progress, part_of
from dpot_core.base_measures import uniform_base

#: The sweep of the paper's experiment (Fig. 2): values of epsilon, and scales of the uniform base that are tried.
EPSILONS = (0.2, 0.5, 1.0, 2.0, 3.0, 4.0)
SCALES = 9

#: What is compared, with names on screen. "wpm" and "kpm" choose the mass of their uniform base on validation users. So
#: does KPM around the public prior of genres, of which the mass says for how large a factor it is made.
CURVES = MECHANISMS | {
    "wpm-prior": "WPM, public prior",
    "wpm-minimax": "WPM, minimax base",
    "kpm-prior": "Genre KPM, public prior",
}

#: Which mechanisms the title compares WPM with.
RIVALS = {name: MECHANISMS[name] for name in ("kpm", "em")}

# Validation users that share a call, which is what progress counts: few enough to have few train films between them.
_PART, _PART_EXACT = 50, 10


@dataclass(frozen=True)
class Point:
    """Everyone at one epsilon, in nats, of the one film that each user releases."""

    epsilon: float
    hits: dict[str, Array]  # probability that the release is liked, by curve, for each test user, (n,)
    mass: dict[str, float]  # of the uniform base that was chosen on validation users, for "wpm", "kpm" and "kpm-prior"
    tried: dict[str, Array]  # by curve: masses, mean Hit Rate@1 of the validation users with each, (SCALES, 2)


@dataclass(frozen=True)
class Everyone:
    films: Films
    points: tuple[Point, ...]  # ascending in epsilon
    references: dict[str, Array]  # probability that the release is liked, for each test user, (n,)

    def differences(self, one: str, other: str) -> list[tuple[float, float]]:
        """Mean over the users of the difference between two releases, and its standard error, at each epsilon.

        The users are the same: the error of their differences is smaller than the errors of both means suggest.
        """
        hits = [self.references | point.hits for point in self.points]
        return [mean_and_error(each[one] - each[other]) for each in hits]

    def ahead(self, one: str, other: str) -> list[bool]:
        """Whether one release is liked more often than another by more than two standard errors, at each epsilon."""
        return [mean > 2 * error for mean, error in self.differences(one, other)]

    @property
    def minimax_ignores(self) -> bool:
        """Whether WPM with the minimax base releases any film with one probability, whatever the input."""
        uniform = self.references["uniform"]
        return all(np.allclose(point.hits["wpm-minimax"], uniform, rtol=1e-6) for point in self.points)

    def tables(self) -> dict[str, pd.DataFrame]:
        rows, tried = [], []
        for point in self.points:
            for name, hits in (point.hits | self.references).items():
                mean, error = mean_and_error(hits)
                rows.append(
                    {
                        "simulated": self.films.simulated,
                        "epsilon": point.epsilon,
                        "release": (CURVES | REFERENCES)[name],
                        "Hit Rate@1": mean,
                        "standard error": error,
                        "users": len(hits),
                        "mass chosen": point.mass.get(name, np.nan),
                    }
                )
            for name, table in point.tried.items():
                where = {"simulated": self.films.simulated, "epsilon": point.epsilon, "release": CURVES[name]}
                tried += [{**where, "mass": mass, "Hit Rate@1": mean} for mass, mean in table]
        paired = [
            {
                "simulated": self.films.simulated,
                "epsilon": point.epsilon,
                "difference": f"{CURVES['wpm']} minus {label}",
                "mean": mean,
                "standard error": error,
            }
            for name, label in RIVALS.items()
            for point, (mean, error) in zip(self.points, self.differences("wpm", name), strict=True)
        ]
        tables = {"hit-rate": rows, "paired-differences": paired, "masses-tried": tried}
        return {name: pd.DataFrame(table) for name, table in tables.items()}


@dataclass(frozen=True)
class Lists:
    simulated: bool
    #: (release, epsilon of each, epsilon in all, score) -> mean and standard error.
    scores: dict[tuple[str, float, float, str], tuple[float, float]]

    def tables(self) -> dict[str, pd.DataFrame]:
        heads = ("release", "epsilon of each release", "epsilon in all", "score", "mean", "standard error")
        rows = [dict(zip(heads, (*key, *value), strict=True)) for key, value in self.scores.items()]
        return {"ten-releases": pd.DataFrame([{"simulated": self.simulated, **row} for row in rows])}


@cached
def everyone_at(films: Films, epsilon: float, reg: float | None, progress: Progress | None = None) -> Point:
    """Hit Rate@1 of all test users at one epsilon; the uniform bases' masses are chosen on the validation users.

    Args:
        films: the catalogue.
        epsilon: privacy parameter in nats.
        reg: entropic weight lambda of WPM, in units of the cosine distance; None for exact.
        progress: called with (steps done, steps in all).
    """
    learn, liked = films.inputs_of(films.learning), films.liked_by(films.learning)
    k_v, genres = len(films.candidates), genres_prior(films)
    families: dict[str, Callable[[float], Kernel]] = {
        "wpm": lambda mass: wpm(films, uniform_base(k_v, mass), epsilon, reg),
        "kpm": lambda mass: genre_kpm(films, epsilon, mass),
        "kpm-prior": lambda mass: genre_kpm(films, epsilon, mass, genres),
    }
    work = [(name, float(mass)) for name in families for mass in mass_grid(epsilon)]
    size = _PART if reg is not None else _PART_EXACT
    parts = [slice(start, start + size) for start in range(0, len(learn), size)]

    def total(name: str, mass: float, part: slice) -> float:
        return float(hit_rate(families[name](mass)(learn[part]), liked[part]).sum())

    # Matrix products let go of Python's lock, so that two threads use two cores; BLAS must then not split them again.
    pool = ThreadPoolExecutor(max_workers=2)
    try:
        with threadpool_limits(1, user_api="blas"):
            jobs = {pool.submit(total, *item, part): item for item in work for part in parts}
            for done, _ in enumerate(as_completed(jobs), 1):
                if progress is not None:
                    progress(done, len(jobs) + 1)
    finally:
        pool.shutdown(cancel_futures=True)
    # Added up in their own order, whichever thread is done first: the last digit would tell.
    mean: dict[tuple[str, float], float] = dict.fromkeys(work, 0.0)
    for job, item in jobs.items():
        mean[item] += job.result() / len(learn)
    tried = {name: np.array([(m, mean[n, m]) for n, m in work if n == name]) for name in families}
    mass = {name: float(table[table[:, 1].argmax(), 0]) for name, table in tried.items()}
    mu, likes = films.inputs_of(films.test), films.liked_by(films.test)
    kernels = {name: families[name](mass[name]) for name in families}
    rest = make_releases(films, make_base(films, "prior", epsilon), epsilon, reg)
    kernels |= {name: kernel for name, kernel in rest.items() if name not in families}
    kernels["wpm-prior"] = rest["wpm"]
    kernels["wpm-minimax"] = wpm(films, make_base(films, "minimax", epsilon), epsilon, reg)
    hits = {name: hit_rate(kernels[name](mu), likes) for name in CURVES}
    if progress is not None:
        progress(len(jobs) + 1, len(jobs) + 1)
    return Point(epsilon, hits, mass, tried)


def mass_grid(epsilon: float) -> Array:
    """The masses that are tried: `SCALES` of them, geometric in [e^(-epsilon/2), e^(epsilon/2)].

    Source: wpm_2605.10015, appendix N.
    """
    low, high = np.exp(-epsilon / 2), np.exp(epsilon / 2)
    return np.clip(np.geomspace(low, high, SCALES), low, high)


def everyone(films: Films, points: Sequence[Point]) -> Everyone:
    """Put the values of epsilon beside each other, and what needs no privacy or no input."""
    mu, liked = films.inputs_of(films.test), films.liked_by(films.test)
    outputs = references(films, mu)
    rates = {name: hit_rate(outputs[name], liked) for name in REFERENCES}
    return Everyone(films, tuple(sorted(points, key=lambda point: point.epsilon)), rates)


@cached
def lists(films: Films, base: str, epsilon: float, reg: float | None, progress: Progress | None = None) -> Lists:
    """Ten independent releases by each test user: each at epsilon (10 epsilon in all), or each at a tenth of it."""
    mu, liked = films.inputs_of(films.test), films.liked_by(films.test)
    scores: dict[tuple[str, float, float, str], tuple[float, float]] = {}
    for step, each in enumerate((epsilon, epsilon / LIST)):
        kernels = make_releases(films, make_base(films, base, each), each, reg)
        for name, kernel in kernels.items():
            outputs = kernel(mu)
            if step == 0:
                scores[CURVES[name], each, each, "Hit Rate@1"] = mean_and_error(hit_rate(outputs, liked))
            total = each * LIST
            scores[CURVES[name], each, total, "Hit Rate@10"] = mean_and_error(hit_rate_of_list(outputs, liked))
            scores[CURVES[name], each, total, "NDCG@10"] = mean_and_error(ndcg_of_list(outputs, liked))
        if progress is not None:
            progress(step + 1, 2)
    return Lists(films.simulated, scores)


def at_epsilons(config: Config, epsilons: Sequence[float], files: Files, progress: Progress) -> tuple[Everyone, Lists]:
    """Everyone at some values of epsilon, and ten releases of each at that of the settings."""
    films, count = films_of(config, files), len(epsilons) + 1
    points = [everyone_at(films, each, config.reg, part_of(progress, i, count)) for i, each in enumerate(epsilons)]
    ten = lists(films, config.base, config.epsilon, config.reg, part_of(progress, count - 1, count))
    return everyone(films, points), ten
