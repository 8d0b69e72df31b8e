"""From an answer to the page that shows it."""

from dpot_app.kit.links import Parameters
from dpot_app.kit.page import page_of
from dpot_app.kit.values import filled
from dpot_app.views.decide.settings import NEEDS, Config


def leads_to(config: Config, side: str, epsilon: float) -> tuple[str, Parameters]:
    """The page that shows the mechanisms of a need, and what prepares it, at an epsilon that its slider has."""
    need = NEEDS[config.need]
    key, settings = need.shows(config, side)
    page = page_of(key)
    link = page.link(key, filled(settings, {"epsilon": epsilon}))
    if side in need.tab:
        link[f"{page.prefix}_view"] = need.tab[side]
    return page.key, link
