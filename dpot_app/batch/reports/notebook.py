"""Views as an executed notebook: the Python that people take away, with the numbers and pictures that it gives."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from dpot_app.batch.reports.versions import own_version
from dpot_app.figures.style import for_export, title_apart
from dpot_app.kit.blocks import Picture, pictures
from dpot_app.kit.markdown import as_text
from dpot_app.kit.script import cells
from dpot_app.kit.view import Results, View
from dpot_app.live.chromium import BrowserError
from dpot_app.live.frames import plain
from dpot_app.live.svg_panels import svg_panels

#: What one output is: its content by its type. Each program shows the first of them that it can.
Bundle = Mapping[str, Any]

_SHOW = """# Pictures, and the tables, whose columns say what no promise covers:
for bundle in outputs(view, results):
    display(bundle, raw=True)"""
_IMPORT = "from dpot_app.batch.reports.notebook import outputs"


def outputs(view: View, results: Results) -> Iterator[Bundle]:
    """The pictures of a view as it begins, then its tables: what the notebook shows of it."""
    for picture in pictures(view.show(results.config, *results.parts)):
        yield _drawn(picture)
    for name, table in results.disclosure.mark(results.tables()).items():
        table = table.rename_axis(name, axis="columns")
        yield {"text/html": table.to_html(max_rows=20), "text/plain": table.to_string(max_rows=20)}


def _drawn(picture: Picture) -> Bundle:
    """A picture for programs that know Plotly's, as SVG where Chromium can draw it, and in words."""
    figure = picture.draw()
    bundle = {"application/vnd.plotly.v1+json": json.loads(for_export(figure).to_json()), "text/plain": picture.alt}
    title, spec = title_apart(figure.to_dict())
    try:
        return {
            **bundle,
            "image/svg+xml": svg_panels(title, [plain({"title": title, "spec": spec, "alt": picture.alt})]),
        }
    except BrowserError:
        return bundle


def notebook(shown: Sequence[tuple[View, Results]], address: str, promise: Sequence[str]) -> str:
    """An `.ipynb` (nbformat 4.5) whose outputs are those of results that are there.

    Args:
        shown: views with their results; all read the files of the first one.
        address: of the page.
        promise: what is promised of all of it, in sentences.
    """
    first, *computing, last = cells([(view, results.config) for view, results in shown])
    headlines = {name: number for view, one in shown for name, number in view.headlines(*one.parts).items()}
    about = "\n".join(f"- {as_text(sentence)}" for sentence in promise)
    made = [
        _words(f"# {as_text(shown[0][0].page)}\n\n[This page]({address}), by {as_text(own_version())}.\n\n{about}"),
        _code(f"{first}\n{_IMPORT}"),
    ]
    for (view, results), python in zip(shown, computing, strict=True):
        made += [_words(f"## {as_text(view.title)}"), _code(python)]
        made += [_code(_SHOW, *({"output_type": "display_data", "data": one} for one in outputs(view, results)))]
    made += [_code(last, {"output_type": "stream", "name": "stdout", "text": f"{headlines}\n"})]
    for number, cell in enumerate(made):
        cell["id"] = f"dpot-{number}"
        if cell["cell_type"] == "code":
            cell["execution_count"] = sum(one["cell_type"] == "code" for one in made[: number + 1])
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    document = {"nbformat": 4, "nbformat_minor": 5, "metadata": kernel, "cells": made}
    return json.dumps(document, ensure_ascii=False, indent=1) + "\n"


def _words(text: str) -> dict[str, Any]:
    return {"cell_type": "markdown", "metadata": {}, "source": text}


def _code(text: str, *shown: dict[str, Any]) -> dict[str, Any]:
    outputs = [{"metadata": {}, **one} if one["output_type"] == "display_data" else one for one in shown]
    return {"cell_type": "code", "metadata": {}, "source": text, "outputs": outputs}
