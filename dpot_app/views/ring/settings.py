from dataclasses import replace
from functools import lru_cache, partial

import numpy as np
from numpy.typing import NDArray

from dpot_app.kit.fields import BASE, entropic_weight, epsilon, order
from dpot_app.kit.fields import MECHANISMS as MECHANISMS_LABEL
from dpot_app.kit.links import Parameters, numbers_text, parameters
from dpot_app.kit.page import Beside, Expander, block
from dpot_app.kit.setting import choice, choices, free, group, number, settings, when, whole
from dpot_app.kit.values import ScenarioError
from dpot_app.views.ring.source import Source, fitting
from dpot_core.arguments import Array
from dpot_core.base_measures import MinimaxBase, best_uniform_base, minimax_base, prior_base, uniform_base
from dpot_core.distributions import normalise, two_bumps
from dpot_core.mechanisms import MECHANISMS
from dpot_core.mechanisms.knowledge import Public
from dpot_core.privacy.guarantees import Guarantee
from dpot_core.privacy.polytopes import Polytope
from dpot_core.spaces import Space, cost_matrix, nearest_target
from dpot_core.spaces import ring as ring_space

Indices = NDArray[np.intp]

REGS = (0.0, 1e-4, 3e-4, 1e-3, 3e-3, 0.01, 0.03, 0.1, 0.3, 1.0)
BASES = {"best-uniform": "Best uniform", "uniform": "Uniform", "minimax": "Minimax", "prior": "Public prior"}
BELIEFS = {"uniform": "Uniform", "two-bumps": "Two bumps", "base": "Like the base measure"}
BELIEF_HELP = "How likely each place of the person is before the release. Only the tab *Best guess* uses it."
GAMMA_HELP = (
    "For KPM around prior: inputs differ from the prior by at most this factor. Other inputs stay as private, but are "
    "released less faithfully."
)
EVERY_HELP = "The largest n, k − 1, leaves two outputs."
BASE_HELP = (
    "WPM puts between e^(-ε/2) and e^(ε/2) times this measure on each output point. "
    "It is public, so it must not depend on private data."
)

_is = partial(when, "kind")

#: Relative gap to which the minimax base measure is solved.
MINIMAX_TOLERANCE = 1e-6


@settings
class Ring:
    """k points on a ring; outputs are every n-th of them; costs are steps along the ring to the power p."""

    k: int = whole("Points on the ring (k)", 30, low=3, high=200, link="k")
    every: int = whole("Release every n-th point only", 1, low=1, high=199, soft=(1, 10), link="every", help=EVERY_HELP)
    p: float = order(2.0, high=8.0)

    @property
    def space(self) -> Space:
        """The input points with their distances in steps."""
        return ring_space(self.k)

    @property
    def targets(self) -> Indices:
        """Indices of the output points, (k_v,)."""
        return np.arange(0, self.k, self.every)

    @property
    def closest(self) -> int:
        """Steps between the two outputs that lie closest together; the last and the first may be closer than others."""
        return min(self.every, self.k - int(self.targets[-1]))

    @property
    def cost(self) -> Array:
        """Distance to the power p, (k, k_v)."""
        return cost_matrix(self.space, self.targets, self.p)

    @property
    def distinct_cost(self) -> Array:
        """Rows of the cost of which no rotation that keeps the outputs maps one on another.

        With a uniform base measure every other input point is in the same situation as one of these.
        """
        return self.cost[: self.every] if self.k % self.every == 0 else self.cost

    @property
    def snap(self) -> Indices | None:
        """For each input point the nearest output point, or None where all points are outputs."""
        return None if self.every == 1 else nearest_target(self.space, self.targets)


@settings
class Base:
    kind: str = choice(BASE, "best-uniform", BASES, link="base", help=BASE_HELP)
    # for "uniform": the mass is e^(scale epsilon / 2), scale in [-1, 1]
    scale: float = number(
        "Its mass: e^(s ε/2), s =", 0.0, low=-1.0, high=1.0, every=0.05, step=0.1, link="scale", shown=_is("uniform")
    )
    # for "prior": public weights of the k points
    prior: tuple[float, ...] = free("Public weights of the points", (), shown=_is("prior"))
    gamma: float = number(
        "Inputs within this factor of the prior (γ)",
        3.0,
        low=1.0,
        high=1000.0,
        soft=(1.0, 10.0),
        every=0.1,
        step=1.0,
        link="gamma",
        help=GAMMA_HELP,
        shown=_is("prior"),
    )

    def measure(self, ring: Ring, epsilon: float) -> Array:
        """The base measure of WPM on the output points, (k_v,).

        Raises:
            ValueError: if a given prior does not fit the ring.
        """
        prior = self.public_prior(ring)
        if prior is not None:
            return prior_base(prior, epsilon, ring.cost)
        if self.kind == "uniform":
            return uniform_base(len(ring.targets), float(np.exp(self.scale * epsilon / 2)))
        if self.kind == "best-uniform":
            return best_uniform(ring, epsilon)
        return minimax(ring, epsilon).base

    def public_prior(self, ring: Ring) -> Array | None:
        """The prior on the output points, (k_v,), where the base measure is one.

        Raises:
            ValueError: if a given prior does not fit the ring.
        """
        if self.kind != "prior":
            return None
        nearest = np.arange(ring.k) if ring.snap is None else ring.snap
        return normalise(np.bincount(nearest, fitting(self.prior, ring.k, "prior")))


