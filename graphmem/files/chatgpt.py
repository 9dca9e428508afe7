"""Conversations of ChatGPT: ``conversations.json`` of an export, each a tree of which the branch last shown counts."""

from collections.abc import Iterator
from functools import partial
from typing import Any

from graphmem.files.content import at, text_of
from graphmem.files.source import Source
from graphmem.files.times import time_of
from graphmem.files.turns import FileTurn
from graphmem.model.episode import EpisodeRole

NAME = "ChatGPT export"
_SPOKEN = {"user": EpisodeRole.USER, "assistant": EpisodeRole.ASSISTANT}
_READ = {"text", "multimodal_text"}


def recognises(source: Source) -> bool:
    return {"mapping", "create_time"} <= source.first


def read(source: Source) -> Iterator[FileTurn]:
    return source.turns(partial(_conversation, source), source.values(), "conversation")


def _conversation(source: Source, _: int, conversation: dict[str, Any]) -> Iterator[FileTurn]:
    nodes: dict[str, Any] = conversation.get("mapping") or {}
    branch = _branch(nodes, conversation.get("current_node"))
    session = conversation.get("conversation_id") or conversation.get("id") or (branch[0][0] if branch else None)
    spoken = [(key, message) for key, message in branch if _is_spoken(source, message)]
    began = None if any(message.get("create_time") for _, message in spoken) else conversation.get("create_time")
    title = conversation.get("title")
    elsewhere = sum(1 for node in nodes.values() if at(node, "message", "author", "role") in _SPOKEN) - sum(
        1 for _, message in branch if at(message, "author", "role") in _SPOKEN
    )
    if elsewhere:
        source.leave_out("messages of other branches", elsewhere)
    for key, message in spoken:
        yield FileTurn(
            content=text_of(at(message, "content", "parts") or [], source),
            time=time_of(message.get("create_time") or began),
            source="chatgpt",
            role=_SPOKEN[message["author"]["role"]],
            session=f"chatgpt/{session}",
            id=f"chatgpt/{message.get('id') or key}",
            more={"metadata": {"title": title}} if title else {},
        )


def _branch(nodes: dict[str, Any], current: str | None) -> list[tuple[str, dict[str, Any]]]:
    """The messages from the root to a node, or to the last one that nothing follows."""
    if current not in nodes:
        current = next((key for key in reversed(nodes) if not nodes[key].get("children")), None)
    branch, seen = list[tuple[str, dict[str, Any]]](), set[str]()
    while current in nodes and current not in seen:
        seen.add(current)
        if message := nodes[current].get("message"):
            branch.append((current, message))
        current = nodes[current].get("parent")
    return branch[::-1]


def _is_spoken(source: Source, message: dict[str, Any]) -> bool:
    role, kind = at(message, "author", "role"), at(message, "content", "content_type") or "text"
    if at(message, "metadata", "is_visually_hidden_from_conversation"):
        left_out = "hidden messages"
    elif role not in _SPOKEN:
        left_out = f"{role} messages"
    elif message.get("recipient") not in (None, "all"):
        left_out = "calls of tools"
    elif kind not in _READ:
        left_out = f"{kind.replace('_', ' ')} messages"
    else:
        return True
    source.leave_out(left_out)
    return False
