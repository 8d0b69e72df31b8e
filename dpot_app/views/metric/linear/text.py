import math

from dpot_app.kit.links import parameters
from dpot_app.kit.view import Blocks, Picture, Tab, Table, View
from dpot_app.views.metric.linear.figures import linear_figure
from dpot_app.views.metric.linear.results import Linear, run
from dpot_app.views.metric.settings import NOT_FOR_ITEMS, TABS, WHY_NOT, LinearConfig
from dpot_core.privacy.disclosures import nothing_released
from dpot_core.privacy.numerals import number

_ASKED = {
    "orthonormal": "The question: the share of each of {k} orthonormal items, the worst case of Table 2a.",
    "text": "{k} words of the Gettysburg address (1863, in the public domain), embedded by hashed trigrams. "
    "The question: how near a person's words are to “people”, from 0 to 1.",
    "graph": "The {k} states that border on one another (48 states and DC), embedded by their centres in degrees. "
    "The question: how far west a state's neighbours lie, in degrees.",
}


def show(config: LinearConfig, result: Linear) -> Blocks:
    slope = result.query.slope
    yield _ASKED[config.items].format(k=len(result.query.values)) + (
        f" A move by x largest distances changes the answer by at most {number(slope.constant)} x, and never by more "
        f"than {number(slope.spread)}. Noise depends on nothing else, so it is the same for all histories."
    )
    alt = "Error of a linear question against alpha over epsilon, by distance and for whole users"
    yield Picture("linear", alt, linear_figure, result)
    heads = ["Release", f"Error at α/ε = {config.ratio:,g}", "Promise", "Order in the paper"]
    rows = [
        [
            one.label,
            _error(result.at_ratio(name)),
            "by distance (α)" if one.by_distance else "whole user (ε)",
            one.order or "–",
        ]
        for name, one in result.releases.items()
    ]
    yield Table(heads, rows)
    ends = any(math.isnan(error) for errors in result.errors.values() for error in errors)
    yield (
        "Errors are root mean squares of the answer's distance from the truth, over the noise. They are exact; for "
        "Duchi et al. and PrivUnit they are upper bounds. The picture shows two promises, as in *When does it pay?*. "
        "Only Gaussian noise has a δ; the title leaves it out. "
        f"{'Its line ends where α is too large for it. ' if ends else ''}For orthonormal items and α = ε, Algorithm 1 "
        "errs as much as the same noise for whole users. Where another mechanism for whole users does better, privacy "
        "by distance pays only at a larger α/ε."
    )


def _error(value: float) -> str:
    return "α too large" if math.isnan(value) else number(value)


def headlines(result: Linear) -> dict[str, float]:
    best = result.at_ratio(result.best_for_users)
    return {
        "α/ε from which K-norm noise by distance is better": result.crossover,
        "error of K-norm noise by distance": result.at_ratio("distance"),
        "error of the best for whole users": best,
    }


VIEW = View(
    key="metric.linear",
    title="Linear questions to an embedding",
    example=LinearConfig(),
    compute=lambda config, files, progress: (run(config),),
    show=show,
    tabs=(Tab("linear", TABS["linear"], idle=NOT_FOR_ITEMS, why=WHY_NOT),),
    disclosure=lambda config, result: nothing_released("public"),
    otherwise=lambda config, result: config.guarantee,
    headlines=headlines,
    parameters=lambda config: parameters(config) | {"view": "linear"},
)
