"""The report holds every number, shows all text as text, asks no server for anything and stays small."""

from __future__ import annotations

import base64
import datetime
import json
import re
from dataclasses import replace
from html import escape, unescape
from html.parser import HTMLParser

import numpy as np
import pytest

from dpot_app.batch import scenarios
from dpot_app.batch.reports import Entry, document, report, slide
from dpot_app.batch.reports.versions import versions
from dpot_app.batch.scenarios import VIEWS, Scenario, picture
from dpot_app.figures.inline import for_page, lighter
from dpot_app.views.ring import settings as ring
from dpot_core.privacy.disclosures import demonstration
from dpot_core.privacy.guarantees import Guarantee, Sampled

EVIL = "</title></script><script>alert(1)</script><img src=x onerror=alert(2)> & \"'\u2028--> <!-- ε"
AT = datetime.datetime(2026, 1, 2, 3, 4, tzinfo=datetime.UTC)


def entry(scenario: Scenario) -> Entry:
    outcome = scenarios.run(scenario)
    figure = picture(outcome)
    return Entry(scenario, outcome.headlines, outcome.disclosure, lighter(figure.to_json()))


@pytest.fixture(scope="module")
def entries() -> list[Entry]:
    keys = ("geolocation.person", "mixture.line", "mixture.sphere", "movies.user")
    asked = [Scenario("ring.outputs", f"Ring {epsilon:g}", ring.Config(epsilon=epsilon)) for epsilon in (1.0, 4.0)]
    return [entry(scenario) for scenario in (*asked, *(Scenario(key, key, VIEWS[key].example) for key in keys))]


