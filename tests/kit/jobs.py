"""What tests let workers do: functions that another process can import."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

from dpot_app.kit.values import ScenarioError
from dpot_core.arguments.progress import Progress


def double(number: int, progress: Progress) -> tuple[int, int]:
    """Twice a number, and who has found it."""
    for done in range(3):
        progress(done, 3)
    return 2 * number, os.getpid()


def missing(modules: tuple[str, ...], progress: Progress) -> list[str]:
    """Those that this process has not imported."""
    return [module for module in modules if module not in sys.modules]


def fail(_number: int, progress: Progress) -> None:
    raise ScenarioError("is odd", ("number",))


def sleep(seconds: float, reports: bool, progress: Progress) -> str:
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        time.sleep(0.01)
        if reports:
            progress(1, 2)
    return "slept"


def die(file: str, times: int, progress: Progress) -> str:
    """Take the own life a number of times, which a file counts."""
    before = len(Path(file).read_text())
    if before < times:
        Path(file).write_text("x" * (before + 1))
        os._exit(9)
    return "alive"


def length(text: str, progress: Progress) -> int:
    return len(text)


def unsendable(progress: Progress) -> object:
    return lambda: None
