"""Where things lie in a data directory, which of them are private, and the secrets made on first use."""

import os
import secrets
import stat
import tempfile
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from graphmem.errors import LocalServerError
from graphmem.private_files import write_private

_PRIVATE_FOLDER = 0o700
_LONGEST_SOCKET_PATH = 100
_PLAIN = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-")


@dataclass(frozen=True, slots=True)
class DataDir:
    """One data directory: everything that the managed servers keep, readable by its owner only."""

    root: Path

    @property
    def run(self) -> Path:
        return self.root / "run"

    @property
    def logs(self) -> Path:
        return self.root / "logs"

    @property
    def secrets(self) -> Path:
        return self.root / "secrets"

    @property
    def neo4j(self) -> Path:
        return self.root / "neo4j"

    @property
    def valkey(self) -> Path:
        return self.root / "valkey"

    @property
    def neo4j_password(self) -> Path:
        return self.secrets / "neo4j-password"

    @property
    def api_token(self) -> Path:
        return self.secrets / "api-token"

    @property
    def guide_key(self) -> Path:
        """The key in the URLs of guides for Neo4j Browser."""
        return self.secrets / "guide-key"

    @property
    def settings(self) -> Path:
        """What the files of settings said when the supervisor started: its programs read no other."""
        return self.run / "settings.json"

    @property
    def browser_page(self) -> Path:
        """The page that leads a web browser to the guide."""
        return self.run / "browser.html"

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
    found = path.lstat()
    private = stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid() and not found.st_mode & 0o077
    if not private:
        raise LocalServerError(f"{path} is not a private folder of yours; remove it or choose another data directory.")


def read_secret(path: Path) -> str | None:
    """The secret kept in a file, or None where there is none yet."""
    try:
        return path.read_text(encoding="utf-8").strip() or None
    except FileNotFoundError:
        return None


def ensure_secret(path: Path) -> str:
    """The secret kept in a file, made on first use."""
    kept = read_secret(path)
    if kept is not None:
        return kept
    made = secrets.token_urlsafe(32)
    write_private(path, made + "\n")
    return made
