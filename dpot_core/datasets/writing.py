"""Files and folders that are written whole or not at all: what stood there stays until the new is on the disk.

No symbolic link is followed: what has the name of a new file gives way to it, where that is allowed. An error names the
file that was to be written. What is not finished has a name of its own beside its place; it is removed whatever
happens, or by the next who writes there if the process was killed.
"""

from __future__ import annotations

import errno
import os
import platform
import secrets
import shutil
import stat
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path

#: The first thing in a folder that is not ours and would be lost or mixed up with ours; None if there is none.
Foreign = Callable[[Path], Path | None]

#: How names of what is not finished begin; the machine, the process and a random word follow.
_UNFINISHED = ".dpot-"
#: Seconds after which what another machine began is taken for abandoned.
_WEEK = 7 * 86_400.0
#: How often it is asked whether others have given their names in a folder, and seconds between.
_TRIES, _PAUSE = 500, 0.02


class RefusedError(Exception):
    """A path that is not ours to change; the message says which file or folder, and what to do."""


def write(
    folder: Path,
    contents: Mapping[str, bytes | Path],
    *,
    without: Iterable[str] = (),
    lasting: bool = True,
    once: Iterable[str] = (),
) -> list[Path]:
    """Write files that belong together: all are on the disk before the first has its name.

    Two processes that write into one folder write one after the other.

    Args:
        folder: where they go; must be there.
        contents: what each file holds, by its name; or a finished file on the same disk that is moved there.
        without: names of files that are removed, before a new one has its name: what they say no longer holds.
        lasting: whether they must be there also after a power cut; False where a damaged file is noticed and made anew.
        once: names of files that are never replaced.

    Returns:
        The files.

    Raises:
        RefusedError: if one that is never replaced is there; nothing has changed.
        OSError: names the file that could not be written; if it is the disk that is full, nothing has changed.
    """
    ready: dict[Path, Path] = {}
    try:
        for name, content in contents.items():
            path = folder / name
            ready[path] = content if isinstance(content, Path) else folder / _fresh()
            with _naming(path):
                if isinstance(content, bytes):
                    with ready[path].open("xb") as file:
                        file.write(content)
                        file.flush()
                        if lasting:
                            os.fsync(file.fileno())
                elif lasting:
                    _sync(content)
        with _alone(folder):
            for name in once:
                if os.path.lexists(folder / name):
                    raise RefusedError(f"{folder / name}: is there already, and is never replaced")
            for name in without:
                (folder / name).unlink(missing_ok=True)
            for path, unfinished in ready.items():
                with _naming(path):
                    os.replace(unfinished, path)
            if lasting:
                _sync(folder)
    finally:
        for unfinished in ready.values():
            with suppress(OSError):
                unfinished.unlink()
    return [*ready]


@contextmanager
def replaced(folder: Path, foreign: Foreign) -> Iterator[Callable[[str, bytes], Path]]:
    """A new folder, which takes the place of one, as a whole, when the block ends without an error.

    Of several processes that do so at a time the last one's folder stays, whole. A folder that is replaced hands on who
    may read it.

    Args:
        folder: its place; folders above it are made.
        foreign: what must not be lost in the one that is there; asked at the beginning and again at the end.

    Yields:
        A function that writes a file: its name in the folder, with folders in it if need be, and its content; it
        returns the path that the file will have.

    Raises:
        RefusedError: if what is there is not a folder, or holds what is not ours, or cannot be moved.
        OSError: names the file or folder that could not be written. What was there is there still.
    """
    # `resolve` stops at links that lead in a circle.
    real = Path(os.path.realpath(folder))
    place = real if folder.name in ("", "..") else folder
    if Path.cwd().is_relative_to(real):
        raise RefusedError(f"{folder}: is the present folder, or holds it; name a new folder in it")
    if os.path.ismount(place):
        raise RefusedError(f"{folder}: is a file system of its own, and cannot be replaced; name a new folder in it")
    with staged(place.parent) as stage:
        with _alone(place.parent):
            checked(folder, foreign)
        new = stage / "new" / place.name

        def put(name: str, content: bytes) -> Path:
            file = new / name
            with _naming(folder / name):
                file.parent.mkdir(parents=True, exist_ok=True)
                write(file.parent, {file.name: content})
            return folder / name

        yield put
        with _naming(folder):
            new.mkdir(parents=True, exist_ok=True)
            _sync(new)
            with _alone(place.parent):
                _swap(new, place, stage / "old", foreign)


@contextmanager
def staged(folder: Path) -> Iterator[Path]:
    """A folder for what is not finished, in the folder where it goes once it is.

    Args:
        folder: made if it is not there; if nothing came to lie in it, it is not there afterwards either.

    Raises:
        OSError: names the folder that cannot be written.
    """
    made = [above for above in (folder, *folder.parents) if not above.exists()]
    stage = folder / _fresh()
    try:
        with _naming(folder):
            folder.mkdir(parents=True, exist_ok=True)
            clear(folder)
            stage.mkdir(mode=0o700)
        yield stage
    finally:
        _discard(stage)
        for above in made:
            with suppress(OSError):
                above.rmdir()


