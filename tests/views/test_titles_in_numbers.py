"""What titles say beside the names of the best: signs, shares, bounds and from where on, at odd settings.

`test_titles.py` holds the titles that compare mechanisms. Here every other title is either held against its results'
numbers, at five values of epsilon and three other settings, or its view is listed as one that claims nothing.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from itertools import permutations
from types import MappingProxyType
from typing import Any

import numpy as np
import pytest
from scipy.stats import norm

from dpot_app.figures.style import km
from dpot_app.kit.blocks import pictures
from dpot_app.kit.values import put
from dpot_app.views.decide.searched import in_words
from dpot_app.views.geolocation.crowd.results import EPSILONS as CROWD_EPSILONS
from dpot_app.views.metric.crowd.results import EPSILONS as REPORT_EPSILONS
from dpot_app.views.metric.pays.results import RATIOS
from dpot_app.views.table import VIEWS
from dpot_core.mechanisms import LABELS
from dpot_core.privacy.numerals import (
    at_most,
    count,
    counted,
    enumeration,
    number,
    percent,
    percent_at_least,
    percent_at_most,
)
from tests.batch.scenarios.outcomes import by_day, few_masses
from tests.batch.scenarios.settings import settings_of
from tests.views import test_titles

EPSILONS = (0.05, 0.5, 2.0, 6.0, 10.0)

#: A check of a view's titles: (titles, settings, *results).
Check = Callable[..., None]


def said(title: str, pattern: str) -> list[str]:
    """What stands where the pattern has groups; every title of the kind has to fit it."""
    found = re.search(pattern, title)
    assert found, f"{title!r} has no {pattern!r}"
    return [part for part in found.groups() if part is not None]


def holds_where(text: str, at: Sequence[float], holds: Sequence[bool]) -> bool:
    """Whether words on where something holds are so: "from ε = 2 on", "up to ε = 2", "at 2 of 6 values"."""
    if "at every" in text or "throughout" in text:
        return all(holds)
    if found := re.search(r"from (?:about )?(?:ε|k|m|n) = ([\d.,]+)", text):
        first = [f"{value:,g}" for value in at].index(found[1])
        return not any(holds[:first]) and all(holds[first:]) and first > 0
    if found := re.search(r"up to (?:ε|n|k) = ([\d.,]+)", text):
        last = [f"{value:,g}" for value in at].index(found[1]) + 1
        return all(holds[:last]) and not any(holds[last:]) and last < len(at)
    if found := re.search(r"at (?:ε|n|k) = ([\d.,]+) only", text):
        return sum(holds) == 1 and holds[[f"{value:,g}" for value in at].index(found[1])]
    if found := re.search(r"at (\d+) of (\d+)", text):
        return int(found[1]) == sum(holds) and int(found[2]) == len(holds) and any(holds)
    return not any(holds)


def ring_base(titles: list[str], at: Any, report: Any) -> None:
    worst, best = report.worst["yours"], report.worst["minimax"]
    assert at_most(worst) in titles[0] and report.lower_bound <= best + 1e-9
    assert ("no base measure does better" in titles[0]) == (worst <= best * (1 + 1e-5))
    if "the best possible is" in titles[0]:
        assert said(titles[0], r"is (\S+) steps, (\S+) less") == [at_most(best), percent(1 - best / worst)]


def ring_plan(titles: list[str], at: Any, plan: Any) -> None:

    box = at.polytope
    # The least by a linear programme in words: fill every output point from what is there, as far as its bounds allow.
    stay = np.minimum(plan.mu[plan.targets], box.upper)
    short = np.maximum(box.lower - stay, 0.0).sum()
    least = 1.0 - min(stay.sum(), 1.0 - short)
    moved, *more = said(titles[0], r"moves (\S+) of the mass; (?:any output within its bounds moves at least (\S+)$)?")
    assert moved == percent(plan.moved if plan.moved > 1e-9 else 0.0)
    assert plan.moved >= least - 1e-9
    assert more == ([percent_at_least(least)] if plan.moved > least + 1e-9 else [])


def best_guess(titles: list[str], at: Any, found: Any) -> None:
    """Without a release, most often, and of two mechanisms how far a place is moved and how often it is guessed."""
    written = r"([\d.e-]+)%"
    without = said(titles[0], f"{written} of the time.*; {written} without a release(?: \\(simulated\\))?$")[-1]
    assert float(without) == pytest.approx(100 * found.prior.max(), rel=0.006)
    rates = [float(one) for one in re.findall(f"{written}(?: of the time)? after", titles[0])]
    known = [100 * now.right for now in found.now.values()]
    assert max(rates) == pytest.approx(max(known), rel=0.006) and min(rates) == pytest.approx(min(known), rel=0.006)
    pairs = re.findall(
        f"([\\d.]+) (?:steps?|km|in cosine distance)(?:, and the guess is right| and) {written}", titles[1]
    )
    assert len(pairs) == min(2, len(found.now))
    for far, right in pairs:
        assert any(
            at_most(now.distance) == far and float(right) == pytest.approx(100 * now.right, rel=0.006)
            for now in found.now.values()
        )


def one_place(titles: list[str], at: Any, found: Any) -> None:
    """How far the optimal kernel moves a place, planar Laplace with and without remapping, WPM where it is shown."""
    written = r"([\d.e-]+) km"
    best, plain, *others = said(
        titles[0],
        rf"kernel moves a place {written}.*, planar Laplace {written}(?:, {written} remapped| remapped or not)",
    )
    now = found.now
    assert [best, plain] == [number(now["optimal"].remapped), number(now["laplace"].average)]
    assert (others or [plain]) == [number(now["laplace"].remapped)]
    assert now["optimal"].remapped <= now["laplace"].remapped * (1 + 1e-4)
    assert ("wpm" in now) == ("WPM" in titles[0]) == ("wpm" in at.mechanisms)
    if "wpm" in now:
        assert said(titles[0], f"; WPM, which promises less, {written} remapped") == [number(now["wpm"].remapped)]


def nearest_own_place(titles: list[str], at: Any, found: Any) -> None:
    """Each mechanism's picture, in the order of the settings, about the person at hand."""
    assert len(titles) == len(found.by) > 0
    for title, people in zip(titles, found.by.values(), strict=True):
        half, share, x = said(title, r"within ([\d.e-]+) km of the person's places, ([\d.]+%) farther than ([\d.]+) km")
        assert half == number(people.here.half) and x == number(at.beyond)
        assert share == percent(people.here.beyond(found.radii, at.beyond))


