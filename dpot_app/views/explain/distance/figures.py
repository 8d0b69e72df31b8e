from dpot_app.figures.panels import axis, guide
from dpot_app.figures.style import COLOURS, Figure, new_figure, see_through
from dpot_app.figures.traces import line, marks
from dpot_app.views.explain.beliefs import PER_CENT, of_people
from dpot_app.views.explain.distance.results import OverDistance
from dpot_core.privacy.numerals import at_most


def distance_figure(result: OverDistance) -> Figure:
    config, here, grey = result.config, result.here, COLOURS["input"]
    hover = "%{x:.3~g} km: %{y:.3~p}"
    x, between = result.distance, {"fill": "tonexty", "fillcolor": see_through(grey, 0.12)}
    at, beliefs = [config.distance] * 2, [here.most, here.least]
    data = [
        line(x, result.most, "most after any output", colour=grey, width=2.5, hover=hover),
        line(x, result.least, "least after any output", colour=grey, width=2.5, dash="dash", hover=hover, **between),
        marks(at, beliefs, "at this distance", hover=hover, symbol="diamond", size=11, color=grey)
        | {"cliponaxis": False},
    ]
    return new_figure(
        f"At {config.distance:g} km, α = {config.alpha:g} per km means ε = {at_most(config.alpha * config.distance)}: "
        f"a belief of {of_people(config.prior)} becomes at most {of_people(here.most)}",
        400,
        data,
        xaxis=axis("distance between the two inputs (km)", range=[0, config.farthest]),
        yaxis=axis("belief after the release", **PER_CENT),
        shapes=[guide(0, x=config.distance)],
    )
