from dpot_app.figures.panels import at_value, axis
from dpot_app.figures.style import Figure, colour, km, new_figure, simulated
from dpot_app.figures.traces import Trace, band, line, star
from dpot_app.views.geolocation.gets.results import OwnPlaces
from dpot_core.mechanisms import MECHANISMS
from dpot_core.privacy.numerals import number, percent

_DASH = {"This person": "solid", "Worst person in the file": "dash", "Worst possible person": "dot"}


def shares_figure(found: OwnPlaces, name: str) -> Figure:
    """Shares of one mechanism's releases that land farther from the nearest own place than a distance."""
    people, x, shade = found.by[name], found.config.beyond, colour(name)
    data: list[Trace] = []
    for who, (least, most) in people.worst.items():
        if least is not most:
            data.append(band(found.radii, least.shares, most.shares, colour=shade, opacity=0.15))
        hover = f"{who}: %{{y:.3~p}} farther than %{{x:.3~g}} km"
        look = {"colour": shade, "dash": _DASH[who], "line": {"shape": "hv"}, "hover": hover}
        data.append(line(found.radii, least.shares, who, **look))
    ends = [least.beyond(found.radii, x) for least, _ in people.worst.values()]
    data.append(star([x] * len(ends), ends, hover="%{y:.3~p}", color=shade, size=11))
    across = float(found.radii[-1])
    return new_figure(
        title(found, name) + simulated(found.map.simulated),
        360,
        data,
        yaxis=axis("share of the releases", range=[0.0, 1.04], tickformat=".0%"),
        **at_value(x, f"{number(x)} km", axis("km from the nearest own place", range=[0.0, across])),
    )


def title(found: OwnPlaces, name: str) -> str:
    """How near a release is to a place of the person, half of the time, and how often it is farther than asked for."""
    here, x = found.by[name].here, found.config.beyond
    return (
        f"{MECHANISMS[name].label}: half of the releases within {km(here.half)} of the person's places, "
        f"{percent(here.beyond(found.radii, x))} farther than {km(x)}"
    )
