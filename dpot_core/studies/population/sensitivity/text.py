"""Is the sensitivity true? One person is replaced; how far does everything move?"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import streamlit as st

from dpot_core.experiments import population as experiment
from dpot_core.figures import population as figures
from pages import _shell as shell
from pages._population.drawn import Drawn
from pages._population.map_view import release_job, truth_of

_circle = st.cache_resource(max_entries=1, show_spinner=False)(experiment.circle)


def sensitivity_view(controls: shell.Controls, people: experiment.People, config: experiment.Config) -> Drawn | None:
    """On the circle, where everything can be computed exactly, and on the data."""
    circle = _circle()
    makers = {
        "circle-before": partial(figures.circle_figure, circle, 0),
        "circle-after": partial(figures.circle_figure, circle, 1),
        "circle-moves": partial(figures.circle_moves_figure, circle),
    }
    for column, (name, make) in zip(st.columns([1, 1, 1.5]), makers.items(), strict=True):
        with column:
            shell.draw(make(shell.on_dark()), alt="A barycenter on a circle turns by one point", key=f"pop_{name}")
    st.caption(
        "Both data sets differ in one point of one chunk out of k'; the pictures show that chunk, with k' = 10. All "
        "other chunks are even, so every direction is nearly as good as every other, and one point decides. The paper "
        "adds noise for atoms that move by at most 1/k' diameters. Barycenters here are exact."
    )
    truth = truth_of(people, config)
    if truth is None:
        return None
    standard = experiment.Config()
    same = replace(
        config,
        delta=standard.delta,
        guarantee="paper",
        method=standard.method,
        steps=standard.steps,
        columns=(),
        outside="clip",
        box=None,
    )
    job: shell.Job[experiment.Sensitivity] = (
        f"population replaced {people.key} {same}",
        "People replaced",
        partial(experiment.replace_people, people, truth, same),
    )
    done = shell.worked("pop_replaced", [job])
    if not done:
        return None
    result = done[0]
    person = controls.integer("person", "Person who is replaced", 1, experiment.REPLACED, 1, kind="number", width=180)
    person = min(person, len(result.replacements))
    makers |= {
        "movement": partial(figures.movement_figure, result),
        "replaced-person": partial(figures.replaced_map, result, person),
    }
    for column, name in zip(st.columns(2), ("movement", "replaced-person"), strict=True):
        with column:
            alt = "How far atoms move when one person is replaced, against the bound"
            shell.draw(makers[name](shell.on_dark()), alt=alt, key=f"pop_{name}")
    unit = "degrees" if result.ground.geographic else "units"
    st.caption(
        f"People of the first group, {result.chunks:,} chunks; each is moved to the far end of the region, chunks and "
        "random starts stay the same, and no noise is added. Measured moves can show that a bound fails; they cannot "
        "prove that one holds. The barycenter is the best local minimum that the search finds: that would be "
        f"released. Assumed for all atoms together: {result.assumed:.3g} {unit}; proven for the sums of a step: "
        f"{result.proven:.3g} {unit} times people."
    )
    both = [replace(config, guarantee=name) for name in ("proven", "paper")]
    if config.adjacency != "replace":
        both = [config]
    releases = shell.worked("pop_releases", [release_job(people, truth, one, "perturbation") for one in both])
    tables = circle.tables() | result.tables()
    if len(releases) < len(both):
        return None
    named = [
        (f"Perturbation, {experiment.GUARANTEES[one.guarantee].lower()}", drawn)
        for one, drawn in zip(both, releases, strict=True)
    ]
    promises = tuple((name, drawn.guarantee, drawn.sample_guarantee) for name, drawn in named)
    python = "print(population.circle().tables())\nprint(population.replace_people(people, truth, config).tables())\n"
    return Drawn("population.sensitivity", (circle, result), config, tables, makers, (), promises, python)
