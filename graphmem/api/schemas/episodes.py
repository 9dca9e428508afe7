"""Episodes as posted and as shown."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Discriminator, Field, JsonValue, Tag

from graphmem.api.schemas.words import (
    MOST_ITEMS,
    Answer,
    Integer,
    Metadata,
    MomentWithOffset,
    Name,
    Request,
    Tags,
    Text,
    TimeZone,
)
from graphmem.errors import TooLarge
from graphmem.model.episode import ContentType, Episode, Role, Status, StoredEpisode
from graphmem.model.interval import as_instant
from graphmem.model.time_zone import offset_of


class EpisodeIn(Request):
    """Something said or happened. Without ``occurred_at`` it occurs now; ``user`` is whose memory it is.

    Days in the content (“yesterday”) are days of ``time_zone`` (an IANA name such as Europe/Lisbon, or an offset), else
    of the offset of ``occurred_at``. ``agent``, which of the caller's agents it was said to, and ``subject``, whom it
    is about where that is not the speaker, are kept with the session; the last ones given count.
    """

    content: Text
    occurred_at: MomentWithOffset | None = None
    time_zone: TimeZone | None = None
    session: Name | None = None
    content_type: ContentType = ContentType.MESSAGE
    role: Role = Role.USER
    speaker: Name | None = None
    user: Name | None = None
    agent: Name | None = None
    subject: Name | None = None
    source: Name | None = None
    tags: Tags = ()
    metadata: Metadata = Field(default_factory=dict[str, JsonValue])
    sequence: Integer | None = None
    external_id: Name | None = None


def one_or_list(value: Any) -> str:
    return "list" if isinstance(value, list) else "one"


EpisodesIn = Annotated[
    Annotated[EpisodeIn, Tag("one")]
    | Annotated[list[EpisodeIn], Tag("list"), Field(min_length=1, max_length=MOST_ITEMS)],
    Discriminator(one_or_list),
]
EPISODE_TAGS = frozenset({"one", "list"})


@dataclass(frozen=True, slots=True)
class Accepting:
    """What turns posted episodes into episodes: their group, their common key, the limit, and now."""

    group: str
    idempotency_key: str | None
    max_content_chars: int
    now: datetime

    def episodes(self, posted: EpisodeIn | Sequence[EpisodeIn]) -> list[Episode]:
        """Raises ``TooLarge`` for a content over the limit."""
        if isinstance(posted, EpisodeIn):
            return [self._episode(posted, self.idempotency_key)]
        key = self.idempotency_key
        return [self._episode(item, key and f"{key}/{index}") for index, item in enumerate(posted)]

    def _episode(self, posted: EpisodeIn, key: str | None) -> Episode:
        if len(posted.content) > self.max_content_chars:
            raise TooLarge(
                f"An episode has {len(posted.content)} characters; {self.max_content_chars} is the limit. Split it."
            )
        occurred_at = posted.occurred_at or self.now
        return Episode(
            group_id=self.group,
            session=posted.session or "",
            content=posted.content,
            occurred_at=as_instant(occurred_at),
            time_zone=posted.time_zone or offset_of(occurred_at),
            content_type=posted.content_type,
            role=posted.role,
            speaker=posted.speaker,
            user=posted.user or "",
            agent=posted.agent,
            subject=posted.subject,
            source=posted.source,
            tags=posted.tags,
            metadata=posted.metadata,
            sequence=posted.sequence,
            external_id=posted.external_id,
            idempotency_key=key,
        )


class ReprocessIn(Request):
    """How an episode is to be digested anew; what is left out is as the settings say."""

    strategy: Name | None = None
    model: Name | None = None
    prompt: Name | None = None


class UsageOut(Answer):
    """What the language model took. ``input_tokens`` are without the ``cached_tokens``; ``cost`` is in US dollars.

    Answers of no use count too; ``model`` is empty where none was of use. ``dropped`` counts what the model said and
    the episode does not. ``fallback`` says why it was read offline instead.
    """

    model: str
    prompt: str
    calls: int
    input_tokens: int
    cached_tokens: int
    output_tokens: int
    cost: float | None
    milliseconds: float
    dropped: int
    fallback: str


class Outcome(BaseModel):
    """What a digest found and changed, who read it, and where its time went.

    ``provisional``: it was read offline, and stands until a language model has answered. ``dropped`` counts, by reason,
    claims that were read and not kept. ``chars_read``: of a long text, which is read piece by piece, how far that is.
    ``new_entities``, which nobody had named before, is null in a read for one user.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    entities: int = 0
    new_entities: int | None = None
    mentions: int = 0
    claims: int = 0
    recorded: int = 0
    superseded: int = 0
    dropped: dict[str, int] = Field(default_factory=dict[str, int])
    milliseconds: dict[str, float] = Field(default_factory=dict[str, float])
    extractor: str = ""
    extractor_version: str = ""
    provisional: bool = False
    chars_read: int | None = None
    usage: UsageOut | None = None


class AcceptedEpisode(Answer):
    """``new`` is false where the same episode had come before. ``outcome`` comes with ``?wait``.

    ``vectors_pending``: what came of it is found by full text only, until the embedding model is back.
    """

    id: str
    new: bool
    status: Status
    error: str | None = None
    outcome: Outcome | None = None
    vectors_pending: bool = False


class AcceptedEpisodes(Answer):
    """``queued`` is false where the queue is away: the sweeper of the workers finds the episodes then."""

    episodes: list[AcceptedEpisode]
    queued: bool


class SaidEpisode(Answer):
    """What was said, which never changes."""

    id: str
    content: str
    occurred_at: datetime
    time_zone: str
    recorded_at: datetime
    session: str | None
    content_type: ContentType
    role: Role
    speaker: str | None
    user: str | None
    source: str | None
    tags: list[str]
    metadata: dict[str, JsonValue]
    sequence: int | None
    external_id: str | None


class EpisodeOut(SaidEpisode):
    """What was said, and how its digest stands. ``revision`` counts how often it was to be digested anew.

    ``refining``: what was found stands, and another digest is on its way. ``vectors_pending``: it, or claims of it, are
    found by full text only, until the embedding model is back.
    """

    status: Status
    attempts: int
    error: str | None
    digested_at: datetime | None
    revision: int
    outcome: Outcome | None
    vectors_pending: bool


class RetriedEpisode(Answer):
    episode: EpisodeOut
    queued: bool


def said_episode(stored: StoredEpisode) -> SaidEpisode:
    episode = stored.episode
    return SaidEpisode(
        id=stored.id,
        content=episode.content,
        occurred_at=episode.occurred_at,
        time_zone=episode.time_zone,
        recorded_at=stored.recorded_at,
        session=episode.session or None,
        content_type=episode.content_type,
        role=episode.role,
        speaker=episode.speaker,
        user=episode.user or None,
        source=episode.source,
        tags=list(episode.tags),
        metadata=dict[str, Any](episode.metadata),
        sequence=episode.sequence,
        external_id=episode.external_id,
    )


def episode_out(stored: StoredEpisode) -> EpisodeOut:
    return EpisodeOut(
        **said_episode(stored).model_dump(),
        status=stored.status,
        attempts=stored.attempts,
        error=stored.error,
        digested_at=stored.digested_at,
        revision=stored.revision,
        outcome=outcome_out(stored.outcome),
        vectors_pending=stored.vectors_pending,
    )


def outcome_out(outcome: Mapping[str, object] | None) -> Outcome | None:
    return None if outcome is None else Outcome.model_validate(outcome)
