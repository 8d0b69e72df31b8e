"""The people whose barycenter is sought: a sample of a population, and its barycenter without privacy."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial

import numpy as np
import shapely
from numpy.typing import NDArray

from dpot_app.kit.cache import CACHE, cached
from dpot_app.kit.reading import read_once
from dpot_app.kit.view import Files
from dpot_app.views.population.settings import USUAL, Box, Columns, Config, Objective
from dpot_app.views.population.starts import public_starts
from dpot_core import datasets
from dpot_core.arguments import Array
from dpot_core.arguments.lazy import cached_property
from dpot_core.arguments.progress import Progress, counted
from dpot_core.datasets import POPULATIONS, Outline, Population
from dpot_core.spaces.polygons import Booleans
from dpot_core.transport.barycenters import Plans, free_support, polished
from dpot_core.transport.semidiscrete import SemidiscretePlan
from dpot_core.transport.support_points import check_groups, group_plans

#: Further starts of the search for the non-private barycenter, where that is quick: best of all has to be near.
STARTS = 6

#: Rounds by which the people themselves lead the atoms of a release to a local minimum.
POLISH, LONG_POLISH = 30, 4

#: So many pairs (point, atom) take a while, and so many atoms, whose masses have to be balanced.
LONG = 300_000
LONG_ATOMS = 24


@dataclass(frozen=True)
class People:
    """n people of each group, drawn from a population; equal keys, equal people."""

    key: str
    sample: Population = field(compare=False)  # weights are counts
    totals: tuple[int, ...]  # people of each group in the population, (G,)
    everybody: bool  # no sample was drawn, because n is the size of every group or more

    @property
    def outline(self) -> Outline:
        return self.sample.outline

    @property
    def sizes(self) -> tuple[int, ...]:
        """People drawn from each group."""
        return tuple(int(total) for total in self.sample.totals)

    @property
    def rate(self) -> float:
        """The largest share of a group that was drawn."""
        return max(n / total for n, total in zip(self.sizes, self.totals, strict=True))

    @cached_property
    def groups(self) -> tuple[tuple[Array, Array], ...]:
        """For each group points (n, 2) and counts (n,)."""
        return self.sample.groups

    @cached_property
    def shares(self) -> list[tuple[Array, Array]]:
        """The groups with shares that sum to 1 in place of counts."""
        return check_groups(self.groups)

    @cached_property
    def shares_km(self) -> list[tuple[Array, Array]]:
        return check_groups(self.groups_km)

    @cached_property
    def groups_km(self) -> tuple[tuple[Array, Array], ...]:
        return tuple((self.outline.to_km(points), counts) for points, counts in self.groups)


@dataclass(frozen=True)
class Reference:
    key: str
    atoms: Array  # (m, 2), coordinates of the data
    cost: float  # mean distance to the power p of the people to their atom, mean over groups, units to the power p
    km: float | None  # p-th root of the same on a map in kilometres; None where coordinates are not degrees
    # Optimal plans from the groups to the atoms, from which transport to atoms nearby starts; in degrees and in km.
    plans: tuple[SemidiscretePlan, ...] = field(repr=False, compare=False)
    plans_km: tuple[SemidiscretePlan, ...] = field(repr=False, compare=False)
    objective: Objective = USUAL

    @property
    def potentials(self) -> Array | None:
        """Potentials of the atoms' power cells of equal mass, (G, m), squared units; None unless p is 2."""
        return np.stack([plan.potentials for plan in self.plans]) if self.objective.p == 2 else None

    @property
    def typical(self) -> float:
        """The typical distance of the people to their atom, the p-th root of the cost, units."""
        return float(self.cost ** (1.0 / self.objective.p))


def load_population(config: Config, files: Files | None = None, progress: Progress | None = None) -> Population:
    """The population that the settings name.

    Raises:
        DatasetMissing: if the data have to be downloaded first.
        UnusableFile: if the file cannot be used.
    """
    if config.source != "csv":
        where = (config.country,) if config.source == "country" else ()
        return datasets.loaded(POPULATIONS[config.source], config.groups, *where)
    content = (files or {})["population"]
    together = config.groups == "everybody"
    return _read(content, config.columns, config.outside, config.box or config.region, together, progress)


def outline_of(region: str | Box) -> Outline:
    """The public region of a file: a box in its coordinates, "us", or a country's code."""
    if not isinstance(region, str):
        return datasets.box_outline(*region)
    return datasets.us_outline() if region == "us" else datasets.country_outline(region)


