"""The noisy counts of a private measure as a program that needs OpenDP and NumPy only."""

import numpy as np

from dpot_app.views.population.private_measure.results import Inside
from dpot_core.mechanisms.central.partition import SENSITIVITY, partition

#: Halvings up to which all cells fit in memory; the app looks at those only that may hold people.
DEEPEST = 20

_SCRIPT = '''"""Noisy counts of halved cells, for each halving: pip install numpy opendp."""

import numpy as np
import opendp.prelude as dp

dp.enable_features("contrib")
LOWER, UPPER = np.array({lower}), np.array({upper})  # the public box
AXES = {axes}  # across which its cells are halved, one after the other
SCALES = {scales}  # of the noise: they follow from ε, the number of halvings and the box
CHANGE = {change}  # {who}

counts = dp.vector_domain(dp.atom_domain(T="i64")), dp.l1_distance(T="i64")
levels = [dp.m.make_laplace(*counts, scale=scale) for scale in SCALES]
print("ε =", sum(level.map(d_in=CHANGE) for level in levels), "for all levels together")


def asked(points):
    """Of each halving: people in the first half of each cell, less those in the other."""
    place, code = (np.clip(points, LOWER, UPPER) - LOWER) / (UPPER - LOWER), np.zeros(len(points), dtype=int)
{root}    for level, axis in enumerate(AXES):
        place[:, axis] *= 2
        second = place[:, axis] >= 1
        place[:, axis] -= second
        code = 2 * code + second
        halves = np.bincount(code, minlength=2 ** (level + 1)).reshape(-1, 2)
        yield halves[:, 0] - halves[:, 1]


def release(points):
    """The same with noise: this may be published, once."""
    return [level(numbers.tolist()) for level, numbers in zip(levels, asked(points), strict=True)]
'''


def opendp_script(result: Inside, adjacency: str) -> str:
    """Python with the scales of a result's noise, and its promise towards the people drawn."""
    root = result.maps[0]
    lower, upper = (np.array([edges[side] for edges in (root.x, root.y)]) for side in (0, -1))
    scales = [float(scale) for scale in result.levels["noise scale (people)"]]
    # How many people there are needs no noise where it is public.
    hidden = scales[0] > 0.0
    who = {"replace": "replacing one person changes a level", "add-remove": "one person more changes a level"}
    return _SCRIPT.format(
        lower=lower.tolist(),
        upper=upper.tolist(),
        axes=partition(lower, upper, result.depth).axes,
        scales=scales[0 if hidden else 1 :],
        change=SENSITIVITY[adjacency],
        who=f"by which {who[adjacency]} at most, in the 1-norm",
        root="    yield np.array([len(points)])\n" * hidden,
    )
