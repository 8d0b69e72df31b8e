"""Chance that needs no secrecy, and where a release takes it from."""

from __future__ import annotations

import numpy as np

from dpot_core.mechanisms.central.noise import check_opendp
from dpot_core.privacy.guarantees import Guarantee


def generator(rng: np.random.Generator | None, secure: Guarantee | None) -> np.random.Generator:
    """Where a mechanism takes the chance that needs no secrecy from: rounding, positions in cells, starts.

    A release shows what such draws gave, and a generator can be wound back from its output. So a release takes none
    from the caller's generator, out of which a secret sample may have come, but from one of its own, which the
    operating system seeds and which nothing secret comes out of.

    Args:
        rng: of a demonstration.
        secure: for a release: what it promises; None for a demonstration.

    Returns:
        A generator.

    Raises:
        ValueError: if a demonstration has none, or what a release promises is not proven.
        ImportError: if a release is asked for without OpenDP, which draws its noise.
    """
    if secure is not None:
        secure.released()
        check_opendp()
        return np.random.default_rng()
    if rng is None:
        raise ValueError("rng must be a numpy.random.Generator where nothing is released (secure=False); got None")
    return rng
