"""Types that functions of `dpot_core` return, by name: for annotations, not to be built by hand."""

from dpot_core.base_measures import MinimaxBase
from dpot_core.mechanisms import Mechanism
from dpot_core.mechanisms.line_projection import LineProjection
from dpot_core.mechanisms.wasserstein_projection import EntropicProjection, ExactProjection
from dpot_core.privacy.audits import Audit, Certificate
from dpot_core.privacy.disclosures import Disclosure
from dpot_core.privacy.guarantees import Sampled
from dpot_core.transport.wasserstein_interval import WassersteinInterval
from dpot_core.worst_case import WorstCase

__all__ = [
    "Audit",
    "Certificate",
    "Disclosure",
    "EntropicProjection",
    "ExactProjection",
    "LineProjection",
    "Mechanism",
    "MinimaxBase",
    "Sampled",
    "WassersteinInterval",
    "WorstCase",
]
