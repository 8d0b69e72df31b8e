"""What can be run on needs: the smallest epsilon that gives a stated utility. Nothing is released."""

from __future__ import annotations

from typing import Any

from dpot_core import datasets
from dpot_core.experiments import needs as experiment
from dpot_core.progress import Progress
from dpot_core.scenarios.kinds import Files, Kind, Results
from dpot_core.studies._kit.values import ScenarioError

_SETS: dict[str, datasets.Dataset[Any]] = {**datasets.DATASETS, **datasets.FILM_DATASETS}
_SIDES = {"worst": "in the worst case", "data": "for the data at hand"}


def _run(config: experiment.Config, _files: Files, progress: Progress | None) -> Results:
    answer = experiment.run(config, progress)
    return Results(config, (answer,), experiment.disclosure())


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
        data_sets=datasets.downloaded(_SETS),
        digests=_digests,
        requirements=_fits,
        subtitle=lambda config: experiment.TITLES[config.need],
    ),
)
