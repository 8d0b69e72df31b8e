"""What a run leaves behind: the names and the texts of its files."""

from dpot_core.exports import csv_safe, to_json
from dpot_core.scenarios.documents import write
from dpot_core.scenarios.scenario import Outcome


def texts(outcome: Outcome) -> dict[str, str]:
    """Tables, numbers, promise, Python and the scenario itself, by the name of the file.

    A guarantee is there only where something is released, and says what of the files it covers.
    """
    scenario, disclosure = outcome.scenario, outcome.disclosure
    tables = outcome.marked()
    about = {
        "kind": scenario.kind,
        "title": scenario.title,
        "settings": scenario.config,
        "headlines": disclosure.mark_numbers(outcome.headlines),
        "promise": disclosure.described(),
    }
    return {f"{name}.csv": csv_safe(table) for name, table in tables.items()} | {
        "numbers.json": to_json(tables, about),
        ("guarantee.txt" if disclosure.parts else "no-release.txt"): "\n".join(disclosure.sentences()) + "\n",
        "snippet.py": scenario.view.python(scenario.config),
        "scenario.yaml": write([scenario]),
    }
