"""Who waits for several episodes asks for all of them at once."""

from collections import Counter
from datetime import UTC, datetime, timedelta
from typing import TypeVar

from graphmem.api.accepting import kept_claims, wait
from graphmem.model.episode import Episode, EpisodeStatus
from graphmem.queue.wakeups import WakeUp
from graphmem.settings.servers import Neo4jSettings
from graphmem.store.driver import Database
from graphmem.store.queries import Query
from tests.models import digest, memory_on

Row = TypeVar("Row")
COUNT = 12


class CountingDatabase(Database):
    """Counts the queries that are a transaction of their own."""

    def __init__(self, database: Database) -> None:
        super().__init__(database.driver, Neo4jSettings.model_validate({}))
        self.asked: Counter[str] = Counter()

    async def run(self, query: Query, row: type[Row], /, **params: object) -> list[Row]:
        self.asked[query.name] += 1
        return await super().run(query, row, **params)


async def test_of_many_episodes_all_outcomes_come_with_one_question_and_what_was_kept_with_another(
    database: Database, group: str
) -> None:
    counting = CountingDatabase(database)
    memory = memory_on(counting)
    start = datetime(2025, 1, 1, tzinfo=UTC)
    episodes = [
        Episode(group_id=group, session="s", content="Maya knows Ivo", occurred_at=start + timedelta(days=number))
        for number in range(COUNT)
    ]
    remembered = await memory.intake.remember(group, episodes)
    for item in remembered[:-1]:
        await digest(memory, group, item.id)
    counting.asked.clear()

    told = await wait(memory, group, remembered, {item.id: WakeUp() for item in remembered}, 0.01, may_read=True)

    assert [one.status for one in told] == [EpisodeStatus.DIGESTED] * (COUNT - 1) + [EpisodeStatus.PENDING]
    assert {one.outcome.claims for one in told if one.outcome} == {1}
    assert [len(one.kept) for one in told] == [1] * (COUNT - 1) + [0]
    assert set(counting.asked) == {"outcomes_of_episodes", "kept_claims"}
    assert counting.asked["outcomes_of_episodes"] <= 2
    assert counting.asked["kept_claims"] == 1


async def test_the_more_episodes_come_the_fewer_claims_are_shown_of_each(database: Database, group: str) -> None:
    memory = memory_on(database)
    said = datetime(2025, 1, 1, tzinfo=UTC)
    (item,) = await memory.intake.remember(
        group, [Episode(group_id=group, session="s", content="Maya knows Ivo\nMaya knows Bo", occurred_at=said)]
    )
    await digest(memory, group, item.id)
    for others, shown in ((0, 2), (199, 1), (200, 0)):
        ids = [item.id, *(f"{number:032x}" for number in range(others))]
        kept = (await kept_claims(memory, group, ids, may_read=True))[item.id]
        assert (len(kept.claims), kept.total) == (shown, 2)
