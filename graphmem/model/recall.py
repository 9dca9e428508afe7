"""Answers: entities as they were known, and what was believed of them, with what it rests on."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from graphmem.model.belief import BeliefRow
from graphmem.model.claim import AssertedBy, ClaimKind, Scalar
from graphmem.model.episode import StoredEpisode
from graphmem.model.interval import BEGIN, MICROSECOND
from graphmem.model.projection.existence import Existence

VersionPosition = tuple[str, str, datetime, datetime, str]
FIRST_VERSION: VersionPosition = ("", "", BEGIN, BEGIN, "")
EVIDENCE_LIMIT = 10
"""Claims shown with each belief of an answer, first said first."""
MOST_COUNTED = 10_000
"""Mentions, or beliefs, up to which those of one entity are counted."""
PROFILE_LIMIT = 20
"""Beliefs shown of each of two entities, and neighbours of both."""
MARGIN = 3.0
"""Seconds that a transaction may outlast its time-out: a server's monitor is up to two seconds late."""


def horizon(clock: datetime, transaction_timeout: float, *, importing: bool, settled_until: datetime) -> datetime:
    """The latest ``known_at`` that no open or later transaction can write at or before, as long as clocks go on.

    Transactions end some seconds after their time-out. What lies below an import's last stamp stays as well; while a
    group imports, nothing later does.
    """
    imported = settled_until - MICROSECOND if settled_until > BEGIN else BEGIN
    if importing:
        return imported
    return max(imported, clock - timedelta(seconds=transaction_timeout + MARGIN))


@dataclass(frozen=True, slots=True, kw_only=True)
class Horizon:
    """Up to when answers of a group have settled by the clock (or the import), and up to when that was promised.

    A clock may step back. A promise is kept all the same: whoever writes exceeds it.
    """

    until: datetime
    promised: datetime
    importing: bool


def version_position(belief: BeliefRow) -> VersionPosition:
    """The order of a history: (predicate, target, valid_from, recorded_at, id)."""
    return (belief.predicate, belief.target, belief.valid_from, belief.recorded_at, belief.id)


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownEntity:
    """An entity as it was known: under the name that it had then. ``part_of``: the one that stood for it, or None.

    ``existence`` is what was believed, by the reader, of it and of all that were the same.
    ``protected``: only people merged it.
    """

    id: str
    type: str
    key: str
    qualifier: str
    name: str
    recorded_at: datetime
    part_of: str | None
    existence: Existence
    protected: bool


def identities(entities: Iterable[KnownEntity]) -> set[str]:
    """The ids of what entities are, each identity once."""
    return {entity.part_of or entity.id for entity in entities}


@dataclass(frozen=True, slots=True, kw_only=True)
class SoughtName:
    """A name to look up by its key, and how fuller names begin, or by which tokens matching finds these."""

    name: str
    key: str
    prefixes: tuple[str, ...]
    tokens: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Bearers:
    """Of a name that is asked for: whether anything bears it (``borne``), and whose ``fuller`` name it is short for.

    It is short for nobody's where anything was ever believed of who bears it.
    """

    name: str
    borne: bool
    fuller: tuple[KnownEntity, ...]

    @property
    def taken_for(self) -> KnownEntity | None:
        """The one person whose name it is short for; None where that is nobody, or several."""
        return self.fuller[0] if len(identities(self.fuller)) == 1 else None


@dataclass(frozen=True, slots=True, kw_only=True)
class ClusterMember:
    """An entity that another one stands for: by which merge, and since when that is known."""

    entity: KnownEntity
    merge_id: str
    since: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class ShortFor:
    """The entity that a short name means in a session, for everybody (user "") or in one user's memory."""

    session: str
    user: str
    entity: KnownEntity
    merge_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Cluster:
    """All that an entity is the same as, to a reader: what stands for all, and its members, those merged first first.

    ``mentions`` counts those of all of them, up to a limit. ``short_for`` says what the entity means as a short name.
    """

    entity: KnownEntity
    representative: KnownEntity
    members: tuple[ClusterMember, ...]
    mentions: int
    short_for: tuple[ShortFor, ...]

    @property
    def aliases(self) -> tuple[str, ...]:
        """The names in the cluster but the entity's own, each once, that of the representative first."""
        names = dict.fromkeys([self.representative.name, *(member.entity.name for member in self.members)])
        return tuple(name for name in names if name != self.entity.name)


