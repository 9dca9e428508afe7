"""Deals with three stages each, and who projects again what is believed of them."""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from uuid import uuid4

from graphmem.jobs.reprojector import Reprojector
from graphmem.jobs.steps import Stepper
from graphmem.model.belief import BeliefRow
from graphmem.model.evidence import StructuredClaim
from graphmem.model.fragment import ThingName
from graphmem.model.interval import shown
from graphmem.model.projection.predicate import Policy
from graphmem.model.scope import Scope
from graphmem.model.work import Work, reprojection_id
from graphmem.recall.reader import GraphQuery
from graphmem.settings.jobs import JobSettings
from graphmem.store.change.evidence import EvidenceStore
from graphmem.store.driver import Database
from graphmem.store.predicates import PredicateStore
from tests.models import memory_on, shipped_queries

SETTINGS = JobSettings.model_validate({"retry_seconds": 0, "lease_seconds": 5})
DAY = timedelta(days=1)
START = datetime(2025, 1, 1, tzinfo=UTC)

Shown = set[tuple[str, datetime | None, datetime | None, bool]]


class Stumbling(EvidenceStore):
    """A store that raises what it is given, one after the other, after so many steps; and then works."""

    steps = 0
    errors: Sequence[BaseException] = ()
    sizes: Sequence[int] = ()

    async def reproject(self, group: str, subject_ids: Sequence[str], predicate: str) -> int:
        self.sizes = (*self.sizes, len(subject_ids))
        rows = await super().reproject(group, subject_ids, predicate)
        if self.steps <= 0 and self.errors:
            first, *self.errors = self.errors
            raise first
        self.steps -= 1
        return rows


class Bench:
    """A memory, and who projects again what it believes."""

    def __init__(self, database: Database) -> None:
        queries = shipped_queries()
        self.evidence = Stumbling(database, queries)
        self.predicates = PredicateStore(database, queries)
        self.memory = memory_on(database, evidence=self.evidence)
        self.stepper = Stepper(Reprojector(self.predicates, self.evidence, step=2), self.memory.works, SETTINGS)

    async def work(self, group: str, name: str = "stage") -> None:
        id_ = reprojection_id(group, name)
        taken = await self.memory.works.lease_work(group, id_, uuid4().hex, SETTINGS.lease_seconds)
        if taken is not None:
            await self.stepper.do(taken)

    async def follow(self, group: str, name: str = "stage") -> Work:
        await self.work(group, name)
        return (await self.predicates.reprojections(group, name))[0]

    async def change(self, group: str, policy: Policy | None, name: str = "stage") -> None:
        await (self.predicates.change(group, name, policy) if policy else self.predicates.drop(group, name))

    async def beliefs(self, group: str, days: Iterable[int] = range(22)) -> list[BeliefRow]:
        points = [Scope(group, START + number * DAY) for number in days]
        graphs = [await self.memory.reader.graph(point, GraphQuery()) for point in points]
        return list({belief.id: belief for graph in graphs for belief in graph.beliefs}.values())

    async def shown(self, group: str, days: Iterable[int] = range(22)) -> Shown:
        return {
            (belief.statement, shown(belief.valid_from), shown(belief.valid_to), belief.contested)
            for belief in await self.beliefs(group, days)
        }


def claim(subject: str, value: str, start: int, confidence: float = 1.0) -> StructuredClaim:
    return StructuredClaim(
        subject=ThingName(subject, "deal"),
        predicate="stage",
        value=value,
        statement=f"{subject} is {value}.",
        valid_from=START + start * DAY,
        occurred_at=START + start * DAY,
        confidence=confidence,
    )


def deals(count: int) -> list[StructuredClaim]:
    """Three stages each."""
    return [
        claim(f"Deal {number}", value, start)
        for number in range(count)
        for start, value in ((0, "open"), (5, "won"), (9, "paid"))
    ]


def expected(count: int, *, one: bool) -> Shown:
    ends = {0: START + 5 * DAY, 5: START + 9 * DAY, 9: None}
    return {
        (item.statement or "", item.valid_from, ends[(item.valid_from - START).days] if one else None, False)
        for item in deals(count)
        if item.valid_from is not None
    }
