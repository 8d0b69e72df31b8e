from dpot_app.films.releases import MECHANISMS, make_base, polytope_of
from dpot_app.kit.many_releases import many, many_text
from dpot_app.kit.view import Blocks, Files, Note, Picture
from dpot_app.views.movies.data import films_of
from dpot_app.views.movies.settings import BASE_LABELS, Config, link
from dpot_app.views.movies.views import movies_view
from dpot_app.views.movies.worst_case.figures import known, worst_figure
from dpot_app.views.movies.worst_case.results import WorstCases, worst_cases
from dpot_core.arguments.progress import Progress
from dpot_core.privacy.numerals import counted, number


def compute(config: Config, files: Files, progress: Progress) -> tuple[WorstCases]:
    return (worst_cases(films_of(config, files), config, progress),)


def show(config: Config, worst: WorstCases) -> Blocks:
    if not config.mechanisms:
        yield Note("Choose a mechanism in the controls: its worst case appears here.", "info")
        return
    alt = "Worst case of the mechanisms that are shown, against epsilon"
    yield Picture("worst-profiles", alt, worst_figure, worst)
    bounded = [MECHANISMS[name] for name in MECHANISMS if name in config.mechanisms and not known(worst, name)]
    lost = (
        f" of films with a place in the embedding. {counted(worst.lost, 'film has', 'films have')} none: every "
        "mechanism moves a profile of such films by exactly 1"
    )
    lines = (
        f" {', '.join(bounded)}: the line is the worst profile of a single film. No profile is worse than the upper "
        "edge of the shade, a proven bound."
    )
    profiles = f"Curves: over all profiles{lost if worst.lost else ''}."
    yield f"★: the lines at this ε. ○: this user.{_unit(config.p)} {profiles}{lines if bounded else ''}"
    bases = "; ".join(
        f"{BASE_LABELS[name]} {number(value)}"
        + " (it also guards the films without a place)" * bool(worst.lost and name == "minimax")
        for name, value in worst.bases.items()
    )
    yield (
        f"Worst case of exact WPM, in cosine distance, by base measure (Theorem 3.5): {bases}. For Hit Rate@1 (is the "
        "film liked?) no worst case can be promised: a user may like no film."
    )
    base = make_base(worst.films, config.base, config.epsilon)
    held = {
        MECHANISMS[name]: many(polytope_of(worst.films, name, base, config.epsilon, config.reg))
        for name in config.mechanisms
    }
    yield many_text(held, config.epsilon)


def _unit(p: float) -> str:
    words = " Unit: W²/2, where W counts straight lines (chords). At p = 2 this is the mean cosine distance."
    return "" if p == 2.0 else words


def headlines(worst: WorstCases) -> dict[str, float]:
    return {
        f"Worst case of {MECHANISMS[name]}, at most (cosine distance)": one.at_most for name, one in worst.now.items()
    }


VIEW = movies_view(
    key="movies.worst",
    title="Worst case over all profiles",
    compute=compute,
    show=show,
    scrub=("epsilon",),
    headlines=headlines,
    heavy=lambda config: config.source != "simulated",
    parameters=lambda config: link(config, "user", user="1"),
)
