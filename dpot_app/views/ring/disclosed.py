from dpot_app.views.ring.settings import Config
from dpot_core.mechanisms import MECHANISMS
from dpot_core.privacy.disclosures import Disclosure, exact_outputs, nothing_released

#: Columns that depend on the settings only. How many rows a plan or an iteration has depends on the input.
FREE = {
    "distributions": ("point", *(f"{name} {edge}" for name in MECHANISMS for edge in ("lower", "upper"))),
    "distances": ("mechanism",),
    "worst-case-now": ("*",),
    "worst-case-wasserstein": ("*",),
    "worst-case-divergences": ("*",),
    "worst-case-in-use": ("*",),
    "worst-case-of-bases": ("*",),
    "base-measure": ("*",),
    "base-comparison": ("*",),
    "convergence-limits": ("lambda",),
    "headlines": tuple(f"Worst-case W{digit} of WPM (steps)" for digit in (*"₁₂₃₄₅₆₇₈", "₁.₅")),
}


def disclosure(config: Config, view: str) -> Disclosure:
    if view in ("worst-case", "base", "guess"):
        return nothing_released("public")
    if view == "outputs":
        return exact_outputs(
            config.guarantee, "one released point", FREE, by=[MECHANISMS[name].label for name in config.mechanisms]
        )
    return nothing_released("analysis", FREE)
