"""Exact draws from densities that are constant near 0 and fall like a Gaussian beyond a radius."""

from __future__ import annotations

import math

import numpy as np
import scipy

from dpot_core.arguments import Array


def draw_on_line(
    n: int, rng: np.random.Generator, radius: float, deviation: float, domain: tuple[float, float]
) -> Array:
    """Exact draws from a flat top on [-radius, radius] with half-Gaussian tails, cut to the domain."""
    low, high = domain
    flat = (max(low, -radius), min(high, radius))
    # Probability of a half-Gaussian tail of this length, as a share of a whole Gaussian.
    tails = [float(scipy.special.ndtr(max(length, 0.0) / deviation) - 0.5) for length in (-radius - low, high - radius)]
    masses = np.array([max(flat[1] - flat[0], 0.0), *(deviation * math.sqrt(2 * math.pi) * tail for tail in tails)])
    piece = rng.choice(3, n, p=masses / masses.sum())
    uniform = rng.random(n)
    share = np.where(piece == 1, tails[0], tails[1])
    distance = radius + deviation * scipy.special.ndtri(0.5 + uniform * share)
    tail = np.where(piece == 1, -distance, distance)
    return np.clip(np.where(piece == 0, flat[0] + uniform * (flat[1] - flat[0]), tail), low, high)


def draw_in_plane(n: int, rng: np.random.Generator, radius: float, deviation: float) -> Array:
    """Exact draws from a flat disc with a Gaussian tail in the distance from it.

    At distance s from the disc the density of the radius is (radius + s) e^(-s^2 / 2 deviation^2): a half-Gaussian for
    the first term, a Rayleigh distance for the second.
    """
    masses = np.array([radius**2 / 2, radius * deviation * math.sqrt(math.pi / 2), deviation**2])
    piece = rng.choice(3, n, p=masses / masses.sum())
    inside = radius * np.sqrt(rng.random(n))
    half = radius + deviation * np.abs(rng.standard_normal(n))
    rayleigh = radius + deviation * np.sqrt(2.0 * rng.standard_exponential(n))
    distance = np.choose(piece, [inside, half, rayleigh])
    angle = rng.uniform(0.0, 2.0 * np.pi, n)
    return distance[:, None] * np.column_stack([np.cos(angle), np.sin(angle)])
