"""What can be run on needs: the smallest epsilon that gives a stated utility. Nothing is released."""

from __future__ import annotations

from typing import Any

from dpot_core import datasets
from dpot_core.experiments import needs as experiment
from dpot_core.progress import Progress
from dpot_core.scenarios.kinds import Allowed, Files, Found, Kind
from dpot_core.scenarios.values import ScenarioError

_SETS: dict[str, datasets.Dataset[Any]] = {**datasets.DATASETS, **datasets.FILM_DATASETS}
#: Cities and catalogues share the name of what is simulated.
_TITLES = {key: data.title for key, data in _SETS.items()} | {"simulated": "Simulated"}
_SIDES = {"worst": "in the worst case", "data": "for the data at hand"}


def _run(config: experiment.Config, _files: Files, progress: Progress | None) -> Found:
    answer = experiment.run(config, progress)
    return Found((answer,), experiment.disclosure())


def _headlines(answer: experiment.Answer) -> dict[str, float]:
    found = {}
    for side, words in _SIDES.items():
        best = answer.sides[side].best if side in answer.sides else None
        if best is not None:
            found[f"Smallest ε {words} (nats)"] = best[1]
            search = answer.sides[side].searches[best[0]]
            if search.high is not None:
                found[f"Utility there, {words} ({answer.need.unit})"] = search.high[1]
    return found


def _digests(config: experiment.Config) -> dict[str, str]:
    table = experiment.NEEDS[config.need].sets
    return {} if table is None else datasets.digests(table, config.source)


def _fits(config: experiment.Config) -> None:
    sets = experiment.NEEDS[config.need].sets or _SETS
    if config.source not in sets:
        raise ScenarioError(f"must be one of {', '.join(sets)} here; got {config.source!r}", ("source",))


KINDS = (
    Kind(
        key="decide.epsilon",
        page="Find my ε",
        title="The smallest ε for a need",
        example=experiment.Config(),
        run=_run,
        headlines=_headlines,
        snippet=experiment.snippet,
        allowed={
            "need": Allowed("Needed", {key: need.title for key, need in experiment.NEEDS.items()}),
            "target": Allowed("Target, in the unit of the need", low=1e-6, high=1e6, step=1.25, factor=True),
            "k": Allowed("Points on the ring (k)", low=3, high=200, step=1),
            "p": Allowed("Order p of the distance", low=1, high=8, step=1),
            "d": Allowed("Dimension d of the sphere", low=1, high=100, step=1),
            "seed": Allowed("Seed of the ring's input", low=0, high=2**32, step=1),
            "source": Allowed("Data", _TITLES),
        },
        data_sets=datasets.downloaded(_SETS),
        digests=_digests,
        fits=_fits,
        named=lambda config: experiment.NEEDS[config.need].title,
    ),
)
