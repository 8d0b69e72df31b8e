"""From a scenario to the parameters of the page that shows it."""

from urllib.parse import parse_qs

from dpot_app.kit.links import CannotShowError, Parameters
from dpot_app.kit.page import page_of
from dpot_app.shell.pins import Pin


def link_of(pin: Pin) -> Parameters | str:
    """The link that opens the page at these settings, or why its controls cannot show them."""
    if pin.link:
        return dict(parse_qs(pin.link, keep_blank_values=True))
    if pin.scenario.view.parameters is None:
        return "Only what was pinned on its page as it stands can be opened there."
    try:
        return page_of(pin.scenario.kind).link(pin.scenario.kind, pin.scenario.config)
    except CannotShowError as problem:
        return f"The page's controls have no place for {problem}; the board and the command line can use it."
