"""Trust that can be checked: exact certificates of epsilon, and lower bounds on it from a mechanism's own outputs."""

from dpot_core.audits.certificates import Certificate, certify
from dpot_core.audits.distinguishing import Audit, audit

__all__ = ["Audit", "Certificate", "audit", "certify"]