def _read_file(
    content: bytes, columns: Columns, outside: str, region: str | Box, together: bool, progress: Progress | None
) -> Population:
    population = datasets.read_population_csv(
        content, outline_of(region), dict(columns) or None, outside, progress=progress
    )
    return population.everybody() if together else population


_read = read_once(CACHE, _read_file)


def sample_people(population: Population, n: int, seed: int) -> People:
    """n people of each group without replacement; all people of the smallest group if it has fewer.

    Raises:
        ValueError: if the weights are not whole numbers of people.
    """
    return sampled(population, n, np.random.default_rng([seed, 0]), str(seed))


def sampled(population: Population, n: int, rng: np.random.Generator | None, name: str = "") -> People:
    """As `sample_people`, with a generator in place of a seed, or for a release without one."""
    totals = tuple(int(total) for total in population.totals)
    size = min(n, *totals)
    everybody = all(total == size for total in totals)
    key = f"{population.digest} {size} {name}"
    return People(key, population.sample(size, rng), totals, everybody)


def takes_long(people: People, m: int) -> bool:
    """Whether a barycenter of these people takes seconds rather than fractions of one."""
    return m >= LONG_ATOMS or len(people.sample) * people.sample.n_groups * m > LONG


def search_reference(
    people: People,
    m: int,
    seed: int,
    reg: float = 0.0,
    progress: Progress | None = None,
    objective: Objective = USUAL,
) -> Reference:
    """The barycenter of the people without privacy, by exact transport (or entropic, as in the paper).

    It starts from where private searches start (`public_starts`), and where that is quick from other places too.

    Raises:
        ValueError: if there are fewer people than atoms.
    """
    if min(people.sizes) < m:
        raise ValueError(f"m must not exceed the people of the smallest group, {min(people.sizes):,}; got {m}")
    rng = np.random.default_rng([seed, 1])
    search = partial(free_support, people.groups, m, rng, objective.p, weights=objective.known)
    if reg > 0:
        best = search(plans=Plans("entropic", reg), starts=1)
    elif objective.p != 2:
        # Costs of other orders are not annealed, and take longer: what is best for squares is a good start.
        squares = reference(people, m, seed, 0.0, progress, replace(objective, p=2.0))
        begun = [search(starts=one[None]) for one in (squares.atoms, public_starts(people.outline, m)[0])]
        best = min(begun, key=lambda one: one.cost)
    else:
        begin = list(public_starts(people.outline, m))
        if takes_long(people, m):
            tries = [search(starts=one[None]) for one in counted(begin, progress)]
        else:
            # From each start to the end: which is best on a sample need not be so for all.
            tries = [search(starts=one[None]) for one in begin]
            tries.append(search(starts=STARTS))
        best = min(tries, key=lambda one: one.cost)
    return as_reference(people, best.atoms, f"{people.key} {m} {seed} {reg}{objective.key}", objective)


def as_reference(people: People, atoms: Array, key: str, objective: Objective = USUAL) -> Reference:
    """Atoms (m, 2) with their costs and plans."""
    p = objective.p
    plans = tuple(group_plans(people.shares, atoms, p))
    plans_km: tuple[SemidiscretePlan, ...] = ()
    if people.outline.geographic:
        plans_km = tuple(group_plans(people.shares_km, people.outline.to_km(atoms), p))
    km = _mean_cost(plans_km, objective) ** (1.0 / p) if plans_km else None
    return Reference(key, atoms, _mean_cost(plans, objective), km, plans, plans_km, objective)


@dataclass(frozen=True)
class Fall:
    """Where the people themselves lead some atoms: a local minimum, of which noise alone kept them."""

    atoms: Array  # in the same order, (m, 2)
    cost: float  # units of the coordinates to the power p, at most `before`
    before: float  # cost of the atoms that were given


def fall(people: People, truth: Reference, atoms: Array) -> Fall:
    """The local minimum below atoms in the order of `truth.atoms`; quickest for atoms near these."""
    rounds = LONG_POLISH if takes_long(people, len(atoms)) else POLISH
    p, weights = truth.objective.p, truth.objective.known
    found = polished(people.groups, atoms, _moved(truth.plans, truth.atoms, atoms, p), rounds, p, weights)
    # Rounds stop where they hardly pay; atoms cost no less than where they lead.
    return Fall(found.atoms, min(found.cost, found.trace[0]), found.trace[0])


