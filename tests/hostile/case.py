"""One hostile case, and what becomes of it: read in a forked process whose time, memory and files are bounded."""

from __future__ import annotations

import json
import os
import re
import resource
import time
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any

#: Processor time and further memory of one case.
SECONDS, MEGABYTES = 5, 500

# Words of Python and its libraries, which are no sentence for a reader.
_INSIDES = re.compile(r"Traceback|NoneType|object at 0x|sys\.|<class|codec can't|list index|dict object|KeyError\(")


@dataclass(frozen=True)
class Case:
    kind: str
    number: int
    make: Callable[[Random], Any]  # what is brought
    read: Callable[[Any], object]  # what the app does with it; complains by a ValueError with a sentence

    @property
    def name(self) -> str:
        return f"{self.kind}:{self.number}"


@dataclass(frozen=True)
class Outcome:
    case: str
    said: str  # "" if it was read; else the complaint
    wrong: str  # "" if all is well; else what is not
    seconds: float
    megabytes: float


def case_rng(kind: str, number: int) -> Random:
    """What a case draws from: the same each time."""
    return Random(f"{kind} {number}")


def run(case: Case) -> Outcome:
    """Run one case in a fork; the process that runs it must have one thread."""
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        os.close(reader)
        try:
            told = _inside(case)
        except BaseException as problem:  # the fork must not go on as its parent
            told = ["", f"the case itself failed: {problem!r}", 0.0, 0.0]
        os.write(writer, json.dumps(told).encode())
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as answers:
        answer = answers.read()
    _, status = os.waitpid(child, 0)
    if not answer:
        return Outcome(case.name, "", f"killed by signal {os.WTERMSIG(status)}: over a bound", SECONDS, 0.0)
    return Outcome(case.name, *json.loads(answer))


def _inside(case: Case) -> list[Any]:
    brought = case.make(case_rng(case.kind, case.number))
    before = resource.getrusage(resource.RUSAGE_SELF)
    _bound()
    start, said, wrong = time.process_time(), "", ""
    try:
        case.read(brought)
    except ValueError as problem:
        said = str(problem)
        if not said or len(said) > 1500 or _INSIDES.search(said):
            wrong = f"no sentence for a reader: {type(problem).__name__} {said[:200]!r}"
    except BaseException as problem:
        wrong = f"{type(problem).__name__}: {str(problem)[:300]}"
    seconds = time.process_time() - start
    megabytes = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before.ru_maxrss) / 1024
    if seconds > SECONDS:
        wrong = wrong or f"took {seconds:.1f} s of processor time"
    return [said[:300], wrong, seconds, megabytes]


def _bound() -> None:
    """From here on: a few seconds, some memory, and not a byte on disk."""
    with open("/proc/self/statm") as file:
        pages = int(file.read().split()[0])
    spent = int(time.process_time())
    resource.setrlimit(resource.RLIMIT_CPU, (spent + SECONDS + 2, spent + SECONDS + 2))
    memory = pages * resource.getpagesize() + MEGABYTES * 2**20
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
