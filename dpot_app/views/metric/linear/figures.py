from dpot_app.figures.panels import POWERS, guide, guide_label, log_axis, ticks
from dpot_app.figures.style import MARKERS, TITLE_HEIGHT, Figure, colour, new_figure
from dpot_app.figures.traces import line
from dpot_app.views.metric.linear.results import Linear
from dpot_app.views.metric.pays.results import RATIOS
from dpot_core.privacy.numerals import at_most, number

_TICKS = {ratio: f"{ratio:,}" for ratio in (1, 10, 100, 1000)}
_DASHES, _OPEN = ("solid", "dash", "dot"), ("", "-open", "-dot")
_TRUSTED = {"local": "no one trusted", "central": "one party trusted"}


def linear_figure(result: Linear) -> Figure:
    """Error of the answer against alpha/epsilon: falling by distance, level for whole users."""
    data, values, count = [], [], {"metric": 0, "user-level": 0}
    for name, release in result.releases.items():
        thing = "metric" if release.by_distance else "user-level"
        place, errors = count[thing], result.errors[name]
        count[thing] += 1
        values += [error for error in errors if error == error]  # not nan
        label = f"{'α' if release.by_distance else 'ε'}: {release.label}"
        look = {"colour": colour(thing), "dash": _DASHES[place], "symbol": MARKERS[thing] + _OPEN[place]}
        drawn = [None if error != error else error for error in errors]
        data.append(line(RATIOS, drawn, label, width=1.5, hover="%{x:.3~g}: %{y:.3~g}", **look))
    crossover, shapes, labels = result.crossover, [guide(0, x=result.config.ratio, dash="dash")], []
    chosen = guide_label(0, result.config.ratio, f"α/ε = {result.config.ratio:,g}")
    # Below: above stands from where distance pays.
    labels.append(chosen | {"y": 0.0, "yanchor": "bottom", "xanchor": "left", "xshift": 4})
    if result.config.ratio > RATIOS[-1] / 2:
        labels[-1] |= {"xanchor": "right", "xshift": -4}
    if RATIOS[0] < crossover < RATIOS[-1]:
        shapes.append(guide(0, x=crossover))
        labels.append(guide_label(0, crossover, f"pays from {at_most(crossover)}"))
    name = "α/ε (nats per largest distance, over nats)"
    return new_figure(
        _title(result),
        400,
        data,
        xaxis=log_axis(name, RATIOS[0] / 1.15, RATIOS[-1] * 1.15, zeroline=False, **ticks(_TICKS)),
        yaxis=log_axis("root mean square error", min(values) / 1.5, max(values) * 1.5, zeroline=False, **POWERS),
        margin={"t": TITLE_HEIGHT + 28},
        shapes=shapes,
        annotations=labels,
        showlegend=True,
    )


def _title(result: Linear) -> str:
    crossover, d = result.crossover, result.query.dimensions
    setting = f"{_TRUSTED[result.config.model]}, d = {d}, against {result.releases[result.best_for_users].label}"
    if crossover > RATIOS[-1]:
        return f"K-norm noise by distance does not pay up to α/ε = {number(RATIOS[-1])} ({setting})"
    if crossover <= RATIOS[0]:
        return f"K-norm noise by distance pays at every α/ε shown ({setting})"
    return f"K-norm noise by distance pays from α/ε = {at_most(crossover)} on ({setting})"
