from dataclasses import replace
from typing import Any

from dpot_app.kit.need import Need, Side
from dpot_app.views.ring.outputs.results import Result, run
from dpot_app.views.ring.settings import Config, Ring
from dpot_app.views.ring.source import Source
from dpot_app.views.ring.worst_case.results import worst_distance
from dpot_core.mechanisms import WITHOUT_PRIOR, rivals
from dpot_core.privacy.numerals import at_most, counted
from dpot_core.worst_case import worst_case_divergence

_LABELS = {name: entry.label for name, entry in WITHOUT_PRIOR.items()}
_IMPROVES = {name: row.improves for name, row in WITHOUT_PRIOR.items() if row.improves}
_NESTED = "A larger ε allows every output that a smaller one allows."
_FALLS = "The distance of a one-point input falls with ε."


def _tv_worst(config: Any) -> Side:
    def evaluate(name: str, epsilon: float) -> float:
        return worst_case_divergence("tv", config.k, epsilon, WITHOUT_PRIOR[name].worst_divergence or "minimax")

    names = [name for name, row in WITHOUT_PRIOR.items() if row.worst_divergence is not None]
    return Side(
        what=f"largest total variation over all inputs on {config.k} points",
        labels={name: _LABELS[name] for name in names},
        evaluate=evaluate,
        because={name: WITHOUT_PRIOR[name].improves or _NESTED for name in names},
        note="Closed forms; no mechanism has a smaller worst case than KPM. k-RR reaches it too, for total variation.",
    )


def _tv_data(config: Any) -> Side:
    return Side(
        what="total variation of one random input",
        labels=_LABELS,
        evaluate=lambda name, epsilon: float(_output(config, epsilon).divergences[name]["tv"]),
        because={"kpm": _NESTED} | _IMPROVES,
        note=f"The ring page's random input with seed {config.seed}. WPM aims at distance, not at total variation.",
        simulated=True,
    )


def _distance_worst(config: Any) -> Side:
    ring = Ring(k=config.k, every=1, p=config.p)
    # All points are outputs and alike: of all base measures the best uniform one is minimax.
    columns = {"wpm-minimax": "wpm"}

    def evaluate(name: str, epsilon: float) -> float:
        return worst_distance(ring, columns.get(name, name), epsilon)

    exact, bounds = rivals("exact"), rivals("lower bound")
    below = " and ".join(row.label for row in bounds.values())
    wider = "The best mass for a smaller ε stays possible for a larger one."
    return Side(
        what=f"largest W_{config.p} over all inputs on a ring of {config.k} points; {below}: over one-point inputs",
        labels={
            "wpm-minimax": "WPM, minimax base",
            "wpm": "WPM, best uniform base",
            "wpm-uniform": "WPM, uniform base of mass 1",
            **{name: row.label for name, row in exact.items()},
            **{name: f"{row.label}, one-point inputs" for name, row in bounds.items()},
        },
        colours={"wpm-minimax": "coreset", "wpm-uniform": "mbde"},
        evaluate=evaluate,
        because={
            "wpm": wider,
            "wpm-minimax": wider,
            "wpm-uniform": _NESTED,
            **{name: row.improves or _FALLS for name, row in rivals().items()},
        },
        bounds=tuple(bounds),
        note=(
            f"{below} may need more than stated: one-point inputs are a lower bound of their worst case. No mechanism "
            "needs less than WPM with the minimax base. On a ring of all points that is the best uniform base."
        ),
    )


def _distance_data(config: Any) -> Side:
    return Side(
        what=f"W_{config.p} of one random input on a ring of {config.k} points",
        labels=_LABELS,
        evaluate=lambda name, epsilon: float(_output(config, epsilon).distances[name]),
        note=f"The ring page's random input with seed {config.seed}; WPM with the best uniform base, exact.",
        simulated=True,
    )


def _settings(config: Any) -> Config:
    return Config(ring=Ring(k=config.k, every=1, p=config.p), source=Source(seed=config.seed))


def _output(config: Any, epsilon: float) -> Result:
    return run(replace(_settings(config), epsilon=epsilon, mechanisms=tuple(WITHOUT_PRIOR)))


NEEDS = (
    Need(
        key="ring-tv",
        title="Worst-case total variation on k points",
        shows=lambda config, side: ("ring.outputs", _settings(config)),
        tab={"worst": "divergences", "data": "divergences"},
        question="the output differs from the input by at most {} in total variation",
        unit="total variation",
        write=at_most,
        targets=(0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9),
        default=0.3,
        worst=_tv_worst,
        data=_tv_data,
    ),
    Need(
        key="ring",
        title="Worst-case distance on a ring",
        shows=lambda config, side: ("ring.outputs", _settings(config)),
        tab={"worst": "worst", "data": "worst"},
        question="the release lies at most {} from the truth",
        unit="distance (steps along the ring)",
        write=lambda value: counted(value, "step", "steps"),
        targets=(0.25, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 10.0, 15.0),
        default=4.0,
        worst=_distance_worst,
        data=_distance_data,
    ),
)
