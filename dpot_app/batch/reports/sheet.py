"""The sheet: one release that was decided on, on one page A4, for those who have to answer for it."""

from __future__ import annotations

import datetime
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape

from dpot_app.batch.reports.document import Entry, figure_data, figure_html, page_html
from dpot_app.batch.reports.versions import own_version
from dpot_app.batch.scenarios import Scenario, ScenarioError, get, picture, put, run
from dpot_app.kit.view import Files
from dpot_core.arguments.progress import Progress, parts
from dpot_core.mechanisms import MECHANISMS
from dpot_core.privacy.disclosures import SETTINGS_NOTE
from dpot_core.privacy.guarantees import REFUSED, Guarantee
from dpot_core.privacy.numerals import at_most, number
from dpot_core.privacy.wording import beliefs, in_words, same_answer, size_of

# Height of the picture, pixels; what is said becomes smaller until the page is full.
_PICTURE = 300
_BLANK = "____________________"
_FIELDS = (("Decided by", "On"), ("Data protection officer", "Valid until"))
_ASSUMED = "It holds for one release as described, with secret randomness. Further releases about a person add up."
_KEPT_BACK = "Numbers and pictures of the data at hand are left out: they are computed from people's data as they are."


@dataclass(frozen=True)
class Decision:
    """A release at the epsilon that was decided on, and the same at half of it.

    Attributes:
        entries: the scenario and what it gives: at epsilon and, where the settings go so low, at half of it.
        worst: what its page has of worst cases for the same settings; None where it has none.
        question: what is to be possible, in the words of those who decide.
        link: opens the page with these settings; "" for none.
    """

    entries: tuple[Entry, ...]
    worst: tuple[Entry | None, ...]
    question: str = ""
    link: str = ""

    @property
    def entry(self) -> Entry:
        return self.entries[0]

    @property
    def promises(self) -> list[Guarantee]:
        """Promises of one release by the chosen mechanism, at both."""
        return [one.disclosure.promise for one in self.entries if one.disclosure.promise is not None]

    @property
    def pictured(self) -> Entry:
        """The subject of the picture: worst cases rather than the data at hand."""
        worst = self.worst[0]
        return worst if worst is not None and about(worst.headlines, self.entry.disclosure.way) else self.entry


@dataclass(frozen=True)
class Section:
    """A heading with sentences, a table, or both."""

    title: str
    sentences: Sequence[str] = ()
    heads: Sequence[str] = ()
    rows: Sequence[Sequence[str]] = ()


def decide(
    scenario: Scenario,
    files: Files | None = None,
    *,
    question: str = "",
    link: str = "",
    progress: Progress | None = None,
) -> Decision:
    """Run a scenario at its epsilon and at half of it, with the worst cases of its page.

    Args:
        files: contents of people's own files by their tag.
        question: what is to be possible.
        link: to the page with these settings.

    Raises:
        ScenarioError: if the scenario releases nothing, or what is not proven, or has no epsilon.
    """
    names = [name for name in scenario.view.declared if name.rpartition(".")[2] == "epsilon"]
    if not names:
        raise ScenarioError(f"{scenario.kind} has no ε: a sheet is about one release")
    settings, half = [scenario.config], get(scenario.config, names[0]) / 2
    low = scenario.view.declared[names[0]].low
    if low is None or half >= low:
        settings.append(put(scenario.config, names[0], half))
    found = [replace(scenario, config=config) for config in settings]
    entries = [_entry(one, files, part) for one, part in parts(found, progress)]
    if entries[0].disclosure.promise is None:
        raise ScenarioError(f"{scenario.kind} releases nothing: a sheet is about one release")
    if not entries[0].disclosure.promise.proven:
        raise ScenarioError(REFUSED)
    return Decision(tuple(entries), tuple(_beside(one, files) for one in found), question.strip(), link)


def _entry(scenario: Scenario, files: Files | None, progress: Progress | None) -> Entry:
    outcome = run(scenario, files, progress)
    return Entry(scenario, outcome.headlines, outcome.disclosure, picture(outcome).to_json())


def _beside(scenario: Scenario, files: Files | None) -> Entry | None:
    """The worst cases that the page has for the same settings."""
    if not scenario.view.worst_case:
        return None
    return _entry(replace(scenario, kind=scenario.view.worst_case, mechanism=""), files, None)


