"""What is changed in Streamlit: only what it was written for, once, and what happens with another version."""

from __future__ import annotations

import dataclasses
import logging
from typing import Any

import pytest
from starlette.formparsers import MultiPartParser
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.scriptrunner_utils.script_run_context import ScriptRunContext

from dpot_app.shell.streamlit_patches import LATE_REPORTS, SESSION_LOCK, UPLOADS, Patch, digest
from dpot_app.shell.worded import HISTORY


class Theirs:
    def method(self) -> str:
        return "theirs"


def ours(present: Any) -> Any:
    def method(self: Theirs) -> str:
        return f"ours, then {present(self)}"

    return method


@pytest.fixture
def patch(monkeypatch: pytest.MonkeyPatch) -> Patch:
    monkeypatch.setattr(Theirs, "method", vars(Theirs)["method"])  # what is changed is put back
    return Patch(Theirs, "method", digest(Theirs.method), "something is lost", "", ours)


@pytest.mark.parametrize("one", [UPLOADS, LATE_REPORTS, SESSION_LOCK], ids=lambda one: one.name)
def test_every_change_was_written_for_what_is_installed(one: Patch) -> None:
    one.apply()
    present = vars(one.owner)[one.name]
    assert digest(present.__wrapped__) == one.source
    one.apply()
    assert vars(one.owner)[one.name] is present, "once"


def test_streamlit_says_that_back_asks_for_a_run() -> None:
    assert hasattr(ScriptRunContext, HISTORY)


def test_uploads_stay_in_memory() -> None:
    """That app.py draws the pages is tested in ``test_pages.py``, in a process of its own."""
    assert MultiPartParser.spool_max_size == 0 and hasattr(MemoryUploadedFileManager.add_file, "__wrapped__")


def test_a_method_that_is_as_expected_is_replaced_and_called_by_what_replaces_it(patch: Patch) -> None:
    patch.apply()
    patch.apply()
    assert Theirs().method() == "ours, then theirs"


@pytest.mark.parametrize("other", [{"source": "0" * 16}, {"name": "method_of_tomorrow"}], ids=["changed", "gone"])
def test_with_another_version_a_change_is_left_out_and_said(
    patch: Patch, other: dict[str, str], caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING, logger="dpot_app"):
        dataclasses.replace(patch, **other).apply()
    assert Theirs().method() == "theirs"
    assert "something is lost" in caplog.text and "of Streamlit 1." in caplog.text


def test_the_patch_that_keeps_files_from_the_disk_is_required(patch: Patch, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        dataclasses.replace(patch, source="0" * 16, needed=True).apply()
    said = capsys.readouterr().err
    assert (
        ended.value.code == 2 and said.startswith("dpot: error: Theirs.method of Streamlit") and "requirements" in said
    )
