"""Epsilons of known public deployments, each with its source: ``data/deployments.csv``."""

from __future__ import annotations

import csv
from dataclasses import dataclass

from dpot_core.datasets.embedded import embedded

_NAME = "deployments.csv"

#: Where noise is added: on each person's device, by the holder of the data, or by a server that sees sums only.
MODELS = ("local", "central", "federated")


@dataclass(frozen=True)
class Deployment:
    """One deployment as its source states it.

    Attributes:
        organisation: who deployed it.
        product: what is released.
        year: of the deployment or of the source.
        model: one of `MODELS`.
        epsilon: as stated; the largest of several.
        epsilon_low: the smallest of several, or None.
        delta: as stated, 0 for pure differential privacy, None if the source does not state it.
        unit: what is protected: neighbours differ in this.
        period: for what time the epsilon is; more time adds more.
        mechanism: how noise is added.
        source: citation.
        url: of the source.
    """

    organisation: str
    product: str
    year: int
    model: str
    epsilon: float
    epsilon_low: float | None
    delta: float | None
    unit: str
    period: str
    mechanism: str
    source: str
    url: str

    @property
    def epsilon_text(self) -> str:
        """Epsilon as its source has it: a number or a range."""
        return f"{self.epsilon:g}" if self.epsilon_low is None else f"{self.epsilon_low:g} to {self.epsilon:g}"

    @property
    def delta_text(self) -> str:
        """Delta as its source has it."""
        return "not stated" if self.delta is None else f"{self.delta:g}"


def load_deployments() -> tuple[Deployment, ...]:
    """Read the table.

    Returns:
        The deployments, by organisation and year.

    Raises:
        ValueError: names the row that misses what it needs.
    """
    with embedded("data", _NAME).open(encoding="utf-8") as file:
        return tuple(_row(number, row) for number, row in enumerate(csv.DictReader(file), start=2))


def _row(number: int, row: dict[str, str]) -> Deployment:
    for column in ("organisation", "product", "unit", "period", "mechanism", "source", "url"):
        if not row[column].strip():
            raise ValueError(f"{column} must not be empty; line {number} of {_NAME} has none")
    if row["model"] not in MODELS:
        raise ValueError(f"model must be one of {', '.join(MODELS)}; line {number} of {_NAME} has {row['model']!r}")
    return Deployment(
        organisation=row["organisation"],
        product=row["product"],
        year=int(row["year"]),
        model=row["model"],
        epsilon=float(row["epsilon"]),
        epsilon_low=float(row["epsilon_low"]) if row["epsilon_low"] else None,
        delta=float(row["delta"]) if row["delta"] else None,
        unit=row["unit"],
        period=row["period"],
        mechanism=row["mechanism"],
        source=row["source"],
        url=row["url"],
    )