def sections(decision: Decision) -> list[Section]:
    """The parts of the sheet, top to bottom."""
    entry, promise = decision.entry, decision.promises[0]
    view, way = entry.scenario.view, entry.disclosure.way
    reason = (entry.scenario.chosen or "").strip()
    strength, *said = (one for one in in_words(replace(promise, note="")) if not one.startswith("Public and"))
    public = "; ".join(promise.public) or "nothing but the method"
    uncovered = [promise.note[:1].upper() + promise.note[1:]] * bool(promise.note) + [_ASSUMED, SETTINGS_NOTE]
    found = [
        Section("What has to be possible", [decision.question or reason or _BLANK * 4]),
        Section(
            "What is released",
            [f"One release with {way} at {size_of(promise)} ({view.page}: {view.title})."],
        ),
        Section(
            "What is promised",
            [*([strength] if promise.sampled else []), *said, *_to_a_person(promise), f"Public: {public}."],
        ),
        Section("Why not half of this ε?", *_beside_half(decision)),
        Section("What is not covered", uncovered),
        Section("Decision", rows=[[part for field in pair for part in (field, _BLANK)] for pair in _FIELDS]),
    ]
    again = f"The file scenario.yaml ({entry.scenario.kind}) holds all settings: dpot run scenario.yaml --out folder"
    return [
        *found,
        Section("To compute it again", [*([decision.link] if decision.link else []), f"{again} ({own_version()})."]),
    ]


def _to_a_person(promise: Guarantee) -> list[str]:
    said = same_answer(promise)
    return [f"Said to a person: {said[:1].lower()}{said[1:]}"] * bool(said)


def _beside_half(decision: Decision) -> tuple[Sequence[str], Sequence[str], Sequence[Sequence[str]]]:
    """Sentences, heads and rows: what a smaller epsilon would protect, and what it would cost."""
    promises, way = decision.promises, decision.entry.disclosure.way
    rows = beliefs(promises)
    sentences = [] if decision.entry.drawn else [_KEPT_BACK]
    worst = [one for one in decision.worst if one is not None]
    reg = getattr(decision.entry.scenario.config, "reg", None)
    inexact = way == MECHANISMS["wpm"].label and reg is not None
    if worst and worst[0].drawn:
        for name in about(worst[0].headlines, way):
            label = name.replace(f" {way}", f" exact {way}") if inexact else name
            rows.append([label, *(at_most(one.headlines[name]) for one in worst)])
        if inexact:
            sentences.append(f"The worst case is of exact {way}: with λ = {reg:g} it can move a person farther.")
    if decision.entry.drawn:
        for name in about(decision.entry.headlines, way):
            if not (worst and name in worst[0].headlines):
                rows.append([f"{name}, with example data", *(number(one.headlines[name]) for one in decision.entries)])
    if len(promises) == 1:
        sentences.append("Half of this ε is less than the page allows.")
    return sentences, ["", *map(size_of, promises)], rows


def about(headlines: Mapping[str, float], way: str) -> list[str]:
    """The names of the numbers that are about a mechanism, as it is released.

    >>> about({"W of WPM (km)": 1.0, "W of KPM (km)": 2.0, "W of WPM, another base (km)": 3.0, "cost": 1.0}, "WPM")
    ['W of WPM (km)']
    """
    named = re.compile(rf"(?<!\w){re.escape(way)}(?=$| \()", re.IGNORECASE)
    return [name for name in headlines if named.search(name)]


def sheet(decision: Decision, at: datetime.datetime | None = None) -> str:
    """One page A4 as HTML: it opens without a network and prints on one sheet.

    Args:
        at: when it was made; now if None.
    """
    parts_ = [f"<h1>{escape(decision.entry.scenario.title)}</h1>", f'<p class="quiet">{escape(_made(at))}</p>']
    for section in sections(decision):
        parts_.append(f"<h2>{escape(section.title)}</h2>{_html(section)}")
        if section.title.startswith("Why") and decision.pictured.drawn:
            parts_.append(figure_html(1, decision.pictured))
    body = f'<main class="sheet">{"".join(parts_)}</main>' + figure_data(1, decision.pictured, height=_PICTURE)
    return page_html(decision.entry.scenario.title, body)


def sheet_markdown(decision: Decision, at: datetime.datetime | None = None) -> str:
    """The same without the picture, in Markdown."""
    lines = [f"# {decision.entry.scenario.title}", "", _made(at)]
    for section in sections(decision):
        lines += ["", f"## {section.title}", ""]
        for sentence in section.sentences:
            lines += [sentence, ""]
        if section.rows:
            width = len(section.rows[0])
            table = [section.heads or [""] * width, ["---"] * width, *section.rows]
            lines += [f"| {' | '.join(one.replace('|', chr(92) + '|') for one in row)} |" for row in table]
    return "\n".join(lines).rstrip() + "\n"


def _made(at: datetime.datetime | None) -> str:
    moment = at or datetime.datetime.now(datetime.UTC)
    return f"One release and its privacy parameter. Made on {moment:%Y-%m-%d %H:%M} {moment.tzname() or ''} with dpot."


def _html(section: Section) -> str:
    text = "".join(f"<p>{escape(sentence)}</p>" for sentence in section.sentences)
    if section.rows:
        head = "".join(f"<th>{escape(one)}</th>" for one in section.heads)
        body = "".join("<tr>" + "".join(f"<td>{escape(one)}</td>" for one in row) + "</tr>" for row in section.rows)
        text += f"<table>{f'<thead><tr>{head}</tr></thead>' if head else ''}<tbody>{body}</tbody></table>"
    return text
