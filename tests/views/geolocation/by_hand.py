"""Oracle: what the page computes, written once more from public names, step by step."""

from dpot_app.cities import city, crowd
from dpot_app.cities.loading import CHECK_INS, ZONES
from dpot_app.cities.place import CROWD_SIDE, USUAL_SIDE
from dpot_app.kit.script import reads
from dpot_app.views.geolocation.base import MINIMAX_TOLERANCE
from dpot_app.views.geolocation.settings import Config

_DATA = """{imports}import numpy as np
import dpot_core as dpot
from dpot_core import datasets
{more}
epsilon = {c.epsilon!r}
{load}
"""

#: What a real city's simulated people need.
IMPORTED = (
    "from dpot_core.datasets.simulated_world import simulated_people\nfrom dpot_core.datasets.world import city_of"
)

_CODE = """active = check_ins.with_at_least({place.least})
grid = datasets.city_grid({box}, n={place.n})  # km in the local UTM zone
order = np.random.default_rng({city.SEED}).permutation(active.n_users)
some = min({city.MAX_PEOPLE}, {most})
people = active.select(np.sort(order[:some]))  # those who release
histograms = grid.histograms(people)
space = grid.space

{outputs}
cost = (distances / space.diameter) ** {c.p!r}
{base}
public = dpot.Public(
    cost=cost, distances=distances, epsilon=epsilon, base=base, reg={c.reg!r}, max_iter={city.ITERATIONS}, snap=snap
)
mechanisms = {{name: dpot.MECHANISMS[name](public) for name in {crowd.MECHANISMS!r}}}

{distance}

# One person
{person}
outputs = {{name: release(mu) for name, release in mechanisms.items()}}
kilometres = {{name: w1(mu, nu) for name, nu in outputs.items()}}

# The crowd: everybody releases one location, {crowd.RUNS} times (a demonstration with a seed)
crowd = histograms.mean(axis=0)
estimates = {{}}
for name, release in mechanisms.items():
    uniform = dpot.stream({crowd.SEED}, "geolocation.crowd", mechanism=name{own}).random(({crowd.RUNS}, people.n_users))
    cumulative = release(histograms).cumsum(axis=1)
    drawn = [[np.searchsorted(c, u, side="right") for c, u in zip(cumulative, run)] for run in uniform]
    estimates[name] = [dpot.empirical(np.minimum(run, cost.shape[1] - 1), cost.shape[1]) for run in drawn]
for name in mechanisms:
    if (decode := dpot.MECHANISMS[name].decode) is not None:
        estimates[f"{{name}}-decoded"] = [decode(nu, epsilon) for nu in estimates[name]]
{oracles}
crowd_kilometres = {{name: [w1(crowd, nu) for nu in runs] for name, runs in estimates.items()}}

worst_case = dpot.worst_case_wasserstein(distances ** {c.p!r}, dpot.Polytope(base, epsilon), {c.p!r})
print(kilometres, crowd_kilometres, worst_case, sep="\\n")
"""

# Each person reports on the output nearest to one of their places to each frequency oracle.
_ORACLES = """k_v, told = {k_v}, lambda run: {told}
cumulative = {histograms}.cumsum(axis=1)
for name, row in dpot.metric.ORACLES.items():
    rng, oracle = dpot.stream({crowd.SEED}, "geolocation.crowd", mechanism=name{own}), row(k_v, epsilon)
    uniform = rng.random(({crowd.RUNS}, len(cumulative)))
    drawn = [[np.searchsorted(c, u, side="right") for c, u in zip(cumulative, run)] for run in uniform]
    counts = [np.bincount(np.minimum(run, len(space) - 1), minlength=len(space)) for run in drawn]
    supports = [oracle.support_counts(told(run), rng) for run in counts]
    estimates[name] = [oracle.distribution(support, len(cumulative)) for support in supports]
"""

