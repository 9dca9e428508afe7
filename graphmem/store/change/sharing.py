"""Writes that a user shares what is believed, or takes that back: beliefs stay, who may see them changes."""

from collections.abc import Iterable, Mapping
from datetime import datetime

from graphmem.errors import Conflict
from graphmem.model.acts import value_of, values_of, was_shared
from graphmem.model.belief import BeliefRow
from graphmem.model.projection.slot import slot_of_value
from graphmem.model.scope import EVERYBODY
from graphmem.store.change.row_changes import touched
from graphmem.store.change.statements import Statements
from graphmem.store.change.writer import after, check_identities, fading_of
from graphmem.store.rows.digest import VersionRow


async def share(do: Statements, row: BeliefRow, *, in_force: bool) -> tuple[datetime, int]:
    """Share the value of a belief under the names in which its claims have it, or take that back.

    Who may see a version changes with it, whenever that was believed. Returns the instant, and of how many versions.

    Raises:
        Conflict: that is believed no more.
    """
    named = [(id_, "", row.user) for id_ in (row.subject_id, row.object_id) if id_]
    identities = await do.identities_of(named)
    members = identities.members(row.subject_id, user=row.user)
    stamps = await do.lock_subjects(members)
    await check_identities(do, named, identities)
    clock = await do.clock([row.predicate])
    now, policies = after(clock, stamps), clock.predicates()
    slot = policies.whole(slot_of_value(row))
    ground = (await touched(do, policies, identities, [slot])).ground(slot, row.belief_id, None)
    if ground is None:
        raise Conflict(f"Belief {row.belief_id} is believed no more. Look it up again, and share what took its place.")
    values = values_of(ground.belief, {placed.claim.id: placed.claim for placed in ground.claims})
    if await do.share_values(values, now, in_force=in_force):
        await do.note_access(now)
    await do.name_shared(id_ for one in values for id_ in (one.subject_id, one.object_id) if id_)
    present = (await touched(do, policies, identities, [slot])).after(now, fading_of(do, clock))
    audiences = {
        **present.audiences,
        **_of_the_past(await do.versions_of_values(members, row.user, row.predicate), row.user),
    }
    await do.set_audiences(audiences)
    return now, len(audiences)


def _of_the_past(versions: Iterable[VersionRow], user: str) -> Mapping[str, str]:
    """Who may see versions that are believed no more, where that changes."""
    found = dict[str, str]()
    for version in versions:
        values = [value_of(claim) for claim in version.claims]
        everybody = was_shared((version.subject_id, version.target), values, {one.id for one in version.shared})
        audience = EVERYBODY if everybody else user
        if audience != version.audience:
            found[version.id] = audience
    return found