def ring_convergence(titles: list[str], at: Any, *results: Any) -> None:
    result = results[-1]
    run = result.in_use or result.runs[-1]
    last = float(run.distance[-1])
    assert number(result.exact) in titles[0] and ("not yet converged" in titles[0]) == (not run.converged)
    above = re.search(r"ends (\S+) steps above it", titles[0])
    assert number(last - result.exact) == above[1] if above else abs(last - result.exact) < 1e-6


def beyond(gaps: Any) -> bool:
    """Whether differences of runs are above 0 by two of their standard errors."""
    gaps = np.asarray(gaps)
    return bool(np.mean(gaps) > 2 * np.std(gaps, ddof=1) / len(gaps) ** 0.5 + 1e-12)


def curve_of_the_crowd(titles: list[str], at: Any, _: Any, curve: Any) -> None:
    wins, nearer = [], []
    own = [point for point in curve.points if point.epsilon in CROWD_EPSILONS]
    assert len(own) == len(CROWD_EPSILONS) <= len(curve.points)
    for point in own:
        most = point.ends["wpm"][:, 1]
        wins.append(all(beyond(ends[:, 0] - most) for name, ends in point.ends.items() if name != "wpm"))
        nearer.append(curve.prior is not None and beyond(point.ends["wpm"][:, 0] - curve.prior_ends.max()))
    first, _, second = titles[0].partition(", but the prior alone is nearer than WPM")
    epsilons = [point.epsilon for point in own]
    assert holds_where(first, epsilons, wins) and holds_where(second, epsilons, nearer), titles[0]
    assert ("at no ε shown" in first) == (not any(wins))


