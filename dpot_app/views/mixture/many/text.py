from dpot_app.kit.view import Blocks, Picture
from dpot_app.views.mixture.many.figures import many_figure
from dpot_app.views.mixture.many.results import Many, many_mixtures
from dpot_app.views.mixture.many.settings import ManyConfig, link, requirements
from dpot_app.views.mixture.settings import NAMES
from dpot_app.views.mixture.views import mixture_view
from dpot_core.privacy.numerals import at_most


def show(_config: ManyConfig, many: Many) -> Blocks:
    alt = "Largest divergence over many mixtures for every mechanism, beside the paper's"
    yield Picture("fig4", alt, many_figure, many)
    theirs = (
        " Open markers: the paper's maxima. It has 100 other mixtures at each ε except 1. MBDE is a trained "
        "approximation of the mollifier."
    )
    text = (
        f"A demonstration with fixed mixtures.{theirs * many.config.of_paper} WPM: on 200 cells. Line R: KPM costs no "
        "mixture more than this, seen or not."
    )
    if many.disagreement is not None:
        text += (
            " At ε = 1 these are the paper's own mixtures. Our KPM agrees with theirs on each of them within "
            f"{at_most(many.disagreement, 0.0)}. Their program stops when the integral is within 1e-5 of 1."
        )
    yield text


def headlines(many: Many) -> dict[str, float]:
    worst = many.worst[many.worst["epsilon"] == 1.0].set_index("mechanism")["tv"]
    return {f"Largest total variation of {NAMES[str(name)]} at ε = 1": float(value) for name, value in worst.items()}


VIEW = mixture_view(
    key="mixture.many",
    title="The worst of many densities on the line",
    # The paper's take ten seconds.
    example=ManyConfig(source="random", count=10),
    compute=lambda config, files, progress: (many_mixtures(config, progress),),
    show=show,
    headlines=headlines,
    requirements=requirements,
    parameters=link,
)
