"""The mixture page's numbers: they are the core's, they equal the paper's, and the snippets reproduce them."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy import integrate

import dpot_core as dpot
from dpot_app.kit.cache import CACHE
from dpot_app.views.mixture.densities import make_family, random_modes, random_modes_in_disc, ring_modes
from dpot_app.views.mixture.disclosed import disclosure
from dpot_app.views.mixture.line.results import run_line
from dpot_app.views.mixture.line.text import release_script
from dpot_app.views.mixture.many.results import FIG4_EPSILONS, Many, many_mixtures
from dpot_app.views.mixture.many.settings import ManyConfig
from dpot_app.views.mixture.outputs import private_density, train_mbde
from dpot_app.views.mixture.plane.results import largest_change, run_plane
from dpot_app.views.mixture.published import published_modes, published_rows, published_worst
from dpot_app.views.mixture.settings import MECHANISMS, NAMES, TRAINED, Config, Family, Modes
from dpot_app.views.mixture.sphere.results import run_sphere
from dpot_app.views.mixture.sphere.settings import SphereConfig
from dpot_app.views.mixture.worst_case import worst_cases, worst_now
from tests.apps import open_page, text_of, titles
from tests.data import load
from tests.views.mixture.by_hand import snippet

TWO = Modes(means=(-1.0, 1.0), weights=(0.9, 0.1))
ALL = tuple(name for name in NAMES if name not in TRAINED)
MBDE = Config(modes=TWO, epsilon=2.0, mechanisms=("mbde",), draws=50, training=4)
RING = Config(
    modes=ring_modes(3), family=Family(variance=0.5, radius=1.0, dimension=2), epsilon=0.5, mechanisms=ALL, cells=12
)


# --- the line ---------------------------------------------------------------------------------------------


def test_the_line_shows_the_reference_mixtures() -> None:
    for row in load("continuous_sampling.json")["mixtures"]:
        modes = Modes(means=tuple(row["means"]), weights=tuple(row["weights"]))
        found = run_line(Config(modes=modes, epsilon=row["epsilon"], mechanisms=("kpm",), cells=100, draws=0))
        own = found.numbers["kpm"]
        assert own.r == pytest.approx(row["r"], abs=1e-6)
        for name, key in (("kl", "kl"), ("tv", "tv"), ("hellinger", "squared_hellinger")):
            assert own.divergences[name] == pytest.approx(row[key], abs=1e-6)
    for row in load("continuous_sampling.json")["minimax_constants"]:
        now = worst_now(Family(), row["epsilon"]).divergences
        assert make_family(Family()).mass == pytest.approx(row["h_mass"], abs=1e-9)
        for name, key in (("kl", "kl"), ("tv", "tv"), ("hellinger", "squared_hellinger")):
            assert now[name] == pytest.approx(row["minimax"][key], abs=1e-9)


def test_all_outputs_are_densities_in_their_bands() -> None:
    found = run_line(Config(modes=TWO, mechanisms=ALL, cells=1000))
    assert list(found.densities) == list(ALL)
    for name, density in found.densities.items():
        assert integrate.trapezoid(density, found.x) == pytest.approx(1.0, abs=2e-3), name
    lower, upper = found.band
    for name in ("kpm", "blend"):
        assert (found.densities[name] >= lower).all() and (found.densities[name] <= upper).all()
    # WPM is constant in cells, so that it leaves a curved band by the band's slope within half a cell.
    assert (found.densities["wpm"] >= lower - 1e-3).all() and (found.densities["wpm"] <= upper + 1e-3).all()
    for start, end in found.raised:
        inside = (found.x >= start) & (found.x <= end)
        np.testing.assert_allclose(found.densities["kpm"][inside], lower[inside], rtol=1e-13)
    for start, end in found.cut:
        inside = (found.x >= start) & (found.x <= end)
        np.testing.assert_allclose(found.densities["kpm"][inside], upper[inside], rtol=1e-13)
    assert found.cut and found.raised
    centres, heights = found.histogram
    assert heights.sum() * (centres[1] - centres[0]) == pytest.approx(1.0)


def test_wpm_is_nearest_in_its_distance_and_kpm_in_kl() -> None:
    found = run_line(Config(modes=TWO, mechanisms=ALL, cells=400, p=1)).numbers
    assert found["wpm"].wasserstein == min(entry.wasserstein for entry in found.values())
    assert found["kpm"].divergences["kl"] <= found["wpm"].divergences["kl"] + 1e-4
    assert found["kpm"].divergences["kl"] <= found["blend"].divergences["kl"]
    assert found["kpm"].acceptance == pytest.approx(1 / found["kpm"].high)


def test_kpm_is_computed_also_when_it_is_not_drawn() -> None:
    found = run_line(Config(modes=TWO, mechanisms=("mollifier",)))
    assert list(found.densities) == ["mollifier"] and "kpm" in found.numbers


@pytest.mark.nightly
def test_mbde_is_trained_on_request_and_keeps_its_promise() -> None:
    config = Config(modes=TWO, mechanisms=("kpm", "mollifier", "mbde"), training=3)
    found = run_line(config)
    own, exact = found.numbers["mbde"], found.numbers["mollifier"]
    assert exact.divergences["kl"] < own.divergences["kl"] < 0.3
    assert math.exp(-0.5) < own.low and own.high < math.exp(0.5) and own.r is None
    trained = train_mbde(config.modes, config.family, config.epsilon, config.reference, config.training)
    np.testing.assert_array_equal(found.densities["mbde"], trained.density(found.x))
    assert "mbde" not in run_line(replace(config, mechanisms=ALL)).numbers, "off unless asked for"
    assert "network is not released" in config.guarantee.note
    assert "MBDE" not in replace(config, mechanisms=ALL).guarantee.note


@pytest.mark.nightly
def test_in_the_plane_mbde_loses_to_kpm_as_published_and_the_exact_mollifier_beats_both() -> None:
    config = replace(RING, mechanisms=("kpm", "mollifier", "mbde"))
    found = run_plane(config)
    costs = {name: entry.divergences["kl"] for name, entry in found.numbers.items()}
    assert costs["mollifier"] < costs["kpm"] < costs["mbde"] < 0.06
    assert largest_change(config, "mbde") == np.abs(found.densities["mbde"] - found.p).max(), "trained for no other ε"
    assert "network is not released" in config.guarantee.note and "mbde" not in run_plane(RING).numbers


@pytest.mark.nightly
def test_a_training_is_used_again_unless_something_changes_that_it_depends_on(monkeypatch: pytest.MonkeyPatch) -> None:
    CACHE.clear()
    trained: list[float] = []

    def train(mixture: object, reference: object, epsilon: float, *_: object, **__: object) -> object:
        trained.append(epsilon)
        raise ValueError("not here")

    before = run_line(MBDE).numbers["mbde"].divergences
    monkeypatch.setattr("dpot_app.views.mixture.outputs.boosted_density", train)
    same = replace(MBDE, mechanisms=("kpm", "mbde"), cells=100, p=1, draws=0, seed=9)
    assert run_line(same).numbers["mbde"].divergences == before and not trained
    changes = [
        {"modes": Modes(means=(0.0,), weights=(1.0,))},
        {"family": Family(variance=0.5)},
        {"epsilon": 1.5},
        {"reference": 2.0},
        {"training": 2},
    ]
    for change in changes:
        assert run_line(replace(MBDE, **change)).infeasible == {"mbde": "not here"}
    assert len(trained) == len(changes)


def test_unfitting_arguments_are_refused() -> None:
    with pytest.raises(ValueError, match=r"radius 1.4 would hold it"):
        run_line(Config(modes=Modes(means=(1.4,), weights=(1.0,))))
    with pytest.raises(ValueError, match="sum to 1"):
        run_line(Config(modes=Modes(means=(0.4,), weights=(0.9,))))


# --- worst cases ------------------------------------------------------------------------------------------


def test_curves_are_the_theorems_and_fall() -> None:
    found = worst_cases(Family())
    for place in (0, 15, 30):
        now = worst_now(Family(), float(found.epsilon[place])).divergences
        assert {name: curve[place] for name, curve in found.divergences.items()} == pytest.approx(now)
    assert all((np.diff(curve) < 0).all() for curve in found.divergences.values())


@pytest.fixture(scope="module")
def fig4() -> Many:
    """The hundred mixtures of the paper's Fig. 4, computed from nothing, and what is told meanwhile."""
    CACHE.clear()
    told: list[tuple[int, int]] = []
    many = many_mixtures(ManyConfig(), lambda *done: told.append(done))
    assert told == [(number, 100) for number in range(100)]
    return many


