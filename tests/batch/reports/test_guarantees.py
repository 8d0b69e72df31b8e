"""The table of promises agrees with the code: public names, proofs, audits, and what running every kind discloses."""

from __future__ import annotations

import importlib
import inspect
from pathlib import Path

import pytest

import dpot_core as dpot
from dpot_app.batch.reports.guarantees import EXPORTS, markdown
from dpot_app.batch.reports.promise import Promised
from dpot_app.batch.reports.promised import MECHANISMS, RELEASE_NOTHING
from dpot_app.batch.scenarios import VIEWS
from dpot_core.privacy.guarantees import NEIGHBOURS
from tests.batch.scenarios.outcomes import by_day, outcome_of

ROOT = Path(__file__).resolve().parents[3]


def test_the_document_is_that_of_the_code() -> None:
    assert (ROOT / "docs" / "guarantees.md").read_text(encoding="utf-8") == markdown()


def test_every_public_name_of_the_mechanisms_is_in_one_place() -> None:
    public = {
        name
        for door in (dpot, dpot.metric, dpot.central, dpot.continuous, dpot.results)
        for name in door.__all__
        if getattr(getattr(door, name), "__module__", "").startswith(
            ("dpot_core.mechanisms", "dpot_core.privacy.releases", "dpot_core.privacy.gaussian_promises")
        )
    }
    named = [name for row in MECHANISMS for name in row.names]
    assert len(named) == len(set(named)) and not set(named) & RELEASE_NOTHING
    assert public == {*named, *RELEASE_NOTHING}


def found(dotted: str) -> object:
    """A module, or a name in one."""
    try:
        return importlib.import_module(f"dpot_core.{dotted}")
    except ModuleNotFoundError:
        module, _, name = dotted.rpartition(".")
        return getattr(importlib.import_module(f"dpot_core.{module}"), name)


@pytest.mark.parametrize("row", MECHANISMS, ids=lambda row: row.names[0])
def test_proofs_and_audits_are_there(row: Promised) -> None:
    assert set(row.neighbours) <= NEIGHBOURS.keys()
    if not row.proof:
        assert "NOT proven" in row.excluded
        return
    words = " ".join(inspect.getdoc(found(name)) or "" for name in row.proof).lower()
    assert len(words) > 200
    assert any(word in words for word in ("priva", "epsilon", "sensitivity", "-ldp", "the promise")), (
        "the proof speaks of privacy"
    )
    if row.audit:
        file, name = row.audit.split("::")
        assert f"def {name}(" in (ROOT / file).read_text(encoding="utf-8")


def test_every_kind_is_an_export() -> None:
    assert list(EXPORTS) == list(VIEWS)


@pytest.mark.parametrize("key", by_day(EXPORTS))
def test_running_a_kind_discloses_what_the_table_says(key: str) -> None:
    disclosure = outcome_of(key).disclosure
    status, released = EXPORTS[key]
    assert (disclosure.status, bool(disclosure.parts)) == (status, bool(released))
    if len(disclosure.parts) > 1 and disclosure.guarantee is not None:
        together = disclosure.guarantee.weakest.epsilon
        assert together >= max(promise.weakest.epsilon for _, promise in disclosure.parts)
