"""No sum for releases whose noise may be one and the same, and none of it for two private files."""

import hashlib
import json
import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from dpot_app.batch.scenarios import VIEWS, together
from dpot_app.cities.place import Place
from dpot_app.films.catalogue import Split, make_films
from dpot_app.views.metric.settings import AskConfig, Config, CrowdConfig
from dpot_app.views.movies import settings as movies
from dpot_app.views.movies.user.results import one_user
from dpot_app.views.population.digit_pictures import results
from dpot_app.views.population.synthetic import SyntheticConfig
from dpot_core.datasets import simulated_films
from dpot_core.datasets.digits import simulated_digits
from dpot_core.privacy import streams
from dpot_core.privacy.disclosures import Disclosure, demonstration, known_seed
from dpot_core.privacy.guarantees import Guarantee
from tests.batch.scenarios.outcomes import few_masses, shorten_sweeps
from tests.hostile.test_forgetting import nothing_kept
from tests.test_exported_python import WITH_FILES, own


def test_demonstrations_that_may_share_noise_get_no_sum():
    def released(source):
        return demonstration([("plan", Guarantee(1.0, neighbours="replace"))], known_seed(1), source=source)

    for sources in (("seed 1", "seed 1"), ("seed 1", "", "seed 2", "seed 1")):
        found = together([released(source) for source in sources])
        assert found.guarantee is None and "share noise" in found.words
    for sources in (("", ""), ("seed 1", "seed 2", "")):
        found = together([released(source) for source in sources])
        assert found.guarantee is not None and found.guarantee.epsilon == float(len(sources))


def test_two_people_whose_sample_releases_fall_by_one_stream_have_no_sum() -> None:
    """The 200 places of the map are drawn by the same numbers for every person, so that they walk as settings move."""
    view = VIEWS["geolocation.person"]
    two = [view.run(replace(view.example, person=person), {}).disclosure for person in (1, 2)]
    assert together([two[0]]).guarantee is not None and "share noise" in together(two).words


def test_one_stream_in_common_is_enough():
    """Two data sets under unlike settings: of their reports by composition the noise is one and the same."""
    parts = [("plan", Guarantee(1.0, neighbours="replace"))]
    one, other = (demonstration(parts, known_seed(1), source=f"shuffled {n}\ncomposed 0.5") for n in (1, 2))
    assert together([one, other]).guarantee is None
    apart = demonstration(parts, known_seed(1), source="shuffled 2\ncomposed 0.7")
    assert together([one, apart]).guarantee is not None


def check_ins(seed: int, people: int = 12) -> dict[str, bytes]:
    """A private file of its own: 12 people, ten check-ins of each, in the box of `crowd`."""
    rng = np.random.default_rng(seed)
    places = rng.uniform((47.1, 8.1), (47.3, 8.4), (people, 10, 2))
    rows = [f"{user},{lat:.5f},{lon:.5f}" for user, visits in enumerate(places) for lat, lon in visits]
    return {"check-ins": "\n".join(["user,lat,lon", *rows]).encode()}


def crowd(view: str, delta: float, file: int, **changes: Any) -> Disclosure:
    """What a view of Metric privacy says of its releases from one of the files."""
    config = Config(source="csv", delta=delta, place=Place(n=5, box=(8.0, 47.0, 8.5, 47.4)), **changes)
    whole = CrowdConfig(base=config, visits=300) if view == "metric.crowd" else AskConfig(base=config)
    return VIEWS[view].run(whole, check_ins(file)).disclosure


@pytest.mark.nightly
@pytest.mark.parametrize("view", ["metric.crowd", "metric.ask"])
def test_two_files_at_unlike_deltas_have_no_sum(view: str) -> None:
    """Of the settings of the page only delta differs: what does not depend on it has one line for both files."""
    one, other = crowd(view, 1e-6, 1), crowd(view, 1e-7, 2)
    assert set(one.source.splitlines()) & set(other.source.splitlines())
    found = together([one, other])
    assert found.guarantee is None and "share noise" in found.words
    assert together([one]).guarantee is not None


