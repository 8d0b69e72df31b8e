from dpot_app.kit.fields import epsilon
from dpot_app.kit.links import CannotShowError, Parameters, parameters
from dpot_app.kit.setting import free, number_text, seed, settings, whole
from dpot_app.kit.values import ScenarioError
from dpot_core.privacy.guarantees import Guarantee

ORDERS = {"1": "1", "1.5": "1.5", "2": "2", "3": "3", "4": "4", "8": "8", "16": "16"}


@settings
class SphereConfig:
    d: int = whole("Dimension d of the sphere (1: circle)", 2, low=1, high=100, widget="slider", link="d")
    epsilon: float = epsilon(1.0, link="sphere_epsilon")
    orders: tuple[float, ...] = free("Orders p of the distance", (1.0, 2.0, 4.0))
    draws: int = whole("Draws for the picture", 300, low=0, high=100_000, step=None)
    seed: int = seed("Seed of the draws", 1, "sphere_seed")

    @property
    def guarantee(self) -> Guarantee:
        """The promise for one released direction."""
        public = (f"the sphere of dimension {self.d}", "the size of the cap", "the method and its settings")
        return Guarantee(self.epsilon, neighbours="local", public=public, note="For one released direction.")


SIDEBAR = ("epsilon", "d", "orders", "seed")


def requirements(config: SphereConfig) -> None:
    orders = config.orders
    if not orders or min(orders) < 1 or max(orders) > 64 or len(set(orders)) < len(orders):
        raise ScenarioError(f"must hold different numbers from 1 to 64; got {orders}", ("orders",))


def link(config: SphereConfig) -> Parameters:
    orders = [number_text(order) for order in config.orders]
    if not set(orders) <= set(ORDERS) or config.draws != SphereConfig().draws:
        raise CannotShowError(f"orders {', '.join(orders)} with {config.draws} draws")
    return parameters(config) | {"orders": orders, "view": "sphere"}
