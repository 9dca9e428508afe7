"""What search indexes filter by: each row has all of it, or would never be found, and nobody would be told."""

from pathlib import Path

import pytest
from pydantic import BaseModel, ConfigDict

from graphmem.clock import utc_now
from graphmem.memory import Memory
from graphmem.model.claim import ClaimKind
from graphmem.model.episode import Episode, StoredEpisode
from graphmem.model.ids import audience_token, group_token, session_token
from graphmem.model.scope import Scope
from graphmem.retrieve.question import lucene_query
from graphmem.store.driver import Database
from graphmem.store.queries import read_queries
from tests.models import digest, memory_on
from tests.store.test_evidence import claim, day

QUERIES = {query.name: query for query in read_queries(Path(__file__).parent / "indexes.cypher")}


class Row(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class FiltersRow(Row):
    name: str
    labels: list[str]
    properties: list[str]


class LackingRow(Row):
    property: str
    rows: int
    lacking: int


class CountRow(Row):
    count: int


@pytest.fixture
async def memory(database: Database, group: str) -> Memory:
    """A digested episode, and beliefs of each kind, of which some were superseded."""
    memory = memory_on(database)
    said = Episode(group_id=group, session="s", content="Maya lives_in Lisbon", occurred_at=day(0), user="ann")
    (remembered,) = await memory.intake.remember(group, [said])
    await digest(memory, group, remembered.id)
    ages = [claim("", n, predicate="status", object=None, value=str(n), user="ann") for n in (0, 5)]
    await memory.intake.assert_claims(group, [claim("Porto", 5, user="ann"), ages[0]])
    await memory.intake.assert_claims(group, [ages[1]])
    gone = claim("Rome", 7, predicate="likes", user="ann")
    await memory.intake.assert_claims(group, [gone])
    await memory.intake.assert_claims(group, [claim("Rome", 7, predicate="likes", user="ann", kind=ClaimKind.ENDS)])
    return memory


async def test_every_row_has_every_property_that_an_index_filters_by(
    memory: Memory, database: Database, group: str
) -> None:
    long = Episode(group_id=group, session="s", content="The sea. " * 200, occurred_at=day(1), user="ann")
    (remembered,) = await memory.intake.remember(group, [long])
    await digest(memory, group, remembered.id)
    all_of_them = await database.run(QUERIES["filters"], FiltersRow)
    by_jobs = {
        "Entity",
        "Name",
        "Summary",
        "SupersededSummary",
        "Reflection",
        "SupersededReflection",
    }  # jobs write what these go by
    indexes = [index for index in all_of_them if by_jobs.isdisjoint(index.labels)]
    kinds = {label: set[str]() for index in indexes for label in index.labels}
    for index in indexes:
        for label in index.labels:
            kinds[label] |= {*index.properties} - {"embedding", "speaker"}  # searched, no filters
    assert set(kinds) == {"RELATES_TO", "SUPERSEDED", "Fact", "SupersededFact", "Episode", "Passage"}
    for label, properties in kinds.items():
        found = await database.run(
            QUERIES["lacking"], LackingRow, group=group, label=label, properties=sorted(properties)
        )
        assert {row.property for row in found} == properties, label
        assert [(row.property, row.lacking) for row in found if row.lacking] == [], label


async def test_full_text_knows_every_field_that_it_is_asked_for(memory: Memory, database: Database, group: str) -> None:
    """A field that an index has not answers nothing, silently."""
    del memory
    filters = {
        "group_token": [group_token(group)],
        "audience_token": [audience_token(group, ""), audience_token(group, "ann")],
        "session_token": [session_token(group, "s")],
    }
    counts = {
        name: (await database.run(QUERIES["hits_of_field"], CountRow, lucene=f"{name}:({tokens[-1]})"))[0].count
        for name, tokens in filters.items()
    }
    assert (counts["session_token"], min(counts.values()) > 0) == (1, True)
    assert (await database.run(QUERIES["hits_of_field"], CountRow, lucene="unknown:(maya)"))[0].count == 0
    lucene = lucene_query(["lisbon"], ["content", "speaker"], filters)
    assert (await database.run(QUERIES["hits_of_field"], CountRow, lucene=lucene))[0].count == 1


async def test_a_search_of_a_session_finds_its_episodes_only(memory: Memory, group: str) -> None:
    other = Episode(group_id=group, session="t", content="Maya lives_in Lisbon", occurred_at=day(1))
    (remembered,) = await memory.intake.remember(group, [other])
    await digest(memory, group, remembered.id)
    for session, count in (("s", 1), ("t", 1), ("u", 0), (None, 2)):
        scope = Scope(group, utc_now(), session=session)
        hits = await memory.searcher.search(scope, "Maya lives_in Lisbon", kinds=frozenset({"episode"}))
        said = [hit.thing.episode.content for hit in hits.hits if isinstance(hit.thing, StoredEpisode)]
        assert said.count(other.content) == count
