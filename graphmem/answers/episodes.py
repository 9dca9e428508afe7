"""Episodes and their sessions as shown, what became of episodes handed in, and what would be read of one."""

from dataclasses import fields
from datetime import datetime
from typing import Annotated, Any

from pydantic import (
    AliasGenerator,
    AliasPath,
    ConfigDict,
    Field,
    JsonValue,
    ValidationInfo,
    model_validator,
)

from graphmem.answers.answer import (
    Answer,
    Joined,
    ShownInstant,
    TextOrNull,
    TimedAnswer,
    Warned,
    attribute,
    context_of,
    is_answer,
)
from graphmem.answers.beliefs import Attributes
from graphmem.answers.outcomes import DigestOutcome, KeptOut
from graphmem.model.claim import ClaimKind, ClaimStatus, Scalar
from graphmem.model.episode import ContentType, Episode, EpisodeRole, EpisodeStatus
from graphmem.model.fragment import ProposedClaim
from graphmem.model.owners import Voice
from graphmem.model.session import ClosedBy


class AcceptedEpisode(KeptOut):
    """``new`` is false where the same episode had come before. ``outcome`` and what was kept come with ``?wait``.

    ``vectors_pending``: what came of it is found by full text only, until the embedding model is back.
    """

    id: str
    new: bool
    status: EpisodeStatus
    error: str | None = None
    outcome: DigestOutcome | None = None
    vectors_pending: bool = False


class RefusedEpisode(Answer):
    """An episode of a list that is not stored, for it was forgotten, or its user opted out: the problem says which.

    ``item`` is its place in the list, from 0.
    """

    item: int
    problem: dict[str, Any]


class AcceptedEpisodes(Warned):
    """``queued`` is false where the queue is away: workers look for the episodes every half second then.

    ``episodes`` are those that are stored, in the order given.
    """

    episodes: list[AcceptedEpisode]
    refused: list[RefusedEpisode]
    queued: bool


class PutEpisode(Warned):
    """``new`` is false where the ``external_id`` has this text, or had it: it is ``replaced_by`` another one then.

    ``replaces`` is the episode whose place it takes, of which ``retracted`` claims stand no more. ``queued`` is false
    where the queue is away.
    """

    id: str
    new: bool
    status: EpisodeStatus
    replaces: str | None
    replaced_by: str | None
    retracted: int
    queued: bool


_OF_EPISODE = frozenset(field.name for field in fields(Episode))


def _place(name: str) -> AliasPath | str:
    """Where a stored episode has what was said of it: in the episode itself."""
    return AliasPath("episode", name) if name in _OF_EPISODE else name


class SaidEpisode(Answer):
    """What was said, which never changes; but its words go once the group keeps them no longer.

    ``redacted_at`` is when they did, null while they are there: ``content`` and ``metadata`` are empty since then.
    ``position`` is its place in the list in which it first came, from 0: of one instant and ``sequence``, what is there
    before was said before.
    """

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
    position: int
    external_id: str | None
    redacted_at: datetime | None


class EpisodeOut(SaidEpisode):
    """What was said, and how its digest stands. ``revision`` counts how often it was to be digested anew.

    ``refining``: what was found stands, and another digest is on its way. ``redacted``: it is digested no more.
    ``replaced``: since ``replaced_at`` its ``external_id`` has another text, that of the episode ``replaced_by``.
    ``vectors_pending``: it, or claims of it, are found by full text only, until the embedding model is back.
    """

    status: EpisodeStatus
    attempts: int
    error: str | None
    digested_at: datetime | None
    revision: int
    outcome: DigestOutcome | None
    vectors_pending: bool
    replaced_at: datetime | None
    replaced_by: str | None


class OneEpisode(EpisodeOut, KeptOut, Warned):
    """An episode that was asked for by its id, and what stands of it."""


class RetriedEpisode(Warned):
    episode: EpisodeOut
    queued: bool


class EpisodePage(TimedAnswer):
    """Episodes in the order in which they were said."""

    episodes: list[EpisodeOut]
    next_cursor: str | None


class SessionOut(Answer):
    """The episodes of one session name and one ``user`` (null: of nobody in particular).

    ``opened_at`` is when its first episode was recorded. ``closed_at`` is null while it is open; an episode opens it
    again, and ``reopened_at`` is when that was last. ``agent`` and ``subject`` are as the last episode said that named
    one.
    """

    id: str
    session: Annotated[str, attribute("name")]
    user: TextOrNull
    agent: str | None
    subject: str | None
    opened_at: datetime
    reopened_at: datetime | None
    closed_at: datetime | None
    closed_by: ClosedBy | None


class SessionPage(TimedAnswer):
    """Sessions in the order in which they were opened."""

    sessions: list[SessionOut]
    next_cursor: str | None


class SessionWindowOut(TimedAnswer):
    """A session with its last turns, the oldest of them first, and how many there were before them."""

    session: SessionOut
    episodes: Annotated[list[EpisodeOut], attribute("turns")]
    earlier: int


class ReadSpan(Answer):
    """Code points ``[start, end)`` of the content, and the text there."""

    start: int
    end: int
    text: str

    @model_validator(mode="before")
    @classmethod
    def _with_text(cls, thing: Any, info: ValidationInfo) -> Any:
        if is_answer(thing):
            return thing
        is_claim = isinstance(thing, ProposedClaim)
        start, end = (thing.quote_start, thing.quote_end) if is_claim else (thing.start, thing.end)
        return Joined(thing, start=start, end=end, text=context_of(info).content[start:end])


class ReadEntity(Answer):
    type: str
    name: str


class ReadMention(ReadSpan):
    entity: ReadEntity


class OwnerOut(Answer):
    """Whose words a part of a content is: the ``speaker``'s, of somebody ``named``, or nobody's."""

    voice: Voice
    name: TextOrNull


class OwnedSpanOut(ReadSpan):
    """``form`` is by what the owner was recognised, such as a transcript, a quotation or code; null by nothing."""

    owner: OwnerOut
    form: TextOrNull


class ReadClauseOut(ReadSpan):
    """``status`` is how a clause is said; ``dropped`` why it makes no open claim, null where it does."""

    status: ClaimStatus | None
    dropped: TextOrNull
    statement: TextOrNull


class UnreadTimeOut(ReadSpan):
    """Words for a time that are not read; ``why`` says so in a sentence."""

    why: str


class ReadClaim(ReadSpan):
    """A claim as it would be made, with its quote. ``event`` is when it happened, of what happened once.

    ``time_unread`` are words that say when, and that nobody could read: its start is unknown, not when it was said.
    """

    kind: ClaimKind
    subject: ReadEntity
    predicate: str
    object: ReadEntity | None
    value: Scalar
    statement: str
    valid_from: ShownInstant
    valid_to: datetime | None
    time_unread: TextOrNull
    event: Annotated[list[datetime] | None, Field(min_length=2, max_length=2)]
    confidence: float
    attributes: Attributes
    category: TextOrNull
    open: bool
    status: ClaimStatus


class ExtractOut(Warned):
    """``owned`` says whose which part is: claims are made of what is somebody's.

    ``segments`` are the sentences as they are parsed: greetings, calls and interjections between them are cut.
    ``unread`` and ``notice`` are as in the outcome of an episode.
    """

    extractor: str
    version: str
    owned: list[OwnedSpanOut]
    unread: dict[str, int]
    notice: str | None
    segments: list[ReadSpan]
    clauses: list[ReadClauseOut]
    mentions: list[ReadMention]
    claims: list[ReadClaim]
    unread_times: list[UnreadTimeOut]
