"""Linear questions to an embedding: noise by distance beside the baselines for whole users, all errors exact."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

import numpy as np
import pandas as pd

from dpot_app.views.metric.pays.results import RATIOS
from dpot_app.views.metric.settings import LinearConfig
from dpot_core.datasets.texts_and_graphs import neighbouring_states, spoken_words
from dpot_core.mechanisms.metric.noise import MetricNoise, metric_noise, user_level_noise
from dpot_core.mechanisms.metric.queries import LinearQuery, embedding_similarity
from dpot_core.mechanisms.sphere import sphere_base, sphere_mechanism


@dataclass(frozen=True)
class Release:
    """A release of the whole answer.

    ``error(alpha)`` is the root mean square of its distance from the truth, at most that for the caps; whole-user
    releases do not read alpha.
    """

    label: str
    by_distance: bool
    order: str  # what Table 2a and Lemmas 6.1 to 6.3 say, without constants
    error: Callable[[float], float]
    pure: bool = True  # whether its slack is 0


@dataclass(frozen=True, eq=False)
class Linear:
    config: LinearConfig
    query: LinearQuery
    releases: Mapping[str, Release]
    errors: Mapping[str, tuple[float, ...]]  # at `RATIOS`; nan where alpha is too large for Gaussian noise

    def at_ratio(self, name: str) -> float:
        """The error at the chosen alpha/epsilon."""
        return self.releases[name].error(self.config.epsilon * self.config.ratio)

    @property
    def best_for_users(self) -> str:
        """The whole-user release with the smallest error."""
        whole = [name for name, release in self.releases.items() if not release.by_distance]
        return min(whole, key=self.at_ratio)

    @property
    def crossover(self) -> float:
        """The alpha/epsilon at which K-norm noise by distance has the error of the best for whole users.

        Its error is in proportion to 1/alpha.
        """
        return self.releases["distance"].error(self.config.epsilon) / self.at_ratio(self.best_for_users)

    def tables(self) -> dict[str, pd.DataFrame]:
        rows = [
            {
                "release": release.label,
                "promise": "by distance" if release.by_distance else "whole user",
                "order in the paper": release.order,
                "alpha/epsilon": ratio,
                "error": error,
            }
            for name, release in self.releases.items()
            for ratio, error in zip(
                (*RATIOS, self.config.ratio), (*self.errors[name], self.at_ratio(name)), strict=True
            )
        ]
        slope, known = self.query.slope, {"crossover alpha/epsilon": self.crossover}
        known |= {"Lipschitz constant": slope.constant, "largest change": slope.spread}
        return {"linear-errors": pd.DataFrame(rows), "linear-question": pd.DataFrame([known])}


def run(config: LinearConfig) -> Linear:
    query = _query(config)
    releases = _local(config, query) if config.model == "local" else _central(config, query)
    ratios = [ratio * config.epsilon for ratio in RATIOS]
    return Linear(config, query, releases, {name: tuple(map(one.error, ratios)) for name, one in releases.items()})


def _query(config: LinearConfig) -> LinearQuery:
    """Orthonormal items asked for by themselves, or one direction among the words or states."""
    if config.items == "orthonormal":
        return embedding_similarity(np.eye(config.d), np.eye(config.d))[1]
    items = spoken_words() if config.items == "text" else neighbouring_states()
    return embedding_similarity(items.vectors, items.direction)[1]


def _longest(query: LinearQuery) -> float:
    """The longest answer of one item: the norm from the 1-norm to the 2-norm of F Phi."""
    return float(np.linalg.norm(query.values, axis=1).max())


def _always(error: float) -> Callable[[float], float]:
    return partial(_same, error)


def _same(error: float, alpha: float) -> float:
    return error


def _rms_error(query: LinearQuery, users: int, releases: int, kind: str, delta: float, alpha: float) -> float:
    if kind == "gaussian" and alpha > 700.0:  # more than the calibration takes
        return math.nan
    return metric_noise(query, alpha, users, kind, delta).rms_error(releases)


def _by_distance(config: LinearConfig, query: LinearQuery, users: int, releases: int) -> dict[str, Release]:
    n, error = "√n" if users == 1 else "n", partial(partial, _rms_error, query, users, releases)
    return {
        "distance": Release("K-norm (Algorithm 1)", True, f"d/(α {n})", error("k-norm", 0.0)),
        "gaussian": Release(
            "Gaussian (Lemma 6.2)", True, f"√d ‖F‖ √ln(1/δ)/(α {n})", error("gaussian", config.delta), False
        ),
    }


def _local(config: LinearConfig, query: LinearQuery) -> dict[str, Release]:
    """Everybody alone; a cap's output has one length, and its mean is the person's answer.

    Duchi et al. draw a sign of the answer's direction, so that it gets the length R of the longest, and then a point
    of a half-sphere around it with probability e^epsilon/(1 + e^epsilon). PrivUnit takes the best cap in place of half.
    In one dimension both are randomized response on two points, of mean cosine tanh(epsilon/2). The mean square error
    is (R/cosine)^2 less the square of the answer, which is left out.
    """
    n, epsilon, d, longest = config.users, config.epsilon, query.dimensions, _longest(query)
    caps = {"duchi": ("Duchi et al. (Lemma 6.1)", math.tanh(epsilon / 2))}
    if d > 1:
        half = sphere_mechanism(d - 1, epsilon, 2.0, 1.0 / math.cosh(epsilon / 2))
        caps["duchi"] = (caps["duchi"][0], half.mean_cosine)
        caps["privunit"] = ("PrivUnit", sphere_base(d - 1, epsilon, 2.0).mean_cosine)
    found = _by_distance(config, query, 1, n)
    for name, (label, cosine) in caps.items():
        found[name] = Release(label, False, "‖FΦ‖ √d/(ε √n)", _always(longest / cosine / math.sqrt(n)))
    noise = user_level_noise(query, epsilon).rms_error(n)
    return found | {"users": Release("K-norm, 2-norm", False, "", _always(noise))}


def _central(config: LinearConfig, query: LinearQuery) -> dict[str, Release]:
    """A curator: Hardt and Talwar's K is the image of the 1-norm's ball, in which a replaced history moves 2/n.

    For orthonormal items that is the ball itself; one direction has an interval, as far as the longest answer.
    """
    n, epsilon = config.users, config.epsilon
    best = MetricNoise("k-norm", 2.0 * _longest(query) / (n * epsilon), query.dimensions, "1-norm").rms_error()
    noise = user_level_noise(query, epsilon, n).rms_error()
    return _by_distance(config, query, n, 1) | {
        "hardt-talwar": Release("Hardt and Talwar (Lemma 6.3)", False, "‖FΦ‖ √d ln(k/d)/(ε n)", _always(best)),
        "users": Release("K-norm, 2-norm", False, "", _always(noise)),
    }
