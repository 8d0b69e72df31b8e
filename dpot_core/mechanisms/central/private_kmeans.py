"""Private k-means: Lloyd's rounds on noisy counts and sums, the baseline beside private barycenters."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dpot_core.arguments import Array, check_count
from dpot_core.arguments.options import by_name
from dpot_core.mechanisms.central.cells import MOST_PEOPLE, exact_sums, person_grid, power_labels
from dpot_core.mechanisms.central.groups import check_crowd
from dpot_core.mechanisms.central.noise import Integers, gaussian
from dpot_core.mechanisms.central.promises import Protection, budget
from dpot_core.mechanisms.central.public_randomness import generator
from dpot_core.mechanisms.central.region_draws import public_atoms
from dpot_core.mechanisms.central.regions import Region, as_region
from dpot_core.privacy.accounting import check_delta, check_steps, gaussian_noise
from dpot_core.privacy.guarantees import Guarantee
from dpot_core.privacy.profiles import Profile, profile_of
from dpot_core.transport.barycenters import barycenter_cost
from dpot_core.transport.group_shares import check_shares

#: Rounds, where nothing else is asked for: so many at least and at most, and more as long as the noise of one round
#: moves all centres by no more than this, squared and summed, in units of the region's radius.
ROUNDS, MOST_MOVED = (2, 7), 0.004

#: Mean square of a centre's distance from the region's centre, in squared radii: that of a uniform disc.
SPREAD = 0.5

#: A centre stays where it is if its noisy count is below so many standard deviations of the count's noise.
FEW = 2.0

#: A person's weight is a multiple of one over this, so that weighted sums are exact.
PARTS = 64


@dataclass(frozen=True)
class Lloyd:
    """The noisy rounds, and where they start.

    Attributes:
        rounds: number T of rounds, public; None for `lloyd_rounds`, where sizes are public.
        start: public centres (m, d) that no data have influenced, or "uniform" for centres drawn in the region.
        weights: what a person of each group counts, one positive number per group, public; None for all alike. They are
            divided by the largest and rounded to 64ths, one at least.
    """

    rounds: int | None = None
    start: ArrayLike | str = "uniform"
    weights: ArrayLike | None = None


@dataclass(frozen=True)
class PrivateKMeans:
    """The result of `private_kmeans`.

    Attributes:
        atoms: m centres, (m, d), in the convex hull of the region.
        shares: noisy shares of the people in the cells of the last round, (m,), at least 0, sum 1.
        guarantee: what is promised; towards the population if one was given.
        sample_guarantee: what is promised to those whose points were used.
        trace: what is published: the start, and the centres after every round, (rounds + 1, m, d).
        noise: standard deviation of the noise of one round, on sums and on counts times `person`.
        sensitivity: largest change of one round's sums and counts between neighbours in the 2-norm, unit of the
            coordinates.
        person: what a person counts for beside the sums, unit of the coordinates.
        rounds: number of noisy rounds.
        weights: the groups' weights as they were used; None where all people count alike.
    """

    atoms: Array
    shares: Array
    guarantee: Guarantee
    sample_guarantee: Guarantee
    trace: Array = field(repr=False)
    noise: float
    sensitivity: float
    person: float
    rounds: int
    weights: Array | None = None

    @property
    def profile(self) -> Profile:
        """delta at every epsilon of one release."""
        mu = self.sensitivity * math.sqrt(self.rounds) / self.noise
        return profile_of(self.guarantee, self.sample_guarantee, mu, ())

    def cost(self, groups: Sequence[Any], p: float = 2.0, weights: ArrayLike | None = None) -> float:
        """sum_i beta_i W_p^p(mu_i, nu) of the barycenters, each centre with the share 1/m; of true groups not private.

        Args:
            groups: pairs (points, weights or None).
            p: order of the cost.
            weights: beta, one per group; None for 1/k.

        Returns:
            The cost, unit of the coordinates to the power p.
        """
        return barycenter_cost(groups, self.atoms, p, weights)


@by_name(protection=Protection, lloyd=Lloyd)
def private_kmeans(
    groups: Sequence[Any],
    m: int,
    epsilon: float,
    delta: float,
    *,
    region: Any,
    rng: np.random.Generator | None = None,
    protection: Protection = Protection(),
    lloyd: Lloyd = Lloyd(),
) -> PrivateKMeans:
    r"""k-means of all people by T noisy rounds of Lloyd, (epsilon, delta)-private.

    min over y of ``sum_x w(x) min_j |x - y_j|^2``. For p = 2 and one group it is the barycenter with m atoms of free
    weights, ``min over y and a of W_2^2(mu, sum_j a_j delta_(y_j))``: with a free, everybody goes to the nearest
    centre. The barycenters of this package have atoms of weight 1/m: another objective, whose cost is never less.
    Groups are pooled. With weights ``beta_i/n_i`` the objective is the mean over groups by beta of each one's own free
    weights, and so a lower bound of the barycenters' objective, which has one nu for all groups.

    A round sends everybody to the nearest of the last centres, the first of equals, and asks each cell j for
    ``(h N_j, S_j)``, the weighted count and the weighted sum of ``x - c``, c and R centre and radius of a public ball
    around the region. With Gaussian noise on all of it, the new centre is ``c + S_j/N_j``, moved into the region's
    convex hull; where the noisy count is below `FEW` standard deviations of its noise, or below one person, the old
    centre stays.

    Proof. Centres are public once they are published, so that a person's cell follows from this person's point alone.
    Replacing x by x' in another cell changes two rows, by ``(h, x - c)`` and ``(h, x' - c)``, times the weight of their
    group, at most 1: at most ``sqrt(2 (h^2 + R^2))`` in the 2-norm; in the same cell one row, by ``(0, x' - x)``: at
    most 2 R. A point more or less changes one row: at most ``sqrt(h^2 + R^2)``. Sums are exact (`cells.exact_sums`):
    coordinates are cut towards 0 to multiples of a power of two, weights are 64ths. What follows a round's noise looks
    at no one. T rounds, each of which depends on what the ones before have published, compose like one Gaussian
    release of sqrt(T) times the sensitivity (`accounting.gaussian_noise`).

    The budget's split. Over rounds: evenly, T fixed before (`lloyd_rounds`). Counts against sums: h = R under
    "replace", where counts cost nothing beside sums; under "add-remove" ``h = (SPREAD/d)^(1/4) R``, at most R, which
    minimises the centres' mean square error, ``(d + SPREAD (R/h)^2) sigma^2/N_j^2`` with sigma in proportion to
    ``sqrt(h^2 + R^2)``.

    Args:
        groups: for each group its points (n_i, d), or a pair (points, whole-number counts).
        m: number of centres, at most the number of points of any group.
        epsilon: privacy parameter in nats, towards the population if there is one.
        delta: slack, in (0, 1), likewise.
        region: public region, as in `private_measure`.
        rng: source of randomness of a demonstration; a release takes nothing from it.
        protection: whom the promise protects; fields may be given by name (adjacency, population, outside, secure).
        lloyd: the rounds and where they start; fields may be given by name (rounds, start, weights).

    Returns:
        `PrivateKMeans`.

    Raises:
        ValueError: if an argument is out of range.

    Source:
        Blum, Dwork, McSherry, Nissim 2005 (k-means); Su, Cao, Li, Bertino, Jin 2016 (DPLloyd: rounds, and counts
        against sums, by the same mean square error for Laplace noise). The Gaussian noise and the proof are ours.
    """
    m, delta, place = check_count(m, "m"), check_delta(delta), as_region(region)
    if protection.hidden and lloyd.rounds is None:
        raise ValueError("rounds must be given under 'add-remove': sizes are not public; got None")
    people, sizes = check_crowd(groups, m, place, protection)
    weights = _in_parts(lloyd.weights, len(people))
    most = MOST_PEOPLE if weights is None else MOST_PEOPLE // PARTS
    if sum(sizes) > most:
        raise ValueError(f"groups must hold at most {most:,} points together, so that sums are exact")
    spend = budget(epsilon, delta, sizes, protection)
    secure = spend.sample_guarantee().released() if protection.secure else None
    chance = generator(rng, secure)
    d = place.lower.size
    size, person = round_sensitivity(place, protection.adjacency)
    if lloyd.rounds is None:
        once = gaussian_noise(spend.epsilon, spend.delta, size) / place.radius
        rounds = lloyd_rounds(sum(sizes), m, d, once)
    else:
        rounds = check_steps(lloyd.rounds)
    sigma = gaussian_noise(spend.epsilon, spend.delta, size, rounds)
    points, times = _pooled(people, weights)
    trace, held = [public_atoms(lloyd.start, m, place, chance)], np.zeros(m)
    for _ in range(rounds):
        asked = round_sums(points, times, trace[-1], place, person)
        told = gaussian(asked, sigma, chance, secure=secure)
        held = told[:, 0] / person
        trace.append(_moved(trace[-1], held, told[:, 1:], sigma / person, place))
    facts = ["region where points may be", "number of centres m", "number of rounds and where they start"]
    facts += [] if weights is None else ["weights of the groups"]
    mu = size * math.sqrt(rounds) / sigma
    counted = np.maximum(held, 0.0)
    shares = counted / counted.sum() if counted.any() else np.full(m, 1.0 / m)
    promises = (spend.guarantee(*facts, gaussian=mu), spend.sample_guarantee(*facts, gaussian=mu))
    return PrivateKMeans(trace[-1], shares, *promises, np.stack(trace), sigma, size, person, rounds, weights)


def round_sensitivity(region: Region, adjacency: str) -> tuple[float, float]:
    """Largest change of `round_sums` between neighbours in the 2-norm, and h, what a person counts for beside sums.

    Args:
        region: the public region.
        adjacency: "replace" or "add-remove".

    Returns:
        Both in the unit of the coordinates; h is a multiple of the sums' grid, at most R.
    """
    radius, (step, whole) = region.radius, person_grid(region)
    if adjacency == "replace":
        return max(2.0 * radius, math.sqrt(2.0) * math.hypot(whole, radius)), whole
    share = min((SPREAD / region.lower.size) ** 0.25, 1.0)
    person = math.floor(share * whole / step) * step
    return math.hypot(person, radius), person


def lloyd_rounds(n: int, m: int, d: int, noise: float) -> int:
    """Number T of rounds, from public numbers: the most for which a round's noise moves the centres by little.

    All centres of n/m people each move by ``T noise^2 m^3 (d + SPREAD)/n^2``, squared and summed: at most `MOST_MOVED`,
    with 2 to 7 rounds.

    Args:
        n: people, public.
        m: centres.
        d: dimension.
        noise: standard deviation of the noise if there were one round, in units of the region's radius.

    Returns:
        T.

    Source:
        Su, Cao, Li, Bertino, Jin 2016 (DPLloyd), whose bound on the error of a round and whose ends these are.
    """
    once = (noise * m / n) ** 2 * m * (d + SPREAD)
    least, most = ROUNDS
    return max(least, int(min(MOST_MOVED / once, most)))


def round_sums(points: Array, times: Array, centres: Array, region: Region, person: float) -> Array:
    """The query of a round: of the cell of each centre ``(h N_j, sum of w (x - c))``, (m, 1 + d), exact.

    Args:
        points: everybody's, (n, d).
        times: how often each counts, (n,): whole numbers, or 64ths.
        centres: the last ones, (m, d); everybody is in the cell of the nearest, the first of equals.
        region: the public region.
        person: h, of `round_sensitivity`.
    """
    m = len(centres)
    label = power_labels(points, centres, np.zeros(m))
    sums = exact_sums(points - region.centre, times, label, m, region)
    # Both are exact: a count, and a count of multiples of the grid.
    sums[:, 0] = sums[:, 0] / person_grid(region)[1] * person
    return sums


def _pooled(people: Sequence[tuple[Array, Integers]], weights: Array | None) -> tuple[Array, Array]:
    """Everybody's points (n, d), and how often each counts, (n,)."""
    counts = [times for _, times in people]
    if weights is not None:
        counts = [times * weight for times, weight in zip(counts, weights, strict=True)]
    return np.concatenate([points for points, _ in people]), np.concatenate(counts).astype(np.float64)


def _in_parts(weights: ArrayLike | None, k: int) -> Array | None:
    """Weights as 64ths of the largest, (k,); None where all are alike."""
    shares = check_shares(weights, k)
    return None if shares is None else np.maximum(np.rint(PARTS * shares / shares.max()), 1.0) / PARTS


def _moved(centres: Array, held: Array, vectors: Array, spread: float, region: Region) -> Array:
    """New centres (m, d) in the hull, from noisy counts (m,) and sums (m, d); spread: of the counts' noise."""
    enough = held >= max(FEW * spread, 1.0)
    found = centres.copy()
    found[enough] = region.centre + vectors[enough] / held[enough, None]
    return region.into_hull(found)
