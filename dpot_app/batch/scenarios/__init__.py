"""Everything that can be run: what a page shows, kept as a file, run from the command line, compared on the board."""

from dpot_app.batch.scenarios.comparison import Row, number_rows, settings_rows
from dpot_app.batch.scenarios.documents import read, read_value, value_text, write
from dpot_app.batch.scenarios.figures import picture
from dpot_app.batch.scenarios.json_schema import json_schema
from dpot_app.batch.scenarios.scenario import (
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
from dpot_app.batch.scenarios.sensitivity import Sensitivity, sensitivity, variations
from dpot_app.batch.scenarios.together import together
from dpot_app.kit.values import ScenarioError, get, leaves, put
from dpot_app.kit.view import Files
from dpot_app.views.table import VIEWS
