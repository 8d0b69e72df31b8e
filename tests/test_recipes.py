"""The recipes of CONTRIBUTING.md hold: followed in a copy, with no more places touched than they say."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.recipes.examples import RECIPES
from tests.recipes.recipe import Recipe, copied, prove

pytestmark = pytest.mark.nightly


@pytest.mark.parametrize("recipe", RECIPES, ids=lambda recipe: recipe.name)
def test_a_recipe_touches_no_more_than_it_says(recipe: Recipe) -> None:
    assert len(recipe.touched) <= recipe.most, recipe.touched


@pytest.mark.slow
def test_what_the_recipes_add_works_everywhere(tmp_path: Path) -> None:
    """All of them in one copy; ``make recipes`` follows each in one of its own."""
    copy = copied(tmp_path)
    for recipe in RECIPES:
        recipe.follow(copy)
    prove(copy, *RECIPES)
