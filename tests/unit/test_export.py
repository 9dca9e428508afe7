"""What of a row is known at an instant, and which files are whole."""

import asyncio
import json
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.errors import InvalidInput, StoreUnavailable
from graphmem.model.episode import Episode
from graphmem.model.export import DamagedRow, as_known, sealed
from graphmem.store.restore import BegunRow, FilePlace
from graphmem.trust.lines import FileLines, Row, Rows
from graphmem.trust.restoring import Fill

AT = datetime(2025, 5, 1, tzinfo=UTC)
BEFORE, LATER, NEVER = "2025-04-01T00:00:00Z", "2025-06-01T00:00:00.5Z", "9999-12-31T23:59:59.999999Z"
KNOWN: Sequence[tuple[str, Mapping[str, Any], Mapping[str, Any] | None]] = [
    ("claim", {"recorded_at": LATER, "retracted_at": NEVER}, None),
    (
        "claim",
        {"recorded_at": BEFORE, "retracted_at": LATER, "replaced": True},
        {"recorded_at": BEFORE, "retracted_at": NEVER},
    ),
    (
        "belief",
        {"recorded_at": BEFORE, "superseded_at": BEFORE},
        {"recorded_at": BEFORE, "superseded_at": BEFORE},
    ),
    ("belief", {"recorded_at": BEFORE, "superseded_at": LATER}, {"recorded_at": BEFORE, "superseded_at": NEVER}),
    ("mention", {"recorded_at": BEFORE, "superseded_at": LATER}, {"recorded_at": BEFORE}),
    (
        "episode",
        {"recorded_at": BEFORE, "digested_at": LATER, "status": "digested", "outcome": "{}", "attempts": 1},
        {"recorded_at": BEFORE, "status": "pending", "attempts": 0},
    ),
    (
        "episode",
        {"recorded_at": BEFORE, "digested_at": LATER, "redacted_at": LATER, "status": "redacted"},
        {"recorded_at": BEFORE, "digested_at": LATER, "redacted_at": LATER, "status": "redacted"},
    ),
    (
        "episode",
        {
            "recorded_at": BEFORE,
            "digested_at": BEFORE,
            "replaced_at": LATER,
            "replaced_by": "e2",
            "status": "replaced",
        },
        {"recorded_at": BEFORE, "digested_at": BEFORE, "status": "digested"},
    ),
    (
        "episode",
        {"recorded_at": BEFORE, "replaced_at": LATER, "replaced_by": "e2", "status": "replaced"},
        {"recorded_at": BEFORE, "status": "pending"},
    ),
    (
        "session",
        {
            "openings": [BEFORE, LATER],
            "closings": [BEFORE],
            "closers": ["silence"],
            "closes_at": LATER,
            "closed_at": BEFORE,
        },
        {
            "openings": [BEFORE],
            "closings": [BEFORE],
            "closers": ["silence"],
            "closed_at": BEFORE,
            "closed_by": "silence",
        },
    ),
    (
        "session",
        {"openings": [BEFORE], "closings": [LATER], "closers": ["call"], "closed_at": LATER, "closed_by": "call"},
        {"openings": [BEFORE], "closings": [], "closers": [], "closes_at": LATER},
    ),
    (
        "name",
        {
            "names": ["Maya", "Maja"],
            "names_at": [BEFORE, LATER],
            "said_at": [BEFORE, BEFORE],
            **{name: [] for name in ("types", "types_by", "types_said_at", "types_at")},
        },
        {
            "names": ["Maya"],
            "names_at": [BEFORE],
            "said_at": [BEFORE],
            **{name: [] for name in ("types", "types_by", "types_said_at", "types_at")},
        },
    ),
    (
        "summary",
        {"recorded_at": BEFORE, "superseded_at": NEVER, "was_stale": [BEFORE, LATER], "stale_at": LATER},
        {"recorded_at": BEFORE, "superseded_at": NEVER, "stale_at": BEFORE},
    ),
]


@pytest.mark.parametrize(("kind", "stored", "known"), KNOWN)
def test_rows_are_as_they_were_known(kind: str, stored: dict[str, Any], known: dict[str, Any] | None) -> None:
    assert as_known(kind, stored, AT) == known


@pytest.mark.parametrize("damage", ["yesterday", 3, ["2025"], "2025-04-01T00:00:00"])
def test_a_row_with_something_else_in_place_of_an_instant_is_damaged(damage: object) -> None:
    with pytest.raises(DamagedRow):
        as_known("claim", {"recorded_at": damage, "retracted_at": NEVER}, AT)


HEADER: dict[str, Any] = {
    "type": "header",
    "schema": 1,
    "version": "1",
    "group": "g",
    "user": None,
    "known_at": BEFORE,
    "embedding_model": "hash",
    "dimensions": 3,
    "vectors": False,
    "settings": {},
    "counts": {},
}
THING = {"type": "session", "id": "s"}


def file(*things: Any, header: Mapping[str, Any] = HEADER, **end: Any) -> bytes:
    """A file of two pages: the header, and the things."""
    lines, seal = b"", ""
    for page in ((header,), things):
        text = b"".join(json.dumps(line).encode() + b"\n" for line in page)
        seal = sealed(seal, text)
        lines += text + json.dumps({"type": "position", "sha256": seal, "after": ""}).encode() + b"\n"
    counts = {kind: sum(thing["type"] == kind for thing in things) for kind in sorted({one["type"] for one in things})}
    return lines + json.dumps({"type": "end", "counts": counts, "sha256": seal, **end}).encode() + b"\n"


