"""Small stand-ins for the models and the queue: deterministic, without torch, spaCy or Redis."""

import asyncio
import hashlib
import math
import random
import re
from collections.abc import Collection, Generator, Sequence
from contextlib import contextmanager

from neo4j.exceptions import Neo4jError

from graphmem.errors import ModelUnavailable, QueueUnavailable
from graphmem.memory import Memory
from graphmem.model.claim import ClaimKind
from graphmem.model.embedding import Vector
from graphmem.model.episode import Episode, EpisodeStatus
from graphmem.model.fragment import ALONE, Context, Fragment, ProposedClaim, ProposedMention, ThingName
from graphmem.model.interval import LATEST
from graphmem.model.scope import Scope
from graphmem.queue.wakeups import WakeUp

DIMENSIONS = 384
LINE = re.compile(r"(?P<subject>\w+) (?P<ends>ends )?(?P<predicate>[a-z]\w*) (?P<object>\w+)\.?")
TYPES = {"lives_in": "place", "works_at": "organization"}


def failure_of_neo4j(code: str) -> Neo4jError:
    """The error that the driver makes of a server's code; its factory has no public name."""
    hydrate = Neo4jError._hydrate_neo4j  # pyright: ignore[reportPrivateUsage]  # noqa: SLF001
    return hydrate(code=code, message="content of a tenant")


class HashEmbedder:
    """Unit vectors seeded by the text: equal texts are near, others far."""

    model = "hash"
    dimensions = DIMENSIONS

    async def embed(self, texts: Sequence[str]) -> list[Vector]:
        return [unit(text) for text in texts]

    async def embed_query(self, text: str) -> Vector:
        return unit(text)


class UnsteadyEmbedder(HashEmbedder):
    """Likewise; it can be away, and take a while."""

    def __init__(self, model: str = "hash", dimensions: int = DIMENSIONS) -> None:
        self.model = model
        self.dimensions = dimensions
        self.away = False
        self.seconds = 0.0
        self.asked = 0

    async def embed(self, texts: Sequence[str]) -> list[Vector]:
        self.asked += 1
        await asyncio.sleep(self.seconds)
        if self.away:
            raise ModelUnavailable("The embedding model is away (test).")
        return [self.vector(text) for text in texts]

    def vector(self, text: str) -> Vector:
        """Each model has its own."""
        return unit(text if self.model == HashEmbedder.model else f"{self.model}: {text}", self.dimensions)

    async def embed_query(self, text: str) -> Vector:
        return (await self.embed([text]))[0]


class ScriptedExtractor:
    """Reads lines like ``Maya lives_in Lisbon``, and ``Maya_Silva ends lives_in Porto``; fails on ``Broken``.

    It reads what is about ``predicates`` (None: about all), and quotes the line, or ``whole`` texts.
    """

    context_turns = 0
    context_chars = 0
    uses_ontology = False
    piece_chars = 1_000_000
    predicates: Collection[str] | None = None
    whole = False

    async def extract(self, episode: Episode, context: Context = ALONE) -> Fragment:
        del context
        if episode.content.startswith("Broken"):
            raise ModelUnavailable("The script is broken.")
        mentions: list[ProposedMention] = []
        claims: list[ProposedClaim] = []
        for match in LINE.finditer(episode.content):
            if self.predicates is not None and match["predicate"] not in self.predicates:
                continue
            subject = ThingName(match["subject"].replace("_", " "), "person")
            target = ThingName(match["object"].replace("_", " "), TYPES.get(match["predicate"], "person"))
            for name, part in ((subject, "subject"), (target, "object")):
                mentions.append(ProposedMention(entity=name, start=match.start(part), end=match.end(part)))
            claims.append(
                ProposedClaim(
                    kind=ClaimKind.ENDS if match["ends"] else ClaimKind.STARTS,
                    subject=subject,
                    predicate=match["predicate"],
                    object=target,
                    statement=match[0],
                    quote_start=0 if self.whole else match.start(),
                    quote_end=len(episode.content) if self.whole else match.end(),
                    confidence=0.9,
                )
            )
        return Fragment(mentions=tuple(mentions), claims=tuple(claims), extractor="scripted", version="1")


class InlineQueue:
    """Digests a group's pending episodes at once. It can be away, and leave work undone, as busy workers do."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self._wake_ups: dict[str, WakeUp] = {}
        self.away = False
        self.busy = False
        self.told: list[str] = []

    @contextmanager
    def expect(self, episode_id: str) -> Generator[WakeUp]:
        yield self._wake_ups.setdefault(episode_id, WakeUp())

    async def wake_workers(self, group: str) -> None:
        await self.ping()
        self.told.append(group)
        if self.busy:
            return
        scope = Scope(group, LATEST)
        for status in (EpisodeStatus.PENDING, EpisodeStatus.REFINING):
            for stored in (await self._memory.reader.episodes(scope, status=status, limit=10_000)).episodes:
                await self._digest(group, stored.id)

    async def ping(self) -> None:
        if self.away:
            raise QueueUnavailable("The queue does not answer (test).")

    async def _digest(self, group: str, episode_id: str) -> None:
        lease = await self._memory.digestion.lease(group, episode_id, 60.0)
        if lease is None:
            return
        if episode_id in self._wake_ups:
            self._wake_ups[episode_id].give()
        try:
            await self._memory.digestion.digest(lease)
        except ModelUnavailable as error:
            await self._memory.works.fail_work(
                group, episode_id, lease.token, error=str(error), max_attempts=1, seconds=0.0
            )


def unit(text: str, dimensions: int = DIMENSIONS) -> Vector:
    source = random.Random(hashlib.sha256(text.encode()).digest())  # noqa: S311 - no secret
    vector = [source.gauss(0.0, 1.0) for _ in range(dimensions)]
    length = math.hypot(*vector)
    return [part / length for part in vector]
