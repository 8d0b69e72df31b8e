"""Scenarios as YAML: the round trip is exact, and what cannot be used is refused by name and line."""

from __future__ import annotations

import copy
import dataclasses
import math
import re
from dataclasses import dataclass, field, replace
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from dpot_app.batch import scenarios
from dpot_app.batch.scenarios import VIEWS, Scenario, ScenarioError, documents, leaves, plain_yaml
from dpot_app.kit.values import from_plain, to_plain
from dpot_app.views.ring import settings as ring
from tests.batch.scenarios.outcomes import by_day
from tests.batch.scenarios.settings import CONSTANT, settings_of
from tests.marks import every_by_day

DIGEST = "ab" * 32
EVERYTHING = [(key, config) for key in VIEWS for config in (VIEWS[key].example, *settings_of(key))]


def same(one: Any, other: Any) -> bool:
    """Equal to the last bit and in every type: 2 is not 2.0, 0.0 is not -0.0."""
    if type(one) is not type(other):
        return False
    if dataclasses.is_dataclass(one):
        return all(same(getattr(one, f.name), getattr(other, f.name)) for f in dataclasses.fields(one))
    if isinstance(one, tuple):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, float):
        return one.hex() == other.hex()
    return bool(one == other)


def test_every_kind_has_settings_away_from_the_defaults() -> None:
    """A setting that joins has to survive: ``settings_of`` finds numbers and options, ``SETTINGS`` has the rest."""
    for key, kind in VIEWS.items():
        seen: dict[str, set[Any]] = {}
        for config in (kind.example, *settings_of(key)):
            for name, value in leaves(config):
                seen.setdefault(name, set()).add(value)
        constant = {name for name, values in seen.items() if len(values) == 1}
        if key != "movies.sweep":  # which is slow, and takes what the other kinds of films take
            assert constant <= CONSTANT, key


@pytest.mark.parametrize(
    ("key", "config"), every_by_day(3, EVERYTHING), ids=lambda value: value if isinstance(value, str) else ""
)
def test_the_round_trip_is_exact(key: str, config: Any) -> None:
    data = tuple((role, DIGEST) for role in VIEWS[key].files(config))
    scenario = Scenario(key, "A title: with # signs, 1e5 & <b>ε</b>", config, data)
    (back,) = scenarios.read(scenarios.write([scenario]))
    assert back == scenario and same(back.config, config)
    assert hash(back.config) == hash(config)


@dataclass(frozen=True)
class Inner:
    number: float
    pair: tuple[float, str]


@dataclass(frozen=True)
class Outer:
    text: str
    count: int
    flag: bool
    maybe: float | None
    inner: Inner
    rows: tuple[tuple[int, float], ...]
    either: tuple[float, ...] | tuple[tuple[float, float], ...]
    some: tuple[str, ...] = field(default_factory=tuple)


BEGIN = Outer("", 0, False, None, Inner(0.0, (0.0, "")), (), ())
finite = st.floats(allow_nan=False, allow_infinity=False)
# Lone surrogates have no place in UTF-8.
texts = st.text(st.characters(exclude_categories=["Cs"]))


@pytest.mark.nightly
@given(
    st.builds(
        Outer,
        texts,
        st.integers(),
        st.booleans(),
        st.none() | finite,
        st.builds(Inner, finite, st.tuples(finite, texts)),
        st.lists(st.tuples(st.integers(), finite)).map(tuple),
        st.lists(finite).map(tuple) | st.lists(st.tuples(finite, finite), min_size=1).map(tuple),
        st.lists(texts).map(tuple),
    )
)
def test_any_settings_survive(settings: Outer) -> None:
    assert same(from_plain(BEGIN, plain_yaml.parse(documents.dump(to_plain(settings)), {})), settings)


# --- refusals -------------------------------------------------------------------------------------------

#: A file as people have it: another setting moves no line of it.
GOOD = """schema: 2
scenarios:
- kind: ring.outputs
  title: Mine
  config:
    ring: {k: 30, every: 1, p: 2}
    base:
      kind: best-uniform
      scale: 0.0
      prior: []
      gamma: 3.0
    source:
      kind: dirichlet
      concentration: 0.1
      seed: 1
      point: 0
      other: 7
      share: 0.5
      numbers: []
    epsilon: 2.0
    reg: null
    mechanisms: [wpm, kpm, em]
    belief: uniform
"""


