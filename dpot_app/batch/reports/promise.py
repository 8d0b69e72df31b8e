"""The record of each mechanism, and words that several rows share."""

from dataclasses import dataclass

FLOAT = "float64 with a seeded generator: a demonstration"
NO_RELEASE = "no release for real is offered"


@dataclass(frozen=True)
class Promised:
    names: tuple[str, ...]  # public names of `dpot_core` or of its groups `metric`, `central`, `continuous`
    neighbours: tuple[str, ...]  # keys of `NEIGHBOURS`; several where an argument chooses
    delta: str  # where delta comes from
    public: str  # what everybody knows
    # dotted names of what holds the proof in its docstring, or its file; none where nothing is proven
    proof: tuple[str, ...]
    arithmetic: str  # what is exact, and what is float64
    audit: str  # test that audits it, and what it finds; empty if there is none
    found: str  # what the audit gives
    excluded: str  # what is not promised
