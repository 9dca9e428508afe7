"""Entities as shown: with all that they are the same as, the merges that say so, and pairs for somebody to decide."""

from datetime import datetime
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from graphmem.answers.answer import Answer, AsOf, JoinedAnswer, ReadAnswer, ShownInstant, TextOrNull, Warned, attribute
from graphmem.answers.beliefs import BeliefOut, EntityOut, EntityRef, Referred
from graphmem.answers.summaries import EntitySummaryOut
from graphmem.model.claim import Scalar
from graphmem.model.recall import MOST_COUNTED, PROFILE_LIMIT

Counted = Annotated[int, Field(ge=0, le=MOST_COUNTED, description=f"{MOST_COUNTED:,} means so many, or more.")]


class EntityPage(AsOf):
    """Entities in order of id; ``near``: names much like one that was asked for, and that nobody bears."""

    near: tuple[str, ...] = ()
    entities: list[EntityOut]
    next_cursor: str | None


class MemberOut(JoinedAnswer, EntityRef):
    """An entity that is part of another one, by a merge that was recorded at ``since``."""

    joins: ClassVar = ("entity",)

    qualifier: str
    since: datetime
    merge_id: str


class ShortForOut(Answer):
    """The entity that a short name means in a session, for everybody (null) or in one user's memory."""

    session: str
    user: TextOrNull
    entity: EntityRef
    merge_id: str


class EntityWithCluster(JoinedAnswer, EntityOut):
    """An entity and all that it was the same as at ``known_at``: what stands for all, and the ``members``.

    ``aliases`` are their other names, the one of what stands for all first. ``mentions`` counts those of all of them
    in episodes that had occurred by ``valid_at``. Without a ``user``, merges in one user's memory do not count.
    """

    joins: ClassVar = ("entity",)

    aliases: list[str]
    members: list[MemberOut]
    mentions: Counted
    short_for: list[ShortForOut]


class EntityBeliefs(AsOf):
    """One entity, and what was believed about it, and about all that it was the same as."""

    entity: EntityWithCluster
    beliefs: list[BeliefOut]
    complete: bool


class EntityProfile(AsOf):
    """One entity at a glance: names, mentions, what was believed to be so, and what was believed to be so when.

    The ``summary`` is that of what ``user`` may see, else of what everybody may; null where too little is believed.
    ``facts`` are beliefs with a category, the most important first; ``relationships`` are all with another entity, and
    ``values`` all others without a category. The ``timeline`` has what was believed at ``known_at`` of any time, by
    when it began. ``complete`` is false where something was too much for one answer.
    """

    entity: EntityWithCluster
    summary: EntitySummaryOut | None
    facts: list[BeliefOut]
    relationships: list[BeliefOut]
    values: list[BeliefOut]
    timeline: list[BeliefOut]
    complete: bool


class ProtectedOut(Warned):
    id: str
    protected: bool


class MergeOut(Answer):
    """``member`` is part of ``part_of``, which stands for all that are the same. ``pair``: the two that are alike.

    A ``session`` is that in which a short name means the other one. In force until ``superseded_at``; null is still.
    """

    id: str
    member: Referred
    part_of: Annotated[Referred, attribute("other")]
    pair: list[Referred]
    user: TextOrNull
    session: str | None
    method: str
    stage: str | None
    score: float
    reason: str
    recorded_at: datetime
    superseded_at: ShownInstant


class OneMerge(MergeOut, Warned):
    """A merge that was asked for by its id."""


class MergePage(ReadAnswer):
    """What was in force at ``known_at``, in order of (recorded_at, id)."""

    known_at: datetime
    merges: list[MergeOut]
    next_cursor: str | None


class Remerged(Warned):
    """What a decision changed: merges in force and taken back, claims that moved, rows recorded and superseded."""

    opened: list[MergeOut]
    closed: list[MergeOut]
    moved_claims: int
    recorded: int
    superseded: int


class Merged(Remerged):
    """The merge that was asked for, and what it changed."""

    merge: MergeOut


class ProfileBeliefOut(Answer):
    """What is believed of an entity: the other end of a relationship (its subject ``as_object``), or a value."""

    predicate: str
    as_object: bool
    entity: EntityRef | None
    value: Scalar


class ProfileOut(JoinedAnswer, EntityRef):
    """An entity with what is known of it now, and of all that it is the same as.

    ``beliefs_total`` counts what is believed of it. What is ``protected`` is merged by hand only.
    """

    joins: ClassVar = ("cluster", "cluster.entity")

    qualifier: str
    aliases: list[str]
    first_seen: datetime
    protected: bool
    mentions: Counted
    beliefs: Annotated[list[ProfileBeliefOut], Field(description=f"The {PROFILE_LIMIT} most important ones.")]
    beliefs_total: Annotated[Counted, attribute("total")]


class NeighbourOut(JoinedAnswer, EntityRef):
    """An entity to which both have relationships, with the predicates of those of the first and of the second."""

    joins: ClassVar = ("entity",)

    of_first: list[str]
    of_second: list[str]


class SideBySideOut(Warned):
    """The ``profiles`` of the first and of the second, and entities to which both have a relationship."""

    profiles: Annotated[list[ProfileOut], Field(min_length=2, max_length=2)]
    shared_neighbours: Annotated[
        list[NeighbourOut], attribute("neighbours"), Field(description=f"The first {PROFILE_LIMIT} by id.")
    ]


class PartOut(Answer):
    """What one thing says about a pair: how far the two agree in it, and its weight in bits (log2 of the odds).

    ``refined``: pairs of the group taught the weight.
    """

    part: str
    level: str
    weight: float
    first: Annotated[str, attribute("of_a")]
    second: Annotated[str, attribute("of_b")]
    refined: bool


class JudgedOut(Answer):
    """What is thought of two entities, and why; the weights of the parts sum to the score.

    ``stage`` is what first proposed the pair, ``method`` what decided. ``vetoes`` say what keeps the two apart.
    """

    first: Annotated[Referred, attribute("a")]
    second: Annotated[Referred, attribute("b")]
    verdict: Literal["same", "review", "different"]
    method: str
    stage: str | None
    score: float
    probability: Annotated[float, Field(ge=0, le=1)]
    parts: Annotated[list[PartOut], attribute("contributions")]
    vetoes: list[str]


class PairOut(JudgedOut, SideBySideOut):
    """``proposed``: the two share a key in the indexes, so that the dedup job compares them."""

    proposed: bool


class ReviewOut(JoinedAnswer, JudgedOut):
    """A pair to decide, or decided; ``refused`` says why two that are taken for the same are not merged."""

    joins: ClassVar = ("judgement",)

    id: str
    user: TextOrNull
    refused: TextOrNull
    pending: bool


class ReviewInFull(ReviewOut, SideBySideOut):
    """A pair with what is known of both."""


class ReviewPage(Warned):
    """Pairs to decide, those that look most alike first."""

    reviews: list[ReviewOut]
    next_cursor: str | None
