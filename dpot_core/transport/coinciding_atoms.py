"""Atoms that coincide are one atom of joint mass while solving; afterwards each takes its part of the joint cell."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sparse

from dpot_core.arguments import Array
from dpot_core.transport.smoothed_dual import Rows


def join(atoms: Array, masses: Array) -> tuple[Array, Array, Rows]:
    """Distinct atoms (m', d), their joint masses (m',), and the number of its distinct atom for every atom (m,)."""
    distinct, number = np.unique(atoms, axis=0, return_inverse=True)
    number = number.reshape(-1).astype(np.intp)
    return distinct, np.bincount(number, masses).astype(np.float64), number


def divide(plan: sparse.csr_array, masses: Array, number: Rows) -> sparse.csr_array:
    """Plan (N, m) to all atoms from a plan (N, m') to distinct ones: joint cells are filled up one atom at a time."""
    entries = plan.tocoo()
    order = np.lexsort((entries.row, entries.col))
    rows, cells = entries.row[order].astype(np.intp), entries.col[order]
    mass = entries.data[order].astype(np.float64)
    atoms = np.argsort(number, kind="stable")
    parts: list[tuple[Rows, Rows, Array]] = []
    for cell in range(plan.shape[1]):
        inside = slice(np.searchsorted(cells, cell), np.searchsorted(cells, cell, side="right"))
        members = atoms[np.searchsorted(number[atoms], cell) : np.searchsorted(number[atoms], cell, side="right")]
        if members.size == 1:
            parts.append((rows[inside], np.full(rows[inside].size, members[0]), mass[inside]))
            continue
        ends = np.cumsum(mass[inside])
        walls = np.cumsum(masses[members])[:-1]
        # Between two neighbouring cuts everything belongs to one point and one atom.
        cuts: Array = np.union1d(ends, walls[walls < ends[-1]]).astype(np.float64)
        middle = cuts - np.diff(cuts, prepend=0.0) / 2
        point = np.minimum(np.searchsorted(ends, middle), ends.size - 1)
        parts.append((rows[inside][point], members[np.searchsorted(walls, middle)], np.diff(cuts, prepend=0.0)))
    row, atom, amount = (np.concatenate(column) for column in zip(*parts, strict=True))
    return sparse.csr_array((amount, (row, atom)), shape=(plan.shape[0], masses.size))
