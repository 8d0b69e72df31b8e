"""The field's words: a page explains each beside the first caption that uses it, and nowhere twice."""

import pytest

from dpot_app.kit.glossary import TERMS, explained, first_uses, terms_in
from tests.apps import open_app


def test_a_text_explains_the_words_that_it_is_the_first_to_use() -> None:
    known: set[str] = set()
    assert first_uses("WPM, by W₂", known) == explained(("wpm", "wasserstein"))
    assert first_uses("KPM beside WPM", known) == explained(("kpm",))
    assert first_uses("no word of the field", known) == first_uses("KPM", known) == ""
    assert known == {"wpm", "kpm", "wasserstein"}


@pytest.mark.parametrize(("page", "words"), [("ring", {"wpm", "kpm", "em"}), ("population", {"atoms", "wasserstein"})])
def test_the_first_caption_that_uses_a_word_explains_it(page: str, words: set[str]) -> None:
    app = open_app({}, f"pages/{page}.py")
    told: list[str] = []
    for caption in app.main.caption:
        told += [key for key in TERMS if TERMS[key].means in caption.proto.help]
        assert not caption.proto.help or {*terms_in([caption.value])} <= {*told}, caption.value
    assert words <= {*told} and len(told) == len({*told})
