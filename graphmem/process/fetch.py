"""Jars from Maven Central: fetched once into a cache of the user, checked against pinned checksums."""

import errno
import fcntl
import hashlib
import json
import re
import shutil
import threading
from collections.abc import Callable, Generator, Iterable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path

from platformdirs import user_cache_path

from graphmem.errors import LocalServerError

Download = Callable[["Jar"], None]
"""Puts one jar into the cache, at ``jar.path``."""

_LINE = re.compile(r"([^:\s]+):([^:\s]+):jar:(?:([^:\s]+):)?([^:\s]+) (\d+) sha256:([0-9a-f]{64})")
_CONNECTIONS = 8
_ATTEMPTS = 2
_TIMEOUT = 15.0
_RETRIES = 3
_PAUSE = 0.5
_BUSY = (429, 500, 502, 503, 504)
_SPARE = 400 * 1024 * 1024  # what an empty database, its logs and the queue grow to at first
_MEGABYTE = 1024 * 1024
_ADVICE = "The first start needs the network once; later starts do not. Or set NEO4J_URI to a Neo4j server of your own."


@dataclass(frozen=True, slots=True)
class Jar:
    """One pinned jar."""

    group: str
    artifact: str
    version: str
    classifier: str
    size: int
    sha256: str

    @property
    def path(self) -> Path:
        """Where it lies below the cache."""
        suffix = f"-{self.classifier}" if self.classifier else ""
        folder = Path(*self.group.split("."), self.artifact, self.version)
        return folder / f"{self.artifact}-{self.version}{suffix}.jar"


@dataclass(frozen=True, slots=True)
class FetchProgress:
    """How far a download has come."""

    files: int
    files_total: int
    bytes: int
    bytes_total: int


def read_lock(text: str) -> tuple[Jar, ...]:
    """The jars of a lock file, one a line: ``group:artifact:jar[:classifier]:version size sha256:hex``.

    Raises:
        LocalServerError: a line is not of this form.
    """
    return tuple(_parse(number, line) for number, line in enumerate(text.splitlines(), 1) if line.strip())


def _parse(number: int, line: str) -> Jar:
    match = _LINE.fullmatch(line)
    if match is None:
        raise LocalServerError(f"neo4j.lock:{number} is not a pinned jar: {line!r}.")
    group, artifact, classifier, version, size, sha256 = match.groups(default="")
    return Jar(group, artifact, version, classifier, int(size), sha256)


def default_cache() -> Path:
    return user_cache_path("graphmem") / "jars"


def fetch_jars(
    jars: Sequence[Jar],
    cache: Path,
    report: Callable[[FetchProgress], None] = lambda _progress: None,
    download: Download | None = None,
) -> tuple[Path, ...]:
    """Where every jar lies, once all are there and intact.

    ``report`` is called several times a second and may raise to end the download.

    Raises:
        LocalServerError: a jar cannot be fetched or stays damaged, or the disk is full; says what to do.
    """
    try:
        cache.mkdir(parents=True, exist_ok=True)
        with _exclusive(cache):
            verified = _Verified.load(cache)
            missing = [jar for jar in jars if not verified.holds(jar)]
            if missing:
                _fetch_missing(missing, verified, report, download or http_download(cache, _repositories()))
    except OSError as error:
        raise _storage_error(error, cache) from error
    return tuple(cache / jar.path for jar in jars)


def require_space(folder: Path, needed: int) -> None:
    """Refuse to begin what the disk cannot hold.

    Raises:
        LocalServerError: says how much is free and how much is needed.
    """
    free = shutil.disk_usage(folder).free
    if free < needed:
        raise LocalServerError(
            f"The disk of {folder} is full: {free // _MEGABYTE} MB are free, {needed // _MEGABYTE} MB are needed. "
            "Make room, or choose another place (--data-dir; XDG_CACHE_HOME for the downloaded jars)."
        )


class _Verified:
    """Which jars of a cache were read and found intact; a file is trusted while its size and time stay the same."""

    def __init__(self, cache: Path, marks: dict[str, list[int | str]]) -> None:
        self.cache = cache
        self._marks = marks

    @classmethod
    def load(cls, cache: Path) -> "_Verified":
        try:
            return cls(cache, json.loads((cache / "verified.json").read_bytes()))
        except (FileNotFoundError, ValueError):
            return cls(cache, {})

    def holds(self, jar: Jar) -> bool:
        """Whether the jar is there and intact; reads it unless it was read before and has not changed."""
        path = self.cache / jar.path
        if not path.is_file():
            return False
        return self._marks.get(str(jar.path)) == _mark(path, jar) or self.check(jar)

    def check(self, jar: Jar) -> bool:
        path = self.cache / jar.path
        if path.stat().st_size != jar.size or checksum(path) != jar.sha256:
            return False
        self._marks[str(jar.path)] = _mark(path, jar)
        return True

    def save(self) -> None:
        draft = self.cache / ".verified.json"  # nobody else writes it: the cache is locked
        draft.write_text(json.dumps(self._marks), encoding="utf-8")
        draft.replace(self.cache / "verified.json")