def test_two_files_of_one_crowds_size_have_no_sum() -> None:
    """Users as wholes, beside the releases: their line depends on epsilon and on how many there are alone."""
    one = crowd("metric.crowd", 1e-6, 1)
    lines = [set(crowd("metric.crowd", 1e-6, 2, **changes).source.splitlines()) for changes in ({}, {"epsilon": 2.0})]
    whole = {line for line in one.source.splitlines() if "whole user" in line}
    assert len(whole) == 1 and whole <= lines[0] and not set(one.source.splitlines()) & lines[1]


# --- no private file shares a stream with another ------------------------------------------------------------------

#: Streams of what is public: starts of searches, a guess on which transport is tuned, and the chance by which places
#: rain on a map of distributions that are shown as they are.
PUBLIC = {"population starts", "tuning on a guess", "geolocation.rain"}
#: Views that draw.
DRAWING = ("geolocation.crowd", "metric.ask", "metric.crowd", "sinkhorn.release", "population.map", "population.inside")
#: Of these by night only: what they read is read by another one as well.
DRAWING_BY_NIGHT = ("metric.ask", "population.inside")


class Streams:
    """Records the names of all streams: what each is made from."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.names: set[str] = set()
        monkeypatch.setattr(streams, "hashlib", self)

    def sha256(self, text: bytes) -> Any:
        self.names.add(text.decode())
        return hashlib.sha256(text)


def one_row_changed(content: bytes) -> bytes:
    """The same file with another last row: another place, or other stars."""
    *rows, last = content.splitlines()
    moved = re.sub(rb"(\.\d\d)(\d)", lambda digits: digits[1] + str((int(digits[2]) + 1) % 10).encode(), last, count=1)
    return b"\n".join([*rows, last[:-1] + (b"2" if last[-1:] == b"1" else b"1") if moved == last else moved])


@pytest.mark.parametrize(
    "key",
    [
        key if key in DRAWING and key not in DRAWING_BY_NIGHT else pytest.param(key, marks=pytest.mark.nightly)
        for key in WITH_FILES
    ],
)
def test_two_private_files_share_no_stream(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    given = own(key)
    if given is None or not (roles := VIEWS[key].files(given[0])):
        return
    config, files = given[0], {role: given[1][role] for role in roles}
    role = next(iter(roles))
    shorten_sweeps(monkeypatch)
    few_masses(monkeypatch)
    found = []
    for content in (files[role], one_row_changed(files[role])):
        nothing_kept()
        with monkeypatch.context() as patched:
            recorded = Streams(patched)
            VIEWS[key].run(config, files | {role: content})
        found.append({name for name in recorded.names if json.loads(name)[0] not in PUBLIC})
    nothing_kept()
    assert bool(found[0]) == bool(found[1]) and not found[0] & found[1]
    assert found[0] or key not in DRAWING


def test_pictures_that_are_read_have_noise_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    config = SyntheticConfig(pictures=2, points=100, digit_atoms=3)
    drawn = simulated_digits()
    found = []
    for ink in (drawn.ink, drawn.ink[:, ::-1], drawn.ink):
        read = replace(drawn, ink=ink, simulated=len(found) == 2)
        monkeypatch.setattr(results, "load_digits", lambda read=read: read)
        results._digest.cache_clear()
        with monkeypatch.context() as patched:
            recorded = Streams(patched)
            results.digits(config)
        found.append({name for name in recorded.names if json.loads(name)[0] == "digits"})
    results._digest.cache_clear()
    assert all(len(names) == 1 for names in found) and len(set.union(*found)) == 3


def test_a_film_is_drawn_anew_for_every_user_at_every_epsilon(monkeypatch: pytest.MonkeyPatch) -> None:
    films = make_films(simulated_films(40, 60), Split(candidates=10, dimensions=4))
    asked = [(user, epsilon) for user in films.names[:2] for epsilon in (1.0, 2.0)]
    recorded, films_drawn = Streams(monkeypatch), []
    for user, epsilon in asked:
        films_drawn.append(one_user(films, movies.Config(user=user, epsilon=epsilon)).drawn(7))
    names = [name for name in recorded.names if json.loads(name)[0] == "movies.film"]
    assert len(names) == len(asked) * len(films_drawn[0])
    user, epsilon = asked[0]
    assert one_user(films, movies.Config(user=user, epsilon=epsilon)).drawn(7) == films_drawn[0]
