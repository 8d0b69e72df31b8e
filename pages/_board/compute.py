"""The numbers of what is on the board: computed where they are missing, with a count, and abandoned on request."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import streamlit as st

from dpot_core import scenarios
from dpot_core.datasets import DatasetMissing
from dpot_core.progress import Progress
from dpot_core.scenarios import Scenario, ScenarioError
from dpot_core.studies._kit.markdown import as_text
from pages._shell.pins import Pin, Summary, board, summarise
from pages._shell.work import Job, worked

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
    """Why a scenario has no numbers."""
    problems: dict[int, str] = st.session_state.get(_PROBLEMS, {})
    return problems.get(pin.number)


def answer(name: str, asked: Sequence[Scenario]) -> list[Answer]:
    """The numbers of scenarios; fewer than asked for if the reader abandons the work."""
    files = dict(board().files)
    early = [_unready(scenario, files) for scenario in asked]
    jobs: list[Job[Answer]] = []
    for scenario, unready in zip(asked, early, strict=True):
        if unready is None and not scenario.about.personal(scenario.config):
            jobs.append((_key(scenario), as_text(scenario.title), partial(_answer, scenario, files)))
    done = iter(worked(name, jobs) if jobs else [])
    answers: list[Answer] = []
    for scenario, unready in zip(asked, early, strict=True):
        if unready is not None:
            answers.append(unready)
        elif scenario.about.personal(scenario.config):
            # Somebody's own numbers stay out of the memory that all sessions share.
            answers.append(_answer(scenario, files, lambda done, total: None))
        else:
            given = next(done, None)
            if given is None:
                break
            answers.append(given)
    return answers


def _answer(scenario: Scenario, files: scenarios.Files, progress: Progress) -> Answer:
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
        scenario.about.digests(scenario.config)
    except DatasetMissing as problem:
        return f"{problem}. The page {scenario.about.page} offers the download"
    except ScenarioError as problem:
        return str(problem)
    return None


def _key(scenario: Scenario) -> str:
    text = scenarios.write([replace(scenario, title="")])
    return f"board {hashlib.sha256(text.encode()).hexdigest()}"
