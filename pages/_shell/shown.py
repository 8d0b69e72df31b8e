"""What stands on the screen."""

from __future__ import annotations

from dataclasses import dataclass

from dpot_core.studies._kit.view import Block, Results, View


@dataclass(frozen=True)
class Shown:
    view: View
    results: Results
    blocks: tuple[Block, ...]  # what is seen of it
    pinned: str = ""  # key of the view that the board keeps instead, and computes itself; "" where it keeps this one
