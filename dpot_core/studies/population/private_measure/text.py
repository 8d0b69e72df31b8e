"""Inside: the private measure level by level."""

from __future__ import annotations

from functools import partial

import streamlit as st

from dpot_core.experiments import population as experiment
from dpot_core.figures import population as figures
from pages import _shell as shell
from pages._population.drawn import Drawn


@st.cache_resource(max_entries=20, show_spinner="Counting …", hash_funcs={experiment.People: lambda people: people.key})
def _inside(people: experiment.People, config: experiment.Config, group: int) -> experiment.Inside:
    return experiment.inside(people, config, group)


def inside_view(controls: shell.Controls, people: experiment.People, config: experiment.Config) -> Drawn:
    """Counts of cells: true, with noise, made consistent; what each level spends; the private points."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        level = controls.integer("level", "Level: how often the region has been halved", 0, 12, 5, width=420)
        group = 0
        if len(people.sizes) > 1:
            group = controls.integer("group", "Group, by number", 1, 12, 1, kind="number", width=150) - 1
    shown = min(group, len(people.sizes) - 1)
    result = _inside(people, config, shown)
    makers = {
        **{f"level-{count}": partial(figures.level_figure, result, level, count) for count in experiment.COUNTS},
        "budget": partial(figures.budget_figure, result, level),
        "private-points": partial(figures.points_figure, result),
    }
    st.markdown(f"**{figures.level_words(result, level)}**")
    for column, (count, words) in zip(st.columns(len(experiment.COUNTS)), experiment.COUNTS.items(), strict=True):
        with column:
            shell.draw(makers[f"level-{count}"](), alt=f"Cells on a map: {words}", key=f"pop_level_{count}")
    left, right = st.columns(2)
    with left:
        shell.draw(makers["budget"](shell.on_dark()), alt="Epsilon that each level spends", key="pop_budget")
    with right:
        shell.draw(makers["private-points"](shell.on_dark()), alt="The private points on the map", key="pop_points")
    row = result.levels.iloc[min(level, result.depth)]
    st.caption(
        f"Group: {shell.as_text(result.group)}, {result.n:,} people. Cells outside the region, and cells under one "
        "that is empty already, are not looked at: they need no noise and have no colour. Colours: logarithm of 1 + "
        "count, negative counts as 0. "
        f"On this level a cell is off by {row['mean error with noise (people)']:.1f} people on average with "
        f"noise and by {row['mean error consistent (people)']:.1f} once siblings add up to their parent. "
        "Two siblings have one noisy number, the difference of their counts: half of it, and half of their parent's "
        "count, make what is shown with noise. "
        f"Here the levels share ε = {result.sample_guarantee.epsilon:.2f} towards the people drawn. True counts are "
        "shown for teaching; a release never shows them."
    )
    promises = (("Private measure", result.guarantee, result.sample_guarantee),)
    python = f"print(population.inside(people, config, {shown}).levels)\n"
    return Drawn("population.inside", (result,), config, result.tables(), makers, (), promises, python, shown)
