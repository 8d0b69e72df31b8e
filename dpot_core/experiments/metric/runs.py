"""Any settings of the page in, their result or the Python that computes it out."""

from __future__ import annotations

from dpot_core.experiments.metric import ask, crowd, pays, protect
from dpot_core.experiments.metric.ask import Ask, AskConfig
from dpot_core.experiments.metric.crowd import CrowdConfig, CrowdRelease
from dpot_core.experiments.metric.pays import Pays, PaysConfig
from dpot_core.experiments.metric.protect import Protect, ProtectConfig
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
        return protect.run(config)
    if isinstance(config, AskConfig):
        return ask.run(config)
    return crowd.run(config) if isinstance(config, CrowdConfig) else pays.run(config)


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
