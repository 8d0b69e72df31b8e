"""What a lesson is, and what several share."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Formula:
    """A formula that stands behind the page."""

    words: str  # what it says
    latex: str  # the formula
    source: str  # paper, with the number of the equation or theorem


@dataclass(frozen=True)
class Exercise:
    """A question with an answer to unfold."""

    question: str  # Markdown with $formulas$
    answer: str  # Markdown with $formulas$, and <name> where a value stands
    # computed values by name, as they are written; a test computes them again
    values: Mapping[str, str] = field(default_factory=dict)

    @property
    def answer_text(self) -> str:
        text = self.answer
        for name, value in self.values.items():
            text = text.replace(f"<{name}>", value)
        return text


@dataclass(frozen=True)
class Lesson:
    formulas: tuple[Formula, ...]  # in the order in which they are needed
    exercises: tuple[Exercise, Exercise]  # two


# Names of the papers.
WPM = "Wasserstein projection (arXiv:2605.10015)"
KPM = "Minimax-optimal local sampling (NeurIPS 2024)"
BARYCENTERS = "Private Wasserstein barycenters (2025)"
METRIC = "Metric privacy by the earth mover's distance (2024)"
SINKHORN = "Differentially private Sinkhorn"

POLYTOPE = Formula(
    "What ε allows: every output distribution lies between two multiples of one public base measure m. A mechanism is "
    "ε-LDP exactly if all its outputs lie in one such set (Lemma B.1), so privacy never depends on the solver.",
    r"Q_{m,\varepsilon}=\{\nu:\ e^{-\varepsilon/2}\,m(A)\le\nu(A)\le e^{\varepsilon/2}\,m(A)\ \ \text{for all } A\}",
    f"{WPM}, Definition 2.2, equation (1)",
)
