from dpot_app.kit.view import Blocks, Picture
from dpot_app.views.metric.crowd.results import EPSILONS, CrowdRelease
from dpot_app.views.metric.crowd.text import headlines, runs
from dpot_app.views.metric.crowd_curve.figures import budgets_figure, crowd_errors_figure
from dpot_app.views.metric.crowd_curve.results import Budgets, CrowdErrors, curve
from dpot_app.views.metric.disclosed import curve_disclosure
from dpot_app.views.metric.protected import load
from dpot_app.views.metric.settings import CrowdConfig
from dpot_app.views.metric.views import city_view


def show(config: CrowdConfig, _now: CrowdRelease, errors: CrowdErrors, budgets: Budgets) -> Blocks:
    alt = "Distance of each estimate from the true crowd against epsilon"
    yield Picture("crowd-against-epsilon", alt, crowd_errors_figure, errors, config.base.epsilon)
    alt = "What one report may cost against the number of reports, by shuffling and by composition"
    yield Picture("cost-of-a-report", alt, budgets_figure, budgets)


VIEW = city_view(
    "crowd",
    key="metric.crowd-curve",
    heavy=lambda config: True,
    title="The crowd against ε",
    frames_at=lambda config: EPSILONS,
    example=CrowdConfig(),
    compute=lambda config, files, progress: curve(config, load(config.base, files), progress),
    show=show,
    disclosure=lambda config, now, errors, budgets: curve_disclosure(now),
    headlines=lambda now, errors, budgets: headlines(now),
    runs=lambda now, errors, budgets: runs(now),
)
