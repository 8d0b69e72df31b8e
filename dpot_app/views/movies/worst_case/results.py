"""The worst case over all profiles of every mechanism, in cosine distance, and of every base measure of WPM."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from dpot_app.films.catalogue import Films
from dpot_app.films.releases import MECHANISMS, make_base
from dpot_app.kit.cache import cached
from dpot_app.kit.fields import CURVE_EPSILONS
from dpot_app.views.movies.settings import BASES, Config
from dpot_app.views.movies.user.results import one_user
from dpot_core.arguments import Array
from dpot_core.arguments.progress import Progress, counted
from dpot_core.mechanisms.exponential import public_bounds
from dpot_core.mechanisms.kl_projection import kl_projection, minimax_base_kl
from dpot_core.mechanisms.randomized_response import randomized_response
from dpot_core.privacy.polytopes import Polytope
from dpot_core.worst_case import Bracket, worst_case_bracket, worst_case_wasserstein

#: Values of epsilon at which the curves are computed: from 0.05 to 10.
EPSILONS = CURVE_EPSILONS[::2]


@dataclass(frozen=True)
class WorstCases:
    """Worst cases over all profiles of films with a place, in cosine distance: W_p^2 / 2 for the chord.

    A film without a place is as far from every candidate as every other film without likeness: from a profile of such
    films every mechanism is moved by exactly 1, at every epsilon and p. That says nothing about a mechanism.
    """

    films: Films
    config: Config
    at_least: pd.DataFrame  # what a profile of one film attains, by mechanism; rows over `EPSILONS`
    at_most: pd.DataFrame  # the same where the worst case is known, else an upper bound
    now: dict[str, Bracket]  # at the present epsilon
    here: dict[str, float]  # what each mechanism moves the user's profile by
    bases: dict[str, float]  # worst case of the exact WPM with each base measure at the present epsilon

    @property
    def lost(self) -> int:
        """How many train films have no place."""
        return int((~self.films.placed).sum())

    def tables(self) -> dict[str, pd.DataFrame]:
        columns: dict[str, object] = {"simulated": self.films.simulated, "epsilon": np.asarray(EPSILONS)}
        for name in map(str, self.at_least.columns):
            columns[f"{name} at least"] = self.at_least[name].to_numpy()
            columns[f"{name} at most"] = self.at_most[name].to_numpy()
        bases = {"base": [BASES[name] for name in self.bases], "worst case": list(self.bases.values())}
        return {
            "worst-profiles": pd.DataFrame(columns),
            "worst-profiles-now": pd.DataFrame(
                [
                    {"simulated": self.films.simulated, "release": MECHANISMS[name], **found._asdict()}
                    for name, found in self.now.items()
                ]
            ),
            "worst-profiles-bases": pd.DataFrame({"simulated": self.films.simulated, **bases}),
        }


def worst_cases(films: Films, config: Config, progress: Progress | None = None) -> WorstCases:
    """The curves of every mechanism, and the worst cases at the epsilon of the settings."""
    rows = [_brackets(films, config, epsilon) for epsilon in counted(EPSILONS, progress)]
    at_least, at_most = (
        pd.DataFrame([{name: getattr(found, end) for name, found in row.items()} for row in rows])
        for end in Bracket._fields
    )
    bases = {
        base: bracket(films, base, None, "wpm", config.epsilon).at_most for base in BASES if base != "own" or films.own
    }
    here = one_user(films, config).moved
    return WorstCases(films, config, at_least, at_most, _brackets(films, config, config.epsilon), here, bases)


def _brackets(films: Films, config: Config, epsilon: float) -> dict[str, Bracket]:
    found = {}
    for name in MECHANISMS:
        # Base and solver are WPM's alone: what the others do is kept once for all of them.
        own = (config.base, config.reg) if name == "wpm" else ("", None)
        found[name] = bracket(films, *own, name, epsilon)
    return found


@cached
def bracket(films: Films, base: str, reg: float | None, name: str, epsilon: float) -> Bracket:
    """sup over profiles mu of films with a place of W_p^2(mu, M(mu)) / 2 in the chord; both ends alike where known.

    Exact for exact WPM (Theorem 3.5) and for k-RR, whose output is linear in mu. Otherwise from below the worst profile
    of one film, and from above `worst_case_bracket`. Genre KPM is bounded on genres: with B_ig the mean cost from film
    i to a candidate of genre g, an output of genres q costs sum_i mu_i sum_g q_g B_ig at most, as W_p^p is convex.

    Args:
        films: with the order of the loss.
        base: of WPM.
        reg: of WPM.
        name: of the mechanism.
        epsilon: privacy parameter in nats.
    """
    cost, p = films.cost[films.placed], films.order
    if name == "wpm" and reg is None:
        return _known(worst_case_wasserstein(cost, Polytope(make_base(films, base, epsilon), epsilon), p))
    rows = released_from_films(films, base, reg, name, epsilon)
    if name == "wpm":
        found = worst_case_bracket(cost, rows, epsilon, p, Polytope(make_base(films, base, epsilon), epsilon))
    elif name == "kpm":
        genres = Polytope(minimax_base_kl(len(films.genre_outputs), epsilon), epsilon)
        mean_costs = cost @ films.genre_outputs.T
        found = worst_case_bracket(mean_costs, _genres_released(films, genres), epsilon, p, genres)
    elif name == "em":
        found = worst_case_bracket(cost, rows, epsilon, p, public_bounds(films.cost, epsilon).polytope)
    else:
        return _known(worst_case_wasserstein(cost, rows, p))
    return Bracket(found.at_least**2, found.at_most**2)


def released_from_films(films: Films, base: str, reg: float | None, name: str, epsilon: float) -> Array:
    """The output distribution of a mechanism for a profile of one film, for each film with a place, (., k_v).

    The arguments are those of `bracket`.
    """
    cost = films.cost[films.placed]
    if name == "wpm":
        polytope = Polytope(make_base(films, base, epsilon), epsilon)
        if reg is not None:
            return points_released(cost, polytope, reg)
        return nearest_outputs(cost, polytope)
    if name == "kpm":
        genres = Polytope(minimax_base_kl(len(films.genre_outputs), epsilon), epsilon)
        return np.asarray(_genres_released(films, genres) @ films.genre_outputs)
    if name == "em":
        # The sensitivity is that of all films, also of those without a place: the mechanism is the same.
        return public_bounds(films.cost, epsilon).probabilities(cost)
    return randomized_response(np.eye(cost.shape[1]), epsilon)[films.snap[films.placed]]


def nearest_outputs(cost: Array, polytope: Polytope) -> Array:
    """The exact projection of a profile of film i alone, for all i, (k, k_v): the nearest candidates are filled first.

    A fractional knapsack: from point masses W_p^p is the mean cost, which is linear in the output.

    Args:
        cost: C_ij, (k, k_v).
        polytope: of WPM.
    """
    order, rows = np.argsort(cost, axis=1, kind="stable"), np.empty_like(cost)
    room = (polytope.upper - polytope.lower)[order]
    filled = np.minimum(room.cumsum(axis=1), 1.0 - polytope.lower.sum())
    np.put_along_axis(rows, order, polytope.lower[order] + np.diff(filled, axis=1, prepend=0.0), axis=1)
    return polytope.repair(rows)


def _genres_released(films: Films, genres: Polytope) -> Array:
    """The distribution over genres that Genre KPM draws from, for each film with a place, (., n_genres)."""
    return kl_projection(films.genre_inputs[films.placed], genres)


def _known(worst: float) -> Bracket:
    """A worst case of W_p with costs (1 - cos)^(p/2), whose square is W_p^2 / 2 for the chord."""
    return Bracket(float(worst) ** 2, float(worst) ** 2)


def points_released(cost: Array, polytope: Polytope, reg: float) -> Array:
    """Algorithm 1's release for a profile of film i alone, for all i, (k, k_v): it ends in its first iteration.

    With one source the plan is its column sums: a projection of exp(-C_i / reg) in KL. Every later scaling gives the
    same up to a factor, which the projection does not see.

    Args:
        cost: C_ij, (k, k_v).
        polytope: of WPM.
        reg: entropic weight in cost units.
    """
    kernel = np.exp(-(cost - cost.min(axis=1, keepdims=True)) / reg)
    return np.asarray(polytope.project_kl(kernel / kernel.sum(axis=1, keepdims=True)))
