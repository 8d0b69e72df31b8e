from functools import partial

from dpot_app.kit.view import View
from dpot_app.views.movies.disclosed import ANALYSIS, guarantee
from dpot_app.views.movies.settings import Config
from dpot_core import datasets

movies_view = partial(
    View,
    example=Config(),
    disclosure=lambda config, *results: ANALYSIS,
    otherwise=lambda config, first, *rest: guarantee(config, first.films),
    files=lambda config: {"ratings": True, "films": False} if config.source == "csv" else {},
    data_sets=datasets.downloaded(datasets.FILM_DATASETS),
    digests=lambda config: datasets.digests(datasets.FILM_DATASETS, config.source),
)
