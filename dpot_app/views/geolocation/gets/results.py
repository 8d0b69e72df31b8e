"""How far one released place is from the nearest own place: for one person, the worst in the file, the worst of all.

Let B be the outputs at most x away from some place of a history, L and U the bounds of a mechanism's polytope.

- WPM, exact: of every optimal output at least ``min_a min(U(B_a), 1 - L(not B_a))`` lies in B, with B_a the outputs at
  most x from cell a. Otherwise mass goes from some place s farther than x, while U leaves room within x of s: it would
  be cheaper to send it there. A history at one cell has just that much, so that the worst person was in one cell only.
- KPM and k-RR, which release all cells alike where the history is not: outside of the history the first puts L, so that
  fewest mass is in B for one cell; the second is linear in the history.
- All mechanisms: at most ``max_a min(U(not B_a), 1 - L(B_a))`` lies outside of B, by the polytope alone.
"""

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from dpot_app.cities.city import City, make_public
from dpot_app.cities.city_map import CityMap
from dpot_app.cities.worst_case import outputs_of_cells
from dpot_app.kit.cache import cached
from dpot_app.views.geolocation.base import make_base
from dpot_app.views.geolocation.person.results import one_person
from dpot_app.views.geolocation.settings import BEYOND, Config
from dpot_core.arguments import Array
from dpot_core.arguments.progress import Progress, counted, parts
from dpot_core.mechanisms import MECHANISMS
from dpot_core.mechanisms.knowledge import Private, Public

#: Distances of the curves, beside those of the slider; people whose releases are worked on together.
_POINTS, _PEOPLE = 121, 25
#: Rounding must not ask for the next output.
_CRUMBS = 1e-9


class Far(NamedTuple):
    """Distances of releases from the nearest own place: of several people the largest, each number by itself."""

    half: float  # half of the releases land within, km
    most: float  # nine of ten
    shares: Array  # shares of the releases that land farther than each of some radii, (T,)

    def beyond(self, radii: Array, km: float) -> float:
        """The share that lands farther than ``km``, which is one of the radii."""
        return float(self.shares[np.searchsorted(radii, km)])


class People(NamedTuple):
    """One mechanism's releases; the worst possible person is known where both ends are the same."""

    here: Far
    in_file: Far
    at_least: Far  # the worst of all who were in one cell only
    at_most: Far  # proven for all

    @property
    def known(self) -> bool:
        return self.at_least is self.at_most

    @property
    def worst(self) -> dict[str, tuple[Far, Far]]:
        """From below and above, by name on screen."""
        return {
            "This person": (self.here, self.here),
            "Worst person in the file": (self.in_file, self.in_file),
            "Worst possible person": (self.at_least, self.at_most),
        }


@dataclass(frozen=True)
class OwnPlaces:
    map: CityMap
    config: Config
    name: str  # of the person: plain text that is not checked
    people: int
    radii: Array  # (T,), km
    by: dict[str, People]  # by mechanism

    def tables(self) -> dict[str, pd.DataFrame]:
        x = self.config.beyond
        rows, curves = [], {"km": self.radii}
        for name, people in self.by.items():
            for who, ends in people.worst.items():
                for end, far in zip(("at least", "at most"), ends, strict=True):
                    curves[f"{name}, {who.lower()}, {end}"] = far.shares
                    found = {"half within km": far.half, "nine of ten within km": far.most}
                    found |= {"farther than km": x, "share farther": far.beyond(self.radii, x)}
                    rows.append({"mechanism": name, "person": who.lower(), "end": end, **found})
        tables = {"own-places": pd.DataFrame(rows), "own-places-against-km": pd.DataFrame(curves)}
        return {name: pd.DataFrame({"simulated": self.map.simulated, **table}) for name, table in tables.items()}


def own_places(city: City, config: Config, progress: Progress | None = None) -> OwnPlaces:
    """Compute the distances for each mechanism of the settings that has an output for all histories."""
    radii = np.unique([*np.linspace(0.0, np.hypot(city.map.width, city.map.height), _POINTS), *BEYOND, config.beyond])
    base = make_base(city, config.base, config.epsilon)
    everywhere = np.full(len(city.grid), 1.0 / len(city.grid))
    public = make_public(city, base, config.epsilon, config.reg)
    names = [name for name in config.mechanisms if MECHANISMS[name].feasible(public, everywhere)]
    person = one_person(city, replace(config, beyond=Config().beyond))
    away = _to_own(city, person.truth.mu)
    by = {}
    for name, part in parts(names, progress):
        nu, reg = person.outputs[name][None], config.reg if name == "wpm" else None
        others = _of_all(city, (config.base, config.epsilon, reg, name), tuple(radii.tolist()), part)
        by[name] = People(_farthest(away[None], nu, nu, radii), *others)
    return OwnPlaces(city.map, config, person.truth.name, person.people, radii, by)


