"""The turns before and after others are those of a small model, also where several are of one time or out of sight."""

from datetime import UTC, datetime, timedelta
from random import Random

import pytest

from graphmem.model.episode import Episode, StoredEpisode
from graphmem.model.scope import Scope
from graphmem.store.driver import Database
from tests.models import memory_on
from tests.seeds import seeds

START = datetime(2025, 5, 1, tzinfo=UTC)
TURNS, REACH = 60, 2


def place(stored: StoredEpisode) -> tuple[datetime, int, int, str]:
    """Where a turn stands in its session."""
    said = stored.episode
    assert said.position is not None
    return said.occurred_at, -1 if said.sequence is None else said.sequence, said.position, stored.id


@pytest.mark.parametrize("seed", seeds(3))
async def test_the_nearest_in_the_order_of_the_session_are_found(database: Database, group: str, seed: int) -> None:
    memory, chance = memory_on(database), Random(seed)  # noqa: S311 - reproducible
    said = [
        Episode(
            group_id=group,
            session="s",
            content=f"turn {number}",
            occurred_at=START + timedelta(minutes=chance.randrange(1 + TURNS // 5)),
            sequence=chance.choice([None, 0, 1, 2]),
            user=chance.choice(["", "", "ann"]),
            external_id=str(number),
        )
        for number in range(TURNS)
    ]
    for part in (said[: TURNS // 2], said[TURNS // 2 :]):
        await memory.intake.remember(group, part)

    for scope in (Scope(group, START + timedelta(days=1)), Scope(group, START + timedelta(minutes=6), user="bob")):
        page = await memory.store.episodes(scope, status=None, after=(START, ""), limit=TURNS)
        order = [stored.id for stored in sorted(page.episodes, key=place)]
        assert REACH < len(order) <= TURNS
        around = await memory.store.turns_around(scope, order, reach=REACH, opening=9)
        found = {turn.id: turn for turn in around.turns}
        assert set(found) == set(order)
        for at, id_ in enumerate(order):
            assert list(found[id_].before) == order[max(0, at - REACH) : at][::-1]
            assert list(found[id_].after) == order[at + 1 : at + 1 + REACH]
