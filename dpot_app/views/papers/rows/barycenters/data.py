"""The data of dp_barycenters."""

from dpot_app.views.papers.numbers import acs_2015
from dpot_app.views.papers.row import Row

ROWS = (
    Row(
        key="barycenters-data",
        place="Section 6",
        panel="data",
        verdict="beyond",
        claim="American Community Survey 2015, census tracts drawn with replacement",
        source="section 6",
        why="The paper's table of tracts is not here: ours are the Census tracts of 2010. The same survey by county "
        "costs without privacy what these do for one group (2.33), and 59.3 for four groups (62.2 for adults in 2010). "
        "So the data do not explain the paper's costs. The app comes with places.",
        view="population.map",
        compute=acs_2015.counties,
        pace="long",
        seed="0",
        searched=True,
    ),
)
