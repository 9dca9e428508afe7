"""A group with something of every kind goes into a file and comes back, with every property and all that waits."""

import json
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta

import pytest

from graphmem.clock import utc_now
from graphmem.derived.entity_summaries import EntitySummaries
from graphmem.errors import Conflict, InvalidInput, ModelUnavailable, NotFound
from graphmem.jobs.steps import Stepper
from graphmem.jobs.summariser import Summariser
from graphmem.model.dates import DateConventions
from graphmem.model.episode import Episode, EpisodeStatus
from graphmem.model.evidence import StructuredClaim
from graphmem.model.forgetting import Selector
from graphmem.model.fragment import ThingName
from graphmem.model.ids import entity_id
from graphmem.model.ontology import DEFAULT_ONTOLOGY
from graphmem.model.projection.predicate import Cardinality, Policy
from graphmem.model.scope import Scope
from graphmem.model.summary import MetaPolicy, SummaryPolicy, WindowPolicy
from graphmem.model.work import WorkKind, WorkRequest, work_id
from graphmem.recall.reader import GraphQuery
from graphmem.store.driver import Database
from graphmem.store.forget import ForgetStore
from graphmem.store.predicates import PredicateStore
from tests.api.claiming import compare
from tests.fakes import UnsteadyEmbedder
from tests.jobs.summarising import SETTINGS, Bench, Words, talk
from tests.jobs.summarising import THINGS as TALKED
from tests.models import digest
from tests.store.test_forgetting import where_told
from tests.transfer import Transfer

MONDAY = datetime(2025, 4, 28, 12, tzinfo=UTC)
THINGS = ("chess", "opera", "rugby", "jazz", "poker", "judo", "tennis", "baking", "sailing")


SHORT = SummaryPolicy(windows=WindowPolicy(batch=4, keep=2, least=2), metas=MetaPolicy(batch=2, least_turns=8))


@pytest.fixture
def bench(database: Database) -> Bench:
    return Bench(database, summaries=SHORT)


def claim(predicate: str, name: str, kind: str, hours: int = 0, user: str = "") -> StructuredClaim:
    at = MONDAY + timedelta(hours=hours)
    return StructuredClaim(
        subject=ThingName("Maya", "person"),
        predicate=predicate,
        object=ThingName(name, kind),
        valid_from=at,
        occurred_at=at,
        user=user,
    )


async def tell(bench: Bench, group: str) -> None:
    """Something of every kind: two users, merges, acts, policies, long texts, summaries of all tiers, what waits."""
    memory = bench.memory
    await memory.groups.ensure(group)
    await memory.groups.set_ontology(group, DEFAULT_ONTOLOGY)
    await memory.groups.set_conventions(group, DateConventions(month_first=True, fiscal_year_start=4))
    predicates = PredicateStore.beside(memory.store)
    for cardinality in (Cardinality.ONE, Cardinality.MANY):
        await predicates.change(group, "drinks", Policy(cardinality))
    await bench.say(group, [*talk(10), "Maya lives_in Porto", "Maya_Silva lives_in Lisbon"])
    await bench.say(group, ["Maya works_at Acme. " + "It rains. " * 2_000], first=500, user="ann")
    await bench.close(group)
    await bench.say(group, ["Maya works_at Initech"], first=600)
    receipts, _ = await memory.intake.assert_claims(
        group, [claim("likes", one, "topic", at) for at, one in enumerate(THINGS)]
    )
    await memory.intake.assert_claims(group, [claim("likes", "yoga", "topic", 20, "ann")])
    await memory.intake.retract(group, receipts[0].claim_id)
    await compare(memory.store.database, group)
    maya, silva = entity_id(group, "maya"), entity_id(group, "maya silva")
    await memory.merging.protect(group, silva, protected=True)
    graph = await memory.reader.graph(Scope(group, utc_now()), GraphQuery(entity_id=maya))
    liked = [row for row in graph.beliefs if row.predicate == "likes" and row.user == ""]
    await memory.facts.confirm(group, liked[0].id)
    await memory.facts.reject(group, liked[1].id)
    (own,) = [row for row in graph.beliefs if row.user == "ann" and row.predicate == "likes"]
    await memory.facts.share(group, own.id)
    await bench.work(group)
    await summarise_entities(bench, group)
    await memory.intake.retract(group, receipts[2].claim_id)
    waiting = Episode(group_id=group, session="later", content="Maya likes tea", occurred_at=MONDAY, user="ann")
    await memory.intake.remember(group, [waiting])


