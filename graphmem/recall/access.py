"""Access: whether what an id names is there for a user, and whether that user may change it.

What a user may not see is refused in the words of what does not exist. ``user`` None is whoever may act for everybody.
Reads judge the same by the audiences of their ``Scope``; whoever changes something asks here first.
"""

from graphmem.clock import Clock
from graphmem.errors import Conflict, absent
from graphmem.model.claim import Claim
from graphmem.model.episode import StoredEpisode
from graphmem.model.interval import END, LATEST
from graphmem.model.merge import Merge, Opinion
from graphmem.model.principal import Actor
from graphmem.model.recall import Grounds
from graphmem.model.scope import Scope
from graphmem.recall.reader import Reader, existing
from graphmem.store.change.evidence import EvidenceStore
from graphmem.store.graph import GraphStore


class Access:
    """All raise ``NotFound`` where there is no such thing, or the user may not see it."""

    def __init__(self, store: GraphStore, evidence: EvidenceStore, reader: Reader, clock: Clock) -> None:
        self._store = store
        self._evidence = evidence
        self._reader = reader
        self._clock = clock

    async def episode(self, group: str, episode_id: str, user: str | None) -> StoredEpisode:
        """An episode that was said to everybody, or for the user."""
        return await self._reader.episode(group, episode_id, user=user)

    async def seen_claim(self, group: str, claim_id: str, user: str | None) -> Claim:
        """A claim that is everybody's or the user's, or whose value is shared; whether or not it stands."""
        await self._reader.known_group(group)
        return await self._evidence.claim(Scope(group, LATEST, user=user), claim_id)

    async def own_claim(self, group: str, claim_id: str, by: Actor) -> Claim:
        """A claim that an actor may change.

        Raises:
            Forbidden: another user shares it, or it is everybody's, and the actor may change nothing of theirs.
        """
        claim = await self.seen_claim(group, claim_id, by.user)
        by.check_change(claim.user)
        return claim

    async def own_belief(self, group: str, belief_id: str, by: Actor) -> Grounds:
        """A belief that an actor may change, with its claims.

        Raises:
            Forbidden: another user shares it, or it is everybody's, and the actor may change nothing of theirs.
            Conflict: it is believed no more.
        """
        grounds = await self._reader.evidence(Scope(group, self._clock(), user=by.user), belief_id)
        row = grounds.belief
        by.check_change(row.user)
        if row.superseded_at != END:
            raise Conflict(f"{row.id} is believed no more. Look it up again, and act on what took its place.")
        return grounds

    async def entities(self, group: str, ids: tuple[str, ...], user: str | None) -> None:
        """Entities of which the user has heard; of nobody in particular, any.

        Raises:
            NotFound: one of them is not there, or the user has not heard of it.
        """
        await self._reader.known_group(group)
        known = await self._store.entities_by_id(Scope(group, END, user=user), ids)
        for id_ in ids:
            if id_ not in known:
                which = f"that user {user!r} knows of" if user else "that everybody knows of" if user == "" else ""
                raise absent(group, "entity", id_, which)

    async def merge(self, group: str, merge_id: str, user: str | None) -> Merge:
        """A merge that holds for everybody or for the user, in force or not any more."""
        await self._reader.known_group(group)
        return existing(await self._store.merge(Scope(group, END, user=user), merge_id), group, "merge", merge_id)

    async def review(self, group: str, review_id: str, user: str | None) -> Opinion:
        """What everybody or the user thinks of a pair."""
        await self._reader.known_group(group)
        return existing(await self._store.review(Scope(group, END, user=user), review_id), group, "review", review_id)