@cached
def _of_all(
    city: City,
    at: tuple[str, float, float | None, str],
    radii: tuple[float, ...],
    progress: Progress | None = None,
) -> tuple[Far, Far, Far]:
    """The worst in the file, and both ends of the worst possible; ``at``: base measure, epsilon, lambda, mechanism."""
    base, epsilon, reg, name = at
    public, row = make_public(city, make_base(city, base, epsilon), epsilon, reg), MECHANISMS[name]
    kernel, x, found = row(public), np.array(radii), []
    for start in counted(range(0, len(city.histograms), _PEOPLE), progress):
        histograms = city.histograms[start : start + _PEOPLE]
        places = city.places(histograms)
        nu = kernel(Private.of(public, histograms.take(places.cells, axis=1), places))
        found.append(_farthest(np.array([_to_own(city, mu) for mu in histograms]), nu, nu, x))
    in_file = Far(
        max(far.half for far in found),
        max(far.most for far in found),
        np.asarray(np.max([far.shares for far in found], axis=0)),
    )
    polytope = row.polytope(public)
    lower, upper = (np.broadcast_to(bound, city.distances.shape) for bound in (polytope.lower, polytope.upper))
    if name == "wpm" and reg is None:
        worst = _farthest(city.distances, upper, lower, x)
        return in_file, worst, worst
    rows = outputs_of_cells(city, kernel, public, np.arange(len(city.grid)))
    at_least = _farthest(city.distances, rows, rows, x)
    if row.worst_divergence == "minimax" and city.zones is None:
        return in_file, at_least, at_least
    return in_file, at_least, _farthest(city.distances, lower, upper, x, least=True)


def have_enough(city: City, public: Public, mechanism: str, km: float, share: float = 0.9) -> NDArray[np.bool_]:
    """Whether so many of a person's releases land at most ``km`` from an own place, (people,).

    Each is computed alone: even rounding depends on no one else's data.
    """
    kernel, found = MECHANISMS[mechanism](public), []
    for mu in city.histograms:
        places = city.places(mu[None, :])
        (nu,) = kernel(Private.of(public, mu[None, places.cells], places))
        found.append(bool(nu[_to_own(city, mu) <= km + _CRUMBS].sum() >= share - _CRUMBS))
    return np.array(found)


def _to_own(city: City, mu: Array) -> Array:
    """From each output to the nearest cell that a history mu (k,) has visited, (k_v,), km."""
    return np.asarray(city.between(np.flatnonzero(mu)).min(axis=0))


def _farthest(away: Array, near: Array, far: Array, radii: Array, least: bool = False) -> Far:
    """The farthest releases of several histories, each number by itself.

    Args:
        away: of each output from the history, (m, k_v).
        near: bound of the mass of each output, (m, k_v), where it is near the history.
        far: the same where it is not: of all that is near, the bounds leave the smaller of the sum of the first, and
            1 minus that of the second. Both are the outputs themselves where these are known.
        radii: up to where an output is near, (T,).
        least: whether it is the larger one.
    """
    order = np.argsort(away, axis=1, kind="stable")
    away, near, far = (np.take_along_axis(each, order, axis=1) for each in (away, near, far))
    ends = near.cumsum(axis=1), 1.0 - (far.sum(axis=1, keepdims=True) - far.cumsum(axis=1))
    within = (np.maximum if least else np.minimum)(*ends)
    up_to = np.column_stack([np.zeros(len(within)), within])
    reached = [np.searchsorted(at, radii + _CRUMBS, side="right") for at in away]
    nearest = np.min([mass[count] for mass, count in zip(up_to, reached, strict=True)], axis=0)
    first = [np.argmax(within >= share - _CRUMBS, axis=1) for share in (0.5, 0.9)]
    half, most = (float(np.take_along_axis(away, at[:, None], axis=1).max()) for at in first)
    return Far(half, most, np.clip(1.0 - nearest, 0.0, 1.0))
