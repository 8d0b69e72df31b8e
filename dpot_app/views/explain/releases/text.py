from dpot_app.kit.view import Blocks, Note, Picture, Tab
from dpot_app.views.explain.releases.figures import releases_figure
from dpot_app.views.explain.releases.results import Releases, releases
from dpot_app.views.explain.settings import TABS, ReleasesConfig, releases_link, requirements
from dpot_app.views.explain.views import explain_view


def show(config: ReleasesConfig, result: Releases) -> Blocks:
    yield Picture("releases", "Largest belief after each of several releases", releases_figure, result)
    if len(config.epsilons) <= 12:
        yield Note(f"**{' + '.join(config.epsilons)} = {result.sums[-1]}**, exactly")
    yield (
        "Each release may depend on the ones before and on the same data. Their epsilons add up (basic composition). "
        "The sum is computed with fractions, so it is exact. It is rounded up where it becomes a decimal."
    )
    yield config.guarantee


VIEW = explain_view(
    key="explain.releases",
    title="Several releases",
    example=ReleasesConfig(),
    compute=lambda config, files, progress: (releases(config),),
    show=show,
    scrub=("prior",),
    tabs=(Tab("several", TABS["several"]),),
    headlines=lambda result: {
        "ε of all releases (nats)": result.config.guarantee.epsilon,
        "Most that can be believed after all (probability)": float(result.most[-1]),
    },
    requirements=requirements,
    parameters=releases_link,
)
