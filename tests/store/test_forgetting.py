"""What is forgotten is as if it had never been said, on a real database: on both axes, and nowhere a word of it."""

from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from uuid import uuid4

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import BaseModel

from graphmem.clock import utc_now
from graphmem.errors import Conflict, Forgotten, NotFound, OptedOut
from graphmem.jobs.forgetter import Forgetter
from graphmem.jobs.redactor import Redactor
from graphmem.memory import Memory
from graphmem.model.acts import Correction
from graphmem.model.claim import ClaimKind
from graphmem.model.episode import AS_CONFIGURED, Episode, EpisodeStatus, PutReceipt
from graphmem.model.evidence import StructuredClaim
from graphmem.model.forgetting import CanaryPlace, Erased, Selector
from graphmem.model.fragment import ThingName
from graphmem.model.group import RetentionPolicy
from graphmem.model.interval import LATEST
from graphmem.model.principal import Actor
from graphmem.model.scope import Scope
from graphmem.model.tombstone import entrant_of
from graphmem.model.work import WorkKind, WorkRequest
from graphmem.recall.reader import GraphQuery
from graphmem.store.audit import AuditStore
from graphmem.store.change.evidence import EvidenceStore
from graphmem.store.driver import Database
from graphmem.store.forget import ForgetStore
from graphmem.store.queries import read_queries
from graphmem.store.tombstone import TombstoneStore
from graphmem.trust.audit import Audit
from graphmem.trust.forgetting import Forgetting
from graphmem.trust.keeping import SharedFacts
from graphmem.trust.retention import Retention
from graphmem.trust.tombstones import Tombstones
from graphmem.trust.verifying import Verifier
from tests.api.claiming import compare
from tests.fakes import HashEmbedder
from tests.models import INSTALLATION, digest, memory_on, shipped_queries
from tests.mortal import Killed, MortalDatabase
from tests.properties.machines import ON_A_DATABASE
from tests.store.test_merges import claim, day, id_of, merge

QUERIES = {query.name: query for query in read_queries(Path(__file__).parent / "forget.cypher")}
MAYA = ThingName("Maya", "person")


class ShownRow(BaseModel):
    subject: str
    predicate: str
    value: str
    believed: bool
    statement: str
    user: str
    audience: str
    confidence: float
    contested: bool
    valid_from: str
    valid_to: str
    recorded_at: str
    superseded_at: str
    cut_by: str | None
    first: str | None
    has_vector: bool
    protected: bool


class KnownRow(BaseModel):
    key: str
    name: str
    names: list[str]
    names_at: list[str]
    first_seen: str
    known: list[list[str]]


class TermCountRow(BaseModel):
    id: str
    holders: int
    there: int


async def where_told(store: ForgetStore, group: str, word: str) -> list[CanaryPlace]:
    """Where a word is left: in the properties of a group, and in full-text indexes."""
    return [*await store.where_told(group, [word]), *await store.found_by_words(group, [word])]


@dataclass
class Lab:
    """A memory, and what forgets in it."""

    memory: Memory
    database: MortalDatabase
    forgetting: Forgetting
    keeper: SharedFacts
    store: ForgetStore
    tombstones: Tombstones
    verifier: Verifier
    retention: Retention
    audit: Audit

    async def forget(
        self, group: str, selector: Selector, user: str | None = None, *, dies_at: int = 0, most: int = 50
    ) -> Erased:
        """What went, so many episodes a step; whoever does it dies at a statement, and another one begins again."""
        preview = await self.forgetting.preview(group, selector, user)
        work, _ = await self.forgetting.confirm(group, selector, user, preview.confirm, "")
        self.database.dies_at = dies_at
        await self.to_the_end(lambda: self.forgetting.step(work, most))
        return (await self.forgetting.receipt(group, work.id)).erased

    async def to_the_end(self, step: Callable[[], Awaitable[object]]) -> None:
        """Take steps until there are no more; after a death, again."""
        while True:
            with suppress(Killed):
                while await step():
                    pass
                self.database.dies_at = 0
                return

    async def keep(self, group: str, policy: RetentionPolicy, *summarised: str) -> None:
        """Have a group keep so much; a summary stands for these episodes."""
        await self.memory.store.set_retention(group, policy)
        query = QUERIES["summarise"]
        await self.database.write(lambda tx: tx.execute(query, group=group, ids=list(summarised)))

    async def rows(self, group: str) -> list[ShownRow]:
        return await self.database.read(lambda tx: tx.run(QUERIES["rows_of"], ShownRow, group=group))

    async def names(self, group: str) -> list[KnownRow]:
        return await self.database.read(lambda tx: tx.run(QUERIES["names_of"], KnownRow, group=group))

    async def term_counts(self, group: str) -> list[TermCountRow]:
        return await self.database.read(lambda tx: tx.run(QUERIES["term_counts_of"], TermCountRow, group=group))

    async def places(self, group: str, word: str) -> list[CanaryPlace]:
        return await where_told(self.store, group, word)

    async def told(self, group: str, known_at: datetime | None = None) -> set[tuple[str, str]]:
        scope = Scope(group, day(300)) if known_at is None else Scope(group, day(300), known_at)
        graph = await self.memory.reader.graph(scope, GraphQuery())
        return {(row.statement, row.predicate) for row in graph.beliefs}


