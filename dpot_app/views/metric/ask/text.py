from dpot_app.figures.city_maps import lines_text
from dpot_app.kit.view import Blocks, Columns, Folded, Picture, Tab
from dpot_app.views.metric.ask.figures import answers_figure, errors_figure, question_map
from dpot_app.views.metric.ask.results import DRAWS, MODELS, Ask, ask
from dpot_app.views.metric.disclosed import ask_disclosure
from dpot_app.views.metric.protected import load
from dpot_app.views.metric.settings import TABS, AskConfig
from dpot_app.views.metric.units import with_miles
from dpot_app.views.metric.views import city_view

#: Whose answers are drawn: the page's own control.
WHO = {"local": "Each person", "central": "A trusted curator"}


def show(config: AskConfig, result: Ask, model: str = "local") -> Blocks:
    alt = "Noisy answers around the true one, private by distance and for the whole user"
    answers = Picture("noisy-answers", alt, answers_figure, result, model)
    alt = "Errors of the noisy answers in both models, private by distance and for the whole user"
    yield Columns((answers, Picture("errors", alt, errors_figure, result)))
    by_distance, whole_user = (
        ", ".join(f"{model} {with_miles(result.error(model, promise), result.unit)}" for model in MODELS)
        for promise in ("metric", "user-level")
    )
    alone = with_miles(result.one_person("metric"), result.unit)
    yield (
        f"A demonstration: {DRAWS} answers per row with a fixed seed. Each is the mean over all people; every person "
        "counts the same. An answer beyond an axis is drawn at its end. Large marks: the exact expected error. By "
        f"distance (the protected changes cost ε, others α τ q): {by_distance}; one person's local answer: {alone}. "
        f"Whole user (any change at all costs at most ε, another promise): {whole_user}; one person's: "
        f"{with_miles(result.one_person('user-level'), result.unit)}." + lines_text(result.map, places=True)
    )
    if config.query != "position":
        alt = "Value of the question at each cell, and the two cells between which it changes fastest"
        yield Folded("The question on the map", (Picture("question", alt, question_map, result),))


def headlines(result: Ask) -> dict[str, float]:
    unit = result.unit or "share"
    return {
        f"expected error, {model}, {promise} ({unit})": result.error(model, promise) for model, promise in result.noise
    }


VIEW = city_view(
    "ask",
    key="metric.ask",
    title="A question about everybody",
    example=AskConfig(),
    compute=lambda config, files, progress: (ask(config, load(config.base, files)),),
    show=show,
    picture="errors",
    tabs=(Tab("ask", TABS["ask"]),),
    disclosure=lambda config, result: ask_disclosure(result),
    headlines=headlines,
)
