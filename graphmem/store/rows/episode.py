"""Episodes, their work, and the turns before one."""

from typing import Annotated

from pydantic import AfterValidator, Json, JsonValue, StrictBool

from graphmem.answers.episodes import DigestOutcome as ShownOutcome
from graphmem.model.episode import (
    ContentType,
    Episode,
    EpisodeOutcome,
    EpisodeRole,
    EpisodeStatus,
    Reprocessing,
    StoredEpisode,
)
from graphmem.model.fragment import Context, ContextTurn, ThingName
from graphmem.model.interval import END
from graphmem.store.instants import Instant
from graphmem.store.rows import JsonMap, Row
from graphmem.store.rows.entity import NamesRecord, first_name
from graphmem.store.rows.group import OntologyText

CHARS_READ = "chars_read"
"""In the cursor of a digest: how many code points of a long text are read."""


def _fits(outcome: dict[str, JsonValue]) -> dict[str, JsonValue]:
    ShownOutcome.model_validate(outcome)
    return outcome


Outcome = Annotated[JsonMap, AfterValidator(_fits)]
"""What came of a digest, as answers show it."""


class _Cursor(Row):
    chars_read: int


class RememberedRow(Row):
    id: str
    new: StrictBool
    fingerprint: str
    status: EpisodeStatus
    late: StrictBool
    recorded_at: Instant


class StatusRow(Row):
    status: EpisodeStatus
    attempts: int
    leases: int


class CountRow(Row):
    count: int


class AskedRow(Row):
    group_id: str
    ids: tuple[str, ...]


class EpisodeRecord(Row):
    id: str
    group_id: str
    session: str
    content: str
    content_type: ContentType
    role: EpisodeRole
    speaker: str | None
    user: str
    source: str | None
    tags: tuple[str, ...]
    metadata: JsonMap
    sequence: int | None
    external_id: str | None
    occurred_at: Instant
    time_zone: str
    recorded_at: Instant
    status: EpisodeStatus
    attempts: int
    leases: int
    error: str | None
    digested_at: Instant | None
    outcome: Outcome | None
    revision: int
    reprocessing: Json[Reprocessing] | None
    cursor: Json[_Cursor] | None
    vectors_pending: StrictBool

    def to_domain(self) -> StoredEpisode:
        return StoredEpisode(
            id=self.id,
            episode=Episode(
                group_id=self.group_id,
                session=self.session,
                content=self.content,
                occurred_at=self.occurred_at,
                time_zone=self.time_zone,
                content_type=self.content_type,
                role=self.role,
                speaker=self.speaker,
                user=self.user,
                source=self.source,
                tags=self.tags,
                metadata=self.metadata,
                sequence=self.sequence,
                external_id=self.external_id,
            ),
            status=self.status,
            attempts=self.attempts,
            leases=self.leases,
            error=self.error,
            recorded_at=self.recorded_at,
            digested_at=self.digested_at,
            outcome=self.outcome,
            revision=self.revision,
            reprocessing=self.reprocessing,
            cursor=0 if self.cursor is None else self.cursor.chars_read,
            vectors_pending=self.vectors_pending,
        )


class EpisodeRow(Row):
    episode: EpisodeRecord

    def to_domain(self) -> StoredEpisode:
        return self.episode.to_domain()


class EpisodePageRow(Row):
    more: StrictBool
    episodes: tuple[EpisodeRecord, ...]


class OutcomeRow(Row):
    id: str
    status: EpisodeStatus
    error: str | None
    outcome: Outcome | None
    vectors_pending: StrictBool

    def to_domain(self) -> EpisodeOutcome:
        return EpisodeOutcome(
            id=self.id,
            status=self.status,
            error=self.error,
            outcome=self.outcome,
            vectors_pending=self.vectors_pending,
        )


class TimeRow(Row):
    id: str
    occurred_at: Instant


class NameRow(Row):
    key: str
    type: str
    names: tuple[NamesRecord, ...]
    aliases: tuple[str, ...]

    def to_domain(self) -> ThingName:
        """The entity under the first name said to these audiences; the key, where none was."""
        found = first_name(self.names, END)
        return ThingName(found[0] if found else self.key, self.type)


class TurnRow(Row):
    id: str
    role: EpisodeRole
    speaker: str | None
    content: str
    occurred_at: Instant
    known: tuple[NameRow, ...]

    def to_domain(self) -> ContextTurn:
        return ContextTurn(role=self.role, speaker=self.speaker, content=self.content, occurred_at=self.occurred_at)


class ContextRow(Row):
    ontology: OntologyText | None
    turns: tuple[TurnRow, ...]

    def to_domain(self) -> Context:
        known = {name.to_domain(): name.aliases for turn in self.turns for name in turn.known}
        return Context(
            turns=tuple(turn.to_domain() for turn in reversed(self.turns)),
            ids=tuple(turn.id for turn in self.turns),
            known=tuple(known),
            aliases={name: aliases for name, aliases in known.items() if aliases},
            ontology=self.ontology,
        )
