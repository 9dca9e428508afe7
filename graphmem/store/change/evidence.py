"""The one way to change the graph: change evidence, project the slots it touches, write the difference, at once."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby

from graphmem.model.evidence import Change, Outcome
from graphmem.model.ontology import DEFAULT_ONTOLOGY
from graphmem.store.change.row_changes import Touched
from graphmem.store.change.statements import Added, Statements
from graphmem.store.change.writer import ChangeWriter, after, supersede
from graphmem.store.driver import Database, Transaction
from graphmem.store.queries import Query


class EvidenceStore:
    """Writes changes of evidence; beliefs follow in the same transaction."""

    def __init__(
        self,
        database: Database,
        queries: Mapping[str, Query],
        types: Iterable[str] = tuple(DEFAULT_ONTOLOGY.entity_types),
    ) -> None:
        """``types`` are the entity types of the service's ontology."""
        self._database = database
        self._queries = queries
        self._types = tuple(types)

    async def change_evidence(self, changes: Sequence[Change]) -> list[Outcome]:
        """Write changes of one group, all of them or none; an outcome for each.

        Those that are recorded at one time are written together, in the order of their times. Running it again, whole
        or after a crash, does nothing more.

        Raises:
            NotFound: an episode or a claim to retract is gone.
            LeaseLost: another worker took the episode over.
            Conflict: an episode of the same identity says something else; a claim to correct was retracted before;
                the group imports and the change has no ``recorded_at``, or the other way round.
        """

        async def work(transaction: Transaction) -> list[Outcome]:
            outcomes: list[Outcome] = []
            for _, together in groupby(changes, key=lambda change: change.recorded_at):
                run = list(together)
                statements = Statements(transaction, self._queries, run[0].group_id, self._types)
                outcomes += await ChangeWriter(statements, run).write()
            return outcomes

        return await self._database.write(work)

    async def reproject(self, group: str, subject_ids: Sequence[str], predicate: str) -> int:
        """Project the slots of subjects with one predicate by the policy in force; returns how many rows changed."""

        async def work(transaction: Transaction) -> int:
            return await _reproject(Statements(transaction, self._queries, group), subject_ids, predicate)

        return await self._database.write(work) if subject_ids else 0


async def _reproject(do: Statements, subject_ids: Sequence[str], predicate: str) -> int:
    await do.lock_group()
    stamps = await do.lock_subjects(subject_ids)
    clock = await do.clock([predicate])
    now = clock.settled_until if clock.importing else after(clock, stamps)
    slots = await do.slots_of_predicate(subject_ids, predicate)
    difference = Touched(policies=clock.predicates(), rows=slots).after((), ())
    await supersede(do, difference, now)
    await do.write_change(Added(beliefs=difference.record, stamped=subject_ids), now)
    return len(difference.record) + len(difference.relationships) + len(difference.facts)
