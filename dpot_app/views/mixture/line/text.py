from collections.abc import Collection

from dpot_app.kit.fields import DISTANCE, POWER
from dpot_app.kit.moved import other_order
from dpot_app.kit.script import program
from dpot_app.kit.view import Blocks, Columns, Picture, Slot, Tab
from dpot_app.views.mixture.curves.figures import curves_figure
from dpot_app.views.mixture.curves.results import SINGLE_MODES, Curves, curves
from dpot_app.views.mixture.densities import make_family, make_reference, prior_of
from dpot_app.views.mixture.disclosed import disclosure, of_curves
from dpot_app.views.mixture.line.figures import CLIPS, DRAWS, line_figure, side_by_side_figure, worst_case_figure
from dpot_app.views.mixture.line.results import Result, largest_divergences, moved_by, run_line
from dpot_app.views.mixture.outputs import TABLE_IN_WORDS, many_in_words, numbers_table, total_variations
from dpot_app.views.mixture.settings import DETAILS, NAMES, TABS, Config, Modes, link, on_line
from dpot_app.views.mixture.views import TRAINED_IN_WORDS, mixture_view, refusals
from dpot_app.views.mixture.worst_case import WorstCases, WorstNow, worst_cases, worst_now
from dpot_core.privacy.numerals import at_most, enumeration, number

ALSO = {DRAWS: "Draws from KPM", CLIPS: "Where KPM clips"}
EVERY = {"all": "All"}
SIDE = {"side": "Side by side"}

KL_IN_WORDS = "KL compares output and input point by point. 0 nats means that they are equal; distances do not count."

_RELEASE = """
# Chosen before the density is seen: epsilon and the family.
family = make_family(config.family)

# The person's own density: any function of an array of points. Whatever it is, one number comes out.
p = make_input(config)
kpm = dpot.kl_projection_density(p, family, config.epsilon, tolerance=tolerance(config.family))
released = dpot.continuous.release_density(kpm)
print(released)  # publish this number and nothing else; each further one adds its epsilon
"""


def release_script(config: Config) -> str:
    """Python that draws one number for a real release by KPM."""
    imports = {"dpot_app.views.mixture.densities": "make_family, make_input, tolerance"}
    return f"import dpot_core as dpot\n{program(config, {}, imports, _RELEASE)}"


def show(
    config: Config,
    result: Result,
    _curves: WorstCases,
    now: WorstNow,
    output: str = "side",
    also: Collection[str] = (),
) -> Blocks:
    """The outputs side by side, each with the input and its band, or one or all of them over the input.

    Args:
        output: "side", or "all" over one another, or the mechanism whose output is drawn; the first one where the
            settings leave it out.
        also: keys of `ALSO`.
    """
    alt = "Density of the input and of what is released on the line, with the band that privacy allows"
    if output == "side" and result.densities:
        picture = Picture("line", alt, side_by_side_figure, result, now, tuple(also))
    else:
        drawn = output if output in (*result.densities, "all") else next(iter(result.densities), "all")
        picture = Picture("line", alt, line_figure, result, now, drawn, tuple(also))
    yield Columns((picture, Slot("curves")), (1.6, 1.0))
    text = f"{KL_IN_WORDS} {_what_p_changes(config, result)}"
    if CLIPS in also:
        text += (
            "Grey columns: KPM lifts the density to the lower bound. Orange columns: it cuts the density at the upper "
            "one. "
        )
    text += _near_prior(config, result)
    accepted = 100 * (result.numbers["kpm"].acceptance or 0.0)
    text += (
        "KPM draws from the public density h until it accepts a draw. "
        f"It accepts {number(accepted)}% of the draws, for every input."
    )
    if "mbde" in result.numbers:
        text += f" {TRAINED_IN_WORDS}"
    if config.draws and DRAWS in also:
        text += (
            f" The {config.draws:,} draws are a demonstration: floats from a known seed. All are of one input, so "
            f"together they would spend {config.draws:,} ε."
        )
    trivial = "The family is so narrow that its members differ by less than e^ε: KPM releases the input itself."
    yield trivial if result.trivial else text + refusals(result.infeasible)
    yield disclosure(config)


def _near_prior(config: Config, result: Result) -> str:
    """For which densities KPM around prior is made, whether this input is one, and what it costs them at most."""
    if "kpm-prior" not in result.numbers:
        return ""
    near, reference = prior_of(config), make_reference(config.reference, 1).density(result.x)
    far = float(max((result.p / reference).max(), (reference / result.p).max()))
    worst, kpm = near.worst_case("kl", config.epsilon), worst_now(config.family, config.epsilon).divergences["kl"]
    inside = "this input is one of them" if far <= near.c2 else f"this input differs by a factor of {number(far)}"
    return (
        f"KPM around prior is made for densities within a factor {number(near.c2)} of its Gaussian: {inside}. Their KL "
        f"with KPM around prior is at most {at_most(worst)}. A mixture's KL with KPM is at most {at_most(kpm)}. "
    )


