"""What is written over and beside the ring agrees with the pictures, and can be read."""

from dpot_app.views.ring.outputs.results import moves, run
from dpot_app.views.ring.outputs.rings import ring_figure
from dpot_app.views.ring.settings import Base, Config, Ring
from dpot_app.views.ring.worst_case.figures import worst_case_figure
from dpot_app.views.ring.worst_case.results import curves, worst_case_now, worst_cases
from dpot_app.views.ring.worst_case.text import show_curves
from dpot_core.privacy.numerals import at_most


def test_a_worst_case_is_one_number_wherever_it_stands() -> None:
    """The picture bounded it by 5.44 steps, the line below it said 5.43."""
    config = Config(ring=Ring(k=30, p=2), base=Base(kind="uniform", scale=0.0), mechanisms=("wpm",))
    found = curves(config)
    said = str(list(show_curves(config, found, run(config)))[-1])
    now = worst_case_now(config.ring, config.base, config.epsilon)
    title = worst_case_figure(worst_cases(config.ring), now).layout.title.text
    worst = at_most(found.bases["uniform"])
    assert f"uniform {worst}" in said.replace("best uniform", "") and f"≤ {worst} steps" in title


def test_the_circles_are_named_over_the_bars() -> None:
    """At an epsilon of 10 a bar covered the first letters of 10%."""
    config = Config(ring=Ring(k=12), epsilon=10.0)
    drawn = ring_figure(run(config), moves(config), list(config.mechanisms)).data
    (named,) = [place for place, trace in enumerate(drawn) if "10%" in (trace.to_plotly_json().get("text") or ())]
    assert all(place < named for place, trace in enumerate(drawn) if trace.type == "barpolar")
    assert drawn[named].textfont.shadow
