from dpot_app.cities.public import Columns, on_map, public_map
from dpot_app.views.metric.ask.results import SEED, Ask
from dpot_app.views.metric.crowd.results import HOW, CrowdRelease
from dpot_app.views.metric.crowd.results import SEED as VISITS_SEED
from dpot_app.views.metric.protect.results import Protect
from dpot_core.privacy.disclosures import Disclosure, demonstration, known_seed, nothing_released

_RELEASED = tuple(f"{what}, {how}" for how in HOW.values() for what in ("reports", "estimate"))

#: Columns that depend on the settings only, or that the guarantee covers.
FREE: Columns = {
    "errors": ("simulated", "model", "promise"),
    "noisy-answers": ("simulated", "model", "promise"),
    "true-answer": ("simulated", "people"),
    "question": ("simulated", "cell"),
    "crowd-cells": ("simulated", "cell", *_RELEASED),
    "crowd-errors": ("simulated", "epsilon", "release", "neighbours", "delta"),
    "cost-of-a-report": ("reports m",),
    "cost-of-a-report-counted": ("reports m",),
}

#: The same where the size of the map is public, on which they depend.
LENGTHS: Columns = {
    "errors": (
        *("scale of the noise", "expected error (km)", "expected error (miles)", "expected error (share)"),
        *("expected error of one person's answer (km)", "expected error of one person's answer (share)"),
    ),
    "question": ("f",),
    "crowd-errors": (
        *("alpha", "beta of a report on a random visit", "beta by Theorem 4.4"),
        "alpha_0 of a report on a known visit",
    ),
    "cost-of-a-report": ("*",),
    "cost-of-a-report-counted": ("*",),
}


def protect_disclosure(result: Protect) -> Disclosure:
    """The disclosure of the protected changes: it reads the size of the map."""
    public = result.simulated or result.config.example == "paper" or public_map(result.config.base.laid)
    return nothing_released("public" if public else "analysis")


def ask_disclosure(result: Ask) -> Disclosure:
    """The disclosure of a question: hundreds of answers, of which a release would draw one. None of them is free."""
    draws = known_seed(SEED) + " It draws hundreds of answers to show their errors; a release draws one."
    free = on_map(FREE, result.config.base.laid, result.map.simulated, LENGTHS)
    source = "\n".join(
        f"metric.ask {what} {float(noise.scale)!r} {result.people}" for what, noise in result.noise.items()
    )
    return demonstration([("one noisy answer", result.guarantee)], draws, source=source, free=free)


def crowd_disclosure(release: CrowdRelease) -> Disclosure:
    """The disclosure of the crowd: the first run of each way, from visits and noise of its own.

    Only a private file's streams are named by the data, too. So each has a line, also that of the users as wholes,
    whose distances stand beside the releases: two files, or one at two settings, have no sum where they may share any
    noise.
    """
    parts = [(f"{HOW[how]} reports", release.guarantee_of(how)) for how in release.promises]
    common = f"{release.config.visits} {release.people} {release.largest!r}"
    lines = [f"metric.crowd {how} {float(one.item_rate)!r} {common}" for how, one in release.promises.items()]
    whole = f"{float(release.config.base.epsilon)!r} {release.people} {len(release.truth)}"
    source = "\n".join([*lines, f"metric.crowd, whole user {whole}"])
    free = on_map(FREE, release.config.base.laid, release.map.simulated, LENGTHS)
    return demonstration(parts, known_seed(VISITS_SEED), source=source, free=free)


def curve_disclosure(release: CrowdRelease) -> Disclosure:
    """The disclosure of the crowd at many epsilon, one of which is given: errors are computed from the data."""
    # Of the maps nothing is free: one of many releases, nothing of which is published.
    free = FREE | {"crowd-against-epsilon": FREE["crowd-errors"], "crowd-cells": ("simulated", "cell")}
    lengths = LENGTHS | {"crowd-against-epsilon": LENGTHS["crowd-errors"]}
    return nothing_released("analysis", on_map(free, release.config.base.laid, release.map.simulated, lengths))
