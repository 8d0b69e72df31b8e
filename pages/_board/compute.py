"""The numbers of what is on the board: computed where they are missing, with a count, and abandoned on request."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from dpot_core import scenarios
from dpot_core.datasets import DatasetMissing
from dpot_core.progress import Progress, part_of
from dpot_core.scenarios import Scenario, ScenarioError
from dpot_core.studies._kit.markdown import as_text
from pages._shell.pins import Pin, Summary, board, summarise
from pages._shell.work import counted

_PROBLEMS = "board_problems"

#: Numbers, or why there are none.
Answer = Summary | str


def complete() -> bool:
    """Compute what is missing; whether everything on the board has numbers or a reason for having none."""
    problems: dict[int, str] = {}
    kept = board()
    known = {pin.number: pin.known() for pin in kept.pins if pin.summary is None and pin.known is not None}
    if known:
        kept.put([replace(pin, summary=known.get(pin.number, pin.summary), known=None) for pin in kept.pins])
    waiting = [pin for pin in kept.pins if pin.summary is None]
    answers = answer("board", [pin.scenario for pin in waiting])
    found: dict[int, Summary] = {}
    for pin, given in zip(waiting, answers, strict=False):
        if isinstance(given, str):
            problems[pin.number] = given
        else:
            found[pin.number] = given
    if found:
        kept.put([replace(pin, summary=found.get(pin.number, pin.summary)) for pin in kept.pins])
    st.session_state[_PROBLEMS] = problems
    return len(answers) == len(waiting)


def problem_of(pin: Pin) -> str | None:
    problems: dict[int, str] = st.session_state.get(_PROBLEMS, {})
    return problems.get(pin.number)


def answer(name: str, asked: Sequence[Scenario]) -> list[Answer]:
    """The numbers of scenarios; fewer than asked for if the reader abandons the work."""
    files, answers = dict(board().files), list[Answer]()

    def work(progress: Progress) -> None:
        for number, scenario in enumerate(asked):
            unready = _unready(scenario, files)
            report = part_of(progress, number, len(asked))
            answers.append(_answer(scenario, files, report) if unready is None else unready)

    what = tuple(scenario.same for scenario in asked)
    titles = f"“{asked[0].title}”" if len(asked) == 1 else f"{len(asked)} scenarios"
    counted(f"{name}_abandoned", what, as_text(titles), work)
    return answers


def _answer(scenario: Scenario, files: scenarios.Files, progress: Progress | None) -> Answer:
    try:
        return summarise(scenarios.run(scenario, files, progress))
    except (ValueError, RuntimeError, ArithmeticError) as problem:
        return str(problem)


def _unready(scenario: Scenario, files: scenarios.Files) -> str | None:
    """What has to be brought first; not kept, because it can be brought."""
    absent = scenarios.missing(scenario, files)
    if absent:
        named = ", ".join(f"{role} (SHA-256 {digest[:12]}…)" for role, digest in absent.items())
        return f"Bring the file it was made with, under Save and load: {named}"
    try:
        scenario.view.digests(scenario.config)
    except DatasetMissing as problem:
        return f"{problem}. The page {scenario.view.page} offers the download"
    except ScenarioError as problem:
        return str(problem)
    return None
