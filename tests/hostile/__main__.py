"""Run hostile cases: ``python -m tests.hostile [--only kind:number] [--kind kind]``."""

from __future__ import annotations

import argparse
import logging
import resource
import sys
from collections import Counter
from functools import partial

from tests.hostile import csv_files, format_files, geojson_files, large_files, links, yaml_files
from tests.hostile.case import MEGABYTES, SECONDS, Case, run


def cases() -> list[Case]:
    kinds = [("csv", csv_files), ("geojson", geojson_files), ("yaml", yaml_files), ("large", large_files)]
    kinds.append(("formats", format_files))
    every = [Case(kind, number, file.make, file.read) for kind, file in kinds for number in range(file.COUNT)]
    pages = [links.page_of(number) for number in range(links.COUNT)]
    return every + [Case("links", at, partial(links.make, page=page), links.read) for at, page in enumerate(pages)]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="")
    parser.add_argument("--kind", default="")
    options = parser.parse_args()
    chosen = [case for case in cases() if options.only in ("", case.name) and options.kind in ("", case.kind)]
    for view in sorted({links.view_of(case.number) for case in chosen if case.kind == "links"}):
        links.warm(*view)
    outcomes = []
    for case in chosen:
        outcomes.append(one := run(case))
        if one.wrong or options.only:
            print(
                f"{one.case}: {one.wrong or 'well'} ({one.seconds:.1f} s, {one.megabytes:.0f} MB) {one.said}",
                flush=True,
            )
    kinds = Counter(one.case.partition(":")[0] for one in outcomes)
    wrong = sum(bool(one.wrong) for one in outcomes)
    own, others = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    print(
        f"{len(outcomes)} cases ({', '.join(f'{many} {kind}' for kind, many in kinds.items())}), "
        f"{sum(bool(one.said) for one in outcomes)} refused by a sentence, {wrong} wrong; "
        f"longest {max((one.seconds for one in outcomes), default=0):.1f} of {SECONDS} s, "
        f"largest {max((one.megabytes for one in outcomes), default=0):.0f} of {MEGABYTES} MB; "
        f"{own.ru_utime + own.ru_stime + others.ru_utime + others.ru_stime:.0f} s of processor time"
    )
    print(f"{len(outcomes) - wrong} passed, {wrong} failed")
    return 1 if wrong or not outcomes else 0


if __name__ == "__main__":
    logging.disable()  # Streamlit says for each case that there is no browser
    sys.exit(main())
