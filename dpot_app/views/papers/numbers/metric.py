"""Metric privacy at the user level through the earth mover's distance: metric_dp_emd."""

import math

import numpy as np
from scipy.stats import binom, laplace

from dpot_app.views.papers.row import Number, Numbers, exact
from dpot_core.mechanisms.metric.clustered import ClusteredSpace
from dpot_core.mechanisms.metric.error_bounds import gkrr_bound, hadamard_bound, laplace_bound
from dpot_core.mechanisms.metric.frequency import laplace_scale
from dpot_core.mechanisms.metric.gkrr import Gkrr
from dpot_core.mechanisms.metric.noise import MetricNoise, gaussian_slack, metric_noise, user_level_noise
from dpot_core.mechanisms.metric.protection import earth_movers_distance, unit_distances
from dpot_core.mechanisms.metric.queries import embedding_similarity
from dpot_core.mechanisms.metric.reduction import bounded_rate, discrete_guarantee
from dpot_core.mechanisms.metric.shuffling import closed_form_rate, composition_rate, item_rate, shuffled_promise
from dpot_core.mechanisms.sphere import sphere_base, sphere_mechanism
from dpot_core.spaces import grid

CHANGES = ((1 / 30, 0.08), (1.0, 0.008))
_ALPHA, _DELTA, _ITEMS, _USERS = 25.0, 1e-12, 1_000, 100_000
ORDERS = "The paper gives an order without its constants"


def mean_distance() -> Numbers:
    noise = MetricNoise("k-norm", 1.0 / _ALPHA)
    mean = noise.mean_error(_USERS)
    printed = noise.scale / math.sqrt(_USERS)
    return exact(
        one_person=noise.mean_error(), all_as_printed=printed, all_exactly=mean, all_exactly_in_miles=mean * 12_500
    )


def item_rates() -> dict[str, Number]:
    """alpha_0 of the example, central: what every reading of the theorem and of (7) gives."""
    numbers = {
        f"α₀, {words}": Number(item_rate(_ALPHA, _DELTA, _ITEMS, _USERS, slack=slack).item_rate)
        for slack, words in (
            ("inside", "δ of Theorem 4.4 = 1e-12"),
            ("coarse", "δ exp(α) = 1e-12"),
            ("theorem", "δ' of Theorem 4.4 = 1e-12"),
        )
    }
    return numbers | {"α₀ by (7)": Number(closed_form_rate(_ALPHA, _DELTA, _ITEMS, _USERS))}


def closed_form() -> Numbers:
    """(7) in its second branch, alpha = 600, the example's m, n and delta: what Theorem 4.4 gives for its alpha_0."""
    alpha = 600.0
    rate = closed_form_rate(alpha, _DELTA, _ITEMS, _USERS)
    promise = shuffled_promise(rate, _DELTA * math.exp(-alpha), _ITEMS, _USERS)
    return item_rates() | {"α₀ by (7), α = 600": Number(rate), "α of Theorem 4.4 for it": Number(promise.alpha)}


def sensitivity() -> Numbers:
    """Theorem 4.1 on 200 pairs of histories: change of an answer over the distance, for a 1-Lipschitz question."""
    rng = np.random.default_rng(1)
    space = grid(5, 5, extent=(0, 1, 0, 1))
    distances = unit_distances(space)
    query = distances[0]
    shares = []
    for _ in range(200):
        mu, nu = rng.dirichlet(np.full(25, 0.3), 2)
        shares.append(abs(query @ (mu - nu)) / earth_movers_distance(mu, nu, distances))
    return exact(largest_change_per_distance=max(shares), Lipschitz_constant=1.0)


def gaussian_width() -> Numbers:
    printed = math.sqrt(1.25 * math.log(1 / _DELTA)) / _ALPHA
    low, high = printed, 3 * printed
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if gaussian_slack(middle, _ALPHA, 1.0) > _DELTA else (low, middle)
    return {
        "δ of the printed width at distance 1": Number(gaussian_slack(printed, _ALPHA, 1.0)),
        "width that is needed, over the printed one": Number(high / printed),
    }


def projection() -> Numbers:
    """Lemma 5.2's worst case: a fraction r moves by the largest distance, so draws differ like coins."""
    r, delta, s = 0.01, 1e-6, 100
    numbers = {}
    for words, additive in (("3/8", 3 / 8), ("3/(8 s)", 3 / (8 * s)), ("3/s", 3 / s)):
        bound = (1 + math.sqrt(2)) * r + additive * math.log(1 / delta)
        numbers[f"bound with {words}"] = Number(bound)
        numbers[f"P[farther] with {words}, over δ"] = Number(float(binom.sf(math.floor(bound * s), s, r)) / delta)
    return numbers


