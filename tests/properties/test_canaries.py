"""What was withdrawn is said nowhere, as known afterwards; as known before, all is as it was.

Canaries are words that stand in one turn or one fact only. They are planted, withdrawn in whatever way, and looked for,
between summaries, reflections and consolidations that come before, after, or not yet.
"""

import asyncio
from collections.abc import Coroutine, Generator, Mapping, Sequence
from contextlib import AsyncExitStack, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Any, TypeVar
from uuid import uuid4

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import initialize, precondition, rule
from pydantic import SecretStr

from graphmem.derived.reflections import ReflectionOutcome
from graphmem.model.acts import Correction
from graphmem.model.belief import BeliefRow
from graphmem.model.claim import Category
from graphmem.model.composed import ContextQuery, Line, LineKind
from graphmem.model.episode import Episode
from graphmem.model.evidence import StructuredClaim
from graphmem.model.fragment import ThingName
from graphmem.model.reflection import FIRST_REFLECTION, StoredReflection
from graphmem.model.scope import Scope
from graphmem.model.search import BELIEFS, REFLECTION, SUMMARY
from graphmem.model.session import FIRST_SESSION
from graphmem.model.summary import FIRST_SUMMARY, StoredSummary
from graphmem.recall.reader import GraphQuery
from graphmem.resolve.plan import resolve
from graphmem.settings import Settings
from graphmem.settings.recall import EmbeddingSettings
from graphmem.settings.servers import Neo4jSettings
from graphmem.wiring import Services
from tests.episodes import stored
from tests.fakes import HashEmbedder, ScriptedExtractor
from tests.properties.machines import MemoryMachine, run
from tests.servers import Servers
from tests.travel import TravelClock, travelling

START = datetime(2031, 1, 6, tzinfo=UTC)
STEPS = 16
DERIVED = frozenset({LineKind.REFLECTION, LineKind.PROFILE, LineKind.SUMMARY, LineKind.BELIEF})
VERBATIM = frozenset({LineKind.TURN, LineKind.PASSAGE})
EVERYTHING: Mapping[str, Any] = {"max_tokens": 100_000, "facts": 100, "beliefs": 50, "passages": 50, "least_score": 0.0}
CATEGORY = {"keeps": Category.HOBBY, "favourite_pet": Category.PREFERENCE}
"""Facts that may be many at a time, and one of which one is believed."""
Answer = TypeVar("Answer")
Told = Mapping[str, frozenset[str]]
"""Texts by where they stand."""


@dataclass
class Canary:
    """A word, the claims that are about it, and whether they were withdrawn; if rejected, by which claims."""

    word: str
    claims: list[str]
    in_turn: bool
    withdrawn: bool = False
    rejected_by: Sequence[str] = ()


@dataclass
class Seen:
    """What was told at an instant."""

    at: datetime
    told: Told = field(default_factory=dict[str, frozenset[str]])


