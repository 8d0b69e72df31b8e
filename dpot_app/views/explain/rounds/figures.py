from dpot_app.figures.panels import axis
from dpot_app.figures.style import COLOURS, TITLE_HEIGHT, Figure, new_figure
from dpot_app.figures.traces import line
from dpot_app.views.explain.rounds.results import Rounds
from dpot_core.privacy.numerals import at_most, count


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
        _title(result),
        400,
        data,
        xaxis=axis(
            "releases from the same data",
            range=[0.0, 1.03 * config.rounds],
            dtick=max(1, 5 * round(config.rounds / 30)),
        ),
        yaxis=axis("ε of all together", range=[0.0, 1.06 * top]),
        margin={"t": TITLE_HEIGHT + 16},
    )


def _title(result: Rounds) -> str:
    config = result.config
    delta, together = at_most(config.total_delta, 0.0), at_most(float(result.exact[-1]))
    if config.rounds == 1:
        return f"1 Gaussian release at ε = {config.epsilon:g} and δ = {delta}"
    return (
        f"{count(config.rounds)} Gaussian releases at ε = {config.epsilon:g} each: "
        f"ε = {together} in all, not {at_most(result.basic[-1])}, both at δ = {delta}"
    )
