"""Writes what a file has of a group, in transactions that hold the group for one run of an import."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any, TypeVar

from graphmem.errors import Importing, InvalidInput
from graphmem.model.entity import OWN_LABELS
from graphmem.model.ids import group_token
from graphmem.store.driver import Transaction
from graphmem.store.named import GroupQueries, QueryStore
from graphmem.store.rows import CountRow, IdRow

LEASE = 60.0
"""Seconds for which a run holds a group after each transaction: those of a batch that is being embedded, and more."""
WIPED = 1_000
WAKING_SECONDS = 3_600.0

Rows = Sequence[Mapping[str, Any]]
Result = TypeVar("Result")


@dataclass(frozen=True, slots=True, kw_only=True)
class FilePlace:
    """How much of a file is in: so many lines of things, with the hash of all up to there, and so many new vectors."""

    lines: int
    hash: str
    texts: int


@dataclass(frozen=True, slots=True)
class BegunRow:
    """Whether a run may fill a group, and after how many lines of its file. The hash is of all up to there.

    ``was_shown``: other processes may know it, with nothing in it. ``texts`` were embedded before.
    """

    there: bool
    busy: bool
    was_shown: bool
    waking: str | None
    lines: int
    hash: str
    texts: int


class RestoreStore(QueryStore):
    """The queries of ``restore.cypher`` that are about a whole group, each in a transaction of its own."""

    async def begin_restoring(
        self, group: str, name: str, run: str, now: datetime, *, file: str, embedding_model: str, dimensions: int
    ) -> BegunRow:
        """Begin to fill a group, which is to be called ``name``, or go on with the ``file`` that was cut off."""
        model = {"embedding_model": embedding_model, "dimensions": dimensions}
        return await self._run.single(
            "begin_restoring", BegunRow, group=group, name=name, run=run, seconds=LEASE, now=now, file=file, **model
        )

    async def hold_restoring(
        self,
        group: str,
        run: str,
        write: Callable[["RestoreWrites"], Awaitable[Result]],
        place: FilePlace | None = None,
    ) -> Result:
        """Write something in one transaction that holds the group for this run. The file is in up to ``place`` then.

        Raises:
            Conflict: another run holds it by now; or something has the id of something else.
        """
        in_it = asdict(place) if place else dict.fromkeys(("lines", "hash", "texts"))

        async def work(transaction: Transaction) -> Result:
            queries = self._in(transaction, group)
            if not await queries.many("hold_restoring", IdRow, run=run, seconds=LEASE, **in_it):
                raise held_by_another(group)
            return await write(RestoreWrites(queries))

        return await self.database.write(work)

    async def leave_restoring(self, group: str, run: str) -> None:
        """Let the next run go on at once with what this one did not end."""
        await self._run.execute("leave_restoring", group=group, run=run)

    async def end_wiping(self, group: str, run: str) -> None:
        await self._run.execute("end_wiping", group=group, run=run)

    async def open_restored(self, group: str, run: str, waking: str, settings: Mapping[str, Any]) -> None:
        """Show the group to everybody, with these settings, which are as ``row_of`` makes them.

        Raises:
            Conflict: another run holds it by now.
        """
        if await self._run.optional("open_restored", IdRow, group=group, run=run, waking=waking, **settings) is None:
            raise held_by_another(group)

    async def wake_restored(self, group: str) -> None:
        await self._run.execute_in_batches("wake_restored", seconds=WAKING_SECONDS, group=group)

    async def end_waking(self, group: str) -> None:
        await self._run.execute("end_waking", group=group)


class RestoreWrites:
    """The queries of ``restore.cypher`` in one transaction. ``rows`` are as ``row_of`` makes them of lines.

    What writes rows raises InvalidInput where one names what is not there.
    """

    def __init__(self, queries: GroupQueries) -> None:
        self._queries = queries

    async def wipe_restored(self) -> int:
        """Take a portion away of what an import wrote; how much that is."""
        return (await self._queries.single("wipe_restored", CountRow, limit=WIPED)).count

    async def wipe_restored_entities(self) -> int:
        """Take a portion away of what is left then."""
        return (await self._queries.single("wipe_restored_entities", CountRow, limit=WIPED)).count

    async def restore_policies(self, rows: Rows) -> None:
        await self._write("restore_policies", rows)

    async def restore_sessions(self, rows: Rows) -> None:
        await self._write("restore_sessions", rows)

    async def restore_entities(self, rows: Rows, types: Sequence[str]) -> None:
        """``types`` are those that become labels."""
        await self._write("restore_entities", rows, types=list(types), own_labels=sorted(OWN_LABELS))

    async def restore_names(self, rows: Rows) -> None:
        await self._write("restore_names", rows)

    async def restore_judgements(self, rows: Rows) -> None:
        await self._write("restore_judgements", rows)

    async def restore_shares(self, rows: Rows) -> None:
        await self._write("restore_shares", rows)

    async def restore_episodes(self, rows: Rows) -> None:
        await self._write("restore_episodes", rows, group_token=self._token)

    async def restore_passages(self, rows: Rows) -> None:
        await self._write("restore_passages", rows)

    async def restore_mentions(self, rows: Rows) -> None:
        await self._write("restore_mentions", rows)

    async def restore_claims(self, rows: Rows) -> None:
        await self._write("restore_claims", rows)

    async def restore_merges(self, rows: Rows) -> None:
        await self._write("restore_merges", rows)

    async def restore_relationships(self, rows: Rows) -> None:
        await self._write("restore_relationships", rows, group_token=self._token)

    async def restore_facts(self, rows: Rows) -> None:
        await self._write("restore_facts", rows, group_token=self._token)

    async def restore_texts(self, rows: Rows) -> None:
        await self._write("restore_texts", rows, group_token=self._token)

    async def restore_covers(self, rows: Rows) -> None:
        await self._write("restore_covers", rows)

    @property
    def _token(self) -> str:
        return group_token(self._queries.group)

    async def _write(self, query: str, rows: Rows, **params: object) -> None:
        if not rows:
            return
        written = (await self._queries.single(query, CountRow, rows=list(rows), **params)).count
        if written != len(rows):
            what = query.removeprefix("restore_")
            raise InvalidInput(
                f"{len(rows) - written} of {len(rows)} {what} name something that no line before them has. Nothing of "
                "the file is kept. Export the group again."
            )


def held_by_another(group: str) -> Importing:
    return Importing(
        f"Group {group!r} is being imported by somebody else, or was until they were killed a moment ago. Try again "
        "in a minute."
    )
