"""Pictures in space (`dpot_app/live/static/globe.js`): the ball of the mixture page, its cap, and turning it."""

import base64
import json
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from playwright.sync_api import Page

from tests.browser.renderer import Spec, bars, show, specs_of


def ball(angle: float = 1.2, *marks: Spec, **camera: Any) -> Spec:
    """The ball of the mixture page with another cap, other marks, and nothing around it."""
    theta = np.concatenate([np.linspace(0, angle, 24), np.linspace(angle + 1e-4, np.pi, 24)])[:, None]
    phi = np.linspace(0, 2 * np.pi, 73)
    spec = json.loads(json.dumps(specs_of("mixture.sphere")["picture"]))
    surface = spec["data"][0]
    surface["colorscale"] = [[0, "#BBBBBB"], [1, "#0072B2"]]  # told apart by the pixel
    surface |= {"x": np.sin(theta) * np.cos(phi), "y": np.sin(theta) * np.sin(phi), "z": np.cos(theta + 0 * phi)}
    surface |= {name: surface[name].tolist() for name in "xyz"}
    spec["layout"]["margin"] = dict.fromkeys("lrtb", 0)
    spec["layout"]["title"] = {"text": ""}
    spec["layout"]["scene"]["camera"] |= camera
    return {"data": [surface, *marks], "layout": spec["layout"]}


def point(place: Any, colour: str) -> Spec:
    x, y, z = ([float(one)] for one in place)
    look = {"size": 4, "color": colour}
    return {"type": "scatter3d", "mode": "markers", "x": x, "y": y, "z": z, "marker": look, "hoverinfo": "skip"}


#: Where the reader of the mixture page's ball is.
EYE = np.array([1.15, 1.15, 0.95])


def painted(page: Page) -> NDArray[Any]:
    """The pixels of the picture's canvas, (height, width, 4), when it has been turned."""
    found = page.evaluate(
        """async () => {
            await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)));
            const canvas = document.querySelector("#a canvas");
            const { data, width, height } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
            let text = "";
            for (const byte of data) text += String.fromCharCode(byte);
            return [btoa(text), height, width];
        }"""
    )
    return np.frombuffer(base64.b64decode(found[0]), np.uint8).reshape(found[1], found[2], 4).astype(int)


def rays(height: int, width: int, flat: bool) -> NDArray[np.float64]:
    """Where the ray through every pixel meets the ball first, in the figure's units; NaN where it does not."""
    away = np.linalg.norm(EYE)
    viewer = EYE / away
    right = np.array([-viewer[1], viewer[0], 0]) / np.hypot(viewer[0], viewer[1])
    top = np.cross(viewer, right)
    across = (np.arange(width) + 0.5 - width / 2) / (height / 2)
    down = (np.arange(height) + 0.5 - height / 2) / (height / 2)
    aside = across[None, :, None] * right - down[:, None, None] * top
    # Plotly's lens sees 45 degrees from bottom to top, its parallel rays a height of 2; the box is 1 wide.
    start = 5 * viewer + aside if flat else EYE + 0 * aside
    way = -viewer + (0 * aside if flat else np.tan(np.pi / 8) * aside)
    a, b = (way * way).sum(-1), (start * way).sum(-1)
    root = b * b - a * ((start * start).sum(-1) - (1 / 2.1) ** 2)
    with np.errstate(invalid="ignore"):
        met = (-b - np.sqrt(root)) / a
    return 2.1 * (start + met[..., None] * way)


@pytest.mark.nightly
@pytest.mark.parametrize("kind", ["perspective", "orthographic"])
@pytest.mark.parametrize("angle", [0.15, 1.2, 2.2])
def test_a_cap_covers_the_pixels_whose_rays_meet_it(canvas: Page, angle: float, kind: str) -> None:
    show(canvas, ball(angle, projection={"type": kind}))
    pixels = painted(canvas)
    met = rays(*pixels.shape[:2], flat=kind == "orthographic")
    on_ball = np.isfinite(met[..., 0])
    on_cap = on_ball & (np.where(on_ball, met[..., 2], -2) > np.cos(angle))
    alpha = pixels[..., 3] > 127
    blue = alpha & (pixels[..., 2] > pixels[..., 0] + 40)
    # Only pixels at the rims can differ: the grid's edges lie a little inside the ball.
    assert (alpha != on_ball).sum() < 0.012 * on_ball.sum()
    assert (blue != on_cap).sum() < 0.012 * on_ball.sum()
    assert on_cap.sum() > 100


