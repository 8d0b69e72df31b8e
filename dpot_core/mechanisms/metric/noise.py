r"""Noise whose density falls by a factor per unit of a norm, and Gaussian noise, with exact errors.

The promises are those of real numbers; the draws are float64, whose last digits can give the truth away (Mironov
2012): a demonstration. No release for real is offered here; see `secure_reports` for what there is.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import scipy

from dpot_core.arguments import Array, check_count, check_number
from dpot_core.mechanisms.metric.lipschitz import check_norm
from dpot_core.mechanisms.metric.protection import check_rate
from dpot_core.mechanisms.metric.queries import LinearQuery, refuse_hard_edge
from dpot_core.privacy.accounting import gaussian_noise

#: Kinds of noise and their names on screen.
VIEWS = {"k-norm": "K-norm noise", "gaussian": "Gaussian noise"}


@dataclass(frozen=True)
class MetricNoise:
    r"""Noise of d numbers.

    "k-norm": density ``exp(-||x||/scale) / (d! vol(B) scale^d)`` with B the unit ball of the norm. In the 1-norm these
    are d independent Laplace draws. It is drawn as ``g U``: ``g ~ Gamma(d, scale)``, U on the unit sphere of the norm
    by its *cone measure* (the direction of a point that is uniform in the ball). For the 1-, 2- and inf-norm the cone
    measure is the surface measure; for other norms it is not. "gaussian": d independent N(0, scale^2).

    Attributes:
        kind: a key of ``VIEWS``.
        scale: in units of the answer.
        dimensions: d.
        norm: a key of ``NORMS``; of "k-norm" noise.
    """

    kind: str
    scale: float
    dimensions: int = 1
    norm: str = "2-norm"

    def __post_init__(self) -> None:
        if self.kind not in VIEWS:
            raise ValueError(f"kind must be one of {', '.join(VIEWS)}; got {self.kind!r}")
        check_norm(self.norm)
        check_count(self.dimensions, "dimensions")
        check_number(self.scale, "scale", 0.0, 1e300)

    def sample(self, n: int, rng: np.random.Generator) -> Array:
        """Draw n times, (n, d)."""
        shape = (n, self.dimensions)
        if self.kind == "gaussian":
            return rng.normal(0.0, self.scale, shape)
        size = rng.gamma(self.dimensions, self.scale, (n, 1))
        return np.asarray(size * cone_directions(n, self.dimensions, self.norm, rng))

    def log_density(self, x: Array) -> Array:
        """Natural logarithm of the density at x (n, d)."""
        d = self.dimensions
        if self.kind == "gaussian":
            return np.asarray(scipy.stats.norm.logpdf(x, scale=self.scale).sum(axis=-1))
        size = np.linalg.norm(x, ord=check_norm(self.norm), axis=-1)
        constant = scipy.special.gammaln(d + 1) + _log_ball(d, self.norm) + d * math.log(self.scale)
        return np.asarray(-size / self.scale - constant)

    def rms_error(self, releases: int = 1) -> float:
        r"""``sqrt(E ||mean of the noise of independent releases||_2^2)``, exact.

        Args:
            releases: how many independent draws are averaged (users, in the local model).

        Returns:
            In units of the answer.
        """
        return math.sqrt(self._second_moment() / check_count(releases, "releases"))

    def mean_error(self, releases: int = 1) -> float:
        r"""``E ||mean of the noise of independent releases||_2``, exact.

        Gaussian: ``sigma sqrt(2/n) G((d+1)/2)/G(d/2)`` with G the Gamma function. K-norm in the 2-norm: one draw is a
        Gaussian vector whose variance is ``Gamma((d+1)/2, 2 scale^2)`` (its characteristic function is
        ``(1 + scale^2 |t|^2)^(-(d+1)/2)``), so a sum of n draws is one with shape ``n (d+1)/2``, and the expectation of
        its length is a quotient of Gamma functions. The same for one number, where all norms agree. At n = 1 it
        is ``d scale``.

        Args:
            releases: n, how many independent draws are averaged.

        Returns:
            In units of the answer.

        Raises:
            ValueError: for vectors with 1-norm or inf-norm noise, where no closed form exists: use ``rms_error``.
        """
        n, d = check_count(releases, "releases"), self.dimensions
        length = math.sqrt(2.0) * math.exp(scipy.special.gammaln((d + 1) / 2) - scipy.special.gammaln(d / 2))
        if self.kind == "gaussian":
            return self.scale * length / math.sqrt(n)
        if self.norm != "2-norm" and d > 1:
            raise ValueError(f"norm must be '2-norm' for a closed form of the mean; got {self.norm!r}: use rms_error")
        shape = n * (d + 1) / 2
        ratio = math.exp(scipy.special.gammaln(shape + 0.5) - scipy.special.gammaln(shape))
        return math.sqrt(2.0) * self.scale * ratio * length / n

    def _second_moment(self) -> float:
        d = self.dimensions
        if self.kind == "gaussian":
            return d * self.scale**2
        if self.norm == "1-norm":
            return 2.0 * d * self.scale**2
        # E g^2 = d (d + 1) scale^2, times E ||U||_2^2: 1 on the sphere; on the cube one coordinate is 1 and the
        # others are uniform in [-1, 1].
        direction = 1.0 if self.norm == "2-norm" else 1.0 + (d - 1) / 3.0
        return d * (d + 1) * self.scale**2 * direction


def cone_directions(n: int, dimensions: int, norm: str, rng: np.random.Generator) -> Array:
    """Directions on the unit sphere of a norm by its cone measure, (n, d): where uniform points of the ball point to.

    Args:
        n: how many.
        dimensions: d.
        norm: a key of ``NORMS``.
        rng: source of randomness.

    Returns:
        Points whose norm is 1.

    Source:
        Hardt and Talwar 2010, section 4 (K-norm mechanism); metric_dp_emd, Algorithm 1.
    """
    order = check_norm(norm)
    if order == 1.0:
        draws = rng.laplace(size=(n, dimensions))
    elif order == 2.0:
        draws = rng.normal(size=(n, dimensions))
    else:
        draws = rng.uniform(-1.0, 1.0, (n, dimensions))
    # Each of these densities depends on the norm alone, so its direction follows the cone measure.
    return np.asarray(draws / np.linalg.norm(draws, ord=order, axis=1, keepdims=True))


def metric_noise(
    query: LinearQuery, alpha: float, users: int = 1, kind: str = "k-norm", delta: float = 0.0
) -> MetricNoise:
    r"""Noise that makes a linear query (alpha, delta)-d_EM-private.

    An answer moves by at most ``l d/n`` between two histories of one person at ``d = d_EM(K, K')``, ``l`` the Lipschitz
    constant: K-norm noise has scale ``l/(alpha n)``, Gaussian noise the standard deviation ``z l/n`` with the exact
    slack delta at the largest distance, 1. Nearer pairs have the smaller slack of ``gaussian_slack``. The paper's width
    ``z = sqrt(1.25 log(1/delta))/alpha`` does not do that. Proof: ``docs/proofs/metric_noise.md``.

    Args:
        query: what is asked.
        alpha: nats per largest distance.
        users: n over whom a trusted curator averages before the noise; 1 in the local model.
        kind: "k-norm" (pure) or "gaussian".
        delta: additive slack at the largest distance; 0 for "k-norm", in (0, 1) for "gaussian".

    Returns:
        The noise.

    Raises:
        ValueError: if the query jumps, an argument is out of range, or delta does not go with the kind.

    Source:
        metric_dp_emd, Algorithm 1, Theorem 4.1, Lemma 4.2.
    """
    refuse_hard_edge(query)
    rate, n = check_rate(alpha), check_count(users, "users")
    return _noise(query, query.slope.constant / n, rate, kind, delta)


def user_level_noise(
    query: LinearQuery, epsilon: float, users: int = 1, kind: str = "k-norm", delta: float = 0.0
) -> MetricNoise:
    """The baseline: noise that hides any change of one person's whole history, (epsilon, delta)-DP.

    The mean over n persons moves by at most ``max ||f(x) - f(x')||/n``, at two histories of one place each.

    Args:
        query: what is asked; it may jump.
        epsilon: privacy parameter, nats.
        users: n over whom a trusted curator averages before the noise; 1 in the local model.
        kind: "k-norm" (pure) or "gaussian".
        delta: additive slack; 0 for "k-norm".

    Returns:
        The noise.

    Raises:
        ValueError: if an argument is out of range.

    Source:
        metric_dp_emd, Definitions 2.1 and 2.2.
    """
    return _noise(query, query.slope.spread / check_count(users, "users"), check_rate(epsilon, "epsilon"), kind, delta)


def gaussian_slack(ratio: float, alpha: float, distance: float) -> float:
    """Exact slack of Gaussian noise between histories at a distance: ``delta(d)`` of ``metric_noise``.

    Args:
        ratio: z, standard deviation over the largest change of the answer per largest distance.
        alpha: nats per largest distance.
        distance: d, in [0, 1].

    Returns:
        The smallest delta for which that pair is (alpha d, delta)-indistinguishable.
    """
    z, rate = check_number(ratio, "ratio", 1e-300, 1e300), check_rate(alpha)
    d = check_number(distance, "distance", 0.0, 1.0)
    if d == 0.0:
        return 0.0
    near = scipy.stats.norm.cdf(d / (2.0 * z) - rate * z)
    far = math.exp(rate * d + float(scipy.stats.norm.logcdf(-d / (2.0 * z) - rate * z)))
    return max(float(near) - far, 0.0)


def _noise(query: LinearQuery, change: float, budget: float, kind: str, delta: float) -> MetricNoise:
    if kind == "gaussian":
        if query.norm != "2-norm":
            raise ValueError(f"Gaussian noise hides changes in the 2-norm; the query is measured in the {query.norm}")
        if budget > 700.0:
            raise ValueError(f"alpha must be at most 700 for Gaussian noise; got {budget:g}: use K-norm noise")
        if not delta > 0.0:
            raise ValueError(f"delta must be more than 0 for Gaussian noise; got {delta:g}")
        scale = gaussian_noise(budget, delta, change)
    else:
        if delta != 0.0:
            raise ValueError(f"delta must be 0 for {kind} noise, which needs none; got {delta:g}")
        scale = change / budget
    return MetricNoise(kind, scale, query.dimensions, query.norm)


def _log_ball(d: int, norm: str) -> float:
    """Logarithm of the volume of the unit ball."""
    if norm == "1-norm":
        return d * math.log(2.0) - float(scipy.special.gammaln(d + 1))
    if norm == "2-norm":
        return d / 2 * math.log(math.pi) - float(scipy.special.gammaln(d / 2 + 1))
    return d * math.log(2.0)
