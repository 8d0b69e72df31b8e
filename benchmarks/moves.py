"""How much of our code one move of epsilon executes: ``python -m benchmarks.moves [PAGE ...]``.

A profile hook around one run of the page, after one that has imported everything, at an epsilon that no cache knows.
Functions are those with a name, and lambdas. ``--files`` lists the files, ``--functions`` how often each was called.
"""

import sys
import threading
from collections import Counter
from pathlib import Path
from types import CodeType, FrameType

from dpot_app.kit.fields import EPSILONS
from tests.apps import open_page, ran

ROOT = Path(__file__).resolve().parents[1]
OURS = tuple(str(ROOT / name) for name in ("dpot_core", "dpot_app", "pages", "app.py"))

#: Page -> most files, most functions.
AIMS = {
    "ring": (45, 220),
    "geolocation": (45, 220),
    "mixture": (45, 220),
    "movies": (45, 220),
    "population": (60, 300),
}
#: The key of each page's slider starts so.
PREFIXES = {"geolocation": "geo", "mixture": "mix", "population": "pop"}


def executed(page: str) -> Counter[CodeType]:
    """Functions of ours that a move of epsilon calls, and how often."""
    app = open_page(page)
    calls: Counter[CodeType] = Counter()

    def hook(frame: FrameType, event: str, _argument: object) -> None:
        code = frame.f_code
        if (
            event == "call"
            and code.co_filename.startswith(OURS)
            and (code.co_name[0] != "<" or "lambda" in code.co_name)
        ):
            calls[code] += 1

    slider = f"{PREFIXES.get(page, page)}_epsilon"
    for step in (1, 2):
        control = app.sidebar.select_slider(key=slider)
        control.set_value(EPSILONS[EPSILONS.index(float(control.value)) + step])
        threading.setprofile(hook if step == 2 else None)
        sys.setprofile(hook if step == 2 else None)
        try:
            ran(app.run())
        finally:
            sys.setprofile(None)
            threading.setprofile(None)
    return calls


def main() -> None:
    """Print a line a page; end with an error where an aim is missed."""
    chosen = [page for page in sys.argv[1:] if page in AIMS] or list(AIMS)
    missed = 0
    for page in chosen:
        calls = executed(page)
        files = Counter(str(Path(code.co_filename).relative_to(ROOT)) for code in calls)
        most_files, most_functions = AIMS[page]
        met = len(files) <= most_files and len(calls) <= most_functions
        missed += not met
        print(
            f"{page:<12} {len(files):>4} of at most {most_files} files {len(calls):>5} of at most {most_functions} "
            f"functions {calls.total():>7} calls  {'yes' if met else 'NO'}",
            flush=True,
        )
        if "--files" in sys.argv:
            print("".join(f"    {functions:>3} {file}\n" for file, functions in sorted(files.items())), end="")
        if "--functions" in sys.argv:
            for code, times in calls.most_common():
                print(f"    {times:>6} {Path(code.co_filename).relative_to(ROOT)}:{code.co_qualname}")
    sys.exit(bool(missed))


if __name__ == "__main__":
    main()
