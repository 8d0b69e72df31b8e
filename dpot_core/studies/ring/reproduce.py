from dpot_core.studies.ring.outputs.results import feasible
from dpot_core.studies.ring.settings import Config, make_input, make_public

_HEAD = """import numpy as np
import dpot_core as dpot

k, every, p, epsilon = {k}, {every}, {p}, {epsilon!r}
space = dpot.ring(k)
targets = np.arange(0, k, every)  # the points that may be released
distances = space.distances(targets)  # steps along the ring
cost = dpot.cost_matrix(space, targets, p=p)
{snap}
{source}
{base}
Q = dpot.Polytope(base, epsilon)  # all outputs of WPM lie in Q: that is the guarantee

public = dpot.Public(
    cost=cost, distances=distances, epsilon=epsilon, base=base, reg={reg}, snap=snap
)
outputs = {{name: dpot.MECHANISMS[name](public)(mu) for name in {mechanisms!r}}}
wasserstein = {{name: dpot.wasserstein(mu, nu, cost, p) for name, nu in outputs.items()}}
worst_case = dpot.worst_case_wasserstein(cost, Q, p)
print(wasserstein, "worst case of WPM:", worst_case)
"""


def snippet(config: Config) -> str:
    """Python that computes the input ``mu``, the ``outputs`` and their ``wasserstein`` distances."""
    ring, reg = config.ring, "None"
    if config.reg is not None:
        reg = f"{config.reg!r} * space.diameter**p"
    return _HEAD.format(
        k=ring.k,
        every=ring.every,
        p=ring.p,
        epsilon=config.epsilon,
        snap="snap = None" if ring.every == 1 else "snap = distances.argmin(axis=1)  # nearest output point",
        source=_source(config),
        base=_base(config),
        reg=reg,
        mechanisms=feasible(config, make_public(config), make_input(config.source, ring.k)),
    )


def _source(config: Config) -> str:
    source = config.source
    if source.kind == "dirichlet":
        return f"mu = dpot.dirichlet(k, {source.concentration!r}, np.random.default_rng({source.seed}))"
    if source.kind == "dirac":
        return f"mu = dpot.dirac(k, {source.point % config.ring.k})"
    if source.kind == "two-bumps":
        return "mu = dpot.two_bumps(k)"
    return f"mu = dpot.normalise({list(source.numbers)!r})"


def _base(config: Config) -> str:
    base = config.base
    if base.kind == "uniform":
        return f"base = dpot.uniform_base(len(targets), mass=float(np.exp({base.scale!r} * epsilon / 2)))"
    if base.kind == "best-uniform":
        if config.ring.every < config.ring.k and config.ring.k % config.ring.every == 0:
            return "base = dpot.best_uniform_base(cost[:every], epsilon)  # the other rows are these, rotated"
        return "base = dpot.best_uniform_base(cost, epsilon)"
    if base.kind == "minimax":
        return "base = dpot.minimax_base(cost, epsilon, tol=1e-6).base"
    prior = f"prior = np.array({list(base.prior)!r})"
    if config.ring.every > 1:
        prior += "\nprior = np.bincount(snap, prior)"
    return prior + "\nbase = dpot.prior_base(dpot.normalise(prior), epsilon, cost)"