class Machine(MemoryMachine):
    """Plants and withdraws canaries in one group, whose time goes on."""

    services: Services
    clock: TravelClock

    def __init__(self) -> None:
        super().__init__()
        self.group = f"canaries-{uuid4().hex[:12]}"
        self.numbers, self.sequence = count(), count()
        self.canaries: list[Canary] = []
        self.seen: list[Seen] = []

    def do(self, what: Coroutine[Any, Any, Answer]) -> Answer:
        self.clock.let_pass(60)
        return self.runner.run(what)

    # planted ----------------------------------------------------------------------------------------------------------

    @initialize()
    def begin(self) -> None:
        self.do(self._say("Maya likes jazz. The committee measured the northern canal for an hour."))
        self.do(self._say("Maya knows Bruno. Later the orchestra repaired eleven wooden lanterns."))

    @rule(predicate=st.sampled_from(["likes", "knows", "lives_in"]))
    def plant_in_a_turn(self, predicate: str) -> None:
        word = self._word()
        content = f"Maya {predicate} {word}. The old harbour shipped {len(word)} crates northwards that week."
        self.canaries.append(Canary(word, self.do(self._say(content)), in_turn=True))

    @rule(key=st.sampled_from(sorted(CATEGORY)))
    def plant_as_a_fact(self, key: str) -> None:
        word = self._word()
        self.canaries.append(Canary(word, [self.do(self._remember(key, word))], in_turn=False))

    def _word(self) -> str:
        """Without digits, by which facts would differ that else say the same."""
        return "zor" + "".join(chr(ord("a") + int(digit)) for digit in f"{next(self.numbers):03}")

    async def _say(self, content: str) -> list[str]:
        """Say it in the one session, and have it read; the ids of the claims in it that name a canary."""
        episode = Episode(
            group_id=self.group,
            session="s",
            content=content,
            occurred_at=self.clock(),
            speaker="Maya",
            sequence=next(self.sequence),
        )
        memory = self.services.memory
        await memory.intake.remember(self.group, [episode])
        lease = await memory.digestion.lease(self.group, episode.id, 60)
        assert lease is not None
        await memory.digestion.digest(lease)
        claims = resolve(stored(episode), await ScriptedExtractor().extract(episode)).claims
        return [claim.id for claim in claims if "zor" in claim.statement]

    async def _remember(self, key: str, word: str) -> str:
        fact = self._fact(key, word)
        receipt, _, _ = await self.services.memory.facts.remember(self.group, fact, CATEGORY[key], defined=False)
        return receipt.claim_id

    def _fact(self, key: str, word: str) -> StructuredClaim:
        return StructuredClaim(
            subject=ThingName("Maya", "person"),
            predicate=key,
            value=word,
            statement=f"Maya keeps her old brass {word} on the kitchen shelf.",
            valid_from=self.clock(),
            occurred_at=self.clock(),
            importance=0.8,
        )

    # withdrawn --------------------------------------------------------------------------------------------------------

    @precondition(lambda self: any(not one.withdrawn for one in self.canaries))
    @rule(
        data=st.data(), how=st.sampled_from(["retract", "correct the claim", "reject", "correct the fact", "confirm"])
    )
    def act(self, data: st.DataObject, how: str) -> None:
        canary = data.draw(st.sampled_from([one for one in self.canaries if not one.withdrawn]))
        row = next((row for row in self.do(self._believed()) if canary.word in row.statement), None)
        memory = self.services.memory
        if how == "confirm":
            if row is not None:
                canary.claims += self.do(memory.facts.confirm(self.group, row.id)).claim_ids
            return
        self._keep()
        canary.withdrawn = True
        if row is None or how in {"retract", "correct the claim"}:
            first, *others = canary.claims
            for claim in others if how == "correct the claim" else canary.claims:
                self.do(memory.intake.retract(self.group, claim))
            if how == "correct the claim":
                self.do(memory.intake.correct(self.group, first, self._fact("keeps", f"kettle {len(self.seen)}")))
        elif how == "reject":
            canary.rejected_by = self.do(memory.facts.reject(self.group, row.id)).claim_ids
        else:
            instead = Correction(value=f"stove {len(self.seen)}", statement=f"Maya has stove {len(self.seen)}.")
            self.do(memory.facts.correct(self.group, row.id, lambda _: instead))
        self._check()

    @precondition(lambda self: any(one.rejected_by for one in self.canaries))
    @rule(data=st.data())
    def take_back(self, data: st.DataObject) -> None:
        """A rejection is taken back: the canary is as if it had not been withdrawn, and may be again."""
        canary = data.draw(st.sampled_from([one for one in self.canaries if one.rejected_by]))
        self._keep()
        for claim in canary.rejected_by:
            self.do(self.services.memory.intake.retract(self.group, claim))
        canary.withdrawn, canary.rejected_by = False, ()
        self._check()

    async def _believed(self) -> Sequence[BeliefRow]:
        return (await self.services.memory.reader.graph(Scope(self.group, self.clock()), GraphQuery())).beliefs

    # made -------------------------------------------------------------------------------------------------------------

    @rule()
    def summarise(self) -> None:
        self.do(self._summarise())
        self._check()

    async def _summarise(self) -> None:
        sessions = self.services.memory.sessions
        for one in await sessions.sessions(Scope(self.group, self.clock()), after=FIRST_SESSION, limit=10):
            await sessions.close(self.group, one.id)
        while await self.services.summaries.summarise_one(self.group) is not None:
            pass

    @rule()
    def reflect(self) -> None:
        """The week that ends next is reflected on, when it has."""
        self.clock.go_to(self.services.reflections.policy.last_scheduled(self.clock()).until + timedelta(days=7))
        self.do(self._renew())
        self.do(self._reflect())
        self._check()

    async def _reflect(self) -> None:
        reflections = self.services.reflections
        week = reflections.policy.last_scheduled(self.clock())
        await reflections.write(self.group, await reflections.proposed(self.group, "", week))

    @rule()
    def renew(self) -> None:
        self.do(self._renew())
        self._check()

    async def _renew(self) -> None:
        after = ""
        while (stale := await self.services.reflections.next_stale(self.group, after)) is not None:
            assert stale.before is not None
            after = stale.before.reflection_id
            assert (await self.services.reflections.write(self.group, stale)).outcome is not ReflectionOutcome.CHANGED

    @rule()
    def consolidate(self) -> None:
        self.do(self._consolidate())
        self._check()

    async def _consolidate(self) -> None:
        consolidation = self.services.memory.consolidation
        for category in Category:
            await consolidation.settle_category(self.group, category, "", 100)
        await consolidation.settle_conflicts(self.group, "", 100)
        await consolidation.restore(self.group, "", 100)

    # looked for -------------------------------------------------------------------------------------------------------

    def _check(self) -> None:
        """Nothing tells of what was withdrawn, but the turns themselves, which say so, and lists of what is stale."""
        now = self.clock()
        told = self.do(self._told(now, now))
        for canary in self.canaries:
            places = {place for place, texts in told.items() if any(canary.word in text for text in texts)}
            if canary.withdrawn:
                assert places <= {"verbatim", "stale"}, f"{canary.word} is told in {sorted(places)}"
                shown = [text for text in told["verbatim"] if canary.word in text and text.startswith("turn")]
                assert all("[withdrawn" in text for text in shown), shown
                assert bool(shown) == canary.in_turn

    def _keep(self) -> None:
        """Keep what is told now, of which nobody can change anything any more in a minute."""
        at = self.clock()
        self.seen.append(Seen(at, self.do(self._told(at, at))))

    def teardown(self) -> None:
        for seen in self.seen:
            assert _texts(self.do(self._told(seen.at, seen.at))) == _texts(seen.told)

    async def _told(self, at: datetime, known_at: datetime) -> Told:
        scope = Scope(self.group, at, known_at, asked_at=self.clock())
        summaries = await self.services.summaries.summaries(scope, session_id=None, after=FIRST_SUMMARY, limit=100)
        weekly = await self.services.reflections.reflections(scope, after=FIRST_REFLECTION, limit=100)
        found = await self.services.memory.searcher.search(
            scope, "zor Maya", kinds=BELIEFS | {SUMMARY, REFLECTION}, limit=100
        )
        lines = [*await self._lines(scope, window=1, earlier=0), *await self._lines(scope, window=200, earlier=0)]
        texts = {(one.as_known(known_at).stale_at is not None, f"{one.id} {one.text}") for one in (*summaries, *weekly)}
        return {
            "listed": frozenset(text for is_stale, text in texts if not is_stale),
            "stale": frozenset(text for is_stale, text in texts if is_stale),
            "beliefs found": frozenset(
                f"{hit.thing.id} {hit.thing.statement}" for hit in found.hits if isinstance(hit.thing, BeliefRow)
            ),
            "summaries found": frozenset(
                f"{hit.thing.text}" for hit in found.hits if isinstance(hit.thing, StoredSummary)
            ),
            "reflections found": frozenset(
                f"{hit.thing.text}" for hit in found.hits if isinstance(hit.thing, StoredReflection)
            ),
            "context": frozenset(line.written for line in lines if line.kind in DERIVED),
            "verbatim": frozenset(f"{line.kind} {line.written}" for line in lines if line.kind in VERBATIM),
        }

    async def _lines(self, scope: Scope, **more: Any) -> list[Line]:
        asked = ContextQuery(session="s", query="What does Maya keep?", about="Maya", **{**EVERYTHING, **more})
        composed = await self.services.contexts.context(scope, asked)
        return [line for part in composed.parts for line in part.lines]


