from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from dpot_app.kit.cache import cached
from dpot_app.kit.fields import CURVE_EPSILONS, DISTANCE, EPSILONS, LOSSES
from dpot_app.views.ring.settings import BASES, Base, Config, Ring, best_uniform
from dpot_core.arguments import Array
from dpot_core.arguments.progress import Progress, counted
from dpot_core.base_measures import uniform_base
from dpot_core.distributions.divergences import DIVERGENCES, kl
from dpot_core.mechanisms import MECHANISMS, rivals
from dpot_core.mechanisms.kl_projection import kl_projection
from dpot_core.mechanisms.knowledge import Public
from dpot_core.mechanisms.near_prior import corners_near_prior, worst_case_near_prior
from dpot_core.privacy.polytopes import Polytope
from dpot_core.worst_case import (
    Bracket,
    divergence_bracket,
    worst_case_bracket,
    worst_case_divergence,
    worst_case_wasserstein,
)

#: Points of a ring on which the minimax base is found in no time.
MOST_MINIMAX = 60


@dataclass(frozen=True)
class WorstCases:
    """Curves over `epsilon`, (T,) each."""

    ring: Ring  # the settings they depend on: not on the input, nor on the current epsilon
    epsilon: Array  # values of the privacy parameter
    # columns "wpm" (best uniform base), "wpm-uniform" (base of mass 1): sup over all inputs; each of `rivals()`: the
    # largest over point masses, which is exact or a lower bound of the worst case, as its row says. In steps
    wasserstein: pd.DataFrame
    divergences: dict[str, pd.DataFrame]  # by name of the divergence, columns "minimax" and "mollifier" over k points

    def tables(self) -> dict[str, pd.DataFrame]:
        distances = self.wasserstein.copy()
        distances.insert(0, "epsilon", self.epsilon)
        tables = {"worst-case-wasserstein": distances}
        divergences = pd.DataFrame({"epsilon": self.epsilon})
        for name, frame in self.divergences.items():
            for mechanism in frame.columns:
                divergences[f"{name} {mechanism}"] = frame[mechanism].to_numpy()
        tables["worst-case-divergences"] = divergences
        return tables


@dataclass(frozen=True)
class WorstNow:
    """The worst cases at one value of epsilon: not read off the curves, but computed."""

    epsilon: float
    in_use: float  # worst case of WPM with the base measure in use, in steps
    most: float  # the same at the smallest epsilon of the slider, where it is largest
    wasserstein: dict[str, float]  # columns as in `WorstCases`, in steps
    divergences: dict[str, dict[str, float]]  # by name of the divergence and by mechanism

    def tables(self) -> dict[str, pd.DataFrame]:
        row = {"epsilon": self.epsilon, "wpm in use": self.in_use, **self.wasserstein}
        row |= {f"{name} {who}": value for name, both in self.divergences.items() for who, value in both.items()}
        return {"worst-case-now": pd.DataFrame([row])}


@cached
def worst_cases(ring: Ring) -> WorstCases:
    wasserstein = pd.DataFrame([_wasserstein(ring, epsilon) for epsilon in CURVE_EPSILONS])
    rows = [_divergences(ring, epsilon) for epsilon in CURVE_EPSILONS]
    divergences = {name: pd.DataFrame([row[name] for row in rows]) for name in DIVERGENCES}
    return WorstCases(ring, np.asarray(CURVE_EPSILONS), wasserstein, divergences)


@cached
def worst_case_now(ring: Ring, base: Base, epsilon: float) -> WorstNow:
    """Compute the worst cases at one epsilon, with the base measure in use beside the uniform ones."""
    in_use, most = _in_use(ring, base, epsilon), _in_use(ring, base, min(EPSILONS))
    return WorstNow(epsilon, in_use, max(in_use, most), _wasserstein(ring, epsilon), _divergences(ring, epsilon))


@cached
def _in_use(ring: Ring, base: Base, epsilon: float) -> float:
    polytope = Polytope(base.measure(ring, epsilon), epsilon)
    return float(worst_case_wasserstein(ring.cost, polytope, ring.p))


def now(config: Config) -> WorstNow:
    return worst_case_now(config.ring, config.base, config.epsilon)