# On a fine grid no matrix of all distances fits into memory: rows of the cells that people visit will do.
_FINE = """city = of_order(make_city(check_ins, {place!r}), {c.p!r})
cost = dpot.grid_cost(city.grid.space, {c.p!r})  # in km to the power p, without a matrix
{base}
public = make_public(city, base, epsilon, {c.reg!r})  # what a mechanism may know, of all cells
mechanisms = {{name: dpot.MECHANISMS[name](public) for name in {crowd.MECHANISMS!r}}}

def released(histograms):
    places = city.places(histograms)  # visited cells, and the distances from them
    visits = Private.of(public, histograms.take(places.cells, axis=1), places)
    return {{name: mechanism(visits) for name, mechanism in mechanisms.items()}}

# One person; W_p is known as an interval
{person}
outputs = {{name: nu[0] for name, nu in released(mu[None, :]).items()}}
intervals = {{name: city.kilometres_within(mu, nu) for name, nu in outputs.items()}}
kilometres = {{name: (low + high) / 2 for name, (low, high) in intervals.items()}}
{everybody}
worst_case = worst_by_cell(city, base, epsilon)
print(intervals, crowd_intervals, worst_case, sep="\\n")
"""

_FINE_CROWD = """
# The crowd: everybody releases one location, {crowd.RUNS} times (a demonstration with a seed), some people at a time
people, k = city.histograms.shape
streams = {{
    name: dpot.stream({crowd.SEED}, "geolocation.crowd", mechanism=name{own}) for name in {crowd.MECHANISMS!r}
}}
uniform = {{name: rng.random(({crowd.RUNS}, people)) for name, rng in streams.items()}}
estimates = {{name: np.zeros(({crowd.RUNS}, k)) for name in uniform}}
some = max(160_000 // k, 20)
for first in range(0, people, some):
    for name, each in released(city.histograms[first:first + some]).items():
        for person, c in enumerate(each.cumsum(axis=1), first):
            for run, u in enumerate(uniform[name][:, person]):
                estimates[name][run, min(np.searchsorted(c, u, side="right"), k - 1)] += 1 / people
for name in {crowd.MECHANISMS!r}:
    if (decode := dpot.MECHANISMS[name].decode) is not None:
        estimates[f"{{name}}-decoded"] = decode(estimates[name], epsilon)
space = city.grid.space
{oracles}
crowd_intervals = {{name: distance_to_truth(city, runs) for name, runs in estimates.items()}}
crowd_kilometres = {{name: ends.mean(axis=1) for name, ends in crowd_intervals.items()}}
"""
_NO_CROWD = """
# A crowd takes at most {crowd_side} cells per side.
crowd_intervals = {{}}
"""
_FINE_IMPORTS = """from dpot_app.cities.city import make_city, make_public, of_order
from dpot_app.cities.distance_to_truth import distance_to_truth
from dpot_app.cities.place import Place
from dpot_app.cities.worst_case import worst_by_cell
from dpot_core.mechanisms.knowledge import Private
"""

_W1_AMONG = """
def w1(mu, nu):  # depends on mu - nu only, since both are on the same points
    surplus, missing = np.maximum(mu - nu, 0), np.maximum(nu - mu, 0)
    moved = surplus.sum()
    return moved * dpot.wasserstein(surplus / moved, missing / missing.sum(), distances, 1) if moved > 1e-15 else 0
"""
_W1_BETWEEN = """
def w1(mu, nu):
    return dpot.wasserstein(mu, nu, distances ** {c.p!r}, {c.p!r})
"""


def snippet(config: Config) -> str:
    """Python that computes ``mu``, ``outputs``, ``kilometres``, ``crowd_kilometres`` and ``worst_case``."""
    place, fine = config.laid, config.place.n > USUAL_SIDE and not config.zones
    data = _DATA.format(
        imports="from pathlib import Path\n\n" if config.zones or config.source == "csv" else "",
        more=_FINE_IMPORTS if fine else "",
        load=_load(config, near=not fine),
        c=config,
    )
    if fine:
        everybody = _FINE_CROWD if place.n <= CROWD_SIDE else _NO_CROWD
        return data + _FINE.format(
            base=_fine_base(config),
            person=_person(config, "city"),
            everybody=everybody.format(
                crowd=crowd, crowd_side=CROWD_SIDE, own=_own(config), oracles=_oracles(config, "city.histograms")
            ),
            c=config,
            place=place,
            crowd=crowd,
        )
    return data + _CODE.format(
        box="check_ins" if place.box is None else repr(place.box),
        most="active.n_users // 2" if place.held_out else "active.n_users",
        outputs=_outputs(config),
        distance=(_W1_BETWEEN if config.zones or config.p != 1.0 else _W1_AMONG).format(c=config),
        base=_base(config),
        person=_person(config),
        c=config,
        place=place,
        city=city,
        crowd=crowd,
        own=_own(config),
        oracles=_oracles(config, "histograms"),
    )


