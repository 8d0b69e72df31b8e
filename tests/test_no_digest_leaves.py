"""Nothing that leaves the app holds a digest of private data: who knows all rows but one would find the last."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from dpot_app.batch import scenarios
from dpot_app.batch.reports import Entry, report, slide
from dpot_app.batch.scenarios import VIEWS, Scenario, ScenarioError, picture
from dpot_app.batch.scenarios.folders import texts
from dpot_app.batch.sweeps import Sweep, read, running, sweep
from dpot_app.batch.sweeps.point import answer, ask, written
from dpot_app.batch.tags import tag_of
from dpot_app.figures.inline import lighter
from dpot_app.kit.blocks import pictures
from dpot_core.arguments.lazy import cached_property
from dpot_core.datasets.contents import Content
from dpot_core.datasets.point_pairs import PointPair
from tests.batch.scenarios.outcomes import few_masses, shorten_sweeps
from tests.batch.sweeps.here import in_this_process
from tests.hostile.test_forgetting import check_ins, nothing_kept
from tests.taken import take
from tests.test_exported_python import WITH_FILES, own, ratings

#: Digits of a digest from which on a part of it is one: 2^32 guesses.
_FEW = 8


@pytest.fixture(autouse=True)
def memories() -> Iterator[None]:
    """What is read here is read anew, so that its digest is seen, and is not kept for other tests."""
    nothing_kept()
    yield
    nothing_kept()


class Digests:
    """Every plain digest of private data: of the files, and of what is read from them."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *contents: bytes) -> None:
        self.known = {hashlib.sha256(content).digest() for content in contents}
        for cls in (Content, PointPair):
            self._watch(cls, monkeypatch)

    def _watch(self, cls: type[Any], monkeypatch: pytest.MonkeyPatch) -> None:
        real = vars(cls)["digest"].func

        def digest(data: Any) -> str:
            found: str = real(data)
            if not data.simulated:
                self.known.add(bytes.fromhex(found))
            return found

        watched = cached_property(digest)
        watched.__set_name__(cls, "digest")
        monkeypatch.setattr(cls, "digest", watched)

    def absent_from(self, name: str, text: str) -> None:
        for one in self.known:
            for form in (one.hex()[:_FEW], one.hex()[:_FEW].upper(), base64.b64encode(one).decode()[:_FEW]):
                assert form not in text, f"{name} holds a digest"


def exported(config: Any, key: str, files: dict[str, bytes]) -> Iterator[tuple[str, str]]:
    """Everything that a scenario of a private file leaves behind, by name."""
    view = VIEWS[key]
    tags = {role: tag_of(content) for role, content in files.items()}
    scenario = Scenario(key, "mine", config, scenarios.describe_data(view, config, tags))
    outcome = scenarios.run(scenario, scenarios.by_tag(list(files.values())))
    yield from texts(outcome).items()
    yield "board", scenarios.write([scenario, scenario])
    yield "settings", repr(scenarios.settings_rows([scenario]))
    blocks = list(view.show(config, *outcome.results.parts))
    for one in pictures(blocks):
        yield one.name, str(one.draw().to_json())
    yield "disclosure", repr(outcome.disclosure.described())
    drawn = lighter(picture(outcome).to_json())
    yield "picture", drawn
    entry = Entry(scenario, outcome.headlines, outcome.disclosure, drawn, pictured=False)  # as the board begins
    yield "report", report([entry, entry], "Report", "Which?")
    yield "slide", slide(entry, "Slide")
    yield "scenario", repr(scenario)
    with pytest.raises(ScenarioError) as absent:
        scenarios.run(scenario)
    yield "error", str(absent.value)
    asked = ask(view, config, tags)
    yield "asked", asked
    yield "point", written(json.loads(answer(asked, scenarios.by_tag(list(files.values())))))


@pytest.mark.parametrize(
    "key",
    # What is written of a file goes one way for all kinds: one stands for them by day.
    [key if key == "movies.user" else pytest.param(key, marks=pytest.mark.nightly) for key in WITH_FILES],
)
def test_exports_of_a_private_file_hold_no_digest_of_it(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    given = own(key)
    if given is None or not (roles := VIEWS[key].files(given[0])):
        return
    config, files = given[0], {role: given[1][role] for role in roles}
    shorten_sweeps(monkeypatch)
    few_masses(monkeypatch)
    digests = Digests(monkeypatch, *files.values())
    every = list(exported(config, key, files))
    assert len(digests.known) > len(files), "what is read has a digest of its own"
    for name, text in every:
        digests.absent_from(name, text)


def test_a_sweep_of_a_private_file_holds_no_digest_of_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also not where its releases are from one sample of people, which the points say and the sum needs."""
    given = own("population.map")
    assert given is not None
    config, files = given
    (content,) = files.values()
    view = VIEWS["population.map"]
    digests = Digests(monkeypatch, content)
    monkeypatch.setattr(running, "imap_unordered", in_this_process)
    assert "population" in view.files(config)
    key = view.run(config, files).disclosure.sample
    asked = Sweep(view, config, {"epsilon": (0.7, 0.9)}, {"population": tag_of(content)})
    done = sweep(asked, tmp_path, scenarios.by_tag([content]))
    assert done.failed == 0 and len(digests.known) > 1 and any(one.hex() in key for one in digests.known)
    for path in tmp_path.rglob("*"):
        if path.is_file():
            digests.absent_from(str(path.relative_to(tmp_path)), f"{path} {path.read_bytes().decode('latin-1')}")
    said = (tmp_path / "guarantee.txt").read_text(encoding="utf-8")
    assert "from the same sample" in said
    plain = "sweep: 1\nview: population.map\nsettings: {source: csv}\nover:\n  epsilon: [1]\ndata: {population: %s}\n"
    with pytest.raises(ScenarioError) as absent:
        sweep(read(plain % hashlib.sha256(content).hexdigest()), tmp_path)
    digests.absent_from("error", str(absent.value))


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("page", "prefix", "parameters", "files"),
    [
        ("geolocation", "geo", {"geo_data": "My CSV file", "geo_n": "5"}, {"check-ins": check_ins()}),
        (
            "movies",
            "movies",
            {"movies_data": "My CSV files", "movies_candidates": "10"},
            {"ratings": ratings(("user", "film", "rating"))[0]},
        ),
    ],
)
def test_browsers_get_no_digest(
    page: str, prefix: str, parameters: dict[str, str], files: dict[str, bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Names of controls, too: a file's columns, one's own stars."""
    digests = Digests(monkeypatch, *files.values())

    def bring(app: Any) -> None:
        for role, content in files.items():
            app.sidebar.file_uploader(key=f"{prefix}_{role}_file").set_value(("mine.csv", content, "text/csv")).run()

    taken = take(page, prefix, parameters, bring)
    assert not taken.app.error and len(digests.known) > len(files)
    for name, text in {**taken.files, "python": taken.python, "screen": sent(taken.app)}.items():
        digests.absent_from(name, text)


def sent(app: Any) -> str:
    """All that Streamlit sends of a page."""
    protos: list[str] = []

    def walk(block: Any) -> None:
        protos.append(str(getattr(block, "proto", "")))
        for child in getattr(block, "children", {}).values():
            walk(child)

    walk(app._tree)
    return "\n".join(protos)
