from dpot_app.figures.best_guess import blocks, headlines
from dpot_app.kit.view import Tab
from dpot_app.views.ring.guess.results import guesses
from dpot_app.views.ring.settings import BELIEFS
from dpot_app.views.ring.views import ring_view
from dpot_app.views.ring.worst_case.text import CURVES

VIEW = ring_view(
    "guess",
    title="Best guess from one release",
    compute=lambda config, files, progress: (guesses(config, progress),),
    show=lambda config, found: blocks(
        found, config.mechanisms, f"{BELIEFS[config.belief].lower()} (controls, *Outputs, seed, best guess*)"
    ),
    tabs=(Tab("guess", "Best guess"),),
    headlines=headlines,
    heavy=CURVES.heavy,
)
