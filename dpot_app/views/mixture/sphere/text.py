import math

from dpot_app.kit.view import Blocks, Columns, Picture, Tab, Table
from dpot_app.views.mixture.disclosed import disclosure
from dpot_app.views.mixture.settings import TABS
from dpot_app.views.mixture.sphere.figures import against_epsilon_figure, caps_figure, picture_figure
from dpot_app.views.mixture.sphere.results import Sphere, run_sphere
from dpot_app.views.mixture.sphere.settings import SphereConfig, link, requirements
from dpot_app.views.mixture.views import mixture_view
from dpot_core.privacy.numerals import at_most, number, percent_at_least


def show(config: SphereConfig, sphere: Sphere) -> Blocks:
    caps = Picture("caps", "Density of the output against the angle", caps_figure, sphere)
    if config.d <= 2:
        alt = "The cap around one input and draws of the output"
        yield Columns([caps, Picture("picture", alt, picture_figure, sphere)], (1.6, 1.0))
    else:
        yield caps
    yield (
        "The cap holds the directions within an angle of the input. Vertical grey line: the cap of PrivUnit, a "
        f"published mechanism, at {number(math.degrees(sphere.privunit.angle))}°, chosen for the smallest variance. It "
        f"is the best cap for p = 2. A smaller p has a smaller best cap, a larger p a larger one. The {config.draws:,} "
        "draws are a demonstration: rounded numbers from a known seed around one input. Together they would spend "
        f"{config.draws:,} ε. There is no release for real on the sphere: the last digits of rounded numbers show the "
        "input."
    )
    yield disclosure(config)
    rows = []
    for p, cap in sphere.best.items():
        angle, mass = f"{number(math.degrees(cap.angle))}°", percent_at_least(cap.cap_mass)
        rows.append([f"{p:g}", number(cap.scale), angle, mass, at_most(cap.value)])
    yield Table(["Order p", "a*", "Cap's angle", "Output in the cap", "Worst-case distance (radius 1)"], rows)
    yield (
        "Radius 1, straight-line distance. The output has density a* e^(ε/2) in the cap and a* e^(-ε/2) outside, "
        "against the uniform distribution. a*: the mass of the best base measure. The worst case is the distance from "
        "the input to the cap's edge (Proposition H.1). It is the same for every point input."
    )
    alt = "Scale and worst case against epsilon"
    yield Picture("against-epsilon", alt, against_epsilon_figure, sphere)


VIEW = mixture_view(
    key="mixture.sphere",
    title="A direction on a sphere",
    example=SphereConfig(),
    compute=lambda config, files, progress: (run_sphere(config),),
    show=show,
    tabs=(Tab("sphere", TABS["sphere"]),),
    scrub=("epsilon",),
    headlines=lambda sphere: {f"Worst case for p = {p:g} (radius 1)": cap.value for p, cap in sphere.best.items()},
    requirements=requirements,
    parameters=link,
)
