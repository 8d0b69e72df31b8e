"""Any settings of the page in, their result or the Python that computes it out."""

from __future__ import annotations

from dpot_core.experiments.metric.ask import Ask, AskConfig
from dpot_core.experiments.metric.ask import run as run_ask
from dpot_core.experiments.metric.crowd import CrowdConfig, CrowdRelease
from dpot_core.experiments.metric.crowd import run as run_crowd
from dpot_core.experiments.metric.frequency_errors import PaysConfig
from dpot_core.experiments.metric.pays import Pays
from dpot_core.experiments.metric.pays import run as run_pays
from dpot_core.experiments.metric.protect import Protect, ProtectConfig
from dpot_core.experiments.metric.protect import run as run_protect
from dpot_core.experiments.metric.reproduce import ask_snippet, protect_snippet
from dpot_core.experiments.metric.reproduce_crowd import crowd_snippet
from dpot_core.experiments.metric.reproduce_pays import pays_snippet

#: Settings of each view, by the view's name in links.
CONFIGS = {"protect": ProtectConfig, "ask": AskConfig, "crowd": CrowdConfig, "pays": PaysConfig}

AnyConfig = ProtectConfig | AskConfig | CrowdConfig | PaysConfig
AnyResult = Protect | Ask | CrowdRelease | Pays


def run(config: AnyConfig) -> AnyResult:
    """Load the data and compute the view that the settings belong to.

    Args:
        config: one of ``CONFIGS``.

    Raises:
        ValueError: if a setting is out of range.
    """
    if isinstance(config, ProtectConfig):
        return run_protect(config)
    if isinstance(config, AskConfig):
        return run_ask(config)
    return run_crowd(config) if isinstance(config, CrowdConfig) else run_pays(config)


def snippet(config: AnyConfig) -> str:
    """Python that computes what the view draws.

    Args:
        config: one of ``CONFIGS``.
    """
    if isinstance(config, ProtectConfig):
        return protect_snippet(config)
    if isinstance(config, AskConfig):
        return ask_snippet(config)
    return crowd_snippet(config) if isinstance(config, CrowdConfig) else pays_snippet(config)
