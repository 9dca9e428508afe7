"""Entities with all that they are the same as, as shown."""

from datetime import datetime
from typing import Annotated

from pydantic import Field

from graphmem.api.schemas.beliefs import BeliefOut, EntityOut, EntityRef, beliefs_out, entity_out, entity_ref
from graphmem.api.schemas.entity_summaries import EntitySummaryOut, entity_summary_out
from graphmem.api.schemas.words import Answer, AsOf, stands
from graphmem.model.entity_summary import StoredEntitySummary
from graphmem.model.interval import END
from graphmem.model.recall import Cluster, Graph, History, Member, ShortFor
from graphmem.reading import Standing
from graphmem.store.entity import MOST_COUNTED

Counted = Annotated[int, Field(ge=0, le=MOST_COUNTED, description=f"{MOST_COUNTED:,} means so many, or more.")]


class MemberOut(EntityRef):
    """An entity that is part of another one, by a merge that was recorded at ``since``."""

    qualifier: str
    since: datetime
    merge_id: str


class ShortForOut(Answer):
    """The entity that a short name means in a session, for everybody (null) or in one user's memory."""

    session: str
    user: str | None
    entity: EntityRef
    merge_id: str


class EntityWithCluster(EntityOut):
    """An entity and all that it was the same as at ``known_at``: what stands for all, and the ``members``.

    ``aliases`` are their other names, the one of what stands for all first. ``mentions`` counts those of all of them
    in episodes that had occurred by ``valid_at``. Without a ``user``, merges in one user's memory do not count.
    """

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


def entity_profile(
    graph: Graph,
    history: History,
    cluster: Cluster,
    summary: StoredEntitySummary | None,
    valid_at: datetime,
    known_at: datetime,
    *,
    standing: Standing,
) -> EntityProfile:
    beliefs = beliefs_out(graph.beliefs, graph.entities)
    believed = (version for version in history.versions if version.superseded_at == END)
    in_order = sorted(believed, key=lambda version: (version.valid_from, version.belief_id))
    return EntityProfile(
        valid_at=valid_at,
        known_at=known_at,
        **stands(standing),
        entity=_with_cluster(cluster, valid_at),
        summary=summary and entity_summary_out(summary, known_at),
        facts=sorted((one for one in beliefs if one.category), key=lambda one: (-one.importance, one.id)),
        relationships=[one for one in beliefs if one.kind == "relationship"],
        values=[one for one in beliefs if one.kind == "fact" and not one.category],
        timeline=beliefs_out(in_order, history.entities),
        complete=graph.complete and history.complete,
    )


def entity_beliefs(
    graph: Graph, cluster: Cluster, valid_at: datetime, known_at: datetime, *, standing: Standing
) -> EntityBeliefs:
    return EntityBeliefs(
        valid_at=valid_at,
        known_at=known_at,
        **stands(standing),
        entity=_with_cluster(cluster, valid_at),
        beliefs=beliefs_out(graph.beliefs, graph.entities),
        complete=graph.complete,
    )


def _with_cluster(cluster: Cluster, valid_at: datetime) -> EntityWithCluster:
    return EntityWithCluster(
        **dict(entity_out(cluster.entity, valid_at)),
        aliases=list(cluster.aliases),
        members=[_member_out(member) for member in cluster.members],
        mentions=cluster.mentions,
        short_for=[_short_for_out(one) for one in cluster.short_for],
    )


def _member_out(member: Member) -> MemberOut:
    return MemberOut(
        **dict(entity_ref(member.entity)),
        qualifier=member.entity.qualifier,
        since=member.since,
        merge_id=member.merge_id,
    )


def _short_for_out(one: ShortFor) -> ShortForOut:
    return ShortForOut(session=one.session, user=one.user or None, entity=entity_ref(one.entity), merge_id=one.merge_id)
