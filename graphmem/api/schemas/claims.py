"""Structured claims as posted, and what became of them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any, Literal, Self, cast

from pydantic import Discriminator, Field, Tag, model_validator

from graphmem.api.errors import InvalidRequest, invalid
from graphmem.api.schemas.words import (
    MOST_ITEMS,
    Attributes,
    ContentHash,
    EntityType,
    EventDays,
    Instant,
    LongText,
    Name,
    Request,
    ScalarValue,
    Share,
    Start,
    TimeZone,
)
from graphmem.errors import CallerError, GraphmemError, InvalidInput
from graphmem.model import fragment
from graphmem.model.claim import Category, ClaimKind, ClaimStatus, Scalar
from graphmem.model.dates import UTC_NAME, offset_of
from graphmem.model.entity import OUR_SOURCES
from graphmem.model.evidence import StructuredClaim
from graphmem.model.interval import as_instant, is_day
from graphmem.model.limits import HandedText
from graphmem.resolve.structured import complete

ToldKind = Literal[ClaimKind.STARTS, ClaimKind.HOLDS, ClaimKind.ENDS]
"""What a claim of a caller may do; those of other kinds are made by calls about facts, and by jobs."""


class NamedThing(Request):
    """A thing by its name and its type, and, where several have that name, by its ``id`` in the claim's ``source``."""

    name: Name
    type: EntityType
    id: Name | None = None

    def to_domain(self, source: str | None) -> fragment.ThingName:
        return fragment.ThingName(self.name, self.type, "" if self.id is None else f"{source or ''}:{self.id}")


class EventIn(Request):
    """On which days something happened that is known to have: a day, a month (2025-05), or first and last day."""

    day: EventDays


class Told(Request):
    """What is said of a subject: an object or a value, since when and until when, by whom and where it is from."""

    subject: NamedThing
    object: NamedThing | None = None
    value: ScalarValue | None = None
    statement: LongText | None = None
    valid_from: Start | None = None
    valid_to: Instant | None = None
    occurred_at: Instant | None = None
    user: Name | None = None
    source: Name | None = None
    external_id: Name | None = None
    recorded_at: Instant | None = None
    attributes: Attributes = Field(default_factory=dict[str, Scalar])
    beside: bool | None = None

    @model_validator(mode="after")
    def _names_sources_of_ids(self) -> Self:
        ids = self.subject.id is not None or (self.object is not None and self.object.id is not None)
        if ids and (":" in (self.source or "") or self.source in OUR_SOURCES):
            ours = ", ".join(sorted(OUR_SOURCES))
            raise ValueError(f"has ids of a source whose name has a colon, or is one of {ours}: give it another name")
        return self

    def handed(self) -> HandedText:
        """What is said, as it counts towards limits."""
        return HandedText.of(self.user, self.statement, self.value, self.attributes)

    def claim(self, valid_from: datetime | None, said_at: datetime, **others: Any) -> StructuredClaim:
        """What is said as a claim that starts to hold at ``valid_from``; None is an unknown start."""
        return self.into(
            StructuredClaim,
            subject=self.subject.to_domain(self.source),
            object=self.object.to_domain(self.source) if self.object else None,
            valid_from=valid_from,
            from_stated="valid_from" in self.model_fields_set,
            occurred_at=said_at,
            **{"time_zone": offset_of(self.valid_from) if self.valid_from else UTC_NAME, **others},
        )


def _has_time_zone_and_day(posted: object) -> bool:
    if not isinstance(posted, Mapping):
        return False
    claim = cast("Mapping[str, object]", posted)
    return claim.get("time_zone") is not None and is_day(claim.get("valid_from"))


