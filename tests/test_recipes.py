"""The recipes of CONTRIBUTING.md hold: followed in a copy, with no more places touched than they say."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.recipes.examples import RECIPES
from tests.recipes.recipe import copied, prove, run_tests


def test_recipes_can_be_followed_and_touch_no_more_than_they_say(tmp_path: Path) -> None:
    copy = copied(tmp_path)
    for recipe in RECIPES:
        recipe.follow(copy)
        assert len(recipe.touched) <= recipe.most, recipe.touched


@pytest.mark.nightly
def test_additions_by_the_recipes_work_everywhere(tmp_path: Path) -> None:
    """All of them in one copy; ``make recipes`` follows each in one of its own."""
    copy = copied(tmp_path)
    for recipe in RECIPES:
        recipe.follow(copy)
    prove(copy, *RECIPES)
    run_tests(copy, *RECIPES)
