"""``python -m tests.monkey [--steps N] [--length L] [--seed S]``: exit code 1, its seed and the fewest steps.

A script that runs too long is no failure, but its seed and steps are printed, too.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import logging
import multiprocessing
import os
import resource
import secrets
import sys
import time
from dataclasses import asdict
from multiprocessing.connection import Connection
from typing import Any

from tests.apps import open_app
from tests.monkey.steps import PATIENCE, Broken, Step, TooLong, again, drawn

#: Seconds of processor time of a sequence, and times that a failure is tried again with a step less.
LIMIT, TRIES = 300, 80


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.monkey", description="Presses anything, at random.")
    parser.add_argument("--steps", type=int, default=10_000, help="in all (10,000)")
    parser.add_argument("--length", type=int, default=40, help="of a sequence (40)")
    parser.add_argument("--seed", type=int, help="of the first sequence, the next have the next ones; printed")
    given = parser.parse_args(arguments)
    first = given.seed if given.seed is not None else secrets.randbelow(2**31)
    print(f"first seed {first}", flush=True)
    open_app()  # what all sequences need is loaded once: each is a process that begins here
    start, made, late, failed = time.monotonic(), 0, 0, 0
    seed = first
    while made < given.steps:
        steps, said = tried(seed=seed, length=min(given.length, given.steps - made))
        made += max(1, len(steps))
        if said == TooLong.__name__:
            late += 1
            # Not shortened: each try would take as long, and what is long on a busy machine is no fault yet.
            report(seed, f"A script ran longer than {PATIENCE} s after the last of these steps.", steps)
        elif said:
            failed += 1
            report(seed, said, shortest(steps, said))
        seed += 1
    print(f"{made:,} steps in {time.monotonic() - start:.0f} s: {failed} broke a page, {late} took too long")
    print(f"{made - failed} passed, {failed} failed")
    return 1 if failed else 0


def report(seed: int, said: str, steps: list[Step]) -> None:
    """The seed and the steps that led there, one a line, as `again` takes them."""
    print(
        f"\nseed {seed}: {len(steps)} steps\n{said}",
        *(json.dumps(asdict(step)) for step in steps),
        sep="\n",
        flush=True,
    )


def tried(steps: list[Step] | None = None, seed: int = 0, length: int = 0) -> tuple[list[Step], str]:
    """The steps of a sequence as far as it came, and what went wrong, in a process of its own."""
    here, there = multiprocessing.Pipe(duplex=False)
    child = multiprocessing.get_context("fork").Process(target=_child, args=(there, steps, seed, length))
    child.start()
    there.close()
    told: list[Step] = []
    said = "the process died"
    with contextlib.suppress(EOFError):
        while True:
            what = here.recv()
            if isinstance(what, Step):
                told.append(what)
            else:
                said = what
    child.join()
    return (told if steps is None else steps), said


def _child(there: Connection[Any, Any], steps: list[Step] | None, seed: int, length: int) -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (LIMIT, LIMIT))
    said = ""
    try:
        if steps is None:
            drawn(seed, length, there.send)
        else:
            again(steps)
    except TooLong:
        said = TooLong.__name__
    except Broken as error:
        said = str(error)
    there.send(said)
    there.close()
    # Threads of a script that still runs would keep the process.
    os._exit(0)


def shortest(steps: list[Step], said: str) -> list[Step]:
    """Steps without those that the failure does not need; the same failure, by the last line of what is said."""
    what, place, tries = said.strip().splitlines()[0], len(steps) - 2, 0
    while place >= 0 and tries < TRIES:
        fewer = steps[:place] + steps[place + 1 :]
        again_said = tried(fewer)[1]
        if again_said and again_said.strip().splitlines()[0] == what:
            steps = fewer
        place, tries = place - 1, tries + 1
    return steps


if __name__ == "__main__":
    logging.disable(logging.CRITICAL)  # without a browser Streamlit complains of every widget
    sys.exit(main())
