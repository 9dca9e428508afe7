"""Free ports on the loopback interface: the wanted one, else one nearby, else any."""

import fcntl
import os
import socket
import tempfile
from collections.abc import Callable
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Self

import psutil
from pydantic import BaseModel, ConfigDict

from graphmem.local.layout import private_folder

LOOPBACK = "127.0.0.1"
_NEARBY = 20
_HIGHEST = 65535


class Ports(BaseModel):
    """The TCP ports of one data directory."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    api: int = 8464
    bolt: int = 7687
    http: int = 7474


def is_free(port: int) -> bool:
    """Whether a server can listen on this port of the loopback interface now."""
    with closing(socket.socket(socket.AF_INET, socket.SOCK_STREAM)) as listener:
        # As servers do: a connection in TIME_WAIT does not occupy a port.
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((LOOPBACK, port))
            listener.listen(1)
        except OSError:
            return False
    return True


class Reservations(ExitStack):
    """Ports that other supervisors of this user leave alone for as long as this is open.

    A server takes seconds until it listens; without this, two that start together would choose the same port.
    """

    def __init__(self) -> None:
        super().__init__()
        self._folder = Path(tempfile.gettempdir()) / f"graphmem-ports-{os.getuid()}"

    def __enter__(self) -> Self:
        private_folder(self._folder)
        return super().__enter__()

    def take(self, port: int) -> bool:
        """Reserve a port; False where it is in use or reserved."""
        if not is_free(port):
            return False
        lock = (self._folder / str(port)).open("w")
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            lock.close()
            return False
        self.enter_context(lock)
        return True


def choose_port(wanted: int, take: Callable[[int], bool] = is_free) -> int:
    """``wanted`` if it can be taken, else the next above it, else any. 0 wants any."""
    nearby = range(wanted, min(wanted + _NEARBY, _HIGHEST) + 1) if wanted else ()
    for port in nearby:
        if take(port):
            return port
    while not take(port := _any_port()):
        pass
    return port


def choose_ports(wanted: Ports, take: Callable[[int], bool]) -> Ports:
    """Three ports, as near as possible to the wanted ones; ``take`` gives none twice."""
    bolt, http = choose_port(wanted.bolt, take), choose_port(wanted.http, take)
    return Ports(bolt=bolt, http=http, api=choose_port(wanted.api, take))


def listens(pid: int, port: int) -> bool:
    """Whether it is this process that listens there, and not a stranger who came first."""
    if not _answers(port):  # asked first, because looking through all connections of a process takes long
        return False
    try:
        connections = psutil.Process(pid).net_connections("tcp")
    except (psutil.NoSuchProcess, psutil.AccessDenied):
        return False
    return any(each.status == psutil.CONN_LISTEN and each.laddr.port == port for each in connections)


def _answers(port: int) -> bool:
    with closing(socket.socket(socket.AF_INET, socket.SOCK_STREAM)) as client:
        client.settimeout(2.0)
        return client.connect_ex((LOOPBACK, port)) == 0


def answers_on_ipv6(port: int) -> bool:
    """Whether a stranger listens there on ``::1``: to web browsers that is ``localhost`` as well."""
    try:
        with closing(socket.create_connection(("::1", port), timeout=0.5)):
            return True
    except OSError:
        return False


def _any_port() -> int:
    with closing(socket.socket(socket.AF_INET, socket.SOCK_STREAM)) as listener:
        listener.bind((LOOPBACK, 0))
        port: int = listener.getsockname()[1]
    return port
