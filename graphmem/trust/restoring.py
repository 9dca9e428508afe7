"""Fills an empty group from an exported file, whole or not at all.

While a file is read, what it has is written under the group's name, of which readers and writers are told that there is
no such group. Once the file's end fits, the group is shown. A run takes away what it wrote if the file cannot be used.
If it was cut off, by a connection, a server or its own end, the next run of the same file goes on after what is in; one
of another file takes that away.
"""

import asyncio
import hashlib
from collections import defaultdict
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Protocol, cast
from uuid import uuid4

import structlog
from pydantic import TypeAdapter

from graphmem import __version__
from graphmem.clock import Clock
from graphmem.errors import Conflict, GraphmemError, InvalidInput, ModelUnavailable, TooLarge
from graphmem.model.episode import Episode
from graphmem.model.export import DAMAGED, KINDS, TEXTS, BeliefDifference, RestoreReport, settled_settings
from graphmem.recall.vectors import LateVectors
from graphmem.store.change.evidence import EvidenceStore
from graphmem.store.graph import GraphStore
from graphmem.store.parameters import as_vector
from graphmem.store.predicates import PredicateStore
from graphmem.store.restore import BegunRow, FilePlace, RestoreStore, RestoreWrites, held_by_another
from graphmem.trust.forgetting import MOST_TRIED, Forgetting
from graphmem.trust.lines import FileHeader, FileLines, Row, Rows, said_of, settings_row
from graphmem.trust.tombstones import Tombstones

ROWS, CHARS = 1_000, 2_000_000
"""Rows that are written together, and characters of what they have."""
SUBJECTS = 200
"""Subjects whose beliefs are compared in one transaction."""
MOST_LISTED = 100
FORGOTTEN_AFTER = 1.5
"""Seconds after which no process still takes for granted that a group is there (``recall.reader``)."""

_NOTHING_IN = FilePlace(lines=0, hash="", texts=0)
_REPORT: TypeAdapter[RestoreReport] = TypeAdapter(RestoreReport)

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)


