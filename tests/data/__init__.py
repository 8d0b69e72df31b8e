"""Known answers that tests compare with."""

import json
from pathlib import Path
from typing import Any


def load(name: str) -> Any:
    """A JSON file of this folder."""
    return json.loads((Path(__file__).parent / name).read_text(encoding="utf-8"))
