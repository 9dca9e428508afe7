"""The one way to change the graph: change evidence, project the slots it touches, write the difference.

One transaction: lock (the episode, or the group that imports; then the entities, sorted by id), read the clock and the
policies and the touched slots after the locks, retract claims, ``project`` what stands with the new ones, supersede
what differs, and write all that is new in one statement (design §5). Equal rows stay.
"""

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from time import perf_counter

from graphmem.errors import Conflict, ContextChanged, LeaseLost, NotFound
from graphmem.model.belief import Belief
from graphmem.model.claim import Claim
from graphmem.model.entity import Entity, Mention
from graphmem.model.episode import Status
from graphmem.model.evidence import Change, Digested, Outcome
from graphmem.model.identity import EACH_ITSELF, Identities
from graphmem.model.interval import END, MICROSECOND
from graphmem.model.ontology import DEFAULT_ONTOLOGY
from graphmem.model.predicate import Predicates
from graphmem.model.renewal import renew
from graphmem.model.slot import Slot, place
from graphmem.model.timeline import project
from graphmem.store.driver import Database, Transaction
from graphmem.store.queries import Query
from graphmem.store.rows.digest import ClockRow, GroundRow, HeldRow, LeaseRow, LockedRow, RetractableRow, SlotRow
from graphmem.store.statements import Added, Statements


