"""Writes changes of one group in an open transaction, all of them in the same few statements.

Lock (the episodes, or the group that imports; then the entities, sorted by id), read the clock and the policies and the
touched slots after the locks, retract claims, ``project`` what stands with the new ones, supersede what differs, and
write all that is new in one statement.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import chain
from time import perf_counter
from typing import TypeVar
from uuid import uuid4

from graphmem.errors import Conflict, ContextChanged, IdentitiesMoved, LeaseLost, NotFound, absent
from graphmem.model.claim import Claim
from graphmem.model.embedding import EmbeddedText, Vector
from graphmem.model.entity import (
    Entity,
    KnownAs,
    Mention,
    SaidType,
    as_entities,
    first_names,
    first_types,
    new_to_hearers,
)
from graphmem.model.episode import EpisodeStatus
from graphmem.model.evidence import ALL, NO_EVIDENCE, Change, ChangeOutcome, Digested, ResolvedEvidence, renew, total
from graphmem.model.fact import NEVER, Fading
from graphmem.model.interval import END, MICROSECOND
from graphmem.model.merge import Merge
from graphmem.model.projection.identity import Identities
from graphmem.model.projection.predicate import Predicates
from graphmem.model.projection.slot import Slot, place
from graphmem.model.scope import EVERYBODY, SHARED, audience_of
from graphmem.model.summary import QuotedSpan, any_overlap
from graphmem.store.change.row_changes import RowChanges, Touched, touched
from graphmem.store.change.statements import Added, Statements
from graphmem.store.parameters import named_ends, outcome_json
from graphmem.store.rows.digest import ClockRow, GroundRow, LeaseRow, LockedRow, RetractableRow

_TAKEN_AWAY = frozenset({EpisodeStatus.REDACTED, EpisodeStatus.REPLACED})


@dataclass(frozen=True, slots=True, kw_only=True)
class _Part:
    """One of the changes: the claims that it proposes, and those that it retracts. ``revision``: see ``renew``."""

    change: Change
    revision: int
    proposed: Sequence[Claim]
    retract: Sequence[RetractableRow]

    @property
    def claims(self) -> Iterable[Claim]:
        return chain(self.proposed, (row.claim for row in self.retract))


class ChangeWriter:
    """Changes of one group that are recorded at one time."""

    def __init__(self, statements: Statements, changes: Sequence[Change]) -> None:
        self._do = statements
        self._changes = changes
        self._recorded_at = changes[0].recorded_at
        self._group = changes[0].group_id
        self._began = perf_counter()
        self._fading = statements.fading if self._recorded_at is None else NEVER

    async def write(self) -> list[ChangeOutcome]:
        """An outcome for each change; one that was written before is not written again."""
        leases = await self._lease_rows()
        if self._recorded_at is not None:
            await self._do.lock_group()
        undone = [change.lease is None or _episode_id(change) in leases for change in self._changes]
        parts = [await self._part(change, leases) for change, todo in zip(self._changes, undone, strict=True) if todo]
        written = iter(await self._write(parts) if parts else ())
        return [next(written) if todo else ChangeOutcome(done_before=True) for todo in undone]

    async def _write(self, parts: Sequence[_Part]) -> list[ChangeOutcome]:
        claims = [claim for part in parts for claim in part.claims]
        meanings = await self._meanings(parts)
        named = [*named_ends(claims), *_meant(meanings)]
        before = await self._do.identities_of(named)
        identities = before.knowing(meaning.same_as for meaning in meanings)
        subjects = subjects_of(claims, identities).union(*(meaning.named for meaning in meanings))
        ground = await self._lock(parts, subjects)
        await check_identities(self._do, named, before)
        if meanings != await self._meanings(parts, among=meanings):
            raise IdentitiesMoved("While locks were waited for, more was said of a short name.")
        now = self._stamp(ground)
        await self._do.open_merges(meanings, now)
        new = [await self._new(part, ground, now) for part in parts]
        ground.predicates().refuse_irreflexive(chain.from_iterable(new))
        new_episodes = await self._new_episodes(parts, now)
        names, known_as = _new_names(_entities(parts), ground.entities), _known_as(parts)
        types = _new_types(known_as, ground.entities)
        retyped, heard_of = _retyped(known_as, types, ground.entities), _new_to_all(known_as, ground.entities)
        policies = ground.predicates()
        slots = await touched(self._do, policies, identities, slots_of(claims, policies, identities))
        retracted_at = await self._retracted(parts, new, now)
        difference = slots.after(now, self._fading, chain.from_iterable(new), retracted_at)
        mentions = [mention for part in parts for mention in await self._new_mentions(part, now)]
        await supersede(self._do, difference, now)
        alone = [
            replace(outcome, new_episodes=new_episodes, retracted_at=retracted_at, recorded_at=now)
            for outcome in self._outcomes(parts, new, ground, slots, difference)
        ]
        outcomes = [await self._so_far(part.change, outcome) for part, outcome in zip(parts, alone, strict=True)]
        if self._recorded_at is not None:
            await self._do.settle_import(now)
        added = Added(
            names=names,
            keys={id_: some for part in parts for id_, some in part.change.keys.items()},
            claims=list(chain.from_iterable(new)),
            vectors=_vectors(parts, ground),
            mentions=mentions,
            types=types,
            known_as=known_as,
            beliefs=difference.record,
            uses=difference.uses,
            shared=difference.shared,
            stamped=subjects | {entity.id for entity in names},
            changed=_changed(parts, new).union((entity.id for entity in names), retyped, heard_of),
            views=_views(parts, new).union(_views_of(known_as, retyped)),
            digested=[
                (_embedded(digested, part.change.embedding_model, ground), outcome_json(outcome, digested))
                for part, outcome in zip(parts, outcomes, strict=True)
                for digested in part.change.digested
            ],
            embedding_model=parts[0].change.embedding_model,
        )
        await self._do.write_change(added, now)
        await self._do.show_types(retyped)
        await self._do.follow_existence(difference.bounded)
        await self._do.follow_names(difference.renamed)
        acts = [claim for claim in chain.from_iterable(new) if claim.kind.is_act]
        gone = {id_ for id_, at in retracted_at.items() if at == now}
        ends = _ends_of_acts(parts, gone, identities)
        await self._do.mark_stale(gone | slots.rejected(chain.from_iterable(new)), acts, ends, now)
        return [
            outcome
            if part.change.before
            else replace(outcome, milliseconds=self._milliseconds(part.change, len(parts)))
            for part, outcome in zip(parts, outcomes, strict=True)
        ]

    async def _new_episodes(self, parts: Sequence[_Part], now: datetime) -> frozenset[str]:
        """Store the episodes that parts bring, which are evidence already; the ids of those that are new."""
        brought = [episode for part in parts for episode in part.change.episodes]
        rows = await self._do.remember_episodes(uuid4().hex, brought, status=EpisodeStatus.DIGESTED, recorded_at=now)
        return frozenset(row.id for row in rows if row.new)

    async def _meanings(self, parts: Sequence[_Part], among: Iterable[Merge] | None = None) -> frozenset[Merge]:
        """The merges of short names of which nothing was claimed in their session before."""
        wanted = {meaning for part in parts for meaning in part.change.meanings} if among is None else among
        return await self._do.first_said(wanted, (entity.id for entity in _entities(parts)))

    async def _so_far(self, change: Change, outcome: ChangeOutcome) -> ChangeOutcome:
        """What came of the pieces of an episode so far. The entities of all are counted once, with the last."""
        if change.before is None:
            return outcome
        so_far, read = replace(total([change.before, outcome]), retracted_at=outcome.retracted_at), change.digested[0]
        if read.goes_on:
            return so_far
        named = {mention.entity_id for mention in await self._do.mentions_of_episode(read.episode_id, 0, ALL)}
        return replace(so_far, entities=len(named.union(entity.id for entity in change.evidence.entities)))

    def _outcomes(
        self,
        parts: Sequence[_Part],
        new: Sequence[Sequence[Claim]],
        ground: GroundRow,
        touched: Touched,
        difference: RowChanges,
    ) -> list[ChangeOutcome]:
        """What each part did. A row changes on account of the first part that touches its slot.

        An entity is new where those for whom it is named had not heard of it, whoever else had.
        """
        recorded, superseded = touched.counts(difference)
        slots = _first_of({slot: None for claim in part.claims if (slot := touched.slot(claim))} for part in parts)
        new_names = new_to_hearers(
            {row.id: row.audiences for row in ground.entities}, [_hearers(part.change.evidence) for part in parts]
        )
        return [
            ChangeOutcome(
                entities=len(part.change.evidence.entities),
                new_entities=new_entities,
                mentions=len(part.change.evidence.mentions),
                claims=len(part.change.evidence.claims),
                new_claims=len(claims),
                vectors_pending=_pending(part.change, claims, ground),
                recorded=sum(recorded[slot] for slot in its_slots),
                superseded=sum(superseded[slot] for slot in its_slots),
                dropped=part.change.evidence.dropped,
                unread_times=part.change.evidence.unread_times,
                remarks=part.change.evidence.remarks,
                milliseconds=self._milliseconds(part.change, len(parts)),
                usage=part.change.usage,
                unread=part.change.unread,
            )
            for part, claims, its_slots, new_entities in zip(parts, new, slots, new_names, strict=True)
        ]

    def _milliseconds(self, change: Change, share: int) -> dict[str, float]:
        """Of the transaction, each change has the same share."""
        return {**change.milliseconds, "transaction": round(1000 * (perf_counter() - self._began) / share, 1)}

    # evidence -------------------------------------------------------------------------------------------------------

    async def _lease_rows(self) -> dict[str, LeaseRow]:
        """The episodes under digest, locked in order of id; those that are digested already are left out.

        Those that claims are added to are locked with them.

        Raises:
            NotFound, LeaseLost, ContextChanged: one cannot be digested any more, or not so.
        """
        leased = {_episode_id(change): change for change in self._changes if change.lease is not None}
        added_to = {change.adds_to: 0 for change in self._changes if change.adds_to}
        turns = added_to | {id_: change.digested[0].context_turns for id_, change in leased.items()}
        rows = {row.id: row for row in await self._do.lock_episodes(turns)}
        for id_ in added_to.keys() - {id_ for id_, row in rows.items() if row.status not in _TAKEN_AWAY}:
            raise _gone(id_)
        for id_, change in leased.items():
            _check_lease(id_, rows.get(id_), change)
        return {id_: row for id_, row in rows.items() if row.status is not EpisodeStatus.DIGESTED}

    async def _part(self, change: Change, leases: Mapping[str, LeaseRow]) -> _Part:
        revision = 0 if change.lease is None else leases[_episode_id(change)].revision
        if change.adds_to:
            change = await self._unsaid(change)
        proposed, retract = await (self._renewed(change, revision) if revision else self._proposed(change))
        return _Part(change=change, revision=revision, proposed=proposed, retract=retract)

    async def _proposed(self, change: Change) -> tuple[Sequence[Claim], Sequence[RetractableRow]]:
        """The claims to write, and those to retract."""
        rows = await self._do.claims_to_retract(change.retract)
        missing = set(change.retract) - {row.id for row in rows}
        if missing:
            raise absent(change.group_id, "claim", min(missing))
        return change.evidence.claims, rows

    async def _renewed(self, change: Change, revision: int) -> tuple[Sequence[Claim], Sequence[RetractableRow]]:
        """The claims to write, and those to retract, of an episode, or a piece of it, that is digested anew."""
        read = change.digested[0]
        former = {row.id: row for row in await self._do.claims_of_episode(read.episode_id, read.start, read.end)}
        renewal = renew((row.to_former() for row in former.values()), change.evidence.claims, revision)
        return renewal.write, [former[id_] for id_ in renewal.withdraw]

    async def _new(self, part: _Part, ground: GroundRow, now: datetime) -> list[Claim]:
        """The claims of a part that are not there. Those that add to an episode claim nothing that was withdrawn of it.

        That is asked once the locks are held: it may have been withdrawn while a language model read it.
        """
        new, adds_to = [claim for claim in part.proposed if claim.id not in ground.claims], part.change.adds_to
        if not adds_to or not new:
            return new
        withdrawn = await self._do.withdrawn_spans(adds_to, now)
        return [claim for claim in new if not any_overlap([_span(claim)], withdrawn)]

    async def _unsaid(self, change: Change) -> Change:
        """The change without the claims that its episode has or had already, also those that were retracted."""
        known = [row.claim for row in await self._do.claims_of_episode(change.adds_to, 0, ALL)]
        claims = list[Claim]()
        for claim in change.evidence.claims:
            if not any(_same_said(claim, other) for other in (*known, *claims)):
                claims.append(claim)
        if not claims:
            return replace(change, evidence=NO_EVIDENCE, meanings=(), keys={})
        return replace(change, evidence=replace(change.evidence, claims=tuple(claims)))

    async def _new_mentions(self, part: _Part, now: datetime) -> list[Mention]:
        """Those to write; what an earlier digest saw, and this one does not, is closed. What is added overlaps none."""
        mentions, adds_to = list(part.change.evidence.mentions), part.change.adds_to
        if adds_to and mentions:
            seen = [(mention.start, mention.end) for mention in await self._do.mentions_of_episode(adds_to, 0, ALL)]
            return [
                mention
                for mention in mentions
                if not any(mention.start < end and start < mention.end for start, end in seen)
            ]
        if not part.revision:
            return mentions
        read = part.change.digested[0]
        known = set(await self._do.mentions_of_episode(read.episode_id, read.start, read.end))
        await self._do.supersede_mentions(read.episode_id, known.difference(mentions), now)
        return [mention for mention in mentions if mention not in known]

    async def _retracted(
        self, parts: Sequence[_Part], new: Sequence[Sequence[Claim]], now: datetime
    ) -> dict[str, datetime]:
        """Since when each claim is retracted that a part retracts."""
        retracted_at: dict[str, datetime] = {}
        for part, claims in zip(parts, new, strict=True):
            ids = [row.id for row in part.retract]
            since = await self._do.retract_claims(ids, now, replaced=part.revision > 0)
            if part.change.retract and claims:
                _refuse_corrected(part.retract, since, now)
            retracted_at |= since
        return retracted_at

    # locks and clock ------------------------------------------------------------------------------------------------

    async def _lock(self, parts: Sequence[_Part], subjects: Collection[str]) -> GroundRow:
        """Lock subjects, and entities whose name is first seen here or by everybody, or whose type changes.

        Nobody waits for a mere object of a claim.
        """
        proposed = [claim for part in parts for claim in part.proposed]
        predicates = {claim.predicate for part in parts for claim in part.claims}
        entities = {entity.id: entity for entity in _entities(parts)}
        audiences = _audiences(parts)
        ground = await self._do.lock_change(entities.values(), subjects, proposed, predicates, audiences)
        known = {row.id for row in ground.entities if row.versions}.difference(subjects)
        known_as = _known_as(parts)
        retyped = _retyped(known_as, _new_types(known_as, ground.entities), ground.entities)
        heard_of = _new_to_all(known_as, ground.entities) | retyped
        named = [*_new_names(entities.values(), ground.entities), *(entities[id_] for id_ in sorted(heard_of))]
        renamed = {entity.id: entity for entity in named if entity.id in known}
        if not renamed:
            return ground
        again = await self._do.lock_change(renamed.values(), renamed, proposed, predicates, audiences)
        rows = {row.id: row for row in (*ground.entities, *again.entities)}
        return replace(again, entities=tuple(rows.values()))

    def _stamp(self, ground: GroundRow) -> datetime:
        """The transaction time of these changes.

        It is the clock after the locks, or just after the newest stamp in its slots; in an import, what it brings.
        """
        group, brought = self._group, self._recorded_at
        if ground.importing and brought is None:
            raise Conflict(f"Group {group!r} is importing: say when this was recorded (recorded_at) or end the import.")
        if brought is not None and not ground.importing:
            raise Conflict(f"Group {group!r} is not importing: the clock says when this is recorded, not recorded_at.")
        if brought is None:
            return after(ground, (row.newest_stamp for row in ground.entities))
        if not ground.settled_until <= brought <= ground.now:
            raise Conflict(
                f"recorded_at never decreases and is not ahead of the clock: it must be from "
                f"{ground.settled_until.isoformat()} to {ground.now.isoformat()}, and is {brought.isoformat()}."
            )
        return brought


def _episode_id(change: Change) -> str:
    return change.digested[0].episode_id


def _span(claim: Claim) -> QuotedSpan:
    return QuotedSpan(claim.episode_id, claim.quote_start, claim.quote_end)


def _same_said(first: Claim, second: Claim) -> bool:
    """Whether two claims of an episode say the same, of whatever time, in words that overlap or are the same."""
    return first.words == second.words or (
        _content_of(first) == _content_of(second) and _span(first).overlaps(_span(second))
    )


def _content_of(claim: Claim) -> tuple[object, ...]:
    return (claim.kind, claim.subject_id, claim.predicate, claim.target, claim.user, claim.open, claim.day)


def _gone(id_: str) -> NotFound:
    return NotFound(f"Episode {id_} is gone.")


def _check_lease(id_: str, row: LeaseRow | None, change: Change) -> None:
    if row is None:
        raise _gone(id_)
    if row.status is EpisodeStatus.DIGESTED:
        return
    if row.lease != change.lease:
        raise LeaseLost(f"Another worker has taken episode {id_} over.")
    read = change.digested[0]
    if read.context_turns and row.before != read.context:
        raise ContextChanged("A turn came in that was said before this one, while this one was read.")


def _changed(parts: Iterable[_Part], new: Iterable[Sequence[Claim]]) -> set[str]:
    """The entities of which something is said that was not, or is said no more."""
    gone = (row.claim.subject_id for part in parts for row in part.retract)
    return {claim.subject_id for claim in chain.from_iterable(new)}.union(gone)


def _new_to_all(known_as: Iterable[KnownAs], locked: Iterable[LockedRow]) -> set[str]:
    """The entities that everybody hears of for the first time."""
    named = {known.entity_id for known in known_as if known.user == EVERYBODY}
    return named - {row.id for row in locked if row.known_to_all}


def _hearers(evidence: ResolvedEvidence) -> dict[str, set[str]]:
    """For whom the entities of some evidence are named, by entity."""
    hearers: dict[str, set[str]] = {entity.id: set() for entity in evidence.entities}
    for known in evidence.known_as:
        if known.entity_id in hearers:
            hearers[known.entity_id].add(known.user)
    return hearers


def _audiences(parts: Iterable[_Part]) -> dict[str, set[str]]:
    """The audiences of those for whom each entity is named here."""
    audiences: dict[str, set[str]] = {}
    for known in chain.from_iterable(part.change.evidence.known_as for part in parts):
        audiences.setdefault(known.entity_id, {SHARED}).update(audience_of(known.user))
    return audiences


def _views(parts: Iterable[_Part], new: Iterable[Sequence[Claim]]) -> set[tuple[str, str]]:
    """The entities of which something is said, or is said no more, for a user; each with the user."""
    gone = (row.claim for part in parts for row in part.retract)
    claims = chain(chain.from_iterable(new), gone)
    return {(claim.subject_id, claim.user) for claim in claims if claim.user != EVERYBODY}


def _views_of(known_as: Iterable[KnownAs], retyped: Collection[str]) -> set[tuple[str, str]]:
    """The entities whose type changes for a user; each with the user."""
    return {(known.entity_id, known.user) for known in known_as if known.user and known.entity_id in retyped}


def _ends_of_acts(parts: Iterable[_Part], gone: Collection[str], identities: Identities) -> set[tuple[str, str]]:
    """The entities of which something counts again, for an act is taken back; each with the user of the act."""
    retracted = (row.claim for part in parts for row in part.retract if row.id in gone)
    placed = [(place(claim, identities), claim.user) for claim in retracted if claim.kind.is_act]
    ends = ((end, user) for placed_claim, user in placed for end in (placed_claim.subject_id, placed_claim.object_id))
    return {(end, user) for end, user in ends if end is not None}


def subjects_of(claims: Iterable[Claim], identities: Identities) -> set[str]:
    """The entities that the subjects of claims may stand for: all of them are locked."""
    subjects = {(place(claim, identities).subject_id, claim.user) for claim in claims}
    return {member for identity, user in subjects for member in identities.members(identity, user=user)}


def _meant(meanings: Iterable[Merge]) -> Iterator[tuple[str, str, str]]:
    """Whom short names are to mean, to all who hear of it."""
    for meaning in meanings:
        yield meaning.other, "", meaning.user


async def check_identities(do: Statements, named: Iterable[tuple[str, str, str]], identities: Identities) -> None:
    """Raise ``IdentitiesMoved`` if who is who among what is named is not what it was before locks were taken."""
    if await do.identities_of(named) != identities:
        raise IdentitiesMoved("While locks were waited for, it was decided that other entities are the same.")


def slots_of(claims: Iterable[Claim], policies: Predicates, identities: Identities) -> list[Slot]:
    slots = dict.fromkeys(policies.slot(place(claim, identities)) for claim in claims)
    return [slot for slot in slots if slot is not None]


def _entities(parts: Iterable[_Part]) -> Sequence[Entity]:
    """What the parts name; of one that several name, the name seen first."""
    return as_entities(entity for part in parts for entity in part.change.evidence.entities)


def _known_as(parts: Iterable[_Part]) -> Sequence[KnownAs]:
    """Under which names, and as what, entities are named to whom."""
    return first_names(known for part in parts for known in part.change.evidence.known_as)


def _vectors(parts: Iterable[_Part], ground: GroundRow) -> dict[str, Vector]:
    """The vectors of claims by their words; of another model than the group's, none."""
    return {
        words: vector
        for part in parts
        for words, vector in part.change.vectors.items()
        if ground.takes(part.change.embedding_model, vector)
    }