def one_release_on_a_map(titles: list[str], at: Any, result: Any) -> None:
    """How far from where the person was a release lands, in the large map's title; W_p is another number, by name."""
    truth, city = result.truth, result.map
    if city.zones:  # whose points a map does not have
        return
    away = np.hypot(*(city.points - city.points[truth.mu.argmax()]).T)
    means = {LABELS[name]: float(nu @ away) for name, nu in result.outputs.items()}
    moved = {LABELS[name]: value for name, value in result.kilometres.items()}
    assert len(titles) == 2 + len(at.mechanisms) and titles[-1].startswith("At ε")
    for name, title in zip(at.mechanisms, titles[1:-1], strict=True):
        assert title.startswith(f"{LABELS[name]}: {city.loss} = {km(result.kilometres[name])}")
    for title in titles[-1:]:
        assert "from home" in title or "most visited cell" in title
        for values, text in zip((means, moved), title.split(city.loss), strict=True):
            alone = re.sub(r" \(like [^)]*\)", "", text)  # those of a tie
            named = re.findall(rf"({'|'.join(values)})\b", alone)
            assert all(number(values[name]) in text for name in named)
            # Each measure names its own best, and where that is not WPM, WPM beside it.
            assert values[named[0]] <= min(values.values()) * (1 + 1e-8) and "WPM" in named and len(named) == 2


def moved_most(titles: list[str], at: Any, _: Any, cells: Any) -> None:
    far = float(said(titles[1], r"by (\S+) km")[0])
    assert 0 <= far - float(cells.worst) <= 0.01 * far and float(cells.worst) == cells.worst.per_input.max()


def differences(titles: list[str], at: Any, plane: Any, *_: Any) -> None:
    name, moved, *way = said(titles[1], r"(.+) moves (\S+)(?: of the)? mass(: from blue to red)?")
    (key,) = [key for key in plane.numbers if name in test_titles.NAMES[key]]
    exact = plane.numbers[key].divergences["tv"]
    assert moved == (percent(exact) if exact > 1e-6 else "no") and bool(way) == (exact > 1e-6)
    assert float(moved[:-1] if exact > 1e-6 else 0) == 0 or np.any(plane.densities[key] != plane.p)


def sphere(titles: list[str], at: Any, result: Any) -> None:
    first, last = result.best[min(result.best)], result.best[max(result.best)]
    angle, cases, worst = said(titles[0], r"within (\S+)° in (\S+) of cases; worst-case distance (\S+)")
    assert (angle, cases) == (number(math.degrees(result.first.angle)), percent_at_least(result.first.cap_mass))
    assert worst == at_most(result.first.value) and float(worst) >= result.first.value
    if "falls to" in titles[-1]:
        assert last.scale < first.scale and number(last.scale) in titles[-1] and number(first.scale) in titles[-1]


def many(titles: list[str], at: Any, result: Any) -> None:
    worst = result.values[result.values["epsilon"] == 1.0].groupby("mechanism")["kl"].max().sort_values()
    best = worst.index[0]
    beside = "kpm" if best != "kpm" else worst.index[1]
    (text,) = said(re.sub(r" \(like [^)]*\)", "", titles[0]), r": a (KL of .+)")
    names = test_titles.NAMES
    assert text == f"KL of {number(worst[best])} nats with {names[best]}, {number(worst[beside])} with {names[beside]}"
    many_, one = result.values["mixture"].nunique(), "Worst of 1 random mixture "
    assert titles[0].startswith(one if many_ == 1 else f"Worst of {many_} random mixtures ")


def liked(titles: list[str], at: Any, user: Any, curve: Any) -> None:
    chance = curve.references["uniform"]
    mechanisms = {name: label for name, label in test_titles.FILM_MECHANISMS.items() if name in at.mechanisms}
    ours = "wpm" if "wpm" in mechanisms else next(iter(mechanisms))
    twice, title = (curve.hits[ours] >= 2 * chance).tolist(), titles[-2]  # the last is the large map's
    if chance == 0:
        assert title.startswith("This user likes no film")
    else:
        first, _, lost = title.partition("; ")
        assert not lost or f" more often than {mechanisms[ours]}" in lost
        lost = lost.partition(" more often than ")[0]
        assert first.startswith(f"{mechanisms[ours]} ") and all(
            label not in title for name, label in test_titles.FILM_MECHANISMS.items() if name not in mechanisms
        ), "of what is shown"
        assert holds_where(first, curve.epsilon.tolist(), twice) and ("never" in first) == (not any(twice))
        own = curve.hits[ours]
        for name, label in mechanisms.items():
            (text,) = re.findall(rf"{label}(?: and [\w -]+?)? ((?:at|from|up) [^,(]*)", lost) or [""]
            better = [a > b and percent(a) != percent(b) for a, b in zip(curve.hits[name], own, strict=True)]
            assert holds_where(text, curve.epsilon.tolist(), better), title
        assert "at least twice" in title or not any(twice)


