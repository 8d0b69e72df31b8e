"""MBDE on the line: trained for one input, which takes a moment; random, but the same for the same settings."""

from __future__ import annotations

import numpy as np

from dpot_core.experiments.mixture.settings import Config, make_input, make_reference
from dpot_core.mechanisms.continuous.mbde import BoostedDensity, boosted_density
from dpot_core.progress import Progress


def train_mbde(config: Config, progress: Progress = lambda done, total: None) -> BoostedDensity:
    """Train MBDE for a mixture on the line, around the mollifier's Gaussian.

    Args:
        config: modes, family, epsilon, reference and the seed of the training.
        progress: is told how many steps of how many are done.

    Raises:
        ValueError: if the input is no member of the family.
    """
    rng = np.random.default_rng(config.training)
    return boosted_density(
        make_input(config), make_reference(config.reference, 1), config.epsilon, rng, progress=progress
    )


def training_key(config: Config) -> str:
    """What the training depends on, as text."""
    return f"{config.modes} {config.family} {config.epsilon!r} {config.reference!r} {config.training}"
