"""Months of memory in minutes: what fades, what stays, what the past said; and it does not matter when jobs run."""

import json
from collections.abc import AsyncGenerator, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from math import log
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest

from graphmem.model.acts import Correction
from graphmem.model.belief import BeliefRow
from graphmem.model.claim import ClaimKind
from graphmem.model.composed import ContextQuery
from graphmem.model.episode import Episode
from graphmem.model.interval import END, LATEST
from graphmem.model.principal import Actor
from graphmem.model.projection.predicate import BUILT_IN
from graphmem.model.recall import EVIDENCE_LIMIT
from graphmem.model.reflection import FIRST_REFLECTION
from graphmem.model.scope import Scope
from graphmem.model.search import BELIEFS, Filters
from graphmem.model.summary import FIRST_SUMMARY
from graphmem.model.work import BUT_DIGESTS, SERVICE, WorkProgress
from graphmem.queue.redis import open_queue
from graphmem.recall.reader import GraphQuery
from graphmem.settings import Settings
from graphmem.settings.recall import EmbeddingSettings
from graphmem.store.queries import read_queries
from graphmem.wiring import Services
from tests.fakes import HashEmbedder
from tests.jobs.journey import FULL, LATE_DAY, MARKERS, SHORT, START, USERS, Length, said_late, said_on
from tests.models import digest, extractor
from tests.travel import TravelClock, Workers, calling, travelling

(FORGET,) = read_queries(Path(__file__).parent / "travel.cypher")
GROUP = "travel"
RATES = {
    "preference": 0.002,
    "personality": 0.002,
    "occupation": 0.002,
    "hobby": 0.004,
    "habit": 0.004,
    "goal": 0.02,
    "commitment": 0.02,
    "other": 0.1,
}
"""A day, by category; all else never fades (layers.md, 6)."""
LEAST = 0.05
DAY = timedelta(days=1)
CLOSE = timedelta(hours=12)
"""What is so near to when it fades may be either."""
SATURDAY = 5
LISTS = ("graph", "facts", "summaries", "reflections", "sessions", "entities", "conflicts")
WORK = {"status", "attempts", "error", "digested_at", "revision", "outcome", "vectors_pending"}
EVERYTHING = {"max_tokens": 100_000, "facts": 100, "summaries": 100, "window": 100, "earlier": 100}

pytestmark = pytest.mark.timeout(2_400)


class When(StrEnum):
    """When jobs run."""

    NIGHTLY = "every night"
    LATE = "on Saturdays"
    TWICE = "every night, asked for and done by two at once, and all again"
    KILLED = "every night, by workers that die"


Key = tuple[str, str, str, str]
"""A fact: user, subject, predicate and target."""


@dataclass
class Uses:
    """When facts were last used, as the test saw them in answers."""

    last: dict[Key, datetime] = field(default_factory=dict[Key, datetime])

    def note(self, beliefs: Iterable[BeliefRow], at: datetime) -> None:
        self.last |= {_key(belief): at for belief in beliefs}

    def fades_at(self, belief: BeliefRow, said: datetime) -> datetime | None:
        """When a belief that was supported last when ``said`` fades, by the formula; None: never."""
        rate = 0.0 if belief.protected else RATES.get(belief.category, 0.0)
        if not rate:
            return None
        anchor = max(said, self.last.get(_key(belief), said))
        return anchor + log(belief.confidence / LEAST) / rate * DAY


def _key(belief: BeliefRow) -> Key:
    return (belief.user, belief.subject_id, belief.predicate, belief.target)