def worst_profiles(titles: list[str], at: Any, worst: Any) -> None:
    (told,) = said(titles[0], rf"^Worst case at ε = {at.epsilon:g}: (.+?)(?: \(simulated\))?$")
    shown = dict(said(part, r"^(.+?) ([\d.]\S*(?: to \S+)?)$") for part in told.split(", "))
    assert list(shown) == [label for name, label in test_titles.FILM_MECHANISMS.items() if name in at.mechanisms]
    for name, label in test_titles.FILM_MECHANISMS.items():
        if name in at.mechanisms:
            low, high = worst.now[name]
            least, *most = map(float, shown[label].split(" to "))
            assert high <= (most or [least])[0] <= high * 1.01 + 1e-9
            assert low * 0.99 - 1e-9 <= least <= low if most else high - low <= 0.011 * high


def adversary(titles: list[str], at: Any, result: Any, curve: Any) -> None:
    told, most = said(titles[0], r"With WPM (.+); ε allows a factor of ([\d.,]+)")
    exact = math.exp(np.abs(result.ratios["wpm"]).max())
    assert told.endswith(f" by {at_most(exact)}") or (at_most(exact) == "1" and told.startswith("no film"))
    assert most == at_most(math.exp(at.epsilon)) and exact <= math.exp(at.epsilon) + 1e-9
    shares = {test_titles.FILM_MECHANISMS[str(n)]: float((v / curve.epsilon).max()) for n, v in curve.largest.items()}
    used, least, beside, other = said(
        titles[1], r"users differ by (.+)% of what ε allows under (.+), ((?:up to )?[\d.]+)% under (.+?)(?: \(sim.*)?$"
    )
    assert shares[least] == min(shares.values()) and "WPM" in (least, other) and least != other
    assert all(part == "0" or part.startswith("up to ") for part in (used, beside))
    assert all(
        0 <= float(part.removeprefix("up to ")) / 100 - shares[name] + 1e-7 < 0.101 * shares[name] + 2e-7
        for name, part in ((least, used), (other, beside))
    )


def cost_of_noise(titles: list[str], at: Any, curve: Any) -> None:
    def mean(of: str, name: str) -> float:
        return float(sum(getattr(point, of)[name].mean() for point in curve.points))

    names = ("coreset", "perturbation")
    noise = {name: max(mean("cost", name) / mean("settled", name) - 1, 0.0) for name in names}
    search = {name: mean("settled", name) / mean("cost", "non-private") - 1 for name in names}
    parts = re.split(r"; where the search ends, ", titles[0])
    for text, shares in zip(parts, (noise, search), strict=True):
        for name, share in shares.items():
            (found,) = said(text.replace("−", "-"), rf"(\S+)% \({name}\)")
            assert float(found.replace(",", "")) / 100 == pytest.approx(share, rel=0.006, abs=1e-8)
    values = [point.value for point in curve.points]
    clearly = [[beyond(point.noise[b] - point.noise[a]) for point in curve.points] for a, b in (names, names[::-1])]
    for name, less in zip(names, clearly, strict=True):
        (text,) = re.findall(rf"the {name} less (?:than the \w+ )?([^(]*?)(?:, the| \()", titles[1]) or [""]
        assert holds_where(text, values, less), titles[1]
    assert any(map(any, clearly)) or "the two by as much" in titles[1]


def barycenters(titles: list[str], at: Any, result: Any) -> None:
    truth = result.reference
    assert (number(truth.cost**0.5) if truth.km is None else number(truth.km)) in titles[0]
    extras = {
        name: sum(draw.cost for draw in draws) / sum(draw.settled_cost for draw in draws) - 1
        for name, draws in result.draws.items()
    }
    for title, (name, draws) in zip(titles[1:3], result.draws.items(), strict=True):
        assert title.lower().startswith(f"{name}: ")
        noise, search = said(title, r"noise raises the cost by (\S+), the search moves the points by (\S+)")
        far = np.mean([one.search if truth.km is None else one.search_km for one in draws])
        assert [noise, search] == [percent(extras[name]), number(far if far >= 1e-6 else 0.0)]
    told = said(titles[3], r"at ε = (\S+): coreset δ = 0(?:, perturbation δ ≤ (\S+))?")
    assert float(told[0]) == at.epsilon and result.profiles([at.epsilon])["coreset"][0] == 0.0
    if "perturbation" in result.profiles():
        assert told[1] == at_most(result.profiles([at.epsilon])["perturbation"][0], 0.0)
        assert float(told[1]) <= at.delta * (1 + 1e-12)


