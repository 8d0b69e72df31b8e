from dpot_core.divergences import DIVERGENCES
from dpot_core.mechanisms import MECHANISMS
from dpot_core.studies._kit.view import Blocks, Note, Picture, Tab, Table
from dpot_core.studies.ring.outputs.figures import outputs_figure
from dpot_core.studies.ring.outputs.results import Result, run
from dpot_core.studies.ring.settings import Config
from dpot_core.studies.ring.units import order, steps
from dpot_core.studies.ring.views import ring_view
from dpot_core.studies.ring.worst_case.results import WorstNow, now


def show(_config: Config, result: Result, _now: WorstNow) -> Blocks:
    alt = "The input distribution and the output distribution of each mechanism along the ring"
    yield Picture("distributions", alt, outputs_figure, result, light=True)
    if result.config.mechanisms:
        yield _reading(result)


def _reading(result: Result) -> str:
    config = result.config
    text = "Outline: the input. Shaded: the bounds that make a mechanism private, where it has some of its own."
    if config.ring.every > 1:
        text += " KPM, k-RR and the mollifier first move every point to the nearest output."
    if result.infeasible:
        text += " The mollifier is left out: its reference, the base measure, has no mass where the input has some."
    if result.exact_distance is not None:
        text += (
            f" WPM is computed by Algorithm 1 with λ = {config.reg:g}, for costs scaled so that the largest is 1 "
            "(other scales need other λ)" + ("" if result.converged else "; it has not converged after 1000 iterations")
        )
        text += f". It is as private as the exact projection, which is {steps(result.exact_distance)} from the input."
    return text


def show_numbers(_config: Config, result: Result, _now: WorstNow) -> Blocks:
    if not result.distances:
        yield Note("Choose a mechanism on the left: its distances appear here.", "info")
        return
    name = order(result.config.ring.p)
    rows = [
        [
            f"{MECHANISMS[key].label} ({MECHANISMS[key].title})",
            *map(_number, (distance, *(result.divergences[key][one] for one in DIVERGENCES))),
        ]
        for key, distance in result.distances.items()
    ]
    yield Table(["From the input to", f"{name} (steps)", *(row.axis for row in DIVERGENCES.values())], rows)
    yield (
        f"{name} counts steps along the ring: moving all mass by one point costs 1. The divergences do not know which "
        "points are close. ∞: the input has mass where the output cannot have any."
    )


def _number(value: float) -> str:
    return "∞" if value == float("inf") else f"{value:.4g}"


def headlines(result: Result, worst: WorstNow) -> dict[str, float]:
    name = order(result.config.ring.p)
    moved = {f"{name} of {MECHANISMS[key].label} (steps)": value for key, value in result.distances.items()}
    return moved | {f"Worst-case {name} of WPM (steps)": worst.in_use}


VIEW = ring_view(
    "outputs",
    title="One input through every mechanism",
    compute=lambda config, files, progress: (run(config), now(config)),
    show=show,
    scrub=("epsilon", "reg"),
    tabs=(Tab("numbers", "This input in numbers", show_numbers),),
    headlines=headlines,
)
