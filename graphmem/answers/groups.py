"""Groups and health as shown."""

from datetime import datetime
from typing import Literal

from graphmem.answers.answer import Answer, ShownInstant, Warned


class GroupOut(Answer):
    """A tenant's graph. It keeps the embedding model it was made with.

    While ``importing``, claims bring their own ``recorded_at``; what lies before ``settled_until`` was ``imported``.
    """

    id: str
    embedding_model: str
    dimensions: int
    recorded_at: datetime
    importing: bool
    imported: bool
    settled_until: ShownInstant


class WorkOut(Answer):
    """How many episodes wait, are digested and wait for another digest, are digested, have failed.

    ``digested`` is null unless ``counts`` asked for it. ``vectors_pending`` counts those, whatever else they are, of
    which the content or a claim is still to be embedded.
    """

    pending: int
    refining: int
    digested: int | None
    failed: int
    vectors_pending: int


class GroupWithWork(GroupOut, Warned):
    """``relationships`` and ``facts`` count what is believed now, of any valid time; null unless ``counts`` asked."""

    work: WorkOut
    entities: int | None
    relationships: int | None
    facts: int | None


class GroupPage(Warned):
    """``next_cursor`` asks for what follows; null at the end."""

    groups: list[GroupOut]
    next_cursor: str | None


class Live(Answer):
    status: Literal["live"] = "live"


class ServicePartOut(Answer):
    """One thing that the service needs; ``reason`` says what is wrong and what to do, null where it is ready."""

    status: Literal["ready", "loading", "degraded", "unavailable"]
    reason: str | None


class ReadinessOut(Answer):
    """How the service is, as its worst part is. ``degraded``: it serves, and something waits or is left out.

    ``unavailable``, which comes with status 503: no request that needs Neo4j can be answered.
    """

    status: Literal["ready", "degraded", "unavailable"]
    parts: dict[str, ServicePartOut]