def guaranteed(titles: list[str], at: Any, result: Any, found: Any) -> None:
    best = min(found.best, result.reference.cost ** (1 / found.p))
    shares = [draws[0].cost ** (1 / found.p) / best - 1 for draws in result.draws.values()]
    coreset, perturbation = said(titles[0], r"are (\S+) \(coreset\) and (\S+) \(perturbation\) farther")
    assert [coreset, perturbation] == [percent(max(share, 0.0)) for share in shares]
    if "proven" in titles[0]:
        (proven,) = said(titles[0], r"proven for the coreset: at most (\S+)")
        bound = found.bound[found.epsilons <= at.epsilon][-1] / found.best - 1
        assert proven == percent_at_most(bound) and bound >= shares[0]
    else:
        assert found.bound is None or at.epsilon < found.epsilons[0]


def sensitivity(titles: list[str], at: Any, circle: Any, result: Any) -> None:
    if not hasattr(circle, "turns"):
        circle, result = result, circle
    turn, one = circle.turns[-1], result.replacements[0]
    assert f"by {number(turn.moved)} diameters; claimed: {turn.assumed:g}" in titles[2]
    assumed = sum(one.moved > result.assumed for one in result.replacements)
    proven = sum(one.sums_moved > result.proven * (1 + 1e-12) for one in result.replacements)
    assert proven == 0
    assert titles[3].startswith(f"The assumed bound fails for {assumed} of" if assumed else "Neither bound fails")
    assert f"moves {number(one.farthest)} " in titles[4] and f"at most {at_most(result.assumed_atom)}" in titles[4]


def inside(titles: list[str], at: Any, result: Any) -> None:
    budget = result.levels["budget epsilon"].to_numpy()
    (spent,) = said(titles[3], r"spend ε = (\S+) together, more on smaller cells")
    assert spent == at_most(budget.sum()) and np.all(np.diff(budget) >= -1e-12) and budget[-1] > budget[0]
    shown, there = said(titles[4], r"copy: ([\d,]+) of ([\d,]+) points")
    assert there == count(len(result.points)) and int(shown.replace(",", "")) <= len(result.points)
    if result.error_bound is not None:
        assert f"at most {at_most(result.error_bound)} " in titles[4]


def projecting(titles: list[str], at: Any, curve: Any) -> None:
    wins = sum(beyond(point.cost["plain"] - point.cost["projected"]) for point in curve.points)
    assert said(titles[0], r"at (\d+) of (\d+) values") == [str(wins), str(len(curve.points))]


def digits(titles: list[str], at: Any, result: Any) -> None:
    private, without = said(titles[2], r"cost (\S+) with privacy, (\S+) without")
    assert [private, without] == [number(result.costs[name]) for name in ("plain", "non-private")]


def protect(titles: list[str], at: Any, result: Any) -> None:
    epsilon, far, alpha = said(titles[0], r"ε = (\S+); moving all of the data by ([\d.,]+) \w+ costs ε = α = (\S+)")
    most = max(result.alpha * tau * q for tau, q in result.changes) if result.changes else result.epsilon
    assert epsilon == at_most(result.epsilon) and alpha == at_most(result.alpha) and far == number(result.largest)
    assert most <= result.epsilon * result.largest * (1 + 1e-9)


def ask(titles: list[str], at: Any, result: Any) -> None:
    local = {promise: result.error("local", promise) for promise in ("metric", "user-level")}
    written = {float(part) for part in re.findall(r"[\d.]+", titles[0])}
    scale = 1.0 if result.unit else 100.0
    for value in local.values():
        shown = {number(value * scale), number(value * 1000)}
        assert written & {float(part.replace(",", "")) for part in shown} or any(p in titles[0] for p in shown), value
    ratio = local["user-level"] / local["metric"]
    times = re.search(r"makes the error ([\d.,e-]+) times as large", titles[1])
    assert number(ratio) == times[1] if times else abs(ratio - 1) < 0.005
    steep, most = said(titles[2], r"cells: (\S+) \S.*made for (\S+) ")
    assert float(steep.replace(",", "")) <= float(most.replace(",", "")) * (1 + 1e-9)


