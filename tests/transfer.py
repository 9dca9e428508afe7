"""A group that goes into a file and comes back, and all that is stored of it."""

from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from graphmem.clock import utc_now
from graphmem.memory import Memory
from graphmem.model.export import RestoreReport
from graphmem.store.change.evidence import EvidenceStore
from graphmem.store.forget import ForgetStore
from graphmem.store.queries import read_queries
from graphmem.store.restore import FilePlace
from graphmem.store.tombstone import TombstoneStore
from graphmem.trust.export import Exports
from graphmem.trust.forgetting import Forgetting
from graphmem.trust.keeping import SharedFacts
from graphmem.trust.lines import Row
from graphmem.trust.restoring import Restoring
from graphmem.trust.tombstones import Tombstones
from tests.fakes import HashEmbedder
from tests.models import INSTALLATION, shipped_queries

QUERIES = {query.name: query for query in read_queries(Path(__file__).parent / "transfer.cypher")}
_OF_WORK = frozenset(
    {
        "locked",
        "locked_at",
        "lock_asked_at",
        "lease",
        "leases",
        "lease_asked_at",
        "request",
        "call_id",
        "due_at",
        "lane",
    }
    | {"index_due", "match_due", "embed_due", "attempts", "began_at", "terms", "embedded_name", "name_embedding"}
)
"""Properties that tell of work under way, or that the dedup job makes anew."""
_JOBS = frozenset({"Work", "WorkQueue", "Frequency", "Group", "AuditRow", "AuditChain"})


@dataclass(frozen=True, slots=True)
class ThingRow:
    labels: tuple[str, ...]
    properties: object


@dataclass(frozen=True, slots=True)
class TieRow:
    type: str
    properties: object
    first: str | None
    second: str | None


class Counted(Restoring):
    """Counts the rows that it writes."""

    written = 0

    async def write(
        self, group: str, run: str, rows: Mapping[str, Sequence[Row]], types: Sequence[str], place: FilePlace
    ) -> None:
        self.written += sum(map(len, rows.values()))
        await super().write(group, run, rows, types, place)


class Mortal(Restoring):
    """Is killed by what its file raises: it takes nothing away, and says nothing to the next run."""

    async def _undo(self, group: str, run: str) -> None:
        del group, run

    async def _leave(self, group: str, run: str) -> None:
        del group, run


class Transfer:
    """Exports groups of a memory, takes them away, and imports them."""

    def __init__(self, memory: Memory, types: Iterable[str] = ("person", "place")) -> None:
        store = memory.store
        self._database = store.database
        self.exports = Exports(store)
        evidence = EvidenceStore(store.database, shipped_queries())
        self.tombstones = Tombstones(TombstoneStore.beside(store), INSTALLATION, utc_now)
        forgotten = ForgetStore.beside(store)
        keeper = SharedFacts(forgotten, evidence, INSTALLATION, utc_now, HashEmbedder().model)
        self.forgetting = Forgetting(forgotten, evidence, INSTALLATION, utc_now, self.tombstones, keeper)
        beside = (evidence, memory.late_vectors, utc_now, types, self.tombstones, self.forgetting)
        self.restoring = Counted(store, *beside)
        self.mortal = Mortal(store, *beside, rows=10)

    async def file(self, group: str, **asked: Any) -> bytes:
        exported = await self.exports.export(group, **asked)
        return b"".join([page async for page in exported.lines])

    async def restore(self, group: str, content: bytes, size: int = 10_000) -> RestoreReport:
        return await self.restoring.restore(group, in_chunks(content, size))

    async def delete(self, group: str) -> None:
        """Take all of a group away, as if it were on another server."""
        await self._database.write(lambda do: do.execute(QUERIES["delete_group"], group=group))

    async def expire_lease(self, group: str) -> None:
        """As if it were a minute later: who imports does not go on."""
        await self._database.write(lambda do: do.execute(QUERIES["expire_lease"], group=group))

    async def elsewhere(self, group: str, **asked: Any) -> RestoreReport:
        """Have a group come back from its file."""
        content = await self.file(group, **asked)
        await self.delete(group)
        return await self.restore(group, content)

    async def everything(self, group: str) -> list[str]:
        """All nodes and relationships of a group, but for what tells of work under way."""
        things = await self._database.read(lambda do: do.run(QUERIES["things_of_group"], ThingRow, group=group))
        ties = await self._database.read(lambda do: do.run(QUERIES["ties_of_group"], TieRow, group=group))
        shown = [
            f"{sorted(set(one.labels) - {'Work'})} {_shown(one.properties)}"
            for one in things
            if not _JOBS & set(one.labels) - {"Work"} and set(one.labels) != {"Work"}
        ]
        shown += [f"{one.first} {one.type} {one.second} {_shown(one.properties)}" for one in ties]
        return sorted(shown)


async def in_chunks(content: bytes, size: int) -> AsyncIterator[bytes]:
    for at in range(0, len(content), size):
        yield content[at : at + size]


def _shown(properties: object) -> str:
    named = cast("dict[str, Any]", properties)
    return str({name: _rounded(named[name]) for name in sorted(named) if name not in _OF_WORK})


def _rounded(value: object) -> object:
    """Vectors as texts that are short to read where they differ."""
    some = cast("list[Any]", value) if isinstance(value, list) else []
    return [round(one, 4) for one in some[:4]] if some and isinstance(some[0], float) else cast("object", value)
