"""The one way to change the graph: change evidence, project the slots it touches, write the difference, at once."""

from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from itertools import groupby
from typing import TypeVar

from graphmem.errors import Barred, Conflict, IdentitiesMoved, absent
from graphmem.model.acts import UNSEEN, CurrentFact, Lowering, Seen
from graphmem.model.belief import BeliefRow
from graphmem.model.claim import Claim
from graphmem.model.episode import Episode, PutReceipt
from graphmem.model.evidence import Change, ChangeOutcome
from graphmem.model.export import BeliefDifference
from graphmem.model.fact import FADING, Fading
from graphmem.model.forgetting import Erased
from graphmem.model.merge import Opinion, ShortName
from graphmem.model.ontology import DEFAULT_ONTOLOGY
from graphmem.model.projection.slot import Slot
from graphmem.model.recall import MARGIN
from graphmem.model.scope import EVERYBODY, Scope
from graphmem.model.session import SessionPolicy
from graphmem.model.tombstone import Entrant
from graphmem.store.change import acts, erasure, reprojection, texts
from graphmem.store.change.acts import DecideLowerings, MakeChange, MakeLowered
from graphmem.store.change.erasing import Erasing
from graphmem.store.change.identity import Decide, DecideShort, Reconsidered, moves_of_components, moves_of_short_name
from graphmem.store.change.moves import MOST_MOVED, Moves, Reidentified, carry_out
from graphmem.store.change.sessions import SessionWrites
from graphmem.store.change.statements import Statements
from graphmem.store.change.writer import ChangeWriter, stamp
from graphmem.store.driver import Database, Transaction
from graphmem.store.matching import IndexWriter
from graphmem.store.queries import Query

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
            Barred: an episode was forgotten, or is of a user who opted out; ``each`` says so of each.
        """

        async def write(do: Statements) -> list[ChangeOutcome]:
            await do.admit([entrant for change in changes for entrant in change.entrants])
            outcomes: list[ChangeOutcome] = []
            for _, together in groupby(changes, key=lambda change: change.recorded_at):
                run = list(together)
                outcomes += await ChangeWriter(do, run).write()
                meant = (meaning.member for change in run for meaning in change.meanings)
                await do.mark_overtaken(meant, self._unseen_seconds)
            return outcomes

        return await self._change(changes[0].group_id, write)

    async def put_episode(
        self,
        episode: Episode,
        entrant_of: Callable[[Episode], Entrant],
        sessions: SessionPolicy,
        context_turns: int,
        *,
        undated: bool,
    ) -> PutReceipt:
        """Have the external id of an episode mean its text from now on; what another text claimed is retracted then.

        An ``undated`` text was said when the first one of the name was. Up to ``context_turns`` turns that were said
        after either text are to be read again.

        Raises:
            Barred: it was forgotten, or is of a user who opted out.
        """
        group = episode.group_id

        async def work(transaction: Transaction) -> PutReceipt:
            do, writes = self._do(transaction, group), SessionWrites(transaction, self._queries, group)
            receipt = await texts.put_episode(do, writes, episode, entrant_of, sessions, context_turns, undated=undated)
            await do.ask_for_repair(but=None)
            return receipt

        try:
            return await _anew(lambda: self._database.write(work))
        except Barred:
            raise
        except Conflict:  # another text came first, of which nobody knew while neither was stored
            return await _anew(lambda: self._database.write(work))

    async def act(
        self,
        group: str,
        row: BeliefRow,
        make: MakeChange,
        entrant: Entrant,
        *,
        instead: str = "",
        recorded_at: datetime | None = None,
        seen: Seen = UNSEEN,
    ) -> tuple[Change, ChangeOutcome]:
        """Write what follows from the evidence of a belief, as it is once nobody else can change it.

        ``entrant`` is what is known of the episode that ``make`` makes: whose it is. ``instead`` is the target of what
        is to take its place, "" of nothing else. ``seen`` is what whoever asks for it had read.

        Raises:
            Conflict: that is believed no more, or is not as it was ``seen``; or the group imports and there is no
                ``recorded_at``, or the other way round.
            Barred: its user opted out, or the same was forgotten.
        """

        async def write(do: Statements) -> tuple[Change, ChangeOutcome]:
            await do.admit([entrant])
            return await acts.act(do, row, make, instead=instead, recorded_at=recorded_at, seen=seen)

        return await self._change(group, write)

    async def share(self, group: str, row: BeliefRow, *, in_force: bool, seen: Seen = UNSEEN) -> tuple[datetime, int]:
        """Share the value of a belief with everybody, or take that back; returns when, and for how many versions.

        Raises:
            Conflict: that is believed no more, or is not as it was ``seen``.
        """
        return await self._change(group, lambda do: acts.share(do, row, in_force=in_force, seen=seen))

    async def consolidate(
        self, group: str, facts: Sequence[CurrentFact], decide: DecideLowerings, make: MakeLowered
    ) -> tuple[Sequence[Lowering], ChangeOutcome]:
        """Write what gives way among the slots of facts, as they are once nobody else can change them.

        Raises:
            Conflict: the group imports.
        """
        return await self._change(group, lambda do: acts.consolidate(do, facts, decide, make))

    async def would_consolidate(
        self, group: str, facts: Sequence[CurrentFact], decide: DecideLowerings
    ) -> Sequence[Lowering]:
        """What ``consolidate`` would write."""
        return await self._once(group, lambda do: acts.would_consolidate(do, facts, decide))

    async def erase(self, group: str, ids: Sequence[str], receipt: str, hashes: Sequence[str]) -> Erased:
        """Erase episodes as if they had never been said, and count on a receipt what went, with ``hashes`` of theirs.

        Running it again erases nothing more.
        """

        async def work(transaction: Transaction) -> Erased:
            do = self._erasing(transaction, group)
            erased, now = await erasure.erase(do, ids)
            await do.count_erased(receipt, erased, hashes, now)
            return erased

        return await _anew(lambda: self._database.write(work))

    async def erase_unnamed(self, group: str, ids: Sequence[str], receipt: str) -> int:
        """Erase those of the entities that nothing names, and count them on a receipt; returns how many that are."""

        async def work(transaction: Transaction) -> int:
            do = self._erasing(transaction, group)
            stamps = await do.lock_subjects(ids)
            await do.lock_group()
            now = stamp(await do.clock([]), stamps)
            erased = await do.erase_entities(ids, now)
            await do.count_erased(receipt, Erased(entities=erased), (), now)
            return erased

        return await self._database.write(work)

    async def would_erase(self, group: str, ids: Sequence[str]) -> Erased:
        """What ``erase`` would do: it is tried, and taken back."""

        async def work(transaction: Transaction) -> Erased:
            return (await erasure.erase(self._erasing(transaction, group), ids))[0]

        return await self._database.rehearse(work, seconds=self._database.transaction_timeout)

    async def claim(self, scope: Scope, claim_id: str) -> Claim:
        """A claim that the reader may see, whether or not it stands.

        Raises:
            NotFound: there is no such claim, or the reader may not see it.
        """
        # where writers are: it may be new
        rows = await self._once(scope.group, lambda do: do.claims_to_retract([claim_id], scope.audience))
        if not rows:
            raise absent(scope.group, "claim", claim_id)
        return rows[0].claim

    async def reproject(self, group: str, subject_ids: Sequence[str], predicate: str) -> int:
        """Project the slots of subjects with one predicate by the policy in force; returns how many rows changed."""
        if not subject_ids:
            return 0
        changed, _ = await self._change(group, lambda do: reprojection.reproject(do, subject_ids, predicate))
        return changed

    async def differences(self, group: str, subject_ids: Sequence[str], predicate: str) -> list[BeliefDifference]:
        """Where what is believed of subjects by one predicate is not what their claims amount to."""
        return await self._once(group, lambda do: reprojection.differences(do, subject_ids, predicate))

    async def repair(self, group: str, slot: Slot) -> int | None:
        """Project a slot of which something could not be read; returns how many rows changed, None if it still cannot.

        What its claims amount to may be in other slots by now, by who is who and by the policy in force.
        """
        return await self._change(group, lambda do: reprojection.repair(do, slot), but=slot)

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
        asked = Reconsidered(frozenset(seeds), tuple(opinions), frozenset(judged), user)
        return await self._carry_out(group, lambda do: moves_of_components(do, asked, decide), again=again, most=most)

    async def mean(self, group: str, short: ShortName, decide: DecideShort, *, most: int = MOST_MOVED) -> Reidentified:
        """Decide anew whom a short name means.

        Raises:
            Conflict: more claims would move than one transaction moves.
            MovesMany: more claims would move than ``most``.
        """
        return await self._carry_out(group, lambda do: moves_of_short_name(do, short, decide), most=most)

    async def place_again(self, group: str, claims: Sequence[Claim], since: datetime) -> int:
        """Place claims by who is who now, whose writers may have read who was who ``since``; returns changed rows."""
        return await self._change(group, lambda do: reprojection.place_again(do, claims, since))

    async def would_reidentify(
        self, group: str, seeds: Collection[str], decide: Decide, opinions: Sequence[Opinion]
    ) -> Moves:
        """What ``reidentify`` would change, where ``opinions`` are all that was computed of the seeds for everybody."""
        asked = Reconsidered(frozenset(seeds), tuple(opinions), frozenset(seeds))
        return await self._once(group, lambda do: moves_of_components(do, asked, decide))

    async def would_mean(self, group: str, short: ShortName, decide: DecideShort) -> Moves:
        """What ``mean`` would change."""
        return await self._once(group, lambda do: moves_of_short_name(do, short, decide))

    async def protect(self, group: str, entity_id: str, *, protected: bool) -> None:
        """Say whether only people merge an entity; it is compared again."""

        async def write(do: Statements) -> None:
            stamps = await do.lock_subjects([entity_id])
            await do.set_protected(entity_id, stamp(await do.clock([]), stamps), protected=protected)

        await self._once(group, write)

    async def index(self, group: str, write: Callable[[IndexWriter], Awaitable[None]]) -> None:
        """Index entities of a group in one transaction."""
        await self._database.write(lambda transaction: write(IndexWriter(transaction, self._queries, group)))

    def _do(self, transaction: Transaction, group: str) -> Statements:
        return Statements(transaction, self._queries, group, self._types, self._fading)

    def _erasing(self, transaction: Transaction, group: str) -> Erasing:
        return Erasing(transaction, self._queries, group, self._types, self._fading)

    async def _once(self, group: str, work: Callable[[Statements], Awaitable[Result]]) -> Result:
        return await self._database.write(lambda transaction: work(self._do(transaction, group)))

    async def _change(
        self, group: str, write: Callable[[Statements], Awaitable[Result]], *, but: Slot | None = None
    ) -> Result:
        """Write in a transaction; in another one, where identities moved while this one waited for its locks.

        Slots ``but`` one of which something cannot be read, are to be projected once they can be.
        """

        async def work(do: Statements) -> Result:
            result = await write(do)
            await do.ask_for_repair(but=but)
            return result

        return await _anew(lambda: self._once(group, work))

    async def _carry_out(
        self, group: str, survey: Callable[[Statements], Awaitable[Moves]], *, again: bool = False, most: int
    ) -> Reidentified:
        """Do what a survey finds to be done, and have claims placed again whose writers cannot see it yet."""

        async def write(do: Statements) -> Reidentified:
            done = await carry_out(do, lambda: survey(do), again=again, most=most)
            await do.mark_overtaken(done.members, self._unseen_seconds)
            return done

        return await self._change(group, write)


async def _anew(write: Callable[[], Awaitable[Result]]) -> Result:
    """What a transaction returns, which begins anew where identities moved while it waited for its locks."""
    for _ in range(_TRIES):
        with suppress(IdentitiesMoved):
            return await write()
    return await write()
