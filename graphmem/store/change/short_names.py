"""Decides anew whom a short name means, in all sessions in which it is said."""

from collections.abc import Callable, Iterable, Mapping, Sequence

from graphmem.model.merge import Merge, Opinion, ShortName
from graphmem.model.projection.identity import Identities, identities
from graphmem.store.change.moves import MOST_MOVED, Moves, Reidentified, carry_out, merge_changes, moving
from graphmem.store.change.statements import Statements

DecideShort = Callable[[ShortName, Iterable[Opinion], Identities], frozenset[Merge]]


async def mean(do: Statements, short: ShortName, decide: DecideShort, *, most: int = MOST_MOVED) -> Reidentified:
    """Put in force what a short name means by what is named where and by who is who, and take the rest back."""
    return await carry_out(do, lambda: survey(do, short, decide), most=most)


async def survey(do: Statements, short: ShortName, decide: DecideShort) -> Moves:
    """What is to be done so that a short name means what it is to mean."""
    (row,) = await do.kin([short.id])
    in_force = list(row.merges)
    held = [merge for merge in in_force if merge.member == short.id and merge.session is not None]
    users = {one.user for one in short.named}
    who = await do.identities_of((id_, "", user) for id_ in sorted({short.id, *short.fuller}) for user in sorted(users))
    merges = merge_changes(held, decide(short, row.judgements, who))
    claims = await do.claims_of_entities(_sessions(short.id, merges.changed)) if merges.changed else []
    before = who.knowing((await do.identities(claims)).decisions).knowing(merge.same_as for merge in held)
    kept = before.decisions.difference(merge.same_as for merge in merges.close)
    after = identities(kept).knowing(merge.same_as for merge in merges.open)
    return Moves(
        about={short.id} if merges.changed else (),
        merges=merges,
        before=before,
        after=after,
        moved=moving(claims, before, after),
    )


def _sessions(short: str, merges: Iterable[Merge]) -> Mapping[str, Sequence[str]]:
    return {short: sorted({merge.session for merge in merges if merge.session is not None})}
