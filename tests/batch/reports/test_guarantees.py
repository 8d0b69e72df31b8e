"""The table of promises agrees with the code: public names, proofs, audits, and what running every kind discloses."""

from __future__ import annotations

import importlib
import inspect
import re
from pathlib import Path

import pytest

import dpot_core as dpot
from dpot_app.batch.reports.guarantees import EXPORTS, markdown
from dpot_app.batch.reports.promise import Promised
from dpot_app.batch.reports.promised import PROMISED
from dpot_app.batch.scenarios import VIEWS
from dpot_core.privacy.guarantees import NEIGHBOURS
from tests.batch.scenarios.outcomes import by_day, outcome_of

ROOT = Path(__file__).resolve().parents[3]

#: Public names of the mechanisms' modules that release nothing: results, options, queries, budgets, bounds, decoders,
#: and what is computed without privacy.
RELEASE_NOTHING = frozenset(
    (
        *("BallRegion", "BoostedDensity", "Claim", "ClusteredSpace", "CoresetBarycenter", "CostOptions"),
        *("DensityFamily", "DiscreteGuarantee", "EntropicProjection", "ExactProjection", "FrequencyEstimate"),
        *("FrequencyOracle", "FrequencyRelease", "FrequencyTask", "GaussianFamily", "GaussianMixture", "Iteration"),
        *("LineProjection", "LinearQuery", "LinearRelease", "Lipschitz", "Lloyd", "Mechanism", "MetricNoise"),
        *("NoisySinkhorn", "OptimalKernel", "PairProtection", "Perturbation", "PerturbedBarycenter", "PrivateCost"),
        *("PrivateDensity", "PrivateKMeans", "PrivateMeasure", "Protection", "Public", "ReferenceBarycenter"),
        *("Remapped", "Rounds", "Search", "ShuffledPromise", "SphereBase", "Training", "Trials", "Tuned"),
        *(
            "achieved_rate",
            "atoms_distance",
            "average_distance",
            "barycenter",
            "best_item_rate",
            "certified_rate",
            "choice_error",
        ),
        *("clamp_to_box", "closed_form_rate", "composition_rate", "counts_of", "crossover_order"),
        *("decode_randomized_response", "earth_mover_guarantee", "earth_movers_distance", "embedding_similarity"),
        *("estimate_frequencies", "exact_projection_lp", "exponential_history_items", "gaussian_mixture_family"),
        *("gaussian_reference", "gaussian_ring_family", "gaussian_slack", "gkrr_bound", "greedy_spanner"),
        *("hadamard_bound", "hard_region", "item_epsilon", "item_rate", "laplace_bound", "laplace_scale"),
        *("largest_item_rate", "likely_histogram", "linear_query", "lipschitz", "mean_position"),
        *("metric_laplace_scale", "minimax_base_kl", "one_item_budget", "one_item_rate", "optimal_chunks"),
        *("planar_laplace_radius", "prior_family", "protection_rate", "random_item_budget", "random_item_rate"),
        *("sample_one", "samples_needed", "share_among_cells", "shared_histograms", "smoothed_region"),
        *("tune_sinkhorn", "unit_distances"),
    )
)


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
    named = [name for row in PROMISED for name in row.names]
    assert len(named) == len(set(named)) and not set(named) & RELEASE_NOTHING
    assert public == {*named, *RELEASE_NOTHING}


def found(dotted: str) -> object:
    """A module, or a name in one."""
    try:
        return importlib.import_module(f"dpot_core.{dotted}")
    except ModuleNotFoundError:
        module, _, name = dotted.rpartition(".")
        return getattr(importlib.import_module(f"dpot_core.{module}"), name)


def proof(name: str) -> str:
    """What a file of proofs says, or a docstring."""
    return (ROOT / name).read_text(encoding="utf-8") if name.endswith(".md") else inspect.getdoc(found(name)) or ""


@pytest.mark.parametrize("file", sorted((ROOT / "docs" / "proofs").glob("*.md")), ids=lambda file: file.stem)
def test_docstrings_and_files_of_proofs_name_each_other(file: Path) -> None:
    about = re.findall("^## `([^`]+)`$", file.read_text(encoding="utf-8"), re.MULTILINE)
    assert about
    for name in about:
        assert f"docs/proofs/{file.name}" in (inspect.getdoc(found(name)) or ""), name


def test_every_file_of_proofs_that_is_named_is_there() -> None:
    sources = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "dpot_core").rglob("*.py"))
    named = set(re.findall(r"docs/proofs/(\w+\.md)", sources))
    assert named == {file.name for file in (ROOT / "docs" / "proofs").glob("*.md")}


@pytest.mark.parametrize("row", PROMISED, ids=lambda row: row.names[0])
def test_proofs_and_audits_are_there(row: Promised) -> None:
    assert set(row.neighbours) <= NEIGHBOURS.keys()
    if not row.proof:
        assert "NOT proven" in row.excluded
        return
    words = " ".join(proof(name) for name in row.proof).lower()
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