def _pending(change: Change, new: Iterable[Claim], ground: GroundRow) -> int:
    """How many texts of a change wait for a vector: contents, and statements of claims that are new."""
    model, vectors = change.embedding_model, change.vectors
    worded = [claim for claim in new if not claim.kind.is_act]  # what acts on a value lends its words to no belief
    claims = [claim for claim in worded if claim.words not in vectors or not ground.takes(model, vectors[claim.words])]
    contents = [_embedded(digested, model, ground) for digested in change.digested if not digested.goes_on]
    return len(claims) + sum(not digested.embedded.is_embedded for digested in contents)


def _embedded(digested: Digested, model: str, ground: GroundRow) -> Digested:
    """A digested episode without its vectors where one is of another model than the group's."""
    vectors = [digested.embedded.embedding, *(passage.embedding for passage in digested.embedded.passages)]
    if all(vector is None or ground.takes(model, vector) for vector in vectors):
        return digested
    return replace(digested, embedded=EmbeddedText())


Key = TypeVar("Key")


def _first_of(keys: Iterable[Iterable[Key]]) -> list[list[Key]]:
    """The keys of each list that are in no list before it, each once."""
    seen: set[Key] = set()
    fresh: list[list[Key]] = []
    for some in keys:
        fresh.append([key for key in some if key not in seen])
        seen.update(fresh[-1])
    return fresh


