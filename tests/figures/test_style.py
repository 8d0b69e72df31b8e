"""Colours that can be seen and told apart, and labels that cannot become HTML."""

from __future__ import annotations

import math

import pytest
from plotly.colors import sample_colorscale

from dpot_app.figures.panels import at_epsilon, axes, guide, panels
from dpot_app.figures.style import COLOURS, MARKERS, colour, new_figure, on_dark_ground, plain, see_through

LIGHT, DARK = "#FFFFFF", "#14181D"


def luminance(hex_colour: str) -> float:
    parts = [int(hex_colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("name", COLOURS)
def test_every_colour_stands_out_from_the_dark_ground(name: str) -> None:
    assert contrast(colour(name, dark=True), DARK) >= 3.0


@pytest.mark.parametrize("name", COLOURS)
def test_every_colour_stands_out_from_the_light_ground(name: str) -> None:
    # Okabe-Ito's orange and sky blue are bright by design: they are used for bars and thick lines only.
    assert contrast(colour(name), LIGHT) >= (2.2 if name in ("mollifier", "coreset", "non-private") else 3.0)


@pytest.mark.parametrize("place", [0.0, 0.15, 0.3, 0.5, 0.75, 1.0])
def test_shades_of_a_scale_stand_out_from_the_dark_ground(place: float) -> None:
    (shade,) = sample_colorscale("Viridis", [place])
    spec = on_dark_ground({"line": {"color": shade}, "colorscale": [[0, shade]]})
    channels = [int(part) for part in spec["line"]["color"][4:-1].split(",")]
    assert contrast("#" + "".join(f"{channel:02x}" for channel in channels), DARK) >= 2.8
    assert spec["colorscale"] == [[0, shade]]


def test_things_differ_in_colour_and_in_marker() -> None:
    assert len(set(COLOURS.values())) == len(COLOURS)
    assert COLOURS.keys() == MARKERS.keys()
    assert len(set(MARKERS.values())) == len(MARKERS)
    # At eight pixels these are one disc.
    assert len({"circle", "octagon", "hexagon2"}.intersection(MARKERS.values())) == 1


def test_labels_are_shown_as_they_are() -> None:
    assert plain("<b>&</b>") == "&lt;b&gt;&amp;&lt;/b&gt;"
    title = new_figure("<img src=x onerror=alert(1)>", 200).layout.title.text
    assert "<" not in title


def test_opacity() -> None:
    assert see_through("#0072B2", 0.25) == "rgba(0,114,178,0.25)"


def test_panels_fill_the_width_without_overlap_and_label_only_the_edges() -> None:
    layout = panels(["a", "b", "c"], 2, x={"title_text": "x"}, y={"title_text": "y"}, gap=(0.1, 0.2))
    assert layout["xaxis"]["domain"] == pytest.approx([0.0, 0.45])
    assert layout["xaxis2"]["domain"] == pytest.approx([0.55, 1.0])
    assert layout["yaxis"]["domain"] == pytest.approx([0.6, 1.0])
    assert layout["yaxis3"]["domain"] == pytest.approx([0.0, 0.4])
    # The second panel is the lowest of its column: without labels its values could not be read.
    assert [layout[f"xaxis{n}"]["showticklabels"] for n in ("", "2", "3")] == [False, True, True]
    assert ["title" in layout[f"yaxis{n}"] for n in ("", "2", "3")] == [True, False, True]
    assert [note["text"] for note in layout["annotations"]] == ["a", "b", "c"]


def test_guides_use_their_panel() -> None:
    assert axes(0) == {"xaxis": "x", "yaxis": "y"}
    assert axes(2) == {"xaxis": "x3", "yaxis": "y3"}
    line = guide(1, x=0.5)
    assert (line["xref"], line["yref"], line["x0"], line["x1"]) == ("x2", "y2 domain", 0.5, 0.5)
    across = guide(0, y=2.0)
    assert (across["xref"], across["yref"], across["y0"]) == ("x domain", "y", 2.0)


@pytest.mark.parametrize(
    ("epsilon", "words", "at", "lines"),
    [(0.05, "← ε = 0.05", -1.0, 0), (2.0, "ε = 2", math.log10(2.0), 1), (20.0, "ε = 20 →", 1.0, 0)],
)
def test_an_epsilon_beyond_the_axis_is_pointed_at_from_its_edge(
    epsilon: float, words: str, at: float, lines: int
) -> None:
    layout = at_epsilon(epsilon, range=[-1.0, 1.0])
    (label,) = layout["annotations"]
    assert (label["text"], label["x"], len(layout["shapes"])) == (words, pytest.approx(at), lines)


def test_words_of_a_mark_at_the_right_end_stand_on_its_left() -> None:
    sides = [at_epsilon(epsilon, range=[-1.0, 1.0])["annotations"][0].get("xanchor") for epsilon in (5.0, 9.0)]
    assert sides == [None, "right"]
