"""Evidence: one episode says that something held, or ended, over a time. Never edited; it can be retracted."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from functools import cached_property
from itertools import starmap
from typing import NamedTuple

from graphmem.errors import InvalidInput
from graphmem.model.episode import FIRST_TURN, TurnOrder
from graphmem.model.ids import digest
from graphmem.model.interval import BEGIN, END, Interval

STRUCTURED = "structured"
"""The extractor of claims that nobody extracted."""
Value = str | int | float | bool
Scalar = Value | None


def attributes_json(attributes: Mapping[str, Scalar]) -> str:
    """Attributes as they are stored: the same ones are the same text."""
    return json.dumps(dict(attributes), sort_keys=True)


class ClaimKind(StrEnum):
    """``starts`` asserts from an instant on, ``holds`` supports without starting, ``ends`` closes.

    ``rejects`` and ``lowers`` speak of what was said, not of the world (``projection.slot``): one value of a slot is
    not to be believed, or with less confidence.
    """

    STARTS = "starts"
    HOLDS = "holds"
    ENDS = "ends"
    REJECTS = "rejects"
    LOWERS = "lowers"

    @property
    def asserts(self) -> bool:
        """Whether it says that something holds."""
        return self in (ClaimKind.STARTS, ClaimKind.HOLDS)

    @property
    def begins(self) -> bool:
        """Whether what it says begins with it, whatever holds already."""
        return self is ClaimKind.STARTS

    @property
    def is_act(self) -> bool:
        """Whether it is about what was said of a value, rather than about the world."""
        return self in (ClaimKind.REJECTS, ClaimKind.LOWERS)


class AssertedBy(StrEnum):
    """Who stands for a claim: a ``person`` who asserted it on purpose, what was said in ``passing``, or a ``model``."""

    PERSON = "person"
    PASSING = "passing"
    MODEL = "model"

    @property
    def rank(self) -> int:
        """The higher, the rather it is believed."""
        return (AssertedBy.MODEL, AssertedBy.PASSING, AssertedBy.PERSON).index(self)


class ClaimStatus(StrEnum):
    """How an open claim is said. Only what is asserted is believed to be so; of the others, that it was said."""

    ASSERTED = "asserted"
    PLANNED = "planned"
    WISHED = "wished"
    ABLE = "able"
    NEGATED = "negated"


STATED: Mapping[ClaimStatus, str] = {
    ClaimStatus.PLANNED: "plans",
    ClaimStatus.WISHED: "wishes",
    ClaimStatus.ABLE: "can",
    ClaimStatus.NEGATED: "not",
}
"""The predicates of open claims that assert nothing but that somebody said so."""
OVERDUE = timedelta(days=30)
"""So long after its day, a plan is either done or given up."""
GIVEN_UP = timedelta(days=120)
"""So long after somebody spoke of it, a plan or a wish that has no day is either done or given up."""
DID, VERB, DETAIL = "did", "verb", "detail"
"""The open predicate of a verb that no canonical one has; the attributes that tell the verb, and what else is said."""
_TELLING = (DETAIL, VERB)
_STATUS_OF = {predicate: status for status, predicate in STATED.items()}


def status_of(predicate: str, *, is_open: bool) -> ClaimStatus:
    """The status of claims with a predicate. Claims that are not open are asserted, whatever their predicate."""
    return _STATUS_OF.get(predicate, ClaimStatus.ASSERTED) if is_open else ClaimStatus.ASSERTED


def attribute_text(key: str, value: Scalar) -> str:
    """An attribute as one text."""
    return f"{key}={json.dumps(value)}"


def distinguishing(attributes: Mapping[str, Scalar], *, is_open: bool) -> tuple[str, ...]:
    """What tells open claims of one predicate and one object apart: their verb and detail, each as one text.

    Taking the dog to the vet is not taking it to the beach. Nothing tells curated claims apart so.
    """
    return tuple(starmap(attribute_text, _distinguishing(attributes, is_open=is_open).items()))


def _distinguishing(attributes: Mapping[str, Scalar], *, is_open: bool) -> dict[str, Scalar]:
    values = {key: attributes.get(key) for key in _TELLING} if is_open else {}
    return {key: value for key, value in values.items() if value is not None}


class Category(StrEnum):
    """What kind of a fact it is: a label, and no part of what is claimed."""

    IDENTITY = "identity"
    PREFERENCE = "preference"
    CONSTRAINT = "constraint"
    INSTRUCTION = "instruction"
    GOAL = "goal"
    COMMITMENT = "commitment"
    PERSONALITY = "personality"
    HOBBY = "hobby"
    RELATIONSHIP = "relationship"
    MILESTONE = "milestone"
    OCCUPATION = "occupation"
    HABIT = "habit"
    OTHER = "other"


def target_of(object_id: str | None, value: Scalar) -> str:
    """What a claim is about beside its subject: the object's id, a hash of the value, or "" for neither."""
    if object_id is not None:
        return object_id
    return "" if value is None else digest("value", type(value).__name__, value)


class Telling(NamedTuple):
    """When something was said, and where in what was said then; the lesser of two was said earlier.

    Of one instant, what was said is in the order of its episodes (``turn``), and in one episode in that of the quotes.
    """

    at: datetime
    turn: TurnOrder = FIRST_TURN
    start: int = 0


