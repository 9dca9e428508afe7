"""What a user shares stays when the user is forgotten, where the group says so: as the group's, and without a quote."""

import json
from dataclasses import replace

from graphmem.clock import Clock
from graphmem.model.claim import Claim
from graphmem.model.entity import Entity
from graphmem.model.episode import ContentType, Episode, EpisodeRole
from graphmem.model.evidence import Change, ResolvedEvidence
from graphmem.model.persons import SHOWN_NAMES
from graphmem.model.scope import EVERYBODY
from graphmem.model.tombstone import entrant_of
from graphmem.store.change.evidence import EvidenceStore
from graphmem.store.forget import ForgetStore
from graphmem.store.graph import GraphStore
from graphmem.store.rows.forget import SharedBelief
from graphmem.trust.keys import Installation

_AT_ONCE = 50


class SharedFacts:
    """The facts that users share with everybody."""

    def __init__(
        self, store: ForgetStore, evidence: EvidenceStore, installation: Installation, clock: Clock, model: str
    ) -> None:
        """``model`` is the embedding model, whose vectors come later."""
        self._store = store
        self._graph = GraphStore.beside(store)
        self._evidence = evidence
        self._installation = installation
        self._clock = clock
        self._model = model

    async def count(self, group: str, user: str) -> int:
        """How many beliefs ``keep`` would claim."""
        return len(await self._kept(group, user))

    async def keep(self, group: str, user: str) -> None:
        """Claim for the group what is believed now of what a user shares, if the group keeps that; again does no more.

        It is known since then: answers about the past before lose it with the user.
        """
        beliefs = await self._kept(group, user)
        stored = await self._graph.group(group)
        recorded_at = self._clock() if stored and stored.importing else None
        changes = [replace(self._change(group, belief), recorded_at=recorded_at) for belief in beliefs]
        for start in range(0, len(changes), _AT_ONCE):
            await self._evidence.change_evidence(changes[start : start + _AT_ONCE])

    async def _kept(self, group: str, user: str) -> list[SharedBelief]:
        """What the user shares, without the names by which everybody sees the user, which nobody shared on purpose."""
        keeps = (await self._graph.retention_of_group(group)).keep_shared
        beliefs = await self._store.shared_beliefs(group, user) if keeps else []
        return [belief for belief in beliefs if belief.claim.predicate not in SHOWN_NAMES]

    def _change(self, group: str, belief: SharedBelief) -> Change:
        """The belief as a claim of an episode that says no more than its statement; the same belief makes the same."""
        episode = Episode(
            group_id=group,
            session="",
            content=belief.claim.statement,
            occurred_at=belief.claim.said_at,
            content_type=ContentType.EVENT,
            role=EpisodeRole.SYSTEM,
            payload=json.dumps({"kept": self._installation.hash("kept", group, belief.belief_id)}),
        )
        entities = tuple(
            Entity.called(group, named.type, named.name, named.qualifier, belief.claim.said_at, named.typed_by)
            for named in belief.named
        )
        return Change(
            group_id=group,
            evidence=ResolvedEvidence(
                entities=entities,
                mentions=(),
                claims=(_claim(belief, episode),),
                known_as=tuple(entity.known_as(EVERYBODY) for entity in entities),
            ),
            digested=(),
            embedding_model=self._model,
            episodes=(episode,),
            entrants=(entrant_of(self._installation.hash, episode),),
        )


def _claim(belief: SharedBelief, episode: Episode) -> Claim:
    """What is believed, as the group's claim."""
    return replace(
        belief.claim,
        episode_id=episode.id,
        user=EVERYBODY,
        session="",
        quote="",
        quote_start=0,
        quote_end=0,
        revision=0,
        time_unread="",
        turn=episode.turn,
        valid_from=belief.valid_from,
        valid_to=belief.valid_to,
        from_stated=belief.from_stated and not belief.claim.time_unread,
        to_stated=belief.to_stated,
        confidence=belief.confidence,
        importance=belief.importance,
        category=belief.category,
    )
