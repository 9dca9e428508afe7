"""Jars: the lock file, verification, and what goes wrong while fetching."""

import errno
import hashlib
import shutil
import threading
from collections.abc import Generator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import SimpleNamespace

import pytest

from graphmem.errors import LocalServerError
from graphmem.local.neo4j.server import pinned_jars, pinned_version
from graphmem.process.fetch import FetchProgress, Jar, fetch_jars, http_download, read_lock, require_space

CONTENT = b"a jar"
JAR = Jar("org.example", "thing", "1.0", "linux", len(CONTENT), hashlib.sha256(CONTENT).hexdigest())


class Repository:
    """Delivers contents one after the other and counts."""

    def __init__(self, cache: Path, *contents: bytes) -> None:
        self.cache = cache
        self.contents = list(contents)
        self.asked = 0

    def __call__(self, jar: Jar) -> None:
        self.asked += 1
        path = self.cache / jar.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(self.contents.pop(0))


def no_download(_jar: Jar) -> None:
    pytest.fail("needs the network")


def test_lock_line_with_classifier() -> None:
    line = f"org.example:thing:jar:linux:1.0 5 sha256:{JAR.sha256}"
    assert read_lock(line) == (JAR,)
    assert JAR.path == Path("org/example/thing/1.0/thing-1.0-linux.jar")


@pytest.mark.parametrize("line", ["a:b:1 5 sha256:00", "a:b:war:1 5 sha256:" + "0" * 64, "a:b:jar:1 x sha256:1"])
def test_lock_line_that_pins_nothing_is_refused_with_its_number(line: str) -> None:
    with pytest.raises(LocalServerError, match=r"neo4j\.lock:2"):
        read_lock(f"\n{line}")


def test_the_closure_is_pinned_with_browser() -> None:
    jars = pinned_jars()
    assert len({jar.path for jar in jars}) == len(jars) > 200
    assert pinned_version().startswith("2026.")
    assert pinned_version("neo4j-browser")


def test_a_fetched_jar_is_not_fetched_again(tmp_path: Path) -> None:
    reports: list[FetchProgress] = []
    assert fetch_jars([JAR], tmp_path, reports.append, Repository(tmp_path, CONTENT)) == (tmp_path / JAR.path,)
    assert reports[-1] == FetchProgress(1, 1, len(CONTENT), len(CONTENT))
    assert fetch_jars([JAR], tmp_path, download=no_download) == (tmp_path / JAR.path,)


def test_a_jar_that_arrives_damaged_is_fetched_once_more(tmp_path: Path) -> None:
    repository = Repository(tmp_path, b"A JAR", CONTENT)
    fetch_jars([JAR], tmp_path, download=repository)
    assert repository.asked == 2


def test_a_jar_that_stays_damaged_is_refused_and_removed(tmp_path: Path) -> None:
    with pytest.raises(LocalServerError, match=r"thing-1\.0-linux\.jar .* pinned checksum"):
        fetch_jars([JAR], tmp_path, download=Repository(tmp_path, b"A JAR", b"a JAR"))
    assert not (tmp_path / JAR.path).exists()


def test_a_jar_changed_on_disk_is_noticed(tmp_path: Path) -> None:
    fetch_jars([JAR], tmp_path, download=Repository(tmp_path, CONTENT))
    (tmp_path / JAR.path).write_bytes(b"A JAR")
    repository = Repository(tmp_path, CONTENT)
    fetch_jars([JAR], tmp_path, download=repository)
    assert repository.asked == 1
    assert (tmp_path / JAR.path).read_bytes() == CONTENT


def test_a_full_disk_while_fetching_is_said_in_words(tmp_path: Path) -> None:
    def disk_full(_jar: Jar) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with pytest.raises(LocalServerError, match=r"disk of .* is full. Make room"):
        fetch_jars([JAR], tmp_path, download=disk_full)


def test_no_download_begins_on_a_disk_that_is_too_full(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def nearly_full(_path: Path) -> SimpleNamespace:
        return SimpleNamespace(free=50 * 1024 * 1024)

    monkeypatch.setattr(shutil, "disk_usage", nearly_full)
    with pytest.raises(LocalServerError, match="50 MB are free, 400 MB are needed"):
        fetch_jars([JAR], tmp_path, download=no_download)
    require_space(tmp_path, 1)


def test_whoever_watches_can_end_the_download(tmp_path: Path) -> None:
    def enough(_progress: FetchProgress) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fetch_jars([JAR], tmp_path, enough, Repository(tmp_path, CONTENT))


class _MavenRepository(ThreadingHTTPServer):
    """Answers from a list, then always with the jar, at its own path; counts connections and requests."""

    daemon_threads = True

    def __init__(self, *first: int) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.statuses = list(first)
        self.connections = 0
        self.requests: list[str] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/maven2"


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    @property
    def repository(self) -> _MavenRepository:
        assert isinstance(self.server, _MavenRepository)
        return self.server

    def setup(self) -> None:
        super().setup()
        self.repository.connections += 1

    def do_GET(self) -> None:
        self.repository.requests.append(self.path)
        status = self.repository.statuses.pop(0) if self.repository.statuses else 200
        body = CONTENT if status == 200 else b""
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - its name there
        """Nothing in the tests' output."""


@contextmanager
def maven(*first: int) -> Generator[_MavenRepository]:
    with _MavenRepository(*first) as server:
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        try:
            yield server
        finally:
            server.shutdown()


def test_jars_come_over_one_connection(tmp_path: Path) -> None:
    jars = [Jar("org.example", f"thing-{n}", "1.0", "", JAR.size, JAR.sha256) for n in range(3)]
    with maven() as server:
        download = http_download(tmp_path, [server.url])
        for jar in jars:
            download(jar)
        assert [(tmp_path / jar.path).read_bytes() for jar in jars] == [CONTENT] * 3
        assert server.requests == [f"/maven2/{jar.path.as_posix()}" for jar in jars]
        assert server.connections == 1


def test_a_repository_that_is_busy_is_asked_again_and_one_that_has_it_not_is_passed_over(tmp_path: Path) -> None:
    with maven(404) as without, maven(503) as busy:
        fetch_jars([JAR], tmp_path, download=http_download(tmp_path, [without.url, busy.url]))
        assert (len(without.requests), len(busy.requests)) == (1, 2)


def test_a_jar_that_nobody_has_is_said_in_words(tmp_path: Path) -> None:
    with (
        maven(404, 404) as server,
        pytest.raises(LocalServerError, match=r"thing-1\.0-linux\.jar .* no Maven repository has it"),
    ):
        fetch_jars([JAR], tmp_path, download=http_download(tmp_path, [server.url]))


def test_a_repository_that_nobody_reaches_is_said_in_words(tmp_path: Path) -> None:
    with maven() as server:
        url = server.url
    with pytest.raises(LocalServerError, match=r"cannot be fetched\. The first start needs the network once"):
        fetch_jars([JAR], tmp_path, download=http_download(tmp_path, [url]))
    assert not (tmp_path / JAR.path).exists()
