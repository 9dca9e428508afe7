"""Where things lie in a data directory, and which of them are private."""

import errno
import os
import stat
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path

from graphmem.errors import LocalServerError

_PRIVATE_FOLDER = 0o700
_LONGEST_SOCKET_PATH = 100
_PLAIN = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-")


class DataDir:
    """One data directory: everything that the managed servers keep, readable by its owner only.

    ``settings`` is what the files of settings said when the supervisor started: its programs read no other.
    ``guide_key`` is the key in the URLs of guides for Neo4j Browser, ``browser_page`` the page that leads a web browser
    to such a guide. ``state`` says what runs, ``ended`` how the last run ended by itself, ``ports`` the last ports.
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        self.run = root / "run"
        self.logs = root / "logs"
        self.secrets = root / "secrets"
        self.neo4j = root / "neo4j"
        self.valkey = root / "valkey"
        self.ports = root / "ports.json"
        self.neo4j_password = self.secrets / "neo4j-password"
        self.api_token = self.secrets / "api-token"
        self.guide_key = self.secrets / "guide-key"
        self.settings = self.run / "settings.json"
        self.browser_page = self.run / "browser.html"
        self.state = self.run / "state.json"
        self.ended = self.run / "ended.json"

    def log(self, service: str) -> Path:
        return self.logs / f"{service}.log"

    def create(self) -> None:
        self.root.mkdir(mode=_PRIVATE_FOLDER, parents=True, exist_ok=True)
        for folder in (self.run, self.logs, self.secrets, self.neo4j, self.valkey):
            folder.mkdir(mode=_PRIVATE_FOLDER, exist_ok=True)

    def socket(self) -> Path:
        """Where Valkey listens.

        A socket's path holds some 107 bytes, and clients disagree on escapes in ``unix://`` addresses: a data
        directory with a long or an unusual path has its socket in a private folder under the temporary one.
        """
        path = self.run / "valkey.sock"
        if len(os.fsencode(path)) <= _LONGEST_SOCKET_PATH and _PLAIN.issuperset(str(path)):
            return path
        token = sha256(os.fsencode(self.root)).hexdigest()[:16]
        return Path(tempfile.gettempdir()) / f"graphmem-{os.getuid()}-{token}" / "valkey.sock"


def private_folder(path: Path) -> None:
    """Make sure that ``path`` is a folder of ours which nobody else can enter.

    Raises:
        LocalServerError: somebody else made it first.
    """
    path.mkdir(mode=_PRIVATE_FOLDER, parents=True, exist_ok=True)
    status = path.lstat()
    private = stat.S_ISDIR(status.st_mode) and status.st_uid == os.getuid() and not status.st_mode & 0o077
    if not private:
        raise LocalServerError(f"{path} is not a private folder of yours; remove it or choose another data directory.")


@contextmanager
def storage_errors(folder: Path) -> Generator[None]:
    """Say in words what the operating system refuses, about a folder where it names no file."""
    try:
        yield
    except OSError as error:
        where = error.filename or folder
        if error.errno in {errno.ENOSPC, errno.EDQUOT}:
            raise LocalServerError(f"The disk of {where} is full. Make room and try again.") from error
        raise LocalServerError(f"{where} cannot be used: {error.strerror or error}.") from error


def quoted(text: str) -> str:
    """A text in quotation marks, as the files take it that configure Neo4j's Java and Valkey."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
