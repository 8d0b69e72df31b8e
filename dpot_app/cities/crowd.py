"""The crowd: everybody releases one location; how far is what the collector sees from the truth?"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from dpot_app.cities.city import FEWEST, City, make_public
from dpot_app.cities.city_map import CityMap
from dpot_app.cities.distance_to_truth import distance_to_truth, known_within
from dpot_core.arguments import Array
from dpot_core.arguments.progress import Progress
from dpot_core.mechanisms import MECHANISMS as TABLE
from dpot_core.mechanisms import compared_in_distance
from dpot_core.mechanisms.knowledge import Private
from dpot_core.mechanisms.oracles import ORACLES
from dpot_core.privacy.streams import stream

#: Mechanisms that are compared, keys of `dpot_core.MECHANISMS`.
MECHANISMS = tuple(compared_in_distance())

#: What decodes the crowd that a mechanism releases, by the name of the estimate: it uses that the noise is known.
DECODERS = {f"{name}-decoded": (name, decode) for name in MECHANISMS if (decode := TABLE[name].decode) is not None}

#: Estimates of the crowd that are made from one place of each person, with their names on screen.
OF_PLACES = {name: TABLE[name].label for name in MECHANISMS} | {
    decoded: f"{TABLE[name].label} decoded" for decoded, (name, _) in DECODERS.items()
}
#: All of them: frequency oracles have reports of their own, which are no places.
ESTIMATES = OF_PLACES | {name: oracle.label for name, oracle in ORACLES.items()}

#: Repeated runs, as in the paper's experiments, and the seed of their draws: this is a demonstration, not a release.
RUNS = 5
SEED = 1

# Between two reports of progress: entries of people's outputs, and most people.
_CHUNK, _MOST = 160_000, 250


@dataclass(frozen=True)
class Crowd:
    """The crowd at one value of epsilon."""

    map: CityMap
    people: int  # how many release
    truth: Array  # mean of their distributions, (k,)
    moved: Array  # the same with every cell moved to its nearest output, (k_v,)
    epsilon: float
    expected: dict[str, Array]  # mean of the people's output distributions, (k_v,), by estimate: nothing is drawn
    estimates: dict[str, Array]  # frequencies of the locations released, (RUNS, k_v), by estimate
    kilometres: dict[str, Array]  # W_p between the true crowd and the estimate of each run, (RUNS,), km
    ends: dict[str, Array]  # intervals that hold these for certain, (RUNS, 2), km; of no width on grids of usual size

    @property
    def known_within(self) -> float:
        """The largest share of a distance that is not certain."""
        return known_within(*self.ends.values())

    def means(self) -> dict[str, float]:
        """W_p of each estimate, mean over the runs, km."""
        return {name: float(distances.mean()) for name, distances in self.kilometres.items()}

    def tables(self) -> dict[str, pd.DataFrame]:
        """Every number on the maps: the first run, and the expectation over all runs."""
        first = {name: runs[0] for name, runs in self.estimates.items()}
        tables = self.map.outputs("crowd-first-run", self.truth, self.moved, first)
        return tables | self.map.outputs("crowd-expected", self.truth, self.moved, self.expected)


def crowd_at(city: City, base: Array, epsilon: float, reg: float | None, progress: Progress | None = None) -> Crowd:
    """Let everybody release one location, `RUNS` times, and report to each frequency oracle on one of their own.

    Every person's output distribution is computed exactly; from it one location per run is drawn. Each mechanism and
    each oracle has random numbers of its own, so that their guarantees add up, and so has each private file. They are
    the same at every epsilon, which makes curves less noisy, and releases at two epsilon do not add up.

    To an oracle each person draws a place from their distribution and reports on the output nearest to it. The law of
    that report is a mixture of those of single items, whose ratios are at most e^epsilon: so are those of mixtures.

    Args:
        city: the city.
        base: base measure of WPM, (k_v,).
        epsilon: privacy parameter in nats.
        reg: entropic weight lambda for costs scaled to a largest distance of 1; None for exact.
        progress: called with (steps done, steps in all).
    """
    people, k_v = len(city.histograms), city.n_outputs
    public = make_public(city, base, epsilon, reg)
    kernels = {name: TABLE[name](public) for name in MECHANISMS}
    chunk = min(max(_CHUNK // k_v, FEWEST), _MOST)
    starts = range(0, people, chunk)
    steps, moved = len(starts) + len(ESTIMATES), city.onto_outputs(city.truth)
    draws = {name: _stream(city, name) for name in (*MECHANISMS, *ORACLES)}
    uniform = {name: rng.random((RUNS, people)) for name, rng in draws.items()}
    of_places = np.vstack([uniform[name] for name in ORACLES])
    places_told = np.zeros((len(of_places), len(city.grid)))
    expected = {name: np.zeros(k_v) for name in MECHANISMS}
    counts = {name: np.zeros((RUNS, k_v)) for name in MECHANISMS}
    for done, start in enumerate(starts):
        part = slice(start, start + chunk)
        histograms = city.histograms[part]
        places = city.places(histograms)
        # Not by an index: that would lay columns side by side, and sums of rows would be rounded in another order.
        visits = Private.of(public, histograms.take(places.cells, axis=1), places)
        for name, kernel in kernels.items():
            outputs = kernel(visits)
            expected[name] += outputs.sum(axis=0) / people
            counts[name] += _counts(outputs, uniform[name][:, part]) / people
        places_told += _counts(histograms, of_places[:, part])
        if progress is not None:
            progress(done + 1, steps)
    estimates = counts | {decoded: decode(counts[name], epsilon) for decoded, (name, decode) in DECODERS.items()}
    means = expected | {decoded: decode(expected[name], epsilon) for decoded, (name, decode) in DECODERS.items()}
    for name, told in zip(ORACLES, np.split(places_told, len(ORACLES)), strict=True):
        estimates[name] = _from_oracle(city, name, epsilon, told, draws[name])
        means[name] = moved
    ends: dict[str, Array] = {}

    def measured(_done: int = 0, _total: int = 1) -> None:
        if progress is not None:
            progress(len(starts) + len(ends), steps)

    for name in ESTIMATES:
        ends[name] = distance_to_truth(city, estimates[name], measured)
        measured()
    return Crowd(
        map=city.map,
        people=people,
        truth=city.truth,
        moved=moved,
        epsilon=epsilon,
        expected=means,
        estimates=estimates,
        kilometres={name: pairs.mean(axis=1) for name, pairs in ends.items()},
        ends=ends,
    )


def no_privacy(city: City) -> Array:
    """W_p when everybody releases a draw from their true distribution, (RUNS,), km: what sampling alone costs."""
    return np.asarray(no_privacy_ends(city).mean(axis=1))


def no_privacy_ends(city: City, progress: Progress | None = None) -> Array:
    """Intervals that hold these distances for certain, (RUNS, 2), km."""
    uniform = _stream(city, "no privacy").random((RUNS, len(city.histograms)))
    drawn = _counts(city.histograms, uniform) / len(city.histograms)
    return distance_to_truth(city, [city.onto_outputs(run) for run in drawn], progress)


def _stream(city: City, mechanism: str) -> np.random.Generator:
    return stream(SEED, "geolocation.crowd", mechanism=mechanism, **city.noise_key)


def _from_oracle(city: City, name: str, epsilon: float, places: Array, rng: np.random.Generator) -> Array:
    """The crowd as an oracle's reports tell it in each run, (runs, k_v), from how many report on a place, (runs, k)."""
    if city.n_outputs == 1:  # nothing is asked
        return np.ones((len(places), 1))
    oracle, people = ORACLES[name](city.n_outputs, epsilon), len(city.histograms)
    supports = np.array([oracle.support_counts(city.onto_outputs(run), rng) for run in places])
    return oracle.distribution(supports, people)


def _counts(outputs: Array, uniform: Array) -> Array:
    """How often each output is released in each run, (runs, k_v): one draw per row of outputs (n, k_v)."""
    cumulative = outputs.cumsum(axis=1)
    # The last sum may be 1 - 1 ulp; a draw beyond it belongs to the last output that can be released.
    cumulative[:, -1] = np.inf
    last = outputs.shape[1] - 1 - np.argmax(outputs[:, ::-1] > 0, axis=1)
    drawn = np.empty(uniform.shape, dtype=np.intp)
    for person, thresholds in enumerate(cumulative):
        drawn[:, person] = np.searchsorted(thresholds, uniform[:, person], side="right")
    np.minimum(drawn, last, out=drawn)
    return np.stack([np.bincount(run, minlength=outputs.shape[1]) for run in drawn]).astype(np.float64)