def extended(folder: Path) -> None:
    """Make a folder to which files are added, or find the one that is there fit for it.

    Raises:
        RefusedError: if it is a link or a file.
        OSError: names the folder that cannot be made or written.
    """
    checked(folder)
    folder.mkdir(parents=True, exist_ok=True)
    clear(folder)


def checked(folder: Path, foreign: Foreign = lambda _: None, now: Path | None = None) -> None:
    """See that one may write into a folder, if it is there.

    Args:
        folder: its place, which is named.
        foreign: what must not be lost or mixed up there.
        now: where it is at the moment, if that is not its place.

    Raises:
        RefusedError: if it is a link or a file, or holds what is not ours.
        PermissionError: if it is read-only.
    """
    there = now or folder
    try:
        mode = there.lstat().st_mode
    except OSError:
        return  # making it says why it cannot be made
    if stat.S_ISLNK(mode):
        raise RefusedError(f"{folder}: is a symbolic link, which is not followed; name the folder that it leads to")
    if not stat.S_ISDIR(mode):
        raise RefusedError(f"{folder}: is a file, and must be a folder")
    if not os.access(there, os.W_OK | os.X_OK, effective_ids=os.access in os.supports_effective_ids):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(folder))
    if (found := foreign(there)) is not None:
        named = folder / found.relative_to(there)
        raise RefusedError(f"{named}: does not belong to what is written there; name another folder, or move it away")


def clear(folder: Path) -> None:
    """Remove what processes were writing in a folder that were killed, and put back what they had set aside."""
    for begun in folder.glob(f"{_UNFINISHED}*"):
        with suppress(OSError):
            if _is_abandoned(begun):
                _discard(begun)


def is_real(path: Path) -> bool:
    """Whether it is a file or a folder, and no link, pipe or device."""
    mode = path.lstat().st_mode
    return stat.S_ISREG(mode) or stat.S_ISDIR(mode)


def _fresh() -> str:
    return f"{_UNFINISHED}{platform.node()}-{os.getpid()}-{secrets.token_hex(8)}"


def _is_abandoned(begun: Path) -> bool:
    found = begun.lstat()
    if os.name == "posix" and found.st_uid != os.geteuid():
        return False
    node, process, *_ = [*begun.name.removeprefix(_UNFINISHED).rsplit("-", 2), ""]
    if os.name != "posix" or node != platform.node() or not process.isdigit():
        return time.time() - found.st_mtime > _WEEK
    try:
        os.kill(int(process), 0)
    except ProcessLookupError:
        return True
    except OSError:
        pass  # another user's
    return False


def _swap(new: Path, place: Path, old: Path, foreign: Foreign) -> None:
    for number in count():
        aside = old / f"{number:06d}" / place.name
        aside.parent.mkdir(parents=True)
        with suppress(FileNotFoundError):
            os.rename(place, aside)
            # What came meanwhile is put back by `_discard`.
            checked(place, foreign, aside)
            new.chmod(stat.S_IMODE(aside.stat().st_mode))
        try:
            os.rename(new, place)
            break
        except OSError as problem:
            if problem.errno not in (errno.ENOTEMPTY, errno.EEXIST):
                raise  # else, where nothing can be locked, another's has come there since: it gives way as well
    _sync(place.parent)


def _discard(begun: Path) -> None:
    """Remove what is not finished; what it had set aside goes back where it was, if nothing has come there."""
    for aside in sorted(begun.glob("old/*/*"), reverse=True):
        place = begun.parent / aside.name
        with suppress(OSError):
            if not os.path.lexists(place):
                os.rename(aside, place)
    if begun.is_dir():
        shutil.rmtree(begun, ignore_errors=True)
    else:
        with suppress(OSError):
            begun.unlink()


def _sync(path: Path) -> None:
    """Have the disk hold a file, or the names in a folder."""
    if os.name != "posix":
        return
    opened = os.open(path, os.O_RDONLY)
    try:
        os.fsync(opened)
    except OSError as problem:
        if problem.errno != errno.EINVAL:  # some file systems do this for files only
            raise
    finally:
        os.close(opened)


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Wait until no other process of ours gives names in a folder, where the file system can tell; a while at most."""
    if os.name != "posix":
        yield
        return
    import fcntl  # nowhere else

    opened = os.open(folder, os.O_RDONLY)
    try:
        for _ in range(_TRIES):
            try:
                fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:  # or of a program that holds a folder for as long as it runs
                time.sleep(_PAUSE)
            except OSError:
                break
        yield
    finally:
        os.close(opened)


@contextmanager
def _naming(path: Path) -> Iterator[None]:
    """Errors name this path, and not the one beside it where the work is done."""
    try:
        yield
    except OSError as problem:
        if problem.errno is None:
            raise
        raise OSError(problem.errno, problem.strerror, str(path)) from problem
