import numpy as np

from dpot_app.figures.findings import where
from dpot_app.figures.style import MARKERS, Figure, colour, simulated
from dpot_app.figures.traces import line
from dpot_app.films.releases import REFERENCES
from dpot_app.films.scores import mean_and_error
from dpot_app.views.movies.everyone.results import CURVES, RIVALS, Everyone
from dpot_app.views.movies.user.figures import rates_figure, reference_lines
from dpot_core.privacy.numerals import enumeration

#: Other base measures of WPM share its colour: marker and dash tell them apart, also in a legend's short key.
_VARIANTS = {"prior": ("circle-open", "dash"), "minimax": ("square-open", "solid")}
_TICKS = (0.01, 0.02, 0.03, 0.05, 0.07, 0.1, 0.15, 0.2, 0.3, 0.5, 0.7, 1.0)


def everyone_figure(result: Everyone, epsilon: float) -> Figure:
    """Hit Rate@1 against epsilon: mean over the test users, error bars of one standard error."""
    at = np.array([point.epsilon for point in result.points])
    data = []
    for shift, (name, label) in enumerate(CURVES.items()):
        means, errors = np.array([mean_and_error(point.hits[name]) for point in result.points]).T
        thing, _, variant = name.partition("-")
        symbol, dash = _VARIANTS.get(variant, (MARKERS[thing], "dot"))
        data.append(
            line(
                at * 1.012 ** (shift - (len(CURVES) - 1) / 2),  # side by side, or they would cover each other
                means,
                label,
                colour=colour(thing),
                dash=dash,
                width=1,
                symbol=symbol,
                error_y={"array": errors, "color": colour(thing), "thickness": 1.5, "width": 3},
                customdata=np.column_stack([at, errors]),
                hover="ε = %{customdata[0]:g}: %{y:.3~p} ± %{customdata[1]:.3~p}",
            )
        )
    references = {name: float(result.references[name].mean()) for name in REFERENCES}
    data += reference_lines(references, [float(at.min()), float(at.max())])
    # The private releases are close together and far from the references.
    log = min(float(np.min(trace["y"])) for trace in data) > 0
    scale = " (log)" if log else ""
    axis = f"Hit Rate@1{scale}, mean ± s.e., {len(result.references['uniform'])} users"
    edges = np.log10([at.min() / 1.15, at.max() * 1.15])
    title = _finding(result) + simulated(result.films.simulated)
    figure = rates_figure(title, data, axis, epsilon, 500, edges.tolist())
    figure.layout.xaxis.update(tickvals=at, ticktext=[f"{epsilon:g}" for epsilon in at])
    if log:
        figure.layout.yaxis.update(type="log", tickvals=_TICKS, rangemode="normal")
    return figure


def _finding(result: Everyone) -> str:
    """Where WPM, its rivals and the most liked film are ahead of each other, user by user: one measure for all."""
    at = [point.epsilon for point in result.points]
    wins = {name: where(at, result.ahead("wpm", name)) for name in RIVALS}
    won = list(dict.fromkeys(found for found in wins.values() if found))
    parts = [f"{_named(wins, found)} {found}" for found in won]
    said = [f"WPM beats {', '.join(parts)}"] if parts else []
    losses = {name: where(at, result.ahead(name, "wpm")) for name in (*RIVALS, "popular")}
    names = RIVALS | {"popular": "the same most liked film for all (ε = 0)"}
    said += [f"{names[name]} beats WPM {found}" for name, found in losses.items() if found]
    if said:
        said[-1] += f" ({'each ' if len(said) > 1 else ''}by more than 2 paired s.e.)"
    if even := [name for name in RIVALS if not wins[name] and not losses[name]]:
        said.append(
            f"between WPM and {enumeration([RIVALS[name] for name in even])} the difference is within 2 paired s.e."
        )
    return "; ".join(said)


def _named(wins: dict[str, str], found: str) -> str:
    return " and ".join(RIVALS[name] for name, text in wins.items() if text == found)