class Restoring:
    """Restores groups from files. ``types`` of entities become labels, beside those of a group's own ontology."""

    def __init__(
        self,
        store: GraphStore,
        evidence: EvidenceStore,
        vectors: LateVectors,
        clock: Clock,
        types: Iterable[str],
        tombstones: Tombstones,
        forgetting: Forgetting,
        *,
        rows: int = ROWS,
    ) -> None:
        """``rows``: how many are written together."""
        self._graph = store
        self._store = RestoreStore.beside(store)
        self._predicates = PredicateStore.beside(store)
        self._evidence = evidence
        self._vectors = vectors
        self._clock = clock
        self._types = tuple(types)
        self._tombstones = tombstones
        self._forgetting = forgetting
        self.rows = rows

    async def restore(self, group: str, chunks: AsyncIterator[bytes]) -> RestoreReport:
        """Fill a group from a file, which comes in chunks. To run it again after it was cut off comes to the same end.

        ``group`` is what it is to be called. Inside it keeps the name that it was made under (``RestoreReport.group``).

        Raises:
            Conflict: the group has something in it, or is being imported; or the file is of another group.
            InvalidInput: the file is a part of one, or not what was written.
            ModelUnavailable: the embedding model is away.
        """
        file = FileLines(chunks)
        header = await file.header()
        name, group = await self._name(header.group, group), header.group
        run, (model, dimensions) = uuid4().hex, self._vectors.model
        begun = await self._store.begin_restoring(
            group,
            name,
            run,
            self._clock(),
            file=_fingerprint(file.hash_so_far, model, dimensions),
            embedding_model=model,
            dimensions=dimensions,
        )
        if begun.waking is not None:
            return await self._wake(group, _REPORT.validate_json(begun.waking))
        if begun.busy:
            raise held_by_another(group)
        if begun.there:
            raise Conflict(f"Group {group!r} is not empty. A file is a whole group: import it where there is none.")
        fill = Fill(self, group, run, header, file, begun)
        try:
            if not begun.lines:
                await self._take_possession(group, run, was_shown=begun.was_shown)
            report = await self._fill_and_open(group, run, header, file, fill)
        except (Conflict, InvalidInput, TooLarge):
            await fill.give_up(at_once=True)
            await self._undo(group, run)
            raise
        except BaseException as error:
            await fill.give_up(at_once=not isinstance(error, Exception))
            await self._leave(group, run)
            raise
        return await self._wake(group, report)

    async def _name(self, made_as: str, asked: str) -> str:
        """What a group is to be called that was made under a name, and is asked for by its id or a new name.

        Raises:
            Conflict: the new name is another group's; or the group is here under another one.
        """
        here = await self._graph.group_called(made_as)
        if made_as == asked:
            return here.name if here is not None and here.id == made_as else asked
        if here is not None or await self._graph.group_called(asked) is not None:
            raise Conflict(
                f"The file is of group {made_as!r}. That one, or another {asked!r}, is here: an import keeps the ids "
                "of all that it has, which are made of that name. Import it where there is neither."
            )
        return asked

    async def _fill_and_open(
        self, group: str, run: str, header: FileHeader, file: FileLines, fill: "Fill"
    ) -> RestoreReport:
        """Write all that is not in yet, erase what may not come in, compare, and show the group."""
        async for line in file.things():
            await fill.add(line)
        await fill.finish()
        await self._forget(group, run, fill.barred)
        total, differences = await self._compare(group, run, fill.predicates)
        report = RestoreReport(
            group=group,
            known_at=header.known_at,
            counts=file.counts,
            embedded=fill.embedded,
            differences_total=total,
            differences=differences,
            forgotten_total=len(fill.barred),
            forgotten=tuple(sorted(fill.barred)[:MOST_LISTED]),
        )
        settings = settings_row(settled_settings(header.settings, header.known_at, erased=bool(fill.barred)))
        await self._store.open_restored(group, run, _REPORT.dump_json(report).decode(), settings)
        return report

    async def write(
        self, group: str, run: str, rows: Mapping[str, Sequence[Row]], types: Sequence[str], place: FilePlace
    ) -> None:
        """Write rows by kind in one transaction: those of the lines before a place that are not in yet."""

        async def written(writes: RestoreWrites) -> None:
            await writes.restore_policies(rows["predicate"])
            await writes.restore_sessions(rows["session"])
            await writes.restore_entities(rows["entity"], (*self._types, *types))
            await writes.restore_names(rows["name"])
            await writes.restore_judgements(rows["judgement"])
            await writes.restore_shares(rows["share"])
            await writes.restore_episodes(rows["episode"])
            await writes.restore_passages(rows["passage"])
            await writes.restore_mentions(rows["mention"])
            await writes.restore_claims(rows["claim"])
            await writes.restore_merges(rows["merge"])
            await writes.restore_relationships([row for row in rows["belief"] if "of" not in row])
            await writes.restore_facts([row for row in rows["belief"] if "of" in row])
            await writes.restore_texts([row for kind in sorted(TEXTS) for row in rows[kind]])
            await writes.restore_covers(rows["covers"])

        await self._store.hold_restoring(group, run, written, place)

    async def barred(self, group: str, episodes: Mapping[str, Episode]) -> set[str]:
        """The ids of those of some episodes, by id, that may not come in."""
        return await self._tombstones.barred(group, episodes)

    async def embed(self, rows: Iterable[Row]) -> int:
        """Give rows the vectors of their texts; returns how many texts were embedded.

        Raises:
            ModelUnavailable: the model is away, or gives vectors of another length than it says.
        """
        wanted = [row for row in rows if row.get("text")]
        texts = list(dict.fromkeys(row["text"] for row in wanted))
        vectors = dict(zip(texts, await self._vectors.each_vector(texts), strict=True)) if texts else {}
        model, dimensions = self._vectors.model
        if any(vector is not None and len(vector) != dimensions for vector in vectors.values()):
            raise ModelUnavailable(f"{model!r} gives vectors of another length than it says.")
        for row in wanted:
            row["embedding"] = vectors[row.pop("text")]
            if row["embedding"] is None:
                row["properties"]["not_embeddable"] = True
        return len(texts)

    @property
    def model(self) -> tuple[str, int]:
        return self._vectors.model

    async def _take_possession(self, group: str, run: str, *, was_shown: bool) -> None:
        """Wait until nobody writes who knew the group, and take away what is left of an earlier run."""
        if was_shown:
            since = self._clock()
            await asyncio.sleep(FORGOTTEN_AFTER)
            await self._predicates.all_written(since)
        await self._wipe(group, run)

    async def _wipe(self, group: str, run: str) -> None:
        for wipe in (RestoreWrites.wipe_restored, RestoreWrites.wipe_restored_entities):
            while await self._store.hold_restoring(group, run, wipe, _NOTHING_IN):
                pass

    async def _undo(self, group: str, run: str) -> None:
        """Take away what was written; where that fails, too, the next import does."""
        with suppress(GraphmemError):
            await self._wipe(group, run)
            await self._store.end_wiping(group, run)
            return
        log.warning("restore.left", group=group)

    async def _leave(self, group: str, run: str) -> None:
        """Let the next run go on at once; where that cannot be said, once the lease has ended."""
        with suppress(GraphmemError):
            await self._store.leave_restoring(group, run)

    async def _forget(self, group: str, run: str, barred: Iterable[str]) -> None:
        """Erase what may not come in, with all that rests on it: others may rest on the same words."""
        ids = sorted(barred)
        if ids:  # what is erased is not in any more: a run that is cut off from here on is no beginning of another
            await self._store.hold_restoring(group, run, _nothing, _NOTHING_IN)
        for start in range(0, len(ids), MOST_TRIED):
            await self._forgetting.again(group, ids[start : start + MOST_TRIED])
            await self._store.hold_restoring(group, run, _nothing)
        if ids:
            await self._forgetting.erase_unnamed(group)

    async def _compare(
        self, group: str, run: str, predicates: Iterable[str]
    ) -> tuple[int, tuple[BeliefDifference, ...]]:
        """How many beliefs are not what the claims amount to, and the first of them."""
        total, first = 0, list[BeliefDifference]()
        for predicate in sorted(predicates):
            after = ""
            while ids := await self._predicates.next_subjects(group, predicate, after, SUBJECTS):
                after = ids[-1]
                found = await self._evidence.differences(group, ids, predicate)
                total += len(found)
                first += found[: MOST_LISTED - len(first)]
                await self._store.hold_restoring(group, run, _nothing)
        return total, tuple(first)

    async def _wake(self, group: str, report: RestoreReport) -> RestoreReport:
        await self._store.wake_restored(group)
        await self._store.end_waking(group)
        return report


