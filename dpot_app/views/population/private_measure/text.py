from dpot_app.kit.blocks import Code, Folded
from dpot_app.kit.markdown import as_text
from dpot_app.kit.values import ScenarioError
from dpot_app.kit.view import Blocks, Columns, Files, Note, Picture, Tab
from dpot_app.views.population.disclosed import released
from dpot_app.views.population.people import draw_people, load_population
from dpot_app.views.population.private_measure.by_opendp import DEEPEST, opendp_script
from dpot_app.views.population.private_measure.figures import budget_figure, level_figure, points_figure
from dpot_app.views.population.private_measure.results import COUNTS, ERRORS, Inside, inside
from dpot_app.views.population.settings import TABS, InsideConfig, inside_link
from dpot_app.views.population.views import people_view
from dpot_core.arguments.progress import Progress
from dpot_core.privacy.numerals import at_most, counted, number

_BY_OPENDP = (
    "A program for a pipeline without this app. Its noise has the same scale on each level. OpenDP itself says what "
    "all levels promise together: the ε towards the people drawn. All cells of the box get noise, also those outside "
    "the region."
)


def show(config: InsideConfig, result: Inside, level: int = 5) -> Blocks:
    yield Note(f"**{level_words(result, level)}**")
    yield Columns(
        [
            Picture(f"level-{count}", f"Cells on a map: {words}", level_figure, result, level, count)
            for count, words in COUNTS.items()
        ]
    )
    budget = Picture("budget", "Epsilon that each level spends", budget_figure, result, level)
    yield Columns([budget, Picture("private-points", "The private points on the map", points_figure, result)])
    yield (
        f"Group: {as_text(result.group)}, {counted(result.n, 'person', 'people')}. Each level halves the cells of the "
        "level above: two siblings from one parent. Cells outside the region or inside an empty cell need no noise and "
        "have no colour. "
        "Colours: logarithm of 1 + count, negative counts as 0. One scale serves every ε and ends at the fullest "
        "cell. Two siblings share one noisy number: the difference of their counts. One's count is half the parent's "
        "plus half the difference, the other's half the parent's minus half the difference. Consistent counts of "
        f"siblings add up to their parent's. Here the levels share ε = {at_most(result.sample_guarantee.epsilon)} "
        "towards the people drawn. True counts are shown for teaching; a release never shows them."
    )
    if result.depth <= DEEPEST:
        yield Folded(
            "The same counts by OpenDP", (Note(_BY_OPENDP), Code(opendp_script(result, config.base.adjacency)))
        )


def level_words(result: Inside, level: int) -> str:
    row = result.levels.iloc[min(level, result.depth)]
    head = f"Level {row['level']:.0f} of {result.depth}: "
    if row["noise scale (people)"] > 0:
        return head + f"noise of about ±{number(row['noise scale (people)'])} people on the difference of two siblings"
    return head + "the number of people is public, so nothing is added"


def compute(config: InsideConfig, files: Files, _progress: Progress) -> tuple[Inside]:
    population = load_population(config.base, files)
    if config.group >= population.n_groups:
        raise ScenarioError(f"must be less than the {population.n_groups} groups; got {config.group}", ("group",))
    return (inside(draw_people(population, config.base.n, config.base.seed), config.base, config.group),)


def headlines(result: Inside) -> dict[str, float]:
    leaves = result.levels.iloc[-1]
    numbers = {
        "Mean error of the finest cells with noise (people)": float(leaves[ERRORS["noisy"]]),
        "Mean error of the finest cells made consistent (people)": float(leaves[ERRORS["private"]]),
    }
    if result.error_bound is not None:
        numbers["Proven bound on the expected W₁ (units)"] = result.error_bound
    return numbers


VIEW = people_view(
    key="population.inside",
    title="Private measure, level by level",
    example=InsideConfig(),
    compute=compute,
    show=show,
    picture="private-points",
    tabs=(
        Tab(
            "inside",
            TABS["inside"],
            idle=("p", "reg", "compared", "m", "guarantee", "delta", "method", "chunks", "steps"),
            why="This tab shows the private copy of a group. Settings in grey are for the barycenter of such copies.",
        ),
    ),
    disclosure=lambda config, result: released(
        [("Private measure", result.guarantee)], config.base.seed, result.backdrop.key
    ),
    headlines=headlines,
    parameters=inside_link,
    scrub=("base.epsilon",),
)
