from dpot_app.kit.view import Blocks, Picture, Tab, Table
from dpot_app.views.explain.beliefs import odds, share
from dpot_app.views.explain.release.figures import beliefs_figure, deniability_figure
from dpot_app.views.explain.release.results import Result, run
from dpot_app.views.explain.settings import TABS, Config, release_link
from dpot_app.views.explain.views import belief_headlines, explain_view
from dpot_core.privacy.numerals import at_most


def show(config: Config, result: Result) -> Blocks:
    alt = "A hundred people before a release, and after the outputs that say most for and against"
    yield Picture("beliefs", alt, beliefs_figure, result)
    yield (
        "Of 100 people like you, strong colour marks those of whom an observer would believe it. Where their number is "
        "not whole, one of them is coloured in part. These limits hold for every output and every "
        "observer, whatever else they know. Most outputs change beliefs less."
    )
    yield config.guarantee
    most, least = odds(result.prior_odds * result.factor, up=True), odds(result.prior_odds / result.factor, up=False)
    rows = [
        ["Before", odds(result.prior_odds), share(config.prior)],
        ["After the output most for it: odds × e^ε", f"≤ {most}", f"≤ {share(result.most)}"],
        ["After the output most against it: odds ÷ e^ε", f"≥ {least}", f"≥ {share(result.least, up=False)}"],
    ]
    yield Table(["", "Odds", "Belief"], rows)
    alt = "A hundred releases if something is true, and a hundred if it is false"
    yield Picture("deniability", alt, deniability_figure, result)
    yield (
        "The mechanism here is randomized response to a yes-or-no question. It reveals all that ε allows. A “yes” is "
        f"at most {at_most(result.factor)} times as likely where it is true as where it is false (the likelihood "
        f"ratio). {_proof(result)}"
    )


def _proof(result: Result) -> str:
    """The evidence of a yes, in words."""
    if result.others > 1:
        return "So a “yes” is no proof: some of those for whom it is false say it too."
    if result.others == 1:
        return "So a “yes” nearly gives it away: about one of 100 others says so too."
    return "So a “yes” all but proves it: hardly any of those for whom it is false say so."


VIEW = explain_view(
    key="explain.release",
    title="One release",
    example=Config(),
    compute=lambda config, files, progress: (run(config),),
    show=show,
    scrub=("epsilon", "prior"),
    tabs=(Tab("one", TABS["one"]),),
    headlines=belief_headlines,
    parameters=release_link,
)
