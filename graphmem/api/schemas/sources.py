"""What is said of a source of structured claims."""

from graphmem.api.schemas.words import Request


class SourceIn(Request):
    """``unique``: the source tells of each thing once, so that two ids of it are never one thing."""

    unique: bool