class ClaimIn(Told):
    """That subject – predicate – object or value starts, holds or ends at a time.

    Without ``valid_from`` it does so when it is said (``occurred_at``, by default now), or, if it ended before, from an
    unknown start; null is an unknown start.

    ``status`` says how it is said: what is planned, wished, able or negated has the predicate `plans`, `wishes`, `can`
    or `not`, and the clause as value. ``verb`` says what somebody `did`. Both are open: they end and contradict
    nothing; ``open`` says so of another predicate. A correction by the same predicate keeps what it does not say of
    these and of ``beside``, and the days of an event.

    What `visited`, `bought`, `ordered` and the like say is an event of the day of ``valid_from``, and of those until
    ``valid_to`` if there is one: on another day it is another one. ``event`` says on which days anything happened, also
    of which the day is not known, in place of ``valid_from``. Days are those of ``time_zone`` (an IANA name or an
    offset), else of the offset of ``valid_from``.

    ``beside``: it stands beside other values of its predicate (“I also work at Otto”). Of a predicate whose values are
    `successive` it ends none that began before, and none that begins later ends it.

    ``external_id`` names it among the claims and facts of its user: the same again is the same claim, another a 409.
    ``recorded_at`` is for groups that import, and needed there: it never decreases.
    """

    kind: ToldKind = ClaimKind.STARTS
    predicate: Name
    confidence: Share = 1.0
    importance: Share = 0.5
    category: Category | None = None
    status: ClaimStatus | None = None
    verb: Name | None = None
    open: bool | None = None
    event: EventIn | None = None
    time_zone: TimeZone | None = None

    @model_validator(mode="before")
    @classmethod
    def _says_whose_day(cls, posted: object) -> object:
        if _has_time_zone_and_day(posted):
            raise ValueError(
                "has a time_zone, and a day in UTC as valid_from: write its time and offset, or the day as `event`"
            )
        return posted

    @model_validator(mode="after")
    def _fits(self) -> Self:
        targets = (self.object is not None) + (self.value is not None)
        if targets > 1 or (targets == 0 and self.kind.asserts):
            raise ValueError("needs either an object or a value")
        if not self.kind.asserts and (self.valid_to is not None or self._start_unknown):
            raise ValueError("ends at its valid_from; it has no valid_to and no unknown start")
        return self

    @property
    def _start_unknown(self) -> bool:
        return "valid_from" in self.model_fields_set and self.valid_from is None

    def start(self, occurred_at: datetime) -> datetime | None:
        """The start of the claim; None where it is unknown: stated so, or over when the claim was said."""
        if "valid_from" in self.model_fields_set:
            return self.valid_from and as_instant(self.valid_from)
        return None if self.valid_to is not None and self.valid_to <= occurred_at else occurred_at

    def to_domain(self, occurred_at: datetime) -> StructuredClaim:
        zone = {"time_zone": self.time_zone} if self.time_zone else {}
        return self.claim(self.start(occurred_at), occurred_at, day=self.event.day if self.event else "", **zone)


class ClaimList(Request):
    claims: Annotated[list[ClaimIn], Field(min_length=1, max_length=MOST_ITEMS)]


def _shape(value: Any) -> str:
    if isinstance(value, list):
        return "list"
    return "claims" if isinstance(value, dict) and "claims" in value else "one"


ClaimsIn = Annotated[
    Annotated[ClaimIn, Tag("one")]
    | Annotated[ClaimList, Tag("claims")]
    | Annotated[list[ClaimIn], Tag("list"), Field(min_length=1, max_length=MOST_ITEMS)],
    Discriminator(_shape),
]
CLAIM_TAGS = frozenset({"one", "claims", "list"})


def claim_list(posted: ClaimIn | ClaimList | list[ClaimIn]) -> list[ClaimIn]:
    if isinstance(posted, ClaimIn):
        return [posted]
    return posted.claims if isinstance(posted, ClaimList) else posted


def claim_in(item: ClaimIn, occurred_at: datetime, pointer: str = "") -> StructuredClaim:
    """A claim said at ``occurred_at``.

    Raises:
        InvalidRequest: it ends before it starts.
    """
    claim = item.to_domain(occurred_at)
    if claim.valid_to is not None and claim.valid_from is not None and claim.valid_to <= claim.valid_from:
        raise invalid("body", pointer, "the claim ends before it starts, or as it starts")
    return claim


def whole_claim_in(item: ClaimIn, occurred_at: datetime, pointer: str = "") -> StructuredClaim:
    """A claim said at ``occurred_at`` that corrects none: what it leaves out follows from its predicate.

    Raises:
        InvalidRequest: it ends before it starts; or what it says of status, verb and days contradicts itself.
    """
    try:
        return complete(claim_in(item, occurred_at, pointer))
    except InvalidRequest:
        raise
    except InvalidInput as error:
        raise invalid("body", pointer, str(error)) from None


@dataclass(frozen=True, slots=True)
class PostedClaims:
    """Claims of one request with their places in it.

    Those of a list are stored all or not at all, but for what is barred. ``each``: those of an NDJSON stream are taken
    line by line, and lines that cannot be taken are ``refused`` without the others. ``alone``: one that is in no list.
    """

    claims: Mapping[int, ClaimIn]
    refused: Mapping[int, GraphmemError]
    each: bool
    alone: bool = False

    def each_of(self, allow: Callable[[ClaimIn], ClaimIn]) -> "PostedClaims":
        """What ``allow`` makes of each claim. What it refuses is refused: the line, or all of a list.

        Raises:
            CallerError: what ``allow`` raises of a claim in a list.
        """
        claims, refused = dict[int, ClaimIn](), dict(self.refused)
        for number, item in self.claims.items():
            try:
                claims[number] = allow(item)
            except CallerError as error:
                if not self.each:
                    raise
                refused[number] = error
        return PostedClaims(claims, refused, self.each, self.alone)


class RetractIn(Request):
    """``recorded_at`` is for groups that import, and needed there."""

    recorded_at: Instant | None = None


class CorrectIn(Request):
    """What is to stand in place of the claim, in full.

    `content_sha256` is of the statement of the claim that you read: if that says something else, it is 409.
    """

    content_sha256: ContentHash | None = None
    claim: ClaimIn