async def in_chunks(content: bytes, size: int = 7) -> AsyncIterator[bytes]:
    for at in range(0, len(content), size):
        yield content[at : at + size]


def read(content: bytes) -> list[dict[str, Any]]:
    async def lines() -> list[dict[str, Any]]:
        whole = FileLines(in_chunks(content))
        header = await whole.header()
        assert header.group == "g"
        return [line async for line in whole.things()]

    return asyncio.run(lines())


WHOLE = file(THING, THING)
BROKEN = {
    "empty": b"",
    "half a file": WHOLE[: len(WHOLE) // 2],
    "without its end": WHOLE[: WHOLE.rindex(b'{"type": "end"')],
    "a line less": WHOLE.replace(json.dumps(THING).encode() + b"\n", b"", 1),
    "a line after the last position": WHOLE.replace(
        b'{"type": "end"', json.dumps(THING).encode() + b'\n{"type": "end"'
    ),
    "another word": WHOLE.replace(b'"id": "s"', b'"id": "t"', 1),
    "more than its end": WHOLE + b"{}\n",
    "another schema": file(THING, header={**HEADER, "schema": 2}),
    "other counts": file(THING, counts={}),
    "no JSON": file(THING).replace(b'"id": "s"', b'"id": s', 1),
    "an unknown kind": file({"type": "spoon"}),
}


def test_a_whole_file_is_read() -> None:
    assert read(WHOLE) == [THING, THING]


def test_what_was_read_of_a_file_is_told_by_its_lines_alone() -> None:
    """Where an export broke off and went on, it has other positions."""

    async def places(content: bytes) -> list[tuple[int, str]]:
        lines = FileLines(in_chunks(content))
        await lines.header()
        return [(lines.things_read, lines.hash_so_far) async for _ in lines.things()]

    first, other = (asyncio.run(places(file(THING, one))) for one in (THING, {**THING, "id": "t"}))
    assert [lines for lines, _ in first] == [1, 2]
    assert [first[at] == other[at] for at in range(2)] == [True, False]
    assert len({hash_ for _, hash_ in first}) == 2


class Cut:
    """A group that is filled from a file, until after so many writes Neo4j goes away."""

    rows, model = 3, ("hash", 3)

    def __init__(self) -> None:
        self.left = 0
        self.written = list[str]()
        self.begun = BegunRow(there=False, busy=False, was_shown=False, waking=None, lines=0, hash="", texts=0)

    async def barred(self, group: str, episodes: Mapping[str, Episode]) -> set[str]:
        return {f"{group} {id_}" for id_ in episodes}

    async def embed(self, rows: Iterable[Row]) -> int:
        return len(list(rows))

    async def write(
        self, group: str, run: str, rows: Mapping[str, Sequence[Row]], types: Sequence[str], place: FilePlace
    ) -> None:
        assert (group, run, types) == ("g", "run", [])
        if not self.left:
            raise StoreUnavailable
        self.left -= 1
        self.written += [row["properties"]["id"] for row in rows["session"]]
        self.begun = replace(self.begun, lines=place.lines, hash=place.hash, texts=place.texts)

    async def fill(self, content: bytes, writes: int) -> int:
        self.left = writes
        lines = FileLines(in_chunks(content))
        fill = Fill(self, "g", "run", await lines.header(), lines, self.begun)
        try:
            async for line in lines.things():
                await fill.add(line)
            await fill.finish()
        finally:
            await fill.give_up(at_once=False)
        return fill.embedded


@given(st.integers(0, 20), st.lists(st.integers(0, 3), max_size=4))
def test_however_often_it_is_cut_off_each_thing_of_a_file_comes_in_once(things: int, writes: list[int]) -> None:
    ids = [f"s{at}" for at in range(things)]
    content = file(*({"type": "session", "id": id_} for id_ in ids))

    async def holds() -> None:
        group = Cut()
        for some in writes:
            with suppress(StoreUnavailable):
                await group.fill(content, some)
        assert await group.fill(content, things + 1) == things
        assert group.written == ids
        if group.begun.lines:
            other = file(*({"type": "session", "id": f"t{id_}"} for id_ in ids))
            with pytest.raises(InvalidInput, match="cut off after"):
                await group.fill(other, 0)
            with pytest.raises(InvalidInput, match="cut off after"):
                await group.fill(file(), 0)

    asyncio.run(holds())


@pytest.mark.parametrize("broken", BROKEN.values(), ids=BROKEN)
def test_no_other_file_is_taken(broken: bytes) -> None:
    with pytest.raises(InvalidInput):
        read(broken)


@pytest.mark.parametrize(
    "line",
    [
        {"type": "claim", "id": "c"},
        {"type": "claim", "id": "c", "kind": "starts", "statement": "S", "group_id": "another"},
        {"type": "claim", "id": "c", "kind": "starts", "statement": "S", "value": {}},
        {"type": "claim", "id": "c", "kind": "starts", "statement": "S", "recorded_at": "yesterday"},
        {"type": "claim", "id": "c", "kind": "starts", "statement": "S", "x`y": 1},
    ],
)
def test_lines_that_graphmem_does_not_write_are_refused(line: dict[str, Any]) -> None:
    with pytest.raises(InvalidInput, match="'claim'"):
        Rows(group="g", known_at=AT, takes_vectors=False).row_of(line)
