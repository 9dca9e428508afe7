"""Times that are read in the group's way, and those that nobody could read, from the text to the evidence."""

from datetime import UTC, datetime

from graphmem.extract.offline.extractor import OfflineExtractor
from graphmem.model.dates import USUAL_DATES, DateConventions
from graphmem.model.episode import Episode
from graphmem.model.interval import BEGIN, LATEST
from graphmem.model.scope import Scope
from graphmem.recall.reader import GraphQuery
from graphmem.store.driver import Database
from tests.models import digest, memory_on

SAID_AT = datetime(2025, 5, 20, 10, tzinfo=UTC)
MOVED_AT = datetime(2025, 5, 21, 10, tzinfo=UTC)


def said(group: str, content: str, at: datetime = SAID_AT) -> Episode:
    return Episode(group_id=group, session="s", content=content, occurred_at=at, speaker="Maya")


async def test_days_are_read_as_the_group_writes_them(database: Database, group: str) -> None:
    memory = memory_on(database, extracts=OfflineExtractor())
    assert (await memory.store.conventions_of_group(group)).conventions == USUAL_DATES
    own = await memory.groups.set_conventions(group, DateConventions(month_first=True, fiscal_year_start=10))
    assert await memory.groups.set_conventions(group, own.conventions) == own

    episode = said(group, "I moved to Rome on 05/06/2024.")
    await memory.intake.remember(group, [episode])
    await digest(memory, group, episode.id)

    graph = await memory.reader.graph(Scope(group, SAID_AT), GraphQuery())
    assert [belief.valid_from for belief in graph.beliefs] == [datetime(2024, 5, 6, tzinfo=UTC)]


async def test_words_for_a_time_that_nobody_could_read_stand_in_the_evidence(database: Database, group: str) -> None:
    memory = memory_on(database, extracts=OfflineExtractor())
    episodes = [
        said(group, "I live in Rome since 2019."),
        said(group, "I moved to Berlin on 29 February 2023. I work at Siemens since the second moon.", MOVED_AT),
    ]
    await memory.intake.remember(group, episodes)
    _, outcome = [await digest(memory, group, episode.id) for episode in episodes]

    assert outcome.unread_times == (
        "29 February 2023 does not exist",
        "“since the second moon” is no time that is understood",
    )
    graph = await memory.reader.graph(Scope(group, MOVED_AT), GraphQuery())
    home, job = (next(one for one in graph.beliefs if one.predicate == of) for of in ("lives_in", "works_at"))
    assert [(one.valid_from, one.from_stated) for one in (home, job)] == [(BEGIN, False)] * 2
    grounds = [await memory.reader.evidence(Scope(group, LATEST), each.belief_id) for each in (home, job)]
    assert [[claim.time_unread for claim in each.claims] for each in grounds] == [
        ["on 29 February 2023"],
        ["since the second moon"],
    ]
