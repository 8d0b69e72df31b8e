"""The settings of a kind as JSON Schema: editors complete and check scenario files with it."""

from typing import Any

import pydantic

from dpot_app.batch.scenarios.documents import DIGEST, MOST_SCENARIOS, SCHEMA
from dpot_app.batch.scenarios.scenario import LONGEST_QUESTION, LONGEST_REASON, LONGEST_TITLE
from dpot_app.batch.tags import TAG
from dpot_app.kit.values import to_plain
from dpot_app.kit.view import View

Schema = dict[str, Any]


def json_schema(kind: View) -> Schema:
    """JSON Schema (draft 2020-12) of a scenario file all of whose scenarios are of one kind, for `json.dumps`.

    What it refuses, reading refuses too. Requirements that tie settings together are checked when the file is read.
    """
    config = pydantic.TypeAdapter(kind.settings).json_schema()
    groups = config.pop("$defs", {})
    for group in (config, *groups.values()):
        group.pop("required", None)  # what a file lacks is as in the example
    for name, begin in to_plain(kind.example).items():
        config["properties"][name]["default"] = begin
    digest = {"type": "string", "pattern": f"^{DIGEST.pattern}$"}
    known = {"type": "string", "pattern": f"^({TAG.pattern}|{DIGEST.pattern})$"}
    data = {
        "type": "object",
        "properties": dict.fromkeys(kind.data_sets, digest),
        "additionalProperties": known,
        "description": "Your own files by their tag, or by their SHA-256; public data sets by their digest.",
    }
    scenario = _mapping(
        {
            "kind": {"const": kind.key, "description": f"{kind.page}: {kind.title}"},
            "title": {"type": "string", "default": kind.title},
            "config": config,
            "data": data,
            "chosen": {"type": "string", "maxLength": LONGEST_REASON, "description": "Why it was chosen."},
            "mechanism": {
                "type": "string",
                "maxLength": LONGEST_TITLE,
                "description": "The one that is released with.",
            },
            "question": {
                "type": "string",
                "maxLength": LONGEST_QUESTION,
                "description": "The utility that has to be possible.",
            },
        },
        optional=("data", "chosen", "mechanism", "question"),
    )
    scenarios = {"type": "array", "minItems": 1, "maxItems": MOST_SCENARIOS, "items": scenario}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"{kind.page}: {kind.title} ({kind.key})",
        **_mapping({"schema": {"enum": [2, 3, 4, 5, SCHEMA]}, "scenarios": scenarios}),
        "$defs": groups,
    }


def _mapping(properties: dict[str, Schema], optional: tuple[str, ...] = ()) -> Schema:
    required = [name for name in properties if name not in optional]
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}
