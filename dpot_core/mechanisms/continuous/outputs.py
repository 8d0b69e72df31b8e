"""Output densities of the mechanisms for densities: linear multiples of a public one, their numbers and their draws."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import overload

import numpy as np
from numpy.typing import ArrayLike

from dpot_core.arguments import EPSILON_RANGE, Array, Rows, check_count
from dpot_core.distributions.divergences import DIVERGENCES
from dpot_core.mechanisms.continuous.envelopes import Envelope
from dpot_core.mechanisms.continuous.families import on_points
from dpot_core.mechanisms.continuous.grids import Grid
from dpot_core.mechanisms.exact_bernoulli import happens
from dpot_core.privacy.polytopes import Polytope, inward_bounds

# Of a sum over the nodes, relative to its terms.
_ROUNDING = 1e-14
# Draws from h in one array, and for one call of `sample`.
_AT_ONCE, _MOST_TRIES = 1_000_000, 2_000_000_000


@dataclass(frozen=True, eq=False)
class PrivateDensity:
    """An output density q = s h and how it was found; s is linear between public nodes, b <= s <= b e^epsilon'.

    s = sum_i s_i tent_i (see `Grid`) with s_i = clip(p / (r h) + rest, b, b e^epsilon') at the nodes. This is private
    for every p, member of the family or not, however rough it is and whatever it does between the nodes:

    * p is read at the public nodes only. What is no finite number there, or negative, counts as 0, what leaves c1 h and
      c2 h as the bound. Nothing is refused because of p; `problem` says what was found, and stays with the person.
    * Every s_i lies between the same two floats for every input, so s(x) / s'(x) <= e^epsilon' at every real x, and the
      floats of `density` are rounded inward: their ratio is at most e^epsilon' too.
    * The integral of q is sum_i s_i M_i: a finite sum, 1 up to rounding for every input. M_i = integral of tent_i h is
      public; an error in it changes integrals by at most b e^epsilon' sum |error|, for which the tolerance d stands:
      all of them in [1 - d, 1 + d], which spends the rest, epsilon - epsilon' = log((1 + d) / (1 - d)).

    Between the nodes q differs from clip(p / r, b h, b e^epsilon' h) by the interpolation, which costs usefulness only:
    nothing that shows in 6 digits for densities that are smooth over a few nodes. For a p that is not, the worst case R
    of the family is no promise.

    Attributes:
        epsilon: privacy parameter of a draw, in nats.
        epsilon_used: epsilon' = epsilon - log((1 + d) / (1 - d)) for the tolerance d.
        tolerance: d, fixed before the input is seen.
        error: of the public integrals, the same for every input; at most d.
        r: what p is divided by.
        rest: share of h that is added: 0 for a projection, 1 - gamma for the mixture mechanism.
        b: lower bound as a multiple of the normalised h.
        upper: upper bound as a multiple of the normalised h: b e^epsilon'; c2 in a trivial case.
        trivial: whether the output is P itself at the nodes, because all of the family is within e^epsilon anyway.
        problem: what is wrong with p, "" if nothing; not private.
    """

    epsilon: float
    epsilon_used: float
    tolerance: float
    error: float
    r: float
    rest: float
    level: float = field(repr=False)
    width: float = field(repr=False)
    trivial: bool
    problem: str = field(repr=False)
    envelope: Envelope = field(repr=False)
    ratios: Array = field(repr=False)
    multiples: Array = field(repr=False)

    @property
    def grid(self) -> Grid:
        """The public nodes."""
        return self.envelope.grid

    @property
    def b(self) -> float:
        """Lower bound as a multiple of the normalised h."""
        return self.level * math.exp(-self.width / 2)

    @property
    def upper(self) -> float:
        """Upper bound as a multiple of the normalised h."""
        return self.level * math.exp(self.width / 2)

    @property
    def acceptance(self) -> float:
        """Share of draws from h that `sample` accepts: 1 / upper within the tolerance, for every input."""
        return 1.0 / self.upper

    @overload
    def density(self, x: float) -> float: ...
    @overload
    def density(self, x: Rows) -> Array: ...
    @overload
    def density(self, x: ArrayLike) -> float | Array: ...
    def density(self, x: ArrayLike) -> float | Array:
        """q at points: any shape on the line, (..., 2) in the plane; 0 outside the domain."""
        return on_points(lambda points: self._between(points)[0], x, self.envelope.domain.dimension)

    @overload
    def band(self, x: float) -> tuple[float, float]: ...
    @overload
    def band(self, x: Rows) -> tuple[Array, Array]: ...
    @overload
    def band(self, x: ArrayLike) -> tuple[float | Array, float | Array]: ...
    def band(self, x: ArrayLike) -> tuple[float | Array, float | Array]:
        """The bounds of every output at points, as floats: b h and b e^epsilon' h."""
        dimension = self.envelope.domain.dimension
        return (
            on_points(lambda points: self._between(points)[1], x, dimension),
            on_points(lambda points: self._between(points)[2], x, dimension),
        )

    def divergences(self) -> dict[str, float]:
        """D_f(P || Q) for every name of `DIVERGENCES`, of P and Q as the nodes show them.

        `divergence_errors` says how far they may be from those of the densities themselves.
        """
        ratio, masses = self.ratios / self.multiples, self.grid.masses * self.multiples
        return {name: max(float(np.vdot(masses, row.generator(ratio))), 0.0) for name, row in DIVERGENCES.items()}

    def divergence_errors(self) -> dict[str, float]:
        """How far `divergences` may be from the integrals of q f(p/q), of any density p that is smooth over few nodes.

        With t = p/h, a sum over the nodes is off by what s f(t/s) does between them: half its bends (see `Grid.bends`),
        and by what t does there, of which the sum sees nothing where s follows it: f(t/s) changes by as much as a bend
        of t changes it. In all sum_i M_i (bend of s f(t/s) + 2 s |f((t +- bend of t)/s) - f(t/s)|) / 2, twice to three
        times what it bounds to the leading order in the width of the cells, and the errors of the masses and of
        rounding. The errors of 4,000 random mixtures: tests/views/mixture/test_random_many.py.
        """
        grid, s, t = self.grid, self.multiples, self.ratios
        bent, found = grid.bends(t), {}
        for name, row in DIVERGENCES.items():
            here = row.generator(t / s)
            ends = (row.generator(np.maximum(t + sign * bent, 0.0) / s) for sign in (-1.0, 1.0))
            moved = np.maximum(*(np.abs(end - here) for end in ends))
            between = float(np.vdot(grid.masses, grid.bends(s * here) / 2 + s * moved))
            found[name] = between + (grid.error + _ROUNDING) * float(np.vdot(grid.masses, s * (1.0 + np.abs(here))))
        return found

    def sample(self, n: int, rng: np.random.Generator) -> Array:
        """Draw n points from q by rejection from h, for demonstrations: (n,) on the line, (n, 2) in the plane.

        Each point spends epsilon: n of them n epsilon. How many draws are rejected does not depend on the input (see
        `acceptance`), so it reveals nothing about it. Points are accepted with exactly the probability that the floats
        of q and its upper bound say (`happens`), at every epsilon; but points of h are floats from the generator that
        is given, so the promise is that of real numbers and of a secret generator. For a release: `release_density`.

        Raises:
            ValueError: if so few draws are accepted that n of them need more than 2e9 tries; public.
        """
        missing = check_count(n, "n", 0, 10**9)
        if missing * self.upper > _MOST_TRIES:
            raise ValueError(
                f"{missing} draws by rejection need about {missing * self.upper:.2g} tries at epsilon = "
                f"{self.epsilon:g}; at most {_MOST_TRIES:.0e} are made (on the line, `release_density` needs none)"
            )
        kept: list[Array] = []
        while missing > 0:
            points = self.envelope.sample(min(int(1.1 * missing * self.upper) + 16, _AT_ONCE), rng)
            q, _, upper = self._between(points)
            accepted = np.divide(q, upper, out=np.zeros_like(q), where=upper > 0.0)
            kept.append(points[happens(accepted, rng)][:missing])
            missing -= len(kept[-1])
        return np.concatenate(kept) if kept else self.envelope.sample(1, rng)[:0]

    def on_nodes(self) -> tuple[Array, Polytope]:
        """q as a mixture of public densities: its weights s_i M_i, and the polytope in which they lie for every input.

        q = sum_i s_i M_i (tent_i h / M_i): to draw i privately, and then a point from tent_i h / M_i
        (`Grid.draw`), is to draw from q. `release_density` does it for real.
        """
        polytope = Polytope(self.level * self.grid.masses.ravel(), max(self.width, EPSILON_RANGE[0]))
        return polytope.repair((self.multiples * self.grid.masses).ravel()), polytope

    def _between(self, points: Array) -> tuple[Array, Array, Array]:
        """The output and its bounds at points (n,) or (n, 2)."""
        h = self.envelope.density(points)
        lower, upper = inward_bounds(self.level * h, math.exp(-self.width / 2), math.exp(self.width / 2))
        return np.clip(self.grid.between(self.multiples, points) * h, lower, upper), lower, upper
