"""Bulk digestion: episodes of one group that wait together are embedded in one batch and written together."""

import asyncio
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from time import perf_counter

import structlog

from graphmem.errors import StoreUnavailable, TransactionEnded, UnavailableError
from graphmem.identity.short_names import ShortNames
from graphmem.identity.users import UserNames
from graphmem.model.embedding import Embedder
from graphmem.model.episode import Episode
from graphmem.model.evidence import Change, ChangeOutcome
from graphmem.model.fragment import Admission, BatchExtractor, Context, Extractor, Fragment
from graphmem.model.work import Lease
from graphmem.process.tasks import cancelled_after
from graphmem.recall.passages import texts_of
from graphmem.recall.vectors import unless_away
from graphmem.store.change.evidence import EvidenceStore
from graphmem.write.changes import EpisodeRead, change_of, evidence_of, is_long
from graphmem.write.digestion import Digestion, TurnRead, since, turns_of

MOST = 50
"""Episodes written in one transaction."""
SECONDS = 0.25
"""How long such a transaction may take: after one that took longer, the next one writes half as many episodes."""
CHARS = 20_000
"""Characters read together: longer texts do not gain by it, and take memory and the parser from those that wait."""

Result = ChangeOutcome | Exception

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class _Ready:
    """An episode that can be read."""

    lease: Lease
    extractor: Extractor
    context: Context
    admission: Admission

    @property
    def id(self) -> str:
        return self.lease.stored.id

    @property
    def episode(self) -> Episode:
        return self.lease.stored.episode

    def read(self, fragment: Fragment, milliseconds: float) -> "_Read":
        return _Read(
            lease=self.lease,
            fragment=fragment,
            evidence=evidence_of(self.lease.stored, fragment, self.admission),
            milliseconds=milliseconds,
            context=self.context,
            turns=turns_of(self.extractor, self.episode),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Read(EpisodeRead):
    """What was read of an episode, and how long that took, in milliseconds."""

    milliseconds: float

    @property
    def id(self) -> str:
        return self.lease.stored.id


class BulkDigestion:
    """Digests many episodes for the price of few."""

    def __init__(
        self,
        digestion: Digestion,
        evidence: EvidenceStore,
        embedder: Embedder,
        short_names: ShortNames,
        user_names: UserNames,
        *,
        most: int = MOST,
        seconds: float = SECONDS,
    ) -> None:
        """At most so many are written in one transaction, and half as many after one that took so many ``seconds``."""
        self._digestion = digestion
        self._evidence = evidence
        self._embedder = embedder
        self._short_names = short_names
        self._user_names = user_names
        self._most = most
        self._seconds = seconds
        self._size = most

    def portions(self, leases: Sequence[Lease]) -> Iterator[Sequence[Lease]]:
        """The leases in portions that are read together; texts that are read in pieces last, each by itself."""
        long = [lease for lease in leases if is_long(lease.stored, self._digestion.reader_of(lease.stored))]
        yield from _by_chars(lease for lease in leases if lease not in long)
        for lease in long:
            yield [lease]

    async def digest(self, leases: Sequence[Lease], progressed: Callable[[], object] | None = None) -> list[Result]:
        """Digest leased episodes of one group: what came of each, or what went wrong with it, in their order.

        They are to be one of the ``portions``; ``progressed`` is called after each piece of a text that is read in
        pieces. One that cannot be read fails alone. If a transaction cannot be written, each of its episodes is written
        by itself, and fails or not by itself. Harmless to run again.

        Raises:
            UnavailableError: Neo4j is away, before anything was written.
        """
        reads = [await self._prepared(lease, progressed) for lease in leases]
        ready = [read for read in reads if isinstance(read, _Ready)]
        done: dict[str, Result] = {
            lease.stored.id: read for lease, read in zip(leases, reads, strict=True) if not isinstance(read, _Ready)
        }
        if ready:
            done |= await self._digest(ready)
        return [done[lease.stored.id] for lease in leases]

    async def digest_read(self, read: Sequence[tuple[Lease, TurnRead]]) -> list[Result]:
        """Embed and write leased turns of one group that were read before: what came of each, in their order."""
        done: dict[str, Result] = {}
        reads: list[_Read] = []
        for lease, turn in read:
            usage = turn.fragment.usage
            try:
                evidence = evidence_of(lease.stored, turn.fragment, self._digestion.admission)
            except Exception as error:  # noqa: BLE001 - told of this episode; the others are written all the same
                done[lease.stored.id] = error
                continue
            reads.append(
                _Read(
                    lease=lease,
                    fragment=turn.fragment,
                    evidence=evidence,
                    milliseconds=usage.milliseconds if usage else 0.0,
                    context=turn.context,
                    turns=turn.turns,
                )
            )
        done |= await self._write_all(reads)
        return [done[lease.stored.id] for lease, _ in read]

    async def _digest(self, ready: Sequence[_Ready]) -> dict[str, Result]:
        """What came of episodes that are read together, by id."""
        reads = await _read(ready)
        failed: dict[str, Result] = {id_: error for id_, error in reads.items() if isinstance(error, Exception)}
        return failed | await self._write_all([read for read in reads.values() if isinstance(read, _Read)])

    async def _write_all(self, reads: Sequence[_Read]) -> dict[str, Result]:
        """What came of episodes that were read, by id."""
        done: dict[str, Result] = {}
        try:
            changes = await self._changes(reads)
        except Exception as error:  # noqa: BLE001 - told of its episode, once it is clear which one that is
            if len(reads) == 1 or isinstance(error, UnavailableError):
                return {read.id: error for read in reads}
            for read in reads:
                done |= await self._write_all([read])
            return done
        while changes:
            size = self._size
            for change, result in zip(changes[:size], await self._write(changes[:size]), strict=True):
                done[change.digested[0].episode_id] = result
            changes = changes[size:]
        return done

    async def _prepared(self, lease: Lease, progressed: Callable[[], object] | None) -> _Ready | Result:
        """An episode with its context; one that is read in pieces is digested here and now."""
        extractor = self._digestion.reader_of(lease.stored)
        try:
            if is_long(lease.stored, extractor):
                return await self._digestion.digest(lease, progressed=progressed)
            context = await self._digestion.context_of(lease, extractor)
            return _Ready(lease, extractor, context, self._digestion.admission)
        except Exception as error:  # noqa: BLE001 - told of this episode; the others are digested all the same
            return error

    async def _changes(self, reads: Sequence[_Read]) -> list[Change]:
        """What is to be written; all texts are embedded together, and each episode has the same share of that time."""
        began = perf_counter()
        texts = [[*texts_of(read.episode.content), *read.statements] for read in reads]
        readings = [(read.episode, read.evidence) for read in reads]
        with cancelled_after(asyncio.create_task(self._short_names.provisional_meanings(readings))) as meant:
            every = [text for some in texts for text in some]
            embedded = await unless_away(self._embedder.embed(every))
            meanings = await meant
        vectors = None if embedded is None else iter(embedded)
        share = round(since(began) / max(1, len(reads)), 1)
        return [
            change_of(
                read,
                None if vectors is None else [next(vectors) for _ in some],
                embedding_model=self._embedder.model,
                milliseconds={
                    **self._digestion.waited(read.lease.stored),
                    "extraction": read.milliseconds,
                    "embedding": share,
                },
                meanings=mean,
            )
            for read, some, mean in zip(reads, texts, meanings, strict=True)
        ]

    async def _write(self, changes: Sequence[Change]) -> Sequence[Result]:
        began = perf_counter()
        try:
            outcomes = await self._evidence.change_evidence(changes)
        except Exception as error:  # noqa: BLE001 - told of its episode, once it is clear which one that is
            if len(changes) == 1 or (isinstance(error, StoreUnavailable) and not isinstance(error, TransactionEnded)):
                return [error] * len(changes)
            return [(await self._write([change]))[0] for change in changes]
        took = perf_counter() - began
        await self._user_names.follow(changes[0].group_id, [change.evidence for change in changes])
        self._size = max(1, len(changes) // 2) if took > self._seconds else min(self._most, 2 * self._size)
        return outcomes


async def _read(ready: Sequence[_Ready]) -> dict[str, _Read | Exception]:
    """What is read of episodes, by id: of all at once where that can be, else of one after the other."""
    extractor = ready[0].extractor
    if (
        isinstance(extractor, BatchExtractor)
        and len(ready) > 1
        and all(prepared.extractor is extractor for prepared in ready)
    ):
        try:
            return {read.id: read for read in await _read_each(extractor, ready)}
        except Exception as error:  # noqa: BLE001 - that of one of them; each by itself says which
            log.warning("bulk.not_read_together", reason=type(error).__name__)
    return {prepared.id: await _read_alone(prepared) for prepared in ready}


async def _read_each(extractor: BatchExtractor, ready: Sequence[_Ready]) -> list[_Read]:
    """What is read of all at once; each has the same share of the time."""
    began = perf_counter()
    fragments = await extractor.extract_each([(prepared.episode, prepared.context) for prepared in ready])
    share = round(since(began) / len(ready), 1)
    return [prepared.read(fragment, share) for prepared, fragment in zip(ready, fragments, strict=True)]


async def _read_alone(ready: _Ready) -> _Read | Exception:
    began = perf_counter()
    try:
        fragment = await ready.extractor.extract(ready.episode, ready.context)
        return ready.read(fragment, since(began))
    except Exception as error:  # noqa: BLE001 - told of this episode; the others are written all the same
        return error


def _by_chars(leases: Iterable[Lease]) -> Iterator[Sequence[Lease]]:
    """Leases in order, as many at a time as have ``CHARS`` characters in all; one at least."""
    some: list[Lease] = []
    chars = 0
    for lease in leases:
        size = len(lease.stored.episode.content)
        if some and chars + size > CHARS:
            yield some
            some, chars = [], 0
        some.append(lease)
        chars += size
    if some:
        yield some
