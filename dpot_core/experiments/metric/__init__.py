"""Privacy in proportion to distance: what is protected, questions about a city, its crowd, and when it pays."""

from dpot_core.experiments.metric.ask import (
    DRAWS,
    MODELS,
    PROMISES,
    QUERIES,
    Ask,
    AskConfig,
    Question,
    ask,
    make_question,
)
from dpot_core.experiments.metric.crowd import CrowdConfig, CrowdErrors, CrowdRelease
from dpot_core.experiments.metric.disclosed import (
    ask_disclosure,
    crowd_disclosure,
    curve_disclosure,
    protect_disclosure,
)
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
    FORMERLY,
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
    "FORMERLY",
    "KILOMETRES",
    "MILE",
    "MODELS",
    "PAPER_MILES",
    "PROMISES",
    "QUERIES",
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
    "ask_disclosure",
    "ask_snippet",
    "city_snippet",
    "crowd_disclosure",
    "crowd_snippet",
    "curve_disclosure",
    "diameter",
    "load_city",
    "make_question",
    "pairs",
    "paper_numbers",
    "pays_snippet",
    "promise",
    "protect",
    "protect_disclosure",
    "protect_snippet",
    "rate",
    "run",
    "snippet",
    "words",
]
