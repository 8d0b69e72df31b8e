"""Privacy in proportion to distance: what is protected, questions about a city, its crowd, and when it pays."""

from dpot_core.experiments.metric.ask import (
    DRAWS,
    MODELS,
    PROMISES,
    QUERIES,
    SEED,
    Ask,
    AskConfig,
    Question,
    ask,
    make_question,
)
from dpot_core.experiments.metric.crowd import CrowdConfig, CrowdErrors, CrowdRelease
from dpot_core.experiments.metric.disclosed import disclosure
from dpot_core.experiments.metric.frequency_errors import PaysConfig
from dpot_core.experiments.metric.pays import Pays
from dpot_core.experiments.metric.protect import (
    PAPER_MILES,
    Protect,
    ProtectConfig,
    paper_numbers,
    protect,
)
from dpot_core.experiments.metric.reproduce import ask_snippet, city_snippet, protect_snippet
from dpot_core.experiments.metric.reproduce_crowd import crowd_snippet
from dpot_core.experiments.metric.reproduce_pays import pays_snippet
from dpot_core.experiments.metric.runs import CONFIGS, AnyConfig, AnyResult, run, snippet
from dpot_core.experiments.metric.settings import (
    KILOMETRES,
    MILE,
    SHARES,
    Config,
    diameter,
    load_city,
    pairs,
    promise,
    rate,
    words,
)

__all__ = [
    "CONFIGS",
    "DRAWS",
    "KILOMETRES",
    "MILE",
    "MODELS",
    "PAPER_MILES",
    "PROMISES",
    "QUERIES",
    "SEED",
    "SHARES",
    "AnyConfig",
    "AnyResult",
    "Ask",
    "AskConfig",
    "Config",
    "CrowdConfig",
    "CrowdErrors",
    "CrowdRelease",
    "Pays",
    "PaysConfig",
    "Protect",
    "ProtectConfig",
    "Question",
    "ask",
    "ask_snippet",
    "city_snippet",
    "crowd_snippet",
    "diameter",
    "disclosure",
    "load_city",
    "make_question",
    "pairs",
    "paper_numbers",
    "pays_snippet",
    "promise",
    "protect",
    "protect_snippet",
    "rate",
    "run",
    "snippet",
    "words",
]