def after(clock: ClockRow, stamps: Iterable[datetime]) -> datetime:
    """The clock, or just after the newest of the stamps, of what was imported, and of what was called settled."""
    passed = (clock.settled_until, clock.promised_until, *stamps)
    return max(clock.now, *(stamp + MICROSECOND for stamp in passed))


def stamp(clock: ClockRow, stamps: Iterable[datetime]) -> datetime:
    """The transaction time of what follows from evidence that is there: in an import, that of its last evidence."""
    return clock.settled_until if clock.importing else after(clock, stamps)


def fading_of(do: Statements, clock: ClockRow) -> Fading:
    """What an import brings never fades: the clock says nothing of when that was used."""
    return NEVER if clock.importing else do.fading


async def supersede(do: Statements, difference: RowChanges, now: datetime) -> None:
    do.keep(difference.kept)
    await do.extend_beliefs(difference.extend)
    await do.set_audiences(difference.audiences)
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


def _new_types(known_as: Iterable[KnownAs], locked: Iterable[LockedRow]) -> Mapping[str, SaidType]:
    """The types that change, by entity, whoever was told of the entity: there was another one, or none."""
    types = first_types(known_as)
    return {row.id: types[row.id] for row in locked if row.id in types and _outranks(types[row.id], row.said_type)}


def _retyped(known_as: Iterable[KnownAs], types: Mapping[str, SaidType], locked: Iterable[LockedRow]) -> set[str]:
    """The entities that show another type now: one of the new ``types``, or another one to everybody."""
    public = first_types(known for known in known_as if known.user == EVERYBODY)
    shown = {row.id for row in locked if row.id in public and _outranks(public[row.id], row.public_type)}
    return shown | types.keys()


def _outranks(said_type: SaidType, believed: SaidType | None) -> bool:
    return believed is None or said_type.rank < believed.rank


def _new_names(entities: Iterable[Entity], locked: Iterable[LockedRow]) -> list[Entity]:
    """Entities whose name is to be recorded: new ones, and those first seen earlier than under their present name."""
    known = {row.id: row for row in locked}
    return [
        entity
        for entity in entities
        if (row := known.get(entity.id))
        and (row.versions == 0 or (entity.first_seen, entity.name) < (row.first_seen, row.name))
    ]