@dataclass(frozen=True, slots=True, kw_only=True)
class ProfileBelief:
    """What is believed of an entity: the other end of a relationship (its subject ``as_object``), or a value."""

    predicate: str
    as_object: bool
    entity: KnownEntity | None
    value: Scalar


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownProfile:
    """An entity as somebody looks at it who is to say who it is: the first of ``total`` beliefs, by importance."""

    cluster: Cluster
    first_seen: datetime
    beliefs: tuple[ProfileBelief, ...]
    total: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedNeighbour:
    """An entity to which two others both have a relationship, with the predicates on each side."""

    entity: KnownEntity
    of_first: tuple[str, ...]
    of_second: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SideBySide:
    """Two entities, and what they have in common."""

    first: KnownProfile
    second: KnownProfile
    neighbours: tuple[SharedNeighbour, ...]

    @property
    def profiles(self) -> tuple[KnownProfile, KnownProfile]:
        return self.first, self.second

    @property
    def entities(self) -> tuple[KnownEntity, ...]:
        return tuple(profile.cluster.entity for profile in self.profiles)


@dataclass(frozen=True, slots=True)
class Subgraph:
    """Beliefs with their evidence, and by id the entities at their ends and those that were asked for."""

    beliefs: tuple[BeliefRow, ...]
    entities: Mapping[str, KnownEntity]


@dataclass(frozen=True, slots=True, kw_only=True)
class Graph:
    """The believed subgraph at a point in time. ``complete`` is false where ``limit`` cut it off."""

    entities: tuple[KnownEntity, ...]
    beliefs: tuple[BeliefRow, ...]
    complete: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    """Versions of an entity's beliefs, and the entities at their ends; the entity itself comes first."""

    entities: tuple[KnownEntity, ...]
    versions: tuple[BeliefRow, ...]
    complete: bool

    @property
    def entity(self) -> KnownEntity:
        return self.entities[0]


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldValue:
    """A belief that holds: since when that is known, and what ended as it began.

    ``as_object``: whom was asked about is its object.
    """

    belief: BeliefRow
    known_since: datetime
    replaced: tuple[BeliefRow, ...]
    as_object: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownState:
    """What holds of an entity by a predicate. Where nothing does: why, and what did last ``before``.

    ``entities`` are those at the ends of beliefs. ``near`` are names spelt much like one that nobody bears: then there
    is no ``entity``.
    """

    entity: KnownEntity | None
    entities: tuple[KnownEntity, ...] = ()
    values: tuple[HeldValue, ...] = ()
    before: tuple[BeliefRow, ...] = ()
    unknown: str | None = None
    near: tuple[str, ...] = ()
    complete: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangedBelief:
    """A belief that held at both instants, and what of it differs."""

    before: BeliefRow
    after: BeliefRow
    fields: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """What began, ended and changed between two points in time."""

    began: tuple[BeliefRow, ...]
    ended: tuple[BeliefRow, ...]
    changed: tuple[ChangedBelief, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Diff:
    """A difference with evidence and the entities at its ends. ``complete`` is false where ``limit`` cut it off."""

    difference: Difference
    entities: tuple[KnownEntity, ...]
    complete: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownClaim:
    """A claim as it was known: ``retracted_at`` is open unless it was retracted by then.

    ``redacted``: its quote is gone with the words of its episode.
    """

    id: str
    kind: ClaimKind
    episode_id: str
    statement: str
    quote: str
    quote_start: int
    quote_end: int
    valid_from: datetime
    valid_to: datetime
    from_stated: bool
    to_stated: bool
    said_at: datetime
    recorded_at: datetime
    retracted_at: datetime
    confidence: float
    extractor: str
    extractor_version: str
    asserted_by: AssertedBy
    protecting: bool
    cap: float | None
    gave_way_to: str
    time_unread: str
    redacted: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptClaim:
    """A claim that stands. ``belief_id`` is that of a belief that rests on it now; "" where none does."""

    claim_id: str
    kind: ClaimKind
    statement: str
    predicate: str
    user: str
    belief_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptClaims:
    """The claims of an episode that stand: the first of ``total``, in the order of the text.

    Those of which no words stand there come last.
    """

    episode_id: str
    claims: tuple[KeptClaim, ...]
    total: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Grounds:
    """A version of a belief, the claims that it rests on and that end it, and the episodes that make them."""

    belief: BeliefRow
    entities: tuple[KnownEntity, ...]
    claims: tuple[KnownClaim, ...]
    episodes: tuple[StoredEpisode, ...]
    complete: bool
