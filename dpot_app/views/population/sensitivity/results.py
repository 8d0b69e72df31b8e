import math
from dataclasses import dataclass

import numpy as np
import pandas as pd

from dpot_app.kit.cache import cached
from dpot_app.views.population.distances import matched
from dpot_app.views.population.people import Backdrop, People, Reference, backdrop
from dpot_app.views.population.settings import Config
from dpot_core.arguments import Array
from dpot_core.arguments.progress import Progress, counted
from dpot_core.mechanisms.central.cells import cell_sums, power_labels, sensitivity
from dpot_core.mechanisms.central.chunks import chunk_barycenter, optimal_chunks, split
from dpot_core.mechanisms.central.regions import as_region
from dpot_core.transport.semidiscrete import transport

#: Points of a chunk, evenly on a circle of diameter 1; even, so that every half-arc is as good as every other.
CORNERS = 16

#: Numbers of chunks that are shown.
CHUNKS = (1, 2, 5, 10, 20, 50, 100, 200)


@dataclass(frozen=True)
class Turn:
    """Two data sets that differ in one point, and their barycenters of two atoms."""

    chunks: int  # k'
    points: Array  # the chunk in which they differ, (2, CORNERS, 2); all others are even
    atoms: Array  # barycenter of all chunks, (2, 2, 2): data set, atom, coordinate
    moved: float  # how far the atom went that moved most; the diameter of the circle is 1
    assumed: float  # the paper's bound on it, 1/(k k')


@dataclass(frozen=True)
class Circle:
    """One replaced point turns the whole barycenter, however many chunks there are."""

    turns: tuple[Turn, ...]

    def tables(self) -> dict[str, pd.DataFrame]:
        rows = [
            {"chunks": t.chunks, "moved (diameters)": t.moved, "assumed bound (diameters)": t.assumed}
            for t in self.turns
        ]
        return {"circle": pd.DataFrame(rows)}


@cached
def circle() -> Circle:
    return Circle(tuple(turn(chunks) for chunks in CHUNKS))


