"""What went wrong, in words that say what to do next."""

from collections.abc import Generator
from contextlib import contextmanager

from mcp.server.mcpserver.exceptions import ToolError

from graphmem.client.problems import ServiceUnavailable
from graphmem.errors import (
    AnswerTooLarge,
    Forbidden,
    GraphmemError,
    NotFound,
    Unauthenticated,
    UnavailableError,
)

_STEPS: tuple[tuple[type[GraphmemError], str], ...] = (
    (ServiceUnavailable, "Ask the user to type `graphmem up` in a terminal, then call this tool again."),
    (UnavailableError, "Wait some seconds, then call this tool again."),
    (Unauthenticated, "Ask the user to set GRAPHMEM_API_KEY to a key of the service, and to start this server again."),
    (Forbidden, "The user or the key of this server may not do that; tell the user, and do not try again."),
    (AnswerTooLarge, "Ask for less: name an entity or a predicate."),
)
"""By the first class that fits."""


@contextmanager
def as_tool_errors(lookup: str) -> Generator[None]:
    """Errors on purpose become answers that a model reads; ``lookup`` says which tools tell ids and names."""
    try:
        yield
    except GraphmemError as error:
        raise ToolError(f"{error} {_next_step(error, lookup)}".rstrip()) from error


def _next_step(error: GraphmemError, lookup: str) -> str:
    if isinstance(error, NotFound):
        return lookup
    return next((step for kind, step in _STEPS if isinstance(error, kind)), "")
