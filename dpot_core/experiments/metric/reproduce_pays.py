"""The Python that computes what the view on when it pays draws, from the public names of `dpot_core`."""

from __future__ import annotations

from dpot_core.experiments.metric.frequency_errors import MOST, RUNS, SEED, PaysConfig

_START = """import numpy as np
import dpot_core as dpot

users, items, epsilon, alpha, delta = {users}, {items}, {epsilon!r}, {alpha!r}, {delta!r}
space = dpot.metric.ClusteredSpace({clusters}, {size}, {r!r})  # clusters, points in each, distance inside
k = len(space)

# Simulated items of all users together, dealt to them at random
rng = np.random.default_rng({seed})
shares = 1 / np.arange(1, space.clusters + 1)
shares = (shares / shares.sum())[:, None] * rng.dirichlet(np.ones(space.size), space.clusters)
counts = rng.multinomial(users * items, shares.ravel() / shares.sum())
truth = counts / counts.sum()


def errors(raw):
    return space.earth_movers(space.project(raw), truth)


def of_reports(number, mechanism, one=False):
    rng = np.random.default_rng([{seed}, number])  # a demonstration with seeds
    reported = np.tile(counts, ({runs}, 1))
    if one:
{dealt}
    reports = mechanism.release_counts(reported, rng)
    return errors(mechanism.decode(reports / reports.sum(axis=1, keepdims=True)))


"""

_DEALT = """        reported = rng.multivariate_hypergeometric(counts, users, size={runs}, method="marginals")"""

# The same law for more items than NumPy takes there.
_DEALT_FROM_MANY = """        share = (users + 12 * np.sqrt(users)) / counts.sum()
        kept = rng.binomial(counts, share, ({runs}, k))  # far more than users, so that users of them can be drawn
        reported = np.stack([rng.multivariate_hypergeometric(row, users, method="marginals") for row in kept])"""

_LOCAL = """far_apart = dpot.metric.ClusteredSpace(space.clusters, space.size, 1.0)  # k-RR: all points equally far
shuffled = dpot.metric.best_item_rate(alpha, delta, items).item_rate
composed = dpot.metric.composition_rate(alpha, items).item_rate
found = {
    "shuffled": of_reports(0, dpot.metric.Gkrr(space, shuffled)),
    "composed": of_reports(1, dpot.metric.Gkrr(space, composed)),
    "one": of_reports(2, dpot.metric.Gkrr(space, dpot.metric.one_item_budget(alpha, space.r)), one=True),
    "hadamard-one": of_reports(3, dpot.metric.HadamardResponse(k, epsilon), one=True),
    "hadamard-all": of_reports(4, dpot.metric.HadamardResponse(k, dpot.metric.item_epsilon(epsilon, items, delta))),
    "krr-one": of_reports(5, dpot.metric.Gkrr(far_apart, epsilon), one=True),
}
"""

_CENTRAL = """def with_noise(scale):
    return errors(truth + np.random.default_rng([{seed}, 0]).laplace(0.0, scale, ({runs}, k)))


pooled = dpot.metric.best_item_rate(alpha, delta, items, users).item_rate
found = {{
    "pooled": of_reports(0, dpot.metric.Gkrr(space, pooled)),
    "metric-laplace": with_noise(dpot.metric.metric_laplace_scale(users, alpha, space)),
    "laplace": with_noise(dpot.metric.laplace_scale(users, epsilon)),
}}
"""


def pays_snippet(config: PaysConfig) -> str:
    """Python that computes ``found``: errors of each run by release, at the chosen alpha/epsilon and space.

    Args:
        config: the settings.
    """
    dealt = _DEALT if config.users * config.items < MOST else _DEALT_FROM_MANY
    start = _START.format(
        dealt=dealt.format(runs=RUNS),
        users=config.users,
        items=config.items,
        epsilon=config.epsilon,
        alpha=config.alpha,
        delta=config.delta,
        clusters=config.clusters,
        size=config.size,
        r=config.r,
        seed=SEED,
        runs=RUNS,
    )
    middle = _LOCAL if config.model == "local" else _CENTRAL.format(seed=SEED, runs=RUNS)
    return start + middle + "print({name: runs.mean() for name, runs in found.items()})\n"
