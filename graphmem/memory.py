"""The path on one page: ``remember`` an episode, ``digest`` it into evidence and beliefs, ``recall`` them.

Only this module knows the order of the steps: extract, resolve, embed, store, retrieve.
"""

import asyncio
from collections.abc import Awaitable, Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime
from itertools import groupby
from time import perf_counter
from typing import TypeVar
from uuid import uuid4

from graphmem.clock import Clock
from graphmem.errors import Conflict, GraphmemError, NotFound
from graphmem.model.belief import BeliefRow
from graphmem.model.embedding import Embedder, Vector
from graphmem.model.episode import Episode, Redigest, Status, StoredEpisode
from graphmem.model.evidence import (
    NO_EVIDENCE,
    Change,
    Digested,
    Evidence,
    Outcome,
    Receipt,
    Retraction,
    StructuredClaim,
    total,
)
from graphmem.model.fragment import ALONE, Context, Extractor, Fragment, Patient, TurnsExtractor
from graphmem.model.group import Group
from graphmem.model.ids import group_token
from graphmem.model.ontology import GroupOntology, Ontology
from graphmem.model.recall import Lease, PointInTime, Recall, Remembered
from graphmem.reading import Reader
from graphmem.resolve.plan import resolve
from graphmem.resolve.structured import resolve_structured
from graphmem.retrieve.fuse import fuse
from graphmem.retrieve.lucene import lucene_query
from graphmem.store.evidence import EvidenceStore
from graphmem.store.graph import GraphStore

KINDS = frozenset({"relationship", "fact", "episode"})
MAX_HITS = 25_600
"""Full-text hits looked through for those that held at a time."""
SPARSE = 2
"""Entities of which an episode has no more, when it is read again by night."""

Result = TypeVar("Result")
Thing = BeliefRow | StoredEpisode
Scored = Sequence[tuple[Thing, float]]


