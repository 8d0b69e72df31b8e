"""Everything that can be run: what a page shows, kept as a file, run from the command line, compared on the board."""

from dpot_core.scenarios.documents import MOST_BYTES, MOST_SCENARIOS, SCHEMA, read, write
from dpot_core.scenarios.kinds import Allowed, Files, Found, Kind, Progress
from dpot_core.scenarios.scenario import Outcome, Scenario, by_digest, describe_data, missing, outcome, run
from dpot_core.scenarios.table import KINDS
from dpot_core.scenarios.values import ScenarioError, describe, get, hint_at, leaves, put

__all__ = [
    "KINDS",
    "MOST_BYTES",
    "MOST_SCENARIOS",
    "SCHEMA",
    "Allowed",
    "Files",
    "Found",
    "Kind",
    "Outcome",
    "Progress",
    "Scenario",
    "ScenarioError",
    "by_digest",
    "describe",
    "describe_data",
    "get",
    "hint_at",
    "leaves",
    "missing",
    "outcome",
    "put",
    "read",
    "run",
    "write",
]