@pytest.fixture
def lab(database: Database) -> Lab:
    queries, mortal = shipped_queries(), MortalDatabase(database)
    evidence = EvidenceStore(mortal, queries)
    tombstones = Tombstones(TombstoneStore(mortal, queries), INSTALLATION, utc_now)
    store = ForgetStore(mortal, queries)
    keeper = SharedFacts(store, evidence, INSTALLATION, utc_now, HashEmbedder().model)
    forgetting = Forgetting(store, evidence, INSTALLATION, utc_now, tombstones, keeper)
    verifier = Verifier(store, forgetting, INSTALLATION, HashEmbedder())
    memory = memory_on(mortal, evidence=evidence)
    audit = Audit(AuditStore(mortal, queries), INSTALLATION, "off")
    retention = Retention(memory.store, audit, INSTALLATION, utc_now)
    return Lab(memory, mortal, forgetting, keeper, store, tombstones, verifier, retention, audit)


# history ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Event:
    claims: tuple[StructuredClaim, ...] = ()
    retract: int | None = None
    merge: tuple[str, str] | None = None


@st.composite
def claims(draw: st.DrawFn) -> StructuredClaim:
    predicate = draw(st.sampled_from(["lives_in", "knows", "works_at", "preference.pet"]))
    many = predicate != "preference.pet"
    kind = draw(st.sampled_from([ClaimKind.STARTS, ClaimKind.STARTS, ClaimKind.ENDS]))
    start = draw(st.integers(0, 12))
    return StructuredClaim(
        kind=kind,
        subject=ThingName(draw(st.sampled_from(["Maya", "MAYA", "May"])), "person"),
        predicate=predicate,
        object=ThingName(draw(st.sampled_from(["A", "B", "a"])), "place") if many else None,
        value=None if many else draw(st.sampled_from(["cat", "dog"])),
        valid_from=day(start),
        from_stated=draw(st.booleans()),
        valid_to=None if kind is ClaimKind.ENDS else draw(st.none() | st.integers(13, 15).map(day)),
        occurred_at=day(start),
        confidence=draw(st.sampled_from([0.5, 1.0])),
    )


@st.composite
def courses(draw: st.DrawFn) -> list[Event]:
    events: list[Event] = []
    for number in range(draw(st.integers(2, 6))):
        what = draw(st.sampled_from(["claims", "claims", "retract", "merge"]))
        if what == "retract":
            events.append(Event(retract=draw(st.integers(0, 20))))
        elif what == "merge":
            events.append(Event(merge=draw(st.sampled_from([("Maya", "May"), ("A", "B")]))))
        else:
            said = draw(st.lists(claims(), min_size=1, max_size=3))
            events.append(Event(tuple(replace(one, position=10 * number + place) for place, one in enumerate(said))))
    return events


BASE = [claim(name, "named_first", "Base", -30 + number) for number, name in enumerate(["Maya", "May", "A", "B"])]


