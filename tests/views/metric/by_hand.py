"""Oracle: what the page computes, written once more from public names, step by step."""

from dpot_app.cities.city import SEED as PEOPLE_SEED
from dpot_app.cities.loading import CHECK_INS
from dpot_app.cities.place import MAX_PEOPLE
from dpot_app.kit.script import reads
from dpot_app.views.metric.ask import results as ask
from dpot_app.views.metric.crowd import results as crowd
from dpot_app.views.metric.pays import results as pays
from dpot_app.views.metric.settings import AskConfig, Config, CrowdConfig, LinearConfig, PaysConfig
from dpot_core.datasets.city_grid import MAX_SIDE_KM
from tests.views.geolocation.by_hand import IMPORTED

_CITY = """{imports}import numpy as np
import dpot_core as dpot
from dpot_core import datasets

{load}
grid = datasets.city_grid({box}, n={config.place.n})  # km in the local UTM zone
order = np.random.default_rng({people_seed}).permutation(active.n_users)
people = active.select(np.sort(order[:min({max_people}, active.n_users)]))
positions = grid.nearest_km(people.lat, people.lon)  # a visit off the map counts at the nearest point of its edge
largest = np.hypot(grid.width, grid.height)  # km

# Protected changes: fraction of one person's data, distance in km
changes = [(tau, min(km / largest, 1.0)) for tau, km in {changes}]
epsilon = {config.epsilon!r}
alpha = dpot.metric.protection_rate(changes, epsilon)  # nats per largest distance
guarantee = dpot.metric.earth_mover_guarantee(alpha, changes, delta={delta!r})
"""

_ASK = """
# The question, at every position of every person; each person counts the same
place = np.array([{east!r} * grid.width, {north!r} * grid.height])
def f(points):
    {function}
values = f(positions)
weights = people.count / people.totals[people.user]
answers = np.column_stack([np.bincount(people.user, weights * v, people.n_users) for v in values.T])

# What it changes by at most: per km anywhere on the map, and at all
slope = dpot.metric.Lipschitz({slope} * largest, (0, 0), {spread})
query = dpot.metric.LinearQuery("question", {unit!r}, f(grid.space.points), "2-norm", slope)
for model, users in (("local", 1), ("central", people.n_users)):
    by_distance = dpot.metric.metric_noise(query, alpha, users, {config.kind!r}, {delta!r})
    whole_user = dpot.metric.user_level_noise(query, epsilon, users, {config.kind!r}, {delta!r})
    for promise, noise in (("metric", by_distance), ("user-level", whole_user)):
        settings = dict(model=model, promise=promise, noise=noise, people=people.n_users{own})
        rng = dpot.stream({ask.SEED}, "metric.ask", **settings)  # a demonstration with a known seed
        release = dpot.metric.noisy_mean(answers, noise, model, rng, repeats={ask.DRAWS})
        print(model, noise.scale, noise.mean_error(release.releases), release.errors.mean())
"""

_FUNCTIONS = {
    "position": ("return points", "1.0", "largest", "km"),
    "distance": (
        "return np.linalg.norm(points - place, axis=1)[:, None]",
        "1.0",
        "max(np.hypot(x - place[0], y - place[1]) for x in (0.0, grid.width) for y in (0.0, grid.height))",
        "km",
    ),
    "region": (
        "outside = np.maximum(np.linalg.norm(points - place, axis=1) - {config.radius!r}, 0.0)\n"
        "    return np.maximum(1.0 - outside / {config.edge!r}, 0.0)[:, None]",
        "1.0 / {config.edge!r}",
        "1.0",
        "",
    ),
}

_CROWD = """
# Each visit is shared among the four nearest cells: distances between histories grow by at most dpot.metric.STRETCH
points, k = grid.space.points, len(grid)
weights = people.count / people.totals[people.user]
centres = points[:grid.n, 0], points[::grid.n, 1]
histograms = dpot.metric.shared_histograms(positions, people.user, weights, *centres)
crowd = histograms.mean(axis=0)

# What one report may cost: shuffled, counted numerically; composed
visits, users, delta = {config.visits}, {users}, {config.base.delta!r}
ways = {{"composition": dpot.metric.composition_rate(alpha / dpot.metric.STRETCH, visits)}}
counted = dpot.metric.accounted_draws(alpha / dpot.metric.STRETCH, delta, visits, users)
if counted.by != "composition":  # else shuffling gains nothing
    ways = {{"shuffling": counted, **ways}}

unit = grid.space.distances() / largest
item_rates, kilometres = {{}}, {{}}
for how, way in ways.items():
    items = dpot.metric.exponential_history_items(unit, way.item_rate)
    item_rates[how] = items.item_rate * dpot.metric.STRETCH  # alpha_0 of a report about a known visit
    # m random visits of each person with replacement, counted by cell (a demonstration with a known seed)
    settings = dict(how=how, beta=way.item_rate, visits=visits, people=people.n_users, largest=largest, cells=k{own})
    rng = dpot.stream({crowd.SEED}, "metric.crowd", **settings)
    drawn = [rng.multinomial(visits, histograms).sum(axis=0) for _ in range({crowd.RUNS})]
    reports = [items.mechanism.release_counts(row, rng) for row in drawn]
    estimates = [dpot.metric.likely_histogram(items.mechanism.kernel, counts) for counts in reports]
    kilometres[how] = [dpot.wasserstein(crowd, h, grid.space.distances(), 1) for h in estimates]
    print(how, item_rates[how], np.mean(kilometres[how]), np.mean(kilometres[how]) / largest)
"""

