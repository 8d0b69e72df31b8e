"""Files and folders that are written whole or not at all: whatever goes wrong, whenever it does, through no link."""

from __future__ import annotations

import errno
import os
import platform
import stat
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from dpot_core.datasets import writing
from dpot_core.datasets.writing import RefusedError, checked, clear, extended, replaced, write

OLD, NEW = {"numbers": b"old", "promise": b"old"}, {"numbers": b"new", "extra/more": b"new"}
#: What touches the disk.
CALLS = ("mkdir", "fsync", "chmod", "replace", "rename")
posix = pytest.mark.skipif(os.name != "posix", reason="POSIX only")


def nothing(_: Path) -> None:
    """Whatever is there may go."""


def held(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def filled(folder: Path, contents: dict[str, bytes]) -> Path:
    for name, content in contents.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    return folder


def put_new(folder: Path) -> None:
    with replaced(folder, nothing) as put:
        for name, content in NEW.items():
            assert put(name, content) == folder / name


def write_new(folder: Path) -> None:
    write(folder, {"numbers": b"new", "other": b"new"}, without=("promise", "other"))


@contextmanager
def going_wrong(at: int, fault: Callable[[], object], *, after: bool) -> Iterator[list[int]]:
    """The call of the disk with this number, counted from 0, does not succeed, or is the last that does."""
    calls = [0]

    def touched(call: Callable[..., Any], *given: Any, **more: Any) -> Any:
        now, calls[0] = calls[0], calls[0] + 1
        if now == at and not after:
            fault()
        try:
            return call(*given, **more)
        finally:
            if now == at and after:
                fault()

    with pytest.MonkeyPatch.context() as patch:
        for name in CALLS:
            real = getattr(os, name)
            patch.setattr(os, name, lambda *given, call=real, **more: touched(call, *given, **more))
        yield calls


def raising(problem: BaseException) -> Callable[[], None]:
    def fault() -> None:
        raise problem

    return fault


FULL, INTERRUPTED = OSError(errno.ENOSPC, "No space left on device"), KeyboardInterrupt()


@pytest.mark.parametrize("begun", [OLD, None], ids=["an earlier folder", "none"])
@pytest.mark.parametrize(("problem", "after"), [(FULL, False), (INTERRUPTED, False), (INTERRUPTED, True)])
def test_a_folder_is_the_old_or_the_new_wherever_it_goes_wrong(
    begun: dict[str, bytes] | None, problem: BaseException, after: bool, tmp_path: Path
) -> None:
    seen = set()
    for at in count():
        above = tmp_path / f"{at}"
        above.mkdir()
        folder = above / "a" / "out" if begun is None else filled(above / "out", begun)
        with going_wrong(at, raising(problem), after=after) as calls, suppress(OSError, KeyboardInterrupt):
            put_new(folder)
        whole = held(folder) == NEW
        assert whole or (held(folder) == begun if begun else not any(above.iterdir())), at
        assert not [*above.rglob(".dpot-*")], at
        seen.add(whole)
        if calls[0] <= at:
            break
    assert at > 15 and whole and seen == {False, True}


@pytest.mark.parametrize(("problem", "after"), [(FULL, False), (INTERRUPTED, False)])
def test_files_that_belong_together_are_all_written_before_one_has_its_name(
    problem: BaseException, after: bool, tmp_path: Path
) -> None:
    new = {"numbers": b"new", "other": b"new"}
    for at in count():
        folder = filled(tmp_path / f"{at}", OLD)
        with going_wrong(at, raising(problem), after=after) as calls, suppress(OSError, KeyboardInterrupt):
            write_new(folder)
        # Between the names the promise is gone already: an old one never stands beside new numbers.
        assert held(folder) in (OLD, {"numbers": b"old"}, {"numbers": b"new"}, new), at
        assert held(folder) == OLD or at > 1, at
        if calls[0] <= at:
            break
    assert held(folder) == new


@pytest.mark.slow
@posix
@pytest.mark.parametrize("after", [False, pytest.param(True, marks=pytest.mark.nightly)])
def test_a_process_that_is_killed_loses_nothing(after: bool, tmp_path: Path) -> None:
    absent = 0
    for at in count():
        folder = filled(tmp_path / f"{at}" / "out", OLD)
        child = os.fork()
        if not child:
            with going_wrong(at, lambda: os._exit(9), after=after):
                put_new(folder)
            os._exit(0)
        ended = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        absent += not folder.exists()
        clear(folder.parent)
        assert held(folder) in (OLD, NEW) and [*folder.parent.iterdir()] == [folder], at
        if not ended:
            break
    assert absent == 2, "between two names, where it was put back"
    assert held(folder) == NEW


@posix
def test_files_that_others_are_writing_are_left_alone(tmp_path: Path) -> None:
    alive, elsewhere = f".dpot-{platform.node()}-{os.getppid()}-0", ".dpot-else-where-1-0"
    for name in (alive, elsewhere, ".dpotted"):
        (tmp_path / name).mkdir()
    clear(tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {alive, elsewhere, ".dpotted"}
    week = time.time() - 8 * 86_400
    os.utime(tmp_path / elsewhere, (week, week))
    clear(tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {alive, ".dpotted"}


@posix
def test_links_are_not_followed(tmp_path: Path) -> None:
    mine = filled(tmp_path / "mine", {"file": b"mine"})
    folder = tmp_path / "out"
    folder.mkdir()
    for name, target in {"numbers": mine / "file", "other": mine / "none", "promise": mine / "file"}.items():
        (folder / name).symlink_to(target)
    write_new(folder)
    assert held(folder) == {"numbers": b"new", "other": b"new"} and held(mine) == {"file": b"mine"}
    assert not (folder / "numbers").is_symlink()
    (folder / "extra").symlink_to(mine)
    put_new(folder)
    assert held(folder) == NEW and held(mine) == {"file": b"mine"}


def foreign(folder: Path) -> Path | None:
    return next((path for path in folder.iterdir() if path.name not in {*OLD, "extra"}), None)


@posix
def test_files_that_cannot_be_replaced_are_refused_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "link").symlink_to(filled(tmp_path / "old", OLD))
    (tmp_path / "dangling").symlink_to("nowhere")
    (tmp_path / "circle").symlink_to("circle")
    filled(tmp_path / "theirs", OLD | {"thesis.tex": b""})
    before = held(tmp_path)
    for name, words in {
        "file": "file: is a file, and must be a folder",
        "link": "link: is a symbolic link, which is not followed",
        "dangling": "dangling: is a symbolic link",
        "circle": "circle: is a symbolic link",
        "theirs": "theirs/thesis.tex: does not belong to what is written there",
        ".": "is the present folder, or holds it",
        "..": "is the present folder, or holds it",
    }.items():
        monkeypatch.chdir(tmp_path / "old" if name.startswith(".") else "/")
        given = Path(name) if name.startswith(".") else tmp_path / name
        with pytest.raises(RefusedError, match=words), replaced(given, foreign):
            pytest.fail("something was computed")
        if "link" in words or "file, and" in words:
            with pytest.raises(RefusedError, match=words):
                extended(given)
    monkeypatch.chdir("/")
    with pytest.raises(OSError, match="circle") as refused, replaced(tmp_path / "circle" / "out", foreign):
        pytest.fail("something was computed")
    assert refused.value.filename == str(tmp_path / "circle")
    monkeypatch.setattr(os.path, "ismount", lambda _: True)
    with pytest.raises(RefusedError, match="is a file system of its own"), replaced(tmp_path / "old", foreign):
        pytest.fail("something was computed")
    assert held(tmp_path) == before


def test_files_that_appear_meanwhile_are_not_lost(tmp_path: Path) -> None:
    folder = filled(tmp_path / "out", OLD)
    with pytest.raises(RefusedError, match=r"out/thesis\.tex: does not belong"), replaced(folder, foreign) as put:
        put("numbers", b"new")
        (folder / "thesis.tex").write_bytes(b"theirs")
    assert held(folder) == OLD | {"thesis.tex": b"theirs"} and [*tmp_path.iterdir()] == [folder]
    with pytest.raises(RefusedError, match="late: is a file"), replaced(tmp_path / "late", foreign) as put:
        put("numbers", b"new")
        (tmp_path / "late").write_bytes(b"theirs")
    assert (tmp_path / "late").read_bytes() == b"theirs"


@posix
def test_a_new_folder_is_no_more_open_than_the_one_it_replaces(tmp_path: Path) -> None:
    folder = filled(tmp_path / "out", OLD)
    for mode in (0o700, 0o750):
        folder.chmod(mode)
        put_new(folder)
        assert stat.S_IMODE(folder.stat().st_mode) == mode
    umask = os.umask(0)
    os.umask(umask)
    put_new(tmp_path / "fresh")
    assert stat.S_IMODE((tmp_path / "fresh").stat().st_mode) == 0o777 & ~umask
    assert stat.S_IMODE((tmp_path / "fresh" / "numbers").stat().st_mode) == 0o666 & ~umask


@pytest.mark.slow
@posix
def test_processes_at_a_time_leave_one_s_files_whole(tmp_path: Path) -> None:
    folder, pair = tmp_path / "out", tmp_path / "pair"
    pair.mkdir()
    children = []
    for number in range(4):
        if not (child := os.fork()):
            writing._sync = lambda _: None  # type: ignore[assignment]  # a slow disk is no part of this
            os.fsync = lambda _: None
            failed = 1
            with suppress(BaseException):
                for again in range(30):
                    mine = b"%d %d" % (number, again)
                    with replaced(folder, nothing) as put:
                        for name in (f"of-{number}", "one", "two"):
                            put(name, mine)
                    write(pair, {"one": mine, "two": mine}, without=("one", "two"))
                failed = 0
            os._exit(failed)
        children.append(child)
    assert [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children] == [0] * 4
    for found in (held(folder), held(pair)):
        assert len({*found.values()}) == 1
    assert len(held(folder)) == 3 and {*tmp_path.iterdir()} == {folder, pair}


@contextmanager
def not_root() -> Iterator[None]:
    """Root writes everywhere: for a while this process is another user."""
    root = os.geteuid() == 0
    if root:
        os.seteuid(65534)
    try:
        yield
    finally:
        if root:
            os.seteuid(0)


@posix
def test_a_read_only_folder_is_named_at_once() -> None:
    # Where other users come in, too.
    with tempfile.TemporaryDirectory() as above:
        os.chmod(above, 0o755)
        _refuses(filled(Path(above) / "a" / "out", OLD))


def _refuses(folder: Path) -> None:
    folder.chmod(0o555)
    folder.parent.chmod(0o777)
    with not_root():
        for place in (folder, folder / "new", folder / "new" / "er"):
            with pytest.raises(PermissionError) as refused, replaced(place, nothing):
                pytest.fail("something was computed")
            assert refused.value.filename == str(place if place == folder else place.parent)
        for check in (checked, extended):
            with pytest.raises(PermissionError) as refused:
                check(folder)
            assert refused.value.filename == str(folder)
    folder.parent.chmod(0o555)
    with not_root(), pytest.raises(PermissionError) as refused, replaced(folder, nothing):
        pytest.fail("something was computed")
    assert refused.value.filename == str(folder.parent), "where the new one begins"
    for path in (folder, folder.parent):
        path.chmod(0o755)
    assert held(folder) == OLD


def test_an_error_names_the_file_that_was_to_be_written(tmp_path: Path) -> None:
    folder = filled(tmp_path / "out", OLD)
    for number, name in enumerate(("numbers", "other")):
        with going_wrong(number, raising(FULL), after=False), pytest.raises(OSError, match="No space") as full:
            write(folder, {"numbers": b"new", "other": b"new"})
        assert (full.value.errno, full.value.filename) == (errno.ENOSPC, str(folder / name))
    (folder / "taken").mkdir()
    with pytest.raises(IsADirectoryError) as refused:
        write(folder, {"taken": b"new"})
    assert refused.value.filename == str(folder / "taken") and held(folder) == OLD