def test_the_first_mixtures_of_fig4_agree_with_the_authors() -> None:
    for modes, row in zip(published_modes()[:10], published_rows()[:10], strict=True):
        ours = private_density("kpm", Config(modes=modes, family=ManyConfig().family, epsilon=1.0)).divergences()
        assert {name: ours[name] for name in row["kpm"]} == pytest.approx(row["kpm"], abs=2e-5)


@pytest.mark.nightly
def test_all_hundred_mixtures_of_fig4_agree_with_the_authors(fig4: Many) -> None:
    ours = fig4.values[(fig4.values["epsilon"] == 1.0) & (fig4.values["mechanism"] == "kpm")]
    assert len(ours) == len(published_rows()) == 100
    for name in ("kl", "tv", "hellinger"):
        theirs = [row["kpm"][name] for row in published_rows()]
        np.testing.assert_allclose(ours[name], theirs, rtol=0, atol=2e-5)
        assert max(theirs) == published_worst()[1.0]["kpm"][name]
        worst = fig4.worst.set_index(["epsilon", "mechanism"]).loc[(1.0, "kpm"), name]
        assert worst == pytest.approx(max(theirs), abs=2e-5)
    assert fig4.disagreement is not None and fig4.disagreement < 2e-5


@pytest.mark.nightly
def test_the_exact_mollifier_is_better_than_its_trained_approximation(fig4: Many) -> None:
    worst = fig4.worst.set_index(["epsilon", "mechanism"])
    for epsilon, published in published_worst().items():
        assert worst.loc[(epsilon, "mollifier"), "kl"] < published["mbde"]["kl"]
        assert worst.loc[(epsilon, "kpm"), "kl"] < worst.loc[(epsilon, "mollifier"), "kl"]
        now = worst_now(Family(), epsilon).divergences
        assert all(worst.loc[(epsilon, "kpm"), name] <= now[name] for name in now)


