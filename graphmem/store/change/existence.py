"""From when to when entities existed, as everybody believes it now: on their nodes, in the transaction of a change."""

from collections import defaultdict
from collections.abc import Iterable, Mapping

from graphmem.model.projection.existence import BoundingBelief, existence
from graphmem.store.change.statements import Statements
from graphmem.store.driver import Database, Transaction
from graphmem.store.queries import Query
from graphmem.store.rows.bound import BoundedRow

_PAGE = 1_000


async def follow_existence(do: Statements, ids: Iterable[str]) -> None:
    """Have the nodes of entities, which are locked, say what is believed by the end of this transaction."""
    found: dict[str, list[BoundingBelief]] = {id_: [] for id_ in sorted(ids)}
    for belief in await do.bounding_beliefs(found):
        found[belief.subject_id].append(belief)
    await do.keep_existence({id_: existence(beliefs) if beliefs else None for id_, beliefs in found.items()})


async def keep_all_existences(database: Database, queries: Mapping[str, Query]) -> int:
    """The same for all nodes that say nothing, because an older process wrote the beliefs; returns how many."""
    after, done = "", 0
    while page := await database.run(queries["bounded_entities"], BoundedRow, after=after, limit=_PAGE):
        after = page[-1].id
        lacking: dict[str, list[str]] = defaultdict(list)
        for row in page:
            if not row.kept:
                lacking[row.group_id].append(row.id)
        for group, ids in lacking.items():
            await database.write(lambda transaction, group=group, ids=ids: _keep(transaction, queries, group, ids))
            done += len(ids)
    return done


async def _keep(transaction: Transaction, queries: Mapping[str, Query], group: str, ids: Iterable[str]) -> None:
    do = Statements(transaction, queries, group)
    await do.lock_subjects(ids)
    await follow_existence(do, ids)
