import re
from collections.abc import Iterator
from typing import Any

from dpot_app.kit.markdown import as_text
from dpot_app.kit.values import ScenarioError
from dpot_app.kit.view import Blocks, Note, Picture, Slot, Table, View
from dpot_app.views.decide.figures import SIDES, WHERE, epsilon_text, needs_figure
from dpot_app.views.decide.results import Answer, digests_of, run
from dpot_app.views.decide.searched import Searches
from dpot_app.views.decide.settings import NEEDS, TITLES, TOLERANCE, Config
from dpot_core import datasets
from dpot_core.privacy.disclosures import Disclosure, nothing_released
from dpot_core.privacy.numerals import subscript
from dpot_core.privacy.wording import beliefs

_SETS: dict[str, datasets.Dataset[Any]] = {**datasets.DATASETS, **datasets.FILM_DATASETS}
#: Columns that depend on the question only.
_FREE = {
    "smallest-epsilon": ("simulated", "side", "mechanism", "target"),
    "evaluations": ("simulated", "side", "mechanism"),
    "why-not-half": ("simulated", "side"),
}
#: Said of an answer from a file of the reader's own.
LOOKED = (
    "**This ε was found by looking at people's data. No promise covers what the choice tells about them.** Three ways "
    "are covered. Take the worst case, on a map that is fixed beforehand and not drawn around these people. Or use "
    "public, simulated or old data in place of theirs. Or spend a small part of the budget on the choice. "
    "Noise is then fitted to what one person can change (report noisy max). *Geolocation*, *Near own places*, has a "
    "command for that; its cost is added to ε."
)
_TIMES = {0.5: "Half", 1.0: "Found", 2.0: "Twice"}
# The answer first: a phone shows three columns.
_HEADS = ("", "Smallest ε", "Value at this ε", "Next smaller ε", "Value at that ε", "Tried")


def show(_config: Config, answer: Answer) -> Blocks:
    alt = "Utility of each mechanism against epsilon, the target as a line, stars where it is reached for good"
    yield Picture("smallest-epsilon", alt, needs_figure, answer)
    yield "Dashed line: the target. Star: from this ε on the target is always reached."
    for words in answer.missing.values():
        yield Note(words, "info")
    if answer.config.own is not None:
        yield Note(LOOKED, "warning")
    yield Slot("leads")
    for side in answer.sides:
        yield from _side(answer, side)


def _side(answer: Answer, side: str) -> Blocks:
    searched, need = answer.sides[side], answer.need
    simulated = " (simulated data)" if searched.side.simulated else ""
    yield Note(f"**{SIDES[side]}**: {as_text(_indexed(searched.side.what))}{simulated}")
    rows = []
    for name, search in searched.searches.items():
        more = " or more" if name in searched.side.bounds else ""
        around = searched.around(name)
        if around is None:
            best = f"best: {need.write(search.best[1])} at ε = {search.best[0]:g}"
            cells = ["not reached" if search.found is None else "not for good", best, "–", "–"]
        else:
            (epsilon, value), before = around
            below = ["not tried", ""] if before is None else [f"{before[0]:g}", need.write(before[1])]
            cells = [f"{epsilon_text(epsilon)}{' or less' if before is None else more}", need.write(value), *below]
        rows.append([searched.side.labels[name], *cells, f"{len(search.points)}, {search.method}"])
    yield Table(_HEADS, rows)
    yield " ".join((searched.side.note, *_how(searched)))
    asked = searched.multiples
    if len(asked) > 1:
        yield Note("**Why not half of this ε?**")
        heads = ("", *(f"{_TIMES[one.times]}: ε\u00a0=\u00a0{one.epsilon:g}" for one in asked))
        label = f"{searched.side.labels[asked[0].mechanism]}: {need.unit}"
        values = [label, *(need.write(one.value) for one in asked)]
        yield Table(heads, [values, *beliefs([one.promise for one in asked])])


def _indexed(words: str) -> str:
    """``W_1`` as figures write it."""
    return re.sub(r"W_(\d+)", lambda found: f"W{subscript(found[1])}", words)


def _how(searched: Searches) -> Iterator[str]:
    searches = searched.searches
    methods = {search.method for search in searches.values()}
    if "bisection" in methods:
        yield (
            "Bisection: more ε is never worse in theory, and was never worse at the values tried. The search halves "
            f"the range of ε until it is known to {TOLERANCE:g}. The table rounds ε up, and the value just below it "
            "down."
        )
    if "grid" in methods:
        yield (
            "A list of ε was tried. No theorem says that more ε is always better here: the answer holds for these "
            "values, not between them."
        )
    back = [
        f"{searched.side.labels[name]} (at {search.found:g}; "
        + (f"for good from {search.steady:g})" if search.steady is not None else "never for good)")
        for name, search in searches.items()
        if search.found is not None and search.steady != search.found
    ]
    if back:
        said = "from the stated ε on it is always met"
        yield f"The target is met at a small ε and missed at a larger one; {said}: {', '.join(back)}."


def disclosure(_config: Config, answer: Answer, *sides: str) -> Disclosure:
    """The disclosure: an answer found on data is as private as they are; a worst case follows from the settings.

    ``sides``: those that are told of; all of them unless named.
    """
    read = [answer.sides[side].side for side in sides or answer.sides if not answer.public(side)]
    if not read:
        return nothing_released("public")
    return nothing_released("analysis", _FREE, simulated=all(side.simulated for side in read))


def headlines(answer: Answer) -> dict[str, float]:
    numbers = {}
    for side, words in WHERE.items():
        best = answer.sides[side].best if side in answer.sides else None
        if best is not None:
            numbers[f"Smallest ε {words} (nats)"] = best[1]
            search = answer.sides[side].searches[best[0]]
            if search.good is not None:
                numbers[f"Utility there, {words} ({answer.need.unit})"] = search.good[1]
    return numbers


def _digests(config: Config) -> dict[str, str]:
    return dict(digests_of(config))


def _requirements(config: Config) -> None:
    need = NEEDS[config.need]
    sets = [*(need.sets or _SETS), *(["csv"] if need.own else [])]
    if config.source not in sets:
        raise ScenarioError(f"must be one of {', '.join(sets)} here; got {config.source!r}", ("source",))
    if config.region and config.box is not None:
        raise ScenarioError(f"must be null where the region is {config.region!r}", ("box",))
    regions = [name for name in config.own.regions if name != config.own.rectangle] if config.own else []
    if config.region not in ("", *regions):
        said = f"one of {', '.join(regions)}, or empty" if regions else "empty"
        raise ScenarioError(f"must be {said} here; got {config.region!r}"[:200], ("region",))


VIEW = View(
    key="decide.epsilon",
    title="The smallest ε for a need",
    example=Config(),
    compute=lambda config, files, progress: (run(config, progress, files),),
    show=show,
    disclosure=disclosure,
    headlines=headlines,
    data_sets=datasets.downloaded(_SETS),
    digests=_digests,
    files=lambda config: {config.own.role: True} if config.own else {},
    requirements=_requirements,
    scrub=("target",),
    here=True,  # workers evaluate the sides where that takes long
    subtitle=lambda config: TITLES[config.need],
)
