"""Linear queries with noise: each person alone (local model), or a curator for all (central model).

In float64, hence a demonstration and no release for real: see `noise`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from dpot_core.arguments import Array, check_count, check_distributions, check_finite
from dpot_core.mechanisms.metric.noise import MetricNoise, metric_noise, user_level_noise
from dpot_core.mechanisms.metric.queries import LinearQuery

#: Who adds the noise.
MODELS = {"local": "each person (local)", "central": "a trusted curator (central)"}


@dataclass(frozen=True)
class LinearRelease:
    """Noisy answers to a linear query about the mean of people.

    Attributes:
        truth: the mean of the people's answers, (d,).
        answers: released, one row per repetition, (repeats, d).
        noise: of one release: of each person's answer locally, of the mean centrally.
        releases: how many releases were averaged: the number of people locally, 1 centrally.
    """

    truth: Array
    answers: Array
    noise: MetricNoise
    releases: int

    @property
    def errors(self) -> Array:
        """Distance of each answer from the truth in the 2-norm, (repeats,)."""
        return np.asarray(np.linalg.norm(self.answers - self.truth, axis=1))

    @property
    def rms_error(self) -> float:
        """Exact root mean square of the errors."""
        return self.noise.rms_error(self.releases)


def release_linear(
    query: LinearQuery,
    mu: ArrayLike,
    alpha: float,
    rng: np.random.Generator,
    model: str = "local",
    kind: str = "k-norm",
    delta: float = 0.0,
    repeats: int = 1,
) -> LinearRelease:
    r"""Mean of the people's answers ``q_f(K_i) = E f(x)``, (alpha, delta)-d_EM-private for each of them.

    "local": every person adds noise of scale ``l/alpha`` to their own answer, and anyone averages. "central": a
    curator averages and adds noise of scale ``l/(alpha n)``. Neighbours differ in the history of one person; n and the
    space are public. Proof in ``metric_noise``.

    Args:
        query: what is asked.
        mu: distribution of each person over the space, (n, k), or (k,) of one.
        alpha: nats per largest distance.
        rng: source of randomness.
        model: a key of ``MODELS``.
        kind: "k-norm" or "gaussian".
        delta: additive slack of Gaussian noise.
        repeats: how often the release is repeated, for a picture; each repetition spends alpha again.

    Returns:
        Truth, answers and the noise.

    Raises:
        ValueError: if an argument is out of range or the query jumps.

    Source:
        metric_dp_emd, Algorithm 1.
    """
    people = _people(model, mu, query)
    noise = metric_noise(query, alpha, 1 if model == "local" else people, kind, delta)
    return noisy_mean(np.atleast_2d(query(mu)), noise, model, rng, repeats)


def release_user_level(
    query: LinearQuery,
    mu: ArrayLike,
    epsilon: float,
    rng: np.random.Generator,
    model: str = "local",
    kind: str = "k-norm",
    delta: float = 0.0,
    repeats: int = 1,
) -> LinearRelease:
    """The same query under user-level DP: any change of a person's whole history stays within ``epsilon``.

    Args:
        query: what is asked.
        mu: distribution of each person over the space, (n, k), or (k,) of one.
        epsilon: privacy parameter, nats.
        rng: source of randomness.
        model: a key of ``MODELS``.
        kind: "k-norm" or "gaussian".
        delta: additive slack of Gaussian noise.
        repeats: how often the release is repeated, for a picture.

    Returns:
        Truth, answers and the noise.

    Raises:
        ValueError: if an argument is out of range.

    Source:
        metric_dp_emd, Definitions 2.1 and 2.2.
    """
    people = _people(model, mu, query)
    noise = user_level_noise(query, epsilon, 1 if model == "local" else people, kind, delta)
    return noisy_mean(np.atleast_2d(query(mu)), noise, model, rng, repeats)


def _people(model: str, mu: ArrayLike, query: LinearQuery) -> int:
    if model not in MODELS:
        raise ValueError(f"model must be one of {', '.join(MODELS)}; got {model!r}")
    rows, _ = check_distributions(mu, "mu", len(query.values))
    return len(rows)


def noisy_mean(
    answers: Array, noise: MetricNoise, model: str, rng: np.random.Generator, repeats: int = 1
) -> LinearRelease:
    """The mean of people's answers with noise that was calibrated before.

    Args:
        answers: of each person, (n, d).
        noise: of each person's answer ("local"), or of the mean ("central").
        model: a key of ``MODELS``.
        rng: source of randomness.
        repeats: how often the release is repeated, for a picture.

    Returns:
        Truth, noisy answers and the noise.

    Raises:
        ValueError: if the model is unknown or shapes do not fit.

    Source:
        metric_dp_emd, Algorithm 1.
    """
    if model not in MODELS:
        raise ValueError(f"model must be one of {', '.join(MODELS)}; got {model!r}")
    rows = check_finite(answers, "answers", non_negative=False)
    if rows.ndim != 2 or rows.shape[1] != noise.dimensions or not len(rows):
        raise ValueError(f"answers must have shape (n, {noise.dimensions}), not empty; got {rows.shape}")
    times, releases = check_count(repeats, "repeats"), len(rows) if model == "local" else 1
    truth = rows.mean(axis=0)
    drawn = np.stack([noise.sample(releases, rng).mean(axis=0) for _ in range(times)])
    return LinearRelease(truth, truth + drawn, noise, releases)
