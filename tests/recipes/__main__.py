"""``python -m tests.recipes [NAME ...]``: follow recipes in a copy, run its tests, print what was touched."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from tests.recipes.examples import RECIPES
from tests.recipes.recipe import copied, prove, run_tests


def main() -> int:
    too_many = 0
    chosen = [recipe for recipe in RECIPES if recipe.name in sys.argv[1:]] or RECIPES
    for recipe in chosen:
        with tempfile.TemporaryDirectory() as folder:
            copy = copied(Path(folder))
            recipe.follow(copy)
            prove(copy, recipe)
            passed = run_tests(copy, recipe)
        touched = recipe.touched
        too_many += len(touched) > recipe.most
        print(
            f"{recipe.name}: {len(touched)} of at most {recipe.most}: {', '.join(touched)}; its tests: {passed}",
            flush=True,
        )
    print(f"{len(chosen) - too_many} passed, {too_many} failed")
    return too_many


if __name__ == "__main__":
    sys.exit(main())
