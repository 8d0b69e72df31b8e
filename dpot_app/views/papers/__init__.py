"""The papers: every algorithm, theorem, figure and table of five, bars of a sixth, and what comes out here."""

from dpot_app.kit.page import Page

#: Nothing of its own is computed on this page: its rows open the views of the others.
PAGE = Page(
    key="papers",
    prefix="papers",
    title="Papers",
    question="Statements of the papers, our numbers beside them, and the reason where the two differ.",
    views=(),
    terms=("wpm", "kpm", "em", "wasserstein", "randomized-response", "lambda", "error", "laplace", "kernel"),
)
