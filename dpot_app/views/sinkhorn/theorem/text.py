from dpot_app.kit.view import Blocks, Note, Picture, Tab, Table
from dpot_app.views.sinkhorn.disclosed import unprotected
from dpot_app.views.sinkhorn.point_grid import grid_of
from dpot_app.views.sinkhorn.settings import TheoremConfig
from dpot_app.views.sinkhorn.theorem.figures import counterexample_figure
from dpot_app.views.sinkhorn.theorem.results import Assumptions, Bounds, assumptions
from dpot_app.views.sinkhorn.units import THEOREM, number, power_of_ten
from dpot_app.views.sinkhorn.views import pair_view
from dpot_core.mechanisms.central import sinkhorn_theory as theory
from dpot_core.privacy.numerals import at_least, at_most


def show(theorem: TheoremConfig, result: Assumptions) -> Blocks:
    """A point that walks, and the cautions with the numbers of the settings."""
    config, walk = theorem.base, result.walk
    alt = "Change of the moving point's potential and of the others against the number of points"
    yield Picture("counterexample", alt, counterexample_figure, walk)
    yield Note(
        "1. **The points stand still.** A point's potential says what one more unit of mass there would cost. "
        "Algorithm 1 releases one potential *for each point*. The proof of Theorem 2 lets one point change and keeps "
        f"the place of its potential. Move a point to {walk.place:g}. Then its own potential moves by "
        f"{number(walk.own[0])} |c| at n = {walk.n[0]:g} and by {number(walk.own[-1])} |c| at n = {walk.n[-1]:g}. The "
        "others move like 1/n, as the proof says. So points' potentials are not private as claimed. And after noise "
        "they leave the box that the proof needs.\n2. **A factor 2 is lost.** The Rényi bound turned into (ε, δ) is K "
        "C/M + 2 √(K C log(1/δ)/M). The theorem prints the root without the 2.\n3. **A square is lost.** The Gaussian "
        "mechanism costs α Δ²/(2M); the proof takes C = Δ/2, no square.\n4. **Noise costs more than Theorem 1 "
        "counts**. Noise of variance M on all potentials raises F by η (exp(M/η²) − 1) on average. The theorem counts "
        "τM/2. Its Lemma 4 takes strong convexity, a lower bound of the rise, for an upper bound."
    )
    rows = {
        "noise it asks for (standard deviation)": "noise for epsilon",
        "ε that it claims at the printed noise": "epsilon at the printed noise",
        "sensitivity of a round that it takes": "claimed sensitivity",
        "rise of F by the noise of a round": "rise of F by the noise of a round",
        "rise that Theorem 1 counts": "rise that Theorem 1 counts",
    }
    yield Table(
        ("Theorem 2 at these settings, |c| = 1", "As printed", "Corrected (2 and 3)"),
        [(label, *(_written(float(value)) for value in result.constants[name])) for label, name in rows.items()],
    )
    yield (
        f"Rounds K = {config.steps}, η = {config.eta:g} |c|, |c| the largest cost, δ = {config.delta:g}, n = "
        f"{result.bounds.points} points. M: variance of the noise. Δ: sensitivity, the most that one person can change "
        "a round. F: the number that Sinkhorn's algorithm makes smallest. The theorem's logarithm holds 4 η |c|/n, "
        "which has a unit, so all costs are divided by the largest first. Corrected constants repair 2 and 3, not 1: "
        "Noisy Sinkhorn, paper, stays without a proof. The proven variant releases potentials of public cells. The "
        "people in them enter as a histogram only."
    )
    yield Note(_bounds(result.bounds))


def _bounds(bounds: Bounds) -> str:
    """The theorems' bounds of the error, and where the paper's choice of eta leads."""
    first, second = bounds.two_stage
    objective = _size(10.0 ** min(bounds.log10_objective, 300.0))
    return (
        f"**The paper's bounds here (|c| = 1).** Theorem 1 ends at a gap of {_size(bounds.neighbourhood)}. "
        f"Corollary 1: {_size(bounds.tradeoff)}. Theorem 3 asks for η ≤ {at_least(bounds.largest_eta)}: "
        f"the second best assignment is at most {at_most(bounds.gap, 0.0)} away. "
        f"It then bounds the error by {_size(first + second)}. "
        f"{_choice(bounds.eta)} (13) is {objective} there; as it is printed, it grows with ε. No cost is larger than "
        "1, so a bound above 1 says nothing. These bounds are computed from the points. No guarantee covers them, and "
        "no file holds them. The picture and the table follow from the settings."
    )


def _choice(eta: float) -> str:
    """Where the paper's choice of eta leads."""
    words = "The paper chooses η where its bound (13) is least"
    if eta > 0.99 * theory.LARGEST_ETA:
        return f"{words}. It still falls at the largest one tried, {number(eta)} |c|."
    return f"{words}: {number(eta)} |c|."


def _size(value: float) -> str:
    return number(value) if value < 1e4 else power_of_ten(value)


def headlines(result: Assumptions) -> dict[str, float]:
    walk, noise = result.walk, result.constants["noise for epsilon"]
    return {
        f"Own potential moves, n = {walk.n[-1]:g} (of |c|)": float(walk.own[-1]),
        f"Any other potential moves, n = {walk.n[-1]:g} (of |c|)": float(walk.others[-1]),
        "Noise asked for, as printed (of |c|)": float(noise.iloc[0]),
        "Noise asked for, corrected (of |c|)": float(noise.iloc[1]),
    }


VIEW = pair_view(
    key="sinkhorn.theorem",
    title=THEOREM,
    example=TheoremConfig(),
    compute=lambda config, files, progress: (assumptions(config, grid_of(config.base.data, files)),),
    show=show,
    tabs=(Tab("theorem", THEOREM),),
    disclosure=lambda config, result: unprotected(headlines(result)),
    otherwise=lambda theorem, result: result.guarantee,
    headlines=headlines,
    scrub=("place", "base.epsilon"),
)


def _written(value: float) -> str:
    """A number that is exact however small it is, so that it is never written as 0."""
    return f"about {power_of_ten(value)}" if 0.0 < value < 1e-12 else number(value)
