"""Take it away: the link, the numbers, the figures and the Python behind the views on the screen."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from dpot_app.batch import scenarios
from dpot_app.batch.exports import csv_safe, to_json
from dpot_app.batch.reports.notebook import notebook
from dpot_app.batch.scenarios import VIEWS, Scenario, ScenarioError
from dpot_app.figures.style import to_html
from dpot_app.kit.links import Parameters
from dpot_app.kit.markdown import as_text
from dpot_app.kit.page import page_of
from dpot_app.kit.setting import declared
from dpot_app.kit.view import Picture, pictures
from dpot_app.live.explorable import explorable
from dpot_app.shell.carried import project
from dpot_app.shell.controls import Controls
from dpot_app.shell.files import files_for
from dpot_app.shell.pins import Offer, board, pin_row
from dpot_app.shell.sheets import sheets
from dpot_app.shell.students import for_students, of_sidebar
from dpot_app.shell.tab_storage import keep
from dpot_app.shell.views import Shown
from dpot_core.arguments.progress import unwatched
from dpot_core.privacy.disclosures import Disclosure


def take_away(controls: Controls, views: Sequence[Shown], link: Parameters) -> None:
    """Offer what a reader can take away or pin; files are made only when they are asked for."""
    first = views[0]
    results, page = first.results, controls.page
    files = files_for(controls, first.view, results.config)
    mine = project()
    question = mine.question if mine is not None else ""
    offer = Offer(VIEWS[first.pinned or first.view.key], results, not first.pinned, files, question)
    if files:
        own = "file" if len(files) == 1 else "files"
        st.caption(f"The link does not carry your {own}: a reader who opens it is asked for their own.")
    pin_row(controls, offer, link)
    keep()
    box = st.expander("Take it away: sheet, link, numbers, figures, Python", key=f"{page}_away", on_change="rerun")
    if not box.open:
        return
    address = controls.link(**link)
    scenario = None
    with suppress(ScenarioError):  # pinning says what is in the way
        scenario = offer.scenario(board())
    with box:
        promise = results.disclosure.promise
        if scenario is not None and promise is not None and promise.proven:
            _sheet(page, scenario, offer, address)
        st.markdown("**Link** that restores this page" + (", with your numbers in it:" if link else ":"))
        st.code(address, language=None, wrap_lines=True)
        labels = of_sidebar(page_of(first.view.key).sidebar, declared(type(results.config)))
        task = for_students(page, address, labels)
        st.markdown("**Numbers** that the page draws:")
        st.caption(as_text(results.disclosure.sentences()[0]))
        with st.container(horizontal=True):
            for name, (table, disclosure) in _tables(views).items():
                _file(page, f"{name}.csv", "text/csv", partial(_csv, name, table, disclosure))
            _file(page, "numbers.json", "application/json", partial(_everything, page, address, views))
        st.markdown("**Figures** that open in a browser without a network (about 5 MB each):")
        with st.container(horizontal=True):
            for picture in (picture for one in views for picture in pictures(one.blocks)):
                _file(page, f"{picture.name}.html", "text/html", partial(_html, picture))
        _explorable(controls, views, task)
        st.markdown("**Python** that computes the same numbers:")
        others = [(one.view, one.results.config) for one in views[1:] if one.view.key != first.view.key]
        st.code(first.view.python(results.config, *others), language="python")
        st.markdown("**Notebook** of this Python, executed, with its numbers and pictures:")
        _file(page, "notebook.ipynb", "application/x-ipynb+json", partial(_notebook, address, views))
        if scenario is not None:
            _scenario(page, scenario)


def _explorable(controls: Controls, views: Sequence[Shown], task: str) -> None:
    """All that follows the slider of epsilon, or of another setting, as one file with the slider in it."""
    for slider, offline in views[0].part.offline.items():
        st.markdown(f"**All of it, with the slider of** {as_text(offline.scrub.label)}, for any browser or web server:")
        _file(controls.page, "explorable.html", "text/html", partial(_offline, views, slider, task))
        return


def _offline(views: Sequence[Shown], slider: str, task: str) -> str:
    families, disclosed = [], list[Disclosure]()
    for number, one in enumerate(views):
        if slider in one.part.offline:
            part = one.part.offline[slider]
            strip = f"words_{one.view.key}_strip"
            now = part.frames.screen(part.scrub.at, unwatched) or {}
            families.append((part.frames, [name for name in now if number == 0 or name != strip]))
            found = (part.found(value, unwatched) for value in part.scrub.values)
            disclosed += [results.disclosure for results in found if results is not None]
    first = views[0]
    scrub = first.part.offline[slider].scrub
    words = f"Exercise: {task} " * bool(task) + about_all(disclosed)
    return explorable(first.view.page, words, scrub.label, families, at=scrub.at, labels=scrub.labels)


def about_all(disclosures: Sequence[Disclosure]) -> str:
    """The note of a file with every value of a slider: its strips promise for one value each, not for the file."""
    released = [one for one in disclosures if one.parts]
    words = (released or disclosures)[0].sentences()[0]
    if len(released) < 2:
        return words  # the strip says what one release promises, and what publishing all that is there would cost
    whole = scenarios.together(released, compared=True).words
    return (
        f"{words} This file holds several values of the slider, {len(released)} releases in all. Each promise in it is "
        f"about one release at one value. Publishing the whole file: {whole}"
    )


def _tables(views: Sequence[Shown]) -> dict[str, tuple[pd.DataFrame, Disclosure]]:
    """Every table, with what says which of its columns are free; what two views both have stands there once.

    Raises:
        RuntimeError: if two views have different tables of one name: one would be lost.
    """
    tables: dict[str, tuple[pd.DataFrame, Disclosure]] = {}
    for one in views:
        for name, table in one.results.tables().items():
            known, _ = tables.setdefault(name, (table, one.results.disclosure))
            if not known.equals(table):
                raise RuntimeError(f"two views have different tables of one name: {name!r}")
    return tables


def _everything(page: str, address: str, views: Sequence[Shown]) -> str:
    tables = {name: disclosure.mark({name: table})[name] for name, (table, disclosure) in _tables(views).items()}
    results = {one.view.key: one.results for one in views}
    released, whole = _promised([one.disclosure for one in results.values()])
    settings = {key: one.config for key, one in results.items()}
    about: dict[str, Any] = {"page": page, "link": address}
    about["settings"] = settings if len(set(settings.values())) > 1 else views[0].results.config
    if whole:
        parts = {key: one.disclosure.described() for key, one in results.items() if one.disclosure.parts}
        about["promise"] = {"one release": released[0].sentences(), "all together": whole, **parts}
    else:
        about["promise"] = released[0].described()
    return to_json(tables, about)


def _notebook(address: str, views: Sequence[Shown]) -> str:
    shown = {one.view.key: (one.view, one.results) for one in views}
    released, whole = _promised([results.disclosure for _, results in shown.values()])
    promise = [*released[0].sentences(), *([f"All of it together: {whole}"] if whole else [])]
    return notebook([*shown.values()], address, promise)


def _promised(disclosures: Sequence[Disclosure]) -> tuple[Sequence[Disclosure], str]:
    """Parts that release something, or all where none does; and what several together promise: none stands alone."""
    released = [one for one in disclosures if one.parts]
    if len(released) > 1:
        return released, scenarios.together(released, compared=True).words
    return released or disclosures, ""


def _sheet(page: str, scenario: Scenario, offer: Offer, address: str) -> None:
    """The decision, on one page: a release by the chosen mechanism."""
    st.markdown("**Sheet**, one page A4: the promise, what half of ε would cost, what is not covered, who decided:")
    begin = scenario.question
    question: str = st.text_input("What has to be possible?", begin, max_chars=300, key=f"{page}_away_question")
    # A button keeps what it is given: not a file's content, which can be forgotten before it is pressed.
    own = offer.files.values()
    sheets(page, scenario, lambda: {file.tag: file.content for file in own}, question, address)


def _scenario(page: str, scenario: Scenario) -> None:
    """The settings as a file that the board opens and the command line runs."""
    st.markdown("**Scenario** that the what-if board opens and that runs without the app:")
    _file(page, "scenario.yaml", "application/yaml", partial(scenarios.write, [scenario]))
    st.code("python -m dpot_app run scenario.yaml --out folder", language="sh")


def _csv(name: str, table: pd.DataFrame, disclosure: Disclosure) -> str:
    return csv_safe(disclosure.mark({name: table})[name])


def _html(picture: Picture) -> str:
    return to_html(picture.draw())


def _file(page: str, name: str, mime: str, make: Callable[[], str]) -> None:
    key = f"{page}_away_{name}"
    st.download_button(name, make, f"{page}-{name}", mime, key=key, on_click="ignore", icon=":material/download:")