def refusal(text: str | bytes) -> str:
    with pytest.raises(ScenarioError) as problem:
        scenarios.read(text)
    return str(problem.value)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("schema: 2", "schema: 7"), r"schema \(line 1\): 7 is newer than this program, which reads 6"),
        (("schema: 2", "schema: 0"), r"schema \(line 1\): must be a whole number from 1 to 6; got 0"),
        (("schema: 2\n", ""), r"schema \(line 1\): must be a whole number from 1 to 6; got None"),
        (("title: Mine", "title: Mine\n  chosen: 5"), r"scenarios\[0\]\.chosen \(line 5\): must be text; got 5"),
        (("schema: 2", "schema: 2\nauthor: me"), r"author \(line 2\): unknown field"),
        (("kind: ring.outputs", "kind: ring.nothing"), r"kind \(line 3\): unknown kind 'ring.nothing'; the kinds are "),
        (("title: Mine", "title: 5"), r"scenarios\[0\]\.title \(line 4\): must be text; got 5"),
        (("  title: Mine\n", ""), r"scenarios\[0\]\.title \(line 3\): missing field"),
        (("title: Mine", "note: Mine"), r"scenarios\[0\]\.note \(line 4\): unknown field"),
        (("k: 30", "k: thirty"), r"config\.ring\.k \(line 6\): must be a whole number; got text 'thirty'"),
        (("k: 30", "k: 30.0"), r"config\.ring\.k \(line 6\): must be a whole number; got a number 30\.0"),
        (("k: 30", "k: true"), r"config\.ring\.k \(line 6\): must be a whole number; got true or false"),
        (("k: 30", "k: 1000000000"), r"config\.ring\.k \(line 6\): must be at most 200; got 1e\+09"),
        (("k: 30", "k: 30, size: 3"), r"config\.ring\.size \(line 6\): unknown field; the fields here are k, every, p"),
        (("k: 30", "k: 30, k: 31"), r"config\.ring\.k \(line 6\): stands twice"),
        (("epsilon: 2.0", "epsilon: .inf"), r"config\.epsilon \(line 20\): must be a finite number; got inf"),
        (("epsilon: 2.0", "epsilon: .nan"), r"config\.epsilon \(line 20\): must be a finite number; got nan"),
        (("epsilon: 2.0", "epsilon: -1"), r"config\.epsilon \(line 20\): must be at least 0\.01; got -1"),
        (("epsilon: 2.0", "epsilon: null"), r"config\.epsilon \(line 20\): must be a number; got null"),
        (("epsilon: 2.0", "epsilon: 1" + "0" * 400), r"config\.epsilon \(line 20\): a whole number has 401 digits"),
        (("kind: best-uniform", "kind: best"), r"config\.base\.kind \(line 8\): must be one of best-uniform, uniform"),
        (("[wpm, kpm, em]", "[wpm, magic]"), r"config\.mechanisms \(line 22\): must be one of .*; got 'magic'"),
        (("[wpm, kpm, em]", "[wpm, 3]"), r"config\.mechanisms\[1\] \(line 22\): must be text; got a whole number 3"),
        (("[wpm, kpm, em]", "wpm"), r"config\.mechanisms \(line 22\): must be a list, each entry text; got text 'wpm'"),
        (("reg: null", "reg: none"), r"config\.reg \(line 21\): must be a number or null; got text 'none'"),
        (("every: 1", "every: 30"), r"config\.ring\.every \(line 6\): must be less than k = 30; got 30"),
        (("ring: {", "ring: &a {"), None),
        (("reg: null", "reg: *a"), r"references"),
        (("reg: null", "reg: !!python/object:os.system x"), r"line 21.: tags"),
        (("reg: null", "reg: [1, 2"), r"this is not YAML"),
        (("  config:", "  configuration:"), r"configuration \(line 5\): unknown field"),
    ],
    ids=str,
)
def test_unusable_documents_are_refused_by_name_and_line(change: tuple[str, str], message: str | None) -> None:
    assert change[0] in GOOD
    text = GOOD.replace(*change, 1)
    if message is None:
        assert scenarios.read(text) == scenarios.read(GOOD)
    else:
        assert re.search(message, refusal(text))


def test_other_files_are_refused() -> None:
    assert "must hold a mapping" in refusal("")
    assert "must hold a mapping" in refusal("just text")
    assert "sweep (line 1): this is a sweep" in refusal("sweep: 1\nview: ring.outputs")
    assert "list of scenarios" in refusal("schema: 1\nscenarios: []")
    assert "must be a mapping with kind" in refusal("schema: 1\nscenarios: [3]")
    assert "UTF-8" in refusal(b"\xe9")
    assert "UTF-16" in refusal(b"\xff\xfe\x00s\x00")
    assert "at most 200,000 bytes" in refusal(("#" * 200_001).encode("utf-16"))
    assert "not YAML" in refusal("schema: 1\x00")
    assert "at most 200,000 bytes" in refusal("#" * 2_000_001)
    # A letter may take several.
    assert "got 200,002" in refusal("#" + "ε" * 100_000 + "#")
    assert "nested too deeply" in refusal("a: " + "[" * 20_000)
    assert "at most 50" in refusal("schema: 1\nscenarios: [" + "{}," * 51 + "]")
    assert "names of fields must be text" in refusal("schema: 1\n2: 3")
    assert "second document" in refusal("schema: 1\n---\nschema: 1")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