class Memory:
    """The service behind HTTP, worker and tools: what changes the graph, and the search over it."""

    def __init__(
        self,
        graph: GraphStore,
        evidence: EvidenceStore,
        extractor: Extractor,
        embedder: Embedder,
        clock: Clock,
        *,
        extractor_of: Callable[[Redigest], Extractor] | None = None,
    ) -> None:
        """``extractor_of`` gives the one for an episode that is to be digested anew in a certain way."""
        self.store = graph
        self.reader = Reader(graph)
        self._evidence = evidence
        self._extractor = extractor
        self._extractor_of = extractor_of
        self._embedder = embedder
        self._clock = clock
        self._models: dict[str, str] = {}
        self._importing: set[str] = set()

    # remember -------------------------------------------------------------------------------------------------------

    async def ensure_group(self, group: str, *, importing: bool = False) -> None:
        """Make the group if there is none; ``importing``: one whose evidence brings its own ``recorded_at``.

        Raises:
            Conflict: the group's vectors are of another embedding model.
        """
        if group not in self._models:
            embedder, now = self._embedder, self._clock()
            row = await self.store.ensure_group(group, embedder.model, embedder.dimensions, now, importing=importing)
            self._models[group] = row.embedding_model
            if row.importing:
                self._importing.add(group)
        self._same_model(group, self._models[group])

    async def remember(self, group: str, episodes: Sequence[Episode]) -> list[Remembered]:
        """Store all of the episodes, or none; they are durable when this returns.

        Raises:
            Conflict: an external id or idempotency key was used before for another content, or the group imports.
        """
        await self.ensure_group(group)
        if await self._imports(group):
            raise Conflict(f"Group {group!r} is importing, and takes structured claims only. End the import first.")
        turns = self._extractor.bulk_turns_per_call if isinstance(self._extractor, TurnsExtractor) else 1
        rows = await self.store.remember_episodes(
            group, uuid4().hex, episodes, turns_per_call=turns, context_turns=self._extractor.context_turns
        )
        by_id = {row.id: row for row in rows}
        seen: set[str] = set()
        answers: list[Remembered] = []
        for episode in episodes:
            row = by_id[episode.id]
            answers.append(Remembered(episode.id, row.new and episode.id not in seen, row.status))
            seen.add(episode.id)
        return answers

    async def assert_claims(self, group: str, claims: Sequence[StructuredClaim]) -> tuple[list[Receipt], Outcome]:
        """Store structured claims and what they change, all in one transaction.

        Raises:
            Conflict: an external id was used before for something else; or the group imports and a claim does not say
                when it was recorded, or the other way round.
        """
        await self.ensure_group(group)
        receipts, changes = await self._changes(group, claims)
        outcome = total(await self._evidence.change_evidence(changes))
        return [replace(receipt, new=receipt.episode_id in outcome.new_episodes) for receipt in receipts], outcome

    async def retract(
        self, group: str, claim_id: str, recorded_at: datetime | None = None
    ) -> tuple[Retraction, Outcome]:
        """Withdraw a claim from now on; whoever asks what was believed before finds it standing.

        Raises:
            NotFound: there is no such claim.
            Conflict: the group imports and ``recorded_at`` is missing, or the other way round.
        """
        change = self._change(group, NO_EVIDENCE, recorded_at, retract=(claim_id,))
        (outcome,) = await self._evidence.change_evidence([change])
        return _retraction(claim_id, outcome), outcome

    async def correct(self, group: str, claim_id: str, claim: StructuredClaim) -> tuple[Retraction, Receipt, Outcome]:
        """Withdraw a claim and put another in its place, in one transaction.

        Raises:
            NotFound: there is no such claim.
            Conflict: it was retracted or corrected before, or the other one is the same.
        """
        await self.ensure_group(group)
        (receipt,), (change,) = await self._changes(group, [claim])
        if receipt.claim_id == claim_id:
            raise Conflict(f"What is to replace claim {claim_id} is the same claim. Give what differs.")
        (outcome,) = await self._evidence.change_evidence([replace(change, retract=(claim_id,))])
        receipt = replace(receipt, new=receipt.episode_id in outcome.new_episodes)
        return _retraction(claim_id, outcome), receipt, outcome

    async def end_import(self, group: str) -> Group:
        """From now on the clock says when something in this group is recorded.

        Raises:
            NotFound: there is no such group.
        """
        ended = await self.store.end_import(group)
        if ended is None:
            raise NotFound(f"There is no group {group!r}.")
        return ended

    async def _changes(self, group: str, claims: Sequence[StructuredClaim]) -> tuple[list[Receipt], list[Change]]:
        """Receipts in the order given, and a change for each run of claims that were recorded at one time."""
        receipts: list[Receipt] = []
        changes: list[Change] = []
        for recorded_at, run in groupby(claims, key=lambda claim: claim.recorded_at):
            episodes, resolved, evidence = resolve_structured(group, list(run))
            vectors = await self._embedder.embed([claim.statement for claim in evidence.claims])
            by_claim = {claim.words: vector for claim, vector in zip(evidence.claims, vectors, strict=True)}
            changes.append(self._change(group, evidence, recorded_at, vectors=by_claim, episodes=_once(episodes)))
            receipts += [Receipt(claim_id=claim.id, episode_id=claim.episode_id, new=False) for claim in resolved]
        return receipts, changes

    def _change(
        self,
        group: str,
        evidence: Evidence,
        recorded_at: datetime | None,
        *,
        vectors: Mapping[str, Vector] | None = None,
        episodes: tuple[Episode, ...] = (),
        retract: tuple[str, ...] = (),
    ) -> Change:
        return Change(
            group_id=group,
            evidence=evidence,
            digested=(),
            embedding_model=self._embedder.model,
            vectors=vectors or {},
            episodes=episodes,
            retract=retract,
            recorded_at=recorded_at,
        )

    # digest ---------------------------------------------------------------------------------------------------------

    async def lease(self, group: str, episode_id: str, seconds: float) -> Lease | None:
        """Take an episode for digestion; None if there is nothing to do or somebody else is at it."""
        token = uuid4().hex
        stored = await self.store.lease_episode(group, episode_id, token, seconds)
        return Lease(token, stored) if stored else None

    async def lease_turns(self, group: str, episode_id: str, seconds: float) -> list[Lease]:
        """The same, with the turns that are to be read together with it, in their order; and with its context."""
        extractor, token = self._extractor, uuid4().hex
        with _beside(asyncio.create_task(self._context(group, episode_id, extractor))) as reading:
            if isinstance(extractor, TurnsExtractor):
                more = extractor.turns_per_call - 1
                taken = await self.store.lease_turns(group, episode_id, token, seconds, more=more)
            else:
                alone = await self.store.lease_episode(group, episode_id, token, seconds)
                taken = [alone] if alone else []
            try:
                context = await reading
            except GraphmemError:  # asked for again where the lease is given back, or the episode says why it failed
                context = None
        return [Lease(token, stored, context if stored.id == episode_id else None) for stored in taken]

    async def digest(
        self, lease: Lease, *, read: Fragment | None = None, stands: Callable[[], object] | None = None
    ) -> Outcome:
        """Extract (unless that was ``read`` before), resolve, embed, and write everything in one transaction.

        Harmless to run again. Where the extractor takes longer than its latency budget, what can be read meanwhile
        stands first, and ``stands`` is called; what it says at last takes the place of that.

        Raises:
            LeaseLost: another worker took the episode over.
            ContextChanged: a turn came in that was said before this one, and was not read with it.
            UnavailableError: a server or model is away.
        """
        times = self._waited(lease.stored)
        await self.ensure_group(lease.stored.episode.group_id)
        if read is not None:
            times["extraction"] = read.usage.milliseconds if read.usage else 0.0
            return await self._write(lease, read, times)
        extractor, began = self._reader_of(lease.stored), perf_counter()
        turns = extractor.context_turns if lease.stored.episode.session else 0
        content = asyncio.create_task(self._embedder.embed([lease.stored.episode.content]))
        with _beside(content) as embedding:
            context = await self._context_of(lease, extractor)
            fragment, rest = await self._read(lease.stored, extractor, context)
            times["extraction"] = _since(began)
            if rest is not None:
                with _beside(rest):
                    await self._write(lease, fragment, times, embedding=embedding, provisional=True)
                    if stands is not None:
                        stands()
                    fragment = await rest
                times["extraction"] = _since(began)
            return await self._write(lease, fragment, times, embedding=embedding, context=context, turns=turns)

    async def _embedded(
        self, content: str, statements: Sequence[str], embedding: Awaitable[Sequence[Vector]] | None
    ) -> list[Vector]:
        if embedding is None:
            return await self._embedder.embed([content, *statements])
        others = await self._embedder.embed(statements)
        return [*await embedding, *others]

    def _waited(self, stored: StoredEpisode) -> dict[str, float]:
        """Milliseconds from its arrival to its first digest."""
        if stored.revision:
            return {}
        return {"queue": round(1000 * (self._clock() - stored.recorded_at).total_seconds(), 1)}

    async def read_turns(self, leases: Sequence[Lease]) -> list[Fragment | GraphmemError]:
        """What a language model reads of turns that were leased together: a fragment each, or what went wrong."""
        extractor = self._extractor
        if not isinstance(extractor, TurnsExtractor):
            raise TypeError("Only turns of an extractor that reads them together are leased together.")
        context = await self._context_of(leases[0], extractor)
        return await extractor.extract_turns([lease.stored.episode for lease in leases], context)

    async def _read(
        self, stored: StoredEpisode, extractor: Extractor, context: Context
    ) -> tuple[Fragment, "asyncio.Task[Fragment] | None"]:
        """What is read of an episode, and what is still being read of it where that takes longer than its budget."""
        episode, standing = stored.episode, stored.status is Status.REFINING
        if standing or not isinstance(extractor, Patient) or (budget := extractor.latency_budget) is None:
            return await extractor.extract(episode, context), None
        reading = asyncio.create_task(extractor.extract(episode, context))
        try:
            await asyncio.wait({reading}, timeout=budget)
            if reading.done():
                return reading.result(), None
            return await extractor.provisional(episode, context), reading
        except BaseException:
            reading.cancel()
            raise

    def _reader_of(self, stored: StoredEpisode) -> Extractor:
        if stored.redigest is None or self._extractor_of is None:
            return self._extractor
        return self._extractor_of(stored.redigest)

    async def _context_of(self, lease: Lease, extractor: Extractor) -> Context:
        """Raises NotFound: the episode is gone."""
        if lease.context is not None and extractor is self._extractor:
            return lease.context
        context = await self._context(lease.stored.episode.group_id, lease.stored.id, extractor)
        if context is None:
            raise NotFound(f"Episode {lease.stored.id} is gone.")
        return context

    async def _context(self, group: str, episode_id: str, extractor: Extractor) -> Context | None:
        """All that the extractor wants to know, in one question; nothing, if that is nothing."""
        if not extractor.context_turns and not extractor.uses_ontology:
            return ALONE
        return await self.store.context_of_episode(group, episode_id, extractor.context_turns)

    async def _write(
        self,
        lease: Lease,
        fragment: Fragment,
        times: Mapping[str, float],
        *,
        embedding: Awaitable[Sequence[Vector]] | None = None,
        provisional: bool = False,
        context: Context = ALONE,
        turns: int = 0,
    ) -> Outcome:
        """Resolve, embed and write. ``embedding`` is that of the content, where it is on its way.

        What was read offline in a context of ``turns`` holds for that one: it is looked at again before writing.
        """
        stored, measured = lease.stored, dict(times)
        evidence = resolve(stored, fragment)
        statements = [claim.statement for claim in evidence.claims]
        vectors = await _timed(measured, "embedding", self._embedded(stored.episode.content, statements, embedding))
        digested = Digested(
            episode_id=stored.id,
            embedding=vectors[0],
            extractor=fragment.extractor,
            extractor_version=fragment.version,
            provisional=provisional,
            sparse=fragment.version if fragment.offline and len(evidence.entities) <= SPARSE else "",
            context=context.ids,
            context_turns=turns if fragment.offline else 0,
        )
        change = Change(
            group_id=stored.episode.group_id,
            evidence=evidence,
            digested=(digested,),
            embedding_model=self._embedder.model,
            vectors={claim.words: vector for claim, vector in zip(evidence.claims, vectors[1:], strict=True)},
            lease=lease.token,
            milliseconds=measured,
            usage=fragment.usage,
        )
        (outcome,) = await self._evidence.change_evidence([change])
        return outcome

    async def redigest(self, group: str, episode_id: str, redigest: Redigest) -> StoredEpisode:
        """Have an episode digested anew. What stands of it, stands until then; what differs then takes its place.

        Raises:
            NotFound: there is no such episode.
            Conflict: it waits for a digest already, or came as a structured claim.
        """
        if await self.store.redigest_episode(group, episode_id, redigest) is None:
            stored = await self.reader.episode(group, episode_id)
            raise Conflict(
                f"Episode {episode_id} is {stored.status}. Only words that are digested, or failed to be, can be "
                "digested anew; a structured claim has none."
            )
        return await self.reader.episode(group, episode_id)

    async def reread(self, version: str, limit: int) -> int:
        """Have episodes digested anew of which others than this version of the accurate reader read little.

        Returns how many, of all groups, at most ``limit``.
        """
        return len(await self.store.redigest_sparse(version, Redigest(strategy="accurate"), limit))

    async def retry(self, group: str, episode_id: str) -> StoredEpisode:
        """Make a failed episode pending again.

        Raises:
            NotFound: there is no such episode.
            Conflict: it has not failed.
        """
        if await self.store.retry_episode(group, episode_id) is None:
            stored = await self.reader.episode(group, episode_id)
            raise Conflict(f"Episode {episode_id} is {stored.status}; only a failed one can be retried.")
        return await self.reader.episode(group, episode_id)

    # recall ---------------------------------------------------------------------------------------------------------

    async def recall(
        self, group: str, when: PointInTime, text: str, *, kinds: frozenset[str] = KINDS, limit: int = 10
    ) -> Recall:
        """What is believed and said about ``text`` at a point in time.

        Full text and vectors over relationships, facts and episodes, fused by reciprocal rank. Tenant and time are
        part of the vector look-up; full text fetches on until enough hits held then.
        """
        await self.reader.known_group(group)
        vector = await self._embedder.embed_query(text)
        depth = max(50, 5 * limit // 2)
        things: dict[tuple[str, str], Thing] = {}
        channels: dict[str, list[tuple[str, str, float]]] = {}
        for kind in sorted(kinds):
            for channel, hits in (await self._search(kind, group, when, text, vector, depth)).items():
                things.update(((kind, thing.id), thing) for thing, _ in hits)
                channels[f"{channel}:{kind}"] = [(kind, thing.id, score) for thing, score in hits]
        ranked = fuse(channels)[:limit]
        return await self.reader.with_evidence(group, when, [(item, things[item.kind, item.id]) for item in ranked])

    async def _search(
        self, kind: str, group: str, when: PointInTime, text: str, vector: Vector, depth: int
    ) -> dict[str, Scored]:
        by_vector, by_text, field = {
            "relationship": (self.store.relationships_by_vector, self.store.relationships_by_text, "statement"),
            "fact": (self.store.facts_by_vector, self.store.facts_by_text, "statement"),
            "episode": (self.store.episodes_by_vector, self.store.episodes_by_text, "content"),
        }[kind]
        hits: dict[str, Scored] = {"vector": await by_vector(group, when, vector, depth)}
        if (lucene := lucene_query(text, group_token(group), field)) is not None:
            hits["text"] = await _enough(by_text, group, when, lucene, depth)
        return hits

    async def set_ontology(self, group: str, ontology: Ontology | None) -> GroupOntology | None:
        """Give a group its own ontology, or (None) let it follow the service's; what was read before stays as it is."""
        if ontology is not None:
            await self.ensure_group(group)
        return await self.store.set_ontology(group, ontology, self._clock())

    async def _imports(self, group: str) -> bool:
        """Whether the group still imports. One that never did, or has ended it, never will."""
        if group in self._importing:
            row = await self.store.group(group)
            if row is None or not row.importing:
                self._importing.discard(group)
        return group in self._importing

    def _same_model(self, group: str, model: str) -> None:
        if model != self._embedder.model:
            raise Conflict(
                f"Group {group!r} has vectors of the embedding model {model!r}, and {self._embedder.model!r} is "
                f"configured. Set embedding.model to {model!r}, or use another group."
            )


def _once(episodes: Sequence[Episode]) -> tuple[Episode, ...]:
    """Each episode once.

    Raises:
        Conflict: two of one identity say something else.
    """
    found: dict[str, Episode] = {}
    for episode in episodes:
        if found.setdefault(episode.id, episode).fingerprint != episode.fingerprint:
            raise Conflict(f"The external id {episode.external_id!r} comes twice in one request, for two claims.")
    return tuple(found.values())


def _retraction(claim_id: str, outcome: Outcome) -> Retraction:
    retracted_at = outcome.retracted_at[claim_id]
    return Retraction(claim_id=claim_id, retracted_at=retracted_at, new=retracted_at == outcome.recorded_at)


async def _enough(
    by_text: Callable[[str, PointInTime, str, int], Awaitable[tuple[int, Scored]]],
    group: str,
    when: PointInTime,
    lucene: str,
    wanted: int,
) -> Scored:
    """The best full-text hits that held then: four times as many are fetched until there are enough, or no more."""
    fetched = wanted
    while True:
        raw, held = await by_text(group, when, lucene, fetched)
        if len(held) >= wanted or raw < fetched or fetched >= MAX_HITS:
            return held[:wanted]
        fetched *= 4


@contextmanager
def _beside(task: asyncio.Task[Result]) -> Generator[asyncio.Task[Result]]:
    """What goes on beside what is done meanwhile ends with it. Who awaits the task hears what it failed of."""
    task.add_done_callback(lambda done: None if done.cancelled() else done.exception())
    try:
        yield task
    finally:
        task.cancel()


async def _timed(times: dict[str, float], step: str, work: Awaitable[Result]) -> Result:
    began = perf_counter()
    result = await work
    times[step] = _since(began)
    return result


def _since(began: float) -> float:
    """Milliseconds."""
    return round(1000 * (perf_counter() - began), 1)
