"""What the page US population is asked for: people, mechanisms, privacy parameters."""

from __future__ import annotations

from dataclasses import dataclass, field

#: The private barycenters that are compared: key -> name on screen.
MECHANISMS = {"coreset": "Coreset", "perturbation": "Perturbation"}

#: All three, in the order of tables.
BARYCENTERS = {"non-private": "Non-private", **MECHANISMS}

#: How the perturbation promises its privacy: key -> words. "paper" is not proven.
GUARANTEES = {"proven": "Proven", "paper": "As in the paper (not proven)"}

#: What a noisy step of the proven perturbation asks of the people: key -> words.
METHODS = {"cells": "Sums over cells", "chunks": "Means over chunks"}

#: Which data sets are neighbours: key -> words.
ADJACENCIES = {"replace": "Replace one person", "add-remove": "Add or remove one person"}

#: Draws of the button that shows how releases vary.
DRAWS = 20

#: Repeated runs behind each point of a curve.
RUNS = 5

#: Values at which the curves are computed.
CURVE_N = (2_000, 5_000, 10_000, 20_000, 50_000)
CURVE_EPSILON = (0.25, 0.5, 1.0, 2.0, 5.0)


@dataclass(frozen=True)
class Config:
    """All settings of the map and of what is derived from it.

    Attributes:
        source: a key of `dpot_core.datasets.POPULATIONS`, or "csv".
        groups: how people are told apart, as in `load_places` and `load_tracts`; for "csv" "file" or "everybody".
        n: people drawn from each group (all of them where a group has fewer).
        m: atoms of the barycenter, equally weighted.
        chunks: chunks of each group where the perturbation has them; 0 for chunks of about 4 m people.
        epsilon: privacy parameter in nats, towards the population.
        delta: its slack, likewise.
        adjacency: a key of `ADJACENCIES`.
        guarantee: a key of `GUARANTEES`, of the perturbation.
        method: a key of `METHODS`, of the proven perturbation.
        steps: noisy steps of the proven perturbation.
        reg: entropic weight of the non-private barycenter, for costs scaled to a largest of 1; 0 for exact transport.
        seed: of the sample and of the noise: this is a demonstration, not a release.
        columns: for "csv": (role, column) of the file, roles as in `read_population_csv`.
        outside: for "csv": "clip" or "reject" points outside the region.
        box: for "csv": west, south, east, north of a public box, in the file's coordinates; None for the United States.
    """

    source: str = "places"
    groups: str = "everybody"
    n: int = 10_000
    m: int = 12
    chunks: int = 0
    epsilon: float = 1.0
    delta: float = 1e-9
    adjacency: str = "replace"
    guarantee: str = "proven"
    method: str = "cells"
    steps: int = 2
    reg: float = 0.0
    seed: int = 1
    columns: tuple[tuple[str, str], ...] = ()
    outside: str = "clip"
    box: tuple[float, float, float, float] | None = None


@dataclass(frozen=True)
class InsideConfig:
    """Settings of the look inside the private measure of one group.

    Attributes:
        base: the settings of the map; those of the perturbation do not count.
        group: number of the group, from 0.
    """

    base: Config = field(default_factory=Config)
    group: int = 0
