"""Written digits as pictures: MNIST's test images where they are on this machine, else digits drawn by a program."""

from __future__ import annotations

import gzip
import os
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import pairwise
from pathlib import Path

import numpy as np

from dpot_core.arguments import Array, check_count
from dpot_core.datasets.downloads import in_public

#: Pixels of a side.
SIDE = 28

#: Of the licence of MNIST, as commonly stated.
MNIST_LICENCE = "MNIST (Y. LeCun, C. Cortes, C. Burges), CC BY-SA 3.0 as commonly stated."

_IMAGES, _LABELS = "t10k-images-idx3-ubyte.gz", "t10k-labels-idx1-ubyte.gz"

# Strokes of the digits drawn by a program, as corners in a square with x to the right and y up.
_STROKES: dict[int, tuple[tuple[tuple[float, float], ...], ...]] = {
    0: (
        (
            (0.5, 0.9),
            (0.25, 0.75),
            (0.2, 0.5),
            (0.25, 0.25),
            (0.5, 0.1),
            (0.75, 0.25),
            (0.8, 0.5),
            (0.75, 0.75),
            (0.5, 0.9),
        ),
    ),
    1: (((0.35, 0.75), (0.55, 0.9), (0.55, 0.1)),),
    2: (((0.25, 0.75), (0.45, 0.9), (0.7, 0.8), (0.7, 0.6), (0.25, 0.12), (0.78, 0.12)),),
    3: (((0.25, 0.85), (0.6, 0.88), (0.7, 0.7), (0.45, 0.53), (0.72, 0.35), (0.6, 0.13), (0.25, 0.15)),),
    4: (((0.6, 0.1), (0.6, 0.9), (0.2, 0.35), (0.8, 0.35)),),
    5: (((0.75, 0.88), (0.3, 0.88), (0.28, 0.55), (0.6, 0.57), (0.72, 0.35), (0.55, 0.12), (0.25, 0.15)),),
    6: (((0.65, 0.88), (0.35, 0.6), (0.27, 0.3), (0.45, 0.1), (0.7, 0.25), (0.6, 0.48), (0.3, 0.38)),),
    7: (((0.22, 0.87), (0.78, 0.87), (0.42, 0.1)),),
    8: (
        (
            (0.5, 0.53),
            (0.3, 0.72),
            (0.5, 0.9),
            (0.7, 0.72),
            (0.5, 0.53),
            (0.27, 0.3),
            (0.5, 0.1),
            (0.73, 0.3),
            (0.5, 0.53),
        ),
    ),
    9: (((0.7, 0.65), (0.45, 0.5), (0.3, 0.7), (0.5, 0.9), (0.7, 0.65), (0.65, 0.35), (0.5, 0.1)),),
}


@dataclass(frozen=True, eq=False)
class Digits:
    """Pictures of written digits.

    Attributes:
        ink: darkness of every pixel, (N, SIDE, SIDE), in [0, 1]; the first row is the top.
        labels: the digit that each shows, (N,).
        title: what they are, for the screen.
        simulated: whether a program drew them.
        licence: what may be done with them.
    """

    ink: Array
    labels: Array
    title: str
    simulated: bool
    licence: str

    def points(self, digit: int, pictures: int, n: int, rng: np.random.Generator) -> list[Array]:
        """Pictures of one digit as clouds of n points each, drawn in proportion to the ink, uniform in their pixel.

        Args:
            digit: 0 to 9.
            pictures: how many pictures, the first ones.
            n: points of each.
            rng: source of randomness.

        Returns:
            Clouds (n, 2) in [-0.5, 0.5] x [-0.5, 0.5], y up.

        Raises:
            ValueError: if there are not so many pictures of the digit.
        """
        which = np.flatnonzero(self.labels == check_count(digit, "digit", 0, 9))
        wanted = check_count(pictures, "pictures", 1, max(1, which.size))
        clouds = []
        for picture in self.ink[which[:wanted]]:
            ink = picture.ravel()
            pixels = rng.choice(ink.size, check_count(n, "n"), p=ink / ink.sum())
            row, column = np.divmod(pixels, SIDE)
            x, y = (column + rng.random(pixels.size)) / SIDE - 0.5, 0.5 - (row + rng.random(pixels.size)) / SIDE
            clouds.append(np.column_stack([x, y]))
        return clouds


def load_digits() -> Digits:
    """MNIST's 10,000 test images from `DPOT_DATA` (mnist/), else `simulated_digits`.

    Raises:
        ValueError: if the files are there but damaged.
    """
    shared = os.environ.get("DPOT_DATA")
    folder = Path(shared) / "mnist" if shared else None
    if folder is None or not (folder / _IMAGES).is_file() or not (folder / _LABELS).is_file():
        return simulated_digits()
    return _mnist(folder)


@lru_cache(maxsize=2)
def _mnist(folder: Path) -> Digits:
    try:
        images, labels = (gzip.decompress((folder / name).read_bytes()) for name in (_IMAGES, _LABELS))
        ink = np.frombuffer(images, np.uint8, offset=16).reshape(-1, SIDE, SIDE) / 255.0
        digits = np.frombuffer(labels, np.uint8, offset=8).astype(np.float64)
    except (OSError, EOFError, ValueError) as error:
        reason = in_public(error, folder / _IMAGES)
        raise ValueError(f"{folder.name} does not hold MNIST's test images as published ({reason})") from error
    if len(ink) != len(digits) or not len(ink):
        raise ValueError(f"{folder.name} holds {len(ink):,} images and {len(digits):,} labels")
    return Digits(ink, digits, "MNIST test images", False, MNIST_LICENCE)


@cache
def simulated_digits(copies: int = 20, seed: int = 0) -> Digits:
    """Digits drawn by a program: strokes with a shaky hand, a slant and a width of their own.

    Args:
        copies: pictures of each digit.
        seed: of the hand.
    """
    rng = np.random.default_rng(seed)
    middle = (np.arange(SIDE) + 0.5) / SIDE
    grid = np.stack(np.meshgrid(middle, middle[::-1]), axis=-1)
    ink, labels = [], []
    for digit, strokes in _STROKES.items():
        for _ in range(copies):
            slant, width = rng.normal(0, 0.12), rng.uniform(0.03, 0.05)
            nearest = np.full((SIDE, SIDE), np.inf)
            for stroke in strokes:
                corners = np.asarray(stroke) + rng.normal(0, 0.025, (len(stroke), 2))
                corners[:, 0] += slant * (corners[:, 1] - 0.5)
                for start, end in pairwise(corners):
                    way = end - start
                    along = np.clip(((grid - start) @ way) / (way @ way), 0.0, 1.0)
                    nearest = np.minimum(nearest, np.linalg.norm(grid - start - along[..., None] * way, axis=-1))
            ink.append(np.clip(1.5 - nearest / width, 0.0, 1.0))
            labels.append(digit)
    return Digits(
        np.array(ink),
        np.array(labels, dtype=np.float64),
        "Digits drawn by a program (simulated)",
        True,
        "Invented data, no restrictions.",
    )