class Journey:
    """One group through a length of time."""

    def __init__(self, services: Services, workers: Workers, client: httpx.AsyncClient, length: Length) -> None:
        self.memory = services.memory
        self.services = services
        self.workers = workers
        self.clock = workers.clock
        self.client = client
        self.length = length
        self.uses = Uses()
        self.past: dict[datetime, Mapping[str, Mapping[str, object]]] = {}
        self.faded = set[Key]()
        self.confirmed = ""

    # what happens -----------------------------------------------------------------------------------------------------

    async def day(self, day: int, when: When, *, checked: bool) -> None:
        at = START + timedelta(days=day)
        if when is not When.LATE or at.weekday() == SATURDAY:
            await self.night(at, when)
        for turn in said_on(GROUP, self.length, day):
            await self.say(turn)
        self.clock.go_to(at + timedelta(hours=12))
        await self.act(day)
        if day % 7 == 2:
            self.clock.go_to(at + timedelta(hours=18))
            await self.use()
        if checked and day % 5 == 4:
            self.clock.go_to(at + timedelta(hours=20))
            await self.check_fading()
        if checked and day % (self.length.days // self.length.instants) == 5:
            self.clock.go_to(at + timedelta(hours=21))
            await self.check_past()
            await self.keep(at + timedelta(hours=20, minutes=30))

    async def night(self, at: datetime, when: When) -> None:
        self.clock.go_to(at + timedelta(hours=3, minutes=30))
        await self.workers.night()
        if when is When.TWICE:
            await self.workers.again(GROUP)

    async def say(self, turn: Episode) -> None:
        self.clock.go_to(turn.occurred_at)
        await self.memory.intake.remember(GROUP, [turn])
        await digest(self.memory, GROUP, turn.id)

    async def act(self, day: int) -> None:
        """What users do about what is believed of them, each once."""
        if day == 7:
            row = await self.first("ann", "owns")
            await self.memory.facts.confirm(GROUP, row.id, Actor("ann"))
            self.confirmed = row.belief_id
        elif day == 10:
            row = await self.first("bob", "owns")
            await self.memory.intake.retract(GROUP, row.evidence[0].claim_id)
        elif day == 12:
            row = await self.first("cid", "owns")
            instead = Correction(value="axolotl harp", statement="Cid owns an axolotl harp.")
            await self.memory.facts.correct(GROUP, row.id, lambda _: instead, Actor("cid"))
        elif day == 14:
            await self.memory.facts.reject(GROUP, (await self.first("ann", "hobby")).id, Actor("ann"))
        elif day == 21:
            await self.say(said_late(GROUP, self.length))

    async def use(self) -> None:
        """Each user asks for the lamp, and for a context; what the answers bring is used."""
        for user in USERS:
            now = self.clock()
            scope = Scope(GROUP, now, now, user=user, asked_at=now)
            text, owned = f"{user.capitalize()} owns a {MARKERS[user]} lamp.", Filters(predicates=("owns",))
            recall = await self.memory.searcher.search(scope, text, kinds=BELIEFS, filters=owned, limit=1)
            self.uses.note([hit.thing for hit in recall.hits if isinstance(hit.thing, BeliefRow)], now)
            asked = ContextQuery(query="What about the lamp?", about=user.capitalize(), facts=1, beliefs=0)
            composed = await self.services.contexts.context(scope, asked)
            things = [line.thing for part in composed.parts for line in part.lines]
            self.uses.note([one for one in things if isinstance(one, BeliefRow)], now)
        await self.memory.uses.flush()

    # what is asked ----------------------------------------------------------------------------------------------------

    async def believed(self, user: str | None = None) -> Sequence[BeliefRow]:
        now = self.clock()
        found = await self.memory.reader.graph(Scope(GROUP, now, now, user=user, asked_at=now), GraphQuery())
        return found.beliefs

    async def first(self, user: str, predicate: str) -> BeliefRow:
        rows = [row for row in await self.believed(user) if row.predicate == predicate]
        return min(rows, key=lambda row: (row.valid_from, row.belief_id))

    async def check_fading(self) -> None:
        """What has faded is what the formula says, and what has does not come up; what was confirmed does."""
        now = self.clock()
        rows = await self.believed()
        expected = {row.id: await self.fades_at(row) or END for row in rows}
        clear = [row for row in rows if abs(expected[row.id] - now) > CLOSE]
        assert {row.id for row in clear if row.faded} == {row.id for row in clear if expected[row.id] < now}
        self.faded |= {_key(row) for row in rows if row.faded}
        for user in USERS:
            await self._comes_up(user, [row for row in rows if row.user == user and not row.open])

    async def fades_at(self, row: BeliefRow) -> datetime | None:
        return self.uses.fades_at(row, await self._supported(row))

    async def _supported(self, row: BeliefRow) -> datetime:
        """When a belief was supported last. An answer has the first few of its claims."""
        if len(row.evidence) < EVIDENCE_LIMIT:
            return max(one.recorded_at for one in row.evidence)
        now = self.clock()
        grounds = await self.memory.reader.evidence(Scope(GROUP, now, now, asked_at=now), row.id, limit=1_000)
        assert grounds.complete
        return max(one.recorded_at for one in grounds.claims if ClaimKind(one.kind).asserts and one.retracted_at == END)

    async def _comes_up(self, user: str, rows: Sequence[BeliefRow]) -> None:
        """Of what a user believes, all that has not faded comes up in a search that asks for everything."""
        body = {"query": f"{user} {MARKERS[user]} words colour", "limit": 100, "user": user, "open": False}
        hits = (await self.posted("search", {**body, "kinds": ["fact", "relationship"]}))["hits"]
        found = {hit["id"] for hit in hits}
        assert [row.statement for row in rows if (row.id in found) == row.faded] == []
        assert found <= {row.id for row in rows}

    async def keep(self, at: datetime) -> None:
        """Keep what is answered as known at an instant that nobody can write before any more."""
        self.past[at] = {user: await self.answers(user, at) for user in USERS}

    async def check_past(self) -> None:
        """The past says what it said, and to nobody what is another's."""
        for at, kept in self.past.items():
            for user in USERS:
                told = await self.answers(user, at)
                for path, answer in kept[user].items():
                    assert told[path] == answer, path

    async def answers(self, user: str, at: datetime) -> Mapping[str, object]:
        """All that a user is told as of then: bytes; of a search what it finds, for its order depends on every text."""
        times = {"valid_at": at.isoformat(), "known_at": at.isoformat(), "user": user}
        found: dict[str, object] = {path: await self._got(path, times) for path in LISTS}
        found["episodes"] = [_said(one) for one in json.loads(await self._got("episodes", times))["episodes"]]
        session = {"session": f"coach {LATE_DAY}", "about": user.capitalize(), "beliefs": 0, "passages": 0}
        found["context"] = await self._content("context", {**session, **EVERYTHING, **times})
        for kinds in (["fact", "relationship"], ["summary", "reflection"]):
            hits = (await self.posted("search", {"query": MARKERS[user], "limit": 100, "kinds": kinds, **times}))[
                "hits"
            ]
            if len(hits) < 100:
                found[f"search {kinds}"] = sorted(json.dumps({**hit, "score": 0.0}) for hit in hits)
        told = repr(found).casefold()
        assert [MARKERS[other] in told for other in USERS] == [other == user for other in USERS]
        return found

    async def _got(self, path: str, params: Mapping[str, str]) -> bytes:
        answer = await self.client.get(f"/v1/groups/{GROUP}/{path}", params=dict(params))
        assert answer.status_code == 200, answer.text
        return answer.content

    async def posted(self, path: str, body: Mapping[str, object]) -> Any:
        return json.loads(await self._content(path, body))

    async def _content(self, path: str, body: Mapping[str, object]) -> bytes:
        answer = await self.client.post(f"/v1/groups/{GROUP}/{path}", json=body)
        assert answer.status_code == 200, answer.text
        return answer.content

    async def arrive(self, when: When) -> None:
        """The end of the journey: all jobs run once more, and none of them has failed."""
        at = START + timedelta(days=self.length.days)
        await self.night(at, when)
        works = self.services.works
        every = [one for group in (GROUP, SERVICE) for one in await works.works(group, BUT_DIGESTS, "", 10_000)]
        assert {one.status for one in every} == {WorkProgress.DONE}
        assert self.workers.died > 0 or when is not When.KILLED
        await self.check_fading()
        await self.check_past()
        kept = [row for row in await self.believed() if row.belief_id == self.confirmed]
        assert [(row.protected, row.faded) for row in kept] == [(True, False)]
        assert any(key[2] == "owns" for key in self.faded)

    async def end(self) -> Mapping[str, object]:
        """What is believed now, what of it has faded, and all texts; without a stamp of when it was recorded."""
        now = self.clock()
        rows = [row for row in await self.believed() if not await self._may_be_either(row, now)]
        texts = await self.services.summaries.summaries(
            Scope(GROUP, LATEST), session_id=None, after=FIRST_SUMMARY, limit=10_000
        )
        weekly = await self.services.reflections.reflections(Scope(GROUP, LATEST), after=FIRST_REFLECTION, limit=10_000)
        return {
            "beliefs": sorted(_present(row) for row in rows),
            "summaries": sorted((one.summary_id, one.covers, one.text.content, one.stale_at) for one in texts),
            "reflections": sorted((one.reflection_id, one.text.content, one.stale_at) for one in weekly),
        }

    async def _may_be_either(self, row: BeliefRow, now: datetime) -> bool:
        at = await self.fades_at(row)
        return at is not None and abs(at - now) < CLOSE


def _said(episode: Mapping[str, object]) -> Mapping[str, object]:
    """What was said, without how the reading of it goes on."""
    return {name: value for name, value in episode.items() if name not in WORK}


def _present(row: BeliefRow) -> tuple[object, ...]:
    return (
        *(row.user, row.predicate, row.target, row.statement, row.category, row.valid_from, row.valid_to),
        *(row.confidence, row.importance, row.contested, row.protected, row.faded, row.open),
    )


class Journeys:
    """Each journey is made once, on a database that nobody else uses, and ends in what is compared."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._ends: dict[tuple[Length, When], Mapping[str, object]] = {}

    async def end(self, length: Length, when: When) -> Mapping[str, object]:
        if (length, when) not in self._ends:
            async with self.begun(length, when) as journey:
                for day in range(length.days):
                    await journey.day(day, when, checked=when is When.NIGHTLY)
                await journey.arrive(when)
                self._ends[length, when] = await journey.end()
        return self._ends[length, when]

    @asynccontextmanager
    async def begun(self, length: Length, when: When = When.NIGHTLY) -> AsyncGenerator[Journey]:
        """A journey that has not begun, in a database without groups."""
        clock, chance = TravelClock(START), Random(7) if when is When.KILLED else None  # noqa: S311 - reproducible
        opened = travelling(self._settings, clock, extractor(), HashEmbedder())
        beside = travelling(self._settings, clock, extractor(), HashEmbedder())  # its uses are written by nobody
        queued = open_queue(self._settings.redis)
        async with opened as services, beside as readers, calling(readers) as client, queued as queue:
            await services.database.execute_in_batches(FORGET, seconds=60)
            await services.predicates.keep(BUILT_IN)
            await services.memory.groups.ensure(GROUP)
            at_once = 2 if when is When.TWICE else 1
            yield Journey(services, Workers(services, queue, clock, chance, at_once), client, length)


@pytest.fixture(scope="module")
def journeys(settings: Settings) -> Journeys:
    patient = EmbeddingSettings(query_timeout_ms=30_000)  # machines that run tests are busy
    return Journeys(settings.model_copy(update={"embedding": patient}))


LENGTHS = [
    pytest.param(SHORT, id="six weeks", marks=[pytest.mark.full, pytest.mark.timeout(900)]),
    pytest.param(FULL, id="fourteen months", marks=[pytest.mark.full, pytest.mark.timeout(14_400)]),
]


@pytest.mark.parametrize("length", LENGTHS)
async def test_what_fades_fades_what_is_confirmed_stays_and_the_past_stays_put(
    journeys: Journeys, length: Length
) -> None:
    end = await journeys.end(length, When.NIGHTLY)
    assert end["beliefs"]
    assert end["summaries"]
    assert end["reflections"]


@pytest.mark.parametrize(
    "when",
    [
        pytest.param(When.LATE, id="late", marks=pytest.mark.full),
        pytest.param(When.TWICE, id="twice", marks=pytest.mark.full),
        pytest.param(When.KILLED, id="killed", marks=pytest.mark.full),
    ],
)
@pytest.mark.parametrize("length", LENGTHS)
async def test_it_does_not_matter_when_jobs_run(journeys: Journeys, length: Length, when: When) -> None:
    assert await journeys.end(length, when) == await journeys.end(length, When.NIGHTLY)


async def test_what_settles_while_a_machine_sleeps_has_settled_when_it_wakes_up(journeys: Journeys) -> None:
    async with journeys.begun(SHORT) as journey:
        reader, soon = journey.memory.reader, journey.clock() + timedelta(hours=1)
        assert not await reader.settled(GROUP, soon)
        journey.clock.let_pass(7_200)
        assert await reader.settled(GROUP, soon)


@pytest.mark.parametrize("turns", [100, pytest.param(1_000, marks=[pytest.mark.full, pytest.mark.timeout(3_600)])])
async def test_a_name_is_known_after_many_turns_and_sixty_days_without_use(journeys: Journeys, turns: int) -> None:
    async with journeys.begun(SHORT) as journey:
        said = ["Hello. My name is Maya Silva.", *(f"We counted {at} boats at the quay." for at in range(1, turns))]
        episodes = [
            Episode(
                group_id=GROUP,
                session="talk",
                content=text,
                occurred_at=START + timedelta(minutes=at),
                speaker="Maya",
                user="maya",
            )
            for at, text in enumerate(said)
        ]
        journey.clock.go_to(episodes[-1].occurred_at)
        for first in range(0, turns, 100):
            await journey.memory.intake.remember(GROUP, episodes[first : first + 100])
        await journey.workers.work()
        journey.clock.go_to(journey.clock() + 60 * DAY)
        await journey.workers.night()

        body = {"query": "What is my name?", "session": "talk", "user": "maya"}
        told = await journey.posted("context", body)
        profile = [line for part in told["parts"] for line in part["lines"] if line["kind"] == "profile"]
        assert any("Maya Silva" in line["text"] for line in profile)
        assert "Maya Silva" in told["markdown"]
