"""Who is who, as stores ask for it."""

from collections.abc import Iterable

from graphmem.model.projection.identity import Identities, SameAs, identities
from graphmem.store.named import QueryStore


class IdentityStore(QueryStore):
    """A store that asks who is who."""

    async def identities(self, group: str, named: Iterable[tuple[str, str, str]]) -> Identities:
        """Who is who among entities that are each named in a session, by or for a user."""
        wanted = [{"id": id_, "session": session, "user": user} for id_, session, user in sorted(set(named))]
        rows = await self._run.many("identities", SameAs, group=group, named=wanted)
        return identities(rows)
