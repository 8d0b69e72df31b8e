"""Lessons: formulas, exercises, bets, and the formulas that several pages share."""

from collections.abc import Callable, Mapping
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
class Bet:
    """A bet that readers answer before the page does: which mechanism is best at an epsilon, and how its curve runs."""

    view: str  # key of the view whose results have the answer
    question: str  # without the epsilon and the question mark
    numbers: Callable[..., Mapping[str, float]]  # (*results) -> number of each mechanism, by its label
    unit: str  # of the numbers
    axis: str  # what they are, with the unit
    largest: bool = False  # whether the largest is best


@dataclass(frozen=True)
class Task:
    """Something to reach on the page."""

    view: str  # key of the view whose results tell
    words: str  # what to reach
    done: Callable[..., bool]  # (settings, *results) -> whether it is reached


@dataclass(frozen=True)
class Lesson:
    formulas: tuple[Formula, ...]  # in the order in which they are needed
    exercises: tuple[Exercise, Exercise]  # two
    bet: Bet | None = None
    tasks: tuple[Task, ...] = ()


# Names of the papers.
WPM = "Wasserstein projection (arXiv:2605.10015)"
KPM = "Minimax-optimal local sampling (NeurIPS 2024)"
BARYCENTERS = "Private Wasserstein barycenters (2025)"
METRIC = "Metric privacy by the earth mover's distance (2024)"
SINKHORN = "Differentially private Sinkhorn"

POLYTOPE = Formula(
    "The outputs that ε allows: every output distribution lies between two multiples of one public base measure m. A "
    "mechanism is ε-LDP exactly if all its outputs lie in one such set (Lemma B.1). So privacy never depends on the "
    "solver.",
    r"Q_{m,\varepsilon}=\{\nu:\ e^{-\varepsilon/2}\,m(A)\le\nu(A)\le e^{\varepsilon/2}\,m(A)\ \ \text{for all } A\}",
    f"{WPM}, Definition 2.2, equation (1)",
)
