"""A view on the screen: computed with a count that can be abandoned, then shown block by block."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import streamlit as st

from dpot_app.kit.blocks import Block, Blocks, Code, Columns, Folded, Note, Picture, Slot, Table
from dpot_app.kit.cache import Cache, from_files
from dpot_app.kit.failures import ComputationFailed, computing, in_labels
from dpot_app.kit.glossary import first_uses
from dpot_app.kit.markdown import as_text
from dpot_app.kit.values import ScenarioError
from dpot_app.kit.view import Results, View
from dpot_app.kit.weighing import weight
from dpot_app.shell import live
from dpot_app.shell.charts import on_dark
from dpot_app.shell.controls import Controls
from dpot_app.shell.files import files_for, offer_download
from dpot_app.shell.guarantee_strip import disclosure_strip, guarantee_strip
from dpot_app.shell.picture_menu import NO_MENUS, Menus
from dpot_app.shell.tables import table
from dpot_app.shell.teaching import large_type
from dpot_app.shell.work import counted
from dpot_core.arguments.progress import Progress
from dpot_core.datasets import ColumnsError, DatasetDamaged, DatasetMissing, UnusableFile
from dpot_core.privacy.disclosures import Disclosure
from dpot_core.privacy.guarantees import Guarantee

T = TypeVar("T")

#: Bytes of the pictures that are kept for the next reader; all pages as they begin have 2.2 million together.
MOST_BYTES = 128 * 2**20

_NOTES: Mapping[str, Callable[[str], Any]] = {"text": st.markdown, "info": st.info, "warning": st.warning}


@dataclass(frozen=True)
class Shown:
    view: View
    results: Results
    blocks: tuple[Block, ...]  # what is seen of it
    pinned: str = ""  # key of the view that the board keeps instead, and computes itself; "" where it keeps this one
    part: live.Part = live.STILL  # the frames that it belongs to


def computed(controls: Controls, view: View, config: Any) -> Results | None:
    """The results of a view, or None while there are none (the screen says why)."""
    files = {role: file.content for role, file in files_for(controls, view, config).items()}
    return watched(controls, view.key, config, lambda progress: view.run(config, files, progress), view.title)


def watched(
    controls: Controls, name: str, config: Any, work: Callable[[Progress], T], label: str = "Working"
) -> T | None:
    """The result of work that may take a while, or None while there is none (the screen says why).

    Work on other settings is not abandoned with it. Not for use inside a fragment: see `counted`.
    """
    memory = f"{controls.page}_{name}_abandoned"
    return loaded(controls, lambda: counted(memory, (name, config), as_text(label), work), config)


def abandoned(controls: Controls, view: View, config: Any) -> bool:
    """Whether the reader has given up on the results of a view."""
    return bool(st.session_state.get(f"{controls.page}_{view.key}_abandoned") == (view.key, config))


def loaded(controls: Controls, load: Callable[[], T], config: Any = None) -> T | None:
    """The result of a function, or None while data are missing or do not fit (the screen says why).

    Args:
        config: the settings, in whose words the screen says what does not fit.
    """
    own = [file.digest for file in controls.files.values()]
    try:
        with computing(), from_files(own):
            return load()
    except DatasetMissing as missing:
        if isinstance(missing, DatasetDamaged):
            st.warning(f"{as_text(str(missing))}.")
        if missing.dataset is None:
            st.info(f"{as_text(str(missing))}.")
        else:
            offer_download(controls, missing.dataset)
    except ColumnsError as problem:
        st.error(f"{as_text(str(problem))}. Choose the columns in the controls.")
    except UnusableFile as problem:
        st.error(f"This file cannot be used: {as_text(str(problem))}.")
    except ScenarioError as problem:
        st.error(f"These settings do not fit together: {as_text(in_labels(problem.what, config))}.")
    except ComputationFailed as problem:
        st.error(f"{as_text(str(problem)[:1].upper() + str(problem)[1:])}.")
    except ValueError as problem:
        fit = "the data" if controls.files else "together"
        st.error(f"These settings do not fit {fit}: {as_text(in_labels(str(problem), config))}.")
    return None


def show(
    blocks: Blocks,
    key: str,
    slots: Mapping[str, Callable[[], Any]] | None = None,
    part: live.Part = live.STILL,
    path: str = "",
    menus: Menus = NO_MENUS,
    keep: bool = False,
    known: set[str] | None = None,
) -> None:
    """Draw what a view shows.

    Args:
        blocks: from top to bottom.
        key: tells its pictures from those of other views on the page.
        slots: draw the page's own pieces, or give its own boxes for columns, by name.
        part: the frames that its pictures belong to.
        path: where the blocks stand among others.
        menus: what takes its pictures away.
        keep: whether its pictures are kept for others who look at the same results: no reader's own are in them.
        known: keys of the field's words that the page has explained: a caption explains those that it uses first.
    """
    how_seen = {"dark": on_dark(), "large": large_type(), "keep": keep}
    for place, block in enumerate(blocks):
        if isinstance(block, str):
            st.caption(block, help=(first_uses(block, known) or None) if known is not None else None)
        elif isinstance(block, Picture):
            screen, menu = _screen(block, menus.feet, **how_seen), menus.of(block)
            live.picture(screen, key=f"{key}_{block.name}", part=part, menu=menu, **block.hand)
        elif isinstance(block, Table):
            table(block.heads, block.rows)
        elif isinstance(block, Note):
            # The key lets the page's style find it: like captions, notes are faint while a thumb is ahead of them.
            with st.container(key=f"note_{key}{path}_{place}"):
                _NOTES[block.kind](block.text)
        elif isinstance(block, Code):
            st.code(block.text, language="python")
        elif isinstance(block, Slot):
            (slots or {})[block.name]()
        elif isinstance(block, Folded):
            # What colours Python is a third of all that a browser loads: it comes when the reader opens what holds it.
            fold = f"fold_{key}{path}_{place}" if any(isinstance(piece, Code) for piece in block.blocks) else None
            box = st.expander(block.label, key=fold, on_change="rerun" if fold else "ignore")
            if box.open or not fold:
                with box:
                    show(block.blocks, key, slots, part, f"{path}_{place}", menus, keep, known)
        elif isinstance(block, Disclosure):
            live.words(disclosure_strip(block), key=f"{key}{path}_{place}", part=part)
        elif isinstance(block, Guarantee):
            live.words(guarantee_strip(block), key=f"{key}{path}_{place}", part=part)
        else:
            own = (slots or {}).get(block.boxes)
            columns = own() if own else _columns(block, f"{key}{path}_{place}")
            for column, (box, inside) in enumerate(zip(columns, block.blocks, strict=True)):
                with box:
                    piece = inside if isinstance(inside, tuple) else (inside,)
                    show(piece, key, slots, part, f"{path}_{place}_{column}", menus, keep, known)


# To make a picture of results that are there takes a third of the work of a page that is drawn again. Those of frames,
# which may never be seen, push out none that was asked for.
_SCREENS = Cache(400, aside=200, weigh=weight, most_bytes=MOST_BYTES)


def _screen(
    block: Picture, feet: Mapping[str, Sequence[str]], *, dark: bool, large: bool, keep: bool
) -> dict[str, Any]:
    def made() -> dict[str, Any]:
        return live.screen_of(block.draw(), block.alt, dark=dark, large=large)

    told = block.made_of if keep else None
    screen = made() if told is None else _SCREENS.get((told, block.alt, dark, large), made)
    return {**screen, "foot": [*feet[block.name]]} if feet.get(block.name) else screen


def _columns(block: Columns, key: str) -> Sequence[Any]:
    widths: Sequence[float] | int = list(block.widths) or len(block.blocks)
    with st.container(key=f"{'swipe' if block.swipe else 'small' if block.small else 'columns'}_{key}"):
        # Beside a picture whose title takes another line, the axes still stand at one height.
        pictures = all(isinstance(inside, Picture) for inside in block.blocks)
        return st.columns(widths, vertical_alignment="bottom" if pictures else "top")


def screens(
    blocks: Blocks,
    key: str,
    feet: Mapping[str, Sequence[str]],
    path: str = "",
    *,
    dark: bool,
    large: bool,
    keep: bool = False,
) -> Iterator[tuple[str, Any]]:
    """The pieces that `show` would put on the screen and can follow a slider, by name; ``feet``: see `Menus`."""
    how_seen = {"dark": dark, "large": large, "keep": keep}
    for place, block in enumerate(blocks):
        if isinstance(block, Picture):
            yield f"chart_{key}_{block.name}", _screen(block, feet, **how_seen)
        elif isinstance(block, Folded):
            yield from screens(block.blocks, key, feet, f"{path}_{place}", **how_seen)
        elif isinstance(block, Disclosure):
            yield f"words_{key}{path}_{place}", disclosure_strip(block)
        elif isinstance(block, Guarantee):
            yield f"words_{key}{path}_{place}", guarantee_strip(block)
        elif isinstance(block, Columns):
            for column, inside in enumerate(block.blocks):
                piece = inside if isinstance(inside, tuple) else (inside,)
                yield from screens(piece, key, feet, f"{path}_{place}_{column}", **how_seen)
