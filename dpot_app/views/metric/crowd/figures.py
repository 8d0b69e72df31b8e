from dpot_app.figures.city_maps import Panel, maps
from dpot_app.figures.style import Figure, km, simulated
from dpot_app.views.metric.crowd.results import HOW, CrowdRelease
from dpot_core.privacy.numerals import at_most, counted


def crowd_maps(release: CrowdRelease) -> Figure:
    """The true crowd and the visits drawn; reports and estimate by shuffling; the same by composition."""
    panels = [Panel(f"True crowd\n{counted(release.people, 'person', 'people')}", release.truth)]
    for how in release.promises:
        panels += [
            Panel(f"Reports\n{HOW[how]}", release.reports[how][0]),
            Panel(f"Estimate\n{HOW[how]}", release.estimates[how][0]),
        ]
    if "shuffling" in release.promises:
        # Two rows of three: the left column says where the reports come from.
        panels.insert(3, Panel(f"Visits drawn\n{release.config.visits:,} of each", release.drawn["shuffling"]))
    # The same scale at every epsilon. A few spikes of an estimate must not darken everything else: they have the last
    # colour, the hover text has their value.
    top = 1.5 * float(release.truth.max())
    return maps(release.map, panels, 3, _title(release) + simulated(release.map.simulated), top)


def _title(release: CrowdRelease) -> str:
    composed = release.item_rates["composition"]
    if "shuffling" not in release.promises:
        return (
            f"Shuffling gains nothing: composition alone, α₀ = {at_most(composed)}; "
            f"the estimate is off by {km(release.mean('composition'))}"
        )
    shuffled = release.item_rates["shuffling"]
    return (
        f"Shuffled, each report {'says more' if shuffled > composed else 'must say less'} (α₀ = {at_most(shuffled)} "
        f"instead of {at_most(composed)}): off by {km(release.mean('shuffling'))} instead of "
        f"{km(release.mean('composition'))}"
    )
