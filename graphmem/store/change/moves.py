"""Carries out decisions on who is who: the slots of all claims that move thereby are projected anew.

One transaction. It looks what is to be done, locks all that this touches in order of id, and looks again: where more is
touched by then, it begins anew. So whoever writes claims and whoever decides wait for each other.
"""

from collections.abc import Awaitable, Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Self

from graphmem.errors import Conflict, IdentitiesMoved, MovesMany
from graphmem.model.claim import Claim
from graphmem.model.merge import Merge, Opinion
from graphmem.model.projection.identity import Identities
from graphmem.model.projection.slot import place
from graphmem.store.change.row_changes import touched
from graphmem.store.change.statements import Added, Statements
from graphmem.store.change.writer import fading_of, slots_of, stamp, subjects_of, supersede

MOST_MOVED = 5_000
"""Claims that one decision may move: twice as many rows, which is what a transaction has time and memory for."""
MOST_AT_ONCE = 1_000
"""Claims that a decision may move while whoever decided waits; a worker moves more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reidentified:
    """What came of deciding anew: merges taken back, put in force and kept, and rows of beliefs that changed."""

    closed: tuple[Merge, ...] = ()
    opened: tuple[Merge, ...] = ()
    kept: tuple[Merge, ...] = ()
    moved_claims: int = 0
    recorded: int = 0
    superseded: int = 0
    recorded_at: datetime | None = None

    @property
    def members(self) -> set[str]:
        """The entities of which a merge was taken back or put in force."""
        return {merge.member for merge in (*self.closed, *self.opened)}

    def seen_by(self, audience: Collection[str] | None) -> "Reidentified":
        """Without the merges of users other than these readers; None sees all."""

        def seen(merges: tuple[Merge, ...]) -> tuple[Merge, ...]:
            return tuple(merge for merge in merges if audience is None or merge.user in audience)

        return replace(self, closed=seen(self.closed), opened=seen(self.opened), kept=seen(self.kept))

    def then(self, later: Self) -> "Reidentified":
        """What came of this and of deciding on others after it."""
        return Reidentified(
            closed=self.closed + later.closed,
            opened=self.opened + later.opened,
            kept=self.kept + later.kept,
            moved_claims=self.moved_claims + later.moved_claims,
            recorded=self.recorded + later.recorded,
            superseded=self.superseded + later.superseded,
            recorded_at=later.recorded_at or self.recorded_at,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class MergeChanges:
    """The merges to take back, to put in force, and to keep."""

    close: tuple[Merge, ...]
    open: tuple[Merge, ...]
    keep: tuple[Merge, ...]

    @property
    def changed(self) -> tuple[Merge, ...]:
        """Those to take back and to put in force."""
        return (*self.close, *self.open)


def merge_changes(held: Iterable[Merge], wanted: Iterable[Merge]) -> MergeChanges:
    """What leads from the merges in force to those that are wanted; a new score alone opens nothing."""
    before = {merge.content: merge for merge in held}
    after = {merge.content: merge for merge in wanted}
    return MergeChanges(
        close=tuple(merge for content, merge in before.items() if content not in after),
        open=tuple(merge for content, merge in after.items() if content not in before),
        keep=tuple(merge for content, merge in before.items() if content in after),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Moves:
    """What is to be done: opinions to forget and to record, how merges change, and the claims that move.

    ``before`` and ``after`` say who is who, ``about`` are the entities that are decided on. ``opinions`` are all on
    which it was decided, with what becomes of them.
    """

    about: Collection[str]
    opinions: Sequence[Opinion] = ()
    forget: Collection[str] = ()
    record: Sequence[Opinion] = ()
    merges: MergeChanges
    before: Identities
    after: Identities
    moved: Sequence[Claim]

    @property
    def is_done(self) -> bool:
        """Whether all is as it would be."""
        return not (self.forget or self.record or self.merges.changed)

    @property
    def touches(self) -> set[str]:
        """The entities whose slots change, and all that are decided on."""
        subjects = subjects_of(self.moved, self.before) | subjects_of(self.moved, self.after)
        return subjects.union(self.about)

    @property
    def ends(self) -> set[tuple[str, str]]:
        """The entities that moved claims speak of, before and afterwards, each with the user of the claim."""
        placed = ((claim.user, _ends(claim, who)) for claim in self.moved for who in (self.before, self.after))
        return {(id_, user) for user, ends in placed for id_ in ends if id_ is not None}


def moving(claims: Iterable[Claim], before: Identities, after: Identities) -> list[Claim]:
    """Those that speak of another entity afterwards."""
    return [claim for claim in claims if _ends(claim, before) != _ends(claim, after)]


def _ends(claim: Claim, who: Identities) -> tuple[str, str | None]:
    placed = place(claim, who)
    return placed.subject_id, placed.object_id


async def carry_out(
    do: Statements, survey: Callable[[], Awaitable[Moves]], *, again: bool = False, most: int = MOST_MOVED
) -> Reidentified:
    """Do what a survey finds to be done, if it moves ``most`` claims or fewer.

    ``again``: all that is decided on is to be compared with each other again.

    Raises:
        Conflict: more claims would move than any decision may move.
        MovesMany: more claims would move than ``most``.
    """
    first = await survey()
    if first.is_done:
        return Reidentified(kept=first.merges.keep)
    _check_number(first, most)
    stamps = await do.lock_subjects(first.touches)
    moves = await survey()
    if not moves.touches <= first.touches:
        raise IdentitiesMoved("While locks were waited for, more was said of these entities.")
    _check_number(moves, most)
    clock = await do.clock(claim.predicate for claim in moves.moved)
    now = stamp(clock, stamps)
    await do.forget_judgements(moves.forget)
    await do.record_judgements(moves.record, now)
    await do.close_merges([merge.id for merge in moves.merges.close], now)
    await do.open_merges(moves.merges.open, now)
    policies = clock.predicates()
    slots = [*slots_of(moves.moved, policies, moves.before), *slots_of(moves.moved, policies, moves.after)]
    rows = (await touched(do, policies, moves.after, slots)).after(now, fading_of(do, clock))
    await supersede(do, rows, now)
    changed = moves.about if again else ()
    await do.write_change(
        Added(beliefs=rows.record, uses=rows.uses, shared=rows.shared, stamped=moves.touches, changed=changed), now
    )
    await do.follow_existence(rows.bounded)
    await do.follow_names(rows.renamed)
    await do.mark_stale((claim.id for claim in moves.moved), (), moves.ends, now)
    return Reidentified(
        closed=tuple(replace(merge, superseded_at=now) for merge in moves.merges.close),
        opened=tuple(replace(merge, id=merge.id_at(now), recorded_at=now) for merge in moves.merges.open),
        kept=moves.merges.keep,
        moved_claims=len(moves.moved),
        recorded=len(rows.record),
        superseded=rows.superseded,
        recorded_at=now,
    )


def _check_number(moves: Moves, most: int) -> None:
    number = len(moves.moved)
    if number > MOST_MOVED:
        raise Conflict(f"That would move {number} claims, and at most {MOST_MOVED} move at once.")
    if number > most:
        raise MovesMany(f"That would move {number} claims, and at most {most} move while somebody waits.")
