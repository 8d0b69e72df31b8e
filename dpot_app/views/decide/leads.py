"""From an answer to the page that shows it."""

from typing import Any

from dpot_app.kit.links import Parameters, exact_text
from dpot_app.kit.page import page_of
from dpot_app.kit.setting import declared, number_text
from dpot_app.kit.values import filled, get
from dpot_app.views.decide.settings import NEEDS, Config

#: Settings of a file of one's own: links, which carry none, have the page's own instead.
_OF_A_FILE = ("source", "columns", "region", "box", "groups")


def leads_to(config: Config, side: str, epsilon: float) -> tuple[str, Parameters]:
    """The page that shows the mechanisms of a need, and what prepares it, at an epsilon."""
    need, own = NEEDS[config.need], config.own
    key, settings = need.shows(config, side)
    page, values = page_of(key), dict[str, Any](epsilon=epsilon)
    if own is not None:
        begin = page.view(key).example
        names = [name for name in declared(type(settings)) if name.rpartition(".")[2] in _OF_A_FILE]
        values |= {name: get(begin, name) for name in names}
    link = page.link(key, filled(settings, values))
    more: Parameters = {}
    if own is not None:
        # The page is told to take the reader's file, which has groups of its own, on the region that it had here.
        link = {name: text for name, text in link.items() if not name.endswith("_groups")}
        more["data"] = "csv"
        if config.within:
            more["within"] = number_text(config.within)
        if config.box is not None:
            more[own.region] = own.rectangle
            more |= zip(("west", "south", "east", "north"), map(exact_text, config.box), strict=True)
        elif config.region:
            more[own.region] = config.region
    if side in need.tab:
        more["view"] = need.tab[side]
    return page.key, link | {f"{page.prefix}_{name}": text for name, text in more.items()}