@pytest.mark.nightly
def test_the_worst_of_the_papers_mixtures_stands_beside_theirs_on_the_page(
    fig4: Many, monkeypatch: pytest.MonkeyPatch
) -> None:
    def computed(config: ManyConfig, progress: object = None) -> Many:
        assert config == ManyConfig()
        return fig4

    monkeypatch.setattr("dpot_app.views.mixture.many.text.many_mixtures", computed)
    app = open_page("mixture", {"mix_details": "Worst of many"})
    assert "Worst of the paper's 100 mixtures at ε = 1: a KL of 0.106 nats with KPM" in titles(app)[2]
    assert "agrees with theirs on each of them within 1." in text_of(app).replace("\\", "")


@pytest.mark.nightly
def test_random_mixtures_depend_on_their_seed_and_stay_in_the_family() -> None:
    family = Family(variance=1.0, radius=2.0)
    one, same, other = (
        many_mixtures(ManyConfig(source="random", count=3, seed=seed, family=family)).values for seed in (1, 1, 2)
    )
    assert one.equals(same) and not one.equals(other)
    assert len(one) == 3 * len(FIG4_EPSILONS) * len(MECHANISMS)
    assert many_mixtures(ManyConfig(source="random", count=1, seed=1, family=family)).disagreement is None


@pytest.mark.nightly
def test_the_papers_mixtures_are_computed_once_whatever_the_page_shows_above_them() -> None:
    assert many_mixtures(
        ManyConfig(source="published", count=3, seed=9, family=Family(variance=0.5, radius=2.0))
    ) is many_mixtures(ManyConfig())


# --- the plane --------------------------------------------------------------------------------------------


