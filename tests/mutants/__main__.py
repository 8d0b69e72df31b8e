"""``python -m tests.mutants [--sample N] [--seed S] [ID ...]``: exit code 1 and a list if any planted bug survives."""

from __future__ import annotations

import argparse
import random
import secrets
import sys
import time

from tests.mutants.mutant import Mutant, Outdated, everyone
from tests.mutants.running import Verdict, tried


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description="Plants bugs that tests must notice.")
    parser.add_argument("ids", nargs="*", metavar="ID", help="only these")
    parser.add_argument("--sample", type=int, metavar="N", help="only N of them, drawn at random")
    parser.add_argument("--seed", type=int, metavar="S", help="of that draw; printed")
    parser.add_argument("--processes", type=int, default=2, metavar="P", help="so many at a time (2)")
    parser.add_argument("--list", action="store_true", help="show them all and stop")
    given = parser.parse_args(arguments)
    mutants = chosen(everyone(), given.ids)
    if given.list:
        for mutant in mutants:
            print(f"{mutant.id:44} {mutant.file}: {mutant.why}")
        return 0
    outdated = []
    for mutant in mutants:
        try:
            mutant.applied()
        except Outdated as error:
            outdated.append(str(error))
    if outdated:
        print("Outdated:", *outdated, sep="\n  ")
        return 1
    if given.sample is not None:
        seed = given.seed if given.seed is not None else secrets.randbelow(2**32)
        print(f"seed {seed}")
        mutants = random.Random(seed).sample(mutants, min(given.sample, len(mutants)))
    start = time.monotonic()
    complaints, verdicts = tried(mutants, given.processes, _told)
    survivors = [verdict for verdict in verdicts if not verdict.killed]
    if complaints:
        print(*complaints, sep="\n")
        return 1
    print(f"{len(verdicts) - len(survivors)} of {len(verdicts)} noticed, {time.monotonic() - start:.0f} s")
    if survivors:
        print("Not noticed:", *(f"{each.mutant.id}: {each.said}" for each in survivors), sep="\n  ")
    print(f"{len(verdicts) - len(survivors)} passed, {len(survivors)} failed")
    return 1 if survivors else 0


def chosen(mutants: tuple[Mutant, ...], names: list[str]) -> tuple[Mutant, ...]:
    """Those with the given ids.

    Raises:
        SystemExit: if there is no such mutant, or two of one id.
    """
    ids = [mutant.id for mutant in mutants]
    if twice := {each for each in ids if ids.count(each) > 1}:
        raise SystemExit(f"two mutants are called {', '.join(sorted(twice))}")
    if unknown := set(names) - set(ids):
        raise SystemExit(f"no mutant is called {', '.join(sorted(unknown))}")
    return tuple(mutant for mutant in mutants if not names or mutant.id in names)


def _told(verdict: Verdict) -> None:
    word = "noticed" if verdict.killed else "NOT NOTICED"
    print(f"{verdict.seconds:5.1f} s  {word:12} {verdict.mutant.id}: {verdict.said}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
