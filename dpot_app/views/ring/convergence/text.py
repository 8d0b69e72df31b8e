from dpot_app.kit.view import Blocks, Picture, Tab
from dpot_app.views.ring.convergence.figures import convergence_figure
from dpot_app.views.ring.convergence.results import Convergence, convergence
from dpot_app.views.ring.settings import Config
from dpot_app.views.ring.units import order
from dpot_app.views.ring.views import ring_view


def show(config: Config, result: Convergence) -> Blocks:
    alt = "Distance after each iteration of Algorithm 1"
    yield Picture("convergence", alt, convergence_figure, result)
    used = "Broad line: in use, exact" if config.reg is None else f"Broad line, and ★: in use, λ = {config.reg:g}"
    points = f"{config.ring.k} · {len(config.ring.targets)}"
    yield (
        f"{used}. Bound: (Wᵖ + λ Dᵖ log({points}))^(1/p), Proposition 4.1, for outputs that have converged"
        + ("" if all(run.converged for run in result.runs) else " (hollow: those that have not)")
        + (
            f". W: the distance of the exact projection. D = {config.ring.space.diameter:g} steps: the largest "
            "distance; its cost counts as 1 for λ. Every iterate satisfies the guarantee."
        )
    )


def headlines(result: Convergence) -> dict[str, float]:
    far = order(result.ring.p)
    return {f"{far} of the exact projection (steps)": result.exact} | {
        f"{far} of Algorithm 1, λ = {run.reg:g} (steps)": float(run.distance[-1]) for run in result.runs
    }


VIEW = ring_view(
    "convergence",
    title="Convergence of Algorithm 1",
    compute=lambda config, files, progress: (convergence(config, progress),),
    show=show,
    scrub=("epsilon", "reg"),
    tabs=(Tab("convergence", "Convergence"),),
    headlines=headlines,
)
