"""What is worth showing first of a group."""

from graphmem.model.overview import Overview
from graphmem.store.named import QueryStore
from graphmem.store.rows.group import GroupSizeRow
from graphmem.store.rows.overview import OverviewRow


class OverviewStore(QueryStore):
    """The query of ``overview.cypher``."""

    async def overview_of_group(self, group: str) -> Overview:
        """Entities and beliefs are counted one by one, which takes long in a large group."""
        size = await self._run.one("size_of_group", GroupSizeRow, group=group)
        row = await self._run.one("overview_of_group", OverviewRow, group=group)
        return row.to_domain(group, size)
