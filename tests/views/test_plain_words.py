"""What every view says: numbers written one way, with three digits, and the field's words explained on its page.

Exact, and so with as many digits as it takes, are: settings (seeds, typed probabilities), whole numbers of things below
10,000, and a share near certainty. Costs of one column that differ by less than a percent have a digit more. The
unit by which promises are told apart is exact too, and stands in strips only.
"""

import ast
import dataclasses
import re
from collections.abc import Iterator
from fractions import Fraction
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from dpot_app.kit.blocks import Block, Blocks, Columns, Folded, Note, Picture, Table
from dpot_app.kit.glossary import TERMS, explained, terms_in
from dpot_app.kit.values import leaves, put
from dpot_app.kit.view import View
from dpot_app.shell.guarantee_strip import disclosure_strip
from dpot_app.views.population.map.text import cost_table
from dpot_app.views.table import PAGES, VIEWS
from dpot_core.privacy.wording import in_words
from tests.batch.scenarios.outcomes import by_day, few_masses, shorten_sweeps
from tests.batch.scenarios.settings import settings_of

NUMBER = re.compile(
    r"(?<![\w.,/₀-₉])(\d[\d,]*)(\.\d+)?(?:e[+-]?\d+)?(?![\w/]*\d)( ?%| (?:km|m|steps|miles|degrees)\b)?"
)
ROOT = Path(__file__).parents[2]
#: d3's ways of writing a number under a hand: three digits, a count, a setting, a place on a map.
HOVERS = {".3~g", ".3~p", "+.3~p", ",.0f", "g", ",g", ",", ".1f", ".2f"}


def said(blocks: Blocks) -> Iterator[str]:
    """Titles, captions, notes and tables of what a view shows."""
    for block in blocks:
        yield from _of(block)


def _of(block: Block) -> Iterator[str]:
    if isinstance(block, str):
        yield block
    elif isinstance(block, Picture):
        figure = block.draw()
        yield figure.layout.title.text
        yield block.alt
        yield from (note.text or "" for note in figure.layout.annotations)
        for trace in figure.to_dict()["data"]:
            hover = trace.get("hovertemplate") or ""
            for text in [hover] if isinstance(hover, str) else hover:
                assert set(re.findall(r"%\{\w+(?:\[\d\])?:([^}]+)\}", text)) <= HOVERS, text
    elif isinstance(block, Table):
        yield from (cell for row in (block.heads, *block.rows) for cell in row)
    elif isinstance(block, Note):
        yield block.text
    elif isinstance(block, Columns):
        for part in block.blocks:
            yield from said(part if isinstance(part, tuple) else (part,))
    elif isinstance(block, Folded):
        yield block.label
        yield from said(block.blocks)


def badly_written(text: str, exact: frozenset[str] = frozenset()) -> list[str]:
    """Numbers with more than three significant digits, and thousands or per cent that are set another way."""
    found = re.findall(r"\d %", text) + re.findall(r"(?<![\d.,−-])\d{5,}(?![\d.])", text)
    for number in NUMBER.finditer(text):
        whole, part, unit = number.groups()
        plain = whole.replace(",", "")
        if {number[0], whole + (part or ""), plain + (part or "")} & exact:
            continue
        digits = (plain + part[1:]).lstrip("0") if part else plain.strip("0")
        near_certainty = plain == "99" and part is not None and not part[1:].lstrip("9")[1:]
        thing = not part and unit is None and int(plain) < 10_000 and (len(plain) < 4 or "," in whole)
        if len(digits) > 3 and not near_certainty and not thing:
            found.append(number[0])
    return [one for one in found if one not in exact]


@pytest.mark.parametrize("text", ["1.234 km", "12,345 people", "1234 people", "1,234 km", "50 %", "0.01234", "99.123%"])
def test_badly_written_numbers_are_found(text: str) -> None:
    assert badly_written(text)


@pytest.mark.parametrize(
    "text", ["1.23 km", "12,300 km", "1,234 people", "50%", "0.0123", "99.996%", "7.61e-05", "73/30"]
)
def test_well_written_numbers_are_left_alone(text: str) -> None:
    assert not badly_written(text)


def typed(config: Any) -> frozenset[str]:
    """Settings as they may stand on the screen."""
    found: set[str] = set()

    def take(value: Any) -> None:
        if isinstance(value, tuple):
            for one in value:
                take(one)
        elif isinstance(value, int | float) and not isinstance(value, bool):
            found.update((f"{value:g}", f"{value:,}"))

    for _, value in leaves(config):
        take(value)
    return frozenset(found)