@dataclass(frozen=True, slots=True)
class _Difference:
    """What a projection changes: rows to supersede, by id, and beliefs to record."""

    relationships: tuple[str, ...]
    facts: tuple[str, ...]
    record: tuple[Belief, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Touched:
    """The slots that a change touches, as they were before it: claims that stand, and rows that are believed.

    Policies and identities decide what is believed there.
    """

    policies: Predicates
    slots: Sequence[SlotRow]
    identities: Identities = EACH_ITSELF

    def after(self, new: Iterable[Claim], retracted: Collection[str]) -> _Difference:
        """What changes when claims come and go. A claim that comes again is not new, and may stand no more."""
        known = (claim.to_domain() for slot in self.slots for claim in slot.claims)
        standing = [claim for claim in (*known, *new) if claim.id not in retracted]
        return _compare(
            _project(standing, self.policies, self.identities), [row for slot in self.slots for row in slot.held]
        )


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
        """Write changes of one group one after the other, all of them or none.

        Running it again, whole or after a crash, does nothing more.

        Raises:
            NotFound: an episode or a claim to retract is gone.
            LeaseLost: another worker took the episode over.
            Conflict: an episode of the same identity says something else; a claim to correct was retracted before;
                the group imports and the change has no ``recorded_at``, or the other way round.
        """

        async def work(transaction: Transaction) -> list[Outcome]:
            return [
                await _ChangeWriter(
                    Statements(transaction, self._queries, change.group_id, self._types), change
                ).write()
                for change in changes
            ]

        return await self._database.write(work)

    async def reproject(self, group: str, subject_ids: Sequence[str], predicate: str) -> int:
        """Project the slots of subjects with one predicate by the policy in force; returns how many rows changed."""

        async def work(transaction: Transaction) -> int:
            return await _reproject(Statements(transaction, self._queries, group), subject_ids, predicate)

        return await self._database.write(work) if subject_ids else 0


class _ChangeWriter:
    """One change in one transaction."""

    def __init__(self, statements: Statements, change: Change) -> None:
        self._do = statements
        self._change = change
        self._began = perf_counter()

    async def write(self) -> Outcome:
        change, revision = self._change, 0
        if change.lease is not None:
            leased = await self._leased()
            if leased is None:
                return Outcome(done_before=True)
            revision = leased.revision
        if change.recorded_at is not None:
            await self._do.lock_group()
        proposed, retractable = await (self._renewed(revision) if revision else self._told())
        retract = [row.id for row in retractable]
        claims = (*proposed, *(row.to_domain() for row in retractable))
        subjects = {member for claim in claims for member in EACH_ITSELF.members(place(claim).subject_id)}
        ground = await self._lock(retractable, subjects, proposed, {claim.predicate for claim in claims})
        now = self._stamp(ground)
        new_claims = [claim for claim in proposed if claim.id not in ground.claims]
        new_episodes = await self._do.remember_episodes(change.episodes, now)
        names = _new_names(change.evidence.entities, ground.entities)
        touched = await self._touched(claims, ground.predicates())
        retracted_at = await self._do.retract_claims(retract, now, replaced=revision > 0)
        if change.retract and new_claims:
            _refuse_corrected(retractable, retracted_at, now)
        difference = touched.after(new_claims, set(retract))
        mentions = await self._new_mentions(revision, now)
        await _supersede(self._do, difference, now)
        outcome = Outcome(
            entities=len(change.evidence.entities),
            new_entities=sum(row.versions == 0 for row in ground.entities),
            mentions=len(change.evidence.mentions),
            claims=len(change.evidence.claims),
            new_claims=len(new_claims),
            recorded=len(difference.record),
            superseded=len(difference.relationships) + len(difference.facts),
            dropped=change.evidence.dropped,
            new_episodes=new_episodes,
            retracted_at=retracted_at,
            recorded_at=now,
            milliseconds=self._milliseconds(),
            usage=change.usage,
        )
        if change.recorded_at is not None:
            await self._do.settle_import(now)
        added = Added(
            names=names,
            claims=new_claims,
            vectors=change.vectors,
            mentions=mentions,
            beliefs=difference.record,
            stamped=subjects | {entity.id for entity in names},
            digested=[(digested, _outcome_json(outcome, digested)) for digested in change.digested],
            embedding_model=change.embedding_model,
        )
        await self._do.write_change(added, now)
        return replace(outcome, milliseconds=self._milliseconds())

    def _milliseconds(self) -> dict[str, float]:
        return {**self._change.milliseconds, "transaction": round(1000 * (perf_counter() - self._began), 1)}

    async def _leased(self) -> LeaseRow | None:
        """The episode, locked; None if it is digested already."""
        read = self._change.digested[0]
        row = await self._do.lock_episode(self._episode_id, read.context_turns)
        if row is None:
            raise NotFound(f"Episode {self._episode_id} is gone.")
        if row.status is Status.DIGESTED:
            return None
        if row.lease != self._change.lease:
            raise LeaseLost(f"Another worker has taken episode {self._episode_id} over.")
        if read.context_turns and row.before != read.context:
            raise ContextChanged("A turn came in that was said before this one, while this one was read.")
        return row

    @property
    def _episode_id(self) -> str:
        return self._change.digested[0].episode_id

    async def _told(self) -> tuple[Sequence[Claim], Sequence[RetractableRow]]:
        """The claims to write, and those to retract."""
        rows = await self._do.claims_to_retract(self._change.retract)
        missing = set(self._change.retract) - {row.id for row in rows}
        if missing:
            raise NotFound(f"Group {self._change.group_id!r} has no claim {min(missing)!r}.")
        return self._change.evidence.claims, rows

    async def _renewed(self, revision: int) -> tuple[Sequence[Claim], Sequence[RetractableRow]]:
        """The same of an episode that is digested anew: what it said stays, comes or goes."""
        former = {row.id: row for row in await self._do.claims_of_episode(self._episode_id)}
        renewal = renew((row.to_former() for row in former.values()), self._change.evidence.claims, revision)
        return renewal.write, [former[id_] for id_ in renewal.withdraw]

    async def _new_mentions(self, revision: int, now: datetime) -> list[Mention]:
        """Those to write; what an earlier digest saw, and this one does not, is closed."""
        mentions = list(self._change.evidence.mentions)
        if not revision:
            return mentions
        known = set(await self._do.mentions_of_episode(self._episode_id))
        await self._do.supersede_mentions(self._episode_id, known.difference(mentions), now)
        return [mention for mention in mentions if mention not in known]

    async def _lock(
        self,
        retractable: Sequence[RetractableRow],
        subjects: Collection[str],
        proposed: Sequence[Claim],
        predicates: Collection[str],
    ) -> GroundRow:
        """Lock subjects, and entities whose name is first seen here: nobody waits for a mere object of a claim."""
        group = self._change.group_id
        entities = {
            entity.id: entity
            for row in retractable
            for entity in [Entity(group_id=group, type=row.type, name=row.name, first_seen=row.first_seen)]
        } | {entity.id: entity for entity in self._change.evidence.entities}
        ground = await self._do.lock_change(entities.values(), subjects, proposed, predicates)
        known = {row.id for row in ground.entities if row.versions}.difference(subjects)
        renamed = {entity.id: entity for entity in _new_names(entities.values(), ground.entities) if entity.id in known}
        if not renamed:
            return ground
        again = await self._do.lock_change(renamed.values(), renamed, proposed, predicates)
        rows = {row.id: row for row in (*ground.entities, *again.entities)}
        return again.model_copy(update={"entities": tuple(rows.values())})

    def _stamp(self, ground: GroundRow) -> datetime:
        """The transaction time of this change.

        It is the clock after the locks, or just after the newest stamp in its slots; in an import, what it brings.
        """
        group, brought = self._change.group_id, self._change.recorded_at
        if ground.importing and brought is None:
            raise Conflict(f"Group {group!r} is importing: say when this was recorded (recorded_at) or end the import.")
        if brought is not None and not ground.importing:
            raise Conflict(f"Group {group!r} is not importing: the clock says when this is recorded, not recorded_at.")
        if brought is None:
            return _after(ground, (row.newest_stamp for row in ground.entities))
        if not ground.settled_until <= brought <= ground.now:
            raise Conflict(
                f"recorded_at never decreases and is not ahead of the clock: it must be from "
                f"{ground.settled_until.isoformat()} to {ground.now.isoformat()}, and is {brought.isoformat()}."
            )
        return brought

    async def _touched(self, claims: Iterable[Claim], policies: Predicates) -> _Touched:
        slots = {slot: None for claim in claims if (slot := policies.slot(place(claim, EACH_ITSELF))) is not None}
        return _Touched(policies=policies, slots=await self._do.slots(slots, EACH_ITSELF))


def _outcome_json(outcome: Outcome, digested: Digested) -> str:
    """What stands on the episode afterwards."""
    return json.dumps(
        {
            "entities": outcome.entities,
            "new_entities": outcome.new_entities,
            "mentions": outcome.mentions,
            "claims": outcome.claims,
            "recorded": outcome.recorded,
            "superseded": outcome.superseded,
            "dropped": dict(outcome.dropped),
            "milliseconds": outcome.milliseconds,
            "extractor": digested.extractor,
            "extractor_version": digested.extractor_version,
            "provisional": digested.provisional,
            "usage": asdict(outcome.usage) if outcome.usage else None,
        }
    )


async def _reproject(do: Statements, subject_ids: Sequence[str], predicate: str) -> int:
    await do.lock_group()
    stamps = await do.lock_subjects(subject_ids)
    clock = await do.clock([predicate])
    now = clock.settled_until if clock.importing else _after(clock, stamps)
    slots = await do.slots_of_predicate(subject_ids, predicate)
    difference = _Touched(policies=clock.predicates(), slots=slots).after((), ())
    await _supersede(do, difference, now)
    await do.write_change(Added(beliefs=difference.record, stamped=subject_ids), now)
    return len(difference.record) + len(difference.relationships) + len(difference.facts)


def _after(clock: ClockRow, stamps: Iterable[datetime]) -> datetime:
    """The clock, or just after the newest of the stamps and of what was imported."""
    return max(clock.now, *(stamp + MICROSECOND for stamp in (clock.settled_until, *stamps)))


def _project(standing: Iterable[Claim], policies: Predicates, identities: Identities) -> list[Belief]:
    by_slot: dict[Slot, list[Claim]] = {}
    for claim in standing:
        if (slot := policies.slot(place(claim, identities))) is not None:
            by_slot.setdefault(slot, []).append(claim)
    return [
        belief
        for slot, claims in by_slot.items()
        for belief in project(claims, policies.policy(slot.predicate), identities)
    ]


def _compare(projected: Sequence[Belief], held: Sequence[HeldRow]) -> _Difference:
    wanted = {belief.fingerprint for belief in projected}
    known = {row.fingerprint for row in held}
    gone = [row for row in held if row.fingerprint not in wanted]
    return _Difference(
        relationships=tuple(row.id for row in gone if row.kind == "relationship"),
        facts=tuple(row.id for row in gone if row.kind == "fact"),
        record=tuple(belief for belief in projected if belief.fingerprint not in known),
    )


async def _supersede(do: Statements, difference: _Difference, now: datetime) -> None:
    await do.supersede_relationships(difference.relationships, now)
    await do.supersede_facts(difference.facts, now)
    await do.drop_facts(difference.facts, now)


def _refuse_corrected(
    retractable: Iterable[RetractableRow], retracted_at: Mapping[str, datetime], now: datetime
) -> None:
    """A correction again is the same correction; another one of a claim that stands no more would add to the first.

    Somebody may have been first between the reading and the lock; in an import, others have this very instant.
    """
    before = {row.id: row.retracted_at for row in retractable if row.retracted_at != END}
    before |= {id_: at for id_, at in retracted_at.items() if at != now}
    if before:
        id_, at = min(before.items())
        raise Conflict(f"Claim {id_} was retracted or corrected on {at.isoformat()}. Correct what replaced it.")


def _new_names(entities: Iterable[Entity], locked: Iterable[LockedRow]) -> list[Entity]:
    """Entities whose name is to be recorded: new ones, and those first seen earlier than under their present name."""
    known = {row.id: row for row in locked}
    return [
        entity
        for entity in entities
        if known[entity.id].versions == 0
        or (entity.first_seen, entity.name) < (known[entity.id].first_seen, known[entity.id].name)
    ]
