"""No sum for releases whose noise is one and the same."""

from dpot_core.disclosures import demonstration, known_seed
from dpot_core.guarantees import Guarantee
from dpot_core.scenarios import together


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
