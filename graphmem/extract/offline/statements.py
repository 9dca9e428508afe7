"""What was found becomes a claim: its sentence in the third person, its confidence, and what kind of fact it is."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from graphmem.extract.offline.names import Found
from graphmem.extract.offline.tables.predicates import CATEGORIES, ENDED, FAVORITE, STATEMENTS, as_fact
from graphmem.model.claim import ClaimKind
from graphmem.model.dates import EVENTS
from graphmem.model.fragment import ProposedClaim, ThingName
from graphmem.model.interval import BEGIN

OVERDUE = timedelta(days=30)
"""So long after its day, a plan is either done or given up."""
_CONFIDENCE = {True: 0.9, False: 0.7}
"""Of what somebody says of themselves, and of others."""


@dataclass(frozen=True, slots=True)
class Assertion:
    """When and how something held, as one clause says it.

    ``asked``: it is what the speaker asks for. ``past``: it is said in the past tense. ``days`` are those on which it
    happened, ``[first, after)`` in the speaker's zone, where they are said. ``unread`` are words that say since when,
    or when it ended, and that nobody could read; ``unread_end`` are such words that say until when.
    """

    kind: ClaimKind
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    asked: bool = False
    past: bool = False
    days: tuple[datetime, datetime] | None = None
    unread: str = ""
    unread_end: str = ""

    @property
    def begins(self) -> datetime | None:
        """``BEGIN`` where nobody knows since when it is so."""
        unknown = self.unread and self.kind.asserts and self.valid_from is None
        return BEGIN if unknown else self.valid_from


def claim_of(
    predicate: str,
    assertion: Assertion,
    subject: Found,
    found: Found,
    quote: tuple[int, int],
    *,
    speaker: ThingName | None,
    literal: bool,
) -> ProposedClaim:
    """The claim that ``subject`` – ``predicate`` – ``found`` holds, or has the value of that name where ``literal``."""
    category, importance = CATEGORIES["instruction"] if assertion.asked else as_fact(predicate, subject.name)
    return ProposedClaim(
        kind=assertion.kind,
        subject=subject.name,
        predicate=predicate,
        object=None if literal else found.name,
        value=found.name.name if literal else None,
        statement=_statement(predicate, assertion, subject, found),
        quote_start=quote[0],
        quote_end=quote[1],
        valid_from=assertion.begins,
        valid_to=assertion.valid_to,
        time_unread=assertion.unread or assertion.unread_end,
        confidence=_CONFIDENCE[speaker in (subject.name, found.name)],
        importance=importance,
        category=category,
        event=assertion.days if predicate in EVENTS and assertion.kind is ClaimKind.STARTS else None,
    )


def _statement(predicate: str, assertion: Assertion, subject: Found, found: Found) -> str:
    now, past = _templates(predicate, found.name.type)
    over = assertion.valid_to is not None and (assertion.past or assertion.valid_from is not None)
    ended = ENDED.get(f"{predicate} {found.name.type}") or ENDED.get(predicate, "")
    template = (past if over else now) if assertion.kind.asserts else ended
    sentence = f"{subject.phrase} {template.format(found.phrase)}"
    return sentence if sentence.endswith(".") else f"{sentence}."


def _templates(predicate: str, kind: str) -> tuple[str, str]:
    if predicate.startswith(FAVORITE):
        words = predicate.replace("_", " ")
        return f"has the {words} {{}}", f"had the {words} {{}}"
    return STATEMENTS.get(f"{predicate} {kind}") or STATEMENTS[predicate]
