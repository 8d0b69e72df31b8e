from collections.abc import Mapping
from functools import partial

from dpot_core.studies._kit.markdown import as_text
from dpot_core.studies._kit.view import View
from dpot_core.studies.mixture.disclosed import disclosure
from dpot_core.studies.mixture.reproduce import snippet
from dpot_core.studies.mixture.settings import NAMES

mixture_view = partial(View, snippet=snippet, disclosure=lambda config, *results: disclosure(config))


def refusals(infeasible: Mapping[str, str]) -> str:
    """Why the settings do not allow some mechanisms, for the end of a caption."""
    return "".join(f" {NAMES[name]}: {as_text(reason)}." for name, reason in infeasible.items())