async def _nothing(_: RestoreWrites) -> None:
    """The lease alone."""


def _fingerprint(header: str, model: str, dimensions: int) -> str:
    """Which file it is, and what is made of it: rows of another version or with other vectors are no beginning."""
    return hashlib.sha256(f"{header} {model} {dimensions} {__version__}".encode()).hexdigest()


class Filled(Protocol):
    """What is filled: ``rows`` are written at once, with vectors of the ``model``."""

    rows: int

    @property
    def model(self) -> tuple[str, int]: ...

    async def barred(self, group: str, episodes: Mapping[str, Episode]) -> set[str]: ...

    async def embed(self, rows: Iterable[Row]) -> int: ...

    async def write(
        self, group: str, run: str, rows: Mapping[str, Sequence[Row]], types: Sequence[str], place: FilePlace
    ) -> None: ...


class Fill:
    """Collects the lines of a file, and writes them many at a time: what is named before what names it.

    Of lines that are in already it notes what is to be known of them at the end.
    """

    def __init__(
        self, restoring: Filled, group: str, run: str, header: FileHeader, file: FileLines, begun: BegunRow
    ) -> None:
        self._restoring = restoring
        self._group = group
        self._run = run
        self._file = file
        self._begun = begun
        own = (header.embedding_model, header.dimensions) == restoring.model
        self._rows_of = Rows(group=group, known_at=header.known_at, takes_vectors=own)
        self._types = cast("list[str]", header.settings.get("entity_types", []))
        self._rows = defaultdict[str, list[Row]](list)
        self._size = self._chars = 0
        self._writing: asyncio.Task[None] | None = None
        self._said = dict[str, Episode]()
        self.predicates = set[str]()
        self.barred = set[str]()
        self.embedded = begun.texts if begun.lines else 0

    async def add(self, line: Row) -> None:
        kind = line["type"]
        row = None if kind == DAMAGED else self._rows_of.row_of(line)
        if kind == "claim":
            self.predicates.add(str(line["predicate"]))
        if kind == "episode":
            self._said[str(line["id"])] = said_of(line, self._group)
        if self._file.things_read <= self._begun.lines:
            await self._pass_over()
            return
        if row is None:
            return
        self._rows[kind].append(row)
        self._size += 1
        self._chars += len(str(line.get("content", ""))) + len(str(line.get("value", "")))
        if self._size >= self._restoring.rows or self._chars >= CHARS:
            await self._flush()

    async def _pass_over(self) -> None:
        """Note what is in, and at the last of it whether it is what came before.

        Raises:
            InvalidInput: it is not: somebody sends another file that begins like that one.
        """
        last = self._file.things_read == self._begun.lines
        if last and self._file.hash_so_far != self._begun.hash:
            raise _other_file(self._begun.lines)
        if last or len(self._said) >= self._restoring.rows:
            await self._note_barred()

    async def _note_barred(self) -> None:
        said, self._said = self._said, {}
        self.barred |= await self._restoring.barred(self._group, said) if said else set()

    async def finish(self) -> None:
        """Return once all is written."""
        if self._file.things_read < self._begun.lines:
            raise _other_file(self._begun.lines)
        await self._flush()
        await self._written()

    async def give_up(self, *, at_once: bool) -> None:
        """Return once nothing is being written any more: at once, or when what is being written is in."""
        if self._writing is not None:
            if at_once:
                self._writing.cancel()
            with suppress(asyncio.CancelledError, GraphmemError):
                await self._writing

    async def _flush(self) -> None:
        """Embed what was collected, while what was before it is written."""
        rows, self._rows = self._rows, defaultdict[str, list[Row]](list)
        lines, hash_ = self._file.things_read, self._file.hash_so_far
        self._size = self._chars = 0
        await self._note_barred()
        every = [row for kind in KINDS for row in rows[kind]]
        self.embedded += await self._restoring.embed(every)
        for row in every:
            row["embedding"] = as_vector(row.get("embedding"))
            if "undone" in row and (row["embedding"] is not None or "passages" in row["properties"]):
                row["properties"]["embedding_model"] = self._restoring.model[0]
        await self._written()
        place = FilePlace(lines=lines, hash=hash_, texts=self.embedded)
        writing = self._restoring.write(self._group, self._run, rows, self._types, place)
        self._writing = asyncio.create_task(writing)

    async def _written(self) -> None:
        if self._writing is not None:
            await self._writing


def _other_file(lines: int) -> InvalidInput:
    return InvalidInput(
        f"An import was cut off after {lines} lines of another file with this header. What is in of it is taken away: "
        "send this file again."
    )
