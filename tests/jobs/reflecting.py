"""A memory that reflects on weeks when asked to, and claims for it."""

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

from graphmem.clock import utc_now
from graphmem.derived.reflections import Reflections
from graphmem.jobs.steps import Stepper
from graphmem.jobs.summariser import Reflector
from graphmem.memory import Memory
from graphmem.model.cited_writing import ReflectionWriter
from graphmem.model.composed import Composed, ContextQuery
from graphmem.model.evidence import StructuredClaim
from graphmem.model.fragment import Extractor, ThingName
from graphmem.model.reflection import FIRST_REFLECTION, ReflectionPolicy, StoredReflection
from graphmem.model.scope import Scope
from graphmem.model.search import REFLECTION
from graphmem.model.work import Work, WorkKind, WorkRequest, reflection_request, work_id
from graphmem.process.metrics import DigestMetrics
from graphmem.recall.context import Contexts
from graphmem.settings.jobs import JobSettings
from graphmem.store.driver import Database
from tests.fakes import UnsteadyEmbedder
from tests.jobs.summarising import Words
from tests.models import memory_on

SETTINGS = JobSettings(retry_seconds=0.0, embed_seconds=0)
POLICY = ReflectionPolicy()
WEEK = POLICY.week_of(datetime(2025, 5, 4, tzinfo=UTC).date())
NEXT = POLICY.week_of(datetime(2025, 5, 11, tzinfo=UTC).date())
MONDAY = WEEK.since + timedelta(days=1)
THINGS = ("chess", "opera", "rugby", "jazz", "poker", "judo")


def claim(
    target: str, *, predicate: str = "likes", subject: str = "Maya", user: str = "", at: datetime = MONDAY, **more: Any
) -> StructuredClaim:
    return StructuredClaim(
        subject=ThingName(subject, "person"),
        predicate=predicate,
        object=ThingName(target, "place" if predicate == "lives_in" else "topic"),
        valid_from=at,
        occurred_at=at,
        recorded_at=at,
        user=user,
        **more,
    )


def likes(number: int, first: int = 0, **more: Any) -> list[StructuredClaim]:
    """So many claims, each an hour after the one before."""
    at: datetime = more.pop("at", MONDAY)
    return [claim(THINGS[place], at=at + timedelta(hours=place), **more) for place in range(first, first + number)]


class Bench:
    """A memory of which the weeks of the past are reflected on when asked for."""

    def __init__(
        self, database: Database, writer: ReflectionWriter | None = None, extracts: Extractor | None = None
    ) -> None:
        self.metrics = DigestMetrics()
        self.embedder = UnsteadyEmbedder()
        self.memory: Memory = memory_on(database, extracts=extracts, embeds=self.embedder)
        store, late = self.memory.store, self.memory.late_vectors
        self.reflections = Reflections(store, self.memory.reader, late, Words(), writer=writer)
        self.reflector = Reflector(self.reflections, self.metrics.observe_model)
        self.stepper = Stepper(self.reflector, self.memory.works, SETTINGS, metrics=self.metrics)

    async def past(self, group: str, *claims: StructuredClaim) -> dict[str, str]:
        """Import these; the ids of claims by what they are about."""
        await self.memory.groups.ensure(group, importing=True)
        ordered = sorted(claims, key=lambda one: one.occurred_at)
        receipts = [(await self.memory.intake.assert_claims(group, [one]))[0][0] for one in ordered]
        return {one.object.name: receipt.claim_id for one, receipt in zip(ordered, receipts, strict=True) if one.object}

    async def present(self, group: str, *claims: StructuredClaim) -> dict[str, str]:
        """The same, and end the import."""
        found = await self.past(group, *claims)
        await self.memory.groups.end_import(group)
        return found

    async def do(self, group: str, request: WorkRequest) -> Work:
        """Have one worker do what is asked for."""
        await self.memory.works.request_work(group, WorkKind.REFLECT, [request])
        return await self.go_on(group, request)

    async def go_on(self, group: str, request: WorkRequest) -> Work:
        """Have one worker do what was asked for before, and given back."""
        taken = await self.memory.works.lease_work(group, request.id, uuid4().hex, 60)
        assert taken is not None
        await self.stepper.do(taken)
        (work,) = await self.memory.works.works_by_id(group, [request.id])
        return work

    async def reflect(self, group: str, week: Any = WEEK, *, dry_run: bool = False) -> Work:
        return await self.do(group, reflection_request(group, week, anew=True, dry_run=dry_run))

    async def renew(self, group: str) -> Work:
        return await self.do(group, WorkRequest(id=work_id(WorkKind.REFLECT, group)))

    async def then(self, group: str, *, known_at: datetime | None = None, **scope: Any) -> list[StoredReflection]:
        asked = Scope(group, scope.pop("valid_at", utc_now()), known_at or utc_now(), **scope)
        return await self.reflections.reflections(asked, after=FIRST_REFLECTION, limit=100)

    async def context(
        self, group: str, user: str | None = None, *, exclude_session: str | None = None, **scope: Any
    ) -> Composed:
        memory = self.memory
        contexts = Contexts(memory.store, memory.reader, memory.searcher, memory.uses, Words())
        asked = Scope(group, scope.pop("valid_at", utc_now()), user=user, **scope)
        return await contexts.context(asked, ContextQuery(query="?", exclude_session=exclude_session))


async def found_by_vector(bench: Bench, group: str, one: StoredReflection) -> bool:
    vector = bench.embedder.vector(one.text.content)
    found = await bench.memory.store.by_vector(Scope(group, utc_now()), vector, [REFLECTION], 5)
    return [hit.id for hit in found[REFLECTION].hits] == [one.id]
