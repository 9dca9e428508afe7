"""Beliefs with their evidence, entities, graphs and search hits as shown."""

import json
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from graphmem.api.schemas.episodes import EpisodeOut, episode_out
from graphmem.api.schemas.words import Answer, AsOf, EntityType, Instant, Name, Request, Share, ShortText
from graphmem.errors import as_value_errors
from graphmem.model.belief import BeliefRow, Evidence
from graphmem.model.claim import ClaimStatus, Scalar
from graphmem.model.episode import Role
from graphmem.model.filters import Filters
from graphmem.model.interval import BEGIN, END, shown
from graphmem.model.projection.existence import Existed
from graphmem.model.recall import Found, Fusion, Graph, KnownEntity, Recall, Why
from graphmem.store.belief import EVIDENCE_LIMIT

HitKind = Literal["relationship", "fact", "episode", "entity"]
Names = Annotated[list[Name], Field(min_length=1, max_length=64)]


class EntityOut(Answer):
    """``qualifier`` tells apart those of one name: ``source:id`` where a claim gave an id; "" for the bare name.

    ``part_of`` is the entity that stands for this one and others that are the same, null where that is this one.
    ``valid_from`` and ``valid_to`` are what was believed at ``known_at`` of when it existed: born, founded, opened …
    died, dissolved, closed. Null is unknown, and as an end also none. ``existed`` says whether it did at ``valid_at``.
    ``protected``: only people merge it.
    """

    id: str
    type: str
    name: str
    qualifier: str
    part_of: str | None
    protected: bool
    recorded_at: datetime
    valid_from: datetime | None
    valid_to: datetime | None
    existed: Existed


class EntityRef(Answer):
    id: str
    type: str
    name: str


class EvidenceOut(Answer):
    """The sentence of an episode that says so; ``start`` and ``end`` count its characters (code points)."""

    claim_id: str
    kind: str
    episode_id: str
    quote: str
    start: int
    end: int
    said_at: datetime
    recorded_at: datetime
    confidence: float


class Happened(Answer):
    """When an event happened: in ``[from, to)``.

    ``day`` says how well that is known, by the calendar where it was said: a day (2025-05-03), a month (2025-05), a
    year, or first and last day (2025-05-03/2025-05-09).
    """

    day: str
    from_: Annotated[datetime, Field(alias="from")]
    to: datetime


class BeliefOut(Answer):
    """One recorded version of a belief. Null as ``valid_from`` is an unknown start, null as an end is an open one.

    ``open``: it rests on what was plainly said, by a predicate that no curated pattern or ontology knows. ``status`` is
    how that was said: only what is ``asserted`` is believed to be so; of a plan, wish, ability or denial, that it was
    said. ``event`` is when it happened, of what happened once; it goes on being true that it did.
    """

    id: str
    belief_id: str
    kind: Literal["relationship", "fact"]
    subject: EntityRef
    predicate: str
    object: EntityRef | None
    value: Scalar
    statement: str
    valid_from: datetime | None
    valid_to: datetime | None
    recorded_at: datetime
    superseded_at: datetime | None
    from_stated: bool
    to_stated: bool
    confidence: float
    importance: float
    contested: bool
    user: str | None
    attributes: dict[str, Scalar]
    category: str | None
    open: bool
    status: ClaimStatus
    event: Happened | None
    evidence: Annotated[
        list[EvidenceOut], Field(description=f"What was said first comes first; at most {EVIDENCE_LIMIT}.")
    ]


class GraphOut(AsOf):
    """What was believed at ``known_at`` to be true at ``valid_at``. ``complete`` is false where ``limit`` cut it."""

    entities: list[EntityOut]
    beliefs: list[BeliefOut]
    complete: bool