async def live(lab: Lab, group: str, events: Sequence[Event], but: set[int]) -> dict[int, str]:
    """All that happens, but that some claims never came; returns the ids of the episodes of the others.

    Claims are numbered by their positions. Each event has its instant, at which something else is said too.
    """
    await lab.memory.groups.ensure(group, importing=True)
    await lab.memory.intake.assert_claims(group, [replace(one, recorded_at=day(50)) for one in BASE])
    episodes, ids = dict[int, str](), dict[int, str]()
    for number, event in enumerate(events):
        at = day(51 + number)
        tick = replace(claim("Clock", "ticks", f"Tick{number}", number), recorded_at=at)
        told = [
            replace(one, recorded_at=at, external_id=f"e{one.position}")
            for one in event.claims
            if one.position not in but
        ]
        receipts, _ = await lab.memory.intake.assert_claims(group, [*told, replace(tick, position=999)])
        for one, receipt in zip(told, receipts, strict=False):
            assert one.position is not None
            if receipt.new:
                episodes[one.position], ids[one.position] = receipt.episode_id, receipt.claim_id
        if event.retract is not None:
            places = sorted({one.position or 0 for each in events[:number] for one in each.claims})
            place = places[event.retract % len(places)] if places else None
            if place in ids:
                await lab.memory.intake.retract(group, ids[place], at)
        if event.merge is not None:
            one, other = (id_of(group, name) for name in event.merge)
            with suppress(Conflict):
                await lab.memory.merging.merge(group, one, other, reason="told so")
    return episodes


