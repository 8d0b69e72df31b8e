"""The menu at a picture: it is taken away as it stands, with its promise under it, and its numbers are read."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from dpot_app.kit.blocks import Block, Picture, captions, pictures
from dpot_app.kit.links import CannotShowError, Parameters
from dpot_app.kit.markdown import without_marks
from dpot_app.kit.view import Results, View
from dpot_app.shell.controls import Controls
from dpot_app.shell.guarantee_strip import promise_line
from dpot_app.shell.serving import Numbers
from dpot_core.privacy.disclosures import Disclosure
from dpot_core.privacy.guarantees import Guarantee
from dpot_core.privacy.numerals import number
from dpot_core.privacy.wording import in_short

#: Rows of a table that are shown: files have the others.
MOST_ROWS = 100
#: Pictures whose numbers a session can be asked for: more than stand on any page.
_MOST = 24


@dataclass(frozen=True)
class Menus:
    """Offers of the menus at the pictures of some blocks."""

    page: str  # its prefix, which begins the names of files
    disclosure: Disclosure  # of the numbers that are drawn
    feet: Mapping[str, tuple[str, ...]]  # picture -> what stands under it in a file
    more: Parameters = field(default_factory=dict)  # what a link needs beside the controls

    def of(self, picture: Picture) -> dict[str, Any] | None:
        """The browser's data for a picture's menu; None for a picture without a foot."""
        if picture.name not in self.feet:
            return None
        held: dict[str, Numbers] = st.session_state.setdefault("picture_numbers", {})
        name = f"{self.page}-{picture.name}"
        numbers = held.pop(name, None)
        if numbers is None or [*map(id, numbers.of)] != [*map(id, picture.results)]:
            numbers = Numbers(picture.results, partial(tables, picture, self.disclosure))
        held[name] = numbers
        while len(held) > _MOST:
            held.pop(next(iter(held)))
        more = {f"{self.page}_{key}": text for key, text in self.more.items()}
        return {"file": name, "numbers": numbers.address, "more": more}


#: Of pictures that cannot be taken away.
NO_MENUS = Menus("", Disclosure("public"), {})


def menus(controls: Controls, view: View, results: Results, blocks: Iterable[Block]) -> Menus:
    """The menus of what is seen of a view."""
    return Menus(controls.page, results.disclosure, feet(view, results, blocks), beside(controls, view, results.config))


def feet(view: View, results: Results, blocks: Iterable[Block]) -> dict[str, tuple[str, ...]]:
    """The foot of each picture in a file: the caption, and the promise for all that the view releases."""
    blocks = tuple(blocks)
    said, promise = captions(blocks), promised(view, results, blocks)
    return {
        one.name: tuple(filter(None, (without_marks(said.get(one.name, "")), promise)))
        for one in pictures(blocks)
        if not one.hand.get("chooses")
    }


def promised(view: View, results: Results, blocks: Iterable[Block]) -> str:
    """The kind of the numbers in some blocks, and their promise; where they state a guarantee, it is that."""
    stated = next((block for block in blocks if isinstance(block, Guarantee)), None)
    if stated is not None:
        return " ".join((results.disclosure.sentences()[0], "This is about a promise:", *in_short(stated)))
    return promise_line(results.disclosure, view.otherwise(results.config, *results.parts))


def beside(controls: Controls, view: View, config: Any) -> Parameters:
    """Parameters of a link beside the controls: numbers of one's own, say, which the address bar does not show."""
    try:
        every = {} if view.parameters is None else view.parameters(config)
    except CannotShowError:
        every = {}
    return {name: text for name, text in every.items() if controls.reads(name)} | controls.carried


def tables(picture: Picture, disclosure: Disclosure) -> list[dict[str, Any]]:
    """The numbers behind a picture as texts: columns are marked as they are in files."""
    return [_as_texts(name, table) for name, table in disclosure.mark(picture.tables()).items()]


def _as_texts(name: str, table: pd.DataFrame) -> dict[str, Any]:
    rows = [[_text(cell) for cell in row] for row in table.head(MOST_ROWS).itertuples(index=False, name=None)]
    return {"name": name, "heads": [str(column) for column in table.columns], "rows": rows, "count": len(table)}


def _text(cell: Any) -> str:
    if cell is None or cell != cell:
        return ""
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    return number(cell) if isinstance(cell, float) else str(cell)
