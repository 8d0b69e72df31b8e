"""The settings of a kind as JSON Schema: editors complete and check scenario files with it."""

from __future__ import annotations

import dataclasses
import types
from typing import Any, Union, get_args, get_origin

from dpot_core.scenarios.documents import DIGEST, MOST_SCENARIOS, SCHEMA
from dpot_core.studies._kit.setting import Declared
from dpot_core.studies._kit.values import Path, get, hints_of, path_text, to_plain
from dpot_core.studies._kit.view import View

Schema = dict[str, Any]

_TYPES = {str: "string", int: "integer", float: "number", bool: "boolean", type(None): "null"}


def json_schema(kind: View) -> Schema:
    """JSON Schema (draft 2020-12) of a scenario file all of whose scenarios are of one kind, for `json.dumps`.

    What it refuses, reading refuses too. Requirements that tie settings together are checked when the file is read.
    """
    digest = {"type": "string", "pattern": f"^{DIGEST.pattern}$"}
    data = {"type": "object", "additionalProperties": digest, "description": "Files and data sets by their digest."}
    scenario = _mapping(
        {
            "kind": {"const": kind.key, "description": f"{kind.page}: {kind.title}"},
            "title": {"type": "string", "default": kind.title},
            "config": _settings(kind, kind.settings, ()),
            "data": data,
        },
        optional=("data",),
    )
    scenarios = {"type": "array", "minItems": 1, "maxItems": MOST_SCENARIOS, "items": scenario}
    file = _mapping({"schema": {"const": SCHEMA}, "scenarios": scenarios})
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"{kind.page}: {kind.title} ({kind.key})",
    } | file


def _mapping(properties: dict[str, Schema], optional: tuple[str, ...] = ()) -> Schema:
    required = [name for name in properties if name not in optional]
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


def _settings(kind: View, group: type[Any], path: Path) -> Schema:
    fields = {name: _field(kind, hint, (*path, name)) for name, hint in hints_of(group).items()}
    return _mapping(fields, optional=tuple(fields))


def _field(kind: View, hint: Any, path: Path) -> Schema:
    if dataclasses.is_dataclass(hint) and isinstance(hint, type):
        return _settings(kind, hint, path)
    name = path_text(path)
    allowed = kind.declared.get(name, Declared(name))
    said = [allowed.help] if allowed.help else []
    said += [f"{value}: {label}" for value, label in (allowed.options or {}).items()]
    if allowed.empty is not None:
        said.append(f"null: {allowed.empty}")
    described = {"description": "\n".join(said)} if said else {}
    return {"title": allowed.label} | described | _value(hint, allowed) | {"default": to_plain(get(kind.example, name))}


def _value(hint: Any, allowed: Declared) -> Schema:
    """What a value of one annotation may be, bounds and options included."""
    origin, arguments = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        return {"anyOf": [_value(argument, allowed) for argument in arguments]}
    if origin is tuple and len(arguments) == 2 and arguments[1] is Ellipsis:
        return {"type": "array", "items": _value(arguments[0], allowed)}
    if origin is tuple:
        entries = [_value(argument, allowed) for argument in arguments]
        return {"type": "array", "prefixItems": entries, "minItems": len(entries), "maxItems": len(entries)}
    schema: Schema = {"type": _TYPES[hint]}
    if hint is str and allowed.options is not None:
        schema["enum"] = list(allowed.options)
    if hint in (int, float):
        bounds = {"minimum": allowed.low, "maximum": allowed.high}
        schema |= {name: bound for name, bound in bounds.items() if bound is not None}
    return schema
