from dpot_app.figures.findings import best_two, labels_of
from dpot_app.figures.panels import EPSILON_PANELS, panels
from dpot_app.figures.style import MARKERS, TITLE_HEIGHT, Figure, new_figure
from dpot_app.figures.traces import Trace
from dpot_app.views.mixture.line.figures import bound_line
from dpot_app.views.mixture.looks import THINGS, points
from dpot_app.views.mixture.many.results import Many
from dpot_app.views.mixture.published import published_worst
from dpot_app.views.mixture.settings import MECHANISMS, NAMES
from dpot_core.privacy.numerals import counted, number

#: What the paper has maxima of: its name there, in the legend, and as a thing.
_PAPERS = (("kpm", "KPM in the paper", "kpm"), ("mbde", "MBDE in the paper", "mollifier"))


def many_figure(many: Many) -> Figure:
    """Markers of ours, open markers of the paper's where the family is theirs, R as a line."""
    data: list[Trace] = []
    table, published = many.worst, published_worst()
    for panel, name in enumerate(("kl", "tv", "hellinger")):
        data.append(bound_line(many.bound, name, panel))
        for key in MECHANISMS:
            rows = table[table["mechanism"] == key]
            data.append(points(list(rows["epsilon"]), list(rows[name]), NAMES[key], THINGS[key], panel, size=9))
        for key, label, thing in _PAPERS if many.config.of_paper else ():
            values = [entry[key][name] for entry in published.values()]
            theirs = {"symbol": f"{MARKERS[thing]}-open", "size": 13, "line": {"width": 2}}
            data.append(points(list(published), values, label, thing, panel, **theirs))
    # Three panels share a phone's width: short titles, upright numbers.
    x = {"type": "log", "tickvals": list(published), "range": [-1.15, 0.85], "tickangle": 0, "title_text": "ε"}
    titles = ["KL (nats)", "Total variation", "Sq. Hellinger"]
    layout = panels(titles, 3, **EPSILON_PANELS | {"x": x, "gap": (0.12, 0.1)})
    one = table[table["epsilon"] == 1.0].set_index("mechanism")["kl"]
    count = int(many.values["mixture"].max())
    whose = counted(count, "random mixture", "random mixtures")
    if many.config.source == "published":
        whose = f"the paper's {count} mixtures"
    worst = {key: float(one[key]) for key in MECHANISMS}
    best, other = best_two(worst, "kpm")
    assert other is not None
    first, second = labels_of((best, other), worst, NAMES)
    costs = f"a KL of {number(one[best])} nats with {first}, {number(one[other])} with {second}"
    return new_figure(f"Worst of {whose} at ε = 1: {costs}", 430, data, margin={"t": TITLE_HEIGHT + 28}, **layout)
