"""What is taken in no more: barred when it is forgotten, lifted by who may erase; and users who opt out."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

import structlog

from graphmem.clock import Clock
from graphmem.model.episode import Episode
from graphmem.model.scope import EVERYBODY
from graphmem.model.tombstone import Tombstone, entrant_of, owner_id, refusals
from graphmem.store.tombstone import TombstoneStore
from graphmem.trust.keys import Installation

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)


class Tombstones:
    """The tombstones of one service.

    Whatever comes in locks its own ids in its transaction (``Statements.admit``): once a call that bars something has
    returned, nothing of that is stored any more.
    """

    def __init__(self, store: TombstoneStore, installation: Installation, clock: Clock) -> None:
        self._store = store
        self._hashed = installation.hash
        self._clock = clock

    async def bar(self, group: str, episodes: Collection[str], users: Collection[str], receipt: str = "") -> None:
        """Have episodes come in no more, by their ids, which are still there, nor anything of ``users``.

        All in one transaction: of many episodes give some hundreds at a time. ``receipt`` is the id of what says that
        they were forgotten.

        Raises:
            Unreadable: an episode cannot be read.
        """
        stored = await self._store.episodes_to_bar(group, episodes) if episodes else []
        entrants = [entrant_of(self._hashed, episode) for episode in stored]
        owners = [owner_id(self._hashed, group, user) for user in users if user != EVERYBODY]
        things = [(id_, entrant.owner) for entrant in entrants for id_ in entrant.things]
        await self._store.bar(group, [*things, *zip(owners, owners, strict=True)], receipt, self._clock())

    async def lift(self, group: str, ids: Collection[str], user: str | None, *, by: str) -> Sequence[str]:
        """Let in again what these tombstones bar, those of a ``user`` or (None) of any; the ids of those there were.

        ``by`` is the id of the key with which this is asked.
        """
        owner = None if user is None else owner_id(self._hashed, group, user)
        lifted = await self._store.lift(group, ids, owner)
        log.info("tombstones.lifted", group=group, tombstones=len(lifted), key=by)
        return lifted

    async def barred(self, group: str, episodes: Mapping[str, Episode]) -> set[str]:
        """The ids of those of some episodes, by id, that may not come in; tombstones may change the moment after."""
        entrants = [replace(entrant_of(self._hashed, episode), episode_id=id_) for id_, episode in episodes.items()]
        tombstones = await self._store.tombstones(group, (id_ for entrant in entrants for id_ in entrant.ids))
        return {*refusals(group, entrants, {tombstone.id: tombstone for tombstone in tombstones})}

    async def opted_out(self, group: str, user: str) -> Tombstone | None:
        """The tombstone of a user who opted out; None where nobody did."""
        return next(iter(await self._store.tombstones(group, [owner_id(self._hashed, group, user)])), None)

    async def opt_out(self, group: str, user: str) -> None:
        """Take in nothing more of a user."""
        await self.bar(group, (), [user])

    async def opt_in(self, group: str, user: str, *, by: str) -> None:
        """Take in again what is of a user."""
        owner = owner_id(self._hashed, group, user)
        await self.lift(group, [owner], user, by=by)
