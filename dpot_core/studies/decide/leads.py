"""From an answer to the page that shows it: which view, at which settings."""

from __future__ import annotations

from dpot_core.studies._kit.links import Parameters
from dpot_core.studies._kit.values import filled
from dpot_core.studies._kit.view import page_of_view
from dpot_core.studies.decide import need_city, need_films, need_places, need_ring, need_two_sets
from dpot_core.studies.decide.settings import Config


def page_of(config: Config, side: str, epsilon: float) -> tuple[str, Parameters]:
    """The page that shows the mechanisms of a need, and what prepares it.

    Args:
        config: what is needed.
        side: "worst" or "data".
        epsilon: one that the page's slider has, nats.
    """
    tab = {"ring-tv": "Worst-case divergences", "ring": "Worst case"}.get(config.need)
    if config.need == "sphere":
        begin = page_of_view("mixture.sphere").view("mixture.sphere").example
        key, asked = "mixture.sphere", filled(begin, {"d": config.d, "orders": (float(config.p),)})
    elif config.need == "geolocation":
        key, asked = f"geolocation.{'worst-case' if side == 'worst' else 'crowd'}", need_city.crowd_settings(config.source)
    elif config.need == "movies":
        key, asked = "movies.sweep", need_films.settings_of(config.source)
    elif config.need == "two-sets":
        key, asked = "sinkhorn.cost", need_two_sets.settings_of(config.source)
    elif config.need == "population":
        key, asked = "population.map", need_places.people()
    else:
        key, asked = "ring.outputs", need_ring.settings_of(config.k, config.p, config.seed)
    page = page_of_view(key)
    write = page.view(key).parameters
    if write is None:
        raise RuntimeError(f"no link opens {key}")
    carried = write(filled(asked, {"epsilon": epsilon})) | ({"view": tab} if tab else {})
    return f"pages/{page.key}.py", {f"{page.prefix}_{name}": text for name, text in carried.items()}
