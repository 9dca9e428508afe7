"""From when to when entities existed, as everybody believes it now: on their nodes, in the transaction of a change."""

from collections.abc import Iterable

from graphmem.model.projection.existence import BoundingBelief, existence
from graphmem.store.change.statements import Statements


async def follow_existence(do: Statements, ids: Iterable[str]) -> None:
    """Have the nodes of entities, which are locked, say what is believed by the end of this transaction."""
    found: dict[str, list[BoundingBelief]] = {id_: [] for id_ in sorted(ids)}
    for belief in await do.bounding_beliefs(found):
        found[belief.subject_id].append(belief)
    await do.keep_existence({id_: existence(beliefs) if beliefs else None for id_, beliefs in found.items()})
