"""The law of a local release, held exactly: whole numbers over one total, each at most e^epsilon times another's."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

import numpy as np

import dpot_core as dpot
from dpot_core.privacy.releases import integer_weights


def weights_within(epsilon: float, released: Sequence[tuple[dpot.Polytope, np.ndarray]]) -> list[Sequence[int]]:
    """Weights that people's releases are drawn by, from files that share nothing but what is public."""
    polytope = released[0][0]
    assert all((one.lower == polytope.lower).all() and (one.upper == polytope.upper).all() for one, _ in released)
    drawn = [integer_weights(nu, one) for one, nu in released]
    assert len({sum(weights) for weights in drawn}) == 1
    most = Fraction(math.exp(epsilon)) * (1 + Fraction(1, 10**12))
    # Most over least of each place, so that no pair is left out.
    for weights in zip(*drawn, strict=True):
        assert max(weights) == 0 or Fraction(max(weights), min(weights)) <= most
    return drawn
