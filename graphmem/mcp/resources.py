"""What programs read by an address, offer as a prompt, and complete: the memory of the tools, as the same user."""

from collections.abc import AsyncIterator, Awaitable, Callable, Generator
from contextlib import AbstractContextManager, contextmanager
from functools import wraps
from typing import Annotated, Any, TypeVar
from urllib.parse import quote

from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.mcpserver.prompts.base import Message, UserMessage
from mcp.server.mcpserver.resources import ResourceSecurity
from mcp.shared.exceptions import MCPError
from mcp.types import (
    INTERNAL_ERROR,
    INVALID_PARAMS,
    CallToolResult,
    Completion,
    CompletionArgument,
    CompletionContext,
    EmbeddedResource,
    PromptReference,
    ResourceTemplateReference,
    TextResourceContents,
)
from pydantic import Field

from graphmem.errors import CallerError, NotFound
from graphmem.mcp.budget import fitting, json_text, plain
from graphmem.mcp.memory import AgentMemory
from graphmem.mcp.own import Own
from graphmem.mcp.shown import ShownBeliefs

PROFILE = "memory://profile"
_JSON = "application/json"
_MORE = "There is more than this: the tools tell it."
_MOST_BELIEFS = 200
_MOST_NAMES, _MOST_VALUES = 500, 100
"""Entities that are looked through for a beginning of a name; and values in one completion, by the protocol."""
_NAMED = ("about", "name")
"""Arguments that name an entity: of the prompt, and of the address of a profile."""

T = TypeVar("T")
Errors = Callable[[], AbstractContextManager[None]]
Read = Callable[..., Awaitable[Any]]


class Resources:
    """What the addresses of a memory and its prompt answer, each under the budget of one answer of a tool."""

    def __init__(self, memory: AgentMemory) -> None:
        self._memory = memory
        self._own = Own(memory)

    async def profile(self) -> str:
        """What is believed of the user and shared: facts, the most important first, then the rest."""
        memory = self._memory
        facts = await _first(memory.client.facts(memory.group, user=memory.user), _MOST_BELIEFS)
        graph = await memory.client.graph(memory.group, limit=_MOST_BELIEFS, user=memory.user)
        beliefs = {one.belief_id: memory.show.belief(one) for one in (*facts, *graph.beliefs)}
        listed = list(beliefs.values())

        def build(count: int) -> ShownBeliefs:
            left_out = None if graph.complete and count == len(listed) else _MORE
            return ShownBeliefs(beliefs=listed[:count], left_out=left_out)

        return json_text(plain(fitting(len(listed), memory.budget, build)))

    async def profile_of(self, name: str) -> str:
        """Who or what a name means, and what is believed of it."""
        return _text(await self._own.entity(name))

    async def belief(self, id: str) -> str:  # noqa: A002 - the name in the address
        """A belief with the sentences that it rests on, or an episode."""
        return _text(await self._own.why(id))

    async def what_do_you_remember(
        self, about: Annotated[str | None, Field(description="A name; by default you.")] = None
    ) -> list[Message]:
        """What do you remember? With what is known of you, or of whom or what you name."""
        address = f"{PROFILE}/{quote(about, safe='')}" if about else PROFILE
        text = await (self.profile_of(about) if about else self.profile())
        known = TextResourceContents(uri=address, mime_type=_JSON, text=text)
        asked = f"What do you remember about {about or 'me'}? Say since when it holds, and what was before."
        return [UserMessage(EmbeddedResource(type="resource", resource=known)), UserMessage(asked)]

    async def completion(
        self,
        ref: PromptReference | ResourceTemplateReference,  # noqa: ARG002 - an argument means the same in each
        argument: CompletionArgument,
        context: CompletionContext | None,  # noqa: ARG002 - no argument depends on another
    ) -> Completion | None:
        """Names of entities of which a word begins as the argument does, or that it is short for."""
        if argument.name not in _NAMED:
            return None
        begun, memory = argument.value.strip().casefold(), self._memory
        try:
            listed = await _first(memory.client.entities(memory.group, user=memory.user), _MOST_NAMES)
        except NotFound:  # there is no group yet
            return None
        named = memory.client.entities(memory.group, name=begun, user=memory.user) if begun else None
        called = [] if named is None else await _first(named, _MOST_VALUES)
        beginning = [one for one in listed if f" {begun}" in f" {one.name.casefold()}"]
        names = list(dict.fromkeys(one.name for one in (*called, *beginning)))
        return Completion(values=names[:_MOST_VALUES], total=len(names), has_more=len(names) > _MOST_VALUES)


def add_resources(server: MCPServer[None], memory: AgentMemory, errors: Errors) -> None:
    """Let a server read a memory by address, offer its prompt, and complete names. ``errors`` are those of tools."""
    offered = Resources(memory)
    addresses = (
        (PROFILE, "profile", offered.profile),
        (f"{PROFILE}/{{name}}", "profile_of", offered.profile_of),
        ("memory://belief/{id}", "belief", offered.belief),
    )
    names_are_no_paths = ResourceSecurity(exempt_params={"name"})
    for address, name, read in addresses:
        server.resource(address, name=name, mime_type=_JSON, security=names_are_no_paths)(_answering(read, errors))
    prompt = offered.what_do_you_remember
    server.prompt("what_do_you_remember", title="What do you remember?")(_answering(prompt, errors))
    server.completion()(_answering(offered.completion, errors))


def _answering(read: Read, errors: Errors) -> Read:
    """A method whose errors are those of the protocol."""

    @wraps(read)
    async def answer(*args: Any, **kwargs: Any) -> Any:
        with _as_protocol_errors(errors):
            return await read(*args, **kwargs)

    return answer


@contextmanager
def _as_protocol_errors(errors: Errors) -> Generator[None]:
    try:
        with errors():
            yield
    except ToolError as error:
        code = INVALID_PARAMS if isinstance(error.__cause__, CallerError) else INTERNAL_ERROR
        raise MCPError(code=code, message=str(error)) from error


def _text(answer: CallToolResult) -> str:
    """The answer of a tool; an address has no cursor, so the rest is left to the tools."""
    shown = dict(answer.structured_content or {})
    if shown.pop("next_cursor", None) is not None:
        shown["left_out"] = _MORE
    return json_text(shown)


async def _first(items: AsyncIterator[T], most: int) -> list[T]:
    found: list[T] = []
    async for item in items:
        found.append(item)
        if len(found) == most:
            break
    return found
