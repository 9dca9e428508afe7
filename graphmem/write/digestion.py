"""Digestion: an episode under a lease is read, resolved, embedded, and written with the beliefs that change."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from time import perf_counter
from typing import TypeVar
from uuid import uuid4

from graphmem.clock import Clock
from graphmem.errors import GraphmemError, NotFound
from graphmem.extract.pieces import TextPiece
from graphmem.identity.short_names import ShortNames
from graphmem.identity.users import UserNames
from graphmem.model.embedding import Embedder, Vector
from graphmem.model.episode import Episode, EpisodeStatus, Reprocessing, StoredEpisode
from graphmem.model.evidence import ChangeOutcome
from graphmem.model.fragment import (
    ALONE,
    AS_PACKAGED,
    Admission,
    Context,
    Extractor,
    Fragment,
    LatencyBudgeted,
    TurnsExtractor,
)
from graphmem.model.work import Lease, Taken
from graphmem.process.tasks import cancelled_after
from graphmem.recall.passages import texts_of
from graphmem.recall.vectors import unless_away
from graphmem.store.change.evidence import EvidenceStore
from graphmem.store.graph import GraphStore
from graphmem.store.parameters import read_outcome
from graphmem.store.work import WorkStore
from graphmem.write.changes import (
    EpisodeRead,
    change_of,
    context_of_piece,
    context_of_pieces,
    evidence_of,
    fitting,
    parts_of,
)

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class TurnRead:
    """What was read of a turn among others; with its own context, and the length of that, where it was read in that."""

    fragment: Fragment
    context: Context = ALONE
    turns: int = 0


class Digestion:
    """Extract, resolve, embed, write: what a worker does with one episode, harmless to run again."""

    def __init__(
        self,
        store: GraphStore,
        works: WorkStore,
        evidence: EvidenceStore,
        extractor: Extractor,
        embedder: Embedder,
        clock: Clock,
        short_names: ShortNames,
        user_names: UserNames,
        *,
        extractor_of: Callable[[Reprocessing], Extractor] | None = None,
        admission: Admission = AS_PACKAGED,
    ) -> None:
        """``extractor_of`` gives the extractor for an episode that is to be digested anew in a certain way."""
        self.admission = admission
        self._store = store
        self._works = works
        self._evidence = evidence
        self._extractor = extractor
        self._extractor_of = extractor_of
        self._embedder = embedder
        self._clock = clock
        self._short_names = short_names
        self._user_names = user_names

    @property
    def reads_turns_together(self) -> bool:
        """Whether turns that are digested together are read in one call."""
        return isinstance(self._extractor, TurnsExtractor)

    @property
    def turns_joined(self) -> int:
        """How many waiting turns go with one that is taken, to be read in the same call; -1: none are."""
        return self._extractor.turns_per_call - 1 if isinstance(self._extractor, TurnsExtractor) else -1

    async def lease(self, group: str, episode_id: str, seconds: float) -> Lease | None:
        """Take an episode for digestion; None if there is nothing to do or somebody else is at it."""
        taken = await self._works.lease_work(group, episode_id, uuid4().hex, seconds)
        leases = await self._stored(taken) if taken else []
        return leases[0] if leases else None

    async def leased(self, taken: Taken) -> list[Lease]:
        """Episodes that were taken, in order of time; the first with its context."""
        with cancelled_after(asyncio.create_task(self._context(taken.group, taken.ids[0], self._extractor))) as reading:
            leases = await self._stored(taken)
            try:
                context = await reading
            except Exception:  # noqa: BLE001 - asked for again; where it fails again, the episode says why
                context = None
        return [replace(lease, context=context) if lease.stored.id == taken.ids[0] else lease for lease in leases]

    async def _stored(self, taken: Taken) -> list[Lease]:
        stored = await self._store.leased_episodes(taken.group, taken.ids, taken.lease)
        return [Lease(taken.lease, episode) for episode in stored]

    async def digest(
        self,
        lease: Lease,
        *,
        stands: Callable[[], object] | None = None,
        progressed: Callable[[], object] | None = None,
    ) -> ChangeOutcome:
        """Extract, resolve, embed, and write everything in one transaction.

        Harmless to run again. Where the extractor takes longer than its latency budget, what can be read meanwhile
        stands first, and ``stands`` is called; what it says at last takes the place of that. A text longer than the
        extractor reads at once is read and written piece by piece, from where an earlier digest ended, and
        ``progressed`` is called after each. While the embedding model is away, or is not the group's, everything is
        written without vectors, which are still to come.

        Raises:
            LeaseLost: another worker took the episode over.
            ContextChanged: a turn came in that was said before this one, and was not read with it.
            UnavailableError: a server or model is away.
        """
        times = self.waited(lease.stored)
        extractor, began = self.reader_of(lease.stored), perf_counter()
        if parts := parts_of(lease.stored, extractor):
            return await self._digest_pieces(lease, extractor, parts, times, progressed)
        turns = turns_of(extractor, lease.stored.episode)
        content = asyncio.create_task(self._embedder.embed(texts_of(lease.stored.episode.content)))
        with cancelled_after(content) as embedding:
            context = await self.context_of(lease, extractor)
            fragment, rest = await self._read(lease.stored, extractor, context)
            times["extraction"] = since(began)
            if rest is not None:
                with cancelled_after(rest):
                    provisional = replace(self._resolved(lease, fragment), provisional=True)
                    await self._write(provisional, times, embedding)
                    if stands is not None:
                        stands()
                    fragment = await rest
                times["extraction"] = since(began)
            read = replace(self._resolved(lease, fragment), context=context, turns=turns)
            return await self._write(read, times, embedding)

    async def _digest_pieces(
        self,
        lease: Lease,
        extractor: Extractor,
        parts: Sequence[TextPiece],
        times: Mapping[str, float],
        progressed: Callable[[], object] | None,
    ) -> ChangeOutcome:
        """Read and write the rest of a long text, each piece by itself: not in the context of turns or other pieces."""
        stored = lease.stored
        context = context_of_pieces(stored, await self.context_of(lease, extractor))
        so_far, measured = read_outcome(stored.outcome) if stored.cursor else ChangeOutcome(), dict(times)
        for part in parts:
            text = stored.episode.content[part.start : part.end]
            extraction = extractor.extract(replace(stored.episode, content=text), context_of_piece(context, part))
            fragment = (await _timed(measured, "extraction", extraction)).shifted(part.start)
            read = replace(self._resolved(lease, fragment, part), before=so_far)
            so_far = await self._write(read, measured)
            if so_far.done_before:
                break
            measured = {}
            if progressed is not None:
                progressed()
        return so_far

    async def _embedded(
        self, content: str | None, statements: Sequence[str], embedding: Awaitable[Sequence[Vector]] | None
    ) -> list[Vector] | None:
        """The vectors of the content's texts, unless there is none to embed yet, then those of the statements.

        None while the model is away.
        """
        return await unless_away(self._vectors(content, statements, embedding))

    async def _vectors(
        self, content: str | None, statements: Sequence[str], embedding: Awaitable[Sequence[Vector]] | None
    ) -> list[Vector]:
        if content is None:
            return await self._embedder.embed(statements)
        if embedding is None:
            return await self._embedder.embed([*texts_of(content), *statements])
        others = await self._embedder.embed(statements)
        return [*await embedding, *others]

    def waited(self, stored: StoredEpisode) -> dict[str, float]:
        """Milliseconds from an episode's arrival to its first digest; none for one that was digested before."""
        if stored.revision:
            return {}
        return {"queue": round(1000 * (self._clock() - stored.recorded_at).total_seconds(), 1)}

    async def read_turns(self, leases: Sequence[Lease]) -> list[TurnRead | GraphmemError | None]:
        """What a language model reads of turns that were leased together, or what went wrong with them.

        None for turns that one call has no room for, which are to be read by themselves.
        """
        extractor = self._extractor
        if not isinstance(extractor, TurnsExtractor):
            raise TypeError("Only turns of an extractor that reads them together are leased together.")
        room = fitting([lease.stored.episode for lease in leases], extractor.piece_chars)
        if not room:
            return [None for _ in leases]
        context, own = await self.context_of(leases[0], extractor), dict[str, Context]()
        lease_of = {lease.stored.episode.id: lease for lease in leases}

        async def context_of(episode: Episode) -> Context:
            own[episode.id] = await self.context_of(lease_of[episode.id], extractor)
            return own[episode.id]

        results = await extractor.extract_turns(room, context, context_of)
        read = [
            _turn_read(result, own.get(episode.id), turns_of(extractor, episode))
            for episode, result in zip(room, results, strict=True)
        ]
        return [*read, *(None for _ in leases[len(room) :])]

    async def _read(
        self, stored: StoredEpisode, extractor: Extractor, context: Context
    ) -> tuple[Fragment, "asyncio.Task[Fragment] | None"]:
        """What is read of an episode, and what is still being read of it where that takes longer than its budget."""
        episode, standing = stored.episode, stored.status is EpisodeStatus.REFINING
        if standing or not isinstance(extractor, LatencyBudgeted) or (budget := extractor.latency_budget) is None:
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

    def reader_of(self, stored: StoredEpisode) -> Extractor:
        """The extractor of the settings, or the one that the episode is to be digested anew with."""
        if stored.reprocessing is None or self._extractor_of is None:
            return self._extractor
        return self._extractor_of(stored.reprocessing)

    async def context_of(self, lease: Lease, extractor: Extractor) -> Context:
        """What the extractor wants to know of an episode.

        Raises:
            NotFound: the episode is gone.
        """
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
        return await self._store.context_of_episode(group, episode_id, extractor.context_turns, extractor.context_chars)

    def _resolved(self, lease: Lease, fragment: Fragment, piece: TextPiece | None = None) -> EpisodeRead:
        evidence = evidence_of(lease.stored, fragment, self.admission, piece)
        return EpisodeRead(lease=lease, fragment=fragment, evidence=evidence, piece=piece)

    async def _write(
        self, read: EpisodeRead, times: Mapping[str, float], embedding: Awaitable[Sequence[Vector]] | None = None
    ) -> ChangeOutcome:
        """Embed and write. ``embedding`` is that of the content, where it is on its way.

        The content of a text that is read in pieces is embedded with the last.
        """
        measured = dict(times)
        content = None if read.goes_on else read.episode.content
        readings = [(read.episode, read.evidence)]
        with cancelled_after(asyncio.create_task(self._short_names.provisional_meanings(readings))) as meant:
            embedded = self._embedded(content, read.statements, embedding)
            vectors = await _timed(measured, "embedding", embedded)
            (meanings,) = await meant
        model = self._embedder.model
        change = change_of(read, vectors, embedding_model=model, milliseconds=measured, meanings=meanings)
        (outcome,) = await self._evidence.change_evidence([change])
        await self._user_names.follow(change.group_id, [change.evidence])
        return outcome


def _turn_read(result: Fragment | GraphmemError, own: Context | None, turns: int) -> TurnRead | GraphmemError:
    """What was read of a turn, with its ``own`` context of so many turns if it was read in that; or the error."""
    if not isinstance(result, Fragment):
        return result
    return TurnRead(result) if own is None else TurnRead(result, own, turns)


async def _timed(times: dict[str, float], step: str, work: Awaitable[Result]) -> Result:
    began = perf_counter()
    result = await work
    times[step] = since(began)
    return result


def turns_of(extractor: Extractor, episode: Episode) -> int:
    """How many turns before an episode its reading may depend on; none without a session."""
    return extractor.context_turns if episode.session else 0


def since(began: float) -> float:
    """Milliseconds from an instant of ``perf_counter`` until now."""
    return round(1000 * (perf_counter() - began), 1)
