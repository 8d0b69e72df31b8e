from typing import Any

from dpot_app.kit.need import Need, Side
from dpot_app.views.mixture.sphere.settings import SphereConfig
from dpot_core.mechanisms.sphere import sphere_base, sphere_mechanism
from dpot_core.privacy.numerals import at_most


def _worst(config: Any) -> Side:
    def evaluate(name: str, epsilon: float) -> float:
        if name == "wpm":
            return sphere_base(config.d, epsilon, float(config.p)).value
        return sphere_mechanism(config.d, epsilon, float(config.p), 1.0).value

    return Side(
        what=f"W_{config.p} on the sphere of dimension {config.d}, the same for every one-point input, hence largest",
        labels={"wpm": "WPM, best cap", "wpm-uniform": "WPM, uniform base of mass 1"},
        colours={"wpm-uniform": "mbde"},
        evaluate=evaluate,
        because={
            "wpm": "The best mass for a smaller ε stays possible for a larger one.",
            "wpm-uniform": "A larger ε allows every output that a smaller one allows.",
        },
        note="Radius 1, straight-line distance. For p = 2 the best cap is PrivUnit's with the smallest variance.",
    )


NEED = Need(
    key="sphere",
    title="Worst-case distance on the sphere",
    question="a released direction lies at most {} from the true one",
    unit="straight-line distance (radius 1)",
    write=at_most,
    targets=(0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.2, 1.4),
    default=0.8,
    worst=_worst,
    shows=lambda config, side: ("mixture.sphere", SphereConfig(d=config.d, orders=(float(config.p),))),
    data=lambda config: "On the sphere every input is as hard as every other, so the case at hand is the worst case.",
)
