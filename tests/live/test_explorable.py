"""An explorable: one file with everything in it, whatever stands in its words."""

import json
import re
from typing import Any

import pytest

from dpot_app.kit.blocks import pictures
from dpot_app.kit.fields import EPSILONS
from dpot_app.kit.values import put
from dpot_app.live.explorable import explorable
from dpot_app.live.frames import Frames, Screen
from dpot_app.shell.live import screen_of
from dpot_app.views.table import VIEWS

NASTY = "</script><img src=x onerror=alert(1)>"


def screen(place: int, _progress: object) -> Screen:
    view = VIEWS["ring.outputs"]
    config = put(view.example, "epsilon", EPSILONS[place])
    drawn = pictures(view.show(config, *view.run(config).parts))
    how: Any = {"dark": False, "large": False}
    return {picture.name: screen_of(picture.draw(), NASTY, **how) for picture in drawn}


def document() -> str:
    frames = Frames(EPSILONS, 5, screen)
    labels = [f"{epsilon:g}" for epsilon in EPSILONS]
    return explorable(NASTY, NASTY, NASTY, [(frames, ["distributions"])], at=5, labels=labels)


def data_of(text: str) -> Any:
    (held,) = re.findall(r'<script type="application/json" id="data">(.*?)</script>', text, re.DOTALL)
    return json.loads(held)


@pytest.mark.nightly
def test_an_explorable_file_stands_alone_and_is_small() -> None:
    text = document()
    assert len(text.encode()) < 1_000_000 and "Plotly" not in text, "its own program draws it"
    assert not re.findall(r"""(?:src|href)=["'](?!data:)[^"']+""", text.replace(NASTY, "")), "asks for something else"
    (table,) = re.findall(r'<script type="importmap">(.*?)</script>', text, re.DOTALL)
    assert all(address.startswith("data:text/javascript") for address in json.loads(table)["imports"].values())


def test_every_value_is_in_it_and_words_are_no_markup() -> None:
    text = document()
    data = data_of(text)
    assert [line["place"] for line in data["lines"][0]] == list(range(len(EPSILONS)))
    assert data["label"] == NASTY and data["at"] == 5
    assert "<img" not in text.split("<script")[0] and "<img" not in re.sub(r"<script.*?</script>", "", text, flags=re.S)


def test_its_slider_has_only_values_at_which_everything_is_known() -> None:
    def some(known: set[int]) -> Frames:
        return Frames(EPSILONS, 5, lambda place, _progress: {"words": f"{place}"} if place in known else None)

    labels = [f"{epsilon:g}" for epsilon in EPSILONS]
    families = [(some({2, 3, 5, 9}), ["words"]), (some({3, 5, 7, 9}), ["words"])]
    data = data_of(explorable("", "", "", families, at=5, labels=labels))
    assert data["labels"] == [labels[place] for place in (3, 5, 9)] and data["at"] == 1
    assert [[line["place"] for line in lines] for lines in data["lines"]] == [[0, 1, 2]] * 2
    assert data["lines"][1][0]["screen"] == {"words": "3"}
