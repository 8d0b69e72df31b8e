"""The Python that every view gives away runs by itself, on files of one's own too, and gives the page's numbers."""

from __future__ import annotations

import contextlib
import io
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from dpot_app.cities.city import make_city
from dpot_app.films.catalogue import Split
from dpot_app.kit.cache import CACHE
from dpot_app.kit.script import file_name
from dpot_app.views import population
from dpot_app.views.geolocation import settings as geolocation
from dpot_app.views.metric import settings as metric
from dpot_app.views.movies import settings as movies
from dpot_app.views.sinkhorn import settings as sinkhorn
from dpot_app.views.table import PAGES, VIEWS
from dpot_core import datasets
from tests.batch.scenarios.outcomes import few_masses, shorten_sweeps
from tests.taken import PLACES, take
from tests.views.geolocation.examples import zones_geojson

_FEW = 40


def check_ins() -> bytes:
    few = datasets.simulated_city(_FEW)
    rows = pd.DataFrame({"who": [few.labels[i] for i in few.user], "north": few.lat, "east": few.lon})
    return rows.to_csv(index=False).encode()


def ratings(names: tuple[str, str, str] = ("person", "item", "stars given")) -> tuple[bytes, bytes]:
    data = datasets.simulated_films(_FEW, 60)
    rows = [f"{u},{f},{s:g}" for u, f, s in zip(data.user, data.film, data.stars, strict=True)]
    about = [f'{f},"Film, {f}",{data.genres_of(f).replace(", ", "|")}' for f in range(60)]
    return "\n".join([",".join(names), *rows]).encode(), "\n".join(["film,title,genres", *about]).encode()


def places() -> bytes:
    rng = np.random.default_rng(3)
    rows = zip(rng.uniform(32, 45, 30), rng.uniform(-115, -80, 30), rng.integers(20, 90, 30), strict=True)
    return ("north,east,people\n" + "\n".join(f"{a},{b},{c}" for a, b, c in rows)).encode()


def points() -> bytes:
    rng = np.random.default_rng(4)
    rows = [f"{'ab'[i % 2]},{x},{y}" for i, (x, y) in enumerate(rng.normal(size=(120, 2)))]
    return "\n".join(["set,east,north", *rows]).encode()


_ROLES = (("user", "who"), ("lat", "north"), ("lon", "east"))
_PLACE = geolocation.Place(n=5, least=2, held_out=True)
_CITY = geolocation.Config(
    source="csv", place=_PLACE, base="prior", epsilon=0.7, reg=None, person=3, zones=False, columns=_ROLES
)
_METRIC = metric.Config(
    source="csv", place=replace(_PLACE, held_out=False), columns=_ROLES, changes=((0.5, 2.0),), epsilon=0.7, delta=1e-4
)
_PEOPLE = population.Config(
    source="csv", n=300, m=2, epsilon=0.7, columns=(("lat", "north"), ("lon", "east"), ("weight", "people"))
)
_PAIR = sinkhorn.Config(
    data=sinkhorn.Data(source="csv", n=300, cells=3, columns=(("group", "set"), ("x", "east"), ("y", "north"))),
    epsilon=0.7,
)
_FILMS = movies.Config(
    source="csv",
    split=Split(seed=3, dimensions=6, centred=True, candidates=10),
    base="prior",
    epsilon=0.7,
    reg=0.03,
    columns=(("user", "person"), ("film", "item"), ("rating", "stars given")),
)


def own(key: str) -> tuple[Any, dict[str, bytes]] | None:
    """Odd settings of a view that read a reader's own files, and the files; None where it reads none."""
    page = key.split(".")[0]
    if page == "geolocation":
        city = make_city(datasets.read_checkins_csv(check_ins(), dict(_ROLES)), _PLACE)
        return replace(_CITY, zones=True), {"check-ins": check_ins(), "zones": zones_geojson(city)}
    if page == "movies":
        return _FILMS, dict(zip(("ratings", "films"), ratings(), strict=True))
    files = {"metric": {"check-ins": check_ins()}, "population": {"population": places()}}
    files |= {"sinkhorn": {"points": points()}}
    example = VIEWS[key].example
    bases: dict[str, Any] = {"metric": _METRIC, "population": _PEOPLE, "sinkhorn": _PAIR}
    if page not in bases:
        return None
    if isinstance(example, type(bases[page])):
        return bases[page], files[page]
    fields = [name for name, value in vars(example).items() if isinstance(value, type(bases[page]))]
    return (replace(example, **{fields[0]: bases[page]}), files[page]) if fields else None


