from dpot_app.kit.view import Blocks, Picture, Tab
from dpot_app.views.ring.plan.figures import plan_figure
from dpot_app.views.ring.plan.results import Plan, plan
from dpot_app.views.ring.settings import Config
from dpot_app.views.ring.views import ring_view


def show(_config: Config, result: Plan) -> Blocks:
    yield Picture("plan", "Optimal transport plan from the input to the output of WPM", plan_figure, result)
    yield (
        "The plan of the exact projection (λ = 0). Mass on the diagonal line stays where it is. Colours show the "
        "square root of the mass."
    )


VIEW = ring_view(
    "plan",
    title="Transport plan",
    compute=lambda config, files, progress: (plan(config.problem),),
    show=show,
    tabs=(Tab("plan", "Transport plan"),),
    headlines=lambda result: {"Mass that leaves its place": result.moved},
)
