"""Entities with all that they are the same as, as shown."""

from datetime import datetime
from typing import Annotated, ClassVar

from pydantic import Field

from graphmem.answers.answer import Answer, AsOf, JoinedAnswer, TextOrNull
from graphmem.answers.beliefs import BeliefOut, EntityOut, EntityRef
from graphmem.answers.summaries import EntitySummaryOut
from graphmem.model.recall import MOST_COUNTED

Counted = Annotated[int, Field(ge=0, le=MOST_COUNTED, description=f"{MOST_COUNTED:,} means so many, or more.")]


class EntityPage(AsOf):
    """Entities in order of id."""

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
