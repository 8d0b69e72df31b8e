"""A setting is declared once: what is made of the declaration agrees with it."""

from __future__ import annotations

import dataclasses
import functools

import jsonschema
import pydantic
import pytest
import yaml
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from dpot_app.batch import scenarios
from dpot_app.batch.scenarios import Scenario, ScenarioError, get, json_schema, put
from dpot_app.batch.tags import tag_of
from dpot_app.kit.links import CannotShowError, parameter, parameters
from dpot_app.kit.setting import Declared, choice, complaint, declared, group, number, settings, whole
from dpot_app.views.table import PAGES, VIEWS
from tests.views.strategies import settings_of


@settings
class Inner:
    """Settings inside settings."""

    kind: str = choice("Kind", "a", {"a": "First", "b": "Second"}, link="kind")
    size: int = whole("Size", 3, low=1, high=9, soft=(1, 5), widget="slider", link="size")
    power: int = whole("Power", 2, low=1, high=4, grid=(2, 1), show="p = {}".format, widget="list", link="power")


@settings
class Outer:
    """Settings of a page."""

    inner: Inner = group(Inner)
    weight: float | None = number(
        "Weight", None, low=0.1, high=2.0, grid=(0.0, 0.5, 1.0), empty="exact", widget="steps", link="weight"
    )


def test_the_declaration_names_every_setting_in_order() -> None:
    assert list(declared(Outer)) == ["inner.kind", "inner.size", "inner.power", "weight"]
    assert get(Outer(), "inner.size") == 3 and get(Outer(), "weight") is None


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("inner.kind", "c", "inner.kind: must be one of a, b; got 'c'"),
        ("inner.size", 10, "inner.size: must be at most 9; got 10"),
        ("inner.size", 0, "inner.size: must be at least 1; got 0"),
        ("weight", 3.0, "weight: must be at most 2; got 3"),
        ("weight", float("nan"), "weight: must be a number or null; got a number nan"),
    ],
)
def test_disallowed_values_are_refused_by_name(name: str, value: object, words: str) -> None:
    with pytest.raises(ScenarioError, match=words.replace("(", r"\(")):
        put(Outer(), name, value)


def test_a_huge_whole_number_is_refused_shortly() -> None:
    with pytest.raises(pydantic.ValidationError) as problem:
        Inner(size=10**400)
    assert len(complaint(problem.value)[1]) < 120


def test_links_carry_what_the_controls_can_show() -> None:
    assert parameters(Outer()) == {"kind": "a", "size": "3", "power": "2", "weight": "0"}
    other = Outer(inner=Inner(kind="b", size=5, power=1), weight=0.5)
    assert parameters(other) == {"kind": "b", "size": "5", "power": "1", "weight": "0.5"}
    for config, words in (
        (Outer(inner=Inner(size=7)), "Size = 7"),
        (Outer(inner=Inner(power=3)), "Power = 3"),
        (Outer(weight=0.7), "Weight = 0.7"),
    ):
        with pytest.raises(CannotShowError, match=words):
            parameters(config)


def test_links_carry_numbers_between_the_steps_of_a_slider_exactly() -> None:
    slider = Declared("Share", widget="slider", low=0.0, high=1.0, every=0.05)
    for value, text in ((0.25, "0.25"), (1.0, "1"), (0.981, "0.981"), (1 / 3, "0.3333333333333333")):
        assert parameter(slider, value) == text and float(text) == value
    with pytest.raises(CannotShowError, match=r"Share = 1\.01"):
        parameter(slider, 1.01)


def test_a_view_may_declare_settings_otherwise() -> None:
    known = dict(declared(Outer))
    known["weight"] = dataclasses.replace(known["weight"], link="view_weight", grid=(0.7,))
    expected = {"kind": "a", "size": "3", "power": "2", "view_weight": "0.7"}
    assert parameters(Outer(weight=0.7), known) == expected


def test_the_schema_has_bounds_titles_and_options() -> None:
    schema = pydantic.TypeAdapter(Outer).json_schema()["$defs"]["Inner"]["properties"]
    assert schema["size"] == {"default": 3, "maximum": 9, "minimum": 1, "title": "Size", "type": "integer"}
    assert schema["kind"]["enum"] == ["a", "b"] and schema["kind"]["description"] == "a: First\nb: Second"


@pytest.mark.nightly
@pytest.mark.parametrize("key", VIEWS)
@hypothesis_settings(max_examples=15)
@given(st.data())
def test_whatever_the_declarations_allow_is_a_scenario(key: str, data: st.DataObject) -> None:
    """It is accepted, fits the schema, is read back exactly, and links carry it or say what they have no place for."""
    view = VIEWS[key]
    config = data.draw(settings_of(view))
    assert dataclasses.replace(config) == config
    roles = tuple((role, tag_of(role.encode())) for role in view.files(config))
    text = scenarios.write([Scenario(key, "drawn", config, roles)])
    assert scenarios.read(text)[0].config == config
    schema_of(key).validate(yaml.safe_load(text))
    try:
        link = PAGES[key.split(".")[0]].link(key, config)
    except CannotShowError as problem:
        assert str(problem)
    else:
        parts = [part for value in link.values() for part in (value if isinstance(value, list) else [value])]
        assert all(isinstance(part, str) for part in parts)


@functools.cache
def schema_of(key: str) -> jsonschema.Draft202012Validator:
    return jsonschema.Draft202012Validator(json_schema(VIEWS[key]))


@pytest.mark.parametrize("key", [key for key, kind in VIEWS.items() if hasattr(kind.settings, "__pydantic_fields__")])
def test_every_declared_setting_has_a_label_and_its_default_is_allowed(key: str) -> None:
    kind = VIEWS[key]
    names = {known.link for known in declared(kind.settings).values() if known.link}
    assert len(names) == sum(bool(known.link) for known in declared(kind.settings).values()), (
        "one parameter, one setting"
    )
    for name, known in kind.declared.items():
        assert known.label, name
    assert dataclasses.replace(kind.example) == kind.example
