"""Frequency oracles: reports that support some of k items, and how often each item occurs, estimated from many of them.

No report is an item: these are rivals of k-RR where the histogram of all is asked for and no person's release.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from dpot_core.mechanisms.oracles.local_hashing import OptimalLocalHashing
from dpot_core.mechanisms.oracles.oracle import FrequencyOracle
from dpot_core.mechanisms.oracles.subset_selection import SubsetSelection
from dpot_core.mechanisms.oracles.unary_encoding import OptimisedUnaryEncoding


@dataclass(frozen=True)
class Oracle:
    """An entry of `ORACLES`: called with k and epsilon, it gives the oracle. The rest is what pictures ask.

    Attributes:
        label: short name for legends.
        title: name in full.
        build: (k, epsilon) -> the oracle.
        colour: of all its marks, ``#RRGGBB``.
        marker: of its points, a name that Plotly knows; never colour alone.
    """

    label: str
    title: str
    build: Callable[[int, float], FrequencyOracle] = field(repr=False)
    colour: str
    marker: str

    def __call__(self, k: int, epsilon: float) -> FrequencyOracle:
        """The oracle for k items."""
        return self.build(k, epsilon)


#: Oracles under one signature. They are not in `MECHANISMS`: their reports are no outputs of the space.
ORACLES: dict[str, Oracle] = {
    "oue": Oracle("OUE", "Optimised unary encoding", OptimisedUnaryEncoding, "#9A7B00", "hourglass"),
    "olh": Oracle("OLH", "Optimal local hashing", OptimalLocalHashing, "#D62F6B", "pentagon-dot"),
    "subset": Oracle("Subset selection", "Subset selection", SubsetSelection, "#7B61D9", "octagon-open"),
}
