"""What runs at the caller, beside the service: its client, the command line and the sample.

The clients are imported when they are asked for, so that commands that ask no service start at once.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from graphmem.client.asynchronous import AsyncGraphmemClient
    from graphmem.client.calls import When
    from graphmem.client.problems import Retries, ServiceUnavailable, UnknownAnswer
    from graphmem.client.synchronous import GraphmemClient

__all__ = ["AsyncGraphmemClient", "GraphmemClient", "Retries", "ServiceUnavailable", "UnknownAnswer", "When"]

_MODULES = {
    "AsyncGraphmemClient": "asynchronous",
    "GraphmemClient": "synchronous",
    "Retries": "problems",
    "ServiceUnavailable": "problems",
    "UnknownAnswer": "problems",
    "When": "calls",
}


def __getattr__(name: str) -> object:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
