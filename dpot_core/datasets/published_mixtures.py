"""The 100 mixtures of minimax_ldp_sampling's Figure 4 with what its authors published for them (`data/README.md`)."""

import json
from functools import cache
from importlib import resources
from typing import Any

_FILE = resources.files(__package__).joinpath("published_mixtures.json")


@cache
def published_mixtures() -> dict[str, Any]:
    """Means, weights and divergences ("rows_epsilon_1") of each mixture, and their maxima by epsilon ("worst")."""
    content: dict[str, Any] = json.loads(_FILE.read_text(encoding="utf-8"))
    return content
