from dpot_app.kit.view import Blocks, Note, Picture, Tab, Table
from dpot_app.views.sinkhorn.convergence.figures import convergence_figure
from dpot_app.views.sinkhorn.convergence.results import Convergence, convergence
from dpot_app.views.sinkhorn.point_grid import grid_of
from dpot_app.views.sinkhorn.settings import Config
from dpot_app.views.sinkhorn.units import THEOREM, number, power_of_ten
from dpot_app.views.sinkhorn.views import pair_view
from dpot_core.mechanisms.central.sinkhorn_tuning import Tuned


def show(_config: Config, result: Convergence) -> Blocks:
    alt = "Gap to the best potentials by round, without noise, proven, Algorithm 1, and the bound of Theorem 1"
    yield Picture("convergence", alt, convergence_figure, result)
    end, noise = result.neighbourhood, {name: number(value) for name, value in result.noise.items()}
    neighbourhood = f"{number(end) if end < 1e6 else power_of_ten(end)} |c|"
    above = f"In this run Algorithm 1's gap is above what Theorem 1 says of the mean: see *{THEOREM}*. "
    yield (
        "Each round of Sinkhorn's algorithm brings the potentials nearer to the best ones. Gap: by how much they "
        f"still fall short. |c| is the largest cost. Noise on each potential: {noise['proven']} |c| (proven, last "
        f"round) and {noise['paper']} |c| (Algorithm 1, as Theorem 2 asks). After many rounds Theorem 1 allows a gap "
        f"of {neighbourhood}. "
        + (above if (result.paper[1:] > result.theorem[1:] * (1 + 1e-9)).any() else "")
        + (
            "Gaps are computed from the data. They are shown here, and not released. Values beyond the chart are drawn "
            "at its edge."
        )
    )


def show_tuned(tuned: Tuned) -> Blocks:
    yield Note(
        f"Best of {tuned.errors.size} pairs: **η = {tuned.eta:g} |c|, K = {tuned.steps}**. There the cost of the "
        f"private plan misses the exact cost by {number(tuned.error)} |c| on average."
    )
    rows = [
        (f"η = {eta:g} |c|", *(number(error) for error in errors))
        for eta, errors in zip(tuned.etas, tuned.errors, strict=True)
    ]
    yield Table(("mean miss (of |c|)", *(f"K = {count}" for count in tuned.rounds)), rows)
    yield (
        "Tried on invented data with your n, ε, δ and shares: masses that fall off along the grid, in opposite "
        "directions. Your data are not read, so the choice costs no privacy. A guess far from the data costs accuracy."
    )


def headlines(result: Convergence) -> dict[str, float]:
    return {
        "Gap after the last round, without noise (of |c|)": float(result.quiet[-1]),
        "Gap after the last round, proven (of |c|)": float(result.proven[-1]),
        "Noise on a potential, proven (of |c|)": result.noise["proven"],
        "Noise on a potential, paper (of |c|)": result.noise["paper"],
    }


VIEW = pair_view(
    key="sinkhorn.convergence",
    title="Round by round",
    compute=lambda config, files, progress: (convergence(config, grid_of(config.data, files)),),
    show=show,
    tabs=(Tab("convergence", "Convergence"),),
    headlines=headlines,
    otherwise=lambda config, result: result.guarantee,
    scrub=("epsilon",),
)
