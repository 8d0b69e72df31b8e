"""Mechanisms: pure functions from input distributions to output distributions, and one table of them all."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

from numpy.typing import ArrayLike

from dpot_core.arguments import Array
from dpot_core.distributions import normalise
from dpot_core.mechanisms.exponential import public_bounds
from dpot_core.mechanisms.kl_projection import kl_projection, minimax_base_kl
from dpot_core.mechanisms.knowledge import Private, Public
from dpot_core.mechanisms.near_prior import minimax_base_near_prior
from dpot_core.mechanisms.randomized_response import decode_randomized_response, randomized_response
from dpot_core.mechanisms.relative_mollifier import relative_mollifier
from dpot_core.mechanisms.wasserstein_projection import projection_so_far
from dpot_core.privacy.polytopes import Polytope

#: What is public is fixed: from inputs (k,) or (n, k) to outputs (k_v,) or (n, k_v).
Kernel = Callable[[ArrayLike | Private], Array]

#: The polytope that holds every output, whatever the input, and the map from inputs to outputs (n, k_v).
Built = tuple[Polytope, Callable[[Private], Array]]


def _always(public: Public, mu: Array) -> bool:
    return True


@dataclass(frozen=True)
class Mechanism:
    """An entry of `MECHANISMS`: called with what is `Public`, it returns the map from inputs to outputs.

    The rest is what pages, figures, tables and captions ask of a mechanism, so that none of them names one.

    Attributes:
        label: short name for legends.
        title: name in full.
        build: from what is public to the polytope that holds all outputs and the map from `Private` inputs to them.
            Each output is repaired into the polytope, so that no mistake of the map can break the promise.
        colour: of all its marks, ``#RRGGBB``.
        marker: of its points, a name that Plotly knows; never colour alone.
        dash: of its worst-case curves, a name that Plotly knows.
        box: whether the polytope's base measure has a closed form, so that pictures show its bounds.
        worst_distance: what its largest W_p over point inputs is: "exact", the worst case of all inputs, or
            "lower bound" of it. None: not made for distances, nor compared in them.
        worst_divergence: the mechanism's name for `worst_case_divergence`, whose closed form its worst case on k
            points reaches; None if there is none.
        improves: why any convex loss of it falls with epsilon, for every input; "" if that is not known.
        feasible: whether there is an output for an input (k,).
        without_prior: key of the row that it is where no prior is public; "" if it needs none.
        decode: (outputs, epsilon) -> unbiased estimates of the inputs that gave them; None if there is no such map.
    """

    label: str
    title: str
    build: Callable[[Public], Built] = field(repr=False)
    colour: str
    marker: str
    dash: str
    box: bool = False
    worst_distance: Literal["exact", "lower bound"] | None = None
    worst_divergence: Literal["minimax", "mollifier"] | None = None
    improves: str = ""
    without_prior: str = ""
    feasible: Callable[[Public, Array], bool] = field(default=_always, repr=False)
    decode: Callable[[Array, float], Array] | None = field(default=None, repr=False)

    def __call__(self, public: Public) -> Kernel:
        """Fix what is public; the result maps (k,) or (n, k), or `Private` inputs, to (k_v,) or (n, k_v).

        Raises:
            ValueError: if the mechanism's polytope is not one of this epsilon and these outputs.
        """
        polytope, release = self.build(public)
        if polytope.epsilon > public.epsilon or len(polytope) != public.cost.shape[1]:
            raise ValueError(
                f"{self.label} keeps epsilon = {polytope.epsilon:g} on {len(polytope)} outputs; asked for were "
                f"{public.epsilon:g} and {public.cost.shape[1]}"
            )

        def kernel(mu: ArrayLike | Private) -> Array:
            inputs = mu if isinstance(mu, Private) else Private.of(public, mu)
            released = polytope.repair(release(inputs))
            return released[0] if inputs.single else released

        return kernel

    def polytope(self, public: Public) -> Polytope:
        """The polytope that holds all outputs."""
        return self.build(public)[0]


def _wpm(public: Public) -> Built:
    polytope = Polytope(public.base, public.epsilon)
    return polytope, lambda inputs: projection_so_far(inputs.mu, inputs.cost, polytope, public.reg, public.max_iter)


def _kpm(public: Public) -> Built:
    polytope = Polytope(minimax_base_kl(public.cost.shape[1], public.epsilon), public.epsilon)
    return polytope, lambda inputs: kl_projection(inputs.moved, polytope)


def _kpm_near_prior(public: Public) -> Built:
    if public.prior is None:
        return _kpm(public)
    polytope = Polytope(minimax_base_near_prior(public.prior, public.epsilon, public.gamma), public.epsilon)
    return polytope, lambda inputs: kl_projection(inputs.moved, polytope)


def _mollifier(public: Public) -> Built:
    reference = normalise(public.base)
    polytope = Polytope(reference, public.epsilon)
    return polytope, lambda inputs: relative_mollifier(inputs.moved, reference, public.epsilon)


def _reference_covers(public: Public, mu: Array) -> bool:
    return not ((public.base == 0) & (public.moved(mu) > 0)).any()


def _exponential(public: Public) -> Built:
    bounds = public_bounds(public.distances, public.epsilon)
    return bounds.polytope, lambda inputs: bounds.probabilities(inputs.expected_distances)


def _randomized_response(public: Public) -> Built:
    polytope = Polytope(minimax_base_kl(public.cost.shape[1], public.epsilon), public.epsilon)
    return polytope, lambda inputs: randomized_response(inputs.moved, public.epsilon)


#: Every local mechanism under one signature: builder(public)(mu) -> nu. Pages and tests loop over it. A mechanism more
#: is its file and its row.
MECHANISMS: dict[str, Mechanism] = {
    "wpm": Mechanism(
        "WPM",
        "Wasserstein projection",
        _wpm,
        colour="#0072B2",
        marker="circle",
        dash="solid",
        box=True,
        worst_distance="exact",
    ),
    "kpm": Mechanism(
        "KPM",
        "KL projection",
        _kpm,
        colour="#D55E00",
        marker="diamond",
        dash="dash",
        box=True,
        worst_distance="lower bound",
        worst_divergence="minimax",
    ),
    "em": Mechanism(
        "EM",
        "Exponential mechanism",
        _exponential,
        colour="#009E73",
        marker="triangle-up",
        dash="dashdot",
        worst_distance="lower bound",
    ),
    "krr": Mechanism(
        "k-RR",
        "k-ary randomized response",
        _randomized_response,
        colour="#CC79A7",
        marker="x",
        dash="longdash",
        box=True,
        worst_distance="exact",  # its output is linear in the input, so that the loss is convex
        worst_divergence="minimax",
        improves="Its noise fades with ε, in the same direction for every input.",
        decode=decode_randomized_response,
    ),
    "mollifier": Mechanism(
        "Mollifier",
        "Relative mollifier",
        _mollifier,
        colour="#E69F00",
        marker="triangle-down",
        dash="dash",
        box=True,
        worst_divergence="mollifier",
        feasible=_reference_covers,
    ),
    "kpm-prior": Mechanism(
        "KPM around prior",
        "KL projection around a public prior",
        _kpm_near_prior,
        colour="#A6611A",
        marker="diamond-wide",
        dash="longdashdot",
        box=True,
        without_prior="kpm",
    ),
}

#: Name on screen, by key.
LABELS = {name: row.label for name, row in MECHANISMS.items()}

#: The rows that differ where no prior is public.
WITHOUT_PRIOR = {name: row for name, row in MECHANISMS.items() if not row.without_prior}


def compared_in_distance() -> dict[str, Mechanism]:
    """The rows of `MECHANISMS` that are compared where distances count, WPM first."""
    return {name: row for name, row in MECHANISMS.items() if row.worst_distance is not None}


def rivals(worst_distance: Literal["exact", "lower bound"] | None = None) -> dict[str, Mechanism]:
    """The rows of `compared_in_distance` beside WPM.

    Args:
        worst_distance: only those whose worst case is known so; None for all.
    """
    rows = {name: row for name, row in compared_in_distance().items() if name != "wpm"}
    return {name: row for name, row in rows.items() if worst_distance in (None, row.worst_distance)}