@pytest.mark.nightly
@pytest.mark.parametrize(("place", "envelope"), [(0, "authors"), (1, "paper")])
def test_the_plane_shows_the_reference_ring(place: int, envelope: str) -> None:
    row = load("continuous_sampling.json")["ring"][place]
    found = run_plane(replace(RING, family=Family(variance=0.5, radius=1.0, dimension=2, envelope=envelope)))
    assert found.numbers["kpm"].r == pytest.approx(row["r"], abs=1e-6)
    for name, key in (("kl", "kl"), ("tv", "tv"), ("hellinger", "squared_hellinger")):
        assert found.numbers["kpm"].divergences[name] == pytest.approx(row[key], abs=1e-6)


def test_maps_are_densities() -> None:
    found = run_plane(RING)
    for name, density in {"input": found.p, **found.densities}.items():
        mass = integrate.trapezoid(integrate.trapezoid(density, found.axis), found.axis)
        assert mass == pytest.approx(1.0, abs=0.02), name
    assert set(np.unique(found.clipped)) <= {-1.0, 0.0, 1.0}
    # Rows are y: the ring's first mode lies at (1, 0).
    middle = len(found.axis) // 2
    assert found.p[middle].argmax() > middle and found.p[:, middle].argmax() == pytest.approx(middle, abs=20)


def test_narrow_modes_in_the_plane_are_handled() -> None:
    config = Config(
        modes=random_modes_in_disc(10, 1, 3.0),
        family=Family(variance=0.05, radius=3.0, dimension=2),
        epsilon=1.0,
        mechanisms=("kpm",),
        cells=12,
    )
    found = run_plane(config)
    assert found.error <= 2e-7 and found.epsilon_used == pytest.approx(1.0 - 4e-7, abs=1e-12)


# --- the sphere -------------------------------------------------------------------------------------------


def test_the_sphere_shows_the_closed_form() -> None:
    found = run_sphere(SphereConfig(d=3, epsilon=0.8, orders=(1.0, 2.0)))
    assert found.best[2.0] == dpot.sphere_base(3, 0.8, 2.0) == found.privunit
    assert np.allclose(np.linalg.norm(found.outputs, axis=1), 1.0)
    for p in (1.0, 2.0):
        rows = found.profile[found.profile["p"] == p]
        assert integrate.trapezoid(rows["per degree"], rows["angle"]) == pytest.approx(1.0, abs=1e-4)
        curve = found.curves[found.curves["p"] == p]
        assert (np.diff(curve["worst case"]) < 0).all()


# --- what is taken away -----------------------------------------------------------------------------------


@pytest.mark.nightly
@pytest.mark.parametrize(
    "config",
    [
        Config(modes=TWO, draws=50),
        Config(modes=TWO, family=Family(variance=0.5, radius=2.0), epsilon=0.3, reference=2.0),
        MBDE,
        RING,
    ],
)
def test_the_snippet_computes_what_the_page_shows(config: Config, capsys: pytest.CaptureFixture[str]) -> None:
    run = run_line if config.family.dimension == 1 else run_plane
    mechanisms = (*ALL, *(name for name in config.mechanisms if name in TRAINED))
    found = run(replace(config, mechanisms=mechanisms, cells=12))
    names: dict[str, object] = {}
    exec(snippet(config), names)
    assert names["kpm"].r == found.numbers["kpm"].r
    assert ("mbde" in names["divergences"]) == ("mbde" in config.mechanisms)
    for name, divergences in names["divergences"].items():
        assert divergences == pytest.approx(found.numbers[name].divergences, rel=1e-12, abs=1e-15)
    assert len(names["draws"]) == config.draws
    assert "epsilon'" in capsys.readouterr().out


def test_the_snippet_of_a_real_release_releases_one_number(capsys: pytest.CaptureFixture[str]) -> None:
    names: dict[str, object] = {}
    exec(release_script(Config(modes=TWO, family=Family(variance=0.5, radius=1.5), epsilon=2.0)), names)
    assert -4.0 <= names["released"] <= 4.0
    assert float(capsys.readouterr().out) == names["released"]


