"""The numbers of what is on the board: computed where they are missing, with a count, and abandoned on request."""

from collections.abc import Sequence
from dataclasses import replace
from typing import cast

import streamlit as st

from dpot_app.batch import scenarios
from dpot_app.batch.scenarios import Scenario, ScenarioError
from dpot_app.batch.tags import short
from dpot_app.kit.failures import ComputationFailed, computing
from dpot_app.kit.markdown import as_text
from dpot_app.shell.pins import Pin, Summary, board, summarise
from dpot_app.shell.work import counted
from dpot_core.arguments.progress import Progress, part_of
from dpot_core.datasets import DatasetMissing

_PROBLEMS = "board_problems"

#: Numbers, or why there are none.
Answer = Summary | str


def complete() -> bool:
    """Compute what is missing; whether everything on the board has numbers or a reason for having none."""
    pinned = board()
    pinned.put(
        [replace(pin, summary=pin.summary or pin.known(), known=None) if pin.known else pin for pin in pinned.pins]
    )
    waiting = [pin for pin in pinned.pins if pin.summary is None]
    answers = answer("board", [pin.scenario for pin in waiting])
    by_number = {pin.number: one for pin, one in zip(waiting, answers, strict=False)}
    summaries = {number: one for number, one in by_number.items() if isinstance(one, Summary)}
    pinned.put([replace(pin, summary=summaries.get(pin.number, pin.summary)) for pin in pinned.pins])
    st.session_state[_PROBLEMS] = {number: one for number, one in by_number.items() if isinstance(one, str)}
    return len(answers) == len(waiting)


def problem_of(pin: Pin) -> str | None:
    return cast(str | None, st.session_state.get(_PROBLEMS, {}).get(pin.number))


def answer(name: str, wanted: Sequence[Scenario]) -> list[Answer]:
    """The numbers of scenarios; fewer than are wanted if the reader abandons the work."""
    files, answers = dict(board().files), list[Answer]()

    def work(progress: Progress) -> None:
        for number, scenario in enumerate(wanted):
            report = part_of(progress, number, len(wanted))
            answers.append(_unready(scenario, files) or _answer(scenario, files, report))

    titles = wanted[0].title if len(wanted) == 1 else f"{len(wanted)} scenarios"
    counted(f"{name}_abandoned", tuple(scenario.same for scenario in wanted), as_text(titles), work)
    return answers


def _answer(scenario: Scenario, files: scenarios.Files, progress: Progress | None) -> Answer:
    try:
        with computing(scenario.config, scenario.view.example):
            return summarise(scenarios.run(scenario, files, progress))
    except (ValueError, ComputationFailed) as problem:
        return str(problem)


def _unready(scenario: Scenario, files: scenarios.Files) -> str | None:
    """The file that has to be brought first; the answer is not kept, because the file can be brought."""
    absent = scenarios.missing(scenario, files)
    if absent:
        named = "; ".join(f"{role}, tag {short(tag)}" for role, tag in absent.items())
        return f"Bring the file it was made with, under Save and load: {named}"
    try:
        scenario.view.digests(scenario.config)
    except DatasetMissing as problem:
        return f"{problem}. The page {scenario.view.page} offers the download"
    except ScenarioError as problem:
        return str(problem)
    return None
