"""Claims and facts as shown: what became of those handed in, what a belief rests on, and what is contested."""

from datetime import datetime
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field

from graphmem.answers.answer import Answer, AsOf, JoinedAnswer, ReadAnswer, ShownInstant, TextOrNull, Warned, attribute
from graphmem.answers.beliefs import BeliefOut
from graphmem.answers.episodes import SaidEpisode
from graphmem.answers.outcomes import KeptOut
from graphmem.model.claim import AssertedBy


class ClaimReceipt(Answer):
    """``line`` counts the lines of an NDJSON stream from 1; null for other bodies."""

    claim_id: str
    episode_id: str
    new: bool
    line: int | None


class RefusedClaim(Answer):
    """A claim that changed nothing, and why: a line of an NDJSON stream, from 1, or an item of a list, from 0.

    Of a list only what was forgotten, or is of a user who opted out, is refused by itself.
    """

    line: int | None
    item: int | None
    problem: dict[str, Any]


class ChangeCounts(Warned):
    """What changed: entities named, claims new, rows recorded and superseded.

    ``new_entities``: of which those for whom it was said had not heard before.
    ``vectors_pending``: claims that searches find by full text only, until the embedding model is back.
    """

    entities: int
    new_entities: int
    new_claims: int
    recorded: int
    superseded: int
    vectors_pending: int


class AcceptedClaims(ChangeCounts):
    """The claims in the order given, and what they changed in one transaction."""

    claims: list[ClaimReceipt]
    refused: list[RefusedClaim]


class RetractedClaim(ChangeCounts):
    """``new`` is false where the claim had been retracted before, at ``retracted_at``."""

    claim_id: str
    retracted_at: datetime
    new: bool


class CorrectedClaim(RetractedClaim):
    """The claim that was retracted, and the receipt of the one in its place."""

    claim: ClaimReceipt


class ClaimOut(Answer):
    """What one episode says, at characters ``start`` to ``end`` of it. A claim that ``ends`` does so at ``valid_from``.

    ``retracted_at`` is null unless it was retracted by ``known_at``. ``time_unread`` are words that say when, and that
    nobody could read: what it says to be so then began at an unknown time, or ended at the latest at ``valid_from``.

    One that ``rejects`` or ``lowers`` is about what was said of this value before ``said_at``: it is not believed, or
    at most with the confidence ``cap``, 0 being not at all, for it ``gave_way_to`` another claim, if one is named. A
    ``protecting`` claim is not lowered.

    ``redacted``: its quote is gone with the words of its episode, and so are those of ``time_unread``.
    """

    claim_id: Annotated[str, attribute("id")]
    kind: str
    episode_id: str
    statement: str
    quote: str
    start: Annotated[int, attribute("quote_start")]
    end: Annotated[int, attribute("quote_end")]
    valid_from: ShownInstant
    valid_to: ShownInstant
    from_stated: bool
    to_stated: bool
    said_at: datetime
    recorded_at: datetime
    retracted_at: ShownInstant
    confidence: float
    extractor: str
    extractor_version: str
    asserted_by: AssertedBy
    protecting: bool
    cap: float | None
    gave_way_to: TextOrNull
    time_unread: TextOrNull
    redacted: bool


class GroundsOut(ReadAnswer):
    """A version of a belief, and the claims about it in the order in which they were said.

    They start, hold and end it, or reject or lower its value.

    A superseded version shows what was recorded until then. ``valid_at`` is null unless it was asked for.
    ``next_cursor`` asks for the claims that follow; null at the end. ``episodes`` are those of the claims shown.
    """

    valid_at: datetime | None
    known_at: datetime
    belief: BeliefOut
    claims: list[ClaimOut]
    episodes: Annotated[list[SaidEpisode], Field(description="In the order in which they were said.")]
    next_cursor: str | None


_AUDIENCE = "`personal` to `user`, or `shared` with everybody in the group."


class RememberedFact(ChangeCounts, KeptOut):
    """The claim that says it, the predicate that its key became, and whether that is believed."""

    claim: ClaimReceipt
    predicate: str


class SharedFact(Warned):
    """Who may see a fact from ``access_changed_at`` on; ``versions``: of how many of its versions that changed."""

    id: str
    belief_id: str
    audience: Annotated[Literal["personal", "shared"], Field(description=_AUDIENCE)]
    access_changed_at: datetime
    versions: int


class ActedFact(ChangeCounts):
    """The version acted on, and the claims that say so: each can be retracted."""

    id: str
    belief_id: str
    episode_id: str
    claim_ids: list[str]


class FactOut(JoinedAnswer, BeliefOut):
    """A belief that has a category. ``tags`` are those of the episodes shown as its evidence.

    ``protected``: somebody confirmed it, so that it neither fades nor gives way to what is less sure.
    """

    joins: ClassVar = ("belief",)

    audience: Annotated[Literal["personal", "shared"], Field(description=_AUDIENCE)]
    protected: bool
    tags: list[str]


class FactList(AsOf):
    """Facts, the most important first, and the entities at their ends."""

    facts: list[FactOut]
    next_cursor: str | None


class ConflictOut(Answer):
    """A contested belief with its evidence, and claims of other values that speak of the same time, newest first."""

    belief: BeliefOut
    disputing: list[ClaimOut]


class ConflictList(AsOf):
    """What is contested, the most important first."""

    conflicts: list[ConflictOut]
    next_cursor: str | None
