"""The one way to change the graph: change evidence, project the slots it touches, write the difference, at once."""

from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from itertools import groupby
from typing import TypeVar

from graphmem.errors import IdentitiesMoved, absent
from graphmem.model.acts import CurrentFact, Lowering
from graphmem.model.belief import BeliefRow
from graphmem.model.claim import Claim
from graphmem.model.evidence import Change, ChangeOutcome
from graphmem.model.fact import FADING, Fading
from graphmem.model.merge import Opinion, ShortName
from graphmem.model.ontology import DEFAULT_ONTOLOGY
from graphmem.model.projection.slot import Slot
from graphmem.model.recall import MARGIN
from graphmem.model.scope import EVERYBODY, Scope
from graphmem.store.change import consolidation, identity
from graphmem.store.change.acts import MakeChange, act
from graphmem.store.change.consolidation import DecideLowerings, MakeLowered, consolidate
from graphmem.store.change.identity import Decide, reidentify
from graphmem.store.change.moves import MOST_MOVED, Moves, Reidentified
from graphmem.store.change.overtaken import place_again
from graphmem.store.change.row_changes import touched
from graphmem.store.change.sharing import share
from graphmem.store.change.short_names import DecideShort, mean, survey
from graphmem.store.change.statements import Statements
from graphmem.store.change.writer import ChangeWriter, check_identities, rewrite, slots_of, stamp, subjects_of
from graphmem.store.driver import Database, Transaction
from graphmem.store.matching import IndexWriter
from graphmem.store.parameters import named_ends
from graphmem.store.queries import Query
from graphmem.store.rows.digest import RetractableRow

Result = TypeVar("Result")
_TRIES = 5
"""How often a change begins anew because identities moved; then whoever asked for it does."""


