"""What stands under every view: the promises, where the data come from, the take-away."""

from __future__ import annotations

import streamlit as st

from dpot_core.experiments import population as experiment
from pages import _shell as shell
from pages._population.controls import Choice
from pages._population.drawn import Drawn, SyntheticDrawn


def promises(people: experiment.People, drawn: Drawn) -> None:
    """What is promised for all that is shown together, and for each mechanism alone."""
    together = drawn.disclosure
    shell.disclosure_strip(together)
    if not all(promise.proven for _, promise, _ in drawn.promises):
        st.warning("This guarantee is the paper's claim. It is not proven; see the view *Is the sensitivity true?*")
    if len(together.parts) > 1 and together.guarantee is not None and together.guarantee.sampled is not None:
        st.caption(
            "All releases here are computed from one sample of the people. So they add up towards the people drawn, "
            "and only their sum is amplified by sampling: publish one, and pay for one."
        )
    if together.parts and len(drawn.promises) == 1:
        return
    for name, promise, _ in drawn.promises:
        st.markdown(f"**{name}**: what one release of it alone would promise")
        shell.guarantee_strip(promise)
    if drawn.config.adjacency == "add-remove" and not people.everybody:
        st.caption(
            "The promise is to the people drawn, and to them only: when somebody joins or leaves the population, a "
            "sample of a fixed size exchanges one person for another, which is two changes. The number of people is "
            "not public here."
        )


def details(people: experiment.People, choice: Choice) -> None:
    """Data, distances and settings, in an expander."""
    sample = people.sample
    sizes = ", ".join(
        f"{shell.as_text(name)}: {size:,} of {total:,}"
        for name, size, total in zip(sample.group_names, people.sizes, people.totals, strict=True)
    )
    unit = (
        "Degrees of longitude and latitude, as in the paper: a degree east counts like a degree north, though it is "
        "shorter. Kilometres are computed anew on an equal-area map (Albers), where distances are right within about "
        "2 %."
        if people.outline.geographic
        else "Distances are in the unit of the file."
    )
    with st.expander("Data, distances, mechanisms"):
        kind = "**Simulated data**: " if sample.simulated else ""
        st.markdown(
            f"- {kind}{shell.as_text(sample.title)}. People drawn: {sizes}. Source: {shell.as_text(sample.source)}. "
            f"{shell.as_text(sample.licence)}\n"
            f"- {unit}\n"
            "- Coreset: a private copy of every group (noisy differences of halved cells, made whole, new points "
            f"inside the region), then the barycenter of up to {experiment.KEPT:,} m points of each copy, evenly over "
            "its cells. Perturbation, proven: from a private start, steps that publish noisy counts and sums of "
            "positions in the cells of the last atoms (or means of what chunks send to them). As in the paper: the "
            "barycenter of "
            "chunks, found without noise, plus one Gaussian noise.\n"
            "- Noise comes from a seeded generator here: a demonstration. See *Release for real*."
        )
        st.markdown("\n".join(f"- {shell.as_text(note)}" for note in people.notes))
    if choice.table is not None:
        st.caption("The link does not carry your file: whoever opens it is asked for their own.")


def for_real(config: experiment.Config) -> None:
    """How a release is made that may be published."""
    with st.expander("Release for real"):
        if config.adjacency != "replace":
            st.markdown(
                "A release from a sample of a fixed size needs the neighbours *Replace one person*: choose them on the "
                "left. For everybody's points call `dpot_core.perturbed_barycenter(..., secure=True)` yourself."
            )
            return
        st.markdown(
            "What this page shows is a demonstration: whoever knows the seed knows the people and the noise. A release "
            "draws the people anew, in secret, from the operating system's entropy, takes its noise from OpenDP, and "
            "keeps nothing but its atoms, its promise and public facts: neither costs nor distances. Publish one: each "
            "spends its ε and δ again."
        )
        st.code(experiment.release_snippet(config), language="python")


def synthetic(controls: shell.Controls, drawn: SyntheticDrawn) -> None:
    """The promise and the take-away of the synthetic view."""
    released = drawn.disclosure
    shell.disclosure_strip(released, None if released.parts else drawn.guarantee)
    shell.take_it_away(
        controls,
        tables=drawn.tables,
        figures=drawn.figures,
        snippet=lambda: experiment.synthetic_snippet(drawn.config),
        config=drawn.config,
        disclosure=released,
        pin=shell.Offer(drawn.kind, (lambda: drawn.results) if drawn.results else None),
    )


def take_away(controls: shell.Controls, drawn: Drawn, choice: Choice) -> None:
    """Link, numbers, figures, Python."""
    shell.take_it_away(
        controls,
        tables=drawn.tables,
        figures=drawn.figures,
        snippet=lambda: experiment.snippet(drawn.config) + drawn.python,
        config=drawn.settings,
        disclosure=drawn.disclosure,
        pin=shell.Offer(drawn.kind, (lambda: drawn.results) if drawn.results else None, {"population": choice.table}),
    )
