"""A person drawn by hand: what is read, what is refused, and where it lies on every grid."""

import numpy as np
import pytest

from dpot_core.datasets.city_grid import city_grid
from dpot_core.datasets.drawn import MAX_PLACES, START, drawn_weights, read_drawing

BOX = (-97.95, 30.05, -97.45, 30.6)


@pytest.mark.parametrize("n", [5, 7, 40, 256])
def test_a_place_lies_in_the_cell_that_holds_it_on_every_grid(n: int) -> None:
    weights = drawn_weights("0 0 1; 1 1 2; 0.3 0.7 4", city_grid(BOX, n)).reshape(n, n)
    assert weights.sum() == 7 and weights[0, 0] == 1 and weights[-1, -1] == 2
    assert weights[int(0.7 * n), int(0.3 * n)] == 4


def test_middles_of_cells_stay_in_their_cells_with_four_digits() -> None:
    grid = city_grid(BOX, 256)
    cells = np.arange(256)
    text = "; ".join(f"{(cell + 0.5) / 256:.4f} {(cell + 0.5) / 256:.4f} 1" for cell in cells)
    np.testing.assert_array_equal(np.flatnonzero(drawn_weights(text, grid)), cells * 257)


@pytest.mark.parametrize(
    "text",
    ["", " ; ", "0.5 0.5", "a b c", "0.5 0.5 0", "0.5 0.5 -1", "2 0 1", "nan 0 1", "0 0 inf", "0 0 1e300", "1 2 3 4"],
)
def test_a_wrong_drawing_is_refused_in_a_sentence(text: str) -> None:
    with pytest.raises(ValueError, match=r"\w+ .*[.]$"):
        read_drawing(text)


def test_a_drawing_has_a_limit() -> None:
    with pytest.raises(ValueError, match="at most"):
        read_drawing(";".join([START] * (MAX_PLACES + 1)))
