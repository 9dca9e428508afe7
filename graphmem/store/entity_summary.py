"""Summaries of entities: what they are made from, written, and read."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from graphmem.model.embedding import Vector
from graphmem.model.entity_summary import EntityToSummarise, HeldOfEntity, StoredEntitySummary
from graphmem.model.interval import LATEST
from graphmem.model.scope import Scope, audience_of
from graphmem.store.instants import as_text
from graphmem.store.named import QueryStore
from graphmem.store.parameters import as_vector, properties_of, sentences_json, stamp_rows, text_row
from graphmem.store.rows import RecordedRow


@dataclass(frozen=True, slots=True)
class EntitySummaryRow:
    summary: StoredEntitySummary


@dataclass(frozen=True, slots=True)
class SubjectStampRow:
    id: str
    stamp: str


class EntitySummaryStore(QueryStore):
    """The queries of ``entity_summary.cypher``. What a summary is made from is looked for where writers are."""

    async def next_group_to_summarise_entities(self, after: str) -> str | None:
        return await self._leader.first_id("next_group_to_summarise_entities", after=after)

    async def next_entity_to_summarise(self, group: str) -> EntityToSummarise | None:
        """The one that waits longest of those that can be read."""
        return await self._leader.optional("next_entity_to_summarise", EntityToSummarise, group=group, limit=1)

    async def next_stale_entity_summary(self, group: str) -> StoredEntitySummary | None:
        """The one that waits longest of those that can be read."""
        row = await self._leader.optional("next_stale_entity_summary", EntitySummaryRow, group=group, limit=1)
        return row and row.summary

    async def standing_entity_summary(self, group: str, summary_id: str) -> StoredEntitySummary | None:
        row = await self._leader.optional(
            "standing_entity_summary", EntitySummaryRow, group=group, summary_id=summary_id
        )
        return row and row.summary

    async def held_of_entity(self, group: str, entity_id: str, user: str, limit: int) -> HeldOfEntity:
        """What everybody and a user believe of an entity, the first ``limit`` beliefs."""
        rows = await self._leader.many(
            "held_of_entity",
            HeldOfEntity,
            group=group,
            id=entity_id,
            user=user,
            audience=audience_of(user),
            known_at=LATEST,
            limit=limit,
        )
        return rows[0]

    async def stamps_of_subjects(self, group: str, ids: Iterable[str]) -> dict[str, str]:
        """The newest stamp, by id, of each entity that is the subject of one of these claims.

        So of the subjects of claims whose quotes overlap the quote of one of these.
        """
        rows = await self._leader.many("stamps_of_subjects", SubjectStampRow, group=group, ids=sorted(set(ids)))
        return {row.id: row.stamp for row in rows}

    async def entities_to_pass_over(self, group: str, least: int, limit: int) -> list[EntityToSummarise]:
        """Of the first ``limit`` to look at, those that have no summary and fewer than ``least`` beliefs."""
        return await self._leader.many(
            "entities_to_pass_over", EntityToSummarise, group=group, least=least, limit=limit
        )

    async def mark_ends_of_changes(self, group: str, entities: Iterable[EntityToSummarise], least: int) -> None:
        """Have entities looked at that are at the other ends of what changed about some, if they may have a summary."""
        changed = [{"id": entity.id, "since": entity.since} for entity in entities if entity.since is not None]
        if changed:
            await self._run.execute("mark_ends_of_changes", group=group, changed=changed, least=least)

    async def end_looks_at_entities(self, group: str, entities: Iterable[EntityToSummarise]) -> None:
        """Say that entities were looked at, but for those of which something changed since they were ``due``."""
        looked = [{"id": entity.id, "due": entity.due} for entity in entities]
        await self._run.execute("end_looks_at_entities", group=group, looked=looked)

    async def put_off_entity(self, group: str, entity: EntityToSummarise, seconds: float) -> None:
        """Have an entity looked at after so many seconds, unless something of it changed since it was ``due``."""
        await self._run.execute("put_off_entity", group=group, id=entity.id, due=entity.due, seconds=seconds)

    async def write_entity_summary(
        self, summary: StoredEntitySummary, vector: Vector | None, *, before: str | None, stamps: Mapping[str, str]
    ) -> datetime | None:
        """When a version was recorded after that ``before`` it.

        None, and nothing is written, where the subjects of claims have other ``stamps`` by now, or somebody else wrote
        one.
        """
        row = await self._run.optional(
            "write_entity_summary",
            RecordedRow,
            group=summary.group_id,
            entity=summary.entity_id,
            before=before or "",
            summary=_summary_row(summary),
            vector=as_vector(vector),
            claims=list(summary.claims),
            subjects=stamp_rows(stamps),
        )
        return row.recorded_at if row else None

    async def keep_entity_summary(
        self, summary: StoredEntitySummary, vector: Vector | None, *, stamps: Mapping[str, str]
    ) -> datetime | None:
        """Say that a version is not stale; None, and nothing is written, where subjects have other ``stamps``."""
        row = await self._run.optional(
            "keep_entity_summary",
            RecordedRow,
            group=summary.group_id,
            id=summary.id,
            vector=as_vector(vector),
            subjects=stamp_rows(stamps),
        )
        return row.recorded_at if row else None

    async def summaries_of_entity(self, scope: Scope, entity_id: str) -> list[StoredEntitySummary]:
        """Summaries of an entity that were made of what was so then, as known then; the reader's own comes first."""
        return await self._run.many(
            "summaries_of_entity", StoredEntitySummary, scope, id=entity_id, user=scope.user or ""
        )

    async def entity_summaries_by_id(self, scope: Scope, ids: Iterable[str]) -> list[StoredEntitySummary]:
        """The versions with these ids that had been made of what was so then, as known then."""
        return await self._run.many("entity_summaries_by_id", StoredEntitySummary, scope, ids=sorted(set(ids)))


def _summary_row(summary: StoredEntitySummary) -> dict[str, object]:
    return {
        **text_row(summary),
        **properties_of(summary, "summary_id", "content", "tokens", "model"),
        "sentences": sentences_json(summary.sentences),
        "beliefs": list(summary.beliefs),
        "last_at": as_text(summary.as_of),
    }