def _texts(told: Told) -> Told:
    """What was told, whether or not it was to be made again: of what says the same then, nothing tells that it was."""
    return {**told, "listed": told["listed"] | told["stale"], "stale": frozenset()}


@contextmanager
def opened(machine: type[Machine], servers: Servers, data_dir: Path) -> Generator[type[Machine]]:
    """The machine with services in the time of a test, until the block ends."""
    settings = Settings(
        data_dir=data_dir,
        embedding=EmbeddingSettings(query_timeout_ms=30_000),  # machines that run tests are busy
        neo4j=Neo4jSettings(uri=servers.uri, user=servers.user, password=SecretStr(servers.password)),
    )
    machine.clock = TravelClock(START)
    with asyncio.Runner() as runner:
        stack = AsyncExitStack()
        services = travelling(settings, machine.clock, ScriptedExtractor(), HashEmbedder())
        machine.runner, machine.services = runner, runner.run(stack.enter_async_context(services))
        yield machine
        runner.run(stack.aclose())


@pytest.fixture
def machine(servers: Servers, tmp_path: Path) -> Generator[type[Machine]]:
    with opened(Machine, servers, tmp_path) as machine:
        yield machine


@pytest.mark.timeout(3_600)
def test_what_was_withdrawn_is_told_nowhere_and_the_past_stays_put(machine: type[Machine]) -> None:
    run(machine, STEPS)