@pytest.mark.nightly
def test_a_surface_is_lit_as_it_asks(canvas: Page) -> None:
    flat = ball()
    flat["data"][0]["lighting"] = {"ambient": 1, "diffuse": 0, "specular": 0}
    show(canvas, flat)
    pixels = painted(canvas)
    inside = pixels[(pixels[..., 3] == 255)]
    assert {tuple(colour) for colour in inside} >= {(0, 114, 178, 255), (187, 187, 187, 255)}
    assert np.isin(inside[:, 0], [0, 187]).mean() > 0.97
    dull = ball(0.01)
    dull["data"][0]["lighting"] = {"ambient": 0.75, "diffuse": 0.4, "specular": 0}
    show(canvas, dull)
    pixels = painted(canvas)
    is_grey = (pixels[..., 3] == 255) & (pixels[..., 0] == pixels[..., 2])
    grey = np.where(is_grey, pixels[..., 0], np.nan)
    # Lit most it has its own colour; what the lamp does not reach has the ambient light's share.
    assert np.nanmax(grey) == pytest.approx(187, abs=2)
    assert np.nanmin(grey) == pytest.approx(187 * 0.75 / 1.15, abs=2)
    brightest = np.argwhere(grey > 180).mean(axis=0) / grey.shape
    assert brightest[0] < 0.45 and brightest[1] < 0.48


def test_a_surface_that_is_no_ball_hides_by_what_is_nearer(canvas: Page) -> None:
    # Two sheets across each other: each hides half of the other.
    sheets = []
    for place, colour in enumerate(("#ff0000", "#00ff00")):
        sheet = ball()["data"][0] | {"colorscale": [[0, colour], [1, colour]], "lighting": {"ambient": 1, "diffuse": 0}}
        ends = [[-1, -1], [1, 1]]
        other = [[-1, 1], [-1, 1]]
        sheet |= {"x": ends, "z": other, "y": [[-0.5, -0.5], [0.5, 0.5]] if place else [[0.5, 0.5], [-0.5, -0.5]]}
        sheets.append(sheet | {"surfacecolor": [[0, 0], [1, 1]]})
    spec = ball() | {"data": sheets}
    spec["layout"]["scene"]["camera"] = {"eye": {"x": 0, "y": -2, "z": 0}, "projection": {"type": "orthographic"}}
    show(canvas, spec)
    pixels = painted(canvas)
    middle = pixels.shape[1] // 2
    red, green = pixels[..., 0] > 128, pixels[..., 1] > 128
    # From y = -2, x grows to the right. The first sheet is nearer on the right, the other one on the left.
    assert red[:, middle + 3 :].sum() == pytest.approx(green[:, : middle - 3].sum(), rel=0.02)
    assert red.sum() > 1000 and not red[:, : middle - 3].any() and not green[:, middle + 3 :].any()


def test_points_behind_the_ball_are_hidden_until_it_is_turned(canvas: Page) -> None:
    # Side by side as the reader sees them, so that neither mark hides the other.
    there = 1.03 * EYE / np.linalg.norm(EYE)
    beside = 1.03 * np.array([-EYE[0], -EYE[1], 0]) / np.hypot(EYE[0], EYE[1])
    show(canvas, ball(1.2, point(there, "#ff00ff"), point(beside, "#00ff00")))

    def near_and_far() -> tuple[int, int]:
        red, green, blue, _ = np.moveaxis(painted(canvas), -1, 0)
        return ((red > 200) & (blue > 200) & (green < 60)).sum(), ((green > 200) & (red < 60) & (blue < 60)).sum()

    near, far = near_and_far()
    assert near > 20 and far == 0
    canvas.focus("#a")
    # Half way around: what was behind is in front.
    for _ in range(24):
        canvas.keyboard.press("ArrowRight")
    near, far = near_and_far()
    assert near == 0 and far > 20


@pytest.mark.nightly
def test_a_ball_is_turned_by_drag_and_keys_and_stays_so(canvas: Page) -> None:
    marks = point([1.03, 0, 0], "#ff00ff")
    look = "document.querySelector('#a canvas').toDataURL()"

    def seen() -> str:
        painted(canvas)
        return canvas.evaluate(look)

    show(canvas, ball(1.2, marks))
    before = seen()
    canvas.mouse.move(350, 200)
    canvas.mouse.down()
    canvas.mouse.move(430, 220, steps=3)
    canvas.mouse.up()
    dragged = seen()
    assert dragged != before
    show(canvas, ball(0.6, marks))
    assert seen() not in (before, dragged)
    show(canvas, ball(1.2, marks))
    assert seen() == dragged
    canvas.focus("#a")
    canvas.keyboard.press("ArrowLeft")
    assert seen() not in (before, dragged)
    canvas.keyboard.press("Home")
    assert seen() == before


