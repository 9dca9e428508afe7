"""Episodes as shown, and what became of those handed in."""

from dataclasses import fields
from datetime import datetime

from pydantic import AliasGenerator, AliasPath, BaseModel, ConfigDict, Field, JsonValue

from graphmem.answers.answer import Answer, TextOrNull, Warned
from graphmem.model.episode import ContentType, Episode, EpisodeRole, EpisodeStatus


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


class DigestOutcome(BaseModel):
    """What a digest found and changed, who read it, and where its time went.

    ``provisional``: it was read offline, and stands until a language model has answered. ``dropped`` counts, by reason,
    claims that were read and not kept. ``chars_read``: of a long text, which is read piece by piece, how far that is.
    ``new_entities``: of which those for whom it was said had not heard before.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    entities: int = 0
    new_entities: int = 0
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
    status: EpisodeStatus
    error: str | None = None
    outcome: DigestOutcome | None = None
    vectors_pending: bool = False


class AcceptedEpisodes(Warned):
    """``queued`` is false where the queue is away: workers look for the episodes every half second then."""

    episodes: list[AcceptedEpisode]
    queued: bool


_OF_EPISODE = frozenset(field.name for field in fields(Episode))


def _place(name: str) -> AliasPath | str:
    """Where a stored episode has what was said of it: in the episode itself."""
    return AliasPath("episode", name) if name in _OF_EPISODE else name


class SaidEpisode(Answer):
    """What was said, which never changes."""

    model_config = ConfigDict(alias_generator=AliasGenerator(validation_alias=_place))

    id: str
    content: str
    occurred_at: datetime
    time_zone: str
    recorded_at: datetime
    session: TextOrNull
    content_type: ContentType
    role: EpisodeRole
    speaker: str | None
    user: TextOrNull
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

    status: EpisodeStatus
    attempts: int
    error: str | None
    digested_at: datetime | None
    revision: int
    outcome: DigestOutcome | None
    vectors_pending: bool


class OneEpisode(EpisodeOut, Warned):
    """An episode that was asked for by its id."""


class RetriedEpisode(Warned):
    episode: EpisodeOut
    queued: bool