def reduction() -> Numbers:
    r, delta, s = 0.05, 1e-6, 1000
    rate = bounded_rate(0.5, delta, r, s)
    promise = discrete_guarantee(rate, delta, r, s)
    return {
        "α of the bounded mechanism": Number(rate),
        "by hand": Number(0.5 / ((1 + math.sqrt(2)) * r + 3 / s * math.log(1 / delta))),
        "ε": Number(promise.epsilon),
        "δ": Number(promise.delta),
    }


def linear_embedding() -> Numbers:
    """Section 6.1, 16 orthonormal items asked for by themselves, n = 10,000, epsilon = 1, alpha = 1 and 25.

    Root mean squares of the whole answer. Duchi et al. release a point of a half-sphere around a sign of the vector,
    made unbiased: the cap of `sphere_mechanism` that is half of the sphere; PrivUnit is the best cap. Hardt and Talwar
    take the image of the 1-norm's ball, here that ball itself, in which replacing a history moves the answer by 2/n.
    """
    d, n, delta = 16, 10_000, 1e-6
    _, query = embedding_similarity(np.eye(d), np.eye(d))
    half, best = sphere_mechanism(d - 1, 1.0, 2.0, 1.0 / math.cosh(0.5)), sphere_base(d - 1, 1.0, 2.0)
    numbers = {
        "local, whole users, Duchi et al.": Number(1.0 / half.mean_cosine / math.sqrt(n)),
        "local, whole users, PrivUnit": Number(1.0 / best.mean_cosine / math.sqrt(n)),
        "local, whole users, K-norm": Number(user_level_noise(query, 1.0).rms_error(n)),
        "central, whole users, Hardt and Talwar": Number(math.sqrt(2.0 * d) * 2.0 / n),
        "central, whole users, K-norm (2-norm)": Number(user_level_noise(query, 1.0, n).rms_error()),
    }
    for alpha in (1.0, 25.0):
        for model, users, releases in (("local", 1, n), ("central", n, 1)):
            for kind, slack in (("k-norm", 0.0), ("gaussian", delta)):
                noise = metric_noise(query, alpha, users, kind, slack)
                words = "K-norm" if kind == "k-norm" else "Gaussian, δ = 1e-6"
                numbers[f"{model}, by distance, α = {alpha:g}, {words}"] = Number(noise.rms_error(releases))
    return numbers


def bound_9() -> Numbers:
    """Equation (9) against measured errors of 40 runs: s = t = 8, r = .1, alpha_0 = 1, 100,000 reports."""
    space = ClusteredSpace(8, 8, 0.1)
    rng, items = np.random.default_rng(2), 100_000
    mechanism = Gkrr(space, 1.0)
    truth = rng.multinomial(items, rng.dirichlet(np.ones(len(space))))
    errors = []
    for _ in range(40):
        reports = mechanism.release_counts(truth, rng)
        estimate = space.project(mechanism.decode(reports / items))
        errors.append(float(space.earth_movers(estimate, truth / items)))
    return {
        "bound (9)": Number(gkrr_bound(space, 1.0, items)),
        "measured": Number(float(np.mean(errors)), float(np.std(errors, ddof=1)), len(errors)),
    }


def lemma_6_4() -> Numbers:
    space = ClusteredSpace(8, 8, 0.1)
    return exact(bound_with_constants=hadamard_bound(space, 1.0, 100_000))


def lemma_6_7() -> Numbers:
    """Its noise at two neighbours: a user of n moves from one place to another, seen where both counts are extreme."""
    space, n = ClusteredSpace(8, 8, 0.1), 100_000
    scale = laplace_scale(n, 1.0)
    before, after, seen = (np.array(pair) / n for pair in ((n, 0.0), (n - 1.0, 1.0), (n + 1.0, -1.0)))
    loss = float(np.sum(laplace.logpdf(seen, before, 1.0 / n) - laplace.logpdf(seen, after, 1.0 / n)))
    return {
        "bound with constants, n = 100,000, ε = 1": Number(laplace_bound(space, scale)),
        "scale of the noise times n ε": Number(scale * n),
        "largest log-ratio with Lap(1/(n ε)), ε = 1": Number(loss),
    }


def composition() -> Numbers:
    """alpha_0 of the example in the local model."""
    return exact(
        composed=composition_rate(_ALPHA, _ITEMS).item_rate,
        shuffled_locally=item_rate(_ALPHA, _DELTA, _ITEMS).item_rate,
    )


def central_bound() -> Numbers:
    """(9) with the example's alpha_0 by (7)."""
    rate = closed_form_rate(_ALPHA, _DELTA, _ITEMS, _USERS)
    return exact(bound=gkrr_bound(ClusteredSpace(8, 8, 0.1), rate, _ITEMS * _USERS))
