from dpot_app.views.mixture.many.settings import ManyConfig
from dpot_app.views.mixture.settings import NAMES, Config
from dpot_app.views.mixture.sphere.settings import SphereConfig
from dpot_core.privacy.disclosures import Disclosure, demonstration, exact_outputs, nothing_released

#: Columns that depend on the family and the settings only.
FREE = {
    "line-densities": ("x", "h low", "h high", *(f"{name} {edge}" for name in NAMES for edge in ("lower", "upper"))),
    "line-numbers": ("mechanism", "low", "high", "acceptance"),
    "worst-case": ("*",),
    "worst-case-now": ("*",),
    "worst-curves": ("*",),
    "plane-densities": ("x", "y"),
    "plane-numbers": ("mechanism", "low", "high", "acceptance"),
    "sphere-caps": ("*",),
    "sphere-densities": ("*",),
    "sphere-against-epsilon": ("*",),
}


def of_curves() -> Disclosure:
    """The disclosure of worst cases with marks for the input."""
    return nothing_released("analysis", FREE)


def disclosure(config: Config | SphereConfig | ManyConfig) -> Disclosure:
    """The disclosure about the person whose density, or direction, is the input."""
    if isinstance(config, ManyConfig):
        # Mixtures that the authors published, or random ones: no person's data.
        return nothing_released("public")
    guarantee, count = config.guarantee, config.draws
    by = [NAMES[name] for name in config.mechanisms] if isinstance(config, Config) else []
    drawn = isinstance(config, SphereConfig) or config.family.dimension == 1
    if not drawn or count == 0:
        return exact_outputs(guarantee, "one draw", FREE, by=by)
    words = (
        "The promise covers one draw. It does not cover the distributions, which are computed from the input as it is. "
        f"The files hold {count:,} draws, also where no picture shows them. They are floats from the known seed "
        f"{config.seed}, all of one input. Released together, with secret randomness, they would spend {count:,} ε."
    )
    return demonstration([("one draw", guarantee)], words, free=FREE, ways=[(label, guarantee) for label in by])