NEVER = Telling(BEGIN)
"""Before all that anybody said."""


@dataclass(frozen=True, kw_only=True)
class Claim:
    """A claim about an entity and either another entity (``object_id``) or a literal (``value``).

    An ``ends`` may have neither: it then ends whatever holds in the slot, of a predicate that does not hold many. For
    ``ends``, ``valid_from`` is the instant of ending. ``category`` is a label of a fact (identity, preference, …), ""
    for none, and no part of what is claimed. ``session`` names the session of its episode, ``turn`` is where that
    stands among the episodes of its instant. ``revision`` is the reading of the episode that first said it: 0, or that
    of a later digest.

    ``from_precision`` is how many days the words of a stated start speak of: 366 of “2024”, 31 of “March 2024”, 1 of a
    day; 0 of an instant.

    ``time_unread`` are words that say when it was, and that nobody could read; "" where there are none. The start of
    one that asserts is then unknown, unless they say until when it holds; one that ends did so by ``valid_from``.

    ``open``: neither the trained reader nor an ontology knows the predicate; it ends and contradicts nothing that one
    does. ``day`` says on which days an event happened, ISO 8601 in the time zone of its episode (``model.dates``), ""
    for what lasts; an event happened in ``[valid_from, event_to)``.

    What is said ``beside`` other values of its predicate cuts none (“I also work at Otto”).

    A ``protecting`` start is a confirmation: no ``lowers`` acts on it. A ``lowers`` has a ``cap``: no claim of its
    value said before it has more confidence, and at 0 none counts. ``gave_way_to`` is the id of the claim to which the
    value gave way, "" for none.
    """

    group_id: str
    episode_id: str
    kind: ClaimKind
    subject_id: str
    predicate: str
    object_id: str | None = None
    value: Scalar = None
    statement: str
    quote: str
    quote_start: int
    quote_end: int
    valid_from: datetime
    valid_to: datetime = END
    from_stated: bool
    from_precision: int = 0
    to_stated: bool = False
    time_unread: str = ""
    said_at: datetime
    turn: TurnOrder = FIRST_TURN
    confidence: float
    importance: float = 0.5
    category: str = ""
    user: str = ""
    session: str = ""
    attributes: Mapping[str, Scalar] = field(default_factory=dict[str, Scalar])
    extractor: str
    extractor_version: str
    revision: int = 0
    open: bool = False
    day: str = ""
    event_to: datetime | None = None
    beside: bool = False
    asserted_by: AssertedBy = AssertedBy.PASSING
    protecting: bool = False
    cap: float | None = None
    gave_way_to: str = ""

    def __post_init__(self) -> None:
        Interval(self.valid_from, self.valid_to)
        if (self.cap is not None) != (self.kind is ClaimKind.LOWERS):
            raise InvalidInput("A claim that lowers has a cap, and no other claim has one.")
        if self.kind.is_act and not self.target:
            raise InvalidInput(f"A claim that {self.kind} names one value: give it an object or a value.")
        if self.beside and not self.kind.asserts:
            raise InvalidInput("Only a claim that says that something holds stands beside other values.")
        if self.protecting and self.kind is not ClaimKind.STARTS:
            raise InvalidInput("Only a claim of the kind starts protects what it says.")

    @cached_property
    def target(self) -> str:
        """What the claim is about beside its subject: the object's id, a hash of the value, or "" for neither."""
        return target_of(self.object_id, self.value)

    @property
    def is_reflexive(self) -> bool:
        """Whether its object is its subject."""
        return self.object_id == self.subject_id

    @property
    def is_structured(self) -> bool:
        """Whether it was handed in as such: nobody read it."""
        return self.extractor == STRUCTURED

    @cached_property
    def distinguished_by(self) -> tuple[str, ...]:
        """What tells it apart from other open claims of its predicate and object."""
        return distinguishing(self.attributes, is_open=self.open)

    @property
    def distinguishing_attributes(self) -> dict[str, Scalar]:
        """Attributes that tell it apart from open claims of its predicate and object; none of a curated one."""
        return _distinguishing(self.attributes, is_open=self.open)

    @cached_property
    def id(self) -> str:
        """Equal for equal words of one episode, however often they are read.

        Said again by a later digest, after one that did not say it, they are a claim of their own: the first one's
        retraction stays.
        """
        return digest("claim", self.words, self.revision) if self.revision else self.words

    @cached_property
    def words(self) -> str:
        """What the claim says, and where in which episode, whichever digest said it."""
        return digest(
            "claim",
            self.episode_id,
            self.kind,
            self.subject_id,
            self.predicate,
            self.target,
            self.valid_from,
            self.valid_to,
            self.user,
            self.quote_start,
            self.quote_end,
            *(["open"] if self.open else []),
            *([self.day, self.event_to] if self.day else []),
            *self.distinguished_by,
            *(["beside"] if self.beside else []),
            *(["protecting"] if self.protecting else []),
            *([self.session, self.cap, self.gave_way_to] if self.kind.is_act else []),
        )

    @cached_property
    def telling(self) -> Telling:
        """When and where it was said."""
        return Telling(self.said_at, self.turn, self.quote_start)
