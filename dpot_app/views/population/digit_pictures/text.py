from functools import partial

from dpot_app.kit.markdown import as_text
from dpot_app.kit.view import Blocks, Columns, Picture
from dpot_app.views.population.digit_pictures.figures import PARTS, digit_figure
from dpot_app.views.population.digit_pictures.results import KEPT, DigitResult, digests, digits
from dpot_app.views.population.disclosed import released
from dpot_app.views.population.settings import SYNTHETIC
from dpot_app.views.population.synthetic import SERIES, SyntheticConfig, link
from dpot_app.views.population.views import synthetic_view


def show(config: SyntheticConfig, result: DigitResult) -> Blocks:
    alt = "A digit, its private copy or its barycenter"
    yield Columns([Picture(f"digit-{part}", alt, digit_figure, result, part) for part in PARTS])
    source = "" if not result.simulated else " MNIST is not on this machine (see DPOT_DATA in data/README.md)."
    yield (
        f"{as_text(result.title)}.{source} Each picture is a distribution over the plane, from which {config.points:,} "
        f"points are drawn. Barycenters use {KEPT:,} points of each picture or copy. Neighbours differ in one drawn "
        "point of one picture. This illustrates the method; it promises nothing to the writer of the digit. Of the "
        "settings in the sidebar, only ε and the seed count here."
    )


VIEW = synthetic_view(
    key="population.digits",
    title="Digits as distributions",
    compute=lambda config, files, progress: (digits(config, progress),),
    show=show,
    picture="digit-barycenter",
    tabs=(SYNTHETIC,),
    disclosure=lambda config, result: released([("Coreset of the pictures", result.guarantee)], config.seed),
    headlines=lambda result: {f"Cost of {SERIES[key].lower()}": cost for key, cost in result.costs.items()},
    data_sets=("mnist",),
    digests=digests,
    parameters=partial(link, "digits"),
    scrub=("epsilon",),
)
