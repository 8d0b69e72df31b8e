"""Find my epsilon: say what must be possible, and get the smallest epsilon of every mechanism."""

import time
from collections.abc import Mapping
from typing import Any

import streamlit as st

from dpot_app import shell
from dpot_app.kit.fields import LARGEST
from dpot_app.kit.links import exact_text
from dpot_app.kit.need import Own
from dpot_app.kit.page import page_of
from dpot_app.kit.setting import Declared, declared
from dpot_app.kit.view import Results
from dpot_app.views.decide import PAGE
from dpot_app.views.decide.figures import SIDES, epsilon_text, needs_figure
from dpot_app.views.decide.leads import leads_to
from dpot_app.views.decide.results import Answer, run, unfinished
from dpot_app.views.decide.settings import NEEDS, Config, data_link
from dpot_app.views.decide.text import VIEW, disclosure
from dpot_core.arguments.progress import Progress
from dpot_core.datasets.formats import TABLE_ENDINGS

Values = Mapping[str, Any]

#: Seconds before the first unfinished picture, and between two of them.
_PATIENCE, _BETWEEN = 0.7, 1.0


def target(controls: shell.Controls, values: Values) -> float:
    """How good it must be, in the unit of the need."""
    need = NEEDS[values["need"]]
    limit = "at least" if need.at_least else "at most"
    key = f"{need.key.replace('-', '_')}_target"
    known = Declared(f"How good: {need.unit} {limit}", "steps", key, grid=need.targets, show=need.write)
    chosen = float(controls.ask(known, need.default))
    shell.scrubbed(controls, known, "target", chosen, float)
    with st.container(key="behind_question"):
        st.caption(need.question.format(f"**{need.write(chosen)}**").capitalize() + ".")
    return chosen


def source(controls: shell.Controls, values: Values) -> str:
    """The data at hand, where there is a choice."""
    need, chosen = NEEDS[values["need"]], Config().source
    titles = {chosen: need.own.instead} if need.own and need.sets is None else {}
    titles |= {key: row.title for key, row in (need.sets or {}).items()}
    if need.own is not None:
        titles["csv"] = need.own.source
    if len(titles) > 1:
        known = Declared(declared(Config)["source"].label, "list", data_link(need), titles)
        chosen = controls.ask(known, chosen)
    if need.says:
        st.caption(need.says)
    return chosen


def columns(controls: shell.Controls, values: Values) -> shell.Columns:
    """The file of the reader's own, and what its columns are."""
    own = NEEDS[values["need"]].own
    if own is None or values["source"] != "csv":
        return ()
    table = shell.needed_upload(controls, own.role, own.label, TABLE_ENDINGS, own.missing)
    return shell.columns_of(controls, table, own.sniff, own.roles, own.without)


def region(controls: shell.Controls, values: Values) -> str:
    """The public region of a file of the reader's own, where it is a setting; "" for the first one, and a rectangle."""
    own = NEEDS[values["need"]].own
    if own is None or values["source"] != "csv" or not own.regions:
        return ""
    first, known = next(iter(own.regions)), declared(Config)["region"]
    chosen: str = controls.ask(Declared(known.label, "list", _region(own), own.regions, help=known.help), first)
    return "" if chosen in (first, own.rectangle) else chosen


def _region(own: Own) -> str:
    return f"region_{own.role}"


def box(controls: shell.Controls, values: Values) -> shell.Rectangle | None:
    """The rectangle that the reader has chosen for a region."""
    own = NEEDS[values["need"]].own
    if own is None or values["source"] != "csv" or not own.rectangle:
        return None
    return shell.rectangle(controls) if st.session_state[f"{PAGE.prefix}_{_region(own)}"] == own.rectangle else None


def lead_on(controls: shell.Controls, answer: Answer) -> None:
    """Buttons that open the page of the need at the epsilon found, and the page that says what it means."""
    with st.container(horizontal=True, key="note_leads"):
        for side, searched in answer.sides.items():
            said = searched.said
            if said is None or said > LARGEST:
                continue
            if st.button(f"{SIDES[side]}: see it", key=f"decide_open_{side}", icon=":material/open_in_new:"):
                page, link = leads_to(answer.config, side, said)
                need = NEEDS[answer.config.need]
                shell.begin(need.question.format(need.write(answer.config.target)).capitalize())
                if answer.config.own is not None:
                    role = answer.config.own.role
                    shell.take_over(controls.files[role], f"{page_of(page).prefix}_{role}_kept")
                shell.open_prepared(page, link)
            label = f"What does ε = {epsilon_text(said)} mean?"
            if st.button(label, key=f"decide_mean_{side}", icon=":material/help:"):
                link = {"explain_view": "one", "explain_epsilon": exact_text(said)}
                shell.open_prepared("explain", link)


def tried(controls: shell.Controls, config: Config) -> Answer | None:
    """The answer, its curves drawn point by point where they take long; None if the reader has given up."""
    place = st.empty()
    # What is known at once is drawn by the page itself.
    due, number = time.monotonic() + _PATIENCE, 0
    files = {role: own.content for role, own in controls.files.items()}

    def work(progress: Progress) -> Answer:
        def report(done: int, total: int) -> None:
            nonlocal due, number
            progress(done, total)
            if time.monotonic() < due or (known := unfinished(config, files)) is None:
                return
            due, number = time.monotonic() + _BETWEEN, number + 1
            figure = needs_figure(known, f"{done} of {total} values tried so far; no answer yet")
            with place.container():
                shell.draw(figure, alt="What is known so far of utility against epsilon", key=f"decide_far_{number}")

        return run(config, report, files)

    answer = shell.watched(controls, "values", config, work, VIEW.title)
    place.empty()
    return answer


@st.fragment
def guarantee(controls: shell.Controls, answer: Answer, results: shell.Shown) -> None:
    there = {side: words for side, words in SIDES.items() if side in answer.sides}
    side = controls.ask(Declared("The promise at the smallest ε", "segments", "promise", there), next(iter(there)))
    shell.words(promise(results.results, side), key=f"decide_strip_{side}", part=results.part)


def promise(results: Results, side: str) -> str:
    """The promise at the smallest epsilon of a side, as HTML."""
    promised = results.parts[0].guarantee(side)
    if promised is None:
        return shell.nothing_strip("No mechanism reaches the target here, so there is nothing to promise.")
    return shell.disclosure_strip(disclosure(results.config, results.parts[0], side), promised)


def promises(results: Results) -> dict[str, str]:
    """The promises of all sides, by their names on the page."""
    return {f"words_decide_strip_{side}": promise(results, side) for side in results.parts[0].sides}


def page(controls: shell.Controls, config: Config) -> bool:
    if tried(controls, config) is None:
        return False
    answered = shell.shown(controls, VIEW, config, slots={"leads": lead_on}, more=promises)
    if answered is None:
        return False
    guarantee(controls, answered.results.parts[0], answered)
    shell.below(controls, [answered])
    return True


ASKED = {"target": target, "source": source, "columns": columns, "region": region, "box": box}
shell.framed(PAGE, Config(), ASKED, page)
