"""One point of a sweep: asked for and answered as text, the same on this machine and on a cluster's workers."""

import hashlib
import json
from collections.abc import Mapping
from functools import cache
from typing import Any

from pydantic import TypeAdapter

from dpot_app.batch import scenarios
from dpot_app.batch.reports.versions import versions
from dpot_app.batch.scenarios import VIEWS, Scenario, ScenarioError
from dpot_app.batch.tags import is_tag, tagged
from dpot_app.kit.failures import ComputationFailed, computing
from dpot_app.kit.values import from_plain, to_plain
from dpot_app.kit.view import View
from dpot_app.machine import one_thread, sources
from dpot_core.privacy.disclosures import Disclosure

#: What numbers come from, beside this program.
_NUMERICAL = ("Python", "numpy", "scipy", "pot", "highspy", "dp-accounting")

DISCLOSURES = TypeAdapter(Disclosure)

Record = dict[str, Any]


@cache
def programs() -> str:
    """The programs that compute: our sources, and the versions of the numerical packages."""
    others = [f"{name} {version}" for name, version in versions().items() if name in _NUMERICAL]
    return ", ".join([f"dpot {sources()}", *others])


def ask(view: View, config: Any, uploads: Mapping[str, str]) -> str:
    """A point as text: equal text, equal numbers from equal programs.

    Raises:
        DatasetMissing: if a data set that the settings name is not on this machine.
    """
    data = dict(scenarios.describe_data(view, config, uploads))
    return _text({"data": dict(sorted(data.items())), "settings": to_plain(config), "view": view.key})


def digest(asked: str) -> str:
    """The key of a point's result: view, settings, data, and the programs."""
    return hashlib.sha256(_text([programs(), asked]).encode()).hexdigest()


def answer(asked: str, files: Mapping[str, bytes]) -> str:
    """The record of a point, as text: programs, headline numbers and disclosure, or why there are none.

    Args:
        files: contents of people's own files by their tag.
    """
    one_thread()
    content = json.loads(asked)
    record: Record = {"programs": programs(), "asked": asked}
    view = VIEWS[content["view"]]
    try:
        config = from_plain(view.example, content["settings"])
        scenario = Scenario(view.key, view.title, config, tuple(content["data"].items()))
        with computing(config, view.example):
            outcome = scenarios.run(scenario, files)
    except Exception as problem:  # also a bug: the other points are worth having
        return _text(record | failed(problem))
    record["headlines"] = {name: float(value) for name, value in outcome.headlines.items()}
    record["spread"] = scenarios.spread(outcome.results, view)
    record["disclosure"] = DISCLOSURES.dump_python(outcome.disclosure, mode="json")
    return _text(record)


def written(record: Record) -> str:
    """A record as it is kept: that two samples of private people are the same is told by a tag.

    It is made where the sweep runs and not where the point was computed: all have one key, so that equal samples stay
    equal. (Under another key the point is asked for by another tag of its file.)
    """
    sample = record.get("disclosure", {}).get("sample")
    if sample and any(map(is_tag, json.loads(record["asked"])["data"].values())):
        record = record | {"disclosure": record["disclosure"] | {"sample": tagged(sample, "sample")}}
    return _text(record)


def failed(problem: BaseException) -> Record:
    """Why a point has no numbers, and whether it is worth keeping: it would fail again anywhere."""
    if isinstance(problem, ScenarioError):
        return {"error": str(problem), "lasting": problem.path[:1] != ("data",)}
    if isinstance(problem, ValueError):
        return {"error": f"the settings do not fit together: {problem}", "lasting": True}
    if isinstance(problem, ComputationFailed):
        return {"error": str(problem), "lasting": not isinstance(problem.__cause__, MemoryError)}
    return {"error": f"{type(problem).__name__}: {problem}", "lasting": False}


def _text(content: Any) -> str:
    return json.dumps(content, ensure_ascii=False, separators=(",", ":"))
