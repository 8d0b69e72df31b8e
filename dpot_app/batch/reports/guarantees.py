"""The table of promises: every mechanism and every export, as `docs/guarantees.md` has it.

``python -m dpot_app.batch.reports.guarantees`` prints the document; a test holds it against the public names, the kinds
that can be run, what running them discloses, the docstrings with the proofs, and the audits.
"""

from dpot_app.batch.reports.promised import PROMISED
from dpot_app.batch.scenarios import VIEWS
from dpot_core.privacy.disclosures import SETTINGS_NOTE, STATUSES
from dpot_core.privacy.guarantees import NEIGHBOURS, RECORDS

#: Views whose numbers come from no person's data.
PUBLIC = (
    *("ring.worst-case", "ring.base", "ring.guess"),
    *("geolocation.worst-case", "geolocation.minimax", "geolocation.guess", "geolocation.one-place"),
    *("mixture.many",),
    *("metric.protect", "metric.pays", "metric.linear"),
    *("explain.release", "explain.distance", "explain.releases", "explain.rounds"),
)
#: Views that are demonstrations: what is released in them, as parts that compose.
RELEASED = {
    "ring.outputs": "one point drawn from an output",
    "geolocation.person": "one place drawn from an output",
    "geolocation.crowd": "one place of everybody by each mechanism, one report of everybody to each frequency oracle, "
    "draws of their own: added up",
    "mixture.line": "draws from an output",
    "mixture.plane": "one draw from an output",
    "mixture.sphere": "draws of a direction",
    "movies.user": "one film drawn from an output",
    "population.map": "coreset and perturbation from one sample: added up there, then amplified, as are those of views "
    "with the same sample",
    "population.guaranteed": "the atoms that the map draws from the same sample; the curve itself nothing",
    "population.inside": "private counts of all levels",
    "population.digits": "the private atoms",
    "metric.ask": "one noisy answer in each of the models",
    "metric.crowd": "the reports by shuffling and by composition, draws of their own: added up",
    "sinkhorn.release": "noisy Sinkhorn and histograms first, noise of their own: added up",
}
#: Every view: its status, and what is released in it. What is neither is an analysis.
EXPORTS = {
    key: ("demonstration", RELEASED[key]) if key in RELEASED else ("public" if key in PUBLIC else "analysis", "")
    for key in VIEWS
}


def markdown() -> str:
    parts = [
        "# What is promised, and what is not\n",
        "<!-- Made by `python -m dpot_app.batch.reports.guarantees`; a test compares it with the code. -->\n",
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
                    ", ".join(map(_proof, row.proof)) or "NOT proven",
                    row.arithmetic,
                    f"{row.found} (`{row.audit}`)" if row.audit else row.found or "none",
                    row.excluded,
                )
                for row in PROMISED
            ],
        ),
        "\n## Exports\n",
        "Records that the command line, the take-away, the board and the report write. Columns that no guarantee "
        "covers say so in their names; what is not a release has no guarantee.\n",
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
        "itself shows something of the data. Only what is proven is released for real: OpenDP's noise, and the "
        "generator of a central release, are given for a proven guarantee (`Guarantee.released`) and refused to a "
        "claim. A release for real is offered on the pages Population (`publish`), Private transport "
        "(`secure=True`), Gaussian mixture on the line (`release_density`), and by `release`, `secure_reports` and "
        "`secure_laplace_counts`. The command `dpot release` draws one place of each person in a file, by every local "
        "mechanism of the page Geolocation without a prior, over a public map. Or it draws one film of each, by every "
        "mechanism of the page Movies, from a catalogue that is public. Of all people of a file together it draws one "
        "barycenter (Population), or a transport cost or plan (Private transport), in a region that is public. Of a "
        "scenario of *Near own places* it draws the ε that serves about as many people as are wanted, by report noisy "
        "max. Each person's part in that is a matter of their own data. The ledger adds its ε to that of the release.",
        "\nThe ledger (`dpot ledger`) keeps on one machine what releases have cost each person, under a tag of the "
        "person's name in the file. Files for barycenters and transport name no one, so everyone is charged, named in "
        "the ledger or not. The same data in another order, or with one row more, are no way round. Epsilons and "
        "deltas are added up, all about the same neighbours. All data of one person are replaced (of transport: one "
        "point, or one in each set), and the number of people is public. A barycenter of a sample is charged as it "
        "is promised towards all people of the file. A total is stated before the first release; "
        "the ledger refuses a release beyond it. A cost is written before anything is drawn. A release that was "
        "interrupted counts. A copy of a ledger is refused. The ledger cannot know that two names are one person, that "
        "one person has several points, or what other machines have released.",
        "\nReleases together (board, report, sweep): those from one and the same sample of people are composed towards "
        "these people first, and only the sum is amplified by the sampling. No total is given where two demonstrations "
        "may share any noise, which is known by the names of their streams: noise that is used twice cancels.",
    ]
    return "\n".join(parts) + "\n"


def _proof(name: str) -> str:
    """A link to a file of `docs/proofs/`, or the name of what has the proof in its docstring."""
    file = name.removeprefix("docs/")
    return f"`{name}`" if file == name else f"[{file}]({file})"


def _table(heads: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    lines = [heads, tuple("---" for _ in heads), *rows]
    return "\n".join(f"| {' | '.join(cell.replace('|', '/') for cell in line)} |" for line in lines)


if __name__ == "__main__":
    print(markdown(), end="")