def test_draws_of_one_picture_are_disclosed_together() -> None:
    """1000 draws of one input are 1000 epsilon, not epsilon: the histogram of draws is not covered by the promise."""
    for config in (Config(modes=TWO, epsilon=0.5, draws=1000), SphereConfig(epsilon=0.5, draws=1000)):
        found = disclosure(config)
        words = " ".join(found.sentences())
        assert found.status == "demonstration" and found.guarantee.epsilon == 0.5
        assert "known seed 1" in words and "they would spend 1,000 ε." in words
        name = "line-draws" if isinstance(config, Config) else "sphere-draws"
        assert name not in found.free
    run = run_line(Config(modes=TWO, mechanisms=ALL))
    marked = disclosure(run.config).mark(run.tables())
    assert list(marked["line-draws"]) == ["x (not private)", "density of draws (not private)"]
    public = {"x", "h low", "h high", *(f"{name} {edge}" for name in run.bands for edge in ("lower", "upper"))}
    assert {name for name in marked["line-densities"] if "(not private)" not in name} == public
    assert "r (not private)" in marked["line-numbers"] and "high" in marked["line-numbers"]
    for quiet in (Config(modes=TWO, draws=0), RING):
        assert "Nothing is drawn" in " ".join(disclosure(quiet).sentences())


@pytest.mark.parametrize("trained", [False, pytest.param(True, marks=pytest.mark.nightly)])
def test_public_columns_are_the_same_for_every_input(trained: bool) -> None:
    names = (*ALL, "mbde") if trained else ALL
    one, other = (
        run_line(Config(modes=Modes(means=(mean,), weights=(1.0,)), mechanisms=names)).tables() for mean in (-0.9, 0.4)
    )
    free = disclosure(Config(modes=TWO)).free
    for name in ("line-densities", "line-numbers"):
        columns = [column for column in free[name] if trained or not column.startswith("mbde ")]
        assert one[name][columns].equals(other[name][columns]), name


def test_draws_share_nothing_between_settings() -> None:
    """With one noise at two settings the input could be solved for."""
    heights = [
        run_line(Config(modes=TWO, epsilon=epsilon, draws=200, mechanisms=(), seed=3)).histogram[1]
        for epsilon in (1.0, 1.0, 1.0 + 1e-9)
    ]
    np.testing.assert_array_equal(heights[0], heights[1])
    assert not np.array_equal(heights[0], heights[2])
    outputs = [run_sphere(SphereConfig(d=2, epsilon=epsilon, seed=3)).outputs for epsilon in (1.0, 1.0 + 1e-9)]
    assert not np.isclose(*outputs).any(axis=1).all()


def test_the_snippet_of_the_sphere() -> None:
    names: dict[str, object] = {}
    exec(snippet(SphereConfig(d=4, epsilon=2.0, orders=(1.0, 8.0))), names)
    assert names["caps"] == run_sphere(SphereConfig(d=4, epsilon=2.0, orders=(1.0, 8.0))).best


def test_tables_hold_every_number_drawn() -> None:
    line = run_line(Config(modes=TWO, mechanisms=ALL))
    curves = line.tables()["line-densities"]
    for name in ALL:
        np.testing.assert_array_equal(curves[name], line.densities[name])
    assert list(line.tables()["line-numbers"]["mechanism"]) == list(line.numbers)
    for result in (line, run_plane(RING), run_sphere(SphereConfig())):
        for name, table in result.tables().items():
            assert len(table) > 0, name


@pytest.mark.nightly
def test_tables_of_many_hold_what_the_authors_published(fig4: Many) -> None:
    assert all(len(table) for table in fig4.tables().values())
    assert set(fig4.tables()["fig4-published"]["mechanism"]) == {"kpm", "mbde"}


def test_random_and_ring_modes() -> None:
    modes = random_modes(10, 3, 2.0)
    assert len(modes.means) == 10 and math.fsum(modes.weights) == pytest.approx(1.0)
    assert max(map(abs, modes.means)) <= 2.0
    disc = random_modes_in_disc(50, 3, 2.0)
    assert max(math.hypot(*mean) for mean in disc.means) <= 2.0
    ring = ring_modes(4, 1.5)
    assert ring.means[0] == pytest.approx((1.5, 0.0)) and ring.weights == (0.25,) * 4