def _what_p_changes(config: Config, result: Result) -> str:
    """The plans of WPM for this order and for another one, in numbers."""
    if "wpm" not in result.numbers:
        return ""
    here, other = (moved_by(config, p) for p in (config.p, other_order(config.p)))
    said = [f"{number(one.mean)} on average, the farthest tenth of it by {number(one.tenth)}" for one in (here, other)]
    if said[0] == said[1]:
        return f"WPM moves the mass by {said[0]}, with p = {here.p:g} as with p = {other.p:g} ({POWER}). "
    return (
        f"p is {POWER}: a larger one avoids far moves more. With p = {here.p:g} WPM moves the mass by {said[0]}. "
        f"With p = {other.p:g} it moves the mass by {said[1]}. "
    )


def show_numbers(config: Config, result: Result, _curves: WorstCases, now: WorstNow) -> Blocks:
    yield numbers_table(result.numbers, now.divergences, config.p)
    trained = ""
    if "mbde" in result.numbers:
        trained = (
            " MBDE: low and high times the mollifier's Gaussian, because its networks are bounded; nothing is clipped. "
            "Its draws are exact and need no ε′."
        )
    yield (
        f"{TABLE_IN_WORDS} KPM's output is h times a curve of straight pieces between public points. So its integral "
        "is a finite sum, within d = 1e-9 of 1 for every input. (The public numbers err by "
        f"{at_most(result.error, 0.0)} at most.) Even the small error d would cost privacy. So the density is made for "
        "a smaller ε′ = ε − log((1 + d)/(1 − d)). ε′ is smaller than ε by "
        f"{number(config.epsilon - result.epsilon_used)}; with it the draw satisfies ε = {config.epsilon:g}. WPM: on "
        f"{config.cells} cells, W of order {config.p:g}, exact. If two inputs differ by t in total variation, their "
        f"KPM outputs differ by at most {at_most(2.0 / (result.numbers['kpm'].r or 1.0))} t. W₁: how far the mass "
        f"moves on average, in units of x, between the same cells.{trained}"
    )


def show_worst(config: Config, result: Result, curves: WorstCases, now: WorstNow) -> Blocks:
    alt = "Worst-case divergences of the family against epsilon, with this input's divergences"
    yield Picture("worst-case", alt, worst_case_figure, result, curves, now, largest_divergences(config))
    yield (
        f"R is KPM's worst case over all densities between 0 and c₂ h (c₂ = {number(make_family(config.family).c2)}). "
        "Every mixture of the family is one of them."
    )
    yield many_in_words(config, result.numbers)


#: Under the picture.
NUMBERS = Tab("numbers", DETAILS["numbers"], show_numbers)
WORST = Tab("worst", DETAILS["worst"], show_worst)

VIEW = mixture_view(
    key="mixture.line",
    title="A density on the line",
    example=Config(modes=Modes(means=(-1.0, 1.0), weights=(0.9, 0.1)), mechanisms=("kpm", "mollifier", "wpm")),
    compute=lambda config, files, progress: (
        run_line(config, progress),
        worst_cases(config.family),
        worst_now(config.family, config.epsilon),
    ),
    show=show,
    tabs=(Tab("line", TABS["line"]),),
    scrub=("epsilon",),
    headlines=lambda result, _curves, now: {
        **total_variations(result.config, result.numbers),
        "Worst-case total variation of KPM": now.divergences["tv"],
    },
    requirements=on_line,
    parameters=link,
)


def show_curves(config: Config, worst: Curves, here: Result, loss: str = DISTANCE) -> Blocks:
    """Worst cases in W_p or in a divergence.

    Args:
        loss: a key of `LOSSES`.
    """
    alt = "Worst case of every mechanism over the family against epsilon, with what this input costs"
    yield Picture("worst-curves", alt, curves_figure, worst, here, loss)
    bounded = [NAMES[name] for name, found in worst.now[loss].items() if found.at_least < found.at_most]
    text = "★: the lines at this ε. ○: this input. "
    text += f"Lines: the worst member of the family that is known, on {config.cells} cells. "
    if bounded:
        text += (
            f"{enumeration(bounded)}: some member of the family is as bad as the line shows. No member is worse than "
            "the upper edge of the shade, a proven bound (which may lie above the picture). "
        )
    if len(bounded) < len(worst.now[loss]):
        text += f"The others: the worst of {SINGLE_MODES} single modes; no mixture is worse than its worst mode. "
    yield text + ("MBDE: trained for each input, no worst case known." if "mbde" in config.mechanisms else "")


#: Beside the picture, on no tab.
CURVES = mixture_view(
    key="mixture.worst-curves",
    title="Worst cases of the mechanisms shown",
    example=VIEW.example,
    compute=lambda config, files, progress: (curves(config, progress), run_line(config)),
    show=show_curves,
    disclosure=lambda *_: of_curves(),
    headlines=lambda worst, here: {},
    scrub=("epsilon",),
    requirements=on_line,
    parameters=link,
)