class EvidenceStore:
    """Writes changes of evidence; beliefs follow in the same transaction."""

    def __init__(
        self,
        database: Database,
        queries: Mapping[str, Query],
        types: Iterable[str] = tuple(DEFAULT_ONTOLOGY.entity_types),
        fading: Fading = FADING,
    ) -> None:
        """``types`` are the entity types of the service's ontology."""
        self._database = database
        self._queries = queries
        self._types = tuple(types)
        self._fading = fading
        # A writer who reads just before this change commits began a transaction before, and ends one after it.
        self._unseen_seconds = 2 * (database.transaction_timeout + MARGIN)

    async def change_evidence(self, changes: Sequence[Change]) -> list[ChangeOutcome]:
        """Write changes of one group, all of them or none; an outcome for each.

        Those that are recorded at one time are written together, in the order of their times. Running it again, whole
        or after a crash, does nothing more.

        Raises:
            NotFound: an episode or a claim to retract is gone.
            LeaseLost: another worker took the episode over.
            Conflict: an episode of the same identity says something else; a claim to correct was retracted before;
                the group imports and the change has no ``recorded_at``, or the other way round.
        """

        async def work(transaction: Transaction) -> list[ChangeOutcome]:
            outcomes: list[ChangeOutcome] = []
            do = self._do(transaction, changes[0].group_id)
            for _, together in groupby(changes, key=lambda change: change.recorded_at):
                run = list(together)
                outcomes += await ChangeWriter(do, run).write()
                meant = (one.member for change in run for one in change.meanings)
                await do.mark_overtaken(meant, self._unseen_seconds)
            await do.ask_for_repair()
            return outcomes

        return await self._written(work)

    async def act(
        self,
        group: str,
        row: BeliefRow,
        make: MakeChange,
        *,
        instead: str = "",
        recorded_at: datetime | None = None,
    ) -> tuple[Change, ChangeOutcome]:
        """Write what follows from the evidence of a belief, as it is once nobody else can change it.

        ``instead`` is the target of what is to take its place, "" of nothing else.

        Raises:
            Conflict: that is believed no more; or the group imports and there is no ``recorded_at``, or the other way
                round.
        """

        async def work(transaction: Transaction) -> tuple[Change, ChangeOutcome]:
            do = self._do(transaction, group)
            acted = await act(do, row, make, instead=instead, recorded_at=recorded_at)
            await do.ask_for_repair()
            return acted

        return await self._written(work)

    async def share(self, group: str, row: BeliefRow, *, in_force: bool) -> tuple[datetime, int]:
        """Share the value of a belief with everybody, or take that back; returns when, and for how many versions.

        Raises:
            Conflict: that is believed no more.
        """

        async def work(transaction: Transaction) -> tuple[datetime, int]:
            return await share(self._do(transaction, group), row, in_force=in_force)

        return await self._written(work)

    async def consolidate(
        self, group: str, facts: Sequence[CurrentFact], decide: DecideLowerings, make: MakeLowered
    ) -> tuple[Sequence[Lowering], ChangeOutcome]:
        """Write what gives way among the slots of facts, as they are once nobody else can change them.

        Raises:
            Conflict: the group imports.
        """

        async def work(transaction: Transaction) -> tuple[Sequence[Lowering], ChangeOutcome]:
            do = self._do(transaction, group)
            consolidated = await consolidate(do, facts, decide, make)
            await do.ask_for_repair()
            return consolidated

        return await self._written(work)

    async def would_consolidate(
        self, group: str, facts: Sequence[CurrentFact], decide: DecideLowerings
    ) -> Sequence[Lowering]:
        """What ``consolidate`` would write."""

        async def work(transaction: Transaction) -> Sequence[Lowering]:
            return await consolidation.survey(self._do(transaction, group), facts, decide)

        return await self._database.write(work)

    async def claim(self, scope: Scope, claim_id: str) -> Claim:
        """A claim that the reader may see, whether or not it stands.

        Raises:
            NotFound: there is no such claim, or the reader may not see it.
        """

        async def work(transaction: Transaction) -> list[RetractableRow]:  # where writers are: it may be new
            return await self._do(transaction, scope.group).claims_to_retract([claim_id], scope.audience)

        rows = await self._database.write(work)
        if not rows:
            raise absent(scope.group, "claim", claim_id)
        return rows[0].claim

    async def reproject(self, group: str, subject_ids: Sequence[str], predicate: str) -> int:
        """Project the slots of subjects with one predicate by the policy in force; returns how many rows changed."""

        async def work(transaction: Transaction) -> int:
            do = self._do(transaction, group)
            changed, _ = await _reproject(do, subject_ids, predicate)
            await do.ask_for_repair()
            return changed

        return await self._written(work) if subject_ids else 0

    async def repair(self, group: str, slot: Slot) -> int | None:
        """Project a slot of which something could not be read; returns how many rows changed, None if it still cannot.

        What its claims amount to may be in other slots by now, by who is who and by the policy in force.
        """

        async def work(transaction: Transaction) -> int | None:
            do = self._do(transaction, group)
            who = await do.identities_of([(slot.subject_id, "", slot.user)])
            subject = who.of(slot.subject_id, session="", user=slot.user)
            subjects = {slot.subject_id, *who.members(subject, user=slot.user)}
            changed, whole = await _reproject(do, sorted(subjects), slot.predicate, also=[slot])
            await do.ask_for_repair(but=slot)
            return changed if whole else None

        return await self._written(work)

    async def reidentify(
        self,
        group: str,
        seeds: Collection[str],
        decide: Decide,
        opinions: Sequence[Opinion] = (),
        judged: Collection[str] = (),
        *,
        user: str = EVERYBODY,
        again: bool = False,
        most: int = MOST_MOVED,
    ) -> Reidentified:
        """Record opinions, and decide anew who is who among all that is tied to them or to the seeds.

        ``opinions`` are all that was computed of the entities ``judged``, for everybody or in a ``user``'s eyes: what
        was computed so before is forgotten.
        ``again``: all of these entities are to be compared with each other again.

        Raises:
            Conflict: more claims would move than one transaction moves.
            MovesMany: more claims would move than ``most``.
        """

        async def work(transaction: Transaction) -> Reidentified:
            do = self._do(transaction, group)
            done = await reidentify(do, seeds, decide, opinions, judged, user=user, again=again, most=most)
            await do.mark_overtaken(done.members, self._unseen_seconds)
            await do.ask_for_repair()
            return done

        return await self._written(work)

    async def mean(self, group: str, short: ShortName, decide: DecideShort, *, most: int = MOST_MOVED) -> Reidentified:
        """Decide anew whom a short name means.

        Raises:
            Conflict: more claims would move than one transaction moves.
            MovesMany: more claims would move than ``most``.
        """

        async def work(transaction: Transaction) -> Reidentified:
            do = self._do(transaction, group)
            done = await mean(do, short, decide, most=most)
            await do.mark_overtaken(done.members, self._unseen_seconds)
            await do.ask_for_repair()
            return done

        return await self._written(work)

    async def place_again(self, group: str, claims: Sequence[Claim], since: datetime) -> int:
        """Place claims by who is who now, whose writers may have read who was who ``since``; returns changed rows."""

        async def work(transaction: Transaction) -> int:
            do = self._do(transaction, group)
            changed = await place_again(do, claims, since)
            await do.ask_for_repair()
            return changed

        return await self._written(work)

    async def would_reidentify(
        self, group: str, seeds: Collection[str], decide: Decide, opinions: Sequence[Opinion]
    ) -> Moves:
        """What ``reidentify`` would change, where ``opinions`` are all that was computed of the seeds for everybody."""

        async def work(transaction: Transaction) -> Moves:
            return await identity.survey(self._do(transaction, group), seeds, decide, opinions)

        return await self._database.write(work)

    async def would_mean(self, group: str, short: ShortName, decide: DecideShort) -> Moves:
        """What ``mean`` would change."""

        async def work(transaction: Transaction) -> Moves:
            return await survey(self._do(transaction, group), short, decide)

        return await self._database.write(work)

    async def protect(self, group: str, entity_id: str, *, protected: bool) -> None:
        """Say whether only people merge an entity; it is compared again."""

        async def work(transaction: Transaction) -> None:
            do = self._do(transaction, group)
            stamps = await do.lock_subjects([entity_id])
            await do.set_protected(entity_id, stamp(await do.clock([]), stamps), protected=protected)

        await self._database.write(work)

    async def index(self, group: str, write: Callable[[IndexWriter], Awaitable[None]]) -> None:
        """Index entities of a group in one transaction."""

        async def work(transaction: Transaction) -> None:
            await write(IndexWriter(transaction, self._queries, group))

        await self._database.write(work)

    def _do(self, transaction: Transaction, group: str) -> Statements:
        return Statements(transaction, self._queries, group, self._types, self._fading)

    async def _written(self, work: Callable[[Transaction], Awaitable[Result]]) -> Result:
        """Write in a transaction; in another one, where identities moved while this one waited for its locks."""
        for _ in range(_TRIES):
            with suppress(IdentitiesMoved):
                return await self._database.write(work)
        return await self._database.write(work)


async def _reproject(
    do: Statements, subject_ids: Sequence[str], predicate: str, also: Iterable[Slot] = ()
) -> tuple[int, bool]:
    """Project the slots of claims, and others; returns how many rows changed, and whether all could be read."""
    await do.lock_group()
    claims, _ = await do.claims_of_predicate(subject_ids, predicate)
    identities = await do.identities(claims)
    locked = subjects_of(claims, identities).union(slot.subject_id for slot in also)
    stamps = await do.lock_subjects(locked)
    claims, damaged = await do.claims_of_predicate(subject_ids, predicate)
    await check_identities(do, named_ends(claims), identities)
    clock = await do.clock([predicate])
    now = stamp(clock, stamps)
    policies = clock.predicates()
    wanted = [*slots_of(claims, policies, identities), *(policies.whole(slot) for slot in also)]
    slots = await touched(do, policies, identities, wanted)
    return await rewrite(do, slots, locked, clock, now), not damaged and not slots.kept