def turn(chunks: int) -> Turn:
    """One point of the first of k' otherwise equal chunks is replaced.

    In both data sets the northern corner of the first chunk lies a little inwards, so that the barycenter has a
    reason, however small, to lie from west to east. In the second one its eastern corner is replaced by the centre,
    which is a stronger reason to lie from south to north.
    """
    angles = 2 * np.pi * np.arange(CORNERS) / CORNERS
    even = 0.5 * np.column_stack([np.cos(angles), np.sin(angles)])
    both = np.stack([even, even])
    both[:, CORNERS // 4] *= 0.9
    both[1, 0] = 0.0
    atoms = np.stack([_barycenter(changed, even, chunks) for changed in both])
    moved = min(float(np.linalg.norm(atoms[0] - other, axis=1).max()) for other in (atoms[1], atoms[1][::-1]))
    return Turn(chunks, both, atoms, moved, 1.0 / chunks)


def _barycenter(changed: Array, even: Array, chunks: int) -> Array:
    """Exact barycenter of two atoms, by trying every direction in which halves can lie.

    For given plans the best atoms nu_j are the averages over chunks of the means b_j that a plan sends to them, and
    the cost is E|x|^2 - (|nu_1|^2 + |nu_2|^2) / 2: the longest atoms win. For two atoms the optimal plan of a
    chunk sends its half that lies farthest in the direction nu_1 - nu_2 to nu_1.
    """
    best, value = even[:2], -1.0
    for angle in np.pi * (np.arange(4 * CORNERS) + 0.5) / (2 * CORNERS):
        direction = np.array([np.cos(angle), np.sin(angle)])
        halves = [_halves(chunk, direction) for chunk in (changed, even)]
        atoms = (halves[0] + (chunks - 1) * halves[1]) / chunks
        if (length := float((atoms**2).sum())) > value + 1e-12:
            best, value = atoms, length
    return best


def _halves(chunk: Array, direction: Array) -> Array:
    order = np.argsort(-(chunk @ direction), kind="stable")
    half = len(chunk) // 2
    return np.stack([chunk[order[:half]].mean(axis=0), chunk[order[half:]].mean(axis=0)])


#: How many people are replaced, one after the other (all where there are fewer).
REPLACED = 8


@dataclass(frozen=True)
class Replacement:
    """One person moved, and what followed; nothing of it is private."""

    before: Array  # where the person was
    after: Array  # where the person is put
    atoms: Array  # the paper's barycenter of chunks afterwards, matched to the one before, (m, 2)
    moved: float  # how far all atoms moved together (2-norm), units
    farthest: float  # how far the atom moved that moved most, units
    sums_moved: float  # how far the proven step's sums moved together (2-norm), units times people


@dataclass(frozen=True)
class Sensitivity:
    """Measured movements beside the bounds that the two guarantees use."""

    backdrop: Backdrop
    atoms: Array  # barycenter of chunks before a person is replaced, (m, 2)
    chunks: int  # of a group, k'
    assumed: float  # the paper's bound on how far all atoms move together, sqrt(m) D/(k k'), units; assumed, not proven
    assumed_atom: float  # the paper's bound for one atom, D/(k k')
    proven: float  # bound on how far the sums move together, units times people; proven
    replacements: tuple[Replacement, ...]

    def tables(self) -> dict[str, pd.DataFrame]:
        rows = [
            {
                "simulated": self.backdrop.simulated,
                "person": number,
                "from lon or x": one.before[0],
                "from lat or y": one.before[1],
                "to lon or x": one.after[0],
                "to lat or y": one.after[1],
                "atoms moved together (units)": one.moved,
                "bound assumed in the paper (units)": self.assumed,
                "farthest atom moved (units)": one.farthest,
                "bound assumed for one atom (units)": self.assumed_atom,
                "sums of the proven step moved (units x people)": one.sums_moved,
                "bound proven (units x people)": self.proven,
            }
            for number, one in enumerate(self.replacements, 1)
        ]
        return {"replaced-people": pd.DataFrame(rows)}


def replace_people(people: People, truth: Reference, config: Config, progress: Progress | None = None) -> Sensitivity:
    """Replace `REPLACED` people of the first group, one after the other, each by a person at the far end of the region.

    The chunks and all random numbers stay the same, so that what moves has moved because of the one person.
    """
    k, n, m = len(people.groups), min(people.sizes), config.m
    chunks = config.chunks or optimal_chunks(n, k, m, 2, config.epsilon, rule="size")
    return _replace_people(people, truth, m, max(1, min(chunks, n // m)), config.seed, progress)


@cached
def _replace_people(
    people: People, truth: Reference, m: int, chunks: int, seed: int, progress: Progress | None
) -> Sensitivity:
    region = as_region(people.outline.region)
    everybody = [np.repeat(points, counts.astype(np.intp), axis=0) for points, counts in people.groups]
    k = len(everybody)
    before = _paper_atoms(everybody, m, chunks, seed)
    potentials = transport(everybody[0], None, truth.atoms).potentials
    sums = _sums(everybody[0], truth.atoms, potentials, region)
    total = min(REPLACED, len(everybody[0]))
    chosen = np.random.default_rng([seed, 8]).choice(len(everybody[0]), total, replace=False)
    corners = people.sample.points
    replacements = []
    for person in counted(chosen.tolist(), progress):
        changed = [group.copy() for group in everybody]
        far = corners[np.argmax(((corners - changed[0][person]) ** 2).sum(axis=1))]
        start = changed[0][person].copy()
        changed[0][person] = far
        atoms = matched(before, _paper_atoms(changed, m, chunks, seed))
        moves = np.linalg.norm(atoms - before, axis=1)
        shift = _sums(changed[0], truth.atoms, potentials, region) - sums
        moved, farthest = float(np.sqrt((moves**2).sum())), float(moves.max())
        replacements.append(Replacement(start, far, atoms, moved, farthest, float(np.linalg.norm(shift))))
    return Sensitivity(
        backdrop=backdrop(people),
        atoms=before,
        chunks=chunks,
        assumed=region.diameter * math.sqrt(m) / (k * chunks),
        assumed_atom=region.diameter / (k * chunks),
        proven=sensitivity(region, "replace"),
        replacements=tuple(replacements),
    )


def _paper_atoms(everybody: list[Array], m: int, chunks: int, seed: int) -> Array:
    """The barycenter to which the paper adds its noise, with chunks and starts that depend on the seed only."""
    people = [(points, np.ones(len(points), dtype=np.int64)) for points in everybody]
    parts = split(people, chunks, "replace", np.random.default_rng([seed, 9]))
    return chunk_barycenter(people, parts, m, np.random.default_rng([seed, 10]))


def _sums(points: Array, atoms: Array, potentials: Array, region: object) -> Array:
    labels = power_labels(points, atoms, potentials)
    return cell_sums(points, np.ones(len(points), dtype=np.int64), labels, len(atoms), as_region(region))
