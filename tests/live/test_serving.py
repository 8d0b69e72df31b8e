"""What the server gives beside Streamlit: to whom, in what order, and for how long."""

import gc
import json
import threading
import time
from collections.abc import Callable, Hashable, Iterator
from dataclasses import replace

import pytest
import requests
import uvicorn
from starlette.applications import Starlette

from dpot_app.live.frames import Frames, Screen
from dpot_app.shell import serving


class Client:
    """Asks a server on loopback that has our routes only."""

    def __init__(self, port: int) -> None:
        self.root = f"http://127.0.0.1:{port}/"

    def get(self, path: str) -> requests.Response:
        return requests.get(self.root + path, timeout=120)


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    server = uvicorn.Server(
        uvicorn.Config(Starlette(routes=serving.routes()), port=0, log_level="error", lifespan="off")
    )
    thread = threading.Thread(target=server.run)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    yield Client(server.servers[0].sockets[0].getsockname()[1])
    server.should_exit = True
    thread.join()


def numbered(count: int, at: int = 0, screen: Callable[..., Screen | None] | None = None) -> Frames:
    return Frames(range(count), at, screen or (lambda place, progress: {"words": str(place)}))


def test_frames_go_to_those_who_know_the_token(client: Client) -> None:
    frames = numbered(5, at=3)
    answer = client.get(serving.frames_address(serving.offer(frames)))
    lines = [json.loads(line) for line in answer.text.splitlines()]
    assert [line["place"] for line in lines] == [3, 2, 4, 1, 0]
    assert lines[0]["screen"] == {"words": "3"} and lines[1]["changes"] == [[["words"], "2"]]
    assert answer.headers["cache-control"] == "no-store"


@pytest.mark.parametrize("token", ["nothing", "..%2F..%2Fapp.py", "a" * 5000])
def test_any_other_token_gets_none(client: Client, token: str) -> None:
    assert client.get(serving.frames_address(token)).status_code == 404


def test_tokens_cannot_be_guessed() -> None:
    frames = numbered(1)
    tokens = {serving.offer(frames) for _ in range(100)}
    assert len(tokens) == 100 and all(len(token) >= 32 for token in tokens)


def test_frames_go_with_the_session_that_holds_them(client: Client) -> None:
    frames = numbered(2)
    address = serving.frames_address(serving.offer(frames))
    assert client.get(address).status_code == 200
    del frames
    gc.collect()
    assert client.get(address).status_code == 404


def test_one_frame_at_a_time_for_all_who_ask(client: Client) -> None:
    busy, most = 0, 0
    lock = threading.Lock()

    def screen(place: int, progress: object) -> Screen:
        nonlocal busy, most
        with lock:
            busy += 1
            most = max(most, busy)
        time.sleep(0.01)
        with lock:
            busy -= 1
        return {"words": str(place)}

    families = [numbered(6, screen=screen) for _ in range(3)]
    addresses = [serving.frames_address(serving.offer(frames)) for frames in families]
    answers: list[int] = []
    readers = [
        threading.Thread(target=lambda address=address: answers.append(len(client.get(address).text.splitlines())))
        for address in addresses
    ]
    for reader in readers:
        reader.start()
    for reader in readers:
        reader.join()
    assert answers == [6, 6, 6] and most == 1


