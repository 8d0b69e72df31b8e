from functools import partial

from dpot_app.kit.view import View
from dpot_app.views.explain.release.results import Result
from dpot_core.privacy.disclosures import nothing_released

explain_view = partial(View, disclosure=lambda config, *results: nothing_released("public"))


def belief_headlines(result: Result) -> dict[str, float]:
    return {
        "Most that can be believed (probability)": result.most,
        "Least that can be believed (probability)": result.least,
        "Most that the odds can shift (factor)": result.factor,
    }
