"""The table of promises: every mechanism and every export, as `docs/guarantees.md` has it.

``python -m dpot_core.reports.guarantees`` prints the document; a test holds it against the public names, the kinds that
can be run, what running them discloses, the docstrings with the proofs, and the audits.
"""

from __future__ import annotations

from dpot_core.disclosures import SETTINGS_NOTE, STATUSES
from dpot_core.guarantees import NEIGHBOURS, RECORDS
from dpot_core.reports.promised import MECHANISMS
from dpot_core.scenarios import VIEWS

#: Every kind that can be run: its status, and of a demonstration what is released in it, as parts that compose.
EXPORTS: dict[str, tuple[str, str]] = {
    "ring.outputs": ("demonstration", "one point drawn from an output"),
    "ring.worst-case": ("public", ""),
    "ring.base": ("public", ""),
    "ring.plan": ("analysis", ""),
    "ring.convergence": ("analysis", ""),
    "geolocation.person": ("demonstration", "one place drawn from an output"),
    "geolocation.crowd": ("demonstration", "one place of everybody by each mechanism, draws of their own: added up"),
    "geolocation.crowd-curve": ("analysis", ""),
    "geolocation.worst-case": ("public", ""),
    "geolocation.minimax": ("public", ""),
    "mixture.line": ("demonstration", "draws from an output"),
    "mixture.plane": ("demonstration", "one draw from an output"),
    "mixture.sphere": ("demonstration", "draws of a direction"),
    "mixture.many": ("public", ""),
    "movies.user": ("demonstration", "one film drawn from an output"),
    "movies.everyone": ("analysis", ""),
    "movies.sweep": ("analysis", ""),
    "movies.adversary": ("analysis", ""),
    "population.map": ("demonstration", "coreset and perturbation from one sample: added up there, then amplified"),
    "population.curve-n": ("analysis", ""),
    "population.curve-epsilon": ("analysis", ""),
    "population.sensitivity": ("analysis", ""),
    "population.inside": ("demonstration", "private counts of all levels"),
    "population.gaussians-n": ("analysis", ""),
    "population.gaussians-epsilon": ("analysis", ""),
    "population.gaussians-projection": ("analysis", ""),
    "population.digits": ("demonstration", "the private atoms"),
    "metric.protect": ("public", ""),
    "metric.ask": ("demonstration", "one noisy answer in each of the models"),
    "metric.crowd": ("demonstration", "the reports by shuffling and by composition, draws of their own: added up"),
    "metric.crowd-curve": ("analysis", ""),
    "metric.pays": ("public", ""),
    "sinkhorn.release": ("demonstration", "noisy Sinkhorn and histograms first, noise of their own: added up"),
    "sinkhorn.cost": ("analysis", ""),
    "sinkhorn.convergence": ("analysis", ""),
    "sinkhorn.theorem": ("public", ""),
    "decide.epsilon": ("analysis", ""),
    "explain.release": ("public", ""),
    "explain.distance": ("public", ""),
    "explain.releases": ("public", ""),
    "explain.rounds": ("public", ""),
}


def markdown() -> str:
    parts = [
        "# What is promised, and what is not\n",
        "<!-- Made by `python -m dpot_core.reports.guarantees`; a test compares it with the code. -->\n",
        "A guarantee bounds what an output tells two neighbours apart: P[M(x) in S] ≤ e^ε P[M(x') in S] + δ for all "
        "neighbours x, x' and all S. δ is not the probability that the factor e^ε is exceeded, which can be much "
        "larger; for Gaussian noise the app shows it. Runtime is not covered anywhere. " + SETTINGS_NOTE + "\n",
        "## Neighbours\n",
        *(f"- `{key}`: {words}." for key, words in NEIGHBOURS.items()),
        "\nA record is " + "; ".join(f"`{key}`: {words}" for key, words in RECORDS.items()) + ".\n",
        "## Mechanisms\n",
        _table(
            ("functions", "neighbours", "δ", "public", "proven in", "arithmetic", "audit", "not promised"),
            [
                (
                    ", ".join(f"`{name}`" for name in row.names),
                    ", ".join(row.neighbours),
                    row.delta,
                    row.public,
                    ", ".join(f"`{name}`" for name in row.proof) or "NOT proven",
                    row.arithmetic,
                    f"{row.found} (`{row.audit}`)" if row.audit else row.found or "none",
                    row.excluded,
                )
                for row in MECHANISMS
            ],
        ),
        "\n## Exports\n",
        "What the command line, the take-away, the board and the report write. Columns that no guarantee covers say so "
        "in their names; what is not a release has no guarantee.\n",
        *(f"- {status}: {words}" for status, words in STATUSES.items()),
        "",
        _table(
            ("kind", "what it computes", "is", "released in it, together"),
            [
                (f"`{key}`", VIEWS[key].title, status, released or "nothing")
                for key, (status, released) in EXPORTS.items()
            ],
        ),
        "\nOn a map that is drawn around real people, worst cases and the protected changes are an analysis: the map "
        "itself shows something of the data. A release for real is offered on the pages US population (`publish`), "
        "Private transport (`secure=True`), Gaussian mixture on the line (`release_density`), and by `release`, "
        "`secure_reports` and `secure_laplace_counts`.",
    ]
    return "\n".join(parts) + "\n"


def _table(heads: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    lines = [heads, tuple("---" for _ in heads), *rows]
    return "\n".join(f"| {' | '.join(cell.replace('|', '/') for cell in line)} |" for line in lines)


if __name__ == "__main__":
    print(markdown(), end="")
