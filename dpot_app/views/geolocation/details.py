"""Where the page's data, distances and numbers come from."""

from dpot_app.cities.city import ITERATIONS, City
from dpot_app.kit.markdown import as_text, cited
from dpot_core.privacy.numerals import at_most, counted, number


def details(city: City, zones: str = "a file") -> str:
    """The notes under the pictures, as Markdown; ``zones``: name of the file of zones."""
    data, grid, people = city.check_ins, city.grid, counted(city.check_ins.n_users, "person", "people")
    lines = [
        cited(data, f". Released by {people}; each has at least {counted(city.place.least, 'check-in', 'check-ins')}."),
        f"Grid: {grid.n} × {grid.n} cells of {number(grid.width / grid.n)} × {number(grid.height / grid.n)} km. "
        f"Distances are kilometres in {as_text(grid.utm_name)} (EPSG {grid.epsg}) between centres of cells.",
        f"λ applies to distances in units of the largest one, {at_most(city.diameter)} km; "
        f"{ITERATIONS} iterations of Algorithm 1. Stopping early makes releases land farther away; it never costs "
        "privacy.",
        "The true crowd is the mean of the people's distributions: each counts the same.",
        *filter(None, [city.map.base.credit]),
    ]
    notes = data.notes
    if city.zones is not None:
        words = (
            f"Zones: {len(city.zones):,} from {zones}. Distances go to a point inside each zone. KPM and k-RR first "
            f"move each cell to the zone with the nearest point. Maps do the same with the truth; {city.map.loss} does "
            "not."
        )
        notes = (words, *notes, *city.zones.notes)
    return "\n".join(f"- {line}" for line in (*lines, *map(as_text, notes)))
