"""A figure of the papers' index as files: letters and lines as such, on a page of its own size."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from dpot_app.batch.reports.preprint import screens
from dpot_app.command_line import main
from dpot_app.live.chromium import size_of
from dpot_app.live.svg_panels import svg_panels
from dpot_app.views.papers.index import ROWS
from tests.browser import driver
from tests.prerequisites import unavailable

KEY = "minimax-fig3"


@pytest.fixture(autouse=True)
def chromium() -> None:
    if driver.find_chromium() is None:
        unavailable("no Chromium found; install one or name it in the variable CHROMIUM")


@pytest.mark.nightly
def test_a_figure_is_written_for_print(tmp_path: Path) -> None:
    assert main(["papers", "figure", KEY, "--out", str(tmp_path)]) == 0
    svg = (tmp_path / f"{KEY}.svg").read_text(encoding="utf-8")
    root = ElementTree.fromstring(svg)
    names = [element.tag.rpartition("}")[2] for element in root.iter()]
    assert names.count("text") > 20 and "path" in names and "image" not in names, "letters and lines, no pixels"
    (shown,) = screens(ROWS[KEY])
    written = " ".join(element.text or "" for element in root.iter() if element.tag.endswith("text"))
    assert all(word in written for word in shown["title"].split()), "its title stands in it"
    # A page of PDF is measured in points, 72 to an inch; pixels are 96.
    pdf = (tmp_path / f"{KEY}.pdf").read_bytes()
    (page,) = re.findall(rb"MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", pdf)
    assert [float(side) for side in page] == pytest.approx([side * 0.75 for side in size_of(svg)], abs=1.0)
    assert re.findall(rb"/Count (\d+)", pdf)[:1] == [b"1"] and b"/FontName" in pdf


@pytest.mark.nightly
def test_several_pictures_stand_beside_each_other_the_same_each_time() -> None:
    (shown,) = screens(ROWS[KEY])
    short = {**shown, "title": "Short"}
    svg = svg_panels("two", [shown, short])
    assert svg == svg_panels("two", [shown, short])
    left, right = list(ElementTree.fromstring(svg))
    assert float(right.attrib["x"]) == float(left.attrib["width"])
    assert float(right.attrib["y"]) > 0 == float(left.attrib["y"]), "what is below titles begins at one height"
