"""What was said or happened, verbatim."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from functools import cached_property

from graphmem.model.ids import digest


class ContentType(StrEnum):
    MESSAGE = "message"
    TEXT = "text"
    EVENT = "event"
    DOCUMENT = "document"
    SUMMARY = "summary"


class Role(StrEnum):
    USER = "user"
    ASSISTANT = "assistant"
    SYSTEM = "system"
    TOOL = "tool"


class Status(StrEnum):
    PENDING = "pending"
    DIGESTED = "digested"
    FAILED = "failed"


@dataclass(frozen=True, kw_only=True)
class Episode:
    """One episode as a caller hands it in.

    ``owner`` is the user whose memory it is, "" everybody's. ``session`` may be "": an episode of no conversation.
    ``payload`` is the structured form of an episode that has one (a claim handed in as such), as JSON.
    """

    group_id: str
    session: str
    content: str
    occurred_at: datetime
    content_type: ContentType = ContentType.MESSAGE
    role: Role = Role.USER
    speaker: str | None = None
    owner: str = ""
    source: str | None = None
    tags: tuple[str, ...] = ()
    metadata: Mapping[str, object] = field(default_factory=dict[str, object])
    sequence: int | None = None
    external_id: str | None = None
    idempotency_key: str | None = None
    payload: str | None = None

    @cached_property
    def id(self) -> str:
        """``external_id``, else the idempotency key, else the content with its time, session, role and sequence."""
        if self.external_id is not None:
            return digest("episode", self.group_id, "external_id", self.external_id)
        if self.idempotency_key is not None:
            return digest("episode", self.group_id, "idempotency_key", self.idempotency_key)
        return digest("episode", self.group_id, "content", self.fingerprint)

    @cached_property
    def fingerprint(self) -> str:
        """What must be equal for two episodes to be the same one."""
        return digest(
            self.session,
            self.content,
            self.occurred_at,
            self.role,
            self.speaker,
            self.owner,
            self.sequence,
            self.payload,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredEpisode:
    """An episode as the store knows it.

    ``attempts`` counts digests that failed; ``leases`` those begun since, whether or not their worker lived on.
    """

    id: str
    episode: Episode
    status: Status
    attempts: int
    leases: int
    error: str | None
    recorded_at: datetime
    digested_at: datetime | None
    outcome: Mapping[str, object] | None
