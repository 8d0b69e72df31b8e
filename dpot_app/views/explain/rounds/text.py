from dpot_app.kit.view import Blocks, Picture
from dpot_app.views.explain.rounds.figures import rounds_figure
from dpot_app.views.explain.rounds.results import Rounds, rounds
from dpot_app.views.explain.settings import RoundsConfig, rounds_link
from dpot_app.views.explain.views import explain_view
from dpot_core.privacy.numerals import number


def show(config: RoundsConfig, result: Rounds) -> Blocks:
    alt = "Epsilon of all releases together against their number: added up, and exact for Gaussian noise"
    yield Picture("rounds", alt, rounds_figure, result)
    yield (
        f"Each release adds Gaussian noise with standard deviation {number(result.noise)} times its sensitivity. That "
        f"is the least for ε = {config.epsilon:g} and δ = {config.delta:g} (analytic Gaussian mechanism). After k "
        f"releases δ is k × {config.delta:g} for both curves. Adding up is right for every mechanism; the exact curve "
        "is for this noise only. The picture follows the slider of δ at once. Its axes depend on ε and on the number "
        "of releases, so it waits until you let those go."
    )
    yield config.guarantee


VIEW = explain_view(
    key="explain.rounds",
    title="Several Gaussian releases",
    example=RoundsConfig(),
    compute=lambda config, files, progress: (rounds(config),),
    show=show,
    scrub=("delta",),
    headlines=lambda result: {
        "ε of all releases, exact (nats)": float(result.exact[-1]),
        "ε of all releases, added up (nats)": float(result.basic[-1]),
    },
    parameters=rounds_link,
)
