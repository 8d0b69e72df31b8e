"""The map: the three barycenters on the outline of the states, and how much releases vary."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from functools import partial
from typing import Any

import streamlit as st

from dpot_core.experiments import population as experiment
from dpot_core.figures import population as figures
from dpot_core.figures.style import counted
from pages import _shell as shell
from pages._population.drawn import Drawn

SHOWN = {"one": "One release", "many": f"{experiment.DRAWS} possible releases"}


def reference_job(people: experiment.People, config: experiment.Config) -> shell.Job[Any]:
    """The work of the non-private barycenter."""

    def run(progress: shell.Progress) -> experiment.Reference:
        return experiment.reference(people, config.m, config.seed, config.reg, progress)

    key = f"population truth {people.key} {config.m} {config.seed} {config.reg}"
    return key, "Barycenter without privacy", run


def release_job(
    people: experiment.People,
    truth: experiment.Reference,
    config: experiment.Config,
    mechanism: str,
    draw: int = 0,
    draws: int = 1,
) -> shell.Job[Any]:
    """The work of one private barycenter, one of several draws."""

    def run(progress: shell.Progress) -> experiment.Release:
        progress(draw, draws)
        return experiment.release(people, truth, config, mechanism, draw)

    settled = replace(config, columns=(), outside="clip", box=None)
    if mechanism == "coreset":
        standard = experiment.Config()
        settled = replace(
            settled,
            delta=standard.delta,
            chunks=0,
            guarantee=standard.guarantee,
            steps=standard.steps,
            method=standard.method,
        )
    return f"population {mechanism} {people.key} {settled} {draw}", f"Releases of the {mechanism}", run


def truth_of(people: experiment.People, config: experiment.Config) -> experiment.Reference | None:
    """The non-private barycenter, or None if it was abandoned."""
    with _patience(people, config):
        found = shell.worked("pop_truth", [reference_job(people, config)])
    return found[0] if found else None


def _patience(people: experiment.People, config: experiment.Config) -> AbstractContextManager[None]:
    """A word while one barycenter takes several seconds, which no count can be given for."""
    if experiment.takes_long(people, config.m):
        return st.spinner("Each barycenter of so many people or atoms takes some seconds …")
    return nullcontext()


def map_view(controls: shell.Controls, people: experiment.People, config: experiment.Config) -> Drawn | None:
    """One release of each mechanism, or many."""
    show = controls.choice("show", "Show", SHOWN, "one", kind="segments", label_visibility="collapsed")
    truth = truth_of(people, config)
    if truth is None:
        return None
    number = experiment.DRAWS if show == "many" else 1
    jobs = [
        release_job(people, truth, config, name, draw, number)
        for name in experiment.MECHANISMS
        for draw in range(number)
    ]
    with _patience(people, config):
        done = shell.worked("pop_releases", jobs)
    if len(done) < len(jobs):
        return None
    draws = {name: tuple(done[i * number : (i + 1) * number]) for i, name in enumerate(experiment.MECHANISMS)}
    result = experiment.map_result(people, truth, config, draws)
    makers = {f"map-{name}": partial(figures.release_map, result, name) for name in experiment.MECHANISMS}
    for column, (name, make) in zip(st.columns(len(makers)), makers.items(), strict=True):
        with column:
            alt = "Atoms of a private and of the non-private barycenter on a map, with lines for their movement"
            shell.draw(make(shell.on_dark()), alt=alt, key=f"pop_{name}")
    shell.table(*figures.cost_rows(result))
    _caption(result, number)
    # The board and the command line have the first draw.
    first = experiment.map_result(people, truth, config, {name: draws[name][:1] for name in draws})
    return Drawn(
        "population.map",
        (first,),
        config,
        result.tables(),
        makers,
        tuple(draws[name][0] for name in draws),
        released=result.promises,
    )


def _caption(result: experiment.MapResult, number: int) -> None:
    facts = result.draws["perturbation"][0].facts
    chunks = f"{facts['chunks of a group']:,.0f} chunks, " if "chunks of a group" in facts else ""
    unit = "degrees" if result.ground.geographic else "units"
    cheaper = any(draw.cost < result.reference.cost for draws in result.draws.values() for draw in draws)
    lucky = (
        "A private one costs less here: a search ends in a local minimum, and noise sometimes leads to a better one. "
        if cheaper
        else ""
    )
    gain = facts.get("times the noise if epsilons were added up")
    tighter = (
        "" if gain is None else f", {gain:.2f} times less than if the ε of its start and of its steps were added up"
    )
    spread = f"±: standard deviation over the {number} releases. " if number > 1 else ""
    st.caption(
        "Circles: the best atoms found without privacy; lines: where the optimal plan moves them. Grey: people drawn. "
        "Cost: mean squared distance of the people to their atom, each atom taking the same share of every group, mean "
        f"over groups. {spread}"
        f"Perturbation here: {chunks}{counted(facts['steps'], 'noisy step', 'noisy steps')}, each with noise of about "
        f"{facts['noise of an atom (units)']:.3g} {unit} on each coordinate of an atom{tighter}. "
        f"{lucky}A demonstration with a seed: costs and distances to the truth are not private and are not part of a "
        "release."
    )