@settings
class Config:
    """All settings of the page; defaults as in Fig. 1 of wpm_2605.10015, but epsilon 2 instead of 5.

    At 5 nearly every mechanism looks good because the promise is weak (50:50 becomes up to 99.4%).
    """

    ring: Ring = group(Ring)
    base: Base = group(Base)
    source: Source = group(Source)
    epsilon: float = epsilon(2.0)
    reg: float | None = entropic_weight(None, REGS, low=1e-6, high=10.0)
    mechanisms: tuple[str, ...] = choices(
        MECHANISMS_LABEL,
        ("wpm", "kpm", "em"),
        {name: build.label for name, build in MECHANISMS.items()},
        link="mechanisms",
        help="; ".join(f"{build.label}: {build.title}" for build in MECHANISMS.values()),
    )
    belief: str = choice("Prior of the best guess", "uniform", BELIEFS, link="belief", help=BELIEF_HELP)

    @property
    def personal(self) -> bool:
        return self.source.personal

    @property
    def input(self) -> Array:
        """The person's distribution, (k,)."""
        return self.source.distribution(self.ring.k)

    @property
    def prior(self) -> Array:
        """Where a person is, as far as it is known before a release, (k,): public, whatever the input is."""
        if self.belief == "two-bumps":
            return two_bumps(self.ring.k)
        if self.belief == "base" and self.base.kind == "prior":
            return normalise(fitting(self.base.prior, self.ring.k, "prior"))
        weights = np.ones(self.ring.k)
        if self.belief == "base":
            weights[:] = 0.0
            weights[self.ring.targets] = self.base_measure
        return normalise(weights)

    @property
    def base_measure(self) -> Array:
        """The base measure of WPM on the output points, (k_v,)."""
        return self.base.measure(self.ring, self.epsilon)

    @property
    def polytope(self) -> Polytope:
        """All that WPM may release."""
        return Polytope(self.base_measure, self.epsilon)

    @property
    def public(self) -> Public:
        """Public knowledge of the mechanisms."""
        ring = self.ring
        return Public(
            cost=ring.cost,
            distances=ring.space.distances(ring.targets),
            epsilon=self.epsilon,
            base=self.base_measure,
            reg=None if self.reg is None else self.reg * ring.space.diameter**ring.p,
            snap=ring.snap,
            prior=self.base.public_prior(ring),
            gamma=self.base.gamma,
        )

    @property
    def problem(self) -> "Config":
        """The same without mechanisms, lambda and prior: all that exact WPM depends on."""
        return replace(self, reg=None, mechanisms=(), belief="uniform")

    def at(self, epsilon: float) -> "Config":
        return replace(self, epsilon=epsilon)

    @property
    def guarantee(self) -> Guarantee:
        public = [f"the ring and its {len(self.ring.targets)} output points", "the method and its settings"]
        if self.base.kind == "prior":
            public.append("the prior; if it comes from private data, it costs privacy that is not counted here")
        note = "For one released point. Each further release adds its ε."
        return Guarantee(self.epsilon, neighbours="local", public=tuple(public), note=note)


SIDEBAR = block(
    *(
        "ring.k",
        "source.kind",
        "source.concentration",
        Beside(("source.point", "source.other")),
        "source.share",
        "source.numbers",
    ),
    loss="ring.p",
    solver="reg",
    base=("base.kind", "base.scale", "base.prior", "base.gamma"),
    mechanisms="mechanisms",
    folded=Expander("Outputs, seed, best guess", ("ring.every", "source.seed", "belief")),
)


def requirements(config: Config) -> None:
    if config.ring.every >= config.ring.k:
        raise ScenarioError(f"must be less than k = {config.ring.k}; got {config.ring.every}", ("ring", "every"))
    for kind, numbers, path in (
        (config.source.kind, config.source.numbers, ("source", "numbers")),
        (config.base.kind, config.base.prior, ("base", "prior")),
    ):
        if kind == path[1] and len(numbers) != config.ring.k:
            raise ScenarioError(f"must hold k = {config.ring.k} numbers; got {len(numbers)}", path)


def link(config: Config) -> Parameters:
    """The parameters of a link: the controls, and numbers of one's own."""
    carried = parameters(config)
    if config.source.kind == "numbers":
        carried["numbers"] = numbers_text(config.source.numbers)
    if config.base.kind == "prior":
        carried["prior"] = numbers_text(config.base.prior)
    return carried


@lru_cache(maxsize=256)
def best_uniform(ring: Ring, epsilon: float) -> Array:
    """The best uniform base measure of WPM, (k_v,), kept: read only."""
    base = best_uniform_base(ring.distinct_cost, epsilon)
    base.flags.writeable = False
    return base


@lru_cache(maxsize=32)
def minimax(ring: Ring, epsilon: float) -> MinimaxBase:
    """The minimax base measure with its certificate; kept, because every picture with this base needs it."""
    return minimax_base(ring.cost, epsilon, tol=MINIMAX_TOLERANCE)
