from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy.special import gammaln

from dpot_app.kit.cache import cached
from dpot_app.kit.fields import CURVE_EPSILONS, EPSILONS
from dpot_app.views.mixture.sphere.settings import SphereConfig
from dpot_core.arguments import Array
from dpot_core.mechanisms.sphere import SphereBase, sphere_base
from dpot_core.privacy.streams import stream

#: For p = 2 the best cap is the one that PrivUnit uses when its cap is chosen for the smallest variance.
PRIVUNIT_ORDER = 2.0


@dataclass(frozen=True)
class Sphere:
    config: SphereConfig
    best: Mapping[float, SphereBase]  # the optimal base measure for each order
    privunit: SphereBase  # PrivUnit's best cap: the one for p = 2
    profile: pd.DataFrame  # p, angle (degrees), density (uniform: 1), and "per degree", the density of the angle
    curves: pd.DataFrame  # a row for each order and epsilon
    # smallest and largest of each column of the profile at any value of the slider of epsilon, or here
    reach: Mapping[str, tuple[float, float]]
    x: Array  # the input of the picture, (d + 1,)
    outputs: Array  # draws around it for the first order, (draws, d + 1)

    @property
    def first(self) -> SphereBase:
        """The best cap of the first order."""
        return next(iter(self.best.values()))

    def tables(self) -> dict[str, pd.DataFrame]:
        return {
            "sphere-caps": pd.DataFrame(map(_row, self.best.values())),
            "sphere-densities": self.profile,
            "sphere-against-epsilon": self.curves,
            "sphere-draws": pd.DataFrame(self.outputs, columns=[f"x{i}" for i in range(self.config.d + 1)]),
        }


def run_sphere(config: SphereConfig) -> Sphere:
    """Solve for the best cap of every order, now and against epsilon."""
    best = {p: sphere_base(config.d, config.epsilon, p) for p in config.orders}
    x = np.zeros(config.d + 1)
    # In the plane to the right, in space upwards.
    x[0 if config.d == 1 else -1] = 1.0
    first = next(iter(best.values()))
    noise = stream(config.seed, "sphere", d=config.d, epsilon=config.epsilon, p=first.p)
    outputs = first.sample(x, noise, config.draws)
    privunit = sphere_base(config.d, config.epsilon, PRIVUNIT_ORDER)
    profile = pd.concat([_profile(base) for base in best.values()])
    curves, everywhere = _curves(config.d, config.orders), _reach(config.d, config.orders)
    return Sphere(config, best, privunit, profile, curves, _reached([everywhere, _ends(profile)]), x, outputs)


@cached
def _curves(d: int, orders: tuple[float, ...]) -> pd.DataFrame:
    """A row for each order and epsilon."""
    return pd.DataFrame([_row(sphere_base(d, epsilon, p)) for p in orders for epsilon in CURVE_EPSILONS])


@cached
def _reach(d: int, orders: tuple[float, ...]) -> Mapping[str, tuple[float, float]]:
    """Smallest and largest of each column of the profiles over the whole slider of epsilon."""
    return _reached([_ends(_profile(sphere_base(d, epsilon, p))) for p in orders for epsilon in EPSILONS])


def _ends(profile: pd.DataFrame) -> Mapping[str, tuple[float, float]]:
    return {name: (float(profile[name].min()), float(profile[name].max())) for name in ("density", "per degree")}


def _reached(every: Sequence[Mapping[str, tuple[float, float]]]) -> Mapping[str, tuple[float, float]]:
    return {name: (min(one[name][0] for one in every), max(one[name][1] for one in every)) for name in every[0]}


def _profile(base: SphereBase) -> pd.DataFrame:
    """Densities against the angle; the cap's edge stands twice, so that the step is upright."""
    edge = float(np.degrees(base.angle))
    angle = np.sort(np.concatenate([np.linspace(0.0, 180.0, 181), [edge, np.nextafter(edge, 181.0)]]))
    density = base.density(np.cos(np.radians(angle)))
    density[angle <= edge] = base.density(1.0)
    density[angle > edge] = base.density(-1.0)
    log_share = gammaln((base.d + 1) / 2) - gammaln(base.d / 2) - 0.5 * np.log(np.pi)
    uniform = np.exp(log_share) * np.sin(np.radians(angle)) ** (base.d - 1) * np.pi / 180.0
    return pd.DataFrame({"p": base.p, "angle": angle, "density": density, "per degree": density * uniform})


def _row(base: SphereBase) -> dict[str, float]:
    return {
        "epsilon": base.epsilon,
        "p": base.p,
        "scale": base.scale,
        "threshold": base.threshold,
        "angle": float(np.degrees(base.angle)),
        "cap mass": base.cap_mass,
        "worst case": base.value,
    }
