"""A change of evidence: what a digest, a set of structured claims or a correction asks the store to write."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import TypeVar

from graphmem.model.claim import AssertedBy, Claim, ClaimKind, ClaimStatus, Scalar
from graphmem.model.dates import UTC_NAME
from graphmem.model.embedding import EmbeddedText, Vector
from graphmem.model.entity import Entity, KnownAs, Mention, normalise_name
from graphmem.model.episode import Episode
from graphmem.model.fragment import BESIDE_SUMMARY, ThingName, Usage, usage_of
from graphmem.model.interval import BEGIN
from graphmem.model.merge import Merge
from graphmem.model.tombstone import Entrant


@dataclass(frozen=True, slots=True, kw_only=True)
class ResolvedEvidence:
    """What one or more episodes name and claim, resolved to entities. ``known_as`` says who named what how.

    ``dropped`` counts proposed claims that are none, by reason: "contradicting_times", "about_itself",
    "same_words", "not_admitted". ``unread_times`` say, one by one, which words for a time were not read and why;
    ``remarks`` what is missing for more to be claimed.
    """

    entities: tuple[Entity, ...]
    mentions: tuple[Mention, ...]
    claims: tuple[Claim, ...]
    dropped: Mapping[str, int] = field(default_factory=dict[str, int])
    known_as: tuple[KnownAs, ...] = ()
    unread_times: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()


ALL = 2**31
"""More code points than any content has."""
NO_EVIDENCE = ResolvedEvidence(entities=(), mentions=(), claims=())


@dataclass(frozen=True, slots=True, kw_only=True)
class Digested:
    """An episode whose evidence this is, ``embedded`` as far as there are vectors.

    ``start`` and ``end`` are the code points of its content that were read. With ``goes_on`` more pieces follow under
    the same lease, and there is no vector yet; else a missing one is still to come.

    ``provisional``: it is to be digested anew under the same lease, and stands until then. ``low_yield`` names the
    version of the offline reader of which a newer one may find more, "" none. ``context`` are the ids of the turns
    before it, newest first, of which a reader that is to say the same whenever it is asked took ``context_turns`` into
    account.
    """

    episode_id: str
    embedded: EmbeddedText
    extractor: str
    extractor_version: str
    start: int = 0
    end: int = ALL
    goes_on: bool = False
    provisional: bool = False
    low_yield: str = ""
    context: tuple[str, ...] = ()
    context_turns: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """Everything one transaction writes.

    ``lease`` names the episode's digest under way; ``episodes`` are new ones to store in the same transaction
    (structured claims bring their own), and ``entrants`` are those of them that callers hand in. ``vectors`` holds the
    vector of each claim's statement by ``Claim.words``; those that are missing are still to come. The claims
    ``retract`` are withdrawn; with new claims beside them that is a correction. ``recorded_at`` is given in groups that
    import, and only there. ``before`` is what came of the pieces of the episode that were read before. ``adds_to`` is
    the id of an episode that was digested before, to whose claims these are added; what says the same as one of those,
    or is in words that were withdrawn, is left out, and mentions that overlap others of the episode are too.
    ``meanings`` are merges of short names that are said here for the first time in their session; ``keys`` the words by
    which entities that are new here are found until they are indexed.
    """

    group_id: str
    evidence: ResolvedEvidence
    digested: tuple[Digested, ...]
    embedding_model: str
    vectors: Mapping[str, Vector] = field(default_factory=dict[str, Vector])
    episodes: tuple[Episode, ...] = ()
    entrants: tuple[Entrant, ...] = ()
    lease: str | None = None
    milliseconds: Mapping[str, float] = field(default_factory=dict[str, float])
    usage: Usage | None = None
    unread: Mapping[str, int] = field(default_factory=dict[str, int])
    retract: tuple[str, ...] = ()
    recorded_at: datetime | None = None
    before: "ChangeOutcome | None" = None
    adds_to: str = ""
    meanings: tuple[Merge, ...] = ()
    keys: Mapping[str, Collection[str]] = field(default_factory=dict[str, Collection[str]])


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeOutcome:
    """What a change did: counts, whether it found its work done already, and since when retracted claims are so.

    ``dropped`` counts, by reason, what was proposed and is no claim. ``unread_times`` say which words for a time were
    not read and why, ``unread`` counts the code points from which no claims were read because of their language, by its
    name, ``remarks`` say what is missing for more to be claimed. ``milliseconds`` are those of each step, of the
    transaction without its commit (an episode, which is told of it by the last statement, has it without that too);
    ``usage`` is what a model took. ``vectors_pending`` counts texts that were stored without their vector.
    """

    done_before: bool = False
    entities: int = 0
    new_entities: int = 0
    mentions: int = 0
    claims: int = 0
    new_claims: int = 0
    recorded: int = 0
    superseded: int = 0
    vectors_pending: int = 0
    dropped: Mapping[str, int] = field(default_factory=dict[str, int])
    unread_times: tuple[str, ...] = ()
    new_episodes: frozenset[str] = frozenset()
    retracted_at: Mapping[str, datetime] = field(default_factory=dict[str, datetime])
    recorded_at: datetime = BEGIN
    remarks: tuple[str, ...] = ()
    milliseconds: Mapping[str, float] = field(default_factory=dict[str, float])
    usage: Usage | None = None
    unread: Mapping[str, int] = field(default_factory=dict[str, int])


Number = TypeVar("Number", int, float)


def _sums(counts: Iterable[Mapping[str, Number]]) -> dict[str, Number]:
    sums: dict[str, Number] = {}
    for count in counts:
        for key, number in count.items():
            sums[key] = sums[key] + number if key in sums else number
    return sums


def total(outcomes: Iterable[ChangeOutcome]) -> ChangeOutcome:
    """What several changes did together."""
    known = list(outcomes)
    return ChangeOutcome(
        entities=sum(outcome.entities for outcome in known),
        new_entities=sum(outcome.new_entities for outcome in known),
        mentions=sum(outcome.mentions for outcome in known),
        claims=sum(outcome.claims for outcome in known),
        new_claims=sum(outcome.new_claims for outcome in known),
        recorded=sum(outcome.recorded for outcome in known),
        superseded=sum(outcome.superseded for outcome in known),
        vectors_pending=sum(outcome.vectors_pending for outcome in known),
        dropped=_sums(outcome.dropped for outcome in known),
        unread_times=tuple(dict.fromkeys(why for outcome in known for why in outcome.unread_times)),
        milliseconds={step: round(ms, 1) for step, ms in _sums(outcome.milliseconds for outcome in known).items()},
        usage=usage_of([outcome.usage for outcome in known if outcome.usage]),
        unread=_sums(outcome.unread for outcome in known),
        remarks=tuple(dict.fromkeys(remark for outcome in known for remark in outcome.remarks)),
        new_episodes=frozenset(id_ for outcome in known for id_ in outcome.new_episodes),
        recorded_at=max((outcome.recorded_at for outcome in known), default=BEGIN),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class StructuredClaim:
    """A claim handed in as such, without extraction. Names and predicate are taken verbatim.

    ``valid_from`` None is an unknown start. ``statement`` None is made of subject, predicate and object or value.
    ``recorded_at`` is given in groups that import, and only there.

    ``status``, ``verb`` (of ``did``), ``open`` and ``beside`` are None, and ``day`` is "", where the predicate decides,
    or the claim that is corrected: ``resolve.structured.complete`` fills them in, and ``event_to`` of an event. Days
    are those of ``time_zone``. ``tags`` are those of the episode that it brings, and ``position`` is its place in the
    list in which it first came.
    """

    kind: ClaimKind = ClaimKind.STARTS
    subject: ThingName
    predicate: str
    object: ThingName | None = None
    value: Scalar = None
    statement: str | None = None
    valid_from: datetime | None
    from_stated: bool = True
    valid_to: datetime | None = None
    occurred_at: datetime
    confidence: float = 1.0
    importance: float = 0.5
    category: str = ""
    user: str = ""
    source: str | None = None
    external_id: str | None = None
    attributes: Mapping[str, Scalar] = field(default_factory=dict[str, Scalar])
    status: ClaimStatus | None = None
    verb: str | None = None
    open: bool | None = None
    day: str = ""
    event_to: datetime | None = None
    time_zone: str = UTC_NAME
    recorded_at: datetime | None = None
    beside: bool | None = None
    asserted_by: AssertedBy = AssertedBy.PASSING
    tags: tuple[str, ...] = ()
    position: int | None = None

    @property
    def is_between_namesakes(self) -> bool:
        """Whether its object has the name of its subject; it may be another thing of that name."""
        return self.object is not None and normalise_name(self.object.name) == normalise_name(self.subject.name)


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt:
    """A structured claim as stored: ``new`` is false where the same claim had come before."""

    claim_id: str
    episode_id: str
    new: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Retraction:
    """A claim withdrawn: ``new`` is false where it had been before, at ``retracted_at``."""

    claim_id: str
    retracted_at: datetime
    new: bool


@dataclass(frozen=True, slots=True)
class FormerClaim:
    """A claim of an earlier digest. ``replaced``: a later digest withdrew it, rather than a request."""

    claim: Claim
    retracted: bool
    replaced: bool


@dataclass(frozen=True, slots=True)
class Renewal:
    """The claims to write, and those to withdraw, by id."""

    write: tuple[Claim, ...]
    withdraw: tuple[str, ...]


def renew(former: Iterable[FormerClaim], proposed: Iterable[Claim], revision: int) -> Renewal:
    """What makes the claims of an episode those that this digest, number ``revision``, proposes.

    What is said as before stays as it is. What was withdrawn by request, or corrected, is not said again. What a
    language model said beside a summary is withdrawn only where the digest says the same words otherwise.
    """
    known = list(former)
    standing = {
        content_of(former_claim.claim): former_claim.claim for former_claim in known if not former_claim.retracted
    }
    refused = {
        former_claim.claim.words for former_claim in known if former_claim.retracted and not former_claim.replaced
    }
    wanted = {content_of(claim): claim for claim in proposed if claim.words not in refused}
    read = {claim.words for claim in wanted.values()}
    return Renewal(
        write=tuple(replace(claim, revision=revision) for key, claim in wanted.items() if key not in standing),
        withdraw=tuple(
            claim.id
            for key, claim in standing.items()
            if key not in wanted and (claim.extractor != BESIDE_SUMMARY or claim.words in read)
        ),
    )


def content_of(claim: Claim) -> tuple[object, ...]:
    """All that a claim says, whoever read it."""
    return (
        claim.words,
        claim.statement,
        claim.confidence,
        claim.importance,
        claim.category,
        claim.from_precision,
        *sorted(claim.attributes.items()),
        *(() if claim.asserted_by is AssertedBy.PASSING else (claim.asserted_by,)),
    )
