"""Record the numbers anew: ``python -m dpot_app.views.papers.record [ID ...]``, or `make papers`."""

import json
import sys
from dataclasses import asdict
from pathlib import Path

from dpot_app.views.papers.computing import computed
from dpot_app.views.papers.index import FILE, ROWS
from dpot_core.datasets import DatasetMissing
from dpot_core.datasets.writing import write


def record(keys: list[str]) -> None:
    """Compute these rows (all without a name) and keep what comes out; what no row has any more is dropped."""
    path = Path(str(FILE))
    before = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    rows = {key: row for key, row in ROWS.items() if row.compute is not None}
    for row, found in computed([row for key, row in rows.items() if key in keys or not keys or key not in before]):
        if isinstance(found, DatasetMissing):
            raise found
        numbers = {name: asdict(number) for name, number in found.items()}
        before[row.key] = {"version": row.version, "seed": row.seed, "numbers": numbers}
    # A line for each row, so that a change shows where it is.
    entries = [f"{json.dumps(key)}: {json.dumps(before[key], ensure_ascii=False)}" for key in rows]
    write(path.parent, {path.name: ("{\n" + ",\n".join(entries) + "\n}\n").encode()})


if __name__ == "__main__":
    record(sys.argv[1:])
