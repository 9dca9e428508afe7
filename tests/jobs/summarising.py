"""A memory that summarises its sessions when asked to, and turns for it."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from functools import partial
from uuid import uuid4

from graphmem.clock import utc_now
from graphmem.derived.summaries import Summaries
from graphmem.derived.summarise.writing import FIRST_PAUSE
from graphmem.jobs.steps import Stepper
from graphmem.jobs.summariser import Summariser
from graphmem.memory import Memory
from graphmem.model.cited_writing import SummaryWriter
from graphmem.model.episode import Episode
from graphmem.model.scope import Scope
from graphmem.model.session import FIRST_SESSION, SESSIONS, SessionPolicy
from graphmem.model.summary import FIRST_SUMMARY, PACKAGED, StoredSummary, SummaryPolicy
from graphmem.model.work import Work, WorkKind, WorkRequest, work_id
from graphmem.process.metrics import DigestMetrics
from graphmem.settings.extraction import StepSettings
from graphmem.settings.jobs import JobSettings
from graphmem.store.driver import Database
from tests.fakes import ScriptedExtractor, UnsteadyEmbedder
from tests.models import digest, memory_on

SETTINGS = JobSettings(retry_seconds=0.0, embed_seconds=0)
SAID = datetime(2025, 5, 3, tzinfo=UTC)
THINGS = ("granite", "violins", "herons", "lanterns", "turbines", "orchids", "anchors", "saffron", "marble", "kites")
LIVES = "Maya lives_in Porto"
MODEL_STEP = StepSettings(backoff_seconds=0.01, attempts=2)
ROOM = 12
"""So many turns have room for a sentence that a language model writes."""


class Words:
    """Counts words as tokens."""

    name = "words"

    def count(self, text: str) -> int:
        return len(text.split())


class Bench:
    """A memory that summarises its sessions when asked to."""

    def __init__(
        self,
        database: Database,
        sessions: SessionPolicy = SESSIONS,
        summaries: SummaryPolicy = PACKAGED,
        writer: SummaryWriter | None = None,
        first_pause: float = FIRST_PAUSE,
        embedder: UnsteadyEmbedder | None = None,
    ) -> None:
        self.reads = ScriptedExtractor()
        self.metrics = DigestMetrics()
        self.embedder = embedder or UnsteadyEmbedder()
        self.memory: Memory = memory_on(database, extracts=self.reads, embeds=self.embedder, sessions=sessions)
        store, late = self.memory.store, self.memory.late_vectors
        self.summaries = Summaries(
            store,
            self.memory.reader,
            self.embedder,
            late,
            Words(),
            self.memory.window_facts,
            summaries,
            writer=writer,
            first_pause=first_pause,
        )
        summariser = Summariser(partial(self.summaries.summarise_one, spent=self.metrics.observe_model))
        self.stepper = Stepper(summariser, self.memory.works, SETTINGS, metrics=self.metrics)

    async def say(
        self, group: str, contents: Sequence[str], first: int = 0, *, user: str = "", agent: str | None = None
    ) -> list[str]:
        """Say these from the ``first`` minute on, and have them read; the ids of the episodes."""
        episodes = [
            Episode(
                group_id=group,
                session="s",
                content=one,
                occurred_at=SAID + timedelta(minutes=at),
                user=user,
                agent=agent,
            )
            for at, one in enumerate(contents, first)
        ]
        remembered = await self.memory.intake.remember(group, episodes)
        for one in remembered:
            await digest(self.memory, group, one.id)
        return [one.id for one in remembered]

    async def close(self, group: str) -> None:
        for one in await self.memory.sessions.sessions(Scope(group, utc_now()), after=FIRST_SESSION, limit=10):
            await self.memory.sessions.close(group, one.id)

    async def work(self, group: str) -> Work:
        """Have one worker do what is due."""
        id_ = work_id(WorkKind.SUMMARISE, group)
        await self.memory.works.request_work(group, WorkKind.SUMMARISE, [WorkRequest(id=id_)])
        taken = await self.memory.works.lease_work(group, id_, uuid4().hex, 60)
        assert taken is not None
        await self.stepper.do(taken)
        (work,) = await self.memory.works.works_by_id(group, [id_])
        return work

    async def then(self, group: str, *, known_at: datetime | None = None, **scope: object) -> list[StoredSummary]:
        asked = Scope(group, utc_now(), known_at or utc_now(), **scope)  # type: ignore[arg-type]
        return await self.summaries.summaries(asked, session_id=None, after=FIRST_SUMMARY, limit=100)


def talk(number: int, first: int = 0) -> list[str]:
    """Turns of which each tells something else."""
    return [
        f"The old harbour company shipped {at + 100} wooden crates of {THINGS[at % 10]} northwards."
        for at in range(first, first + number)
    ]
