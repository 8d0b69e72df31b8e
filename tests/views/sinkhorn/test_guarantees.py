"""What leaves the page Private transport: noise of its own, nothing that reads the data again, files that say so."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import dpot_core as dpot
from dpot_app.kit.blocks import Note
from dpot_app.kit.cache import CACHE
from dpot_app.views.sinkhorn.cost.results import Costs, cost_point
from dpot_app.views.sinkhorn.details import release_script
from dpot_app.views.sinkhorn.disclosed import disclosure
from dpot_app.views.sinkhorn.noise import STREAMS, noise
from dpot_app.views.sinkhorn.point_grid import PointGrid, load_pair, point_grid
from dpot_app.views.sinkhorn.release.results import Result, run
from dpot_app.views.sinkhorn.settings import Config, Data, TheoremConfig
from dpot_app.views.table import VIEWS
from dpot_core.mechanisms.central.sinkhorn_results import NoisySinkhorn
from dpot_core.privacy.guarantees import Guarantee
from tests.noise import Fixed

SMALL = Config(data=Data(n=500, cells=4))


@pytest.fixture(scope="module")
def grid() -> PointGrid:
    return point_grid(Config().data)


def result_of(config: Config) -> Result:
    return run(config, point_grid(config.data))


# One noise, two scales


def counts_found(grid: PointGrid, *releases: tuple[np.ndarray, NoisySinkhorn]) -> tuple[int, int]:
    """The attack: two private marginals with one noise at two scales, solved for the counts of the first set.

    Returns:
        How many counts come out (up to one offset that they share), and of how many cells.
    """
    n = grid.n[0]
    (one, s1), (two, s2) = (
        (plan.sum(axis=1), next(entry.sigma for entry in released.ledger if entry.what == "histogram"))
        for plan, released in releases
    )
    kept = (one > 1e-9) & (two > 1e-9)
    guess = n * (s1 * two - s2 * one)[kept] / (s1 - s2)
    off = guess - grid.first[kept]
    return int((np.abs(off - np.median(off)) < 1e-6).sum()), int(kept.sum())


def by_way(result: Result) -> dict[str, tuple[np.ndarray, NoisySinkhorn]]:
    return {
        "sinkhorn": (result.plans["sinkhorn"], result.released),
        "histograms": (result.plans["histograms"], result.histograms),
    }


def test_the_attack_succeeds_where_noise_is_shared(grid: PointGrid) -> None:
    """What the page did: both routes drew from one generator with the same seed."""
    given = {"eta": 0.3, "epsilon": 1.0, "delta": 1e-5, "steps": 1}
    data = (grid.cost, grid.first, grid.second)
    found = [
        dpot.noisy_sinkhorn(*data, plan_share=share, rng=np.random.default_rng(0), **given) for share in (0.5, 1.0)
    ]
    hits, cells = counts_found(grid, *((released.plan, released) for released in found))
    assert hits == cells > 40


def test_no_counts_come_out_of_two_plans_or_of_two_values_of_epsilon(grid: PointGrid) -> None:
    first, second = (by_way(run(replace(Config(), epsilon=epsilon), grid)) for epsilon in (1.0, 2.0))
    pairs = [(first["sinkhorn"], first["histograms"]), (second["sinkhorn"], second["histograms"])]
    pairs += [(first[way], second[way]) for way in first] + [(first["sinkhorn"], second["histograms"])]
    for pair in pairs:
        hits, cells = counts_found(grid, *pair)
        assert hits <= 2 and cells > 20  # the median itself, and chance


@pytest.mark.parametrize(
    "changed",
    [
        {"epsilon": 2.0},
        {"delta": 1e-6},
        {"steps": 4},
        {"share": 0.4},
        {"floor": 0.1},
        {"eta": 0.5},
        {"people": "both"},
        {"constants": "printed"},
        {"draw": 1},
        {"data": replace(SMALL.data, seed=1)},
        {"data": replace(SMALL.data, n=501)},
        {"data": replace(SMALL.data, cells=5)},
        {"data": replace(SMALL.data, p=1)},
        {"data": replace(SMALL.data, source="rings")},
    ],
    ids=str,
)
def test_no_setting_leaves_the_noise_as_it_was(changed: Mapping[str, object]) -> None:
    names = list(STREAMS)
    other = replace(SMALL, **changed)
    grids = [point_grid(config.data) for config in (SMALL, other)]
    numbers = [noise(SMALL, grids[0], name).random() for name in names]
    numbers += [noise(other, grids[1], name).random() for name in names]
    assert len(set(numbers)) == 2 * len(names)  # nor do two mechanisms share any


def test_files_with_other_points_do_not_share_noise() -> None:
    pair = load_pair(SMALL.data)
    data = Data(source="csv", cells=4)
    pairs = (pair, replace(pair, first=pair.first[::-1]))
    numbers = {noise(SMALL, point_grid(data, each), "sinkhorn").random() for each in pairs}
    assert len(numbers) == 2


def test_every_epsilon_of_a_curve_and_every_way_has_its_own_noise() -> None:
    grid = point_grid(SMALL.data)
    ways = ("laplace", "histograms")
    points = [cost_point(replace(SMALL, epsilon=epsilon), grid, ways) for epsilon in (1.0, 2.0)]
    normal = [epsilon * point.estimates["laplace"] for epsilon, point in zip((1.0, 2.0), points, strict=True)]
    truth = points[0].truths["laplace"]
    residuals = [part - epsilon * truth for epsilon, part in zip((1.0, 2.0), normal, strict=True)]
    assert np.abs(residuals[0] - residuals[1]).min() > 1e-9  # with one noise they would all be 0


# Post-processing that reads the data again


def neighbouring_grids(data: Data) -> tuple[PointGrid, PointGrid, PointGrid]:
    """The points, with one of each set elsewhere, and with all of them elsewhere; the rectangle is public."""
    pair = load_pair(data)
    grids = []
    for first, second in (
        (pair.first, pair.second),
        (np.vstack([[[0.95, 0.95]], pair.first[1:]]), np.vstack([[[0.05, 0.95]], pair.second[1:]])),
        (1.0 - pair.first, pair.second[:, ::-1]),
    ):
        grids.append(point_grid(data, replace(pair, first=first, second=second)))
    return grids[0], grids[1], grids[2]


def published(result: Result) -> str:
    """All that a file of the view holds except what it marks as not private, and what it says of it."""
    said = disclosure(result)
    kept = {}
    for name, table in said.mark(result.tables()).items():
        columns = [column for column in table if "(not private)" not in column]
        kept[name] = table[columns].to_csv(float_format="%.17g") if columns else ""
    return repr((kept, said.described()))


@pytest.mark.parametrize(
    "config",
    [SMALL, replace(SMALL, people="both", share=0.3, floor=0.1), replace(SMALL, guarantee="paper")],
    ids=["one", "both", "paper"],
)
def test_given_noisy_values_nothing_that_is_published_depends_on_the_data(config: Config) -> None:
    fixed, grids = Fixed(), neighbouring_grids(config.data)
    CACHE.clear()  # noise that was drawn before is not heard
    runs = [lambda grid=grid: published(run(config, grid)) for grid in grids]
    first = fixed.record(runs[0])
    assert fixed.replay(runs[1]) == first and fixed.replay(runs[2]) == first
    assert "phi histograms" in first and ("phi sinkhorn" in first) == (config.guarantee == "proven")


def test_released_potentials_are_centred_by_the_public_grid() -> None:
    result = result_of(SMALL)
    for name in ("true", "sinkhorn", "histograms"):
        assert result.grid_potentials[name].mean() == pytest.approx(0.0, abs=1e-12)
    # By the true histogram their mean was 0 to the last digit, which tells which histogram it was.
    weights = result.grid.weights[0]
    assert abs(weights @ result.grid_potentials["sinkhorn"]) > 1e-6
    # Errors compare both potentials up to a constant, whichever.
    shifted = replace(result, potentials=(result.potentials[0] + 3.0, result.potentials[1]))
    assert shifted.potential_errors["sinkhorn"] == pytest.approx(result.potential_errors["sinkhorn"])


def test_rows_of_the_plans_are_chosen_by_what_is_released() -> None:
    result = result_of(SMALL)
    tables = result.tables()
    released = tables["plans"]
    largest = np.maximum(result.plans["sinkhorn"], result.plans["histograms"])
    assert len(released) == (largest > 1e-6).sum()
    assert (released[["sinkhorn", "histograms"]].max(axis=1) > 1e-6).all()
    true = disclosure(result).mark(tables)["true-plans"]
    assert all("(not private)" in column for column in true) and len(true) != len(released)
    assert true["exact (not private)"].sum() == pytest.approx(1.0, abs=1e-4)


# What files say


def test_an_export_promises_all_its_releases_together() -> None:
    for people, key in (("one", "replace"), ("both", "replace-in-both")):
        result = result_of(replace(SMALL, people=people))
        said = disclosure(result)
        assert said.status == "demonstration" and len(said.parts) == 2
        together = said.guarantee
        assert isinstance(together, Guarantee)
        assert (together.epsilon, together.delta) == (2.0, 2e-5) and together.neighbours == key
        assert together.gaussian == pytest.approx(np.sqrt(2) * result.released.guarantee.gaussian)
        assert "known seed 0" in said.draws and together.record == "point"
        marked = said.mark(result.tables())
        assert list(marked["plans"]) == [
            *("from cell", "to cell", "sinkhorn", "histograms", "exact (not private)", "entropic (not private)"),
        ]
        assert "phi true (not private)" in marked["cells"] and "phi sinkhorn" in marked["cells"]


def test_numbers_of_algorithm_1_on_the_grid_are_not_private_despite_the_claim() -> None:
    """Its potentials belong to points: where they stand on the grid is read from the points."""
    result = result_of(replace(SMALL, guarantee="paper"))
    said = disclosure(result)
    marked = said.mark(result.tables())
    assert "phi sinkhorn (not proven) (not private)" in marked["cells"]
    assert "sinkhorn (not proven) (not private)" in marked["plans"]
    assert said.guarantee is not None and not said.guarantee.proven


def test_views_without_a_release_say_so() -> None:
    said = {name: VIEWS[f"sinkhorn.{name}"].disclosure(SMALL, None) for name in ("cost", "convergence")}
    assert {one.status for one in said.values()} == {"analysis"}
    assert not any(one.guarantee for one in said.values())
    grid = point_grid(SMALL.data)
    tables = Costs(grid, (cost_point(SMALL, grid, ("laplace",)),), 1.0).tables()
    marked = said["cost"].mark(tables)["costs"]
    assert {column for column in marked if "(not private)" not in column} == {"epsilon", "way", "promise"}
    # The bound of Theorem 1 starts from the gap at zero potentials, which is computed from the data.
    frame = pd.DataFrame({"round": [0.0], "bound of Theorem 1": [1.0]})
    assert list(said["convergence"].mark({"convergence": frame})["convergence"]) == [
        *("round", "bound of Theorem 1 (not private)"),
    ]


@pytest.mark.nightly
def test_the_view_of_the_theorem_shows_bounds_of_the_data_and_says_that_nothing_covers_them() -> None:
    """Its picture, table and headlines follow from the settings; what other points change is in no file."""
    view = VIEWS["sinkhorn.theorem"]
    settings = [TheoremConfig(base=replace(SMALL, data=replace(SMALL.data, seed=seed))) for seed in (0, 1)]
    first, second = (view.run(one) for one in settings)
    texts = [
        [block.text for block in view.show(one, *found.parts) if isinstance(block, Note)]
        for one, found in zip(settings, (first, second), strict=True)
    ]
    assert texts[0] != texts[1] and first.disclosure.status == "analysis"
    headlines = first.disclosure.mark_numbers(view.headlines(*first.parts))
    assert headlines == second.disclosure.mark_numbers(view.headlines(*second.parts))
    marked = first.disclosure.mark(first.tables())
    assert not [name for name in (*headlines, *(c for table in marked.values() for c in table)) if "private" in name]


# Release for real


@pytest.mark.parametrize("what", ["plan", "cost"])
@pytest.mark.parametrize("people", ["one", "both"])
def test_the_release_snippet_runs_and_writes_only_what_it_pays_for(
    what: str, people: str, tmp_path, monkeypatch: pytest.MonkeyPatch, capsys
) -> None:
    monkeypatch.chdir(tmp_path)
    config = replace(SMALL, people=people, draw=12345)
    code = release_script(config, what)
    assert "secure=True" in code and "12345" not in code and "exact" not in code and "rng" not in code
    values = []
    for _ in range(2):
        names: dict = {}
        exec(code, names)
        released = names["released"]
        values.append(released.value if what == "cost" else released.potentials[0][0])
    assert values[0] != values[1]
    promise = released.guarantee
    assert (promise.epsilon, promise.note, promise.proven) == (config.epsilon, "", True)
    assert promise.neighbours == {"one": "replace", "both": "replace-in-both"}[people]
    files = {path.name: np.loadtxt(path, delimiter=",") for path in tmp_path.iterdir()}
    if what == "cost":
        assert not files and promise.delta == 0.0 and str(released.value) in capsys.readouterr().out
    else:
        assert set(files) == {"phi.csv", "psi.csv", "plan.csv"}
        assert np.array_equal(files["phi.csv"], released.potentials[0])
        assert np.array_equal(files["plan.csv"], released.plan)
