"""The audit: for administrators."""

from collections.abc import AsyncIterator

from graphmem.answers.audit import AuditPage, AuditRowOut, ChainOut
from graphmem.client.asynchronous.connection import ClientConnection
from graphmem.client.calls import When


class AuditCalls(ClientConnection):
    """Calls about the audit of a group, or (None) of what is no group's: keys, and that groups are made."""

    def audit(
        self,
        group: str | None = None,
        *,
        since: When = None,
        until: When = None,
        key: str | None = None,
        by_user: str | None = None,
        operation: str | None = None,
        thing: str | None = None,
    ) -> AsyncIterator[AuditRowOut]:
        """Rows in order of time, page by page: with a key, for a user, of operations that begin so, of a thing by id.

        Those of the last seconds may come in later.
        """
        asked = {"key": key, "by_user": by_user, "operation": operation, "thing": thing}
        return self._items(AuditPage, lambda page: page.rows, _path(group), since=since, until=until, **asked)

    async def audit_chain(self, group: str | None = None) -> ChainOut:
        """Whether all rows are as they were written. Looks at each, so that it takes long where there are many."""
        return await self._get(ChainOut, f"{_path(group)}/chain")


def _path(group: str | None) -> str:
    return "/v1/audit" if group is None else f"/v1/groups/{group}/audit"
