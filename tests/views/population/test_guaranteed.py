"""What the page begins with comes with the package, and is what the code gives."""

import json
from dataclasses import asdict, replace

import numpy as np
import pytest

from dpot_app.views.population.guaranteed import results
from dpot_app.views.population.guaranteed.make import CONFIG, DRAWS, EPSILONS, first_people
from dpot_app.views.population.guaranteed.results import Guaranteed, guaranteed, measured
from dpot_app.views.population.guaranteed.shipped import FILE, made_of, shipped
from dpot_app.views.population.people import People


@pytest.fixture(scope="module")
def people() -> People:
    return first_people()


@pytest.fixture
def known(people: People, monkeypatch: pytest.MonkeyPatch) -> Guaranteed:
    """As the page has it: tests of pages measure less."""

    def refuse(*given: object) -> Guaranteed:
        raise AssertionError("measured although it came with the package")

    monkeypatch.setattr(results, "EPSILONS", EPSILONS)
    monkeypatch.setattr(results, "DRAWS", DRAWS)
    monkeypatch.setattr(results, "measured", refuse)
    return guaranteed(people, replace(CONFIG, epsilon=3.0))


def test_a_shipped_measurement_is_what_the_code_gives(people: People, known: Guaranteed) -> None:
    """One release of each mechanism is drawn anew; where this fails, `make curves` makes all of them anew."""
    at = EPSILONS.index(1.0)
    anew = measured(people, CONFIG, EPSILONS[at : at + 1], 1, None)
    for name, values in known.measured.items():
        assert values.shape == (len(EPSILONS), DRAWS)
        assert anew.measured[name] == pytest.approx(values[at : at + 1, :1], rel=1e-9)
    assert anew.diameter == pytest.approx(known.diameter, rel=1e-9)
    assert [asdict(one) for one in anew.far] == [pytest.approx(asdict(one), rel=1e-9) for one in known.far]


@pytest.mark.nightly
def test_all_shipped_measurements_are_what_the_code_gives(people: People, known: Guaranteed) -> None:
    anew = measured(people, CONFIG, EPSILONS, DRAWS, None)
    assert anew.best == pytest.approx(known.best, rel=1e-9)
    for name, values in known.measured.items():
        np.testing.assert_allclose(anew.measured[name], values, rtol=1e-9)
    np.testing.assert_allclose(anew.bound, known.bound, rtol=1e-9)


@pytest.mark.parametrize("change", [{"seed": 2}, {"m": 4}, {"delta": 1e-8}, {"adjacency": "add-remove"}, {"p": 1.0}])
def test_shipped_measurements_are_not_used_for_other_settings(people: People, change: dict[str, object]) -> None:
    assert shipped(made_of(people.key, CONFIG, EPSILONS, DRAWS)) is not None
    assert shipped(made_of(people.key, replace(CONFIG, **change), EPSILONS, DRAWS)) is None
    assert shipped(made_of("other people", CONFIG, EPSILONS, DRAWS)) is None
    assert shipped(made_of(people.key, CONFIG, EPSILONS, DRAWS - 1)) is None


def test_the_file_holds_numbers_only() -> None:
    assert set(json.loads(FILE.read_text(encoding="utf-8"))["values"]) == set(Guaranteed.__dataclass_fields__)