class Reader(HTMLParser):
    """Elements, and the text that a reader sees."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self._hidden = 0
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        self._hidden += tag in ("script", "style")

    def handle_endtag(self, tag: str) -> None:
        self._hidden -= tag in ("script", "style")

    def handle_data(self, data: str) -> None:
        if not self._hidden:
            self.text += data + "\n"


@pytest.mark.nightly
def test_every_number_setting_promise_and_line_of_python_is_there(entries: list[Entry]) -> None:
    html = report(entries, "Which ε?", "How far may it be?", AT)
    read = Reader(html)
    for one in entries:
        for name, value in one.headlines.items():
            assert name in read.text and f"{value:.6g}" in read.text
            assert f'title="{value!r}"' in html, "every digit is one hover away"
        for sentence in one.disclosure.sentences():
            assert sentence in read.text
        for row in scenarios.settings_rows([one.scenario]):
            assert row.label in read.text and row.texts[0] in read.text
        assert one.scenario.view.python(one.scenario.config).strip() in read.text
    for words in ("Which ε?", "How far may it be?", "2026-01-02 03:04 UTC", "Assumptions", *versions().values()):
        assert words in read.text
    (numbers,) = re.findall(r'id="numbers">(.*?)</script>', html)
    kept = json.loads(numbers)["config"]
    assert [one["numbers"] for one in kept] == [one.disclosure.mark_numbers(one.headlines) for one in entries]


@pytest.mark.nightly
def test_the_scenarios_can_be_taken_out_again(entries: list[Entry]) -> None:
    html = report(entries, "t", "")
    (text,) = re.findall(r'<pre id="yaml">(.*?)</pre>', html, re.DOTALL)
    assert scenarios.read(unescape(text)) == tuple(one.scenario for one in entries)


def test_scenarios_of_one_kind_stand_side_by_side(entries: list[Entry]) -> None:
    read = Reader(report(entries, "t", ""))
    assert "Side by side" in read.text and re.search(r"\(-\d\d[.\d]*%\)", read.text)
    assert "1 + 4 + 2 + 1 + 1 + 2 = 11." in read.text and "ε = 11 nats." in read.text
    alone = Reader(report(entries[:1], "t", ""))
    assert "Side by side" not in alone.text and "If all of them are released" not in alone.text


def test_the_overview_has_the_weakest_promise_and_the_sum_of_all(entries: list[Entry]) -> None:
    """Towards a person known to be in the sample, as the sentences say first; sampling makes 1 and 1e-8 of it."""
    promise = Guarantee(1.0, 1e-8, "replace", sampled=Sampled(10.38, 1e-4, 1e-4))
    one = replace(entries[0], disclosure=demonstration([("atoms", promise)], "Drawn.", sample="the same people"))
    row = re.search(r"<h2>The scenarios</h2>.*?<tbody><tr>(.*?)</tr>", report([one], "t", ""), re.DOTALL)
    assert row is not None and re.findall(r'class="number">(.*?)<', row[1]) == ["10.38", "0.0001"]
    both = Reader(report([one, one], "t", ""))
    assert "Towards a person known to be in the sample: ε = 20.76 nats, δ = 0.0002." in both.text


def test_five_of_a_kind_are_split_over_two_tables(entries: list[Entry]) -> None:
    more = [replace(entries[0], scenario=replace(entries[0].scenario, title=f"No. {i}")) for i in range(5)]
    html = report(more, "t", "")
    assert html.count('<th scope="col">') == 5 and html.count("<h3>Finite ring: ") == 1


def test_text_of_readers_is_text(entries: list[Entry]) -> None:
    evil = replace(entries[0], scenario=replace(entries[0].scenario, title=EVIL))
    figure = json.loads(evil.picture)
    figure["layout"]["title"]["text"] = "&lt;img src=y&gt; " + EVIL
    figure["data"][0]["name"] = EVIL
    html = report([replace(evil, picture=json.dumps(figure))], EVIL, f"{EVIL}\n{EVIL}", AT)
    plain = Reader(report(entries[:1], "t", "q", AT))
    read = Reader(html)
    assert [tag for tag, _ in read.tags] == [tag for tag, _ in plain.tags], "no element came in with the text"
    assert not any(name.startswith("on") for _, attributes in read.tags for name in attributes)
    assert read.text.count("alert(1)") >= 4
    (spec,) = re.findall(r'id="figure-1">(.*?)</script>', html)
    assert json.loads(spec)["data"][0]["name"] == EVIL


def test_nothing_is_fetched(entries: list[Entry]) -> None:
    read = Reader(report(entries, "t", ""))
    assert not [tag for tag, attributes in read.tags if {"src", "href", "data"} & attributes.keys()]
    policy = next(
        attributes["content"] for tag, attributes in read.tags if tag == "meta" and "http-equiv" in attributes
    )
    assert policy is not None and policy.startswith("default-src 'none'; ") and "http" not in policy
    assert "url(" not in document._STYLE.read_text() and "@import" not in document._STYLE.read_text()


@pytest.mark.nightly
def test_a_report_stays_under_six_megabytes() -> None:
    plane = entry(Scenario("mixture.plane", "p", VIEWS["mixture.plane"].example))
    assert len(report([plane] * 12, "t", "q").encode()) <= document.MOST_BYTES
    with pytest.raises(ValueError, match=r"entries must fit into 6,000,000 bytes; got .*: leave some out"):
        report([plane] * 50, "t", "q")
    with pytest.raises(ValueError, match="at least one scenario"):
        report([], "t", "q")


@pytest.mark.nightly
def test_a_lighter_picture_is_the_same_picture() -> None:
    outcome = scenarios.run(Scenario("mixture.plane", "p", VIEWS["mixture.plane"].example))
    full = picture(outcome)
    light = json.loads(lighter(full.to_json(), 61))
    assert len(json.dumps(light)) < len(full.to_json()) / 4
    for one, other in zip(full.data, light["data"], strict=True):
        z = np.frombuffer(base64.b64decode(other["z"]["bdata"]), other["z"]["dtype"]).reshape(61, 61)
        np.testing.assert_allclose(z, np.asarray(one.z)[::2, ::2], rtol=1e-6)
        x = np.frombuffer(base64.b64decode(other["x"]["bdata"]), other["x"]["dtype"])
        np.testing.assert_allclose(x, np.asarray(one.x)[::2], rtol=1e-6)
    ring_ = scenarios.run(Scenario("ring.outputs", "r", ring.Config()))
    bars = picture(ring_)
    for one, other in zip(bars.data, json.loads(lighter(bars.to_json()))["data"], strict=True):
        if "y" in other and isinstance(other["y"], dict):
            y = np.frombuffer(base64.b64decode(other["y"]["bdata"]), other["y"]["dtype"])
            np.testing.assert_allclose(y, np.asarray(one.y, dtype=float), rtol=1e-6)


def test_titles_of_pictures_become_captions() -> None:
    spec = {"data": [{"x": [1], "customdata": [2]}], "layout": {"title": {"text": "a &lt;b&gt;<br>c"}, "height": 300}}
    page = for_page(json.dumps(spec))
    assert page["title"] == "a <b> c" and page["layout"]["title"] == {"text": ""}
    assert page["layout"]["paper_bgcolor"] == "white" and "customdata" not in page["data"][0]


def test_the_choice_stands_on_the_first_page_with_its_reason_and_all_of_its_promise(entries: list[Entry]) -> None:
    assert "Appendix" not in report(entries, "Which?", "")
    chosen = replace(entries[1], scenario=replace(entries[1].scenario, chosen=f"Because. {EVIL}"))
    html = report([entries[0], chosen, *entries[2:]], "Which?", "")
    first = html[: html.index('<h2 class="appendix">')]
    for page in (first, slide(chosen, "Which?")):
        assert escape(chosen.scenario.title) in page and escape(f"Because. {EVIL}") in page and EVIL not in page
        assert all(escape(sentence) in page for sentence in chosen.disclosure.sentences())
        assert page.count("<figure") == 1
    assert entries[0].scenario.title not in first
    assert f'"figure-{2}"' in html and 'data-figure="figure-2"' in first
