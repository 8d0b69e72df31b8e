from dpot_app.figures.best_guess import blocks, headlines
from dpot_app.kit.view import Blocks, Files, Tab
from dpot_app.views.movies.data import films_of
from dpot_app.views.movies.guess.results import FilmGuesses, film_guesses
from dpot_app.views.movies.settings import BELIEFS, Config, link
from dpot_app.views.movies.views import movies_view
from dpot_core.arguments.progress import Progress


def compute(config: Config, files: Files, progress: Progress) -> tuple[FilmGuesses]:
    return (film_guesses(films_of(config, files), config, progress),)


def show(config: Config, found: FilmGuesses) -> Blocks:
    return blocks(found, config.mechanisms, f"{BELIEFS[config.belief].lower()} (controls, *Split, embedding, guess*)")


VIEW = movies_view(
    key="movies.guess",
    title="Best guess from one release",
    compute=compute,
    show=show,
    tabs=(Tab("guess", "Best guess"),),
    scrub=("epsilon",),
    headlines=headlines,
    heavy=lambda config: config.source != "simulated",
    parameters=lambda config: link(config, "guess"),
)
