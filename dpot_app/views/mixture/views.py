from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from dpot_app.kit.markdown import as_text
from dpot_app.kit.view import View
from dpot_app.views.mixture.disclosed import disclosure
from dpot_app.views.mixture.settings import NAMES, Config

mixture_view = partial(View, disclosure=lambda config, *results: disclosure(config))

TRAINED_IN_WORDS = (
    "MBDE (mollified boosted density estimation) trains small neural networks on points of the input. Its density "
    "lies within e^(±ε/2) times the Gaussian, whatever the networks learn. This makes a draw private, but not the "
    "network, which shows the input and is not released. It is trained anew for each ε, so the picture waits until "
    "you let the slider of ε go."
)


def followed(view: View, config: Config) -> View:
    """The view, whose pictures follow no slider of epsilon where something is trained for each, for seconds."""
    return view if config.closed_forms == config.mechanisms else replace(view, scrub=())


def refusals(infeasible: Mapping[str, str]) -> str:
    """Why the settings do not allow some mechanisms, for the end of a caption."""
    return "".join(f" {NAMES[name]}: {as_text(reason)}." for name, reason in infeasible.items())
