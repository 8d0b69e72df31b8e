import math

import numpy as np

from dpot_app.figures.findings import best_two
from dpot_app.figures.panels import at_epsilon, axis, guide, ticks
from dpot_app.figures.style import GUIDE, MARKERS, Figure, colour, new_figure, plain, simulated
from dpot_app.figures.traces import line
from dpot_app.films.releases import MECHANISMS
from dpot_app.views.movies.adversary.results import LargestRatio, TwoUsers
from dpot_app.views.movies.user.figures import by_mechanism
from dpot_core.privacy.numerals import at_most

#: Ratios that are smaller, or none, stand at the lower end of the logarithmic axis: a missing line says nothing.
_LEAST = 1e-3
_TICKS = {_LEAST: f"≤ {_LEAST:g}"} | {tick: f"{tick:g}" for tick in (0.01, 0.1, 1, 10)}


def ratio_figure(result: TwoUsers) -> Figure:
    """The log-likelihood ratio of every film that can be released as a share of epsilon, sorted for each mechanism."""
    films, epsilon = result.films, result.epsilon
    data = []
    for name, ratio in result.ratios.items():
        order = np.argsort(-ratio, kind="stable")
        data.append(
            line(
                np.arange(1, len(order) + 1),
                ratio[order] / epsilon,
                MECHANISMS[name],
                colour=colour(name),
                width=1,
                symbol=MARKERS[name],
                size=5,
                text=[plain(films.ratings.films[i]) for i in films.candidates[order]],
                customdata=ratio[order],
                hover="%{text}: %{customdata:.3~g}",
            )
        )
    odds = at_most(math.exp(result.largest()["wpm"]))
    told = "no film shifts the odds between these two"
    if odds != "1":
        told = f"the most telling film multiplies the odds between these two by {odds}"
    corner = {"x": 1, "xref": "x domain", "xanchor": "right", "yanchor": "bottom", "showarrow": False}
    return new_figure(
        f"With WPM {told}; ε allows a factor of {at_most(math.exp(epsilon))}{simulated(films.simulated)}",
        430,
        data,
        xaxis=axis("films, sorted for each mechanism"),
        yaxis=axis("log-likelihood ratio (share of ε)", range=[-1.15, 1.15]),
        shapes=[guide(0, y=1.0), guide(0, y=-1.0)],
        annotations=[corner | {"text": "ε", "y": 1.0}, corner | {"text": "−ε", "y": -1.0}],
    )


def largest_figure(result: LargestRatio, epsilon: float) -> Figure:
    """The largest ratio between the two users against epsilon, under the line that the guarantee allows."""
    largest = {str(name): ratios.to_numpy() for name, ratios in result.largest.items()}
    data = by_mechanism(result.epsilon, result.largest.clip(lower=_LEAST), "%{customdata:.3~g}")
    for trace, ratios in zip(data, largest.values(), strict=True):
        trace["customdata"] = ratios
    allowed = {"colour": GUIDE, "width": 1.5, "dash": "dot", "hover": "ε = %{x:g}: %{y:g}"}
    data.append(line(result.epsilon, result.epsilon, "what ε allows", **allowed))
    shares = result.shares()
    least, other = best_two(shares)
    assert other is not None
    per_cent = (at_most(round(100 * shares[name], 6), digits=2) for name in (least, other))
    used, beside = ("0%" if share == "0" else f"up to {share}%" for share in per_cent)
    return new_figure(
        f"At the values of ε shown, these two users differ by {used} of what ε allows under {MECHANISMS[least]}, "
        f"{beside} under {MECHANISMS[other]}{simulated(result.simulated)}",
        430,
        data,
        yaxis=axis("largest |log-likelihood ratio| (nats)", type="log", range=[-3, 1.1], **ticks(_TICKS)),
        **at_epsilon(epsilon, range=[-1.05, 1.05]),
    )
