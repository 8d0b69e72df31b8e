"""Where data, distances and numbers come from."""

from __future__ import annotations

import streamlit as st

from dpot_core.experiments import movies as experiment
from pages import _shell as shell
from pages._movies.controls import Choice


def details(films: experiment.Films, choice: Choice) -> None:
    """What is under the pictures, in an expander."""
    ratings, split = films.ratings, films.split
    with st.expander("Data, split, distances"):
        kind = "**Simulated data**: " if ratings.simulated else ""
        lost = (
            f" {films.left_out:,} test users rated none of the train films and are left out." if films.left_out else ""
        )
        st.markdown(
            f"- {kind}{shell.as_text(ratings.title)}: {len(ratings):,} ratings of {ratings.n_films:,} films by "
            f"{ratings.n_users:,} users. Source: {shell.as_text(ratings.source)}. {shell.as_text(ratings.licence)}\n"
            f"- Split with seed {split.seed}: {films.inputs.size:,} train films make inputs (in proportion to the "
            f"stars); {films.candidates.size:,} of the other films can be released, those that most validation users "
            f"rated. {films.validation.size:,} validation users, {films.test.size:,} test users.{lost}\n"
            f"- Embedding: the first {split.dimensions} principal components of the validation users' "
            f"{'centred ' if split.centred else ''}ratings (0 where there is none). Distance: 1 minus the cosine of "
            f"the angle, in [0, 2], here up to {films.distances.max():.2f}; λ counts in this unit. It breaks the "
            "triangle inequality, so it is a cost rather than a metric. Films that no validation user rated lie at "
            "distance 1 from all others.\n"
            "- Genre KPM: the genres of the input, privatised by KPM, then any candidate of the drawn genre. k-RR: "
            "each train film is moved to its nearest candidate first.\n"
            f"- {experiment.ITERATIONS} iterations of Algorithm 1. Stopping early costs hits, never privacy."
        )
        st.markdown("\n".join(f"- {shell.as_text(note)}" for note in ratings.notes))
    if choice.ratings is not None or choice.films is not None:
        st.caption("The link does not carry your files: whoever opens it is asked for their own.")
