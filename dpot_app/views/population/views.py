from functools import partial

from dpot_app.kit.view import View
from dpot_app.views.population.disclosed import analysis
from dpot_app.views.population.settings import Config, base_of, requirements
from dpot_app.views.population.synthetic import SyntheticConfig
from dpot_core.datasets import POPULATIONS, digests, downloaded

people_view = partial(
    View,
    example=Config(),
    files=lambda config: {"population": True} if base_of(config).source == "csv" else {},
    data_sets=downloaded(POPULATIONS),
    disclosure=lambda config, *results: analysis(),
    digests=lambda config: digests(POPULATIONS, base_of(config).source, base_of(config).groups),
    requirements=requirements,
    heavy=lambda config: True,
)

synthetic_view = partial(View, example=SyntheticConfig(), heavy=lambda config: True)