@pytest.mark.nightly
def test_the_middle_of_the_ball_follows_the_mouse(canvas: Page) -> None:
    near = 0.98 * 1.05 * EYE / np.linalg.norm(EYE)
    show(canvas, ball(1.2, point(near, "#ff00ff")))

    def mark() -> NDArray[np.float64]:
        red, green, blue, _ = np.moveaxis(painted(canvas), -1, 0)
        return np.argwhere((red > 200) & (blue > 200) & (green < 60)).mean(axis=0)[::-1]

    before = mark()
    box = canvas.locator("#a canvas").bounding_box()
    assert box is not None
    x, y = before[0] + box["x"], before[1] + box["y"]
    canvas.mouse.move(x, y)
    canvas.mouse.down()
    canvas.mouse.move(x + 30, y + 15, steps=5)
    canvas.mouse.up()
    assert mark() - before == pytest.approx([30, 15], rel=0.4)


def test_only_a_picture_in_space_can_be_turned(canvas: Page) -> None:
    show(canvas, bars([0.5]))
    held = "(({tabIndex, style}) => [tabIndex, style.touchAction])(document.getElementById('a'))"
    assert canvas.evaluate(held) == [-1, ""]
    show(canvas, ball())
    # A finger that goes up or down scrolls the page.
    assert canvas.evaluate(held) == [0, "pan-y pinch-zoom"]
    show(canvas, bars([0.5]))
    assert canvas.evaluate(held) == [-1, ""]


@pytest.mark.nightly
def test_a_click_on_the_legend_puts_marks_in_space_away_and_back(canvas: Page) -> None:
    show(canvas, specs_of("mixture.sphere")["picture"])
    whole = painted(canvas)
    releases = canvas.locator("#a .legend-entry").filter(has_text="releases")
    releases.click()
    red, green, blue, _ = np.moveaxis(painted(canvas), -1, 0)
    assert not ((red > 180) & (green < 120) & (blue < 60)).any()
    releases.click()
    np.testing.assert_array_equal(painted(canvas), whole)


@pytest.mark.nightly
def test_points_on_a_ball_glide_on_it(canvas: Page) -> None:
    there, here = ball(0.5, point([1.03, 0, 0], "#ff00ff")), ball(2.5, point([0, 0, 1.03], "#ff00ff"))
    surface, mark = canvas.evaluate(
        """async ([from, to]) => {
            const { between } = await import("./tween.js");
            const { data } = between(picture.decode(from), picture.decode(to))(0.5);
            const flat = rows => [...rows].flatMap(row => row.length ? [...row] : row);
            return data.map(({x, y, z}) => [x, y, z].map(flat));
        }""",
        [there, here],
    )
    np.testing.assert_allclose(np.linalg.norm(surface, axis=0), 1, atol=1e-6)
    np.testing.assert_allclose(np.ravel(mark), [1.03 * 0.5**0.5, 0, 1.03 * 0.5**0.5], atol=1e-6)
    # The edge of the cap is on its way.
    edge = np.arccos(np.reshape(surface[2], (48, 73))[23])
    np.testing.assert_allclose(edge, 1.5, atol=0.01)


@pytest.mark.nightly
def test_undrawable_figures_in_space_are_reported(canvas: Page) -> None:
    def can(spec: Spec) -> bool:
        return canvas.evaluate("spec => picture.can(spec)", spec)

    mark = point([1, 0, 0], "#ff00ff")
    assert can(ball(1.2, mark))
    for change in ({"opacity": 0.5}, {"showscale": True}, {"hoverinfo": "all"}, {"contours": {"z": {"show": True}}}):
        spec = ball()
        spec["data"][0] |= change
        assert not can(spec), change
    short = ball()
    short["data"][0]["x"] = short["data"][0]["x"][:-1]
    gap = ball()
    gap["data"][0]["z"][3][3] = None
    assert not can(short) and not can(gap)
    for change in ({"mode": "lines"}, {"text": ["a"]}, {"marker": {"color": [1.0]}}, {"x": [None]}):
        assert not can(ball(1.2, mark | change)), change
    for change in (
        {"aspectmode": "data"},
        {"xaxis": {"range": [-1, 1]}},
        {"camera": {"eye": {"x": 0.1, "y": 0, "z": 0}}},
    ):
        spec = ball()
        spec["layout"]["scene"] |= change
        assert not can(spec), change
    assert not can({"data": [mark], "layout": {}})