def worst_distance(ring: Ring, name: str, epsilon: float) -> float:
    """One column of `WorstCases.wasserstein` at one epsilon, in steps."""
    cost = ring.distinct_cost
    if name == "wpm-uniform":
        return float(worst_case_wasserstein(cost, Polytope(uniform_base(cost.shape[1]), epsilon), ring.p))
    base = best_uniform(ring, epsilon)
    if name == "wpm":
        return float(worst_case_wasserstein(cost, Polytope(base, epsilon), ring.p))
    distances = ring.space.distances(ring.targets)
    public = Public(cost=ring.cost, distances=distances, epsilon=epsilon, base=base, snap=ring.snap)
    # From a point mass there is one plan only, so its cost needs no solver.
    outputs = rivals()[name](public)(np.eye(ring.k)[: len(cost)])
    return float((outputs * cost).sum(axis=1).max() ** (1.0 / ring.p))


def _wasserstein(ring: Ring, epsilon: float) -> dict[str, float]:
    return {name: worst_distance(ring, name, epsilon) for name in ("wpm", "wpm-uniform", *rivals())}


def _divergences(ring: Ring, epsilon: float) -> dict[str, dict[str, float]]:
    mechanisms = ("minimax", "mollifier")
    return {
        name: {mechanism: worst_case_divergence(name, ring.k, epsilon, mechanism) for mechanism in mechanisms}
        for name in DIVERGENCES
    }


def near_prior(config: Config) -> tuple[Bracket, float] | None:
    """Worst-case KL over outputs' inputs within gamma of the prior: of KPM around prior, and what KPM reaches there.

    None where there is no prior, or KPM around prior is not among the mechanisms.
    """
    prior = config.base.public_prior(config.ring)
    if prior is None or "kpm-prior" not in config.mechanisms:
        return None
    gamma, inputs = config.base.gamma, corners_near_prior(prior, config.base.gamma)
    reached = kl(inputs, kl_projection(inputs, MECHANISMS["kpm"].polytope(config.public)))
    return worst_case_near_prior("kl", prior, config.epsilon, gamma), float(np.max(reached))


@dataclass(frozen=True)
class Along:
    """Worst cases of the mechanisms of the settings, with their base measure and solver, in one loss."""

    at_least: pd.DataFrame  # what an input attains, by mechanism; rows over `CURVE_EPSILONS`
    at_most: pd.DataFrame  # the same where the worst case is known, else an upper bound
    now: dict[str, Bracket]  # at the present epsilon


@dataclass(frozen=True)
class Curves:
    config: Config
    losses: dict[str, Along]  # by loss: W_p in steps; divergences where all points are outputs, else they are infinite
    bases: dict[str, float]  # the worst case of exact WPM with each base measure, at the present epsilon, in steps

    @property
    def distance(self) -> Along:
        return self.losses[DISTANCE]

    def tables(self) -> dict[str, pd.DataFrame]:
        columns = {"epsilon": np.asarray(CURVE_EPSILONS)}
        for loss, along in self.losses.items():
            said = "" if loss == DISTANCE else f"{loss} "
            for name in along.at_least.columns:
                columns[f"{said}{name} at least"] = along.at_least[name].to_numpy()
                columns[f"{said}{name} at most"] = along.at_most[name].to_numpy()
        bases = {"base": list(self.bases), "worst case": list(self.bases.values())}
        return {"worst-case-in-use": pd.DataFrame(columns), "worst-case-of-bases": pd.DataFrame(bases)}


def curves(config: Config, progress: Progress | None = None) -> Curves:
    """Compute the curves, and the worst cases at the present epsilon."""
    names = tuple(name for name in config.mechanisms if _known_at_points(config, name))
    rows = [_brackets(config.at(epsilon), names) for epsilon in counted(CURVE_EPSILONS, progress)]
    now, losses = _brackets(config, names), dict[str, Along]()
    for loss in now:
        at_least, at_most = (
            pd.DataFrame([{name: getattr(row[loss][name], end) for name in names} for row in rows], columns=names)
            for end in Bracket._fields
        )
        losses[loss] = Along(at_least, at_most, now[loss])
    return Curves(config, losses, worst_of_bases(config))


