from dataclasses import dataclass

import numpy as np
import pandas as pd

from dpot_app.kit.cache import cached
from dpot_app.kit.fields import EPSILONS
from dpot_app.views.population.people import Backdrop, People, backdrop
from dpot_app.views.population.releases import scales_of
from dpot_app.views.population.settings import Config
from dpot_app.views.population.starts import public_region
from dpot_core.arguments import Array
from dpot_core.mechanisms.central.noise import Integers
from dpot_core.mechanisms.central.partition import level_budgets, partition, private_depth
from dpot_core.mechanisms.central.private_measure import PrivateMeasure, private_measure
from dpot_core.mechanisms.central.promises import Protection, budget
from dpot_core.mechanisms.central.regions import Region
from dpot_core.privacy.guarantees import Guarantee
from dpot_core.privacy.streams import stream

#: Deeper levels have too many cells for a picture.
DEEPEST = 12

#: The three counts of a cell: key -> words.
COUNTS = {"true": "True count (not private)", "noisy": "With noise", "private": "Made consistent (private)"}

#: How far two of them are from the true one on average: their columns of `Inside.levels`.
ERRORS = {"noisy": "mean error with noise (people)", "private": "mean error consistent (people)"}


@dataclass(frozen=True)
class LevelMap:
    """The cells of one level as tables with rows from south to north; NaN where a cell was not looked at."""

    level: int  # number of halvings
    x: Array  # edges of the columns (a + 1,) and of the rows (b + 1,)
    y: Array
    counts: dict[str, Array]  # for each key of `COUNTS` a table (b, a)
    fullest: float  # people in the fullest cell, looked at or not: which ones are looked at is a matter of the noise


@dataclass(frozen=True)
class Inside:
    """One draw of the private measure of one group."""

    backdrop: Backdrop
    group: str
    n: int  # people
    depth: int  # levels below the root
    maps: tuple[LevelMap, ...]  # cells of levels 0 to at most `DEEPEST`
    levels: pd.DataFrame  # one row for each level: budget, scale of the noise, cells, errors
    # what these reach somewhere on the slider of epsilon: the number of halvings, and the epsilon of one level
    deepest: int
    most: float
    points: Array  # private, (n, 2)
    error_bound: float | None  # on the expected W_1 between private and true points, units; None: none is proved
    guarantee: Guarantee  # towards the population where a sample was drawn
    sample_guarantee: Guarantee  # towards those who were drawn

    def tables(self) -> dict[str, pd.DataFrame]:
        """Levels, and every cell that is drawn."""
        cells = []
        for level in self.maps:
            row, column = np.nonzero(np.isfinite(level.counts["private"]))
            edges = {"west": level.x[column], "east": level.x[column + 1]}
            edges |= {"south": level.y[row], "north": level.y[row + 1]}
            counts = {name: table[row, column] for name, table in level.counts.items()}
            cells.append(pd.DataFrame({"level": level.level, **edges, **counts}))
        mark = {"simulated": self.backdrop.simulated}
        return {"levels": self.levels.assign(**mark), "cells": pd.concat(cells).assign(**mark)}


def inside(people: People, config: Config, group: int = 0) -> Inside:
    """Draw the private measure of one group, as the coreset does, and look at all of its levels."""
    points, counts = people.groups[group]
    protection = _protection(people, config.adjacency, group)
    region = public_region(people.outline)
    about = (people.sizes[group], region, protection)
    # A file may ask for an epsilon that is not on the slider.
    reaches = [*_reaches(people, config.adjacency, config.n, group), _reach(config.epsilon, config.n, *about)]
    measure = private_measure(
        points,
        config.epsilon,
        region=region,
        rng=stream(config.seed, "population inside", people=people.key, group=group, **scales_of(config)),
        counts=counts,
        depth=private_depth(config.epsilon, config.n) if protection.hidden else None,
        protection=protection,
    )
    held = measure.cells.codes(measure.region.clip(points)), counts
    return Inside(
        backdrop=backdrop(people),
        group=people.sample.group_names[group],
        n=people.sizes[group],
        depth=measure.cells.depth,
        maps=tuple(_level_map(measure, level, *held) for level in range(min(measure.cells.depth, DEEPEST) + 1)),
        levels=_levels(measure),
        deepest=max(depth for depth, _ in reaches),
        most=max(most for _, most in reaches),
        points=measure.points,
        error_bound=measure.error_bound,
        guarantee=measure.guarantee,
        sample_guarantee=measure.sample_guarantee,
    )


def _protection(people: People, adjacency: str, group: int) -> Protection:
    # At the largest rate of all groups, which is what the coreset of all of them may use.
    sampled = adjacency == "replace" and not people.everybody
    return Protection(adjacency, int(people.sizes[group] / people.rate) if sampled else None)


@cached
def _reaches(people: People, adjacency: str, n: int, group: int) -> list[tuple[int, float]]:
    """`_reach` at every epsilon of the slider."""
    about = (people.sizes[group], public_region(people.outline), _protection(people, adjacency, group))
    return [_reach(epsilon, n, *about) for epsilon in EPSILONS]


def _reach(epsilon: float, n: int, size: int, region: Region, protection: Protection) -> tuple[int, float]:
    """Depth, and the largest epsilon of one level; of a group the size is used only where it is public."""
    if protection.hidden:
        spend, depth = epsilon, private_depth(epsilon, n)
    else:
        spend = budget(epsilon, 0.0, [size], protection).epsilon
        depth = private_depth(spend, size)
    cells = partition(region.lower, region.upper, depth)
    return depth, float(max(level_budgets(spend, cells, protection.adjacency)))


def _level_map(measure: PrivateMeasure, number: int, leaves: Integers, people: Array) -> LevelMap:
    """A level, of which people (n,) are in leaves (n,)."""
    level, cells = measure.levels[number], measure.cells
    across, up = (2 ** int(cuts) for cuts in cells.cuts(number))
    lower, _ = cells.boxes(level.codes, number)
    side = (cells.upper - cells.lower) / (across, up)
    column, row = np.round((lower - cells.lower) / side).astype(np.intp).T
    counts = {name: np.full((up, across), np.nan) for name in COUNTS}
    for name, table in counts.items():
        table[row, column] = getattr(level, name)
    x, y = (np.linspace(cells.lower[i], cells.upper[i], parts + 1) for i, parts in enumerate((across, up)))
    _, which = np.unique(leaves >> (cells.depth - number), return_inverse=True)
    return LevelMap(number, x, y, counts, float(np.bincount(which, people).max()))


def _levels(measure: PrivateMeasure) -> pd.DataFrame:
    rows = []
    for level in measure.levels:
        true = np.zeros(0) if level.true is None else level.true
        rows.append(
            {
                "level": level.level,
                "budget epsilon": float(level.budget),
                "budget share": str(level.budget),
                "noise scale (people)": level.scale,
                "cells looked at": len(level.codes),
                "cells without noise": int(level.exempt.sum()),
                ERRORS["noisy"]: float(np.abs(level.noisy - true).mean()),
                ERRORS["private"]: float(np.abs(level.private - true).mean()),
            }
        )
    return pd.DataFrame(rows)
