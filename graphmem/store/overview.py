"""What is worth showing first of a group."""

from dataclasses import dataclass
from datetime import datetime

from graphmem.model.group import Example, NamedEntity, Overview
from graphmem.store.named import QueryStore
from graphmem.store.rows.group import GroupSizeRow


@dataclass(frozen=True, slots=True)
class OverviewRow:
    known: tuple[NamedEntity, ...]
    types: tuple[str, ...]
    episodes: int
    first_at: datetime | None
    last_at: datetime | None
    merges: int
    ended: tuple[Example, ...]
    superseded: tuple[Example, ...]


class OverviewStore(QueryStore):
    """The query of ``overview.cypher``."""

    async def overview_of_group(self, group: str) -> Overview:
        """Entities and beliefs are counted one by one, which takes long in a large group."""
        size = await self._run.one("size_of_group", GroupSizeRow, group=group)
        row = await self._run.one("overview_of_group", OverviewRow, group=group)
        return Overview(
            group=group,
            entities=size.entities,
            relationships=size.relationships,
            facts=size.facts,
            episodes=row.episodes,
            merges=row.merges,
            known=row.known,
            types=row.types,
            first_at=row.first_at,
            last_at=row.last_at,
            ended=next(iter(row.ended), None),
            superseded=next(iter(row.superseded), None),
        )