class SearchIn(Request):
    """A question in words, asked of what was believed at ``known_at`` to be true at ``valid_at``.

    With a ``user``, of what everybody and that user may see. ``open`` leaves out open beliefs (false), or takes of
    beliefs only them (true). ``fusion`` says how what the indexes find becomes one list: by calibrated weights, or by
    ranks alone (reciprocal rank fusion, k = 60). ``kinds`` are relationships, facts and episodes, unless it says
    otherwise; entities are found where it asks for them.

    All else narrows down what is found; lists take any of theirs. ``session``, ``exclude_session``, ``roles``,
    ``speakers``, ``sources`` and ``tags`` are of episodes, and of beliefs that rest on an episode that has them all.
    ``entity``, an id or a name, is at an end of a belief or mentioned in an episode; so are entities of ``types``.
    From ``since`` to before ``until`` an episode occurred, an event happened, or something else held for a while.
    ``predicates`` and ``categories`` find beliefs only. ``least_confidence`` is of beliefs, ``least_score`` of all.
    """

    query: ShortText
    limit: Annotated[int, Field(ge=1, le=100)] = 10
    kinds: Annotated[list[HitKind], Field(min_length=1, max_length=4)] | None = None
    valid_at: Instant | None = None
    known_at: Instant | None = None
    user: Name | None = None
    session: Name | None = None
    exclude_session: Name | None = None
    entity: Name | None = None
    types: Annotated[list[EntityType], Field(min_length=1, max_length=64)] | None = None
    predicates: Names | None = None
    categories: Names | None = None
    roles: Annotated[list[Role], Field(min_length=1, max_length=4)] | None = None
    speakers: Names | None = None
    sources: Names | None = None
    tags: Names | None = None
    since: Instant | None = None
    until: Instant | None = None
    least_confidence: Share = 0.0
    least_score: float | None = None
    open: bool | None = None
    fusion: Fusion = Fusion.WEIGHTED
    explain: bool = False

    @model_validator(mode="after")
    def _is_not_empty(self) -> Self:
        with as_value_errors():
            self.filters(None)
        return self

    def filters(self, entity_id: str | None) -> Filters:
        return Filters(
            session=self.session,
            exclude_session=self.exclude_session,
            entity=entity_id,
            types=tuple(self.types or ()),
            predicates=tuple(self.predicates or ()),
            categories=tuple(self.categories or ()),
            roles=tuple(self.roles or ()),
            speakers=tuple(self.speakers or ()),
            sources=tuple(self.sources or ()),
            tags=tuple(self.tags or ()),
            since=self.since or BEGIN,
            until=self.until or END,
            least_confidence=self.least_confidence,
            least_score=self.least_score,
        )


class ContributionOut(Answer):
    """One reason's part of a score: a list of hits, with the ``rank`` in it, or a rule. ``score`` is what it says."""

    channel: str
    rank: int | None
    score: float
    contribution: float


class HitOut(Answer):
    """A belief, an episode or an entity.

    ``other_wordings``: ids of open beliefs that say the same, for which this one stands.

    ``carried_out``: of a plan or a wish, what its subject did since that says nearly the same, on days that are known.
    """

    kind: HitKind
    id: str
    score: float
    contributions: list[ContributionOut] | None
    other_wordings: list[str]
    belief: BeliefOut | None
    carried_out: list[BeliefOut]
    episode: EpisodeOut | None
    entity: EntityOut | None


class DegradedOut(Answer):
    """A channel that a search went without, and why; ``detail`` says it to people."""

    channel: str
    why: Why
    detail: str


class SearchOut(AsOf):
    """``degraded`` is empty where every channel was searched; what the others found is there all the same."""

    hits: list[HitOut]
    entities: list[EntityOut]
    degraded: list[DegradedOut]


def entity_out(entity: KnownEntity, valid_at: datetime) -> EntityOut:
    return EntityOut(
        id=entity.id,
        type=entity.type,
        name=entity.name,
        qualifier=entity.qualifier,
        part_of=entity.part_of,
        protected=entity.protected,
        recorded_at=entity.recorded_at,
        valid_from=shown(entity.existence.valid_from),
        valid_to=shown(entity.existence.valid_to),
        existed=entity.existence.at(valid_at),
    )


def entity_ref(entity: KnownEntity) -> EntityRef:
    return EntityRef(id=entity.id, type=entity.type, name=entity.name)


