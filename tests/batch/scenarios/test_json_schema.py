"""The JSON Schema of every kind: true of what is written, and refusing what reading refuses."""

from __future__ import annotations

import copy
import json
from typing import Any

import jsonschema
import pytest
import yaml

from dpot_app.batch.scenarios import VIEWS, Scenario, ScenarioError, describe_data, json_schema, read, write
from dpot_app.batch.scenarios.documents import dump
from tests.batch.scenarios.outcomes import by_day
from tests.batch.scenarios.settings import settings_of


def validator(key: str) -> jsonschema.Draft202012Validator:
    schema = json.loads(json.dumps(json_schema(VIEWS[key]), allow_nan=False))
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


def file_of(key: str, config: Any) -> dict[str, Any]:
    data = describe_data(VIEWS[key], config, {})
    content: dict[str, Any] = yaml.safe_load(write([Scenario(key, "one", config, data)]))
    return content


def group_of(content: dict[str, Any], name: str) -> tuple[dict[str, Any], str]:
    """The mapping that holds a setting, and its name there."""
    *outer, last = name.split(".")
    group = content["scenarios"][0]["config"]
    for part in outer:
        group = group[part]
    return group, last


@pytest.mark.parametrize("key", by_day(VIEWS))
def test_written_scenarios_fit_the_schema(key: str) -> None:
    rules = validator(key)
    for config in (VIEWS[key].example, *settings_of(key)):
        rules.validate(file_of(key, config))


@pytest.mark.nightly
@pytest.mark.parametrize("key", by_day(VIEWS))
def test_disallowed_settings_are_refused_by_schema_and_reader(key: str) -> None:
    """Past each bound, beside the options, of another type, unknown: one at a time."""
    rules, good = validator(key), file_of(key, VIEWS[key].example)
    wrong: list[tuple[str, Any]] = []
    for name, allowed in VIEWS[key].declared.items():
        group, last = group_of(good, name)
        wrong += [(name, {"no": "setting"})]
        if allowed.options is not None:
            wrong += [(name, ["nothing"] if allowed.many else "nothing")]
        elif not isinstance(group[last], list):
            wrong += [(name, bound - 1) for bound in (allowed.low,) if bound is not None]
            wrong += [(name, bound + 1) for bound in (allowed.high,) if bound is not None]
    assert wrong
    for name, value in wrong:
        bad = copy.deepcopy(good)
        group, last = group_of(bad, name)
        group[last] = int(value) if type(group[last]) is int and isinstance(value, float) else value
        assert not rules.is_valid(bad), f"{name} = {value}"
        with pytest.raises(ScenarioError, match=last):
            read(dump(bad))
    bad = copy.deepcopy(good)
    bad["scenarios"][0]["config"]["more"] = 1
    assert not rules.is_valid(bad)
    with pytest.raises(ScenarioError, match="unknown field"):
        read(dump(bad))
    short = copy.deepcopy(good)
    short["scenarios"][0]["config"] = {}
    rules.validate(short)
    assert read(dump(short)) == read(dump(good))


def test_a_setting_says_its_label_bounds_options_default_and_what_null_means() -> None:
    schema = json_schema(VIEWS["ring.outputs"])
    config = schema["properties"]["scenarios"]["items"]["properties"]["config"]
    assert config["properties"]["ring"] == {"$ref": "#/$defs/Ring", "default": {"k": 30, "every": 1, "p": 2}}
    points = schema["$defs"]["Ring"]["properties"]["k"]
    assert points == {
        "title": "Points on the ring (k)",
        "type": "integer",
        "minimum": 3,
        "maximum": 200,
        "default": 30,
    }
    weight, mechanisms = config["properties"]["reg"], config["properties"]["mechanisms"]
    assert weight["description"].endswith("null: exact") and {"type": "null"} in weight["anyOf"]
    assert mechanisms["items"]["enum"] and "wpm: " in mechanisms["description"]


def test_older_files_and_files_of_another_kind_do_not_fit() -> None:
    content = file_of("ring.outputs", VIEWS["ring.outputs"].example)
    assert not validator("ring.base").is_valid(content)
    assert not validator("ring.outputs").is_valid(content | {"schema": 1})
