"""Where data, distances and proofs come from, in words."""

from dpot_app.cities.city import City
from dpot_app.kit.markdown import as_text, cited
from dpot_app.views.metric.protected import diameter
from dpot_app.views.metric.settings import Config
from dpot_core.privacy.numerals import at_most, counted

_METHOD = (
    "A history is the distribution of a person's check-ins. Moving visits turns one history into another. The earth "
    "mover's distance of two histories is how far visits then move on average, at the least. Moving a fraction τ by q "
    "makes it at most τ q. It weighs visits, not days: a day with 10 of 30 visits is a third of a history. A visit off "
    "the map counts at the nearest point of the map's edge. That brings no two visits farther apart.",
    "A question is the mean of a function f over a history. Let f change by at most ℓ per unit of distance. Then the "
    "answer changes by at most ℓ per unit of earth mover's distance (Theorem 4.1). Local (each person adds noise): "
    "noise of scale ℓ/α hides it. Central (a curator adds noise): one history changes the mean over n people by at "
    "most 1/n of that. So noise of scale ℓ/(α n) hides it.",
    "Laplace and K-norm noise promise δ = 0. Gaussian noise is set for the largest distance, where its slack is "
    "exactly δ; nearer histories have less. The paper's width √(1.25 ln(1/δ))/α is too small for that.",
    "A released crowd: each visit goes to one of the four nearest cells at random. This makes distances between "
    "histories grow by at most √2. A report about a known visit costs α₀ per unit of distance. Then a report about a "
    "random visit costs β per unit of earth mover's distance. β ≤ α₀ e^α₀ is proven here, for histories of any "
    "lengths. m reports together cost at most m β.",
    "Shuffled reports cost less than their sum. How much less is counted numerically, and proven (see "
    "`shuffling_accountant`). At the same total cost Theorem 4.4, with β in the place of α₀, allows a β about a third "
    "as large.",
    "User-level privacy is another promise: any change of a whole history costs at most ε. It is drawn at the same ε "
    "for comparison only; the two do not protect the same.",
    "The noise here is a demonstration: a computer rounds it, and its seed is known. This page offers no release for "
    "real, because the last digits of rounded noise can give the truth away. In Python, two functions draw whole "
    "numbers from the system's entropy, exactly as private as they say. They are `secure_reports` (GKRR, k-RR, "
    "Hadamard response) and `secure_laplace_counts` (counts of items).",
)


def details(config: Config, city: City) -> str:
    """The notes under every view, in Markdown."""
    data, grid = city.check_ins, city.grid
    people = counted(data.n_users, "person", "people")
    least = counted(config.place.least, "check-in", "check-ins")
    lines = (
        cited(data, f". {people} with at least {least} each."),
        f"Distances are kilometres in {as_text(grid.utm_name)} (EPSG {grid.epsg}), divided by the map's diagonal, "
        f"{at_most(diameter(city))} km: the largest distance is 1.",
        *_METHOD,
        *filter(None, [city.map.base.credit]),
        *map(as_text, data.notes),
    )
    return "\n".join(f"- {line}" for line in lines)
