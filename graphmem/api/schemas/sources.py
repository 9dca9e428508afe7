"""Sources of structured claims: what is known of the ids that they give."""

from graphmem.api.schemas.words import Answer, Request


class SourceIn(Request):
    """``unique``: the source tells of each thing once, so that two ids of it are never one thing."""

    unique: bool


class SourceOut(Answer):
    name: str
    unique: bool


class SourceList(Answer):
    """The sources of which something is known, in order of name."""

    sources: list[SourceOut]
