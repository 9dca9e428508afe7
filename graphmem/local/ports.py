"""Free ports on the loopback interface: the wanted one, else one nearby, else any."""

import socket
from collections.abc import Iterable
from contextlib import closing

from pydantic import BaseModel, ConfigDict

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


def choose_port(wanted: int, taken: Iterable[int] = ()) -> int:
    """``wanted`` if it is free, else the next free port above it, else any; none of ``taken``. 0 wants any."""
    reserved = frozenset(taken)
    nearby = range(wanted, min(wanted + _NEARBY, _HIGHEST) + 1) if wanted else ()
    for port in nearby:
        if port not in reserved and is_free(port):
            return port
    return _any_port(reserved)


def choose_ports(wanted: Ports) -> Ports:
    """Three different free ports, as near as possible to the wanted ones."""
    bolt = choose_port(wanted.bolt)
    http = choose_port(wanted.http, {bolt})
    return Ports(bolt=bolt, http=http, api=choose_port(wanted.api, {bolt, http}))


def _any_port(reserved: frozenset[int]) -> int:
    while True:
        with closing(socket.socket(socket.AF_INET, socket.SOCK_STREAM)) as listener:
            listener.bind((LOOPBACK, 0))
            port: int = listener.getsockname()[1]
        if port not in reserved:
            return port
