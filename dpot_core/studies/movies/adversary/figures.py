import math

import numpy as np

from dpot_core.figures.findings import best_two
from dpot_core.figures.panels import at_epsilon, axis, guide, ticks
from dpot_core.figures.style import GUIDE, MARKERS, Figure, colour, new_figure, plain, simulated
from dpot_core.figures.traces import line
from dpot_core.films.releases import MECHANISMS
from dpot_core.numerals import at_most
from dpot_core.studies.movies.adversary.results import LargestRatio, TwoUsers
from dpot_core.studies.movies.user.figures import by_mechanism

_TICKS = {tick: f"{tick:g}" for tick in (0.001, 0.01, 0.1, 1, 10)}


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
    odds = math.exp(result.largest()["wpm"])
    corner = {"x": 1, "xref": "x domain", "xanchor": "right", "yanchor": "bottom", "showarrow": False}
    return new_figure(
        f"With WPM the most telling film shifts the odds between these two by up to {at_most(odds)}; "
        f"at most {at_most(math.exp(epsilon))} is possible{simulated(films.simulated)}",
        430,
        data,
        xaxis=axis("films, sorted for each mechanism"),
        yaxis=axis("log-likelihood ratio (share of ε)", range=[-1.15, 1.15]),
        shapes=[guide(0, y=1.0), guide(0, y=-1.0)],
        annotations=[corner | {"text": "ε", "y": 1.0}, corner | {"text": "-ε", "y": -1.0}],
    )


def largest_figure(result: LargestRatio, epsilon: float) -> Figure:
    """The largest ratio between the two users against epsilon, under the line that the guarantee allows."""
    largest = {str(name): ratios.to_numpy() for name, ratios in result.largest.items()}
    data = by_mechanism(result.epsilon, result.largest, "%{y:.3~g}")
    allowed = {"colour": GUIDE, "width": 1.5, "dash": "dot", "hover": "ε = %{x:g}: %{y:g}"}
    data.append(line(result.epsilon, result.epsilon, "what ε allows", **allowed))
    shares = {name: 100 * float((ratios / result.epsilon).max()) for name, ratios in largest.items()}
    least, other = best_two(shares)
    assert other is not None
    used, beside = (math.ceil(round(shares[name], 6)) for name in (least, other))
    return new_figure(
        f"At the values of ε shown, {MECHANISMS[least]} uses up to {used}% of ε "
        f"for these two, {MECHANISMS[other]} up to {beside}%{simulated(result.simulated)}",
        430,
        data,
        yaxis=axis("largest |log-likelihood ratio| (nats)", type="log", range=[-3, 1.1], **ticks(_TICKS)),
        **at_epsilon(epsilon, range=[-1.05, 1.05]),
    )