def _mark(path: Path, jar: Jar) -> list[int | str]:
    stat = path.stat()
    return [stat.st_size, stat.st_mtime_ns, jar.sha256]


def checksum(path: Path) -> str:
    """The SHA-256 of a file, in hexadecimal digits."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


@contextmanager
def _exclusive(cache: Path) -> Generator[None]:
    with (cache / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _fetch_missing(
    jars: Sequence[Jar], verified: _Verified, report: Callable[[FetchProgress], None], download: Download
) -> None:
    require_space(verified.cache, sum(jar.size for jar in jars) + _SPARE)
    with ThreadPoolExecutor(_CONNECTIONS, "fetch") as pool:
        largest_first = sorted(jars, key=lambda jar: -jar.size)
        tasks = {pool.submit(_fetch, jar, verified, download): jar for jar in largest_first}
        try:
            _follow(tasks, verified.cache, report)
        finally:
            pool.shutdown(wait=True, cancel_futures=True)
            verified.save()


def _follow(tasks: dict[Future[None], Jar], cache: Path, report: Callable[[FetchProgress], None]) -> None:
    pending, total = set(tasks), sum(jar.size for jar in tasks.values())
    while pending:
        done, pending = wait(pending, timeout=0.2, return_when=FIRST_COMPLETED)
        for task in done:
            task.result()
        arrived = sum(_size(cache / jar.path) for jar in tasks.values())
        report(FetchProgress(len(tasks) - len(pending), len(tasks), min(arrived, total), total))


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return 0


def _fetch(jar: Jar, verified: _Verified, download: Download) -> None:
    """Fetch one jar; one that does not arrive, or arrives damaged, is fetched once more."""
    path = verified.cache / jar.path
    for attempt in range(1, _ATTEMPTS + 1):
        path.unlink(missing_ok=True)
        try:
            download(jar)
        except LocalServerError:
            if attempt == _ATTEMPTS:
                raise
        if path.is_file() and verified.check(jar):
            return
    path.unlink(missing_ok=True)
    raise LocalServerError(
        f"{jar.path.name} was fetched again and does not have the pinned checksum. Something between here and the "
        f"Maven repository changes downloads (a proxy, a mirror). {_ADVICE}"
    )


def http_download(cache: Path, repositories: Sequence[str]) -> Download:
    """A download over HTTP, from the first of these addresses that has the jar; each thread keeps its connections.

    The download raises ``LocalServerError`` when no address has the jar or one does not answer, and ``OSError`` when
    the disk cannot take it.
    """
    # ruff: noqa: PLC0415 - slow to import, and only a first start needs it
    import requests
    from requests.adapters import HTTPAdapter
    from urllib3.util import Retry

    patient = Retry(_RETRIES, connect=1, status_forcelist=_BUSY, backoff_factor=_PAUSE)
    thread = threading.local()

    def session() -> requests.Session:
        http_session = getattr(thread, "session", None)
        if not isinstance(http_session, requests.Session):
            http_session = thread.session = requests.Session()
            for scheme in ("http://", "https://"):
                http_session.mount(scheme, HTTPAdapter(max_retries=patient))
        return http_session

    def download(jar: Jar) -> None:
        path = cache / jar.path
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            for repository in repositories:
                with session().get(f"{repository}/{jar.path.as_posix()}", stream=True, timeout=_TIMEOUT) as answer:
                    if answer.status_code != HTTPStatus.NOT_FOUND:
                        answer.raise_for_status()
                        _write(path, answer.iter_content(_MEGABYTE))
                        return
        except requests.RequestException as error:
            raise LocalServerError(f"{path.name} cannot be fetched. {_ADVICE}") from error
        raise LocalServerError(f"{path.name} cannot be fetched: no Maven repository has it. {_ADVICE}")

    return download


def _write(path: Path, chunks: Iterable[bytes]) -> None:
    with path.open("wb") as file:
        for chunk in chunks:
            file.write(chunk)


def _repositories() -> tuple[str, ...]:
    """The addresses of the Maven repositories that jgo knows, and of those in its own configuration file."""
    from jgo.config import GlobalSettings
    from jgo.maven import MavenContext, PythonResolver

    usual = MavenContext(resolver=PythonResolver()).remote_repos
    return tuple({**usual, **GlobalSettings.load().repositories}.values())


def _storage_error(error: OSError, cache: Path) -> LocalServerError:
    if error.errno in {errno.ENOSPC, errno.EDQUOT}:
        return LocalServerError(f"The disk of {cache} is full. Make room (600 MB for a first start) and try again.")
    return LocalServerError(f"{cache} cannot be used: {error.strerror or error}.")
