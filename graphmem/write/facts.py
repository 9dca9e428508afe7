"""Facts that people own: somebody says one, confirms it, corrects it, rejects it, or says which of two is right.

Each is evidence with a date of its own, written in one transaction with what follows from it.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial

from graphmem.clock import Clock
from graphmem.errors import Conflict
from graphmem.model.acts import UNSEEN, ActEvidence, Correction, Ground, Seen
from graphmem.model.belief import BeliefRow
from graphmem.model.claim import AssertedBy, Category, Claim
from graphmem.model.embedding import Embedder
from graphmem.model.evidence import Change, ChangeOutcome, Receipt, ResolvedEvidence, StructuredClaim
from graphmem.model.fact import Audience
from graphmem.model.principal import ANYBODY, Actor
from graphmem.model.projection.predicate import free_key, key_of
from graphmem.model.recall import Grounds
from graphmem.model.scope import EVERYBODY
from graphmem.model.tombstone import Hash, entrant_for, entrant_of
from graphmem.recall.access import Access
from graphmem.recall.vectors import vectors_soon
from graphmem.resolve import acts
from graphmem.store.change.evidence import EvidenceStore
from graphmem.store.graph import GraphStore
from graphmem.write.intake import Intake


@dataclass(frozen=True, slots=True, kw_only=True)
class ActedOn:
    """What an act on a belief made: claims, in the order in which they were made, and what they changed."""

    belief: BeliefRow
    claims: tuple[Claim, ...]
    episode_id: str
    outcome: ChangeOutcome

    @property
    def claim_ids(self) -> list[str]:
        return [claim.id for claim in self.claims]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sharing:
    """Who may see a belief from an instant on, and of how many versions that changed."""

    belief: BeliefRow
    shared: bool
    access_changed_at: datetime
    versions: int

    @property
    def audience(self) -> Audience:
        return "shared" if self.shared else "personal"


class Facts:
    """Acts on beliefs, each by whoever may change what is of its owner.

    Beliefs are addressed by the id of a row or their ``belief_id``. ``recorded_at`` is given in groups that
    import, and only there. ``seen`` is what whoever acts had read. What is said of a belief is stored for its user, and
    refused (``Barred``) where that one opted out. All raise:

        NotFound: who acts sees no such belief.
        Forbidden: they may not change it.
        Conflict: it is believed no more, or is not as it was ``seen``; or the group imports and there is no
            ``recorded_at``, or the other way round.
    """

    def __init__(
        self,
        store: GraphStore,
        evidence: EvidenceStore,
        intake: Intake,
        access: Access,
        embedder: Embedder,
        hashed: Hash,
        clock: Clock,
    ) -> None:
        """``hashed`` makes the ids of tombstones."""
        self._store = store
        self._evidence = evidence
        self._intake = intake
        self._access = access
        self._embedder = embedder
        self._hashed = hashed
        self._clock = clock

    async def remember(
        self, group: str, fact: StructuredClaim, category: Category, *, defined: bool
    ) -> tuple[Receipt, StructuredClaim, ChangeOutcome]:
        """Take a fact as somebody says it on purpose, by a ``key`` as its predicate; returns it as it was taken.

        A key that is not ``defined`` by a policy, and that the group's ontology does not know, is one of the category.

        Raises:
            InvalidInput: what it says of status, verb and days contradicts itself.
            Conflict: its external id was used before for something else; or the group imports and it does not say when
                it was recorded, or the other way round.
        """
        known = defined or key_of(fact.predicate) != "" or await self._in_ontology(group, fact)
        predicate = fact.predicate if known else free_key(category, fact.predicate)
        taken = replace(fact, predicate=predicate, category=category, asserted_by=AssertedBy.PERSON)
        (receipt,), outcome = await self._intake.assert_claims(group, [taken])
        return receipt, taken, outcome

    async def _in_ontology(self, group: str, fact: StructuredClaim) -> bool:
        own = await self._store.ontology_of_group(group)
        return own is not None and own.ontology.has_predicate(fact.predicate, fact.subject.type)

    async def confirm(
        self,
        group: str,
        belief_id: str,
        by: Actor = ANYBODY,
        *,
        recorded_at: datetime | None = None,
        seen: Seen = UNSEEN,
    ) -> ActedOn:
        """Say that a belief is right: it is believed with confidence 1, and nothing lowers it. Not what ended."""
        row = (await self._access.own_belief(group, belief_id, by)).belief
        return await self._act(group, row, acts.confirm, [row.statement], recorded_at, seen)

    async def reject(
        self,
        group: str,
        belief_id: str,
        by: Actor = ANYBODY,
        *,
        reason: str | None = None,
        recorded_at: datetime | None = None,
        seen: Seen = UNSEEN,
    ) -> ActedOn:
        """Say that what is believed was never so; ``reason`` is kept as evidence."""
        row = (await self._access.own_belief(group, belief_id, by)).belief
        return await self._act(group, row, partial(acts.reject, reason=reason), [], recorded_at, seen)

    async def correct(
        self,
        group: str,
        belief_id: str,
        to: Callable[[Grounds], Correction],
        by: Actor = ANYBODY,
        *,
        recorded_at: datetime | None = None,
        seen: Seen = UNSEEN,
    ) -> ActedOn:
        """Say what is so instead; ``to`` makes it of the belief as it is now.

        Raises:
            InvalidInput: it would end before it starts, move an event to another day, or say of one thing what holds
                between two only.
        """
        grounds = await self._access.own_belief(group, belief_id, by)
        instead = to(grounds)
        decide = partial(acts.correct, to=instead)
        return await self._act(
            group, grounds.belief, decide, [instead.statement], recorded_at, seen, instead=instead.target
        )

    async def choose(
        self,
        group: str,
        belief_id: str,
        claim_id: str,
        by: Actor = ANYBODY,
        *,
        recorded_at: datetime | None = None,
        seen: Seen = UNSEEN,
    ) -> ActedOn:
        """Say which of the claims that disagree about a contested belief is right; the other values give way to it."""
        row = (await self._access.own_belief(group, belief_id, by)).belief
        by.check_decision(row.user)
        chosen = await self._access.seen_claim(group, claim_id, by.user)
        decide = partial(acts.choose, claim_id=claim_id)
        return await self._act(group, row, decide, [chosen.statement], recorded_at, seen)

    async def share(self, group: str, belief_id: str, by: Actor = ANYBODY, *, seen: Seen = UNSEEN) -> Sharing:
        """Show everybody in the group what is believed, and the words that it rests on; not the rest of what was said.

        Raises:
            Conflict: everybody sees it anyway.
        """
        return await self._share(group, belief_id, by, seen, in_force=True)

    async def unshare(self, group: str, belief_id: str, by: Actor = ANYBODY, *, seen: Seen = UNSEEN) -> Sharing:
        """Show a belief to its user alone from now on, also where others ask about the past."""
        return await self._share(group, belief_id, by, seen, in_force=False)

    async def _share(self, group: str, belief_id: str, by: Actor, seen: Seen, *, in_force: bool) -> Sharing:
        row = (await self._access.own_belief(group, belief_id, by)).belief
        if row.user == EVERYBODY:
            raise Conflict("That was said for nobody in particular: everybody in the group sees it.")
        at, versions = await self._evidence.share(group, row, in_force=in_force, seen=seen)
        return Sharing(belief=row, shared=in_force, access_changed_at=at, versions=versions)

    async def _act(
        self,
        group: str,
        row: BeliefRow,
        decide: Callable[[Ground, datetime], ActEvidence],
        statements: Sequence[str],
        recorded_at: datetime | None,
        seen: Seen,
        *,
        instead: str = "",
    ) -> ActedOn:
        now = self._clock()
        by_words = await vectors_soon(self._embedder, statements)

        def make(ground: Ground) -> Change:
            acted = decide(ground, now)
            return Change(
                group_id=group,
                evidence=_evidence(acted),
                digested=(),
                embedding_model=self._embedder.model,
                vectors={
                    claim.words: by_words[claim.statement] for claim in acted.claims if claim.statement in by_words
                },
                episodes=(acted.episode,),
                entrants=(entrant_of(self._hashed, acted.episode),),
                recorded_at=recorded_at,
            )

        entrant = entrant_for(self._hashed, group, row.user)
        change, outcome = await self._evidence.act(
            group, row, make, entrant, instead=instead, recorded_at=recorded_at, seen=seen
        )
        return ActedOn(belief=row, claims=change.evidence.claims, episode_id=change.episodes[0].id, outcome=outcome)


def _evidence(acted: ActEvidence) -> ResolvedEvidence:
    user = acted.episode.user
    return ResolvedEvidence(
        entities=acted.entities,
        mentions=(),
        claims=acted.claims,
        known_as=tuple(entity.known_as(user) for entity in acted.entities),
    )