def _oracles(config: Config, histograms: str) -> str:
    told = "np.bincount(snap, run, k_v)" if config.zones else "run"
    k_v = "cost.shape[1]" if config.zones else "len(space)"
    return _ORACLES.format(crowd=crowd, own=_own(config), histograms=histograms, told=told, k_v=k_v)


def _own(config: Config) -> str:
    """Noise for a private file is of that file alone."""
    return ", data=file" if config.source == "csv" else ""


def _person(config: Config, where: str = "") -> str:
    """Whose distribution it is; ``where`` is the name of a `City` that has people and grid."""
    of = f"{where}." if where else ""
    if config.drawn:
        return f"mu = datasets.drawn_weights({config.drawn!r}, {of}grid)\nmu = mu / mu.sum()"
    people = f"{of}check_ins" if where else "people"
    return (
        f'person = np.argsort(-{people}.totals, kind="stable")[min({config.person}, {people}.n_users) - 1]\n'
        f"mu = {of}histograms[person]"
    )


def _fine_base(config: Config) -> str:
    if config.base == "minimax":
        return f"base = dpot.minimax_base_on_grid(cost, epsilon, tol={MINIMAX_TOLERANCE!r}).base"
    if config.base == "prior":
        return (
            "base = dpot.prior_base(city.held_out, epsilon, cost)  # the people set aside: their privacy is not covered"
        )
    if config.base == "own":
        return f"base = dpot.prior_base(1.0 + datasets.drawn_weights({config.own!r}, city.grid), epsilon, cost)"
    return "base = dpot.best_uniform_base(city.worst_costs, epsilon)  # of a corner"


def _load(config: Config, near: bool = True) -> str:
    if config.source == "csv":
        columns = f", mapping={dict(config.columns)!r}" if config.columns else ""
        code = f"check_ins = datasets.read_checkins_csv({reads(CHECK_INS)}{columns})\nfile = check_ins.digest"
    else:
        code = f"check_ins = datasets.DATASETS[{config.source!r}].load()"
    if config.place.city:
        code = f"{IMPORTED}\ncheck_ins = simulated_people(city_of({config.place.city!r}))"
    if near and config.place.within > 0:
        code += f"\ncheck_ins = check_ins.near(*check_ins.busiest_point(), {config.place.within!r})"
    return code


def _outputs(config: Config) -> str:
    if not config.zones:
        return "distances, snap = space.distances(), None"
    return (
        f"zones = datasets.read_zones_geojson({reads(ZONES)}, grid)\n"
        "distances, snap = space.distances(zones.points), dpot.nearest_target(space, zones.points)"
    )


def _base(config: Config) -> str:
    if config.base == "minimax":
        return f"base = dpot.minimax_base(cost, epsilon, tol={MINIMAX_TOLERANCE!r}).base"
    if config.base == "prior":
        moved = "np.bincount(snap, prior, cost.shape[1])" if config.zones else "prior"
        return (
            "prior = grid.crowd(active.select(order[some:]))  # the people set aside: their privacy is not covered\n"
            f"base = dpot.prior_base({moved}, epsilon, cost)"
        )
    if config.base == "own":
        moved = "np.bincount(snap, own, cost.shape[1])" if config.zones else "own"
        return (
            f"own = 1.0 + datasets.drawn_weights({config.own!r}, grid)\nbase = dpot.prior_base({moved}, epsilon, cost)"
        )
    return "base = dpot.best_uniform_base(cost, epsilon)"
