"""The finite ring: one input through every mechanism, worst cases, convergence, plan and base measure."""

from dpot_core.experiments.ring.base_measure import BaseReport, base_report
from dpot_core.experiments.ring.disclosed import disclosure
from dpot_core.experiments.ring.entropic_steps import REGS, Convergence, EntropicRun, convergence, entropic_run
from dpot_core.experiments.ring.outputs import Result, run
from dpot_core.experiments.ring.reproduce import snippet
from dpot_core.experiments.ring.settings import Base, Config, Ring, Source, make_input
from dpot_core.experiments.ring.transport_plan import Plan, plan
from dpot_core.experiments.ring.worst_case import WorstCases, WorstNow, worst_case_now, worst_cases

__all__ = [
    "REGS",
    "Base",
    "BaseReport",
    "Config",
    "Convergence",
    "EntropicRun",
    "Plan",
    "Result",
    "Ring",
    "Source",
    "WorstCases",
    "WorstNow",
    "base_report",
    "convergence",
    "disclosure",
    "entropic_run",
    "make_input",
    "plan",
    "run",
    "snippet",
    "worst_case_now",
    "worst_cases",
]
