"""A file on its way into a group: who may still write, what Neo4j cannot store at once, and sessions in the end."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from graphmem.api.backend import FILES_IN_HAND, Backend
from graphmem.api.receiving import FileIntake, received
from graphmem.api.schemas.episodes import Accepting
from graphmem.errors import Archived, Forbidden, NotFound, QuotaUsed, RateLimited, TransactionEnded, Unauthenticated
from graphmem.files.episodes import FoundFiles, look_through
from graphmem.files.handing import PART
from graphmem.files.turns import ReadingOptions
from graphmem.model.episode import Episode, EpisodeReceipt, EpisodeStatus
from graphmem.model.ids import own_session_id
from graphmem.model.principal import Principal

NOW = datetime(2025, 1, 7, 9, tzinfo=UTC)


@dataclass
class Everything:
    """What a file is handed to: a memory with one group, its queue and its audit."""

    principal: Principal = field(default_factory=Principal)
    most_at_once: int = 1_000
    quota: int = 1_000
    before_part: Callable[[int], None] = lambda _: None
    group_: Any = field(default_factory=lambda: SimpleNamespace(id="g", name="g", archived_at=None))
    stored: list[str] = field(default_factory=list[str])
    sizes: list[int] = field(default_factory=list[int])
    asked: list[str | None] = field(default_factory=list[str | None])
    closed: list[tuple[str | None, set[str]]] = field(default_factory=list[tuple[str | None, set[str]]])

    async def require_open(self, group: str) -> None: ...

    async def wake_workers(self, group: str) -> None: ...

    async def group(self, group: str) -> object:
        del group
        self.before_part(len(self.stored))
        return self.group_

    async def check_again(self) -> Principal:
        return self.principal

    async def hand_in(self, texts: Sequence[object]) -> None:
        if len(self.stored) + len(texts) > self.quota:
            raise QuotaUsed("Tomorrow.")

    async def remember(self, group: str, episodes: Sequence[Episode], refused: object) -> list[EpisodeReceipt]:
        del group, refused
        self.sizes.append(len(episodes))
        if len(episodes) > self.most_at_once:
            raise TransactionEnded("Too much memory.")
        self.stored += [episode.content for episode in episodes]
        return [EpisodeReceipt(episode.id, new=False, status=EpisodeStatus.PENDING) for episode in episodes]

    def ask_for(self, group: str, *users: str | None) -> None:
        del group
        self.asked.append(users[0])

    async def close_all(self, group: str, ids: Iterable[str]) -> None:
        del group
        self.closed.append((self.asked[-1], set(ids)))

    def intake(self) -> FileIntake:
        here: Any = self
        return FileIntake(
            principal=self.principal,
            user=None,
            agent=None,
            accept=Accepting("g", None, 10_000, NOW),
            memory=cast("Any", SimpleNamespace(intake=here, store=here, sessions=here)),
            queue=here,
            audit=here,
            check_again=self.check_again,
            hand_in=self.hand_in,
            reading=asyncio.Semaphore(1),
        )


def files(folder: Path, count: int, user: str | None = None) -> FoundFiles:
    said = [
        {"content": f"{number}", "time": NOW.isoformat(), "session": "s", "user": user if number % 2 else None}
        for number in range(count)
    ]
    path = folder / "talk.jsonl"
    path.write_text("".join(f"{json.dumps(turn)}\n" for turn in said), encoding="utf-8")
    return look_through(path, ReadingOptions())


async def test_a_part_that_neo4j_cannot_store_comes_in_halves_down_to_one_turn(tmp_path: Path) -> None:
    everything = Everything(most_at_once=2)
    await everything.intake().store(files(tmp_path, 5))
    assert (everything.stored, everything.sizes) == (["0", "1", "2", "3", "4"], [5, 2, 3, 1, 2])
    with pytest.raises(TransactionEnded):
        await Everything(most_at_once=0).intake().store(files(tmp_path, 2))


@pytest.mark.parametrize(
    ("change", "refusal"),
    [
        ({"principal": Principal(groups=("other",))}, Forbidden),
        ({"principal": Principal(users=("ann",))}, Forbidden),
        ({"group_": SimpleNamespace(id="g", name="renamed", archived_at=None)}, Forbidden),
        ({"group_": SimpleNamespace(id="g", name="g", archived_at=NOW)}, Archived),
        ({"group_": None}, NotFound),
    ],
)
async def test_what_the_key_may_and_the_group_is_looked_at_before_each_part(
    tmp_path: Path, change: dict[str, Any], refusal: type[Exception]
) -> None:
    def happen(stored: int) -> None:
        if stored:
            vars(everything).update(change)

    everything = Everything(principal=Principal(groups=("g",)), before_part=happen)
    with pytest.raises(refusal):
        await everything.intake().store(files(tmp_path, PART + 1, user="bo"))
    assert (len(everything.stored), everything.closed) == (PART, [])


async def test_a_key_that_is_revoked_writes_no_more(tmp_path: Path) -> None:
    async def revoked() -> Principal:
        raise Unauthenticated

    everything = Everything()
    intake = everything.intake()
    intake.check_again = revoked
    with pytest.raises(Unauthenticated):
        await intake.store(files(tmp_path, 1))
    assert everything.stored == []


async def test_sessions_of_known_turns_are_closed_too_by_user_also_where_a_quota_ends(tmp_path: Path) -> None:
    everything = Everything(quota=PART)
    with pytest.raises(QuotaUsed):
        await everything.intake().store(files(tmp_path, PART + 1, user="bo"))
    assert everything.closed == [(None, {own_session_id("g", "s", "")}), ("bo", {own_session_id("g", "s", "bo")})]


async def test_all_that_reads_a_file_is_counted_and_files_in_hand_are(tmp_path: Path) -> None:
    everything = Everything()
    intake = everything.intake()
    async with intake.reading:
        storing = asyncio.create_task(intake.store(files(tmp_path, 1)))
        await asyncio.wait([storing], timeout=0.05)
        assert everything.stored == []
    await storing
    assert everything.stored == ["0"]

    async def pieces() -> AsyncIterator[bytes]:
        yield b"hello"

    backend = Backend(services=cast("Any", None), queue=cast("Any", None))
    for _ in range(FILES_IN_HAND):
        await backend.files.acquire()
    with pytest.raises(RateLimited) as refused:
        async with received(pieces(), "x", ReadingOptions(), 1_000, backend):
            pass
    assert refused.value.retry_after