def linear(titles: list[str], at: Any, result: Any) -> None:
    whole = {name: result.at_ratio(name) for name, one in result.releases.items() if not one.by_distance}
    assert result.releases[min(whole, key=lambda name: whole[name])].label in titles[0]
    gains = [error <= min(whole.values()) * (1 + 1e-9) for error in result.errors["distance"]]
    if "at every" in titles[0] or "does not pay" in titles[0]:
        assert all(gains[1:]) if "at every" in titles[0] else not any(gains)
        return
    (ratio,) = (float(part.replace(",", "")) for part in said(titles[0], r"from α/ε = (\S+) on"))
    assert [tried >= ratio for tried in RATIOS] == gains


def shuffled(titles: list[str], at: Any, release: Any) -> None:
    rates = release.item_rates
    if "shuffling" not in release.promises:
        assert titles[0].startswith("Shuffling gains nothing") and at_most(rates["composition"]) in titles[0]
        return
    more, first, second = said(titles[0], r"report (says more|must say less) \(α₀ = (\S+) instead of (\S+)\)")
    assert (more == "says more") == (rates["shuffling"] > rates["composition"]) and rates["shuffling"] > 0
    assert [first, second] == [at_most(rates["shuffling"]), at_most(rates["composition"])]


def shuffled_curve(titles: list[str], at: Any, _: Any, errors: Any, budgets: Any) -> None:
    points = [point for point in errors.points if point.config.base.epsilon in REPORT_EPSILONS]
    epsilons = [point.config.base.epsilon for point in points]
    how = "shuffling" if titles[0].startswith("Shuffled") else "composition"
    first, _, second = titles[0].partition("; noise added by a curator")
    beat = [how in point.promises and beyond(point.unseen - point.kilometres[how]) for point in points]
    curator = [
        all(beyond(point.kilometres[way] - point.baselines["laplace"]) for way in point.promises) for point in points
    ]
    assert holds_where(first, epsilons, beat) and holds_where(second, epsilons, curator), titles[0]
    larger = np.nan_to_num(budgets.shuffled) > budgets.composed
    last_not = int(np.flatnonzero(~larger)[-1]) + 1 if not larger.all() else 0
    if "nowhere" in titles[1]:
        assert last_not == len(larger)
    else:
        assert said(titles[1], r"about m = ([\d,]+)") == [count(budgets.reports[last_not])]


def pays(titles: list[str], at: Any, result: Any) -> None:
    gains = [result.gain(point) for point in result.over_ratio]
    ratios = [point.ratio for point in result.over_ratio]
    if "does not pay" in titles[0]:
        assert gains[-1] <= 0
    elif "at every" in titles[0]:
        assert min(gains) > 0
    else:
        first = float(said(titles[0], r"from α/ε = ([\d.]+) on")[0])
        assert all(gain > 0 for gain, ratio in zip(gains, ratios, strict=True) if ratio >= first) and min(gains) <= 0
    better = []
    for point in result.over_k:
        ours, theirs = (
            min((point.errors[name] for name, one in result.releases.items() if one.by_distance == by), key=np.mean)
            for by in (True, False)
        )
        better.append(beyond(theirs - ours))
    ks = [float(point.k) for point in result.over_k]
    if "the same error" in titles[1]:
        assert not any(result.gain(point) for point in result.over_k)
    else:
        assert holds_where(titles[1], ks, better), titles[1]


def shares_of_cost(titles: list[str], at: Any, result: Any) -> None:
    (title,) = [title for title in titles if "by regularisation" in title]
    # A cost that privacy hardly changes does not say that the plan is the same.
    assert title.split("; ")[1].startswith(f"{percent(result.elsewhere['sinkhorn'])} differs from the entropic plan")
    exact, more, least = (
        float(part.replace(",", "").replace("−", "-").replace("+", ""))
        for part in said(title, r": (\S+).* exact, ([+−]\S+).* by regularisation, ([+−]\S+).* by privacy")
    )
    costs = result.plan_costs
    whole = (costs["exact"], costs["entropic"] - costs["exact"], costs["sinkhorn"] - costs["entropic"])
    assert (exact, more, least) == pytest.approx(whole, rel=0.006, abs=1e-9)
    for title in titles:
        if elsewhere := re.search(r"^(?!Cost).* (\S+)% differs from (?:the )?entropic", title):
            route = "histograms" if title.startswith(("Histograms", "Plan by Hist")) else "sinkhorn"
            assert float(elsewhere[1]) == pytest.approx(100 * result.elsewhere[route], rel=0.006)


