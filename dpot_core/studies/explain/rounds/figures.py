from dpot_core.figures.panels import axis
from dpot_core.figures.style import COLOURS, TITLE_HEIGHT, Figure, new_figure
from dpot_core.figures.traces import line
from dpot_core.numerals import at_most, counted
from dpot_core.studies.explain.rounds.results import Rounds


def rounds_figure(result: Rounds) -> Figure:
    config, few = result.config, len(result.count) <= 40
    look = {"colour": COLOURS["input"], "width": 2.5, "size": 6, "hover": "%{x} releases: ε = %{y:.3~g}"}
    data = [
        line(result.count, result.basic, "added up", dash="dash", symbol="x" if few else "", **look),
        line(result.count, result.exact, "exact for Gaussian noise", symbol="circle" if few else "", **look),
    ]
    # The exact one is never far above what is added up, whatever delta is.
    top = max(float(result.basic[-1]), float(result.exact.max()))
    return new_figure(
        f"{counted(config.rounds, 'Gaussian release', 'Gaussian releases')} at ε = {config.epsilon:g} each: "
        f"ε = {at_most(float(result.exact[-1]))} in all, not {at_most(result.basic[-1])}, "
        f"both at δ = {at_most(config.total_delta, 0.0)}",
        400,
        data,
        xaxis=axis("releases from the same data", range=[0.0, 1.03 * config.rounds]),
        yaxis=axis("ε of all together", range=[0.0, 1.06 * top]),
        margin={"t": TITLE_HEIGHT + 16},
    )
