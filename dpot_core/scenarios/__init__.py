"""Everything that can be run: what a page shows, kept as a file, run from the command line, compared on the board."""

from dpot_core.scenarios.comparison import Row, allowed_of, number_rows, settings_rows, show
from dpot_core.scenarios.documents import MOST_BYTES, MOST_SCENARIOS, SCHEMA, read, read_value, value_text, write
from dpot_core.scenarios.json_schema import json_schema
from dpot_core.scenarios.pictures import picture
from dpot_core.scenarios.scenario import Outcome, Scenario, by_digest, describe_data, missing, outcome, run
from dpot_core.scenarios.sensitivity import Sensitivity, Variation, sensitivity, variations
from dpot_core.scenarios.together import Together, together
from dpot_core.studies._kit.values import ScenarioError, describe, get, hint_at, leaves, put
from dpot_core.studies._kit.view import Files, Results
from dpot_core.studies.table import VIEWS

__all__ = [
    "MOST_BYTES",
    "MOST_SCENARIOS",
    "SCHEMA",
    "VIEWS",
    "Files",
    "Outcome",
    "Results",
    "Row",
    "Scenario",
    "ScenarioError",
    "Sensitivity",
    "Together",
    "Variation",
    "allowed_of",
    "by_digest",
    "describe",
    "describe_data",
    "get",
    "hint_at",
    "json_schema",
    "leaves",
    "missing",
    "number_rows",
    "outcome",
    "picture",
    "put",
    "read",
    "read_value",
    "run",
    "sensitivity",
    "settings_rows",
    "show",
    "together",
    "value_text",
    "variations",
    "write",
]
