import numpy as np

from dpot_app.figures.findings import best_two, labels_of
from dpot_app.figures.panels import POWERS, at_epsilon, axis, guide, log_axis
from dpot_app.figures.style import Figure, new_figure, simulated
from dpot_app.figures.traces import Trace, band, line
from dpot_app.kit.fields import EPSILONS as SLIDER
from dpot_app.views.sinkhorn.cost.results import Costs
from dpot_app.views.sinkhorn.settings import CLAIMED, COSTS, DRAWS, EPSILONS
from dpot_app.views.sinkhorn.units import cost_text, in_brackets, look, number

_LOW, _MIDDLE, _HIGH = 0.05, 0.5, 0.95


def cost_figure(costs: Costs, errors: bool = True) -> Figure:
    """Median and 90% interval of what each way releases, or of its absolute error on a logarithmic axis."""
    points, grid, epsilon = costs.points, costs.grid, costs.epsilon
    at = [point.epsilon for point in points]
    low, high = _limits(costs, errors)
    data: list[Trace] = []
    for name, label in COSTS.items():
        values = [point.errors(name) if errors else point.estimates[name] for point in points]
        bands = np.array([np.quantile(part, (_LOW, _MIDDLE, _HIGH), method="inverted_cdf") for part in values])
        shown, looks = np.clip(bands, low, high), look(name) | {"legendgroup": name}
        if (bands[:, 0] <= high).any():
            data.append(band(at, shown[:, 0], shown[:, 2], colour=looks["colour"], opacity=0.15, legendgroup=name))
        said = [_text(value) for value in bands[:, 1]]
        label += " (not proven)" if name in CLAIMED else ""
        data.append(line(at, shown[:, 1], label, hover="ε = %{x:g}: %{customdata}", customdata=said, **looks))
    unit = in_brackets(grid.cost_unit)
    what = f"{'absolute error of the' if errors else 'released'} cost{unit}: median, 90% of {DRAWS} draws"
    y = axis(what, range=[low - 0.03 * (high - low), high + 0.03 * (high - low)])
    if errors:
        y = log_axis(what, low, high * 10**0.2, **POWERS)
    # As far as the slider goes, where the mark of its value stands.
    ends = min(SLIDER[0], at[0]) / 1.2, max(SLIDER[-1], at[-1]) * 1.2
    layout = at_epsilon(epsilon, range=np.log10(ends).tolist())
    if not errors:
        layout["shapes"].append(guide(0, y=grid.exact_cost, dash="dash"))
    return new_figure(
        _title(costs) + simulated(grid.pair.simulated),
        500,
        data,
        yaxis=y,
        **layout,
    )


def _limits(costs: Costs, errors: bool) -> tuple[float, float]:
    """Ends of the chart, which the settings' own epsilon does not move."""
    points, grid = [point for point in costs.points if point.epsilon in EPSILONS] or costs.points, costs.grid
    if not errors:
        proven = np.concatenate([point.estimates["proven"] for point in points])
        high = min(max(2.5 * grid.exact_cost, float(np.quantile(proven, _HIGH))), grid.largest)
        return max(min(0.0, float(np.quantile(proven, _LOW))), -grid.largest), high or 1.0
    least = min(point.typical(name) for point in points for name in ("laplace", "histograms", "proven"))
    return max(least, 1e-9 * grid.largest) / 3.0, 10.0 * grid.largest


def _text(value: float) -> str:
    return number(value) if abs(value) < 1e6 else number(abs(value))


def _title(costs: Costs) -> str:
    """Which proven way is nearest at the settings' epsilon, beside noisy Sinkhorn."""
    errors = {name: costs.now.typical(name) for name in COSTS if name not in CLAIMED}
    best, other = best_two(errors, "proven")
    assert other is not None
    off, beside = (cost_text(errors[name], costs.grid) for name in (best, other))
    first, second = labels_of((best, other), errors, COSTS, lambda value: cost_text(value, costs.grid))
    text = f"At ε = {costs.epsilon:g} the cost ({cost_text(costs.grid.exact_cost, costs.grid)}) is off by {off} with "
    return f"{text}{first}, by {beside} with {second}"
