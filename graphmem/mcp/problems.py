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
    UserRequired,
)
from graphmem.mcp.budget import cut

_MOST_TOKENS = 800
"""Of what the service says of an error; twenty candidates for a name are fewer."""
_STEPS: tuple[tuple[type[GraphmemError], str], ...] = (
    (UserRequired, "Ask the user to start this server with `--user NAME`, or GRAPHMEM_MCP_USER."),
    (UnavailableError, "Wait some seconds, then call this tool again."),
    (Unauthenticated, "Ask the user to set GRAPHMEM_API_KEY to a key of the service, and to start this server again."),
    (Forbidden, "The user or the key of this server may not do that; tell the user, and do not try again."),
)
"""By the first class that fits."""
_ASK_FOR_LESS = {
    "facts": "Name an entity or a predicate.",
    "diff": "This tool takes neither: ask for a shorter time, with `from` and `to` nearer to each other.",
}
"""By the tool whose answer would be too large."""


@contextmanager
def as_tool_errors(tool: str, lookup: str, *, elsewhere: bool) -> Generator[None]:
    """Errors on purpose become answers that a model reads.

    ``lookup`` says which tools tell ids and names. ``elsewhere``: the service is that of ``mcp.url``, and not started
    by `graphmem up` here.
    """
    try:
        yield
    except GraphmemError as error:
        message = cut(str(error), _MOST_TOKENS)
        raise ToolError(f"{message} {_next_step(error, tool, lookup, elsewhere=elsewhere)}".rstrip()) from error


def _next_step(error: GraphmemError, tool: str, lookup: str, *, elsewhere: bool) -> str:
    match error:
        case NotFound():
            return lookup
        case AnswerTooLarge():
            return _ASK_FOR_LESS.get(tool, "Ask for less.")
        case ServiceUnavailable() if elsewhere:
            return "Tell the user that the service of mcp.url does not answer; when it does, call this tool again."
        case ServiceUnavailable():
            return "Ask the user to type `graphmem up` in a terminal, then call this tool again."
        case _:
            return next((step for kind, step in _STEPS if isinstance(error, kind)), "")
