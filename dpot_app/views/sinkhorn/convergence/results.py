import math
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from dpot_app.kit.cache import cached
from dpot_app.views.sinkhorn.noise import STREAMS, noise, noise_settings
from dpot_app.views.sinkhorn.point_grid import PointGrid
from dpot_app.views.sinkhorn.release.results import run
from dpot_app.views.sinkhorn.settings import ROUNDS, Config
from dpot_core.arguments import Array
from dpot_core.arguments.progress import Progress
from dpot_core.mechanisms.central.sinkhorn_paper import algorithm_1
from dpot_core.mechanisms.central.sinkhorn_proven import POTENTIALS, Rounds, check_grids, rounds
from dpot_core.mechanisms.central.sinkhorn_results import Trace
from dpot_core.mechanisms.central.sinkhorn_theory import convergence_bound, noise_floor, noise_neighbourhood
from dpot_core.mechanisms.central.sinkhorn_tuning import Trials, Tuned, tune_sinkhorn
from dpot_core.privacy.guarantees import Guarantee
from dpot_core.privacy.streams import stream


@dataclass(frozen=True, eq=False)
class Convergence:
    """Gaps ``F(theta_k) - F*`` to the best potentials, over the largest cost. Computed from the data: not released."""

    rounds: Array  # k = 0, 1, ..., K; so have the four below
    quiet: Array  # Sinkhorn's algorithm without noise
    proven: Array  # the noisy potentials on the grid
    paper: Array  # Algorithm 1 with the noise that Theorem 2 asks for, on its own points
    theorem: Array  # bound of Theorem 1 with these constants
    neighbourhood: float  # where the bound ends, tau M/(2 rho); inf beyond float64
    noise: dict[str, float]  # standard deviation on a potential over the largest cost: "proven" (last round), "paper"
    points: int  # of each set, for Algorithm 1
    simulated: bool
    guarantee: Guarantee  # of noisy Sinkhorn as set, if its potentials and plan were released

    def tables(self) -> dict[str, pd.DataFrame]:
        """Every number drawn; gaps are computed from the data, so none of them is private."""
        gaps = {"without noise": self.quiet, "proven": self.proven, "paper": self.paper}
        columns = {f"gap {name} (not private)": values for name, values in gaps.items()}
        return {"convergence": pd.DataFrame({"round": self.rounds, **columns, "bound of Theorem 1": self.theorem})}


@cached
def convergence(config: Config, grid: PointGrid) -> Convergence:
    ledger = run(replace(config, guarantee="proven"), grid).released.ledger
    sigma = {entry.data: entry.sigma for entry in ledger if entry.what == POTENTIALS}
    ratios = sigma["first"], sigma["second"]
    scaled = grid.cost / grid.largest
    eta, steps = config.eta, config.steps
    grids = check_grids(scaled, grid.first, grid.second)
    weights = grids.weights
    noisy = rounds(grids, weights, Rounds(eta, steps, floor=config.floor), ratios, noise(config, grid, "convergence"))
    quiet, best = _without_noise(eta, steps, grid)

    cost, m = grid.sample_cost, len(grid.sample_cost)
    uniform = np.full(m, 1.0 / m)
    floor = noise_floor(config.epsilon, config.delta, steps, eta, 1.0, m, config.constants)
    trace, _ = algorithm_1(cost, eta, steps, floor, 0.0, noise(config, grid, "convergence-paper"))
    paper = _gaps(trace, uniform, uniform, cost, eta, steps, _lowest(eta, grid))
    return Convergence(
        np.arange(steps + 1.0),
        quiet,
        _gaps(noisy, *weights, scaled, eta, steps, best),
        paper,
        np.array([convergence_bound(step, eta, 1.0, float(paper[0]), floor) for step in range(steps + 1)]),
        noise_neighbourhood(eta, 1.0, floor),
        {"proven": float(max(noisy.phi_noise[-1], noisy.psi_noise[-1])), "paper": math.sqrt(floor)},
        m,
        grid.pair.simulated,
        run(config, grid).guarantee,
    )


@cached
def _without_noise(eta: float, steps: int, grid: PointGrid) -> tuple[Array, float]:
    """Gaps of the first rounds on the grid, and the least value of the dual: the same at every epsilon."""
    scaled = grid.cost / grid.largest
    grids = check_grids(scaled, grid.first, grid.second)
    weights = grids.weights
    trace = rounds(grids, weights, Rounds(eta, ROUNDS + steps), (0.0, 0.0), np.random.default_rng(0))
    best = objective(trace.phi[-1], trace.psi[-1], *weights, scaled, eta)
    return _gaps(trace, *weights, scaled, eta, steps, best), best


@cached
def _lowest(eta: float, grid: PointGrid) -> float:
    """Least value of the dual on the points of Algorithm 1."""
    uniform = np.full(len(grid.sample_cost), 1.0 / len(grid.sample_cost))
    trace, _ = algorithm_1(grid.sample_cost, eta, ROUNDS, 0.0, 0.0, np.random.default_rng(0))
    return objective(trace.phi[-1], trace.psi[-1], uniform, uniform, grid.sample_cost, eta)


def _gaps(trace: Trace, a: Array, b: Array, cost: Array, eta: float, steps: int, best: float) -> Array:
    """Gap at the zero potentials and after each of the first rounds; rounding does not make it negative."""
    start = (np.zeros(len(a)), np.zeros(len(b)))
    follow = [start, *zip(trace.phi[:steps], trace.psi[:steps], strict=True)]
    return np.maximum([objective(*pair, a, b, cost, eta) - best for pair in follow], 0.0)


def objective(phi: Array, psi: Array, a: Array, b: Array, cost: Array, eta: float) -> float:
    """F = eta E exp((phi + psi - c)/eta) - E phi - E psi, the dual to be minimised; inf beyond float64."""
    exponent = (phi[:, None] + psi[None, :] - cost) / eta
    top = float(exponent.max())
    mean = float(a @ np.exp(exponent - top) @ b)
    log = top + math.log(mean) if mean > 0.0 else -math.inf
    return (eta * math.exp(log) if log < 700.0 else math.inf) - float(a @ phi) - float(b @ psi)


#: What is tried to find eta and the number of rounds on a public guess of the data.
_ETAS = (0.05, 0.1, 0.2, 0.3, 0.5, 1.0, 2.0)
_FEW = (1, 2, 3, 5)


@cached
def tune(config: Config, grid: PointGrid, progress: Progress | None = None) -> Tuned:
    """Try pairs of eta (over the largest cost) and K on masses that fall off along the grid; the data are not read."""
    return tune_sinkhorn(
        grid.cost / grid.largest,
        min(grid.n),
        epsilon=config.epsilon,
        delta=config.delta,
        rng=stream(config.draw, STREAMS["tuning"], **noise_settings(config)),
        trials=Trials(None, config.share, config.floor, config.people, _ETAS, _FEW),
        progress=progress,
    )