def beliefs_out(beliefs: Iterable[BeliefRow], entities: Iterable[KnownEntity]) -> list[BeliefOut]:
    known = {entity.id: entity_ref(entity) for entity in entities}
    return [_belief_out(belief, known) for belief in beliefs]


def graph_out(graph: Graph, valid_at: datetime, known_at: datetime, *, settled: bool) -> GraphOut:
    return GraphOut(
        valid_at=valid_at,
        known_at=known_at,
        settled=settled,
        entities=[entity_out(entity, valid_at) for entity in graph.entities],
        beliefs=beliefs_out(graph.beliefs, graph.entities),
        complete=graph.complete,
    )


def search_out(recall: Recall, valid_at: datetime, known_at: datetime, *, settled: bool, explain: bool) -> SearchOut:
    beliefs = [found.belief for found in recall.found if found.belief is not None]
    beliefs += [deed for found in recall.found for deed in found.carried_out]
    by_id = {belief.id: belief for belief in beliefs_out(beliefs, recall.entities)}
    return SearchOut(
        valid_at=valid_at,
        known_at=known_at,
        settled=settled,
        hits=[_hit_out(found, by_id, valid_at, explain=explain) for found in recall.found],
        entities=[entity_out(entity, valid_at) for entity in recall.entities],
        degraded=[DegradedOut(channel=one.channel, why=one.why, detail=one.detail) for one in recall.degraded],
    )


def _hit_out(found: Found, beliefs: Mapping[str, BeliefOut], valid_at: datetime, *, explain: bool) -> HitOut:
    ranked = found.ranked
    parts = [
        ContributionOut(channel=part.channel, rank=part.rank, score=part.score, contribution=part.contribution)
        for part in ranked.contributions
    ]
    return HitOut.model_validate(
        {
            "kind": ranked.kind,
            "id": ranked.id,
            "score": ranked.score,
            "contributions": parts if explain else None,
            "other_wordings": list(ranked.other_wordings),
            "belief": beliefs[found.belief.id] if found.belief else None,
            "carried_out": [beliefs[deed.id] for deed in found.carried_out],
            "episode": episode_out(found.episode) if found.episode else None,
            "entity": entity_out(found.entity, valid_at) if found.entity else None,
        }
    )


def _belief_out(belief: BeliefRow, entities: Mapping[str, EntityRef]) -> BeliefOut:
    return BeliefOut.model_validate(
        {
            "id": belief.id,
            "belief_id": belief.belief_id,
            "kind": belief.kind,
            "subject": entities[belief.subject_id],
            "predicate": belief.predicate,
            "object": entities[belief.object_id] if belief.object_id else None,
            "value": belief.value,
            "statement": belief.statement,
            "valid_from": shown(belief.valid_from),
            "valid_to": shown(belief.valid_to),
            "recorded_at": belief.recorded_at,
            "superseded_at": shown(belief.superseded_at),
            "from_stated": belief.from_stated,
            "to_stated": belief.to_stated,
            "confidence": belief.confidence,
            "importance": belief.importance,
            "contested": belief.contested,
            "user": belief.user or None,
            "attributes": json.loads(belief.attributes),
            "category": belief.category or None,
            "open": belief.open,
            "status": belief.status,
            "event": _happened(belief),
            "evidence": [evidence_out(evidence) for evidence in belief.evidence],
        }
    )


def _happened(belief: BeliefRow) -> dict[str, object] | None:
    if belief.event_to is None:
        return None
    return {"day": belief.day, "from": belief.valid_from, "to": belief.event_to}


def evidence_out(evidence: Evidence) -> EvidenceOut:
    return EvidenceOut(
        claim_id=evidence.claim_id,
        kind=evidence.kind,
        episode_id=evidence.episode_id,
        quote=evidence.quote,
        start=evidence.quote_start,
        end=evidence.quote_end,
        said_at=evidence.said_at,
        recorded_at=evidence.recorded_at,
        confidence=evidence.confidence,
    )
