"""Private transport: how to release a plan, potentials or a cost between two sensitive data sets."""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any, cast

from dpot_app import shell
from dpot_app.kit.setting import Declared
from dpot_app.kit.view import Results
from dpot_app.views.sinkhorn import PAGE
from dpot_app.views.sinkhorn.convergence.results import tune
from dpot_app.views.sinkhorn.convergence.text import show_tuned
from dpot_app.views.sinkhorn.cost.results import rivals
from dpot_app.views.sinkhorn.details import claimed, details, moved, when_to_use
from dpot_app.views.sinkhorn.release.results import Result
from dpot_app.views.sinkhorn.release.text import ALONG
from dpot_app.views.sinkhorn.settings import BRING, Config, TheoremConfig
from dpot_core import datasets
from dpot_core.datasets.formats import TABLE_ENDINGS

Values = Mapping[str, Any]

RECTANGLES = {"around": "Around the points", "fixed": "Fixed beforehand"}
RECTANGLE_HELP = (
    "The grid lies on it, so it is published. A rectangle around the points tells where the outermost ones are. A "
    "rectangle fixed without a look at them tells nothing. Points beyond it are moved to its edge."
)
SHOWN = {"errors": "Error", "estimates": "Released cost"}
TUNE = Declared("Find η and K on a public guess of the data", "toggle", "tune")


def columns(controls: shell.Controls, values: Values) -> shell.Columns:
    table = shell.needed_upload(controls, "points", "File: group, x, y", TABLE_ENDINGS, BRING)
    return shell.columns_of(controls, table, datasets.sniff_pair, datasets.PAIR_ROLES)


def box(controls: shell.Controls, values: Values) -> shell.Rectangle | None:
    kind = controls.ask(Declared("Public rectangle", "list", "rectangle", RECTANGLES, help=RECTANGLE_HELP), "around")
    return shell.rectangle(controls) if kind == "fixed" else None


def page(controls: shell.Controls, config: Config) -> bool:
    release = shell.computed(controls, PAGE.view("sinkhorn.release"), config)
    if release is not None:
        tabs(controls, config, release)
    return True


def tabs(controls: shell.Controls, config: Config, release: Results) -> None:
    result = cast(Result, release.parts[0])
    shell.show(moved(result), "moved")
    view, tab, place = shell.open_tab(controls, PAGE)
    with place:
        settings: Config | TheoremConfig = config
        if tab.key == "cost":
            errors = controls.ask(Declared("Show", "segments", "shown", SHOWN), "errors") == "errors"
            tab = replace(tab, show=partial(view.show, errors=errors))
        elif tab.key == "plan":
            along = controls.ask(Declared("Beside the exact plan", "segments", "along", ALONG), "sinkhorn")
            tab = replace(tab, show=partial(view.show, along=along))
        elif tab.key == "theorem":
            settings = TheoremConfig(base=config, place=shell.ask(controls, TheoremConfig, "place"))
        opened = shell.shown(controls, view, settings, tab)
        if opened is None:
            return
        if tab.key == "convergence" and controls.ask(TUNE, False):
            tuned = shell.watched(controls, "tune", config, partial(tune, config, result.grid))
            shell.show([] if tuned is None else show_tuned(tuned), "tune")
        # Draws of the noise that the picture need not wait for.
        costs = shell.watched(controls, "advice", config, partial(rivals, config, result.grid))
        if costs is not None:
            shell.show([when_to_use(result, costs)], "advice")
        shell.show(claimed(result), "claimed")
        shell.strip(opened)
        shell.show(details(result, view.key), "details")
        shell.below(controls, [opened])


shell.framed(PAGE, Config(), {"data.columns": columns, "data.box": box}, page)
