"""Facts as shown, what acts on them changed, and what is contested."""

from datetime import datetime
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from graphmem.answers.answer import Answer, AsOf, JoinedAnswer, Warned
from graphmem.answers.beliefs import BeliefOut
from graphmem.answers.claims import ChangeCounts, ClaimReceipt
from graphmem.answers.grounds import ClaimOut

_AUDIENCE = "`personal` to `user`, or `shared` with everybody in the group."


class RememberedFact(ChangeCounts):
    """The claim that says it, and the predicate that its key became."""

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
