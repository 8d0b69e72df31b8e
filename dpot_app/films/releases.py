"""The mechanisms that release a film, and the references beside them, from inputs (n, k) to outputs (n, k_v)."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from dpot_app.films.catalogue import Films
from dpot_app.kit.cache import cached
from dpot_core.arguments import Array
from dpot_core.base_measures import best_uniform_base, minimax_base, prior_base, uniform_base
from dpot_core.mechanisms import MECHANISMS as TABLE
from dpot_core.mechanisms import compared_in_distance
from dpot_core.mechanisms.kl_projection import kl_projection, minimax_base_kl
from dpot_core.mechanisms.knowledge import Public
from dpot_core.mechanisms.wasserstein_projection import projection_so_far
from dpot_core.privacy.polytopes import Polytope

#: From inputs (n, k) to outputs (n, k_v).
Kernel = Callable[[Array], Array]

#: Mechanisms that release a film under epsilon-LDP, with their names on screen; KPM acts on the films' genres.
MECHANISMS = {name: row.label for name, row in compared_in_distance().items()} | {"kpm": "Genre KPM"}

#: What needs no privacy or no input: the same for all epsilon.
REFERENCES = {
    "nearest": "nearest film, no privacy",
    "popular": "the same most liked film for all, ε = 0",
    "uniform": "any film, ε = 0",
}

#: Iterations of Algorithm 1, as in the paper's experiments.
ITERATIONS = 40

#: Relative gap to which the minimax base measure is solved.
MINIMAX_TOLERANCE = 1e-2


def rule_mass(epsilon: float) -> float:
    """e^(epsilon/4): half way (in logarithms) between a uniform base of mass 1 and the largest mass possible.

    On MovieLens validation users choose about this mass up to epsilon = 2, and less beyond.
    """
    return float(np.exp(epsilon / 4))


def make_base(films: Films, base: str, epsilon: float) -> Array:
    """The base measure of WPM on the candidates, (k_v,).

    ``base``: "rule" (uniform), "best-uniform" (of the mass with the smallest worst case over profiles of films with a
    place), "prior" (proportional to the validation users' likes), "own" (proportional to 1 plus the reader's weights of
    a film's genres), "minimax", or "minimax-placed": over profiles of
    films with a place only. One film without a place makes the worst case of every base the same, so that
    "minimax" then ignores the input.
    """
    if base in ("minimax", "minimax-placed"):
        return _minimax(films, epsilon, base == "minimax-placed")
    if base == "best-uniform":
        return best_uniform_base(films.cost[films.placed], epsilon)
    if base == "prior":
        return prior_base(likes_prior(films), epsilon) * rule_mass(epsilon)
    if base == "own" and films.own:
        weights = 1.0 + films.ratings.genres[films.candidates] @ np.asarray(films.own)
        return prior_base(weights, epsilon) * rule_mass(epsilon)
    if base == "rule":
        return uniform_base(len(films.candidates), rule_mass(epsilon))
    raise ValueError(f"there is no base measure {base!r}")


@cached
def _minimax(films: Films, epsilon: float, placed: bool) -> Array:
    return minimax_base(films.cost[films.placed] if placed else films.cost, epsilon, tol=MINIMAX_TOLERANCE).base


def likes_prior(films: Films) -> Array:
    """Likes of the validation users, plus one half each so that no film is ruled out, as a distribution, (k_v,)."""
    weights = films.likes + 0.5
    return np.asarray(weights / weights.sum())


def genres_prior(films: Films) -> Array:
    """Genres of the validation users' inputs, each user counting the same, as if one more had all genres alike."""
    mean = films.inputs_of(films.learning) @ films.genre_inputs
    return np.asarray((mean.sum(axis=0) + 1.0 / mean.shape[1]) / (len(mean) + 1))


def wpm(films: Films, base: Array, epsilon: float, reg: float | None) -> Kernel:
    """WPM on the candidates: `ITERATIONS` iterations of Algorithm 1, or exact for reg None.

    Source: wpm_2605.10015, section 5.2.
    """
    polytope = Polytope(base, epsilon)

    def release(mu: Array) -> Array:
        # Train films that none of these users rated take no part: without them one user is fifteen times faster.
        used = np.flatnonzero(mu.any(axis=0))
        return projection_so_far(mu[:, used], films.cost[used], polytope, reg, ITERATIONS)

    return release


def genre_kpm(films: Films, epsilon: float, mass: float | None = None, prior: Array | None = None) -> Kernel:
    """Privatise the distribution over genres with KPM, draw a genre, then a candidate of that genre uniformly.

    Args:
        films: the catalogue.
        epsilon: privacy parameter in nats.
        mass: of the base on the genres; None for the base that is minimax optimal for every f-divergence.
        prior: a public distribution of genres, to which the base is proportional; None for the uniform one.

    Source: wpm_2605.10015, section 5.2, after Zamanlooy et al. 2025.
    """
    genres, outputs = _genre_polytopes(films, epsilon, mass, prior)
    return lambda mu: outputs.repair(kl_projection(mu @ films.genre_inputs, genres) @ films.genre_outputs)


def _genre_polytopes(
    films: Films, epsilon: float, mass: float | None = None, prior: Array | None = None
) -> tuple[Polytope, Polytope]:
    """The polytope of distributions over genres, and its image: all distributions over candidates."""
    n_genres = len(films.ratings.genre_names)
    base = minimax_base_kl(n_genres, epsilon) if mass is None else uniform_base(n_genres, mass)
    base = base if prior is None else base.sum() * prior
    # Drawing the film costs no privacy; in floating point the outputs are kept inside the image of the polytope.
    return Polytope(base, epsilon), Polytope(base @ films.genre_outputs, epsilon)


def polytope_of(films: Films, name: str, base: Array, epsilon: float, reg: float | None) -> Polytope:
    """The polytope that holds all outputs of a mechanism of `make_releases` with the same arguments."""
    if name == "kpm":
        return _genre_polytopes(films, epsilon)[1]
    return TABLE[name].polytope(_public(films, base, epsilon, reg))


def _public(films: Films, base: Array, epsilon: float, reg: float | None) -> Public:
    return Public(films.cost, films.cost, epsilon, base, reg, ITERATIONS, films.snap)


def make_releases(films: Films, base: Array, epsilon: float, reg: float | None) -> dict[str, Kernel]:
    """The mechanisms of `MECHANISMS`, WPM with the base measure given.

    Those that need outputs at the inputs' points first move every train film to its nearest candidate. EM's utility is
    minus the mean cost: at p = 2 that is the paper's, and at another p it prefers what the loss does.
    """
    public = _public(films, base, epsilon, reg)
    own = {"wpm": wpm(films, base, epsilon, reg), "kpm": genre_kpm(films, epsilon)}
    return {name: own[name] if name in own else TABLE[name](public) for name in MECHANISMS}


def references(films: Films, mu: Array) -> dict[str, Array]:
    """Outputs without privacy, (n, k_v), or without a look at the user (epsilon = 0), (k_v,).

    "nearest": the candidate with the smallest mean cost from the input; "uniform": any candidate; "popular": the
    candidate that most validation users like, for everybody.
    """
    one = np.eye(len(films.candidates))
    return {
        "nearest": one[(mu @ films.cost).argmin(axis=1)],
        "uniform": one.mean(axis=0),
        "popular": one[int(films.likes.argmax())],
    }
