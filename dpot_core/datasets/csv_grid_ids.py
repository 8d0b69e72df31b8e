"""Positions of the cells of Eurostat's population grids, which a table names instead of degrees."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

#: Columns that are made of a cell's name.
FROM_ID = ("longitude of the cell", "latitude of the cell")
_COLUMN = ("grd_id", "grid_id", "grid", "cellcode", "gisco_id")
#: "CRS3035RES1000mN2689000E4337000", or "1kmN2689E4337" with coordinates in units of the cell's side.
_CELL = re.compile(r"(?:CRS3035RES)?(\d+)(k?m)N(\d+)E(\d+)")


def positions(names: Sequence[str]) -> dict[str, str]:
    """Roles of the columns of `FROM_ID`, if a column is called as those of cells are; else none."""
    return dict(zip(("lon", "lat"), FROM_ID, strict=True)) if any(name.lower() in _COLUMN for name in names) else {}


def with_positions(table: pd.DataFrame, rows: NDArray[np.intp]) -> pd.DataFrame:
    """The table and the degrees of its cells' centres (WGS 84, from ETRS89-LAEA), as text.

    Args:
        table: one of its columns is called as those of cells are.
        rows: numbers of its rows in the file, (m,).

    Raises:
        ValueError: names the first row whose cell is not read.
    """
    from pyproj import Transformer

    column = next(name for name in table.columns if name.lower() in _COLUMN)
    codes, words = pd.factorize(table[column])
    centres = np.empty((len(words), 2))
    for place, word in enumerate(words):
        found = _CELL.fullmatch(str(word).strip())
        if not found:
            raise ValueError(
                f"row {rows[np.argmax(codes == place)]:,}, column {column!r}: {str(word)[:80]!r} is no cell of a "
                "grid, such as CRS3035RES1000mN2689000E4337000"
            )
        side = int(found[1]) * (1000 if found[2] == "km" else 1)
        scale = 1 if str(word).strip().startswith("CRS") else side
        centres[place] = int(found[4]) * scale + side / 2, int(found[3]) * scale + side / 2
    lon, lat = Transformer.from_crs(3035, 4326, always_xy=True).transform(centres[:, 0], centres[:, 1])
    degrees = {name: np.asarray(values)[codes] for name, values in zip(FROM_ID, (lon, lat), strict=True)}
    return table.assign(**{name: [f"{value:.6f}" for value in values] for name, values in degrees.items()})
