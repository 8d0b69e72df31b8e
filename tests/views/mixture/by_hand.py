"""Oracle: what the page computes, written once more from public names, step by step."""

from typing import Any

from dpot_app.views.mixture.cells import half_width
from dpot_app.views.mixture.densities import stream_settings, tolerance
from dpot_app.views.mixture.settings import DOMAIN, Config
from dpot_app.views.mixture.sphere.settings import SphereConfig

_DENSITY = """import numpy as np
import dpot_core as dpot

epsilon = {c.epsilon!r}
{family}
means = {means}
weights = {weights}
p = family.mixture(means, weights)

kpm = dpot.kl_projection_density(p, family, epsilon, tolerance={tolerance!r})
print("r =", kpm.r, "b =", kpm.b, "epsilon' =", kpm.epsilon_used, "accepted:", kpm.acceptance)
reference = dpot.continuous.gaussian_reference({c.reference!r}{dimension})
gamma = max({c.gamma!r}, np.exp(epsilon / 2))
level = (gamma + 1) / (gamma + np.exp(epsilon)) * np.exp(epsilon / 2)  # of both bounds, in multiples of the prior
outputs = {{
    "kpm-prior": dpot.continuous.relative_mollifier_density(p, reference, epsilon, {tolerance!r}, level),
    "kpm": kpm,
    "mollifier": dpot.continuous.relative_mollifier_density(p, reference, epsilon, tolerance={tolerance!r}),
    "blend": dpot.continuous.mixture_density(p, family, epsilon, tolerance={tolerance!r}),
}}
{trained}divergences = {{name: q.divergences() for name, q in outputs.items()}}
{cells}worst_case = {{name: family.worst_case(name, epsilon) for name in dpot.DIVERGENCES}}
print(divergences, "worst case:", worst_case)
draws = kpm.sample({c.draws!r}, dpot.stream({c.seed!r}, "kpm", **{settings!r}))  # a demonstration: the seed is known
"""

_LINE_CELLS = """edges = np.linspace(*{domain!r}, {config.cells!r} + 1)  # WPM acts on cells
centres = (edges[1:] + edges[:-1]) / 2
"""
_PLANE_CELLS = """edges = np.linspace({low!r}, {high!r}, {config.cells!r} + 1)  # WPM acts on cells
middle = (edges[1:] + edges[:-1]) / 2
centres = np.stack(np.meshgrid(middle, middle), axis=-1).reshape(-1, 2)
"""
_WPM = """mu, h = (values / values.sum() for values in (p(centres), family.envelope.density(centres)))
{base}
Q = dpot.Polytope(base, epsilon)
nu = {project}
divergences["wpm"] = {{name: float(divergence(mu, nu)) for name, divergence in dpot.DIVERGENCES.items()}}
"""

#: The base measure of WPM, by its name in the settings.
_BASES = {
    "band": "base = family.level(epsilon) * h",
    "uniform": "base = np.full(len(h), 1 / len(h))",
    "best-h": """from dpot_core.mechanisms.continuous.worst_mixtures import MovedRight, best_scale
coarse = np.linspace(*{domain!r}, 61)
coarse = (coarse[1:] + coarse[:-1]) / 2
shape = family.envelope.density(coarse)
single = lambda mean: (lambda values: values / values.sum())(family.mixture([mean], [1.0])(coarse))
base = best_scale(MovedRight(coarse, single, 0.0, {radius!r}), shape / shape.sum(), epsilon, {p!r}) * h""",
}

_TRAINED = """outputs["mbde"] = dpot.boosted_density(p, reference, epsilon, np.random.default_rng({config.training!r}))
"""

_SPHERE = """import numpy as np
import dpot_core as dpot

d, epsilon = {config.d!r}, {config.epsilon!r}
caps = {{p: dpot.sphere_base(d, epsilon, p) for p in {config.orders!r}}}
for p, cap in caps.items():
    print("p =", p, "a* =", cap.scale, "angle =", np.degrees(cap.angle), "worst case:", cap.value)
"""


def snippet(config: Config | SphereConfig) -> str:
    """Python that computes the ``divergences`` of mechanisms and ``draws``, or the best ``caps``."""
    if isinstance(config, SphereConfig):
        return _SPHERE.format(config=config)
    return _DENSITY.format(
        c=config,
        **_input(config),
        dimension="" if config.family.dimension == 1 else ", dimension=2",
        cells=_cells(config) if "wpm" in config.mechanisms else "",
        trained=_TRAINED.format(config=config) if "mbde" in config.mechanisms else "",
        settings=stream_settings(config),
    )


def _input(config: Config) -> dict[str, Any]:
    family, modes = config.family, config.modes
    build = f"dpot.gaussian_mixture_family({family.variance!r}, {family.radius!r}, {DOMAIN!r})"
    if family.dimension == 2:
        build = f"dpot.gaussian_ring_family(3, {family.variance!r}, {family.radius!r}, {family.envelope!r})"
    return {
        "config": config,
        "family": f"family = {build}",
        "means": list(modes.means),
        "weights": list(modes.weights),
        "tolerance": tolerance(family),
    }


def _cells(config: Config) -> str:
    base = _BASES[config.base].format(domain=DOMAIN, radius=config.family.radius, p=float(config.p))
    cost = f"dpot.grid_cost(dpot.Space(centres, axes=(middle, middle)), p={config.p!r})"
    cells, project = _PLANE_CELLS, f"dpot.project_exact(mu, {cost}, Q).output"
    if config.family.dimension == 1:
        cells, project = _LINE_CELLS, f"dpot.wasserstein_projection_line(mu, centres, Q, {config.p!r}).output"
    side = half_width(config.family)
    return cells.format(domain=DOMAIN, low=-side, high=side, config=config) + _WPM.format(base=base, project=project)
