"""Where data, distances and proofs come from, in words."""

from dpot_app.cities.city import City
from dpot_app.kit.markdown import as_text, cited
from dpot_app.views.metric.protected import diameter
from dpot_app.views.metric.settings import Config
from dpot_core.privacy.numerals import at_most, counted

_METHOD = (
    "A history is the distribution of a person's check-ins. Two histories are as far apart as the earth mover's "
    "distance says: the least mean distance by which one becomes the other. Moving a fraction τ by q makes that at "
    "most τ q. It weighs visits, not days: a day with 10 of 30 visits is a third of it. A visit off the map counts at "
    "the nearest point of the map's edge, which brings no two visits farther apart.",
    "A question is the mean of f over a history. If f changes by at most ℓ per unit of distance, so does the answer "
    "per unit of earth mover's distance (Theorem 4.1). Noise of scale ℓ/α hides it: local. The mean over n people "
    "moves by at most 1/n of that when one history changes: central, ℓ/(α n).",
    "Laplace and K-norm noise promise δ = 0. Gaussian noise is calibrated at the largest distance, where its slack is "
    "exactly δ; nearer histories have less. The paper's width √(1.25 ln(1/δ))/α is too small for that.",
    "A released crowd: sharing each visit among the four nearest cells lets distances between histories grow by at "
    "most √2. A report about a random visit by an α₀-private mechanism costs β per unit of earth mover's distance, "
    "β ≤ α₀ e^α₀ (proven here, for histories of any lengths). Reports add up to m β, or to less when shuffled: counted "
    "numerically (proven in `shuffling_accountant`). Theorem 4.4, with β in the place of α₀, allows about a third of "
    "that.",
    "User-level privacy is another promise: any change of a whole history costs at most ε. It is drawn at the same ε "
    "for comparison, not because the two protect the same.",
    "The noise here is drawn in floating point, with a known seed: a demonstration. This page offers no release "
    "for real, because the last digits of floating-point noise can give the truth away. In Python, `secure_reports` "
    "(GKRR, k-RR, Hadamard response) and `secure_laplace_counts` (counts of items) draw whole numbers from the "
    "system's entropy, exactly as private as they say.",
)


def details(config: Config, city: City) -> str:
    """What stands under every view, in Markdown."""
    data, grid = city.check_ins, city.grid
    people = counted(data.n_users, "person", "people")
    least = counted(config.place.least, "check-in", "check-ins")
    lines = (
        cited(data, f". {people} with at least {least} each."),
        f"Distances are kilometres in {as_text(grid.utm_name)} (EPSG {grid.epsg}), divided by the map's diagonal, "
        f"{at_most(diameter(city))} km: the largest distance is 1.",
        *_METHOD,
        *map(as_text, data.notes),
    )
    return "\n".join(f"- {line}" for line in lines)
