"""What programs that talk to models write of a message: whose it is, and its text among calls, results and pictures."""

import re
from collections.abc import Mapping
from typing import Any, cast

from graphmem.files.source import Source
from graphmem.model.episode import EpisodeRole

_TEXT = {"text", "input_text", "output_text", "markdown"}
_ROLES = {
    "human": EpisodeRole.USER,
    "humanmessage": EpisodeRole.USER,
    "humanmessagechunk": EpisodeRole.USER,
    "ai": EpisodeRole.ASSISTANT,
    "aimessage": EpisodeRole.ASSISTANT,
    "aimessagechunk": EpisodeRole.ASSISTANT,
    "bot": EpisodeRole.ASSISTANT,
    "model": EpisodeRole.ASSISTANT,
    "gpt": EpisodeRole.ASSISTANT,
    "systemmessage": EpisodeRole.SYSTEM,
    "developer": EpisodeRole.SYSTEM,
    "toolmessage": EpisodeRole.TOOL,
    "function": EpisodeRole.TOOL,
    "functionmessage": EpisodeRole.TOOL,
}
_ADDED = re.compile(
    r"<(system-reminder|command-[a-z]+|local-command-[a-z]+|environment_context|user_instructions|ide_[a-z_]+)>"
    r".{0,100000}?</\1>",
    re.DOTALL,
)
"""What an agent adds to the words of its user."""


def role_of(written: object) -> EpisodeRole:
    """The role that a format means by its own word.

    Raises:
        ValueError: none is known by it.
    """
    word = str(written).lower()
    try:
        return _ROLES.get(word) or EpisodeRole(word)
    except ValueError as error:
        raise ValueError(f"{written!r} is no role; known are {', '.join(EpisodeRole)}") from error


def text_of(content: object, source: Source) -> str:
    """The text of a message or of its blocks. Calls of tools, results, pictures and thoughts are left out."""
    if isinstance(content, str):
        return content.strip()
    texts = list[str]()
    for block in cast("list[object]", content) if isinstance(content, list) else []:
        if isinstance(block, str):
            texts.append(block)
        elif isinstance(block, dict):
            one = cast("dict[str, Any]", block)
            kind = str(one.get("type") or one.get("content_type") or "text")
            if kind in _TEXT and isinstance(one.get("text"), str):
                texts.append(one["text"])
            else:
                source.leave_out(f"{kind.replace('_', ' ')} parts")
    return "\n\n".join(text for text in texts if text.strip()).strip()


def said(content: object, source: Source) -> str:
    """The text of a message to a coding agent, without what the agent adds to it."""
    return _ADDED.sub("", text_of(content, source)).strip()


def at(value: object, *path: str) -> Any:
    """What lies at a path of keys, None where there is none."""
    for key in path:
        value = cast("Mapping[str, object]", value).get(key) if isinstance(value, Mapping) else None
    return value
