"""How much a memory holds."""

from graphmem.model.scope import Scope
from graphmem.model.stats import MOST_UNPROJECTED, BeliefCount, Condition, EpisodeCounts, Texts, Unprojected
from graphmem.store.named import QueryStore
from graphmem.store.parameters import at
from graphmem.store.rows.stats import BelievedRow, ConditionRow, SaidRow, TextsRow, UnprojectedRow


class StatsStore(QueryStore):
    """The queries of ``stats.cypher``: but for the last, of what the reader may see, at the times of the scope."""

    async def said_in_group(self, scope: Scope) -> EpisodeCounts:
        """Episodes and sessions, counted."""
        row = await self._run.one("said_in_group", SaidRow, group=scope.group, audience=scope.audience, **at(scope))
        return row.to_domain()

    async def believed_in_group(self, scope: Scope) -> list[BeliefCount]:
        """Beliefs, counted by what they have in common; of uses, those up to now of what is the user's own."""
        asked_at = scope.known_at if scope.asked_at is None else min(scope.known_at, scope.asked_at)
        given = {"group": scope.group, "audience": scope.audience, "asked_at": asked_at, "awake_at": scope.awake_at}
        users = None if scope.user is None else [scope.user]
        return [
            row.to_domain()
            for row in await self._run.many("believed_in_group", BelievedRow, users=users, **given, **at(scope))
        ]

    async def texts_in_group(self, scope: Scope) -> Texts:
        """Summaries and reflections, counted."""
        row = await self._run.one("texts_in_group", TextsRow, group=scope.group, audience=scope.audience, **at(scope))
        return row.to_domain()

    async def unprojected_in_group(self, scope: Scope) -> list[Unprojected]:
        """Slots that stay as they are now because something of them cannot be read, the first ``MOST_UNPROJECTED``."""
        rows = await self._run.many(
            "unprojected_in_group",
            UnprojectedRow,
            group=scope.group,
            audience=scope.audience,
            limit=MOST_UNPROJECTED,
        )
        return [row.to_domain() for row in rows]

    async def condition_of_all(self) -> Condition:
        """How all groups are now. Facts with a category are looked at one by one."""
        return (await self._run.one("condition_of_all", ConditionRow)).to_domain()
