"""Sources of structured claims: what is known of the ids that they give."""

from graphmem.answers.answer import Answer, Warned


class SourceOut(Answer):
    name: str
    unique: bool


class SourceList(Warned):
    """The sources of which something is known, in order of name."""

    sources: list[SourceOut]
