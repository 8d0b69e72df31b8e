from dpot_app.kit.links import parameters
from dpot_app.kit.view import Blocks, Columns, Picture, Tab, View
from dpot_app.views.metric.pays.figures import pays_figure, pays_over_k_figure
from dpot_app.views.metric.pays.results import RUNS, Pays, run
from dpot_app.views.metric.settings import NOT_FOR_ITEMS, TABS, WHY_NOT, PaysConfig
from dpot_core.privacy.disclosures import nothing_released
from dpot_core.privacy.numerals import counted, number


def show(config: PaysConfig, pays: Pays) -> Blocks:
    yield (
        "Moving a whole history from one cluster to the next costs α. Half of it, or half as far, costs half. Under "
        f"the other promise any change costs ε = {config.epsilon:g}, however small."
    )
    alt = "Error of each release against alpha over epsilon, with the value from which privacy by distance pays"
    over_ratio = Picture("error-over-ratio", alt, pays_figure, pays)
    alt = "Error of each release against the number of points at the chosen alpha over epsilon"
    yield Columns((over_ratio, Picture("error-over-k", alt, pays_over_k_figure, pays)))
    yield (
        "**Two promises on one picture.** *By distance* (α, brown): a change costs α times its earth mover's "
        f"distance. *Whole user* (ε, blue): any change of a whole history costs ε = {config.epsilon:g}. The first "
        f"hides changes smaller than ε/α better, the second larger ones. At α/ε = 1/r = {number(1 / config.r)} both "
        "promise the same for a history in which everything moves inside its cluster.\n\nThe releases that are most "
        "often the best of their promise are named beside their lines. A click on a name under a picture adds "
        f"another. Items are simulated: {config.users:,} users with {counted(config.items, 'item', 'items')} each, "
        f"{len(config.space):,} points. Marks: mean over {RUNS} runs with a fixed seed. Band: middle 90%. Thin lines: "
        "proven bounds of the mean error, drawn where they are below 1 (equation 9; Lemmas 6.4 and 6.7 with "
        "constants). Estimates are unbiased and then moved to the nearest distribution, first over clusters, then "
        "inside them. The bounds cover that. Shuffled: by Theorem 4.4 where it beats composition (the sum of all "
        "costs). One random item: each user reports on one of their items, so nothing has to be shuffled. Its α is "
        "proven here, not in the paper. By the paper, privacy by distance pays from an α/ε of the order of "
        f"{number(pays.printed_crossover)} on; its constants are not known. The simulations run anew at each ε, so "
        "these pictures wait until you let the slider go."
    )


def headlines(pays: Pays) -> dict[str, float]:
    """The crossover, if there is one, and the best errors at the chosen ratio."""
    now = next(point for point in pays.over_k if point.k == len(pays.config.space))
    crossover = {} if pays.crossover is None else {"crossover (alpha/epsilon)": pays.crossover}
    return crossover | {
        "best error by distance at the chosen ratio (d_EM)": pays.best(now, True),
        "best error with user-level privacy (d_EM)": pays.best(now, False),
    }


VIEW = View(
    key="metric.pays",
    title="When it pays (simulated)",
    example=PaysConfig(),
    compute=lambda config, files, progress: (run(config, progress),),
    show=show,
    tabs=(Tab("pays", TABS["pays"], idle=NOT_FOR_ITEMS, why=WHY_NOT),),
    disclosure=lambda config, pays: nothing_released("public"),
    otherwise=lambda config, pays: config.guarantee,
    headlines=headlines,
    parameters=lambda config: parameters(config) | {"view": "pays"},
)