async def summarise_entities(bench: Bench, group: str) -> None:
    memory = bench.memory
    summaries = EntitySummaries(memory.store, memory.late_vectors, Words())
    id_ = work_id(WorkKind.SUMMARISE, group)
    await memory.works.request_work(group, WorkKind.SUMMARISE, [WorkRequest(id=id_)])
    taken = await memory.works.lease_work(group, id_, "a lease", 60)
    assert taken is not None
    await Stepper(Summariser(summaries.summarise_one), memory.works, SETTINGS).do(taken)


def things(content: bytes) -> list[bytes]:
    """The lines of a file that have a thing."""
    return [line for line in content.splitlines()[1:-1] if not line.startswith(b'{"type":"position"')]


async def test_every_property_comes_back_and_what_waits_is_done_after_it(bench: Bench, group: str) -> None:
    await tell(bench, group)
    transfer = Transfer(bench.memory, DEFAULT_ONTOLOGY.entity_types)
    before, content = await transfer.everything(group), await transfer.file(group)
    await transfer.delete(group)
    report = await transfer.restore(group, content)

    assert await transfer.everything(group) == before
    assert (report.differences_total, "damaged" in report.counts) == (0, False)
    assert {"summary", "entity_summary", "covers", "merge", "share", "passage", "predicate"} <= report.counts.keys()
    again = await transfer.file(group, known_at=report.known_at)
    assert things(content) == things(again)

    waiting = (await bench.memory.reader.episodes(Scope(group, utc_now()), status=EpisodeStatus.PENDING)).episodes
    assert [one.episode.content for one in waiting] == ["Maya likes tea"]
    await digest(bench.memory, group, waiting[0].id)
    assert (await bench.work(group)).status == "done"


async def test_vectors_of_another_model_are_made_anew(bench: Bench, group: str, database: Database) -> None:
    await bench.memory.intake.assert_claims(group, [claim("likes", one, "topic", at) for at, one in enumerate(THINGS)])
    transfer, there = Transfer(bench.memory), Bench(database, embedder=UnsteadyEmbedder("another")).memory
    content = await transfer.file(group, vectors=True)
    await transfer.delete(group)
    assert (await Transfer(there).restore(group, content)).embedded >= len(THINGS)
    stored = await there.store.group(group)
    assert stored is not None
    assert stored.embedding_model == "another"
    await transfer.delete(group)
    assert (await transfer.restore(group, content)).embedded == 0


class Killed(BaseException):
    """The process that imports is gone."""


async def test_until_all_is_there_nothing_is_and_a_killed_run_is_run_again(bench: Bench, group: str) -> None:
    memory = bench.memory
    transfer, other = Transfer(memory), Transfer(memory)
    await bench.say(group, [f"Maya knows Friend{at}" for at in range(8)])
    await memory.intake.assert_claims(group, [claim("likes", one, "topic", at) for at, one in enumerate(THINGS)])
    before, content = await transfer.everything(group), await transfer.file(group)
    await transfer.delete(group)
    half = len(content) // 2

    async def killed_half_way() -> AsyncIterator[bytes]:
        yield content[:half]
        raise Killed

    with pytest.raises(Killed):
        await transfer.mortal.restore(group, killed_half_way())
    assert 0 < len(await transfer.everything(group)) < len(before)
    fresh = Bench(memory.store.database).memory
    with pytest.raises(NotFound):
        await fresh.reader.graph(Scope(group, utc_now()), GraphQuery())
    with pytest.raises(Conflict, match="is being imported"):
        await fresh.intake.assert_claims(group, [claim("likes", "tea", "topic")])
    with pytest.raises(Conflict, match="by somebody else"):
        await other.restore(group, content)
    await transfer.expire_lease(group)
    report = await other.restore(group, content)
    assert (await transfer.everything(group), report.differences_total) == (before, 0)
    assert 0 < other.restoring.written < len(things(content))
    with pytest.raises(Conflict, match="not empty"):
        await other.restore(group, content)


