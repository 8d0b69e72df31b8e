"""Private transport: a plan, potentials or a cost between two sensitive data sets, and what each way costs."""

from dpot_core.experiments.sinkhorn.advice import advice, number
from dpot_core.experiments.sinkhorn.assumptions import Bounds, Counterexample, bounds, constants_table, counterexample
from dpot_core.experiments.sinkhorn.convergence import Convergence, convergence
from dpot_core.experiments.sinkhorn.curves import CostPoint, cost_point, cost_table, laplace_error
from dpot_core.experiments.sinkhorn.disclosed import disclosure
from dpot_core.experiments.sinkhorn.draws import noise
from dpot_core.experiments.sinkhorn.ground import Ground, load_pair, make_ground
from dpot_core.experiments.sinkhorn.release import Result, headlines, ledger_table, on_points, run
from dpot_core.experiments.sinkhorn.reproduce import release_snippet, snippet
from dpot_core.experiments.sinkhorn.settings import (
    CLAIMED,
    COSTS,
    DRAWS,
    EPSILONS,
    PAPER_POINTS,
    ROUTES,
    Config,
    Data,
    TheoremConfig,
)
from dpot_core.experiments.sinkhorn.tuning import tune

__all__ = [
    "CLAIMED",
    "COSTS",
    "DRAWS",
    "EPSILONS",
    "PAPER_POINTS",
    "ROUTES",
    "Bounds",
    "Config",
    "Convergence",
    "CostPoint",
    "Counterexample",
    "Data",
    "Ground",
    "Result",
    "TheoremConfig",
    "advice",
    "bounds",
    "constants_table",
    "convergence",
    "cost_point",
    "cost_table",
    "counterexample",
    "disclosure",
    "headlines",
    "laplace_error",
    "ledger_table",
    "load_pair",
    "make_ground",
    "noise",
    "number",
    "on_points",
    "release_snippet",
    "run",
    "snippet",
    "tune",
]
