"""Products with the kernel K = exp(-d / reg) of a large grid, d the Euclidean distance, by Fourier transforms of tiles.

A transform is right up to rounding of its largest number, and K v may be smaller than that by any factor. So the grid
is cut into tiles, and from tile to tile everything is scaled such that no number that matters is small. Let tiles be
centred at c and c + D, y = c + b, x = c + D + a, and w a unit vector, about in the direction of D. Then

    sum_b K(x, y) v(c + b) = e^(-w.a / reg) sum_b G(a - b) e^(w.b / reg) v(c + b),
    G(e) = exp(-(|D + e| - w.e) / reg),                                                                              (1)

a convolution with a kernel that changes little: |D + e| grows in the direction of D as w.e does. A transform of
it has an error of at most a few roundings of (largest G) (sum_b e^(w.b / reg) v(c + b)), which is at most

    rho = (largest G) / (smallest G) over all differences e of two points of tiles                                   (2)

times what the sum is, at every a and for all v >= 0: K v has a relative error of rho roundings, and this is so for
sums over tiles whose directions are the same, because each is off by a part of itself or of a larger one. With the
`_DIRECTIONS` and sides of at most `_SIDE` reg rho is at most e^13 (`largest_ratio` computes it): errors below 1e-9 of
every product, however small it is, and in practice of 1e-13. A tile and itself have w = 0.
"""

from __future__ import annotations

import numpy as np
import scipy

from dpot_core.arguments import Array
from dpot_core.spaces import GridCost

#: Longest side of a tile, in reg.
_SIDE = 9.0
#: Directions of w, beside w = 0 for a tile and itself.
_DIRECTIONS = 8
#: Tiles have at least so many cells a side: with fewer all differences of the grid one by one are as fast.
_LEAST = 20


