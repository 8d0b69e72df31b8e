"""``python -m tests.recipes``: follow every recipe in a copy, prove that it works, print what was touched."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from tests.recipes.examples import RECIPES
from tests.recipes.recipe import copied, prove


def main() -> int:
    too_many = 0
    for recipe in RECIPES:
        with tempfile.TemporaryDirectory() as folder:
            copy = copied(Path(folder))
            recipe.follow(copy)
            prove(copy, recipe)
        touched = recipe.touched
        too_many += len(touched) > recipe.most
        print(f"{recipe.name}: {len(touched)} of at most {recipe.most}: {', '.join(touched)}")
    print(f"{len(RECIPES) - too_many} passed, {too_many} failed")
    return too_many


if __name__ == "__main__":
    sys.exit(main())
