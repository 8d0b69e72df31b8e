"""The document of the house shows what the modules import, and says of every package what it holds."""

import re

from tests.house import DOCUMENT, drawing, floor, imports, with_drawing


def test_the_drawing_is_made_from_the_imports() -> None:
    text = DOCUMENT.read_text(encoding="utf-8")
    assert text == with_drawing(text), "python -m tests.house draws it again"


def test_a_package_imports_from_lower_floors_only_and_the_science_no_app() -> None:
    assert len(imports()) > 20
    for package, others in imports().items():
        assert all(floor(other) < floor(package) for other in others)
        assert not package.startswith("dpot_core") or not any(name.startswith("dpot_app") for name in others)


def test_every_package_of_the_drawing_is_explained() -> None:
    drawn = set(re.findall(r"^ +\d+  (\S+)", drawing(), re.MULTILINE))
    explained = re.findall(r"^\| `dpot_(?:app|core)/(\S+)` \|", DOCUMENT.read_text(encoding="utf-8"), re.MULTILINE)
    assert drawn == set(explained) and len(explained) == len(imports())
