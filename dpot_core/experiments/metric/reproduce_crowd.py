"""The Python that computes what the view of the crowd draws, from the public names of `dpot_core`."""

from __future__ import annotations

from dpot_core.experiments.metric.crowd import CrowdConfig
from dpot_core.experiments.metric.reproduce import city_snippet
from dpot_core.experiments.metric.visits import RUNS, SEED

_CROWD = """
# Each visit is shared among the four nearest cells: distances between histories grow by at most dpot.STRETCH
points, k = grid.space.points, len(grid)
cells, shares = dpot.share_among_cells(grid.to_km(people.lat, people.lon), points[:grid.n, 0], points[::grid.n, 1])
weights = (people.count / people.totals[people.user])[:, None] * shares
index = people.user[:, None] * k + cells
histograms = np.bincount(index.ravel(), weights.ravel(), people.n_users * k).reshape(people.n_users, k)
crowd = histograms.mean(axis=0)

# m random visits of each person with replacement, counted by cell over all people (a demonstration with seeds)
visits, users, delta = {visits}, {users}, {delta!r}
rng = np.random.default_rng({seed})
drawn = [rng.multinomial(visits, histograms).sum(axis=0) for _ in range({runs})]

# What one report may cost, by shuffling (Theorem 4.4) and by plain composition
ways = {{"composition": dpot.composition_rate(alpha / dpot.STRETCH, visits)}}
if dpot.largest_item_rate(delta, visits, users) > 0:  # else there are too few reports to hide among
    ways = {{"shuffling": dpot.item_rate(alpha / dpot.STRETCH, delta, visits, users), **ways}}

unit = grid.space.distances() / largest
rng = np.random.default_rng({seed} + 1)
item_rates, kilometres = {{}}, {{}}
for how, found in ways.items():
    made = dpot.exponential_history_items(unit, found.item_rate)
    item_rates[how] = made.item_rate * dpot.STRETCH  # alpha_0 of a report about a known visit
    reports = [made.mechanism.release_counts(row, rng) for row in drawn]
    estimates = [dpot.likely_histogram(made.mechanism.kernel, counts) for counts in reports]
    kilometres[how] = [dpot.wasserstein(crowd, h, grid.space.distances(), 1) for h in estimates]
    print(how, item_rates[how], np.mean(kilometres[how]), np.mean(kilometres[how]) / largest)
"""


def crowd_snippet(config: CrowdConfig) -> str:
    """Python that computes ``item_rates`` and ``kilometres`` of both ways.

    Args:
        config: the settings.
    """
    return city_snippet(config.base, config.base.delta) + _CROWD.format(
        visits=config.visits,
        users="people.n_users" if config.who == "central" else "1",
        delta=config.base.delta,
        seed=SEED,
        runs=RUNS,
    )