async def cut_off(content: bytes, at: int) -> AsyncIterator[bytes]:
    yield content[:at]
    raise ModelUnavailable


async def test_a_run_that_was_cut_off_goes_on_with_the_same_file_only(bench: Bench, group: str) -> None:
    transfer = Transfer(bench.memory)
    transfer.restoring.rows = 10
    await bench.memory.intake.assert_claims(group, [claim("likes", one, "topic", at) for at, one in enumerate(THINGS)])
    before, content, later = await transfer.everything(group), *[await transfer.file(group) for _ in range(2)]
    await transfer.delete(group)
    whole = await transfer.restore(group, content)
    assert transfer.restoring.written == len(things(content))
    await transfer.delete(group)
    transfer.restoring.written = 0
    for part in (3, 2):
        with pytest.raises(ModelUnavailable):
            await transfer.restoring.restore(group, cut_off(content, len(content) // part))
    assert await transfer.restore(group, content) == whole
    assert (await transfer.everything(group), transfer.restoring.written) == (before, len(things(content)))

    await transfer.delete(group)
    with pytest.raises(ModelUnavailable):
        await transfer.restoring.restore(group, cut_off(content, len(content) // 2))
    transfer.restoring.written = 0
    assert (await transfer.restore(group, later)).differences_total == 0
    assert transfer.restoring.written == len(things(later))


async def test_a_file_that_cannot_be_used_leaves_nothing(bench: Bench, group: str) -> None:
    transfer = Transfer(bench.memory)
    await bench.say(group, ["Maya lives_in Porto", "Maya lives_in Lisbon"])
    content = await transfer.file(group)
    await transfer.delete(group)
    lines = content.splitlines(keepends=True)
    for broken in (content[: len(content) // 2], content.replace(b"Lisbon", b"Oslo"), b"".join(lines[:3] + lines[4:])):
        with pytest.raises(InvalidInput):
            await transfer.restore(group, broken)
        assert await transfer.everything(group) == []
        assert await bench.memory.store.group(group) is None


async def test_of_a_group_that_is_forgotten_whole_no_word_is_left_and_no_file_has_any(bench: Bench, group: str) -> None:
    await tell(bench, group)
    transfer, store = Transfer(bench.memory), ForgetStore.beside(bench.memory.store)
    words = ["Porto", "Lisbon", "Initech", "yoga", *THINGS, *TALKED]
    told = (await transfer.file(group)).lower()
    assert [word for word in words if word.lower().encode() not in told] == []

    whole = Selector(everything=True)
    preview = await transfer.forgetting.preview(group, whole, None)
    work, _ = await transfer.forgetting.confirm(group, whole, None, preview.confirm, "")
    while await transfer.forgetting.step(work, 50) is not None:
        pass

    assert [place for word in words for place in await where_told(store, group, word)] == []
    file = (await transfer.file(group)).lower()
    assert [word for word in words if word.lower().encode() in file] == []
    assert {json.loads(line)["type"] for line in things(file)} <= {"predicate"}
    receipt = await transfer.forgetting.receipt(group, work.id)
    assert (receipt.selectors, receipt.erased.episodes) == (("everything",), preview.counts["episodes"])


async def test_what_was_forgotten_here_stays_out_with_what_rests_on_it(bench: Bench, group: str) -> None:
    transfer = Transfer(bench.memory)
    _, noise = await bench.say(group, ["Maya lives_in Porto", "Maya likes noise"])
    await transfer.forgetting.again(group, [noise])
    without = await transfer.file(group)
    before = (await bench.memory.store.past_changed(group)).erased_at
    (lisbon,) = await bench.say(group, ["Maya lives_in Lisbon"], 1)
    content = await transfer.file(group)
    await transfer.tombstones.bar(group, [lisbon], ())
    await transfer.delete(group)
    report = await transfer.restore(group, content)

    assert (report.forgotten_total, report.forgotten, report.differences_total) == (1, (lisbon,), 0)
    after = (await bench.memory.store.past_changed(group)).erased_at
    assert before
    assert after
    assert after > before
    again = await transfer.file(group)
    assert (b"Lisbon" in content, b"Lisbon" in again) == (True, False)
    assert [line for line in things(again) if b'"belief"' in line] == [
        line for line in things(without) if b'"belief"' in line
    ]
