from functools import partial

from dpot_app.cities.place import USUAL_SIDE
from dpot_app.figures.best_guess import blocks, headlines
from dpot_app.kit.view import Blocks, Tab
from dpot_app.views.geolocation.guess.results import CellGuesses, cell_guesses
from dpot_app.views.geolocation.settings import BELIEFS, Config, requirements
from dpot_app.views.geolocation.views import city_view


def show(config: Config, found: CellGuesses) -> Blocks:
    where = " (controls, *Grid, people, best guess*)" if config.base == "prior" else ""
    prior = BELIEFS[config.belief if config.base == "prior" else "uniform"]
    return blocks(found, config.mechanisms, f"{prior.lower()}{where}")


VIEW = city_view(
    "guess",
    "guess",
    lambda city, config, progress: (cell_guesses(city, config, progress),),
    title="Best guess from one release",
    show=show,
    tabs=(Tab("guess", "Best guess"),),
    headlines=headlines,
    requirements=partial(requirements, side=USUAL_SIDE),
    heavy=lambda config: True,
)