class TiltedKernel:
    """K = exp(-d / reg) for the Euclidean distance on a grid; distributions are rows (n, ny nx)."""

    def __init__(self, cost: GridCost, reg: float) -> None:
        self._reg = reg
        xs, ys = cost.axes
        self._steps = tuple(float(axis[1] - axis[0]) for axis in (ys, xs))
        self._grid = ys.size, xs.size
        self._tile = tile_of(cost, reg)
        self._tiles = tuple(-(-size // side) for size, side in zip(self._grid, self._tile, strict=True))
        self._length = tuple(scipy.fft.next_fast_len(2 * side - 1, real=True) for side in self._tile)
        self._by_direction: dict[int, list[tuple[int, int]]] = {}
        for offset in np.ndindex(*(2 * count - 1 for count in self._tiles)):
            dy, dx = (place - count + 1 for place, count in zip(offset, self._tiles, strict=True))
            self._by_direction.setdefault(self._direction(dy, dx), []).append((dy, dx))
        self._transforms: dict[tuple[int, int], Array] = {}

    def times(self, v: Array, out: Array | None = None) -> Array:
        """K v, (n, ny nx)."""
        if not self._transforms:
            self._transforms = self._all_transforms(priced=False)
        product = np.stack([self._product(row, self._transforms) for row in v])
        if out is None:
            return product
        out[...] = product
        return out

    def transposed_times(self, u: Array) -> Array:
        """K'u = K u."""
        return self.times(u)

    def plan_costs(self, u: Array, v: Array) -> Array:
        """sum_ij u_i d_ij K_ij v_j for every row, (n,)."""
        self._transforms = {}  # as large as what comes in their place; made anew if the caller goes on
        priced = self._all_transforms(priced=True)
        with np.errstate(invalid="ignore", over="ignore"):
            return np.array([(left * self._product(right, priced)).sum() for left, right in zip(u, v, strict=True)])

    def largest_ratio(self) -> float:
        """rho of (2), the largest of all pairs of tiles."""
        logs = (self._exponents(*offset) for offsets in self._by_direction.values() for offset in offsets)
        return float(np.exp(max(np.ptp(each) for each in logs)))

    def _direction(self, dy: int, dx: int) -> int:
        """The number of w for tiles so many tiles apart; `_DIRECTIONS` for w = 0."""
        if dy == dx == 0:
            return _DIRECTIONS
        (height, width), (up, across) = self._tile, self._steps
        return round(np.arctan2(dy * height * up, dx * width * across) / (2 * np.pi) * _DIRECTIONS) % _DIRECTIONS

    def _along(self, direction: int, y: Array, x: Array) -> Array:
        """w.(x, y) / reg."""
        if direction == _DIRECTIONS:
            return np.zeros(np.broadcast_shapes(y.shape, x.shape))
        angle = 2 * np.pi * direction / _DIRECTIONS
        return np.asarray((np.cos(angle) * x + np.sin(angle) * y) / self._reg)

    def _differences(self) -> tuple[Array, Array]:
        """Differences of two points of tiles along both axes, in the unit of the distance: 0, 1, ..., -2, -1 cells."""
        y, x = (
            np.concatenate([np.arange(side), np.zeros(length - 2 * side + 1), np.arange(1 - side, 0)]) * step
            for side, length, step in zip(self._tile, self._length, self._steps, strict=True)
        )
        return y[:, None], x[None, :]

    def _distances(self, dy: int, dx: int) -> Array:
        """|D + e| for all differences e."""
        y, x = self._differences()
        (height, width), (up, across) = self._tile, self._steps
        return np.hypot(y + dy * height * up, x + dx * width * across)

    def _exponents(self, dy: int, dx: int) -> Array:
        """log G of (1) for all differences e."""
        return self._along(self._direction(dy, dx), *self._differences()) - self._distances(dy, dx) / self._reg

    def _all_transforms(self, priced: bool) -> dict[tuple[int, int], Array]:
        made = {}
        for offsets in self._by_direction.values():
            for offset in offsets:
                entries = np.exp(self._exponents(*offset))
                made[offset] = scipy.fft.rfft2(entries * self._distances(*offset) if priced else entries)
        return made

    def _product(self, v: Array, transforms: dict[tuple[int, int], Array]) -> Array:
        (ny, nx), (height, width), (rows, columns) = self._grid, self._tile, self._tiles
        padded = np.zeros((rows * height, columns * width))
        padded[:ny, :nx] = v.reshape(ny, nx)
        tiles = padded.reshape(rows, height, columns, width).swapaxes(1, 2)
        result = np.zeros((rows, columns, height, width))
        y: Array = (np.arange(height, dtype=np.float64) - (height - 1) / 2)[:, None] * self._steps[0]
        x: Array = (np.arange(width, dtype=np.float64) - (width - 1) / 2)[None, :] * self._steps[1]
        part = np.empty((self._length[0], self._length[1] // 2 + 1), dtype=np.complex128)
        for direction, offsets in self._by_direction.items():
            tilt = np.exp(self._along(direction, y, x))
            sources = self._transform(tiles * tilt)
            targets = np.zeros_like(sources)
            for dy, dx in offsets:
                transform = transforms[dy, dx]
                for i in range(max(0, dy), min(rows, rows + dy)):
                    for j in range(max(0, dx), min(columns, columns + dx)):
                        targets[i, j] += np.multiply(transform, sources[i - dy, j - dx], out=part)
            # Along x only where rows of tiles are: what is added to them belongs to no row.
            lines = scipy.fft.ifft(targets, axis=-2, overwrite_x=True)[..., :height, :]
            result += scipy.fft.irfft(lines, self._length[1])[..., :width] / tilt
        # What is 0 for all that float64 can tell may have come out below it.
        np.maximum(result, 0.0, out=result)
        return np.ascontiguousarray(result.swapaxes(1, 2).reshape(padded.shape)[:ny, :nx]).ravel()

    def _transform(self, tiles: Array) -> Array:
        """The transform of tiles with zeros added to them, of which no line along x need be transformed."""
        return np.asarray(scipy.fft.fft(scipy.fft.rfft(tiles, self._length[1]), self._length[0], axis=-2))


def tile_of(cost: GridCost, reg: float) -> tuple[int, int]:
    """Cells of a tile, (down, across): even shares of the axes, at most `_SIDE` reg long."""
    shares = []
    for axis in reversed(cost.axes):
        step = float(axis[1] - axis[0])
        longest = max(1, int(_SIDE * reg / step))
        shares.append(-(-axis.size // -(-axis.size // longest)))
    return shares[0], shares[1]


def tiles_serve(cost: GridCost, reg: float) -> bool:
    """Whether this is the Euclidean distance on a grid whose tiles are large enough to be worth their transforms."""
    if (cost.space.metric, cost.p) != ("euclidean", 1.0) or min(len(axis) for axis in cost.axes) < _LEAST:
        return False
    return min(tile_of(cost, reg)) >= _LEAST
