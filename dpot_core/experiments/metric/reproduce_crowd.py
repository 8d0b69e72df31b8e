"""The Python that computes what the view of the crowd draws, from the public names of `dpot_core`."""

from __future__ import annotations

from dpot_core.experiments.metric.crowd import CrowdConfig
from dpot_core.experiments.metric.reproduce import city_snippet
from dpot_core.experiments.metric.visits import RUNS, SEED

_CROWD = """
# Each visit is shared among the four nearest cells: distances between histories grow by at most dpot.metric.STRETCH
points, k = grid.space.points, len(grid)
cells, shares = dpot.metric.share_among_cells(positions, points[:grid.n, 0], points[::grid.n, 1])
weights = (people.count / people.totals[people.user])[:, None] * shares
index = people.user[:, None] * k + cells
histograms = np.bincount(index.ravel(), weights.ravel(), people.n_users * k).reshape(people.n_users, k)
crowd = histograms.mean(axis=0)

# What one report may cost: shuffled, counted numerically; composed
visits, users, delta = {visits}, {users}, {delta!r}
ways = {{"composition": dpot.metric.composition_rate(alpha / dpot.metric.STRETCH, visits)}}
counted = dpot.metric.accounted_draws(alpha / dpot.metric.STRETCH, delta, visits, users)
if counted.by != "composition":  # else shuffling gains nothing
    ways = {{"shuffling": counted, **ways}}

unit = grid.space.distances() / largest
item_rates, kilometres = {{}}, {{}}
for how, found in ways.items():
    made = dpot.metric.exponential_history_items(unit, found.item_rate)
    item_rates[how] = made.item_rate * dpot.metric.STRETCH  # alpha_0 of a report about a known visit
    # m random visits of each person with replacement, counted by cell (a demonstration with a known seed)
    settings = dict(how=how, beta=found.item_rate, visits=visits, people=people.n_users, largest=largest, cells=k)
    rng = dpot.stream({seed}, "metric.crowd", **settings)
    drawn = [rng.multinomial(visits, histograms).sum(axis=0) for _ in range({runs})]
    reports = [made.mechanism.release_counts(row, rng) for row in drawn]
    estimates = [dpot.metric.likely_histogram(made.mechanism.kernel, counts) for counts in reports]
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
