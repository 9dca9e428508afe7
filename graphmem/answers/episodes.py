"""Episodes and their sessions as shown, what became of episodes handed in, and what would be read of one."""

from collections.abc import Mapping, Sequence
from dataclasses import fields
from datetime import datetime
from typing import Annotated, Any

from pydantic import (
    AliasGenerator,
    AliasPath,
    BaseModel,
    ConfigDict,
    Field,
    JsonValue,
    ValidationInfo,
    computed_field,
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
from graphmem.model.claim import ClaimKind, ClaimStatus, Scalar
from graphmem.model.episode import ContentType, Episode, EpisodeRole, EpisodeStatus
from graphmem.model.fragment import ProposedClaim
from graphmem.model.owners import Voice
from graphmem.model.session import ClosedBy


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
    claims that were read and not kept. ``unread_times`` say which words for a time were not read, and why:
    “29 February 2023 does not exist”. ``chars_read``: of a long text, which is read piece by piece, how far that is.
    ``new_entities``: of which those for whom it was said had not heard before. ``unread`` counts, by language, the
    characters from which no claims were read, because they are not in English and no language model read them;
    ``notice`` says so in a sentence. ``remarks`` say what is missing for more to be claimed, such as who speaks.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    entities: int = 0
    new_entities: int = 0
    mentions: int = 0
    claims: int = 0
    recorded: int = 0
    superseded: int = 0
    dropped: dict[str, int] = Field(default_factory=dict[str, int])
    unread_times: list[str] = Field(default_factory=list[str])
    remarks: list[str] = Field(default_factory=list[str])
    milliseconds: dict[str, float] = Field(default_factory=dict[str, float])
    extractor: str = ""
    extractor_version: str = ""
    provisional: bool = False
    chars_read: int | None = None
    usage: UsageOut | None = None
    unread: dict[str, int] = Field(default_factory=dict[str, int])

    @computed_field
    @property
    def notice(self) -> str | None:
        return unread_notice(self.unread)


def unread_notice(unread: Mapping[str, int]) -> str | None:
    """The sentences that say that no claims were read of what is in these languages; None where there are none."""
    if not unread:
        return None
    return (
        f"No claims were read from what is in {_listed(list(unread))}: offline reading is English only. It is stored "
        "and searched all the same; a language model reads any language."
    )


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


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
    """What was said, which never changes.

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