@pytest.mark.parametrize("heavy", [False, True])
def test_frames_wait_for_scripts(client: Client, heavy: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    # What workers compute is drawn here, too.
    monkeypatch.setattr(serving, "are_open", lambda: True)
    monkeypatch.setattr(serving, "have_time", lambda: True)
    drawn = []

    def screen(place: int, progress: object) -> Screen:
        drawn.append(place)
        return {"words": str(place)}

    frames = replace(numbered(4, screen=screen), heavy=heavy)
    address = serving.frames_address(serving.offer(frames))
    reader = threading.Thread(target=lambda: client.get(address))
    with serving.Running():
        reader.start()
        time.sleep(0.3)
        assert not drawn
        with serving.Running.pause():  # the script waits for a worker
            reader.join(120)
            assert not reader.is_alive()
    assert len(drawn) == 4 and serving.Running.count == 0


def test_only_threads_that_run_a_script_make_room_while_they_wait() -> None:
    with serving.Running():
        seen = []

        def frame() -> None:
            with serving.Running.pause():
                seen.append(serving.Running.count)

        thread = threading.Thread(target=frame)
        thread.start()
        thread.join()
        assert seen == [1]


def test_files_may_be_kept_for_good_and_nothing_else_is_given(client: Client) -> None:
    answer = client.get(serving.address("live.js"))
    assert answer.status_code == 200 and "immutable" in answer.headers["cache-control"]
    assert "export default" in answer.text and answer.headers["content-encoding"] == "gzip"
    for name in ("frames.py", "LICENSE-d3", "..%2F__init__.py", "nothing.js", "plotly.min.js"):
        assert client.get(serving.address(name)).status_code == 404


def test_frames_are_not_computed_for_a_reader_who_leaves(client: Client) -> None:
    computed: list[int] = []

    def screen(place: int, progress: object) -> Screen:
        time.sleep(0.05)
        computed.append(place)
        return {"words": str(place)}

    frames = numbered(200, screen=screen)
    with requests.get(client.root + serving.frames_address(serving.offer(frames)), stream=True, timeout=120) as answer:
        next(answer.iter_lines())
    after = -1
    while len(computed) > after:
        after = len(computed)
        time.sleep(0.5)
    assert after < 200


def test_a_second_reader_gets_frames_at_once(client: Client) -> None:
    drawn: list[object] = []

    def frames(at: int, shared: Hashable, holes: tuple[int, ...] = ()) -> str:
        def screen(place: int, progress: object) -> Screen | None:
            drawn.append((shared, at, place))
            return None if place in holes else {"words": f"{shared} {place}"}

        kept.append(Frames(range(4), at, screen, shared=shared))
        return client.get(serving.frames_address(serving.offer(kept[-1]))).text

    kept: list[Frames] = []
    first = frames(1, "a link")
    assert len(drawn) == 4
    assert frames(1, "a link") == first and len(drawn) == 4
    # Another link, or the same with the slider elsewhere, is told something else.
    assert frames(1, "another") != first and frames(2, "a link") != first and len(drawn) == 12
    # A reader's own numbers are written for them alone.
    own = frames(1, None)
    assert frames(1, None) == own and len(drawn) == 20
    # Where nothing could be drawn, it is tried again: data may have come since. Before (1, 0) it is kept.
    frames(1, "lacks data", holes=(2,))
    assert '"place":2,"none"' not in frames(1, "lacks data") and len(drawn) == 26
    # A reader who comes after such a beginning has a whole screen, too, from which the others are told apart.
    frames(1, "lacks the first", holes=(1,))
    assert frames(1, "lacks the first").startswith('{"place":1,"screen"')


def test_two_readers_of_one_link_at_once_have_the_same(client: Client) -> None:
    def screen(place: int, progress: object) -> Screen | None:
        time.sleep(0.05)
        return {"words": f"at {place}"}

    both = [Frames(range(5), 2, screen, shared="at once") for _ in range(2)]
    told: list[str] = []
    readers = [
        threading.Thread(
            target=lambda one=one: told.append(client.get(serving.frames_address(serving.offer(one))).text)
        )
        for one in both
    ]
    for reader in readers:
        reader.start()
    for reader in readers:
        reader.join()
    assert told[0] == told[1] and told[0].count('"screen"') == 1 and len(told[0].splitlines()) == 5


def test_a_requested_frame_comes_after_the_nearest_ones(client: Client) -> None:
    done: list[object] = []

    def screen(place: int, _progress: object) -> Screen:
        done.append(place)
        return {"words": str(place)}

    def ahead(_progress: object) -> None:
        done.append("ahead")
        raise ValueError("settings that do not fit")

    frames = Frames(range(5), 2, screen, [ahead])
    answer = client.get(serving.frames_address(serving.offer(frames)))
    assert done == [2, 1, 3, "ahead", 0, 4]
    assert [json.loads(line)["place"] for line in answer.text.splitlines()] == [2, 1, 3, 0, 4]


def test_numbers_go_to_those_who_know_the_token_and_with_the_session(client: Client) -> None:
    numbers = serving.Numbers((), lambda: [{"name": "one", "rows": [["<b>", "2.3"]]}])
    answer = client.get(numbers.address)
    assert answer.json() == [{"name": "one", "rows": [["<b>", "2.3"]]}]
    assert answer.headers["cache-control"] == "no-store"
    address = numbers.address
    del numbers
    gc.collect()
    assert client.get(address).status_code == 404