_PAYS = """import numpy as np
import dpot_core as dpot

users, items, epsilon, alpha, delta = {c.users}, {c.items}, {c.epsilon!r}, {c.alpha!r}, {c.delta!r}
space = dpot.metric.ClusteredSpace({c.clusters}, {c.size}, {c.r!r})  # clusters, points in each, distance inside
k = len(space)

# Simulated items of all users together, dealt to them at random
rng = np.random.default_rng({pays.SEED})
shares = 1 / np.arange(1, space.clusters + 1)
shares = (shares / shares.sum())[:, None] * rng.dirichlet(np.ones(space.size), space.clusters)
counts = rng.multinomial(users * items, shares.ravel() / shares.sum())

task = dpot.metric.FrequencyTask(space, users, items, epsilon, alpha, delta)
errors = {{}}
for number, (name, release) in enumerate(dpot.metric.FREQUENCY_RELEASES[{c.model!r}].items()):
    rate = release.rate(task)  # what one item may spend, or the scale of Laplace noise
    rng = np.random.default_rng([{pays.SEED}, 0 if release.reports is None else number])  # a demonstration with seeds
    errors[name] = release.errors(task, rate, counts, {pays.RUNS}, rng)
print({{name: runs.mean() for name, runs in errors.items()}})
"""

_LINEAR = """import numpy as np
import dpot_core as dpot
{load}
n, epsilon, alpha = {c.users}, {c.epsilon!r}, {alpha!r}
space, query = dpot.metric.embedding_similarity({vectors}, {directions})
users, releases = {counts}
errors = {{
    "by distance": dpot.metric.metric_noise(query, alpha, users).rms_error(releases),
    "whole user": dpot.metric.user_level_noise(query, epsilon, users).rms_error(releases),
}}
print(query.slope.constant, query.slope.spread, errors)
"""


def city_snippet(config: Config, delta: float = 0.0) -> str:
    """Python that computes ``people``, ``grid``, ``largest``, ``changes``, ``alpha`` and ``guarantee``."""
    place = config.laid
    if config.source == "csv":
        columns = f", mapping={dict(config.columns)!r}" if config.columns else ""
        load = f"check_ins = datasets.read_checkins_csv({reads(CHECK_INS)}{columns})"
    else:
        load = f"check_ins = datasets.DATASETS[{config.source!r}].load()"
    if place.city:
        load = f"{IMPORTED}\ncheck_ins = simulated_people(city_of({place.city!r}))"
    box = "check_ins" if place.box is None else repr(place.box)
    load += f"\nactive = check_ins.with_at_least({place.least})"
    if place.within > 0 and place.box is None:
        load += "\nspot = check_ins.busiest_point()  # taken from the data: not covered by the promise"
        box = f"datasets.square_around(*spot, {min(place.within, 0.48 * MAX_SIDE_KM)!r})"
    return _CITY.format(
        imports="from pathlib import Path\n\n" if config.source == "csv" else "",
        load=load,
        box=box,
        people_seed=PEOPLE_SEED,
        max_people=MAX_PEOPLE,
        changes=list(config.changes),
        delta=delta,
        config=config,
    )


def ask_snippet(config: AskConfig) -> str:
    """Python that computes ``answers``, and noise and errors of each release."""
    delta = config.base.delta if config.kind == "gaussian" else 0.0
    *texts, unit = _FUNCTIONS[config.query]
    function, slope, spread = (text.format(config=config) for text in texts)
    return city_snippet(config.base, delta) + _ASK.format(
        east=config.east / 100,
        north=config.north / 100,
        function=function,
        slope=slope,
        spread=spread,
        unit=unit,
        delta=delta,
        config=config,
        ask=ask,
        own=_own(config.base),
    )


def crowd_snippet(config: CrowdConfig) -> str:
    """Python that computes ``item_rates`` and ``kilometres`` of both ways."""
    users = "people.n_users" if config.who == "central" else "1"
    city, own = city_snippet(config.base, config.base.delta), _own(config.base)
    return city + _CROWD.format(config=config, users=users, crowd=crowd, own=own)


def _own(config: Config) -> str:
    """Noise for a private file is of that file alone."""
    return ", data=check_ins.digest" if config.source == "csv" else ""


def pays_snippet(config: PaysConfig) -> str:
    """Python that computes ``errors`` of each run by release, at the chosen alpha/epsilon and space."""
    return _PAYS.format(c=config, pays=pays)


def linear_snippet(config: LinearConfig) -> str:
    """Python that computes the ``errors`` of K-norm noise for both promises."""
    known = {"text": "spoken_words", "graph": "neighbouring_states"}.get(config.items)
    load = f"from dpot_core.datasets.texts_and_graphs import {known}\n\nitems = {known}()\n" if known else ""
    return _LINEAR.format(
        c=config,
        load=load,
        alpha=config.epsilon * config.ratio,
        vectors="items.vectors" if known else f"np.eye({config.d})",
        directions="items.direction" if known else f"np.eye({config.d})",
        counts="1, n" if config.model == "local" else "n, 1",
    )
