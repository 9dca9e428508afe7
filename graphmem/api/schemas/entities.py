"""Entities with all that they are the same as, as shown."""

from datetime import datetime

from graphmem.answers.entities import EntityBeliefs, EntityProfile, EntityWithCluster, MemberOut, ShortForOut
from graphmem.api.schemas.beliefs import beliefs_out, entity_out, entity_ref
from graphmem.api.schemas.entity_summaries import entity_summary_out
from graphmem.api.schemas.words import stands
from graphmem.model.entity_summary import StoredEntitySummary
from graphmem.model.interval import END
from graphmem.model.recall import Cluster, Graph, History, Member, ShortFor
from graphmem.reading import Standing


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