def gaps(titles: list[str], at: Any, result: Any) -> None:
    (proven,) = said(titles[0], r"proven variant (\S+) \|c\|")
    assert float(proven.replace(",", "")) == pytest.approx(float(result.proven[-1]), rel=0.006)
    assert "Algorithm 1 of the paper, not proven" in titles[0] and "10⁰" not in titles[0]
    assert counted(len(result.rounds) - 1, "round", "rounds") in titles[0]


def walking_point(titles: list[str], at: Any, result: Any) -> None:
    own = result.walk.own
    assert number(own[-1]) in titles[0] and ("more points do not help" in titles[0]) == (own[-1] > 0.5 * own[0])


def smallest_epsilon(titles: list[str], at: Any, answer: Any) -> None:
    for side, searched in answer.sides.items():
        where = "in the worst case" if side == "worst" else "for the data at hand"
        (part,) = [part for part in re.split(r", (?=ε|not)|: (?=ε|not)", titles[0]) if where in part]
        best = searched.best
        if best is None:
            assert part.startswith("not reached")
            continue
        shown = float(said(part, r"ε [=≤] ([\d.]+)")[0])
        assert best[1] - 1e-9 <= shown <= best[1] * 1.011
        # All that read the same in the table are named.
        named = said(part, r"\((.+?)(?:; [^;]+)?\)$")[0]
        least = [
            searched.side.labels[name]
            for name, one in searched.searches.items()
            if name not in searched.side.bounds and one.good is not None and in_words(one.good[0]) == shown
        ]
        assert named.startswith(searched.side.labels[best[0]]) and named in map(enumeration, permutations(least))


def people(share: float, up: bool) -> str:
    return f"{(percent_at_most if up else percent_at_least)(share)[:-1]} of 100"


def belief(prior: float, epsilon: float, sign: int) -> float:
    odds = prior / (1 - prior) * math.exp(sign * epsilon)
    return odds / (1 + odds)


def one_release(titles: list[str], at: Any, result: Any) -> None:
    most, least = said(titles[0], r"into more than (\S+ of 100), or less than (\S+ of 100)")
    ends = belief(at.prior, at.epsilon, 1), belief(at.prior, at.epsilon, -1)
    assert _share(most) >= ends[0] - 1e-12 and _share(least) <= ends[1] + 1e-12
    assert _share(most) < ends[0] * 1.011 and _share(least) > ends[1] * 0.98
    left = 100 / (1 + math.exp(at.epsilon))  # of 100 who would say so too
    end = "hardly any of 100" if round(left) == 0 else people(left / 100, up=False)
    assert f": {end} others would give the same answer" in titles[1], (titles[1], left)


def _share(text: str) -> float:
    return float(text.split()[0]) / 100


def over_distance(titles: list[str], at: Any, result: Any) -> None:
    exact = at.alpha * at.distance
    epsilon, most = said(titles[0], r"means ε = (\S+): .* at most (\S+ of 100)")
    assert float(epsilon.replace(",", "")) >= exact - 1e-9 and epsilon == at_most(exact)
    assert _share(most) >= belief(at.prior, exact, 1) - 1e-12


def several(titles: list[str], at: Any, result: Any) -> None:
    (share,) = said(titles[0], r"rises to at most ([\d.]+) of 100")
    assert float(share) / 100 >= float(result.most[-1]) - 1e-12
    assert result.most[-1] == pytest.approx(belief(at.prior, float(result.sums[-1]), 1))


def in_rounds(titles: list[str], at: Any, result: Any) -> None:
    each, total, basic = said(titles[0], r"ε = (\S+) each: ε = (\S+) in all, not (\S+), both")
    assert [each, total, basic] == [f"{at.epsilon:g}", at_most(float(result.exact[-1])), at_most(result.basic[-1])]
    assert float(total.replace(",", "")) >= result.exact[-1] and result.exact[-1] <= result.basic[-1] * (1 + 1e-9)
    # Gaussian noise of many rounds is that of one with its sensitivity times sqrt(rounds): delta at the total epsilon.
    shift, exact = math.sqrt(at.rounds) / result.noise, float(result.exact[-1])
    delta = norm.cdf(shift / 2 - exact / shift) - math.exp(exact) * norm.cdf(-shift / 2 - exact / shift)
    assert delta <= at.total_delta * (1 + 1e-6)