def worst_of_bases(config: Config) -> dict[str, float]:
    """The worst case of exact WPM with each base measure that is known, in steps; minimax where it is found at once."""
    ring, base, epsilon = config.ring, config.base, config.epsilon
    kinds = [kind for kind in BASES if kind == base.kind or kind != "prior"]
    if ring.k > MOST_MINIMAX and base.kind != "minimax":
        kinds.remove("minimax")
    boxes = {kind: Polytope(replace(base, kind=kind).measure(ring, epsilon), epsilon) for kind in kinds}
    return {kind: float(worst_case_wasserstein(ring.cost, box, ring.p)) for kind, box in boxes.items()}


def _brackets(config: Config, names: tuple[str, ...]) -> dict[str, dict[str, Bracket]]:
    """By loss and mechanism."""
    solver = {"wpm": config.reg}  # the others have no solver
    known = {name: brackets(config.ring, config.base, solver.get(name), name, config.epsilon) for name in names}
    losses = LOSSES if config.ring.every == 1 else (DISTANCE,)
    return {loss: {name: one[loss] for name, one in known.items()} for loss in losses}


@cached
def brackets(ring: Ring, base: Base, reg: float | None, name: str, epsilon: float) -> dict[str, Bracket]:
    """The worst case of one mechanism at one epsilon, by loss; both ends are the same where it is known."""
    public, mechanism = Config(ring=ring, base=base, reg=reg, epsilon=epsilon).public, MECHANISMS[name]
    rows = _rows(ring, public, name)
    found = {DISTANCE: _distance(ring, public, name, rows)}
    if ring.every > 1:
        return found
    divergences = {loss: divergence_bracket(loss, rows, epsilon, mechanism.polytope(public)) for loss in DIVERGENCES}
    if mechanism.worst_divergence is not None:
        # The nearest output, or one that is linear in the input: the divergence is convex, hence largest at a point.
        divergences = {loss: Bracket(one.at_least, one.at_least) for loss, one in divergences.items()}
    return found | divergences


def _rows(ring: Ring, public: Public, name: str) -> Array:
    """Output of the mechanism for each point, (k, k_v)."""
    if name != "wpm" or public.reg is not None:
        return MECHANISMS[name](public)(np.eye(ring.k))
    # From a point the nearest outputs are filled first (Theorem 3.5), which needs no solver.
    box, nearest = Polytope(public.base, public.epsilon), np.argsort(ring.cost, axis=1, kind="stable")
    room = (box.upper - box.lower)[nearest]
    left = 1.0 - box.lower.sum() - (np.cumsum(room, axis=1) - room)
    rows = np.tile(box.lower, (ring.k, 1))
    np.put_along_axis(rows, nearest, box.lower[nearest] + np.clip(left, 0.0, room), axis=1)
    return rows


def _distance(ring: Ring, public: Public, name: str, rows: Array) -> Bracket:
    """In steps, from the outputs of points."""
    epsilon, mechanism = public.epsilon, MECHANISMS[name]
    if mechanism.worst_distance == "exact" and public.reg is None:
        known = Polytope(public.base, epsilon) if name == "wpm" else rows
        worst = float(worst_case_wasserstein(ring.cost, known, ring.p))
        return Bracket(worst, worst)
    # From a point mass there is one plan only, so its cost needs no solver.
    at_least, at_most = worst_case_bracket(ring.cost, rows, epsilon, ring.p, mechanism.polytope(public))
    if mechanism.worst_divergence == "minimax":
        # Moved to an output first, then as little as total variation allows: W_p^p is at most TV times diameter^p.
        moved = float(ring.space.distances(ring.targets).min(axis=1).max())
        share = worst_case_divergence("tv", len(ring.targets), epsilon)
        at_most = min(at_most, max(at_least, moved + ring.space.diameter * share ** (1 / ring.p)))
    return Bracket(at_least, at_most)


def _known_at_points(config: Config, name: str) -> bool:
    """Whether the mechanism has an output for every point input: the mollifier's reference may miss some."""
    return all(MECHANISMS[name].feasible(config.public, point) for point in np.eye(config.ring.k))
