from dpot_app.kit.view import Blocks, Columns, Files, Note, Picture, Tab, Table
from dpot_app.views.metric.disclosed import protect_disclosure
from dpot_app.views.metric.protect.figures import protection_figure
from dpot_app.views.metric.protect.results import Protect, paper_numbers, protect
from dpot_app.views.metric.protected import diameter, load
from dpot_app.views.metric.settings import TABS, ProtectConfig
from dpot_app.views.metric.views import city_view
from dpot_core.arguments.progress import Progress
from dpot_core.privacy.numerals import at_least, at_most, number


def show(config: ProtectConfig, result: Protect) -> Blocks:
    alt = "Cost of a change against the fraction of a person's data and the distance by which it moves"
    picture = Picture("cost-of-changes", alt, protection_figure, result)
    yield Columns((picture, tuple(_changes(result))), (1.7, 1))
    if config.example == "paper":
        yield Note(
            "**The numbers of the paper's example, recomputed.** 100,000 people with 1,000 locations each, δ = 1e-12, "
            "on the Earth; 12,500 miles make 1,000 miles q = 0.08, as there. The paper's α₀ ≈ 3.0 comes out as 2.70, "
            "2.41 or 2.48, depending on which δ is meant; its 1.6 miles are the noise of one person over √n."
        )
        rows = paper_numbers().itertuples(index=False)
        lines = [
            f"- {what}: **{number(value)}** ({f'the paper: {printed}' if printed else 'not in the paper'}). {why}."
            for what, printed, value, why in rows
        ]
        yield Note("\n".join(lines))


def _changes(result: Protect) -> Blocks:
    rows = [
        [text, at_least(result.epsilon / (tau * q)), at_most(cost)]
        for text, (tau, q), cost in zip(result.words, result.changes, result.costs, strict=True)
    ]
    yield Table(["Protected change", "allows α", "costs ε"], rows)
    yield Note(
        f"What does the largest change cost, everything moved by {number(result.largest)} {result.unit}? "
        f"At most **α = {at_most(result.alpha)}**, set by *{result.words[result.binding]}*. "
        "Half of the data, or half as far, costs half as much: a change of a "
        "fraction τ by a distance q costs ε = α τ q. Distances q are in units of the largest one. What is allowed is "
        "rounded down, what it costs up.\n\n"
        f"In the unit of the map: {at_most(result.alpha / result.largest)} nats per {result.unit.removesuffix('s')}. "
        f"One person's average distance to a place then is off by {number(result.largest / result.alpha)} "
        f"{result.unit} on average."
    )
    if any(q == 1.0 for _, q in result.changes):
        yield "A distance beyond the largest one counts as the largest."


def headlines(result: Protect) -> dict[str, float]:
    return {
        "alpha (nats per largest distance)": result.alpha,
        f"noise of a 1-Lipschitz answer of one person ({result.unit})": result.largest / result.alpha,
    }


def _compute(config: ProtectConfig, files: Files, _: Progress) -> tuple[Protect]:
    city = load(config.base, files)
    return (protect(config, diameter(city), city.check_ins.simulated),)


VIEW = city_view(
    "protect",
    key="metric.protect",
    title="What is protected",
    example=ProtectConfig(),
    compute=_compute,
    show=show,
    tabs=(Tab("protect", TABS["protect"]),),
    disclosure=lambda config, result: protect_disclosure(result),
    otherwise=lambda config, result: result.guarantee,
    headlines=headlines,
)
