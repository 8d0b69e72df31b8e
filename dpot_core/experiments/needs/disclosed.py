"""What the answers to a need give away: they are computed from the data, and nothing is released."""

from __future__ import annotations

from dpot_core.disclosures import Disclosure, nothing_released

#: Columns that depend on the question only.
FREE = {
    "smallest-epsilon": ("simulated", "side", "mechanism", "target", "method", "monotone"),
    "evaluations": ("simulated", "side", "mechanism", "epsilon"),
}


def disclosure() -> Disclosure:
    """The smallest epsilon for a need is found by looking at the data, and is as private as they are."""
    return nothing_released("analysis", FREE)
