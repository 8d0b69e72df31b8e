"""Everything that can be run: what a page shows, kept as a file, run from the command line, compared on the board."""

from dpot_core.scenarios.comparison import Row, number_rows, settings_rows
from dpot_core.scenarios.documents import read, read_value, value_text, write
from dpot_core.scenarios.figures import picture
from dpot_core.scenarios.json_schema import json_schema
from dpot_core.scenarios.scenario import (
    Outcome,
    Scenario,
    by_tag,
    describe_data,
    missing,
    not_here,
    outcome,
    run,
    spread,
)
from dpot_core.scenarios.sensitivity import Sensitivity, sensitivity, variations
from dpot_core.scenarios.together import together
from dpot_core.studies._kit.values import ScenarioError, get, leaves, put
from dpot_core.studies._kit.view import Files
from dpot_core.studies.table import VIEWS
