from dpot_app.films.releases import MECHANISMS
from dpot_app.kit.view import Blocks, Columns, Files, Picture, Tab
from dpot_app.views.movies.adversary.figures import largest_figure, ratio_figure
from dpot_app.views.movies.adversary.results import LargestRatio, TwoUsers, largest_ratio, two_users
from dpot_app.views.movies.data import called, films_of
from dpot_app.views.movies.settings import Config, link
from dpot_app.views.movies.views import movies_view
from dpot_core.arguments.progress import Progress

TAB = "What the adversary learns"
#: A share of epsilon that is no longer far from all of it.
_NEAR = 0.9


def compute(config: Config, files: Files, progress: Progress) -> tuple[TwoUsers, LargestRatio]:
    films = films_of(config, files)
    return two_users(films, config), largest_ratio(films, config.at_any_epsilon, progress)


def show(config: Config, users: TwoUsers, curve: LargestRatio) -> Blocks:
    alt = "Log-likelihood ratios between two users"
    yield Columns(
        [
            Picture("log-likelihood-ratios", alt, ratio_figure, users),
            Picture("largest-ratio", alt, largest_figure, curve, config.epsilon),
        ]
    )
    first, second = (called(users.films, name) for name in users.names)
    if first == second:
        yield "Both are the same user: every ratio is 1, and its logarithm 0."
    else:
        yield (
            f"An observer sees the released film, and asks whether it came from {first} or {second}. The film "
            "multiplies the odds by e^(share × ε), with the share shown. The guarantee bounds the share by 1 for "
            f"any two rating histories. That includes those that differ most{_far(users, curve)}."
        )


def _far(users: TwoUsers, curve: LargestRatio) -> str:
    """A remark that these two are no such histories, where no share that is shown comes near 1."""
    shares = [*curve.shares().values(), *(most / users.epsilon for most in users.largest().values())]
    return "; these two may be far from that" if max(shares) < _NEAR else ""


def headlines(users: TwoUsers, _curve: LargestRatio) -> dict[str, float]:
    largest = users.largest()
    return {f"Largest log-likelihood ratio, {MECHANISMS[name]} (nats)": value for name, value in largest.items()}


VIEW = movies_view(
    key="movies.adversary",
    title=TAB,
    compute=compute,
    show=show,
    tabs=(Tab("adversary", TAB, idle=("mechanisms",)),),
    scrub=("epsilon",),
    headlines=headlines,
    parameters=lambda config: link(config, "adversary", user="1", other="2"),
)
