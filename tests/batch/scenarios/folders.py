"""What a run leaves in its folder, against what it gave."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from dpot_app.batch import scenarios


def same_table(read: pd.DataFrame, table: pd.DataFrame, name: str) -> None:
    assert list(read.columns) == [str(column) for column in table.columns], name
    for at, column in enumerate(table.columns):
        values = table.iloc[:, at]
        if values.dtype.kind in "fi":
            np.testing.assert_allclose(read[str(column)], values, rtol=0, atol=1e-12, err_msg=f"{name} {column}")
        else:
            assert (
                read[str(column)].astype(object).fillna("").astype(str).tolist()
                == values.astype(object).fillna("").astype(str).tolist()
            ), name


def holds(folder: Path, outcome: scenarios.Outcome) -> None:
    """The folder holds every number of the outcome to 1e-12, the promise, and the scenario itself."""
    numbers: dict[str, Any] = json.loads((folder / "numbers.json").read_text(encoding="utf-8"))
    disclosure = outcome.disclosure
    assert numbers["config"]["headlines"] == disclosure.mark_numbers(outcome.headlines)
    assert numbers["config"]["promise"]["words"] == list(disclosure.sentences())
    for name, table in outcome.marked().items():
        same_table(pd.read_csv(folder / f"{name}.csv"), table, name)
        assert list(numbers["tables"][name]) == [str(column) for column in table.columns]
    said, other = ("guarantee.txt", "no-release.txt") if disclosure.parts else ("no-release.txt", "guarantee.txt")
    assert (folder / said).read_text(encoding="utf-8") == "\n".join(disclosure.sentences()) + "\n"
    assert not (folder / other).exists()
    assert scenarios.read((folder / "scenario.yaml").read_bytes()) == (outcome.scenario,)