@pytest.mark.timeout(600)
@settings(max_examples=ON_A_DATABASE, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(data=st.data())
async def test_what_is_erased_leaves_every_row_as_if_it_had_never_been_said(lab: Lab, data: st.DataObject) -> None:
    events = data.draw(courses())
    places = sorted({one.position or 0 for event in events for one in event.claims})
    left_out = data.draw(st.sets(st.sampled_from(places))) if places else set[int]()
    group, without = f"forget-{uuid4().hex[:8]}", f"forget-{uuid4().hex[:8]}"
    episodes = await live(lab, group, events, set())
    kept = {episode for place, episode in episodes.items() if place not in left_out}
    gone = {episodes[place] for place in left_out if place in episodes} - kept
    await live(lab, without, events, left_out)

    if gone:
        killed, most = data.draw(st.integers(0, 60)), data.draw(st.sampled_from([1, 50]))
        erased = await lab.forget(group, Selector(episodes=tuple(sorted(gone))), dies_at=killed, most=most)
        assert erased.episodes == len(gone)

    assert await lab.rows(group) == await lab.rows(without)
    assert await lab.names(group) == await lab.names(without)


# canaries -----------------------------------------------------------------------------------------------------------


def zor() -> str:
    """A word that stands nowhere else, without digits."""
    return "Zor" + "".join(chr(ord("a") + int(digit, 16)) for digit in uuid4().hex[:12])


async def said(lab: Lab, group: str, content: str, number: int, user: str = "", session: str = "s") -> str:
    episode = Episode(
        group_id=group, session=session, content=content, occurred_at=day(number), speaker="Maya", user=user
    )
    await lab.memory.intake.remember(group, [episode])
    await digest(lab.memory, group, episode.id)
    return episode.id


async def test_of_an_episode_nothing_is_left_and_what_it_ended_is_believed_again(lab: Lab, group: str) -> None:
    word = zor()
    await said(lab, group, "Maya lives_in Rome.", 0)
    before = utc_now()
    words = f"Maya lives_in {word}. {word} knows Maya. Maya likes {word}."
    wrong = await said(lab, group, words, 10)
    between = utc_now()
    await said(lab, group, "Maya knows Bruno.", 20)
    assert {row.kinds[0] for row in await lab.places(group, word)} > {"Episode", "Claim", "RELATES_TO", "episode_said"}

    preview = await lab.forgetting.preview(group, Selector(episodes=(wrong,)), None)
    assert (preview.counts["episodes"], preview.counts["claims"], preview.samples) == (1, 3, (wrong,))
    assert preview.would is not None
    assert preview.would.reopened == 1
    assert await lab.places(group, word) != []

    past = day(200)
    assert (await lab.memory.reader.standing(group, past)).erased_at is None
    erased = await lab.forget(group, Selector(episodes=(wrong,)))

    standing = await lab.memory.reader.standing(group, past)
    assert standing.settled
    assert standing.erased_at
    assert between < standing.erased_at
    assert (await lab.memory.reader.standing(group, LATEST)).erased_at is None
    assert erased == preview.would
    assert await lab.places(group, word) == []
    assert await lab.told(group) == {("Maya lives_in Rome.", "lives_in"), ("Maya knows Bruno.", "knows")}
    assert await lab.told(group, between) == await lab.told(group, before)
    assert await lab.told(group, between) == {("Maya lives_in Rome.", "lives_in")}
    (rome,) = [row for row in await lab.rows(group) if row.value == "rome"]
    assert (rome.believed, rome.has_vector, rome.valid_to[:4]) == (True, True, "9999")

    with pytest.raises(Forgotten):
        await said(lab, group, words, 10)
    assert await lab.places(group, word) == []


async def test_acts_on_what_is_forgotten_go_with_it_and_a_person_s_own_words_stay(lab: Lab, group: str) -> None:
    word, other = zor(), zor()
    wrong = await said(lab, group, f"Maya lives_in {word}. Maya works_at {other}.", 0)
    facts, seen = lab.memory.facts, Scope(group, day(300))
    graph = await lab.memory.reader.graph(seen, GraphQuery())
    home = next(row for row in graph.beliefs if row.predicate == "lives_in")
    job = next(row for row in graph.beliefs if row.predicate == "works_at")
    await facts.confirm(group, home.id)
    await facts.reject(group, job.id)
    confirmed = next(
        row for row in (await lab.memory.reader.graph(seen, GraphQuery())).beliefs if row.predicate == "lives_in"
    )
    await facts.correct(group, confirmed.id, lambda _: Correction(value="a boat", statement="Maya lives on a boat."))

    await lab.forget(group, Selector(episodes=(wrong,)))

    assert await lab.places(group, word) == []
    assert await lab.places(group, other) == []
    assert await lab.told(group) == {("Maya lives on a boat.", "lives_in")}


async def test_who_stood_for_others_and_is_forgotten_leaves_them_the_same(lab: Lab, group: str) -> None:
    word = zor()
    wrong = await said(lab, group, f"{word} lives_in Rome.", 0)
    await said(lab, group, "Tom works_at Acme.", 1)
    await said(lab, group, "Tommy knows Zoe.", 2)
    await merge(lab.memory, group, word, "Tom")
    await merge(lab.memory, group, word, "Tommy")
    assert {row.subject for row in await lab.rows(group) if row.believed} == {word.lower()}

    await lab.forget(group, Selector(episodes=(wrong,)))

    assert await lab.places(group, word) == []
    rows = [row for row in await lab.rows(group) if row.believed]
    assert {(row.subject, row.predicate, row.value) for row in rows} == {
        ("tom", "works_at", "acme"),
        ("tom", "knows", "zoe"),
    }
    (tom,) = await lab.memory.reader.entities(Scope(group, day(300)), name="Tommy")
    assert tom.name


async def test_a_user_is_forgotten_whole_and_others_know_what_they_said_themselves(lab: Lab, group: str) -> None:
    word, common = zor(), zor()
    await said(lab, group, f"Maya knows {word}. Maya lives_in {common}.", 0, user="zoe", session="z")
    await said(lab, group, f"Maya lives_in {common}.", 1, user="ann", session="a")
    shared = next(
        row
        for row in (await lab.memory.reader.graph(Scope(group, day(300), user="zoe"), GraphQuery())).beliefs
        if row.predicate == "knows"
    )
    await lab.memory.facts.share(group, shared.id, Actor("zoe"))

    erased = await lab.forget(group, Selector(everything=True), "zoe")

    assert (erased.episodes, erased.sessions) == (1, 1)
    assert await lab.places(group, word) == []
    assert {row.user for row in await lab.rows(group)} == {"ann"}
    names = {one.name for one in await lab.memory.reader.entities(Scope(group, day(300), user="ann"))}
    assert names >= {"Maya", common}
    assert await lab.memory.reader.entities(Scope(group, day(300), user="zoe")) == []
    with pytest.raises(OptedOut):
        await said(lab, group, "Maya knows Bruno.", 2, user="zoe")


@pytest.mark.timeout(600)
@settings(max_examples=ON_A_DATABASE, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(dies_at=st.integers(0, 120))
async def test_what_a_user_shares_stays_as_the_group_s_where_it_keeps_that(lab: Lab, dies_at: int) -> None:
    group = f"forget-{uuid4().hex[:8]}"
    word, private, common = zor(), zor(), zor()
    words = f"Bruno knows {word}. Bruno lives_in {private}. Bruno works_at {common}."
    await said(lab, group, words, 0, user="zoe", session="z")
    await said(lab, group, words, 1, user="zoe", session="z")
    await said(lab, group, f"Bruno works_at {common}.", 2)
    beliefs = (await lab.memory.reader.graph(Scope(group, day(300), user="zoe"), GraphQuery())).beliefs
    shared = {row.predicate: row for row in beliefs if row.user == "zoe" and row.predicate != "lives_in"}
    for row in shared.values():
        await lab.memory.facts.share(group, row.id, Actor("zoe"))
    await lab.memory.store.set_retention(group, RetentionPolicy(keep_shared=True))

    preview = await lab.forgetting.preview(group, Selector(everything=True), "zoe")
    assert preview.counts["kept"] == 2
    await lab.forget(group, Selector(everything=True), "zoe", dies_at=dies_at, most=1)

    assert await lab.places(group, private) == []
    seen = Scope(group, day(300), user="ann")
    graph = await lab.memory.reader.graph(seen, GraphQuery())
    assert {entity.name for entity in graph.entities} == {"Bruno", word, common}
    assert {row.user for row in await lab.rows(group)} == {""}
    kept = {row.predicate: row for row in graph.beliefs}
    assert len(graph.beliefs) == len(kept) == 2
    for predicate, quotes in (("knows", [""]), ("works_at", ["", f"Bruno works_at {common}."])):
        row, before = kept[predicate], shared[predicate]
        assert (row.statement, row.user, row.shared) == (before.statement, "", False)
        assert (row.valid_from, row.valid_to, row.confidence) == (before.valid_from, before.valid_to, before.confidence)
        assert [support.quote for support in row.evidence] == quotes
        stored = await lab.memory.store.episode(seen, row.evidence[0].episode_id)
        assert stored is not None
        assert (stored.episode.content, stored.episode.user, stored.episode.session) == (before.statement, "", "")


async def test_names_that_only_it_gave_go_and_the_others_stay(lab: Lab, group: str) -> None:
    first = await said(lab, group, "MAYA lives_in Rome.", 0)
    await said(lab, group, "Maya lives_in Rome.", 5)
    assert [row.name for row in await lab.names(group) if row.key == "maya"] == ["MAYA"]

    await lab.forget(group, Selector(episodes=(first,)))

    (maya,) = [row for row in await lab.names(group) if row.key == "maya"]
    assert (maya.name, maya.names, maya.first_seen[:10]) == ("Maya", ["Maya"], "2025-01-06")


async def test_terms_are_counted_of_names_that_are_left(lab: Lab, group: str) -> None:
    word = zor()
    wrong = await said(lab, group, f"Maya knows {word}. {word} lives_in Rome.", 0)
    await said(lab, group, "Maya knows Bruno. Bruno lives_in Rome.", 1)
    await compare(lab.database, group)
    before = await lab.term_counts(group)
    await lab.forget(group, Selector(episodes=(wrong,)))
    erased = await lab.term_counts(group)
    await compare(lab.database, group)

    for counted in (before, erased, await lab.term_counts(group)):
        assert [row for row in counted if row.holders != row.there or not row.holders] == []
    assert {row.id for row in erased} < {row.id for row in before}


async def test_who_shares_a_word_with_a_forgotten_name_is_compared_again(lab: Lab, group: str) -> None:
    gone = await said(lab, group, "Anna_Silva knows Rome.", 0)
    await said(lab, group, "Anna_Berg knows Bruno.", 1)
    await compare(lab.database, group)
    assert await lab.memory.store.due_to_match(group, 9) == {}
    await lab.forget(group, Selector(episodes=(gone,)))
    assert id_of(group, "Anna Berg") in await lab.memory.store.due_to_match(group, 9)


async def test_a_text_in_whose_place_a_forgotten_one_came_is_as_if_it_had_never_been_replaced(
    lab: Lab, group: str
) -> None:
    texts, rows, names, after = list[PutReceipt](), list[list[ShownRow]](), list[list[KnownRow]](), list[datetime]()
    for content in ("Maya lives_in Rome.", "Maya lives_in Oslo.", "Maya lives_in Porto."):
        texts.append(await lab.memory.intake.put(turn(group, content, 0, "named")))
        await digest(lab.memory, group, texts[-1].id)
        rows.append(await lab.rows(group))
        names.append(await lab.names(group))
        after.append(utc_now())
    seen, (rome, oslo, porto) = Scope(group, day(300)), [text.id for text in texts]

    await lab.forget(group, Selector(episodes=(oslo,)))
    first, last = [await lab.memory.store.episode(seen, id_) for id_ in (rome, porto)]
    assert first
    assert last
    assert (first.status, first.replaced_by, first.replaced_at) == (EpisodeStatus.REPLACED, porto, last.recorded_at)
    assert await lab.told(group, after[1]) == {("Maya lives_in Rome.", "lives_in")}
    assert await lab.told(group) == {("Maya lives_in Porto.", "lives_in")}

    await lab.forget(group, Selector(episodes=(porto,)))
    first = await lab.memory.store.episode(seen, rome)
    assert first
    assert (first.status, first.replaced_by, first.replaced_at) == (EpisodeStatus.DIGESTED, None, None)
    assert (await lab.rows(group), await lab.names(group)) == (rows[0], names[0])


async def test_a_text_that_was_not_read_before_it_was_replaced_is_read_once_that_is_forgotten(
    lab: Lab, group: str
) -> None:
    waiting, edited = [
        await lab.memory.intake.put(turn(group, content, 0, "named"))
        for content in ("Maya lives_in Rome.", "Maya lives_in Oslo.")
    ]
    await lab.forget(group, Selector(episodes=(edited.id,)))
    await digest(lab.memory, group, waiting.id)
    assert await lab.told(group) == {("Maya lives_in Rome.", "lives_in")}


async def test_a_name_whose_first_text_is_forgotten_has_one_text_once_the_tombstone_is_lifted(
    lab: Lab, group: str
) -> None:
    said, edited, other = (turn(group, f"Maya lives_in {place}.", 0, "named") for place in ("Rome", "Oslo", "Porto"))
    first, second = [await lab.memory.intake.put(text) for text in (said, edited)]
    await lab.forget(group, Selector(episodes=(first.id,)))
    await lab.tombstones.lift(group, entrant_of(INSTALLATION.hash, said).ids, None, by="")

    for text in (said, other):
        with pytest.raises(Conflict):
            await lab.memory.intake.remember(group, [text])
    third = await lab.memory.intake.put(replace(other, occurred_at=day(9)), undated=True)
    stored = await lab.memory.store.episode(Scope(group, day(300)), third.id)
    assert stored
    assert (third.replaces, stored.episode.occurred_at) == (second.id, day(0))


# retention ----------------------------------------------------------------------------------------------------------


def turn(group: str, content: str, number: int, external_id: str | None = None) -> Episode:
    return Episode(
        group_id=group,
        session="s",
        content=content,
        occurred_at=day(number),
        speaker="Maya",
        metadata={"note": content},
        external_id=external_id,
    )


KEPT = RetentionPolicy(episode_days=(utc_now() - day(100)).days)


@pytest.mark.timeout(600)
@settings(max_examples=ON_A_DATABASE, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(dies_at=st.integers(0, 12))
async def test_what_is_old_and_summarised_loses_its_words_and_what_was_read_of_it_stays(lab: Lab, dies_at: int) -> None:
    group, word, unread = f"redact-{uuid4().hex[:8]}", zor(), zor()
    old = [turn(group, f"Maya knows {word}. ({unread})", number, name) for number, name in ((0, None), (1, "named"))]
    young, unsummarised = turn(group, "Maya lives_in Rome.", 200), turn(group, "Maya lives_in Oslo.", 2)
    for episode in (*old, young, unsummarised):
        await lab.memory.intake.remember(group, [episode])
        await digest(lab.memory, group, episode.id)
    await lab.keep(group, KEPT, *(episode.id for episode in (*old, young)))
    seen, rows, names = Scope(group, day(300)), await lab.rows(group), await lab.names(group)
    preview = await lab.retention.preview(group)
    assert (preview.episodes, set(preview.samples)) == (2, {episode.id for episode in old})

    lab.database.dies_at = dies_at
    await lab.to_the_end(lambda: lab.retention.redact(group, 1))

    assert await lab.places(group, unread) == []
    assert (await lab.rows(group), await lab.names(group)) == (rows, names)
    known = next(row for row in (await lab.memory.reader.graph(seen, GraphQuery())).beliefs if row.predicate == "knows")
    assert known.statement == f"Maya knows {word}."
    assert [(support.quote, support.redacted) for support in known.evidence] == [("", True), ("", True)]
    for episode in (*old, young, unsummarised):
        stored = await lab.memory.store.episode(seen, episode.id)
        assert stored is not None
        kept = episode not in old
        assert (stored.status is EpisodeStatus.DIGESTED, stored.episode.redacted_at is None) == (kept, kept)
        assert (stored.episode.content, stored.episode.metadata) == (
            (episode.content, episode.metadata) if kept else ("", {})
        )
    assert (await lab.memory.reader.standing(group, day(200))).erased_at
    assert await lab.retention.redact(group, 50) == 0


async def test_what_is_redacted_is_known_again_and_is_neither_read_nor_found_again(lab: Lab, group: str) -> None:
    word = zor()
    old = [turn(group, f"Maya knows {word}.", number, name) for number, name in ((0, None), (1, "named"))]
    for episode in old:
        await lab.memory.intake.remember(group, [episode])
        await digest(lab.memory, group, episode.id)
    await lab.keep(group, KEPT, *(episode.id for episode in old))
    await lab.memory.works.request_work(group, WorkKind.REDACT, [WorkRequest(id=group)])
    (work,) = await lab.memory.works.works_by_id(group, [group])
    steps = Redactor(lab.memory, lab.retention)
    taken = [await steps.step(work) for _ in range(2)]
    assert [(step.progress, step.finished) for step in taken] == [({"episodes": 2}, False), ({"audit_rows": 0}, True)]

    receipts = await lab.memory.intake.remember(group, old)
    assert [(one.new, one.status) for one in receipts] == [(False, "redacted"), (False, "redacted")]
    with pytest.raises(Conflict):
        await lab.memory.intake.remember(group, [turn(group, "Maya knows Bruno.", 1, "named")])
    with pytest.raises(Conflict):
        await lab.memory.intake.reprocess(group, old[0].id, AS_CONFIGURED)
    assert {place.kinds[0] for place in await lab.places(group, word)}.isdisjoint({"Episode", "episode_said"})

    assert (await lab.forget(group, Selector(session="s"))).episodes == 2
    assert await lab.places(group, word) == []
    for episode in old:
        with pytest.raises(Forgotten):
            await lab.memory.intake.remember(group, [episode])


async def test_rows_of_an_audit_go_that_are_older_than_it_is_kept_and_the_chain_fits(lab: Lab, group: str) -> None:
    for number in range(3):
        await said(lab, group, "Maya knows Bruno.", number)
    audit = lab.audit
    await audit.chain_group(group)
    now, total = utc_now(), (await audit.end(group)).place
    await said(lab, group, "Maya knows Zoe.", 3)
    await audit.chain_group(group)

    assert await audit.drop_older(group, day(0)) == 0
    assert await audit.drop_older(group, now) == total
    check = await audit.check(group)
    assert (check.misfit, check.first.place) == (None, total)
    assert await audit.drop_older(group, now) == 0
    await lab.memory.store.set_retention(group, RetentionPolicy(audit_days=1))
    assert await lab.retention.drop_audit(group) == 0


# selection ----------------------------------------------------------------------------------------------------------


async def test_what_is_selected_is_meant_and_nothing_else(lab: Lab, group: str, subtests: pytest.Subtests) -> None:
    said = [("Rome", "mail", "a", ""), ("Oslo", "chat", "a", ""), ("Rome", "chat", "b", "zoe"), ("Bonn", "", "b", "")]
    ids = list[str]()
    for number, (place, source, session, user) in enumerate(said):
        episode = Episode(
            group_id=group,
            session=session,
            content=f"Maya lives_in {place}.",
            occurred_at=day(number),
            speaker="Maya",
            source=source or None,
            user=user,
            external_id=f"e{number}",
        )
        await lab.memory.intake.remember(group, [episode])
        await digest(lab.memory, group, episode.id)
        ids.append(episode.id)
    await merge(lab.memory, group, "Rome", "Bonn")
    courses: Sequence[tuple[Selector, str | None, set[int]]] = (
        (Selector(episodes=(ids[0], ids[2])), None, {0, 2}),
        (Selector(episodes=(ids[0], ids[2])), "zoe", {2}),
        (Selector(external_ids=("e1", "e2")), None, {1}),
        (Selector(external_ids=("e1", "e2")), "zoe", {2}),
        (Selector(session="a"), None, {0, 1}),
        (Selector(source="chat"), None, {1, 2}),
        (Selector(source="chat", session="b"), None, {2}),
        (Selector(since=day(1), until=day(3)), None, {1, 2}),
        (Selector(entity=id_of(group, "Oslo")), None, {1}),
        (Selector(entity=id_of(group, "Bonn")), None, {0, 2, 3}),
        (Selector(entity=id_of(group, "Bonn")), "zoe", {2}),
        (Selector(everything=True), "zoe", {2}),
        (Selector(everything=True), None, {0, 1, 2, 3}),
    )
    for selector, user, meant in courses:
        with subtests.test(f"{selector.kinds} of {user}"):
            preview = await lab.forgetting.preview(group, selector, user)
            assert {ids.index(id_) for id_ in preview.samples} == meant


# agreement ----------------------------------------------------------------------------------------------------------


async def test_what_moved_since_the_preview_is_previewed_again(lab: Lab, group: str) -> None:
    await said(lab, group, "Maya lives_in Rome.", 0)
    selector = Selector(session="s")
    preview = await lab.forgetting.preview(group, selector, None)
    await said(lab, group, "Maya knows Bruno.", 1)
    with pytest.raises(Conflict):
        await lab.forgetting.confirm(group, selector, None, preview.confirm, "")
    assert (await lab.forget(group, selector)).episodes == 2
    assert await lab.rows(group) == []


async def test_a_job_that_is_begun_again_goes_on_and_the_receipt_says_what_went(lab: Lab, group: str) -> None:
    word = zor()
    for number in range(4):
        await said(lab, group, f"Maya knows {word}{'abcd'[number]}.", number)
    selector = Selector(since=day(0), until=day(3))
    preview = await lab.forgetting.preview(group, selector, None)
    work, _ = await lab.forgetting.confirm(group, selector, None, preview.confirm, "key")
    assert (await lab.forgetting.step(work, 2)) is not None
    half = await lab.forgetting.receipt(group, work.id)
    assert (half.erased.episodes, half.ended_at) == (2, None)

    steps, step = Forgetter(lab.forgetting), None
    while step is None or not step.finished:
        step = await steps.step(work)

    receipt = await lab.forgetting.receipt(group, work.id)
    assert (receipt.erased.episodes, receipt.erased.claims, len(set(receipt.hashes))) == (3, 3, 3)
    assert (receipt.selectors, receipt.asked_by, receipt.manifest) == (("since", "until"), "key", preview.manifest)
    assert receipt.began_at
    assert receipt.ended_at
    (left,) = await lab.memory.works.works_by_id(group, [work.id])
    assert left.arguments == {}
    assert len(await lab.rows(group)) == 1
    with pytest.raises(NotFound):
        await lab.forgetting.receipt(group, work.id, "another key")


# proof --------------------------------------------------------------------------------------------------------------


async def test_who_knows_words_of_it_finds_where_they_are_left_and_what_came_again(lab: Lab, group: str) -> None:
    gone, left = zor(), zor()
    wrong = await said(lab, group, f"Maya knows {gone}.", 0)
    await said(lab, group, f"Maya knows {left}.", 1)
    preview = await lab.forgetting.preview(group, Selector(episodes=(wrong,)), None)
    work, _ = await lab.forgetting.confirm(group, Selector(episodes=(wrong,)), None, preview.confirm, "key")
    canaries = [gone, left.upper(), f"Maya knows {gone}.", f"Maya knows {left}."]
    before = await lab.verifier.verify(group, work.id, canaries)
    while await lab.forgetting.step(work, 50) is not None:
        pass
    after = await lab.verifier.verify(group, work.id, canaries)

    vectors = {(place.canary, kind) for place in before.places for kind in place.kinds if kind.endswith("_vectors")}
    assert {(2, "relationship_vectors"), (3, "relationship_vectors")} <= vectors
    assert {place.canary for place in before.places} == {0, 1, 2, 3}
    assert {place.canary for place in after.places} == {1, 3}
    assert after.places == tuple(place for place in before.places if place.canary in {1, 3})
    assert (after.episodes, after.vectors) == ((), True)

    with pytest.raises(Forgotten) as refused:
        await said(lab, group, f"Maya knows {gone}.", 0)
    await lab.tombstones.lift(group, refused.value.tombstones, None, by="")
    await said(lab, group, f"Maya knows {gone}.", 0)
    assert (await lab.verifier.verify(group, work.id, [])).episodes == (wrong,)
