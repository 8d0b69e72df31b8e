"""Home: what the app answers, one picture, and beside it the pages by who asks, or the tour."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from html import escape
from typing import Any

import streamlit as st

from dpot_app import shell
from dpot_app.figures.style import Figure
from dpot_app.kit.blocks import Block, Picture
from dpot_app.kit.fields import EPSILONS, HELP_EPSILON
from dpot_app.kit.glossary import explained
from dpot_app.kit.setting import Declared, number_text
from dpot_app.kit.view import Results
from dpot_app.shell.home import tour
from dpot_app.shell.home.places import DOORS, RING, TARGET, Step
from dpot_app.views.decide.figures import epsilon_text
from dpot_app.views.decide.results import run as needed
from dpot_app.views.decide.settings import Config as Need
from dpot_app.views.ring.outputs.figures import miniature_figure
from dpot_app.views.ring.outputs.results import Result, run
from dpot_app.views.ring.settings import Config
from dpot_app.views.ring.source import Source
from dpot_app.views.ring.units import steps
from dpot_app.views.table import VIEWS
from dpot_core.arguments.progress import Progress
from dpot_core.privacy.numerals import at_most

# Links from when the ring page was the first one: "/?ring_epsilon=5". They still open it, with all they say.
if any(name.startswith("ring_") for name in st.query_params):
    st.switch_page("pages/ring.py", query_params={name: st.query_params.get_all(name) for name in st.query_params})

EPSILON = Declared("Privacy parameter ε (nats)", "steps", "epsilon", grid=EPSILONS, help=HELP_EPSILON)


@st.fragment
def hero() -> None:
    """One slider and one picture, a point on a ring under WPM and KPM; beside it the ways on, or the tour."""
    left, right = st.columns([1.75, 1], gap="medium")
    step = tour.now()
    with left:
        epsilon: float = controls.ask(EPSILON, 2.0)
        drawn = replace(BEGIN, epsilon=epsilon)
        words = tuple(map(number_text, EPSILONS))
        scrub = shell.Scrub("epsilon", EPSILON.label, "home_epsilon", EPSILONS, words, EPSILONS.index(epsilon))
        theme: dict[str, Any] = {"dark": shell.on_dark(), "large": shell.large_type()}

        def screen(epsilon: float, _progress: Progress) -> dict[str, Any]:
            there = replace(BEGIN, epsilon=epsilon)
            shown = picture(there, step)
            said = dict(shell.screens(shown, "home", menus(there, shown).feet, **theme, keep=True))
            said |= {"words_home_reading": as_caption(reading(there))}
            return said if step is None else {**said, "words_tour_caption": caption(there, step)}

        part = controls.live.part(scrub, (*theme.values(), step and step.title), screen)
        shown = picture(drawn, step)
        shell.show(shown, "home", part=part, menus=menus(drawn, shown), keep=True)
        shell.words(as_caption(reading(drawn)), key="home_reading", part=part)
    with right:
        if step is None:
            doors()
        else:
            with st.container(border=True, key="tour"):
                tour.heading(step)
                shell.words(caption(drawn, step), key="tour_caption", part=part)
                tour.steering(step)
    controls.live.follow()


def doors() -> None:
    """The pages by who asks, and the tour."""
    with st.container(key="steady_cards"):
        for door in DOORS:
            with st.container(border=True, gap="xxsmall"):
                st.markdown(f":material/{door.icon}: **{door.who}**")
                st.caption(door.words)
                for card in door.cards:
                    icon = f":material/{card.icon}:"
                    st.page_link(f"pages/{card.page}.py", label=card.question, icon=icon, help=card.words)
                if door is DOORS[0]:
                    tour.offer()


def picture(config: Config, step: Step | None) -> list[Block]:
    """The two rings as a block, with the numbers behind them."""
    if step is None:
        figure: Callable[[Result], Figure] = miniature_figure
    else:
        other = run(replace(config, source=Source(kind="dirac", point=config.ring.k // 2))) if step.other else None
        figure = partial(miniature_figure, shown=step.shown, other=other)
    return [Picture("ring", ALT, figure, run(config))]


def menus(config: Config, shown: list[Block]) -> Any:
    """Menus that take the picture away, with the ring page's promise about the same outputs."""
    results = Results(config, (run(config),), OUTPUTS.disclosure(config))
    return shell.menus(controls, OUTPUTS, results, (*shown, reading(config)))


def reading(config: Config) -> str:
    """The caption of the picture."""
    return (
        "◆: the truth. Bars: how likely each place is to be reported. Bar length: square root of the probability; the "
        "outer circle is 100%. W₁ is the mean distance. The ring's page begins with W₂, the root of the mean square, "
        "which is larger. WPM and KPM promise the same: no report shifts the odds "
        f"between two possible truths by more than ×\u00a0{at_most(config.guarantee.odds_factor)}."
    )


def as_caption(text: str) -> str:
    return f'<p class="dpot-caption">{escape(text, quote=False)}</p>'


def caption(config: Config, step: Step) -> str:
    """The text of a step of the tour at an epsilon, as HTML."""
    distances = run(config).distances
    known = {word: steps(distances[name]) for word, name in WORDS.items()} | {"epsilon": f"{config.epsilon:g}"}
    known |= {"factor": at_most(config.guarantee.odds_factor)}
    if "{need_near}" in step.words:
        searches = needed(Need(need="ring", target=TARGET, k=RING.k, p=int(RING.p))).sides["worst"].searches
        known |= {f"need_{word}": epsilon_text(good) for word, m in WORDS.items() if (good := searches[m].steady)}
    return f"<p>{escape(step.words.format(**known))}</p>"


#: Mechanism by what captions call its numbers.
WORDS = {"near": "wpm", "far": "kpm"}
OUTPUTS = VIEWS["ring.outputs"]
ALT = "Two rings seen from above: where WPM and where KPM report a person who is at the marked point"
BEGIN = Config(ring=RING, source=Source(kind="dirac"), mechanisms=("wpm", "kpm"))
controls = shell.Controls("home")
notice = st.container()
tour.take_link(controls.parameter("step"))
st.subheader(
    "How much privacy, and how much accuracy?",
    anchor=False,
    help=explained(("wpm", "kpm", "wasserstein")),
)
st.markdown(
    "One value is drawn from private data and published. **ε** limits what it reveals. The nearer the "
    "value is to the truth, the more useful it is. Everything is computed on this machine."
)
hero()
with notice:
    controls.notices()