def side_by_side(key: str, *results: Any) -> frozenset[str]:
    """Costs of the map's table."""
    rows = cost_table(*results).rows if key.startswith("population.map") else ()
    return frozenset(re.findall(r"[\d.,]+", " ".join(str(row[1]) for row in rows)))


def shown_at(view: View) -> Iterator[tuple[Any, tuple[Any, ...], list[str]]]:
    """Settings of a view, its results there, and all that it says."""
    for place, config in enumerate(settings_of(view.key)[:2]):
        for epsilon in ((0.05, 10.0), (0.7,))[place]:
            at = config
            if any(field.name == "epsilon" for field in dataclasses.fields(config)):
                at = put(config, "epsilon", epsilon)
            try:
                results = view.run(at).parts
            except ValueError:  # a base or a mechanism that these settings do not allow
                continue
            texts = [*said(view.show(at, *results))]
            for tab in view.tabs:
                texts += said(tab.show(at, *results)) if tab.show else ()
            yield at, results, [*texts, *view.headlines(*results)]


@pytest.mark.parametrize("most", [1, pytest.param(None, marks=pytest.mark.nightly)])
@pytest.mark.parametrize("key", by_day(VIEWS))
def test_a_view_writes_numbers_one_way_and_its_page_explains_its_words(
    key: str, most: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    shorten_sweeps(monkeypatch)
    few_masses(monkeypatch)
    view, seen = VIEWS[key], 0
    for config, results, texts in islice(shown_at(view), most):
        seen += 1
        exact = typed(config) | side_by_side(key, *results)
        assert {text: bad for text in texts if (bad := badly_written(text, exact))} == {}, config
        disclosure = view.disclosure(config, *results)
        strip = re.sub(r"<style>.*?</style>", "", disclosure_strip(disclosure), flags=re.DOTALL)
        assert " %" not in strip
        offered = explained(PAGES[key.split(".")[0]].terms)
        for term in terms_in([*texts, strip]):
            assert TERMS[term].means in offered, f"{term} stands on the page of {key}"
    assert seen


#: Where a format of its own is right: files, ticks at powers of ten, exact sums, the unit of a distance.
OWN = {
    *("kit/links.py", "geolocation/worst_case/figures.py", "metric/ask/figures.py", "metric/protect/figures.py"),
    *("metric/protected.py", "population/map/figures.py", "population/private_measure/text.py", "shell/numbers.py"),
    *("scenarios/comparison.py", "scenarios/together.py"),
}


def test_numbers_are_written_in_one_place() -> None:
    """What is no setting (``:g``) and no whole number (``:,``) goes by `dpot_core.privacy.numerals`."""
    found = []
    app = ("views", "batch/scenarios", "figures", "cities", "shell")
    for folder in (*(f"dpot_app/{one}" for one in app), "pages"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            if str(path).endswith(tuple(OWN)):
                continue
            text = path.read_text(encoding="utf-8")
            if not re.search(r"[fge%]}", text):  # most need not be parsed
                continue
            for node in ast.walk(ast.parse(text)):
                spec = node.format_spec if isinstance(node, ast.FormattedValue) else None
                last = spec.values[-1] if isinstance(spec, ast.JoinedStr) else None
                if isinstance(last, ast.Constant) and re.search(r"(?<!^)(?<!^,)[fge%]$", last.value):
                    found.append(f"{path.relative_to(ROOT)}:{last.lineno} {last.value}")
    assert not found


def test_a_promise_is_never_rounded_to_more_than_it_is() -> None:
    """Distances that are promised are rounded down, epsilons up."""
    view = VIEWS["explain.distance"]
    config = dataclasses.replace(view.example, alpha=0.123456, distance=12.3456789)
    (far,) = config.promise.protects
    shown = re.search(r"at most ([\d.]+) km", far)
    assert shown is not None and Fraction(shown[1]) <= Fraction(config.distance)
    strip = disclosure_strip(view.disclosure(config, *view.run(config).parts), config.promise)
    told = re.search(r"ε = ([\d.]+)", strip)
    assert told is not None and float(told[1]) >= config.promise.epsilon
    # A file has all digits.
    assert any(f"{config.promise.epsilon:.12g}" in sentence for sentence in in_words(config.promise))


def test_the_list_of_words_is_the_code_s() -> None:
    text = (ROOT / "docs" / "words.md").read_text(encoding="utf-8")
    assert text.endswith(explained(TERMS) + "\n")
