"""What a context is made of, by the ids of rows."""

from graphmem.store.rows import Row


class TurnRef(Row):
    """An episode, and how many characters its content has."""

    id: str
    chars: int


class TurnsOfSessionRow(Row):
    """The last turns of a session, newest first, of ``total``; and whom it is about."""

    total: int
    turns: tuple[TurnRef, ...]
    subjects: tuple[str, ...]


class AgentRow(Row):
    """With which of the callers' agents a session was."""

    agent: str | None


class MeantRow(Row):
    """An entity of a short name, and the one that is meant by it."""

    id: str
    meant: str


class WithdrawnQuoteRow(Row):
    """Words of an episode that a retracted claim quotes."""

    episode: str
    quote: str


class ImportantBeliefsRow(Row):
    """The first beliefs about an entity, by importance, of ``total``."""

    total: int
    ids: tuple[str, ...]
