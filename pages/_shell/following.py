"""Frames of a view: what it shows at every value of a setting that can be scrubbed."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from dpot_core.live.frames import Frames, Screen
from dpot_core.progress import Progress
from dpot_core.studies._kit.cache import identity
from dpot_core.studies._kit.links import text
from dpot_core.studies._kit.setting import Declared
from dpot_core.studies._kit.values import get, put
from dpot_core.studies._kit.view import Blocks, View
from pages._shell.charts import on_dark
from pages._shell.controls import Controls
from pages._shell.files import files_for
from pages._shell.guarantee_strip import disclosure_strip
from pages._shell.live import STILL, Part, Scrub, at_place
from pages._shell.teaching import large_type
from pages._shell.views import screens


def follow(controls: Controls, view: View, config: Any, key: str, look: Callable[..., Blocks]) -> Part:
    """The frames of a view on the screen: those of every setting of it that has a slider there.

    Args:
        controls: of the page.
        view: what is computed.
        config: its settings.
        key: of its pictures on the page.
        look: (settings, *results) -> what is shown.
    """
    files = {role: file.content for role, file in files_for(controls, view, config).items()}
    dark, large = on_dark(), large_type()
    followed = STILL
    for name in view.scrub:
        known = controls.instead.get(name, view.declared[name])
        scrub = scrub_of(controls, known, name, get(config, name))
        if scrub is None:
            continue

        def screen(value: Any, progress: Progress, dark: bool, large: bool, name: str = name) -> Screen | None:
            there = put(config, name, value)
            try:
                results = view.run(there, files, progress)
            except (ValueError, RuntimeError):
                return None  # settings that fit here need not fit there: such a value takes the ordinary way
            strip = disclosure_strip(results.disclosure, view.otherwise(there, *results.parts))
            return {
                **dict(screens(look(there, *results.parts), key, dark=dark, large=large)),
                f"words_{view.key}_strip": strip,
            }

        rest = put(config, name, scrub.values[0])
        what = (key, rest, identity(files), dark, large, _named(look))
        part = controls.live.part(scrub, what, partial(screen, dark=dark, large=large))
        alone = Frames(scrub.values, scrub.at, at_place(scrub, partial(screen, dark=False, large=False)))
        followed = Part(
            {**followed.families, **part.families},
            {**followed.at, **part.at},
            {**followed.offline, scrub.slider: (scrub, alone)},
        )
    return followed


def scrub_of(controls: Controls, known: Declared, name: str, value: Any) -> Scrub | None:
    """A setting with its slider, if that is on the page and has a place for the value."""
    if not known.link or not controls.shows(known.link) or known.grid is None:
        return None
    values = tuple(None if known.empty is not None and number == 0.0 else number for number in known.grid)
    if isinstance(value, int) and not isinstance(value, bool):
        values = tuple(int(number) for number in known.grid)
    if value not in values:
        return None
    labels = tuple(text(known, number) for number in known.grid)
    return Scrub(name, known.label, f"{controls.page}_{known.link}", values, labels, values.index(value))


def _named(look: Callable[..., Any]) -> Any:
    """What tells one way to show a view from another."""
    if isinstance(look, partial):
        return (_named(look.func), look.args, tuple(sorted(look.keywords.items())))
    return f"{look.__module__}.{look.__qualname__}"
