"""The command of a release on the machine that keeps the file, over a map that is public."""

from dpot_app.cities.public import public_map
from dpot_app.kit.blocks import Note, by_command
from dpot_app.views.geolocation.settings import Config


def released(config: Config, what: str, total: float) -> Note:
    """How ``dpot release`` draws it.

    Args:
        config: the settings; without a public map the command asks for its box.
        what: is drawn, of whom.
        total: the most that it may cost a person, nats.
    """
    if public_map(config.laid):
        return by_command(what, "customers.csv", total)
    public = (
        "The map here is drawn around the check-ins, so its edges tell something about them. Give the box of a release "
        "in degrees, without a look at the file."
    )
    return by_command(what, "customers.csv", total, " --set place.box='[west, south, east, north]'", public)