def ran(python: str) -> dict[str, Any]:
    """What a program computes that shares no memory with the page."""
    names: dict[str, Any] = {"__name__": "exported"}
    with pytest.MonkeyPatch.context() as alone, contextlib.redirect_stdout(io.StringIO()):
        alone.setattr(CACHE, "_memories", {False: OrderedDict(), True: OrderedDict()})
        exec(compile(python, "exported", "exec"), names)
    return names


def close(found: Any, expected: Any, where: str) -> None:
    """Whether two columns are the same: texts exactly, numbers to 1e-12."""
    found, expected = (np.asarray(column, dtype=object) for column in (found, expected))
    assert found.shape == expected.shape, where
    for one, other in zip(found, expected, strict=True):
        if isinstance(one, int | float | np.number) and other is not None and not isinstance(one, bool | np.bool_):
            other = float(other)  # JSON has infinity as a text
            assert (
                one == other or abs(one - other) <= 1e-12 * max(1.0, abs(other)) or (one != one and other != other)
            ), where
        else:
            assert one == other or (pd.isna(one) and pd.isna(other)), where


def near(found: Mapping[str, Any], headlines: Mapping[str, float], tables: Mapping[str, Any]) -> None:
    """Whether exported Python has the page's numbers: the headlines and every column of every table."""
    assert found["headlines"].keys() == headlines.keys() and found["tables"].keys() == tables.keys()
    for name, value in headlines.items():
        close([found["headlines"][name]], [value], name)
    for name, table in tables.items():
        assert len(found["tables"][name].columns) == len([*table]), name
        # Where a file leaves the app, columns say in their names what no promise covers.
        for own, column in zip(found["tables"][name], table, strict=True):
            assert str(column).startswith(str(own)), (name, column)
            close(found["tables"][name][own], table[column], f"{name}, {own}")


WITH_FILES = [
    key for key in VIEWS if key.split(".")[0] in ("geolocation", "movies", "metric", "population", "sinkhorn")
]
#: Views whose code is tried in every run: one for each way of reading a file.
CHEAP = ("geolocation.person", "movies.user", "metric.protect", "sinkhorn.release", "population.map")


@pytest.mark.parametrize(
    "key", [key if key in CHEAP else pytest.param(key, marks=pytest.mark.nightly) for key in WITH_FILES]
)
@pytest.mark.parametrize("optional", [True, False])
def test_exported_python_reads_own_files_under_the_names_that_it_states(
    key: str, optional: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = own(key)
    if given is None:
        return
    config, files = given
    view = VIEWS[key]
    roles = view.files(config)
    if not roles:
        return
    files = {role: files[role] for role, needed in roles.items() if needed or optional}
    if not optional and len(files) == len(roles):
        return  # nothing may be left out
    shorten_sweeps(monkeypatch)
    few_masses(monkeypatch)
    monkeypatch.chdir(tmp_path)
    python = view.python(config)
    for role, content in files.items():
        assert f'"{file_name(role)}"' in python
        Path(file_name(role)).write_bytes(content)
    results = view.run(config, files)
    near(ran(python), view.headlines(*results.parts), results.tables())


@pytest.mark.nightly
@pytest.mark.parametrize(("page", "place"), [(page, place) for page, tabs in PLACES.items() for place in tabs])
def test_the_python_on_the_screen_runs(page: str, place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    _runs(page, place, monkeypatch)


@pytest.mark.parametrize(
    ("page", "place"), [pytest.param("mixture", "line-many", marks=pytest.mark.nightly), ("geolocation", "crowd")]
)
def test_the_python_of_two_views_runs_at_the_settings_of_each(
    page: str, place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    _runs(page, place, monkeypatch)


def _runs(page: str, place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    shorten_sweeps(monkeypatch)
    few_masses(monkeypatch)
    taken = take(page, PAGES[page].prefix, PLACES[page][place])
    assert not [warning.value for warning in taken.app.warning if "link" in warning.value]
    found = ran(taken.python)
    assert all(np.isfinite(value) for value in found["headlines"].values())
    near(found, found["headlines"], taken.numbers["tables"])