#: The same, kept: the pages ask again with every move of a slider. Curves, whose runs are seen once, do not keep them.
draw_people = cached(sample_people)
reference = cached(search_reference)


def cost_of(people: People, truth: Reference, atoms: Array) -> float:
    """The cost of atoms in the order of `truth.atoms`, as in `Reference`; quickest nearby."""
    p = truth.objective.p
    begin = _moved(truth.plans, truth.atoms, atoms, p)
    return _mean_cost(group_plans(people.shares, atoms, p, begin), truth.objective)


def cost_km(people: People, truth: Reference, atoms: Array) -> float | None:
    """The root of the cost of atoms in the order of `truth.atoms` in kilometres, as in `Reference`; quickest nearby."""
    if not truth.plans_km:
        return None
    to_km, p = people.outline.to_km, truth.objective.p
    there = to_km(atoms)
    begin = _moved(truth.plans_km, to_km(truth.atoms), there, p)
    return float(_mean_cost(group_plans(people.shares_km, there, p, begin), truth.objective) ** (1.0 / p))


def _moved(plans: Sequence[SemidiscretePlan], old: Array, new: Array, p: float) -> list[Array]:
    """Potentials for atoms that moved: the reduced cost of each cell's mean stays what it was."""

    def far(plan: SemidiscretePlan, atoms: Array) -> Array:
        return np.asarray(((plan.cell_means - atoms) ** 2).sum(axis=1) ** (p / 2))

    return [plan.potentials + far(plan, new) - far(plan, old) for plan in plans]


def _mean_cost(plans: Sequence[SemidiscretePlan], objective: Objective) -> float:
    return objective.mean([plan.cost for plan in plans])


@dataclass(frozen=True)
class Backdrop:
    """The background of the atoms in a picture: outlines of the areas, and people counted in square cells."""

    outline: Outline
    x: Array  # middles of the columns (a,) and of the rows (b,) of cells
    y: Array
    people: Array  # people in each cell, (b, a); all groups together
    inside: Booleans  # whether the middle of a cell lies in the region, or a person in it, (b, a)
    simulated: bool
    key: str = ""  # of the people

    @property
    def geographic(self) -> bool:
        """Whether coordinates are degrees."""
        return self.outline.geographic


def scale_ratio(outline: Outline) -> float:
    """How much longer a unit to the north is drawn than one to the east: kilometres are as long in the middle."""
    _, south, _, north = outline.bounds
    return 1.0 / math.cos(math.radians((south + north) / 2)) if outline.geographic else 1.0


def gapped(lines: Sequence[Array]) -> Array:
    """Several lines as one, with gaps between them, (k, 2)."""
    gap = np.full((1, 2), np.nan)
    return np.concatenate([part for line in lines for part in (line, gap)])


@lru_cache(maxsize=4)
def fine_borders(outline: Outline) -> NDArray[np.float32]:
    """Outlines of the areas of a region, with gaps between them, (k, 2), without corners too small to be seen.

    As precise as frames are sent, so that what Python draws is known to be the same and stays where it is.
    """
    west, _, east, _ = outline.bounds
    lines = [shapely.LineString(ring) for _, rings in outline.areas for ring in rings]
    # A fifth of a pixel on a map of 600.
    seen = shapely.simplify(lines, (east - west) / 3000)
    return gapped([shapely.get_coordinates(line) for line in seen]).astype(np.float32)


@cached
def backdrop(people: People, columns: int = 116) -> Backdrop:
    west, south, east, north = people.outline.bounds
    side = (east - west) / columns
    rows = max(1, min(4 * columns, int(np.ceil((north - south) / side))))
    x: Array = west + (np.arange(columns, dtype=np.float64) + 0.5) * side
    height = (north - south) / rows
    y: Array = south + (np.arange(rows, dtype=np.float64) + 0.5) * height
    points, counts = people.sample.points, people.sample.weights.sum(axis=0)
    column = np.clip(((points[:, 0] - west) / side).astype(np.intp), 0, columns - 1)
    row = np.clip(((points[:, 1] - south) / height).astype(np.intp), 0, rows - 1)
    table = np.bincount(row * columns + column, counts, rows * columns).reshape(rows, columns)
    middles = np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)
    inside = people.outline.contains(middles).reshape(rows, columns) | (table > 0)
    return Backdrop(people.outline, x, y, table.astype(np.float64), inside, people.sample.simulated, people.key)
