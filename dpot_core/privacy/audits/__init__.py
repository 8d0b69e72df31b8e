"""Trust that can be checked: exact certificates of epsilon, and lower bounds on it from a mechanism's own outputs."""

from dpot_core.privacy.audits.certificates import Certificate, certify
from dpot_core.privacy.audits.distinguishing import Audit, audit

__all__ = ["Audit", "Certificate", "audit", "certify"]
