"""No sum for releases whose noise is one and the same."""

from typing import Any

import numpy as np
import pytest

from dpot_core.cities.place import Place
from dpot_core.disclosures import Disclosure, demonstration, known_seed
from dpot_core.guarantees import Guarantee
from dpot_core.scenarios import VIEWS, together
from dpot_core.studies.metric.settings import AskConfig, Config, CrowdConfig


def test_demonstrations_that_may_share_noise_get_no_sum():
    def released(source):
        return demonstration([("plan", Guarantee(1.0, neighbours="replace"))], known_seed(1), source=source)

    for sources in (("seed 1", "seed 1"), ("seed 1", "", "seed 2", "seed 1")):
        found = together([released(source) for source in sources])
        assert found.guarantee is None and "used twice cancels" in found.words
    for sources in (("", ""), ("seed 1", "seed 2", "")):
        found = together([released(source) for source in sources])
        assert found.guarantee is not None and found.guarantee.epsilon == float(len(sources))


def test_one_stream_in_common_is_enough():
    """Two private files under unlike settings: of their reports by composition the noise is one and the same."""
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
    whole = CrowdConfig(config, 300) if view == "metric.crowd" else AskConfig(config)
    return VIEWS[view].run(whole, check_ins(file)).disclosure


@pytest.mark.parametrize("view", ["metric.crowd", "metric.ask"])
def test_two_files_at_unlike_deltas_share_noise_and_have_no_sum(view: str) -> None:
    """Of the settings of the page only delta differs: what does not depend on it has one stream for both files."""
    one, other = crowd(view, 1e-6, 1), crowd(view, 1e-7, 2)
    assert set(one.source.splitlines()) & set(other.source.splitlines())
    found = together([one, other])
    assert found.guarantee is None and "used twice cancels" in found.words
    assert together([one]).guarantee is not None


def test_two_files_of_one_crowds_size_share_noise_and_have_no_sum() -> None:
    """Users as wholes, beside the releases: their noise depends on epsilon and on how many there are alone."""
    one = crowd("metric.crowd", 1e-6, 1)
    lines = [set(crowd("metric.crowd", 1e-6, 2, **changes).source.splitlines()) for changes in ({}, {"epsilon": 2.0})]
    whole = {line for line in one.source.splitlines() if "whole user" in line}
    assert len(whole) == 1 and whole <= lines[0] and not set(one.source.splitlines()) & lines[1]
