"""A client that sends half a request, or a byte now and then, is not waited for; nothing of what it sent is stored."""

import json
import socket
import threading
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit

import pytest

from graphmem.process.connections import BodyLimits
from tests.api.conftest import OpenService, Service

EPISODE = json.dumps({"content": "Maya lives_in Porto", "occurred_at": "2025-05-03T00:00:00Z"}).encode()


@pytest.fixture(scope="module")
def impatient(open_service: OpenService) -> Iterator[Service]:
    with open_service(header_seconds=1, unread_seconds=1, body_pause=1, body_seconds=2, body_rate=1_000) as opened:
        yield opened


@contextmanager
def dribbling(connection: socket.socket) -> Generator[None]:
    """Send a byte every tenth of a second, until the other end has closed the connection."""
    over = threading.Event()

    def dribble() -> None:
        while not over.wait(0.1):
            try:
                connection.sendall(b" ")
            except OSError:
                return

    thread = threading.Thread(target=dribble)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def answer_to(service: Service, sent: bytes, *, dribble: bool) -> bytes:
    """All that comes back until the connection is closed from there."""
    address = urlsplit(service.url)
    with socket.create_connection((address.hostname or "", address.port or 0), timeout=60) as connection:
        connection.sendall(sent)
        if not dribble:
            return read_all(connection)
        with dribbling(connection):
            return read_all(connection)


def read_all(connection: socket.socket) -> bytes:
    received = b""
    try:
        while more := connection.recv(65536):
            received += more
    except ConnectionResetError:
        pass
    return received


def half_sent(group: str, token: str, media_type: str = "application/json", length: int = 100_000) -> bytes:
    """The headers of a post, and a complete episode, of which more is announced: ``length`` bytes in all."""
    lines = (
        f"POST /v1/groups/{group}/episodes HTTP/1.1",
        "Host: 127.0.0.1",
        f"Authorization: Bearer {token}",
        f"Content-Type: {media_type}",
        f"Content-Length: {length}",
        "",
        "",
    )
    return "\r\n".join(lines).encode() + EPISODE


@pytest.mark.parametrize("dribble", [False, True])
@pytest.mark.parametrize("media_type", ["application/json", "application/x-ndjson"])
def test_half_a_body_is_dropped(impatient: Service, group: str, media_type: str, dribble: bool) -> None:  # noqa: FBT001
    answer = answer_to(impatient, half_sent(group, impatient.token, media_type), dribble=dribble)

    head, _, body = answer.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 408 ")
    assert json.loads(body)["type"] == "urn:graphmem:problem:body-timed-out"
    assert impatient.get(f"/v1/groups/{group}").status_code == 404


@pytest.mark.parametrize("dribble", [False, True])
def test_half_of_the_headers_is_dropped(impatient: Service, dribble: bool) -> None:  # noqa: FBT001
    assert (
        answer_to(impatient, b"POST /v1/groups/maya/episodes HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Long: ", dribble=dribble)
        == b""
    )


def test_headers_have_an_end(service: Service) -> None:
    asked = f"GET /v1/groups?{'a' * 300_000} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
    assert answer_to(service, asked.encode(), dribble=False)[:13] in (b"", b"HTTP/1.1 400 ")  # closed, or said first


def test_a_body_that_comes_after_its_key_was_revoked_is_not_stored(service: Service, group: str) -> None:
    wanted = {"label": "of a test", "groups": [group], "rights": ["write"]}
    key = service.post("/v1/keys", wanted).json()
    address = urlsplit(service.url)
    with socket.create_connection((address.hostname or "", address.port or 0), timeout=60) as connection:
        connection.sendall(half_sent(group, key["secret"], length=len(EPISODE) + 1))
        assert service.delete(f"/v1/keys/{key['key']['id']}").status_code == 200
        bearer = {"Authorization": f"Bearer {key['secret']}"}
        while service.http.get("/v1/keys/own", headers=bearer).status_code != 401:
            pass  # what was read of a key is trusted for half a second
        connection.sendall(b"\n")
        assert connection.recv(65536).startswith(b"HTTP/1.1 401 ")
    assert service.get(f"/v1/groups/{group}").status_code == 404


def test_who_is_refused_cannot_keep_the_connection_with_a_body(impatient: Service, group: str) -> None:
    assert answer_to(impatient, half_sent(group, "wrong"), dribble=True).startswith(b"HTTP/1.1 401 ")


@pytest.mark.parametrize(
    ("received", "elapsed", "left"),
    [
        (0, 0.0, 10.0),
        (0, 25.0, 5.0),
        (0, 31.0, -1.0),
        (100, 31.0, 0.0),
        (1_000, 31.0, 9.0),
        (100_000, 500.0, 10.0),
    ],
    ids=["at first", "near the end", "too late", "slow", "fast enough", "long, and coming"],
)
def test_a_body_may_take_long_while_it_makes_progress(received: int, elapsed: float, left: float) -> None:
    assert BodyLimits(pause=10, seconds=30, rate=100).left(received, elapsed) == left


def test_a_client_that_reads_nothing_of_its_answers_is_not_kept(impatient: Service) -> None:
    address = urlsplit(impatient.url)
    asked = f"GET /openapi.json HTTP/1.1\r\nhost: {address.netloc}\r\n\r\n".encode()
    with (
        socket.create_connection((address.hostname or "", address.port or 0), timeout=60) as connection,
        pytest.raises(ConnectionError),
    ):
        connection.sendall(asked * 1_000_000)  # more than any buffer between the two takes