def test_files_written_by_consoles_are_read(encoding: str) -> None:
    """PowerShell 5.1 makes UTF-16 of what a command prints, with a mark and line breaks of its own."""
    full = GOOD.replace("\n", "\r\n") + "#" * (plain_yaml.MOST_BYTES - len(GOOD.encode()) - GOOD.count("\n"))
    mark = "\ufeff" if encoding[-2:] in ("le", "be") else ""
    assert scenarios.read((mark + full).encode(encoding)[: 2**20]) == scenarios.read(GOOD)


def test_references_cannot_blow_a_file_up() -> None:
    bomb = "a: &a [1,1,1]\n" + "".join(f"{chr(98 + i)}: &{chr(98 + i)} [{f'*{chr(97 + i)},' * 9}]\n" for i in range(9))
    assert "references" in refusal(bomb)


def test_a_number_with_an_exponent_is_a_number() -> None:
    (found,) = scenarios.read(GOOD.replace("reg: null", "reg: 1e-3").replace("epsilon: 2.0", "epsilon: 3"))
    assert found.config == replace(ring.Config(), reg=1e-3, epsilon=3.0)
    assert isinstance(found.config.epsilon, float)


def test_a_file_with_a_byte_order_mark_is_read() -> None:
    assert scenarios.read(b"\xef\xbb\xbf" + GOOD.encode()) == scenarios.read(GOOD)


def test_the_order_of_scenarios_is_kept() -> None:
    several = [Scenario("ring.outputs", f"No. {i}", ring.Config(epsilon=0.5 + i)) for i in range(5)]
    assert scenarios.read(scenarios.write(several)) == tuple(several)


def test_settings_with_other_values_are_refused() -> None:
    with pytest.raises(TypeError, match="settings hold"):
        to_plain(complex(1))
    with pytest.raises(ValueError, match="less than or equal to 10"):
        ring.Config(reg=11.0)
    with pytest.raises(ScenarioError, match=r"reg: must be at most 10; got 11"):
        scenarios.put(ring.Config(), "reg", 11.0)
    with pytest.raises(ScenarioError, match="takes dpot_app"):
        Scenario("ring.outputs", "", VIEWS["movies.user"].example)
    with pytest.raises(ScenarioError, match="at most 200 characters"):
        Scenario("ring.outputs", "x" * 201, ring.Config())


def test_one_value_is_put_in_place() -> None:
    config = ring.Config()
    changed = scenarios.put(config, "ring.k", 12)
    assert changed == replace(config, ring=ring.Ring(k=12)) and scenarios.get(changed, "ring.k") == 12
    assert scenarios.put(config, "mechanisms", ("em",)).mechanisms == ("em",)
    assert math.isclose(scenarios.put(config, "epsilon", 1).epsilon, 1.0)
    with pytest.raises(ScenarioError, match=r"ring\.k|k: must be a whole number"):
        scenarios.put(config, "ring.k", "many")


@pytest.mark.parametrize("key", by_day(VIEWS))
def test_a_file_without_a_field_means_what_the_kind_begins_with(key: str) -> None:
    kind = VIEWS[key]
    scenario = Scenario(key, "old", kind.example, scenarios.describe_data(kind, kind.example, {}))
    content = yaml.safe_load(documents.write([scenario]))
    config = content["scenarios"][0]["config"]
    for name, _ in scenarios.leaves(kind.example):
        lacking = copy.deepcopy(content)
        group = lacking["scenarios"][0]["config"]
        *outer, last = name.split(".")
        for part in outer:
            group = group[part]
        del group[last]
        assert documents.read(documents.dump(lacking)) == (scenario,)
    content["scenarios"][0]["config"] = {}
    assert documents.read(documents.dump(content | {"schema": 1})) == (scenario,)
    with pytest.raises(ScenarioError, match="must be a mapping of settings"):
        documents.read(documents.dump(content | {"scenarios": [{"kind": key, "title": "t", "config": 3}]}))
    assert config


def test_the_question_is_kept() -> None:
    one = Scenario("ring.outputs", "one", VIEWS["ring.outputs"].example, question="At most 2 steps: for everybody?")
    assert scenarios.read(scenarios.write([one])) == (one,) and "schema: 6" in scenarios.write([one])
    with pytest.raises(ScenarioError, match="question: must have at most 300 characters"):
        replace(one, question="?" * 301)


def test_one_choice_and_its_reason_are_kept() -> None:
    one = Scenario("ring.outputs", "one", VIEWS["ring.outputs"].example)
    two = replace(one, title="two", config=replace(one.config, epsilon=1.0), chosen="Said the committee: no more.")
    assert "schema: 2" in scenarios.write([one]) and "schema: 3" in scenarios.write([one, two])
    assert scenarios.read(scenarios.write([one, two])) == (one, two)
    with pytest.raises(ScenarioError, match=r"scenarios\[1\]\.chosen \(line \d+\): only one scenario can be chosen"):
        scenarios.read(scenarios.write([replace(one, chosen=""), two]))
    assert "at most 2000 characters" in problem_of_long_reason(one)


def problem_of_long_reason(one: Scenario) -> str:
    with pytest.raises(ScenarioError) as problem:
        replace(one, chosen="x" * 2001)
    return str(problem.value)
