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
            "**The numbers of the paper's example, recomputed.** There are 100,000 people on the Earth with 1,000 "
            "locations each, and δ = 1e-12. The largest distance is 12,500 miles, so 1,000 miles are q = 0.08, as in "
            "the paper. The paper's α₀ ≈ 3.0 comes out as 2.70, 2.41 or 2.48, depending on which δ is meant. Its 1.6 "
            "miles are the noise of one person over √n."
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
        f"What does it cost to move everything by {number(result.largest)} {result.unit}, the largest change? At most "
        f"**α = {at_most(result.alpha)}** (rounded up), set by *{result.words[result.binding]}*. Half of the data, or "
        "half as far, costs half as much. A change of a fraction τ by a distance q costs ε = α τ q. Distances q are in "
        "units of the largest one. Allowed changes are rounded down, costs are rounded up.\n\nIn the unit of the map: "
        f"{at_most(result.alpha / result.largest)} nats per {result.unit.removesuffix('s')}. The private answer to "
        f"“How far is this person from a place, on average?” is then off by {number(result.largest / result.alpha)} "
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
