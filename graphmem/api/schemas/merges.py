"""Merges as handed in and as shown."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated

from pydantic import Field

from graphmem.answers.merges import MergeOut, Remerged
from graphmem.api.schemas.beliefs import entity_ref
from graphmem.api.schemas.words import ID_PATTERN, Name, Request, ShortText
from graphmem.model.interval import shown
from graphmem.model.merge import Merge
from graphmem.model.recall import KnownEntity
from graphmem.store.change.moves import Reidentified

EntityId = Annotated[str, Field(pattern=ID_PATTERN)]


class MergeIn(Request):
    """Two entities that are the same, and why; for everybody, or in one user's memory."""

    entities: Annotated[list[EntityId], Field(min_length=2, max_length=2)]
    reason: ShortText
    user: Name | None = None


class ProtectedIn(Request):
    """``protected``: only people merge the entity."""

    protected: bool


class RevertIn(Request):
    """Why the two are different."""

    reason: ShortText


def merge_out(merge: Merge, entities: Mapping[str, KnownEntity]) -> MergeOut:
    return MergeOut(
        id=merge.id,
        member=entity_ref(entities[merge.member]),
        part_of=entity_ref(entities[merge.other]),
        pair=[entity_ref(entities[id_]) for id_ in merge.pair],
        user=merge.user or None,
        session=merge.session,
        method=merge.method,
        stage=merge.stage,
        score=merge.score,
        reason=merge.reason,
        recorded_at=merge.recorded_at,
        superseded_at=shown(merge.superseded_at),
    )


def remerged(done: Reidentified, entities: Mapping[str, KnownEntity]) -> Remerged:
    return Remerged(
        opened=_merges(done.opened, entities),
        closed=_merges(done.closed, entities),
        moved_claims=done.moved_claims,
        recorded=done.recorded,
        superseded=done.superseded,
    )


def _merges(merges: Sequence[Merge], entities: Mapping[str, KnownEntity]) -> list[MergeOut]:
    return [
        merge_out(merge, entities) for merge in readable_merges(sorted(merges, key=lambda merge: merge.id), entities)
    ]


def readable_merges(merges: Iterable[Merge], entities: Mapping[str, KnownEntity]) -> list[Merge]:
    """The merges of which all entities could be read."""
    return [merge for merge in merges if merge.named <= entities.keys()]
