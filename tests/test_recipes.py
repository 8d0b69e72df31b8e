"""The recipes of CONTRIBUTING.md hold: followed in a copy, with no more places touched than they say."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.recipes.examples import RECIPES
from tests.recipes.recipe import Recipe, copied


@pytest.mark.slow
@pytest.mark.parametrize("recipe", RECIPES, ids=lambda recipe: recipe.name)
def test_a_recipe_holds(recipe: Recipe, tmp_path: Path) -> None:
    assert len(recipe.touched) <= recipe.most, recipe.touched
    copy = copied(tmp_path)
    recipe.follow(copy)
    recipe.prove(copy)
