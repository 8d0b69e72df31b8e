from dpot_app.kit.fields import DISTANCE, LOSSES
from dpot_app.kit.many_releases import many, many_text
from dpot_app.kit.view import Blocks, Note, Picture, Tab
from dpot_app.views.ring.outputs.results import Result, run
from dpot_app.views.ring.settings import BASES, Config
from dpot_app.views.ring.units import order
from dpot_app.views.ring.views import ring_view
from dpot_app.views.ring.worst_case.figures import curves_figure, divergences_figure, worst_case_figure
from dpot_app.views.ring.worst_case.results import (
    Curves,
    WorstCases,
    WorstNow,
    curves,
    near_prior,
    now,
    worst_cases,
)
from dpot_core.mechanisms import MECHANISMS, rivals
from dpot_core.privacy.numerals import at_least, at_most, enumeration, number


def show(config: Config, worst: WorstCases, now: WorstNow) -> Blocks:
    alt = "Worst-case Wasserstein distance of each mechanism against epsilon"
    yield Picture("worst-case", alt, worst_case_figure, worst, now)
    yield (
        "WPM and k-RR: the largest distance over all inputs (Theorem 3.5; convexity). KPM and EM: the largest over "
        "one-point inputs, a lower bound of their worst case. For a one-point input KPM and k-RR do the same. WPM is "
        "the exact projection here"
        + ("." if config.reg is None else f"; with λ = {config.reg:g}, as chosen, it can move inputs farther.")
    )
    held = {MECHANISMS[name].label: many(MECHANISMS[name].polytope(config.public)) for name in config.mechanisms}
    yield many_text(held, config.epsilon)


def show_divergences(config: Config, worst: WorstCases, now: WorstNow) -> Blocks:
    alt = "Worst-case divergences of KPM and of the relative mollifier against epsilon"
    yield Picture("divergences", alt, divergences_figure, worst, now)
    yield f"Closed forms for k = {worst.ring.k} points, all of them outputs. Divergences ignore distances."
    yield from _near_prior(config)


def _near_prior(config: Config) -> Blocks:
    """When KPM around prior is proven to be better than KPM: for inputs within the factor of the settings."""
    found = near_prior(config)
    if found is None:
        return
    ours, kpm = found
    gain = "" if ours.at_most < kpm else " No gain is proven at this γ."
    yield (
        f"For inputs within the factor γ = {number(config.base.gamma)} of the prior, KPM around prior has a KL of at "
        f"most {at_most(ours.at_most)}. KPM reaches {at_least(kpm)}.{gain}"
    )


def headlines(worst: WorstCases, now: WorstNow) -> dict[str, float]:
    far = f"Worst-case {order(worst.ring.p)}"
    return {
        f"{far} of WPM (steps)": now.in_use,
        f"{far} of WPM, best uniform base (steps)": now.wasserstein["wpm"],
        **{f"{far} of {row.label} (steps)": now.wasserstein[name] for name, row in rivals("exact").items()},
        "Worst-case total variation of KPM": now.divergences["tv"]["minimax"],
    }


VIEW = ring_view(
    "worst-case",
    title="Worst cases against ε",
    compute=lambda config, files, progress: (worst_cases(config.ring), now(config)),
    show=show,
    tabs=(Tab("worst", "Worst case"), Tab("divergences", "Worst-case divergences", show_divergences)),
    headlines=headlines,
)


def show_curves(_config: Config, curves: Curves, here: Result, loss: str = DISTANCE) -> Blocks:
    """The worst cases beside the outputs.

    Args:
        loss: a key of `LOSSES`.
    """
    if loss not in curves.losses:
        yield Note("Where points are left out, divergences are infinite: outputs miss what inputs have.", "info")
        return
    alt = f"Worst case of the mechanisms that are shown, {LOSSES[loss]}, against epsilon"
    yield Picture("worst-curves", alt, curves_figure, curves, here, loss)
    now = curves.losses[loss].now
    open_ended = [MECHANISMS[name].label for name, found in now.items() if found.at_least < found.at_most]
    bounded = (
        f" {enumeration(open_ended)}: the line is the largest over one-point inputs. Over all inputs, the worst case "
        "lies in the shade, whose upper edge is a proven bound."
    )
    bases = ", ".join(f"{BASES[kind].lower()} {at_most(worst)}" for kind, worst in curves.bases.items())
    yield (
        f"★: the lines at this ε. ○: this input.{bounded * bool(open_ended)} Exact WPM's worst case by base "
        f"measure: {bases} steps."
    )


#: Beside the outputs, on no tab: what is seen there depends on the input too.
CURVES = ring_view(
    "worst-curves",
    title="Worst cases of the mechanisms shown",
    compute=lambda config, files, progress: (curves(config, progress), run(config)),
    show=show_curves,
    headlines=lambda curves, here: {},
    heavy=lambda config: config.ring.k > (60 if config.base.kind == "minimax" else 100) or (config.reg or 1.0) < 0.005,
)