#: Views whose titles claim something beside what `test_titles.py` holds; what is checked stands in the functions.
CHECKS: MappingProxyType[str, Check] = MappingProxyType(
    {
        "ring.base": ring_base,
        "ring.plan": ring_plan,
        "ring.guess": best_guess,
        "geolocation.guess": best_guess,
        "movies.guess": best_guess,
        "ring.convergence": ring_convergence,
        "geolocation.person": one_release_on_a_map,
        "geolocation.crowd-curve": curve_of_the_crowd,
        "geolocation.worst-case": moved_most,
        "geolocation.gets": nearest_own_place,
        "geolocation.one-place": one_place,
        "mixture.plane": differences,
        "mixture.sphere": sphere,
        "mixture.many": many,
        "movies.user": liked,
        "movies.adversary": adversary,
        "movies.worst": worst_profiles,
        "population.map": barycenters,
        "population.guaranteed": guaranteed,
        "population.curve-n": cost_of_noise,
        "population.curve-epsilon": cost_of_noise,
        "population.sensitivity": sensitivity,
        "population.inside": inside,
        "population.gaussians-n": projecting,
        "population.gaussians-epsilon": projecting,
        "population.gaussians-projection": projecting,
        "population.digits": digits,
        "metric.protect": protect,
        "metric.ask": ask,
        "metric.crowd": shuffled,
        "metric.crowd-curve": shuffled_curve,
        "metric.pays": pays,
        "metric.linear": linear,
        "sinkhorn.release": shares_of_cost,
        "sinkhorn.convergence": gaps,
        "sinkhorn.theorem": walking_point,
        "decide.epsilon": smallest_epsilon,
        "explain.release": one_release,
        "explain.distance": over_distance,
        "explain.releases": several,
        "explain.rounds": in_rounds,
    }
)

#: Views without a picture of their own: another view draws theirs.
NO_TITLE = ("geolocation.minimax", "movies.everyone")
#: Its title is held at made results in `movies/test_figures.py`, since a sweep over everyone takes long.
MADE = ("movies.sweep",)
#: How many settings and values of epsilon are tried, where all take seconds.
FEW = {
    "ring.convergence": (1, 2),
    "mixture.plane": (2, 2),
    "population.guaranteed": (1, 2),
    "population.curve-n": (1, 1),
    "population.curve-epsilon": (1, 1),
    "population.gaussians-n": (1, 1),
    "population.gaussians-epsilon": (1, 1),
    "population.gaussians-projection": (1, 1),
    "metric.crowd-curve": (2, 1),
    "geolocation.one-place": (3, 2),
}
#: How many values of epsilon by day, where each takes half a second.
DAILY = {"ring.convergence": 1, "metric.crowd": 2, "metric.pays": 2, "decide.epsilon": 1}


def test_every_view_s_title_is_held_against_its_numbers() -> None:
    assert {*CHECKS, *test_titles.CLAIMS, *NO_TITLE, *MADE} == set(VIEWS)
    for key in NO_TITLE:
        view = VIEWS[key]
        config = settings_of(key)[0]
        assert key == "movies.everyone" or not [*pictures(view.show(config, *view.run(config).parts))]


@pytest.mark.parametrize("most", [1, pytest.param(3, marks=pytest.mark.nightly)])
@pytest.mark.parametrize("key", by_day(CHECKS))
def test_a_title_says_what_the_numbers_say(key: str, most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    view = VIEWS[key]
    settings, values = FEW.get(key, (3, len(EPSILONS)))
    if most == 1:
        values = min(values, DAILY.get(key, values))
        few_masses(monkeypatch)  # what is kept here has few runs
        monkeypatch.setattr("dpot_app.views.population.gaussians.results.RUNS", 2)
    name = next((name for name in view.declared if name.split(".")[-1] == "epsilon"), None)
    tried = 0
    for config in settings_of(key)[: min(settings, most)]:
        for epsilon in EPSILONS[-values:] if name else (0.0,):
            try:
                at = put(config, name, epsilon) if name else config
                results = view.run(at).parts
            except ValueError:  # a base or a mechanism that these settings do not allow
                continue
            titles = [str(picture.draw().layout.title.text) for picture in pictures(view.show(at, *results))]
            CHECKS[key](titles, at, *results)
            tried += 1
    assert tried
