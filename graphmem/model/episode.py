"""What was said or happened, verbatim."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from functools import cached_property

from graphmem.model.dates import UTC_NAME, zone
from graphmem.model.ids import digest, edited_episode_id, external_episode_id, keyed_episode_id, put_key

TurnOrder = tuple[int, int]
"""Where an episode stands among those of its instant: its ``sequence``, -1 for none, and its ``position``."""
FIRST_TURN: TurnOrder = (-1, 0)


class ContentType(StrEnum):
    MESSAGE = "message"
    TEXT = "text"
    EVENT = "event"
    DOCUMENT = "document"
    SUMMARY = "summary"


class EpisodeRole(StrEnum):
    """Who speaks: the ``user`` whose memory it is, another human (a ``participant``), or something that is none."""

    USER = "user"
    PARTICIPANT = "participant"
    ASSISTANT = "assistant"
    SYSTEM = "system"
    TOOL = "tool"

    @property
    def is_human(self) -> bool:
        return self in (EpisodeRole.USER, EpisodeRole.PARTICIPANT)


class EpisodeStatus(StrEnum):
    """``pending`` waits for its first digest; ``refining`` for another one, while what the last one found stands.

    ``redacted``: its words are gone, and what was read of them stays. ``replaced``: another text has its name, and
    nothing of it stands.
    """

    PENDING = "pending"
    REFINING = "refining"
    DIGESTED = "digested"
    FAILED = "failed"
    REDACTED = "redacted"
    REPLACED = "replaced"


UNDONE = frozenset({EpisodeStatus.PENDING, EpisodeStatus.REFINING})
"""What there is work to do for."""


@dataclass(frozen=True, slots=True)
class Reprocessing:
    """How an episode is to be digested anew; None: as the settings say."""

    strategy: str | None = None
    model: str | None = None
    prompt: str | None = None


AS_CONFIGURED = Reprocessing()


@dataclass(frozen=True, kw_only=True)
class Episode:
    """One episode as a caller hands it in.

    ``user`` is the user whose memory it is, "" everybody's. ``session`` may be "": an episode of no conversation.
    ``payload`` is the structured form of an episode that has one (a claim handed in as such), as JSON. ``agent`` and
    ``subject`` are of its session (``model.session``), and no part of its identity.

    ``external_id`` and ``idempotency_key`` name it among the episodes of its user; where the key came with a list,
    ``item`` is its place there. Structured claims have names of their own.

    ``sequence`` is its place as the caller says it, among the episodes of its instant. ``position`` is its place in the
    list in which it first came, and no part of its identity. Equal episodes of a list are told apart by
    ``occurrence``: how many equal ones come before it there. Both are None until it is known which list that is
    (``in_order``).

    ``remember``: somebody asks for it to be remembered, so that it becomes a fact where no claim is read from it.

    ``occurred_at`` is in UTC. ``time_zone`` says whose days the content speaks of (``model.dates``); two episodes
    that differ in nothing else are the same.

    ``revises`` is the id of the first text of its ``external_id``, None of that one itself.

    Of a stored one that was redacted, ``redacted_at`` says when, and ``redacted_as`` are keyed hashes by which it is
    known again (``model.tombstone``); its ``content`` and ``metadata`` are empty.
    """

    group_id: str
    session: str
    content: str
    occurred_at: datetime
    time_zone: str = UTC_NAME
    content_type: ContentType = ContentType.MESSAGE
    role: EpisodeRole = EpisodeRole.USER
    speaker: str | None = None
    user: str = ""
    agent: str | None = None
    subject: str | None = None
    source: str | None = None
    tags: tuple[str, ...] = ()
    metadata: Mapping[str, object] = field(default_factory=dict[str, object])
    sequence: int | None = None
    position: int | None = None
    occurrence: int | None = None
    external_id: str | None = None
    idempotency_key: str | None = None
    item: int | None = None
    payload: str | None = None
    remember: bool = False
    revises: str | None = None
    redacted_at: datetime | None = None
    redacted_as: tuple[str, ...] = ()

    @cached_property
    def local_time(self) -> datetime:
        """When it occurred, by the clock of its zone."""
        return self.occurred_at.astimezone(zone(self.time_zone))

    @cached_property
    def id(self) -> str:
        """``external_id``, else the idempotency key, else the content with its time, session, role and sequence.

        The first of equal ones of a list has the same id as one that comes by itself.
        """
        if self.revises is not None:
            return edited_episode_id(self.revises, self.fingerprint, self.idempotency_key)
        if self.external_id is not None:
            claimed = self.payload is not None
            return external_episode_id(self.group_id, self.user, self.external_id, claimed=claimed)
        if self.idempotency_key is not None:
            return keyed_episode_id(self.group_id, self.user, self.idempotency_key, self.item)
        return digest(
            "episode", self.group_id, "content", self.fingerprint, *([self.occurrence] if self.occurrence else [])
        )

    @cached_property
    def fingerprint(self) -> str:
        """What must be equal for two episodes to be the same one."""
        return digest(
            self.session,
            self.content,
            self.occurred_at,
            self.role,
            self.speaker,
            self.user,
            self.sequence,
            self.payload,
            *(["remember"] if self.remember else []),
        )

    @property
    def put_keys(self) -> tuple[str, ...]:
        """The idempotency key with which it came, as a text of an ``external_id`` keeps it; nothing without one."""
        if self.external_id is None or self.idempotency_key is None:
            return ()
        return (put_key(self.revises or self.id, self.idempotency_key),)

    @property
    def is_named(self) -> bool:
        """Whether its caller says which one it is, rather than its content."""
        return self.external_id is not None or self.idempotency_key is not None

    @property
    def turn(self) -> TurnOrder:
        """Where it stands among the episodes of its instant."""
        return (-1 if self.sequence is None else self.sequence, self.position or 0)


def in_order(episodes: Iterable[Episode]) -> list[Episode]:
    """The episodes of one list, each with its position there, and how many equal ones come before it.

    Those that say their position or occurrence already, for their list is a part of a longer one, keep it.
    """
    equal, ordered = Counter[str](), list[Episode]()
    for place, episode in enumerate(episodes):
        before = 0
        if not episode.is_named:
            before = equal[episode.fingerprint]
            equal[episode.fingerprint] += 1
        ordered.append(
            replace(
                episode,
                position=place if episode.position is None else episode.position,
                occurrence=before if episode.occurrence is None else episode.occurrence,
            )
        )
    return ordered


def is_counted(episode: Episode) -> bool:
    """Whether summaries cover it: messages and events of a session, and no documents."""
    return bool(episode.session) and episode.content_type in (ContentType.MESSAGE, ContentType.EVENT)


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredEpisode:
    """An episode as the store knows it.

    ``attempts`` counts digests that failed; ``leases`` those begun since, whether or not their worker lived on.
    ``revision`` counts how often it was to be digested anew, last as ``reprocessing`` says. ``cursor`` is how many code
    points of a long text the digest under way, or given up, has read. ``vectors_pending``: its content, or some of its
    claims, are still to be embedded. ``replaced_at`` is when the text ``replaced_by`` took its name.
    """

    id: str
    episode: Episode
    status: EpisodeStatus
    attempts: int
    leases: int
    error: str | None
    recorded_at: datetime
    digested_at: datetime | None
    outcome: Mapping[str, object] | None
    revision: int = 0
    reprocessing: Reprocessing | None = None
    cursor: int = 0
    vectors_pending: bool = False
    replaced_at: datetime | None = None
    replaced_by: str | None = None

    @property
    def is_unread(self) -> bool:
        """Whether a part of it made no claims because of its language."""
        return bool(self.outcome and self.outcome.get("unread"))


@dataclass(frozen=True, slots=True)
class StoredEpisodePage:
    """Episodes in the order in which they were said, and whether more follow."""

    episodes: tuple[StoredEpisode, ...]
    more: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class EpisodeOutcome:
    """What has become of an episode so far."""

    id: str
    status: EpisodeStatus
    error: str | None
    outcome: Mapping[str, object] | None
    vectors_pending: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredText:
    """A text that an external id has or had, as far as it tells what becomes of another one.

    ``put_keys`` are the idempotency keys with which it came, as they are kept.
    """

    id: str
    fingerprint: str
    occurred_at: datetime
    put_keys: tuple[str, ...]
    position: int
    status: EpisodeStatus
    replaced_by: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PutReceipt:
    """What came of a text of an external id.

    ``new`` is false where it has that id, or had it before: it is ``replaced_by`` the text that took its place then.
    ``replaces`` is the text whose place it takes, of which ``retracted`` claims stand no more.
    """

    id: str
    new: bool
    status: EpisodeStatus
    replaces: str | None = None
    replaced_by: str | None = None
    retracted: int = 0


def newest(texts: Sequence[StoredText]) -> StoredText | None:
    """The text that an external id has; None where it is gone."""
    return next((text for text in texts if text.replaced_by is None), None)


def text_already_there(
    episode: Episode, texts: Sequence[StoredText], fingerprints: Collection[str]
) -> StoredText | None:
    """The text of these, which an external id has or had, that an ``episode`` with that id is; None: it is another one.

    ``fingerprints`` are those by which it is known again. What it had before is that, for it may be a late retry; but
    with an idempotency key with which that never came it is put back.
    """
    same = [text for text in texts if text.fingerprint in fingerprints]
    current = newest(same)
    if current is not None or not episode.put_keys:
        return current or next(iter(same), None)
    return next((text for text in same if not set(text.put_keys).isdisjoint(episode.put_keys)), None)


def edited(episode: Episode, texts: Sequence[StoredText]) -> Episode:
    """The episode as the next text of its external id: where it is not the first one, it stands where that stood."""
    if not texts:
        return episode
    before = newest(texts) or texts[-1]
    position = before.position if episode.position is None else episode.position
    return replace(episode, revises=episode.id, position=position)


CALL_CHARS = 20_000
"""How much of several turns is read together."""


def calls(request: str, episodes: Sequence[Episode], turns: int) -> dict[str, str]:
    """Which episodes of a request are to be read together, by id: so many turns of a session in a row, at most.

    Those of one user only, for a model may put into one turn what it reads in another. A turn that is read alone is in
    no call.
    """
    by_session: dict[tuple[str, str], list[Episode]] = {}
    for episode in {episode.id: episode for episode in episodes}.values():
        by_session.setdefault((episode.session, episode.user), []).append(episode)
    runs = [run for (session, _), turns_said in by_session.items() if session for run in _runs(turns_said, turns)]
    return {
        episode.id: digest("call", request, number)
        for number, run in enumerate(runs)
        if len(run) > 1
        for episode in run
    }


def _runs(episodes: Iterable[Episode], turns: int) -> list[list[Episode]]:
    runs: list[list[Episode]] = [[]]
    for episode in episodes:
        room = CALL_CHARS - sum(len(turn.content) for turn in runs[-1])
        if runs[-1] and (len(runs[-1]) >= turns or len(episode.content) > room):
            runs.append([])
        runs[-1].append(episode)
    return runs


@dataclass(frozen=True, slots=True, kw_only=True)
class CloserReader:
    """Who reads again, by which strategy.

    ``name`` is written on each episode that it was asked to read. ``version`` is that of an offline reader, "" of a
    language model: what this version read, it would read alike.
    """

    name: str
    how: Reprocessing
    version: str = ""

    @property
    def is_model(self) -> bool:
        """Whether a language model reads."""
        return not self.version


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadableEpisode:
    """An episode that may be read again: by which version of a reader it was read, and how many entities it names."""

    id: str
    read_by: str
    entities: int


@dataclass(frozen=True, slots=True)
class EpisodeReceipt:
    """An accepted episode: ``new`` is false where the same one had come before."""

    id: str
    new: bool
    status: str
