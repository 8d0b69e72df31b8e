"""Where the people of a country live, in a few points: private Wasserstein barycenters."""

# Exported Python imports from here also what the page itself does not use.
from dpot_app.kit.page import Page, views_in
from dpot_app.views.population.curves.results import curve, curve_point
from dpot_app.views.population.digit_pictures.results import digits
from dpot_app.views.population.gaussians.results import synthetic_curve, synthetic_point
from dpot_app.views.population.lesson import LESSON
from dpot_app.views.population.map.text import MANY
from dpot_app.views.population.need import NEED
from dpot_app.views.population.people import draw_people, load_population, reference
from dpot_app.views.population.private_measure.results import inside
from dpot_app.views.population.releases import publish, release
from dpot_app.views.population.sensitivity.results import circle, replace_people
from dpot_app.views.population.settings import MECHANISMS, SIDEBAR, TABS, Config, InsideConfig
from dpot_app.views.population.synthetic import SyntheticConfig

PAGE = Page(
    key="population",
    prefix="pop",
    title="Population",
    question=(
        "A Wasserstein barycenter sums up where people live by a few points of equal weight. How far do these points "
        "move when every person's home is protected?"
    ),
    views=views_in(
        __name__, "map", "guaranteed", "curves", "sensitivity", "private_measure", "gaussians", "digit_pictures"
    ),
    aside=tuple(MANY.values()),
    terms=("wasserstein", "atoms", "nats", "delta", "neighbours", "error"),
    order=tuple(TABS),
    seed="seed",
    sidebar=SIDEBAR,
    lesson=LESSON,
    needs=(NEED,),
)
