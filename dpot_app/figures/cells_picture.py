"""All cells of a fine grid as one picture for a street map: 65,536 outlines would be 15 MB, for every epsilon anew."""

from __future__ import annotations

import base64
import struct
import zlib
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from plotly.colors import sample_colorscale, unlabel_rgb

from dpot_app.figures.map_scales import stretched
from dpot_app.figures.style import SEQUENTIAL
from dpot_core.arguments import Array
from dpot_core.datasets.city_grid import CityGrid

#: Pixels of the longer side: three a cell of 256.
_PIXELS = 768
#: Colours between the ends of the scale; number 0 of the palette is see-through.
_COLOURS = 255


def cells_picture(grid: CityGrid, values: Array, top: float) -> tuple[str, list[list[float]]]:
    """A picture as a data URI, and where its corners lie: longitude and latitude, from the north-west one clockwise.

    The grid is no rectangle on a street map, whose projection is another one (Mercator's): each pixel has the colour of
    the cell that its middle lies in, or none.

    Args:
        grid: the cells.
        values: their probabilities, (k,).
        top: probability at the end of the colour scale.
    """
    cells = _cell_of_pixel(grid)
    share = np.clip(stretched(values) / stretched(np.array(top)), 0.0, 1.0)
    number = np.append(1 + np.rint((_COLOURS - 1) * share), 0).astype(np.uint8)  # the last one is that of no cell, -1
    west, south, east, north = grid.box
    data = base64.b64encode(_png(number[cells])).decode()
    corners = [[west, north], [east, north], [east, south], [west, south]]
    return f"data:image/png;base64,{data}", corners


@lru_cache(maxsize=4)
def _cell_of_pixel(grid: CityGrid) -> NDArray[np.intp]:
    """The cell in which the middle of each pixel lies, from the north-west on, (height, width); -1 for none."""
    west, south, east, north = grid.box
    low, high = np.arcsinh(np.tan(np.radians([south, north])))  # Mercator's northing
    size = np.array([high - low, np.radians(east - west)])
    height, width = np.maximum(1, np.rint(_PIXELS * size / size.max())).astype(int)
    lat = np.degrees(np.arctan(np.sinh(high - (np.arange(height) + 0.5) / height * (high - low))))
    lon = west + (np.arange(width) + 0.5) / width * (east - west)
    return grid.cell_of(np.repeat(lat, width), np.tile(lon, height)).reshape(height, width)


@lru_cache(maxsize=1)
def _palette() -> bytes:
    """Red, green and blue of every number; that of 0 is not seen."""
    colours = sample_colorscale(SEQUENTIAL, np.linspace(0.0, 1.0, _COLOURS).tolist())
    return bytes(3) + bytes(round(float(part)) for colour in colours for part in unlabel_rgb(colour))


def _png(pixels: NDArray[np.uint8]) -> bytes:
    """A PNG file of numbers of the palette."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    height, width = pixels.shape
    lines = np.pad(pixels, ((0, 0), (1, 0))).tobytes()  # each begins with the number of its filter: none
    head = struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)
    parts = [(b"IHDR", head), (b"PLTE", _palette()), (b"tRNS", b"\0"), (b"IDAT", zlib.compress(lines)), (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunk(*part) for part in parts)
