"""Hostile scenario files: words that YAML makes something else of, bombs, and files that break off."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from random import Random

from dpot_app.batch import scenarios

COUNT = 700

WORDS = (
    *("!!int ''", "!!bool foo", "!!timestamp foo", "!!float ''", "!!binary a", "!!set {a}", "!!omap [a: 1]", "! x"),
    *("!!python/object/apply:os.system [x]", "!a b", '"\\UFFFFFFFF"', '"\\uD800"', '"\\x00"', '"\\q"', "2001-99-99"),
    *("2001-01-01", "2001-01-01T00:00:00Z", "1:30", "1" + ":59" * 3000, "190:20:30.15", "1" * 400, "1" * 5000, "0" * 9),
    *(
        "-" + "9" * 400,
        "0x" + "f" * 300,
        "0b" + "1" * 5000,
        "0o7",
        "010",
        "1e400",
        "1e-400",
        "1.0e+400",
        ".inf",
        "-.INF",
    ),
    *(".nan", "1_000", "1__0", "_1", "+", "-", ".", "~", "null", "yes", "Off", "y", "=", "<<", "<<: {a: 1}", "? a"),
    *("&a [*a]", "*a", "&a x", "[" + "1," * 30_000 + "1]", "[" * 500, "{" * 500, "{a: " * 500, "- " * 500, "? " * 500),
    *(
        "|",
        ">-",
        "|9",
        "'",
        '"',
        "`a",
        "@a",
        "%a",
        "\t",
        "# a",
        "a: b: c",
        "- a",
        "[a",
        "{a",
        "---",
        "...",
        "😀",
        "\x07",
    ),
    *("'" + "a" * 100_000 + "'", "{" + ", ".join(f"k{i}: 1" for i in range(3000)) + "}", "\u2028", "\ufeff", "\x85"),
)


@cache
def _texts() -> tuple[str, ...]:
    """A file of every kind."""
    return tuple(scenarios.write([scenarios.Scenario(k, v.title, v.example)]) for k, v in scenarios.VIEWS.items())


def make(rng: Random) -> bytes:
    text = rng.choice(_texts())
    for _ in range(rng.choice((1, 1, 2))):
        text = rng.choice(_CHANGES)(rng, text)
    data = text.encode(rng.choice(("utf-8",) * 12 + ("utf-16", "utf-8-sig", "latin-1")), "replace")
    if rng.random() < 0.1 and data:
        at = rng.randrange(len(data))
        data = data[:at] + bytes([data[at] ^ 1 << rng.randrange(8)]) + data[at + 1 :]
    return data


def read(data: bytes) -> object:
    try:
        return scenarios.read(data)
    except scenarios.ScenarioError as problem:
        # A file with nothing but comments has no line that anything could be said of.
        if problem.line is None and not str(problem).startswith(("the file must be", "the file must hold a mapping")):
            raise TypeError(f"no line is named: {problem}") from problem
        raise


def _value(rng: Random, text: str) -> str:
    places = list(re.finditer(r"(?<=: )[^\n,{}\[\]]+", text))
    if not places:
        return text
    place = rng.choice(places)
    return text[: place.start()] + rng.choice(WORDS) + text[place.end() :]


def _key(rng: Random, text: str) -> str:
    places = list(re.finditer(r"\b\w+(?=:)", text))  # each word once: some are long
    if not places:
        return text
    place = rng.choice(places)
    return text[: place.start()] + rng.choice((*WORDS, "schema", "k", "a" * 5000)) + text[place.end() :]


_CHANGES: tuple[Callable[[Random, str], str], ...] = (
    *[_value] * 6,
    _key,
    _key,
    lambda rng, text: rng.choice(WORDS),
    lambda rng, text: f"{rng.choice(WORDS)}\n{text}",
    lambda rng, text: f"{text}\n{rng.choice(WORDS)}: {rng.choice(WORDS)}",
    lambda rng, text: text[: rng.randrange(len(text) + 1)],
    lambda rng, text: text * rng.choice((2, 60)),
    lambda rng, text: text.replace("\n", rng.choice(("\r", "\r\n", "\n\n", "\n\t", " "))),
    lambda rng, text: text.replace("- kind", "- &a kind", 1) + "- *a\n",
    lambda rng, text: "a: &a [1,1,1]\n" + "".join(f"b{i}: &b{i} [*a,*a]\n" for i in range(30)),
    lambda rng, text: "".join(rng.choice("-:{}[]&*!|>'\"%@`#,? \n\tab01.~") for _ in range(rng.choice((5, 50, 2000)))),
    lambda rng, text: rng.choice(("1,", "[1],", "{a: 1},", "#", "a")) * rng.choice((1000, 60_000, 400_000)),
)
