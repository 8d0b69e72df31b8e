from dpot_app.kit.view import Blocks, Columns, Picture, Tab
from dpot_app.views.ring.guess.figures import chance_figure, error_figure
from dpot_app.views.ring.guess.results import Guesses, guesses
from dpot_app.views.ring.settings import BELIEFS, Config
from dpot_app.views.ring.views import ring_view
from dpot_app.views.ring.worst_case.text import CURVES
from dpot_core.mechanisms import LABELS
from dpot_core.privacy.numerals import enumeration


def show(config: Config, found: Guesses) -> Blocks:
    chance = "The chance that the best guess of the input point is right against epsilon, for each mechanism"
    error = "How far each mechanism moves a point at most against the chance that the best guess of it is right"
    yield Columns(
        (
            Picture("best-guess", chance, chance_figure, found),
            Picture("best-guess-error", error, error_figure, found),
        )
    )
    left_out = [LABELS[name] for name in config.mechanisms if name not in found.now]
    yield (
        "The person is at one point, drawn from the prior; the guess is the likeliest point, given prior, mechanism "
        "and release. How often it is right is the Bayes vulnerability; a point beside the right one counts as wrong. "
        f"Prior: {BELIEFS[config.belief].lower()} (controls, *Outputs, seed, best guess*). Wide grey line: no "
        "guess is right more often at this ε. ★ now. Distances: of the point that is moved farthest. "
        f"Lines join {len(found.epsilon)} values of ε."
        + (f" Left out, because some point has no output: {enumeration(left_out)}." if left_out else "")
    )


def headlines(found: Guesses) -> dict[str, float]:
    right = {f"Best guess right after {LABELS[name]} (share)": now.right for name, now in found.now.items()}
    return right | {"Best guess right without a release (share)": found.without}


VIEW = ring_view(
    "guess",
    title="Best guess from one release",
    compute=lambda config, files, progress: (guesses(config, progress),),
    show=show,
    tabs=(Tab("guess", "Best guess"),),
    headlines=headlines,
    heavy=CURVES.heavy,
)
