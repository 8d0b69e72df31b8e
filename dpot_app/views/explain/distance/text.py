from dpot_app.kit.view import Blocks, Picture, Tab
from dpot_app.views.explain.distance.figures import distance_figure
from dpot_app.views.explain.distance.results import OverDistance, over_distance
from dpot_app.views.explain.release.figures import beliefs_figure
from dpot_app.views.explain.settings import TABS, DistanceConfig, distance_link
from dpot_app.views.explain.views import belief_headlines, explain_view
from dpot_core.privacy.numerals import at_most


def show(config: DistanceConfig, result: OverDistance) -> Blocks:
    alt = "Largest and smallest belief after a release against the distance of two places"
    yield Picture("over-distance", alt, distance_figure, result)
    alt = "A hundred people before and after a release, for two places at this distance"
    yield Picture("at-distance", alt, lambda over: beliefs_figure(over.here), result)
    yield (
        f"A person was at one of two places {config.distance:g} km apart. The promise between the two is ε = α d = "
        f"{at_most(config.alpha * config.distance)}. The unit matters: the same promise per metre is α = "
        f"{config.alpha / 1000:g}."
    )
    yield config.promise


VIEW = explain_view(
    key="explain.distance",
    title="Privacy by distance",
    example=DistanceConfig(),
    compute=lambda config, files, progress: (over_distance(config),),
    show=show,
    scrub=("alpha", "distance", "prior"),
    tabs=(Tab("distance", TABS["distance"]),),
    headlines=lambda result: belief_headlines(result.here),
    parameters=distance_link,
)
