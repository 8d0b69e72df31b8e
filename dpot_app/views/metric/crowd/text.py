from dpot_app.figures.city_maps import lines_text
from dpot_app.kit.markdown import as_text
from dpot_app.kit.view import Blocks, Note, Picture, Tab, Table, means
from dpot_app.views.metric.crowd.figures import crowd_maps
from dpot_app.views.metric.crowd.results import EPSILONS, HOW, RUNS, CrowdRelease, release_crowd
from dpot_app.views.metric.disclosed import crowd_disclosure
from dpot_app.views.metric.protected import load
from dpot_app.views.metric.settings import TABS, CrowdConfig
from dpot_app.views.metric.views import city_view
from dpot_core.arguments import EPSILON_RANGE, Array
from dpot_core.mechanisms.metric.reduction import discrete_guarantee, stretch
from dpot_core.mechanisms.metric.sharing import STRETCH
from dpot_core.privacy.numerals import at_most, counted, number

#: Changes of a history for which the paper's promise stands beside ours, km: the page's own control.
CHANGES = (0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0)


def show(config: CrowdConfig, release: CrowdRelease) -> Blocks:
    alt = "The true crowd, the reports and the estimates made of them, by shuffling and by composition, on maps"
    yield Picture("crowd-maps", alt, crowd_maps, release)
    text = (
        f"A demonstration: {RUNS} runs with a fixed seed; the maps show the first. A random visit goes to one of the "
        "four nearest cells at random, so no border betrays a small move. The exponential mechanism then reports a "
        "cell near it. The estimate undoes the known noise, which costs no privacy. It is a likely histogram of the "
        "visits: the search for it stops early, and no entry is negative. "
    )
    if "shuffling" not in release.promises:
        text += (
            f"Shuffling gains nothing here: {counted(config.visits, 'report', 'reports')} of "
            f"{'all people' if config.who == 'central' else 'one person'} {'is' if config.visits == 1 else 'are'} too "
            "few to hide among. "
        )
    else:
        text += (
            "The cost of shuffled reports is counted numerically (proven). It allows β = "
            f"{at_most(release.promises['shuffling'].item_rate * STRETCH)}, where Theorem 4.4 "
            + ("says nothing. " if release.theorem is None else f"allows {at_most(release.by_theorem)}. ")
        )
    yield text + (
        "β: cost of one report about a random visit, per unit of earth mover's distance. α₀: cost of a report about a "
        "known visit, per unit of distance. Distances are in units of the largest one. The closed form of the "
        "last picture is the paper's. It is drawn for comparison and not used." + lines_text(release.map)
    )


def show_numbers(release: CrowdRelease) -> Blocks:
    costs, errors = ("β of a report", "β by Theorem 4.4", "α₀ of a known visit"), ("km", "1 = largest distance")
    heads = ("Way", *costs, "α", "δ", *(f"Error ({unit})" for unit in errors))
    rows = [
        [
            HOW[how].capitalize() + (" (in use)" if how == release.better else ""),
            at_most(promise.item_rate * STRETCH),
            at_most(release.by_theorem) if how == "shuffling" and release.theorem is not None else "–",
            at_most(release.item_rates[how]),
            at_most(release.spent(how)),
            at_most(promise.delta, 0.0) if promise.delta else "0",
            number(release.mean(how)),
            number(release.mean(how) / release.largest),
        ]
        for how, promise in release.promises.items()
    ]
    yield Table(heads, rows)
    yield (
        "The axis of ε shows two kinds of promises. *By distance*: each protected change of a history costs ε. "
        "Another change, of a fraction τ by a distance q, costs α τ q. *Whole user*: any change of a whole history "
        "costs at most ε, a stronger promise. With Laplace noise the curator sees everything. With one visit each no "
        "curator is needed."
    )


def show_lengths(release: CrowdRelease, km: float) -> Blocks:
    """Histories of any lengths: what Theorem 5.3 would promise for changes by a radius, beside what is used here."""
    r = min(km / release.largest, 1.0)
    alpha, delta, visits = release.alpha, release.config.base.delta, release.config.visits
    yield Note(
        f"People have different numbers of check-ins; each reports on {visits:,} random ones. **Proven here**, for any "
        f"lengths: a change by {km:g} km on average costs ε = α r = {at_most(alpha * r)} with δ = "
        f"{release.promises[release.better].delta:g}. A smaller change costs less in proportion. Here r = {number(r)} "
        "is that distance over the largest one."
    )
    if alpha * stretch(r, visits, delta) > EPSILON_RANGE[1]:
        yield Note(f"**Theorem 5.3** promises nothing for this radius: its ε is above {EPSILON_RANGE[1]:g}.")
        return
    try:
        paper, sharp = (discrete_guarantee(alpha, delta, r, visits, sharp=sharp) for sharp in (False, True))
    except ValueError as problem:
        yield Note(f"**Theorem 5.3** cannot be used for this radius: {as_text(str(problem))}.")
        return
    yield Note(
        f"**Theorem 5.3** would promise this, for a mechanism with the same α and δ on lists of {visits:,} items. "
        f"Every change by at most {km:g} km costs ε = {at_most(paper.epsilon)} with δ = {paper.delta:g}, and a smaller "
        "change costs as much. With a sharper inequality in its proof (Chernoff's, not Bernstein's) ε = "
        f"{at_most(sharp.epsilon)}. The visits drawn from two histories can lie farther apart than the histories. So "
        "the theorem's ε is larger."
    )


def runs(release: CrowdRelease) -> dict[str, Array]:
    return {f"error of the estimate, {HOW[how]} (km)": release.kilometres[how] for how in release.promises}


def headlines(release: CrowdRelease) -> dict[str, float]:
    rates = {f"alpha_0, {HOW[how]} (nats per largest distance)": rate for how, rate in release.item_rates.items()}
    return rates | means(runs(release))


VIEW = city_view(
    "crowd",
    key="metric.crowd",
    title="The crowd's map",
    frames_at=lambda config: EPSILONS,
    example=CrowdConfig(),
    compute=lambda config, files, progress: (release_crowd(config, load(config.base, files), progress),),
    show=show,
    tabs=(Tab("crowd", TABS["crowd"]),),
    disclosure=lambda config, release: crowd_disclosure(release),
    headlines=headlines,
    runs=runs,
)
