from dpot_core.cities import city, crowd
from dpot_core.cities.place import USUAL_SIDE
from dpot_core.studies.geolocation.base import MINIMAX_TOLERANCE
from dpot_core.studies.geolocation.settings import Config

_CODE = """{imports}import numpy as np
import dpot_core as dpot
from dpot_core import datasets

epsilon = {c.epsilon!r}
{load}
active = check_ins.with_at_least({place.least})
grid = datasets.city_grid({box}, n={place.n})  # km in the local UTM zone
order = np.random.default_rng({city.SEED}).permutation(active.n_users)
some = min({city.MAX_PEOPLE}, {most})
people = active.select(np.sort(order[:some]))  # those who release
histograms = grid.histograms(people)
space = grid.space

{outputs}
cost = distances / space.diameter
{base}
setting = dpot.Setting(
    cost=cost, distances=distances, epsilon=epsilon, base=base, reg={c.reg!r}, max_iter={city.ITERATIONS}, snap=snap
)
mechanisms = {{name: dpot.MECHANISMS[name](setting) for name in {crowd.MECHANISMS!r}}}

{distance}

# One person
{person}
outputs = {{name: release(mu) for name, release in mechanisms.items()}}
kilometres = {{name: w1(mu, nu) for name, nu in outputs.items()}}

# The crowd: everybody releases one location, {crowd.RUNS} times (a demonstration with a seed)
crowd = histograms.mean(axis=0)
estimates = {{}}
for name, release in mechanisms.items():
    uniform = dpot.stream({crowd.SEED}, "geolocation.crowd", mechanism=name).random(({crowd.RUNS}, people.n_users))
    cumulative = release(histograms).cumsum(axis=1)
    drawn = [[np.searchsorted(c, u, side="right") for c, u in zip(cumulative, run)] for run in uniform]
    estimates[name] = [dpot.empirical(np.minimum(run, cost.shape[1] - 1), cost.shape[1]) for run in drawn]
for name in mechanisms:
    if (decode := dpot.MECHANISMS[name].decode) is not None:
        estimates[f"{{name}}-decoded"] = [decode(nu, epsilon) for nu in estimates[name]]
crowd_kilometres = {{name: [w1(crowd, nu) for nu in runs] for name, runs in estimates.items()}}

worst_case = dpot.worst_case_wasserstein(distances, dpot.Polytope(base, epsilon), 1)
print(kilometres, crowd_kilometres, worst_case, sep="\\n")
"""

# On a fine grid no matrix of all distances fits into memory.
_FINE = """{imports}import numpy as np
import dpot_core as dpot
from dpot_core import datasets

epsilon = {c.epsilon!r}
{load}
active = check_ins.with_at_least({place.least})
grid = datasets.city_grid({box}, n={place.n})  # km in the local UTM zone
order = np.random.default_rng({city.SEED}).permutation(active.n_users)
people = active.select(np.sort(order[:min({city.MAX_PEOPLE}, active.n_users)]))  # those who release
histograms = grid.histograms(people)
space = grid.space

# Costs here are in km, so that lambda counts for the largest distance.
diameter = float(np.hypot(*np.ptp(space.points, axis=0)))
base = dpot.best_uniform_base(dpot.grid_cost(space, 1), epsilon)
setting = dpot.Setting.on_grid(space, epsilon, base, 1, {reg}, {city.ITERATIONS})
mechanisms = {{name: dpot.MECHANISMS[name](setting) for name in {crowd.MECHANISMS!r}}}

# One person; W_1 is known as an interval
{person}
outputs = {{name: release(mu) for name, release in mechanisms.items()}}
intervals = {{name: dpot.wasserstein_interval(mu, nu, space) for name, nu in outputs.items()}}
kilometres = {{name: found.middle for name, found in intervals.items()}}
print(intervals)
"""

_W1_AMONG = """
def w1(mu, nu):  # depends on mu - nu only, since both are on the same points
    surplus, missing = np.maximum(mu - nu, 0), np.maximum(nu - mu, 0)
    moved = surplus.sum()
    return moved * dpot.wasserstein(surplus / moved, missing / missing.sum(), distances, 1) if moved > 1e-15 else 0
"""
_W1_BETWEEN = """
def w1(mu, nu):
    return dpot.wasserstein(mu, nu, distances, 1)
"""


def snippet(config: Config) -> str:
    """Python that computes ``mu``, ``outputs``, ``kilometres``, ``crowd_kilometres`` and ``worst_case``."""
    place = config.place
    if place.n > USUAL_SIDE and not config.zones:
        return _FINE.format(
            imports="from pathlib import Path\n\n" if config.source == "csv" else "",
            load=_load(config),
            box="check_ins" if place.box is None else repr(place.box),
            reg=None if config.reg is None else f"{config.reg!r} * diameter",
            person=_person(config),
            c=config,
            place=place,
            city=city,
            crowd=crowd,
        )
    return _CODE.format(
        imports="from pathlib import Path\n\n" if config.zones or config.source == "csv" else "",
        load=_load(config),
        box="check_ins" if place.box is None else repr(place.box),
        most="active.n_users // 2" if place.held_out else "active.n_users",
        outputs=_outputs(config),
        distance=_W1_BETWEEN if config.zones else _W1_AMONG,
        base=_base(config),
        person=_person(config),
        c=config,
        place=place,
        city=city,
        crowd=crowd,
    )


def _person(config: Config) -> str:
    if config.drawn:
        return f"mu = datasets.drawn_weights({config.drawn!r}, grid)\nmu = mu / mu.sum()"
    return (
        f'person = np.argsort(-people.totals, kind="stable")[min({config.person}, people.n_users) - 1]\n'
        "mu = histograms[person]"
    )


def _load(config: Config) -> str:
    if config.source == "csv":
        columns = f", mapping={dict(config.columns)!r}" if config.columns else ""
        code = f'check_ins = datasets.read_checkins_csv(Path("check-ins").read_bytes(){columns})'
    else:
        code = f"check_ins = datasets.DATASETS[{config.source!r}].load()"
    if config.place.within > 0:
        code += f"\ncheck_ins = check_ins.near(*check_ins.busiest_point(), {config.place.within!r})"
    return code


def _outputs(config: Config) -> str:
    if not config.zones:
        return "distances, snap = space.distances(), None"
    return (
        'zones = datasets.read_zones_geojson(Path("zones").read_bytes(), grid)\n'
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
    return "base = dpot.best_uniform_base(cost, epsilon)"
