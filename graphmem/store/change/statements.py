"""The statements of a change of evidence in one open transaction: one method per query of ``digest.cypher``."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import asdict, dataclass, field
from datetime import datetime
from operator import attrgetter
from typing import TypeVar

from pydantic import TypeAdapter

from graphmem.errors import Conflict
from graphmem.model.acts import SharedValue
from graphmem.model.belief import Belief
from graphmem.model.claim import Claim
from graphmem.model.damage import Damage
from graphmem.model.embedding import Vector
from graphmem.model.entity import OWN_LABELS, Entity, KnownAs, Mention, SaidType
from graphmem.model.episode import Episode, EpisodeStatus, StoredText
from graphmem.model.evidence import Digested
from graphmem.model.fact import FADING, Fading, Use
from graphmem.model.ids import digest, group_token, name_id, session_id
from graphmem.model.merge import Merge, Opinion
from graphmem.model.projection.existence import BoundingBelief, Existence, existence
from graphmem.model.projection.identity import Identities, SameAs, identities
from graphmem.model.projection.slot import Slot
from graphmem.model.scope import EVERYBODY, SHARED
from graphmem.model.summary import QuotedSpan
from graphmem.model.tombstone import Entrant, Tombstone, refusals
from graphmem.model.work import Lane, WorkKind, WorkRequest
from graphmem.store.driver import Transaction
from graphmem.store.named import GroupQueries
from graphmem.store.parameters import (
    audience_row,
    belief_row,
    claim_row,
    digested_row,
    entity_row,
    episode_row,
    existence_row,
    extended_row,
    judgement_row,
    known_as_row,
    merge_row,
    name_row,
    named_ends,
    progress_row,
    shared_row,
    slot_rows,
    type_row,
)
from graphmem.store.queries import Query
from graphmem.store.rows import IdRow
from graphmem.store.rows.digest import (
    ClaimRow,
    ClockRow,
    FirstSaidRow,
    FormerIdentityRow,
    FormerRow,
    GroundRow,
    LeaseRow,
    RetractableRow,
    RetractedRow,
    SlotRow,
    StampRow,
    VersionRow,
)
from graphmem.store.rows.episode import RememberedRow
from graphmem.store.rows.identity import FirstToldRow, KinRow
from graphmem.store.work import request_work

Clock = TypeVar("Clock", bound=ClockRow)

NO_CALLS: Mapping[str, str] = {}
_SLOT: TypeAdapter[Slot] = TypeAdapter(Slot)
_WHY = "unreadable"


@dataclass(frozen=True, slots=True, kw_only=True)
class Added:
    """What a change adds.

    Names (with the ``keys`` by which they are found until they are indexed), the ``types`` of entities by id, claims
    (with the ``vectors`` of their words), mentions and beliefs that are new; the ids of entities whose slots or names
    it touched (``stamped``) and of which something else is said (``changed``), for whom if for one user (``views``);
    and the episodes it digested, each with what is told of that. Words and contents without a vector wait for theirs.
    """

    names: Sequence[Entity] = ()
    keys: Mapping[str, Collection[str]] = field(default_factory=dict[str, Collection[str]])
    claims: Sequence[Claim] = ()
    vectors: Mapping[str, Vector] = field(default_factory=dict[str, Vector])
    mentions: Sequence[Mention] = ()
    types: Mapping[str, SaidType] = field(default_factory=dict[str, SaidType])
    known_as: Sequence[KnownAs] = ()
    beliefs: Sequence[Belief] = ()
    uses: Mapping[str, Use] = field(default_factory=dict[str, Use])
    shared: AbstractSet[str] = frozenset()
    stamped: Collection[str] = ()
    changed: Collection[str] = ()
    views: Collection[tuple[str, str]] = ()
    digested: Sequence[tuple[Digested, str]] = ()
    embedding_model: str = ""

    @property
    def unembedded(self) -> set[str]:
        """The episodes of which the content, or a claim, has no vector."""
        claims = {
            claim.episode_id for claim in self.claims if claim.words not in self.vectors and not claim.kind.is_act
        }
        read = (digested for digested, _ in self.digested if not digested.goes_on)
        return claims.union(digested.episode_id for digested in read if not digested.embedded.is_embedded)


class Statements:
    """What one transaction can say to the graph of one group. What only writes rows is not said without rows."""

    def __init__(
        self,
        transaction: Transaction,
        queries: Mapping[str, Query],
        group: str,
        types: Iterable[str] = (),
        fading: Fading = FADING,
    ) -> None:
        """``types`` of entities become labels, as those of the group's ontology do."""
        self.fading = fading
        self._run = GroupQueries(transaction, queries, group)
        self._types = list(types)
        self._unreadable_predicates: set[str] = set()
        self._kept: dict[Slot, Damage] = {}
        self._redacted_fingerprints = dict[str, str]()

    # what may come in -----------------------------------------------------------------------------------------------

    async def admit(self, entrants: Sequence[Entrant]) -> None:
        """Check that nothing bars what comes in, and keep it so; before any other lock of the transaction.

        Raises:
            Barred: one was forgotten, or is of a user who opted out; ``each`` has the error of each of them.
        """
        tombstones = await self.lock_tombstones({id_ for entrant in entrants for id_ in entrant.ids})
        refused = refusals(self._run.group, entrants, {tombstone.id: tombstone for tombstone in tombstones})
        for error in refused.values():
            error.each = refused
            raise error
        self._redacted_fingerprints |= {entrant.episode_id: entrant.fingerprint for entrant in entrants}

    async def lock_tombstones(self, ids: Iterable[str]) -> list[Tombstone]:
        """Those of these ids that there are; nobody writes one of the others before this transaction has ended."""
        wanted = sorted(ids)
        return await self._run.whole("lock_tombstones", Tombstone, ids=wanted) if wanted else []

    # locks and clock ------------------------------------------------------------------------------------------------

    async def lock_episodes(self, turns: Mapping[str, int]) -> list[LeaseRow]:
        """Those that are there, locked in order of id; each with the ids of so many turns before it."""
        if not turns:
            return []
        rows = [{"id": id_, "turns": number} for id_, number in sorted(turns.items())]
        return await self._run.whole("lock_episodes", LeaseRow, rows=rows, turns=max(turns.values()))

    async def lock_group(self) -> None:
        await self._run.execute("lock_group")

    async def lock_change(
        self,
        entities: Iterable[Entity],
        lock: Collection[str],
        claims: Sequence[Claim],
        predicates: Iterable[str],
        audiences: Mapping[str, Collection[str]],
    ) -> GroundRow:
        """Make entities, lock some of them and others that are there, and read what the change stands on.

        ``audiences``: by entity, of which it is asked whether they have heard of it; of others, whether everybody has.
        An entity that cannot be read is left out: it is locked, and keeps the names that it has.
        """
        made = {entity.id: entity_row(entity, lock=entity.id in lock) for entity in entities}
        there = {id_: {"id": id_, "lock": True} for id_ in lock if id_ not in made}
        return await self._with_policies(
            "lock_change",
            GroundRow,
            rows=[
                row | {"audiences": sorted(audiences.get(id_, (EVERYBODY,)))}
                for id_, row in sorted((made | there).items())
            ],
            claims=[claim.id for claim in claims],
            predicates=sorted(set(predicates)),
        )

    async def lock_subjects(self, ids: Iterable[str]) -> list[datetime]:
        """The newest stamp of each."""
        rows = await self._run.many("lock_subjects", StampRow, ids=sorted(ids))
        return [row.newest_stamp for row in rows]

    async def clock(self, predicates: Iterable[str]) -> ClockRow:
        return await self._with_policies("clock", ClockRow, predicates=sorted(set(predicates)))

    async def _with_policies(self, query: str, row: type[Clock], **params: object) -> Clock:
        """The one row of a query; of which predicates the policy cannot be read, is remembered."""
        reading = await self._run.reading(query, row, **params)
        policies = [spot.damage for spot in reading.damaged if spot.path[:1] == ("policies",)]
        self._unreadable_predicates.update(damage.id for damage in policies)
        return reading.readable[0]

    # evidence -------------------------------------------------------------------------------------------------------

    async def remember_episodes(
        self,
        request: str,
        episodes: Sequence[Episode],
        *,
        status: EpisodeStatus = EpisodeStatus.PENDING,
        recorded_at: datetime | None = None,
        lane: Lane = Lane.LIVE,
        calls: Mapping[str, str] = NO_CALLS,
    ) -> list[RememberedRow]:
        """Store episodes; without ``recorded_at`` the clock says when. ``calls``: which are to be read together.

        Raises:
            Conflict: one has the identity of a stored episode and says something else.
        """
        if not episodes:
            return []
        rows = await self._run.many(
            "remember_episodes",
            RememberedRow,
            group_token=group_token(self._run.group),
            request=request,
            status=status,
            recorded_at=recorded_at,
            labels=["Work"] if status is EpisodeStatus.PENDING else [],
            lane=lane,
            rows=[episode_row(episode, calls.get(episode.id)) for episode in episodes],
        )
        redacted = self._redacted_fingerprints
        _refuse_other_content(rows, {one.id: {one.fingerprint, redacted.get(one.id, "")} for one in episodes})
        return rows

    async def lock_texts(self, first_id: str) -> list[StoredText]:
        """The texts that an external id has or had, locked, in the order in which they came."""
        return await self._run.whole("lock_texts", StoredText, id=first_id)

    async def keep_put_key(self, episode_id: str, key: str) -> None:
        await self._run.execute("keep_put_key", id=episode_id, key=key)

    async def replace_episode(self, episode_id: str, by: str, now: datetime) -> None:
        await self._run.execute("replace_episode", id=episode_id, by=by, now=now)

    async def outdate_readings(self, ids: Sequence[str], request: str, turns: int) -> None:
        """Have up to so many turns read again that were said after these, which come in with a request now, or go."""
        await self._run.execute_for("outdate_readings", ids, ids=list(ids), request=request, turns=turns)

    async def announce_work(self, lane: Lane) -> None:
        """Say that the group has work to do now; the last statement of a transaction."""
        await self._run.execute_last("announce_work", lane=lane)

    async def claims_of_episode(self, episode_id: str, start: int, end: int) -> list[FormerRow]:
        """The claims of an episode whose quotes begin in ``[start, end)``."""
        return await self._run.whole("claims_of_episode", FormerRow, id=episode_id, start=start, end=end)

    async def withdrawn_spans(self, episode_id: str, known_at: datetime) -> set[QuotedSpan]:
        """Where in an episode the quotes stand of claims that were retracted or rejected by then, whoever may know."""
        return set(
            await self._run.whole("withdrawn_spans", QuotedSpan, audience=None, known_at=known_at, ids=[episode_id])
        )

    async def mentions_of_episode(self, episode_id: str, start: int, end: int) -> list[Mention]:
        """The mentions in an episode that begin in ``[start, end)``."""
        return await self._run.many("mentions_of_episode", Mention, id=episode_id, start=start, end=end)

    async def supersede_mentions(self, episode_id: str, mentions: Iterable[Mention], now: datetime) -> None:
        rows = [{"entity_id": mention.entity_id, "start": mention.start, "end": mention.end} for mention in mentions]
        await self._run.execute_for("supersede_mentions", rows, id=episode_id, rows=rows, now=now)

    async def claims_to_retract(
        self, ids: Sequence[str], audience: Sequence[str] | None = None
    ) -> list[RetractableRow]:
        """Those of the claims that readers of these audiences (None: of all) may see."""
        if not ids:
            return []
        return await self._run.whole("claims_to_retract", RetractableRow, ids=list(ids), audience=audience)

    async def retract_claims(self, ids: Sequence[str], now: datetime, *, replaced: bool) -> dict[str, datetime]:
        """Since when each of the claims is retracted; ``replaced``: a digest does it."""
        if not ids:
            return {}
        rows = await self._run.whole("retract_claims", RetractedRow, ids=list(ids), replaced=replaced, now=now)
        return {row.id: row.retracted_at for row in rows}

    async def mark_stale(
        self, ids: Iterable[str], acts: Iterable[Claim], ends: Iterable[tuple[str, str]], now: datetime
    ) -> None:
        """Have summaries and reflections made again of these claims, and of those on whose value these acts are.

        Those are made again, too, that rest on claims on whose value one of these acts, or whose quotes overlap the
        quote of one that is withdrawn; and summaries of the entities that are ``ends``, each with the user in whose
        memory it changed.
        """
        claims, values = sorted(set(ids)), [_value_row(act) for act in acts]
        await self._run.execute_for("mark_stale", [*claims, *values], ids=claims, acts=values, now=now)
        await self.mark_reflections_stale(claims, values, now)
        await self.mark_entity_summaries_stale(claims, values, ends, now)

    async def mark_reflections_stale(
        self, claims: Sequence[str], values: Sequence[Mapping[str, str]], now: datetime
    ) -> None:
        await self._run.execute_for("mark_reflections_stale", [*claims, *values], ids=claims, acts=values, now=now)

    async def mark_entity_summaries_stale(
        self, claims: Sequence[str], values: Sequence[Mapping[str, str]], ends: Iterable[tuple[str, str]], now: datetime
    ) -> None:
        """Have summaries of entities made again, also those of ``ends``, each with the user whose memory changed."""
        rows = [{"id": id_, "user": user} for id_, user in sorted(set(ends))]
        await self._run.execute_for(
            "mark_entity_summaries_stale", [*claims, *values, *rows], ids=claims, acts=values, ends=rows, now=now
        )

    # projection -----------------------------------------------------------------------------------------------------

    async def identities(self, claims: Iterable[Claim]) -> Identities:
        """Who is who among the ends of claims, and all that stand for the same."""
        return await self.identities_of(named_ends(claims))

    async def identities_of(self, named: Iterable[tuple[str, str, str]]) -> Identities:
        """Who is who among entities, each named in a session, by or for a user, and all that stand for the same."""
        wanted = [{"id": id_, "session": session, "user": user} for id_, session, user in dict.fromkeys(named)]
        rows = await self._run.whole("identities", SameAs, named=wanted) if wanted else []
        return identities(rows)

    async def first_said(self, meanings: Iterable[Merge], named: Iterable[str]) -> frozenset[Merge]:
        """Of merges of short names, those of which nothing was claimed in the session; ``named`` are new entities."""
        by_place = {(meaning.member, meaning.session or "", meaning.user): meaning for meaning in meanings}
        rows = [
            {
                "member": member,
                "other": meaning.other,
                "session": session,
                "session_id": session_id(self._run.group, session),
                "user": user,
            }
            for (member, session, user), meaning in sorted(by_place.items())
        ]
        if not rows:
            return frozenset()
        first = await self._run.whole("first_said", FirstSaidRow, rows=rows, named=sorted(named))
        return frozenset(by_place[row.member, row.session, row.user] for row in first)

    async def slots(
        self, slots: Sequence[Slot], identities: Identities
    ) -> tuple[Mapping[Slot, SlotRow], Mapping[Slot, Damage]]:
        """Slots as they are; and those of which something cannot be read, each with what that is."""
        if not slots:
            return {}, {}
        reading = await self._run.reading("slots", SlotRow, slots=slot_rows(slots, identities))
        damaged = {slots[spot.row]: spot.damage for spot in reading.damaged}
        damaged |= {slot: _policy_of(slot) for slot in slots if slot.predicate in self._unreadable_predicates}
        rows = {slots[number]: row for number, row in reading.rows if slots[number] not in damaged}
        return rows, damaged

    def keep(self, slots: Mapping[Slot, Damage]) -> None:
        """Remember that slots stay as they are, because something of them cannot be read."""
        self._kept |= slots

    async def ask_for_repair(self, *, but: Slot | None = None) -> None:
        """Have the slots that stay as they are projected once they can be read; the last statement of a transaction.

        To leave a damaged claim out would settle a falsehood. So the change that touches such a slot writes its
        evidence, leaves the rows alone, and asks for work: one record for each slot.
        """
        repairs = [_repair(self._run.group, slot, why) for slot, why in self._kept.items() if slot != but]
        await request_work(self._run, WorkKind.REPAIR, sorted(repairs, key=attrgetter("id")))

    async def claims_of_predicate(self, subjects: Sequence[str], predicate: str) -> tuple[list[Claim], list[Damage]]:
        """The claims of subjects with a predicate that can be read, and what of the others cannot."""
        reading = await self._run.reading("claims_of_predicate", ClaimRow, ids=list(subjects), predicate=predicate)
        return [row.claim for row in reading.readable], reading.damage

    # who is who -----------------------------------------------------------------------------------------------------

    async def kin(self, ids: Iterable[str]) -> list[KinRow]:
        """Those that are there, with what is thought of them and what is in force."""
        return await self._run.whole("kin", KinRow, ids=sorted(ids))

    async def first_told(self, ids: Iterable[str], users: Iterable[str]) -> dict[tuple[str, str], datetime]:
        """When each of these users was first told of entities, by entity and user; "" is everybody."""
        rows = await self._run.whole("first_told", FirstToldRow, ids=sorted(ids), users=sorted(users))
        return {(row.id, row.user): row.at for row in rows}

    async def claims_of_entities(self, sessions: Mapping[str, Sequence[str] | None]) -> list[Claim]:
        """The standing claims that have one of these entities at an end; in these sessions, or in all (None)."""
        named = [{"id": id_, "sessions": some} for id_, some in sessions.items()]
        rows = await self._run.whole("claims_of_entities", ClaimRow, named=named)
        return list({claim.id: claim for claim in (row.claim for row in rows)}.values())

    async def mark_overtaken(self, ids: Iterable[str], seconds: float) -> None:
        """Have claims placed again that name entities whose merges change, once other writers are gone: then."""
        marked = sorted(set(ids))
        await self._run.execute_for("mark_overtaken", marked, ids=marked, seconds=seconds)

    async def former_identities(self, ids: Iterable[str], since: datetime) -> dict[str, set[str]]:
        """By entity, all that it stood for at some time since then, itself among them."""
        wanted = sorted(set(ids))
        rows = await self._run.whole("former_identities", FormerIdentityRow, ids=wanted, since=since)
        former: dict[str, set[str]] = {id_: {id_} for id_ in wanted}
        for row in rows:
            former[row.id].add(row.identity)
        return former

    async def set_protected(self, entity_id: str, now: datetime, *, protected: bool) -> None:
        await self._run.execute("set_protected", id=entity_id, protected=protected, now=now)

    async def record_judgements(self, opinions: Iterable[Opinion], now: datetime) -> None:
        rows = [judgement_row(opinion) for opinion in opinions]
        await self._run.execute_for("record_judgements", rows, rows=rows, now=now)

    async def forget_judgements(self, ids: Collection[str]) -> None:
        await self._run.execute_for("forget_judgements", sorted(ids), ids=sorted(ids))

    async def close_merges(self, ids: Sequence[str], now: datetime) -> None:
        await self._run.execute_for("close_merges", ids, ids=list(ids), now=now)

    async def open_merges(self, merges: Iterable[Merge], now: datetime) -> None:
        rows = [merge_row(merge, now) for merge in merges]
        await self._run.execute_for("open_merges", rows, rows=rows, now=now)

    # beliefs --------------------------------------------------------------------------------------------------------

    async def supersede_relationships(self, ids: Sequence[str], now: datetime) -> None:
        await self._run.execute_for("supersede_relationships", ids, ids=list(ids), now=now)

    async def supersede_facts(self, ids: Sequence[str], now: datetime) -> None:
        await self._run.execute_for("supersede_facts", ids, ids=list(ids), now=now)

    async def drop_facts(self, ids: Sequence[str], now: datetime) -> None:
        await self._run.execute_for("drop_facts", ids, ids=list(ids), now=now)

    async def extend_beliefs(self, extend: Mapping[str, Use]) -> None:
        """Have rows, by their ids, fade later."""
        rows = [extended_row(id_, use) for id_, use in sorted(extend.items())]
        await self._run.execute_for("extend_beliefs", rows, rows=rows)

    # who may see them -----------------------------------------------------------------------------------------------

    async def set_audiences(self, audiences: Mapping[str, str]) -> None:
        """Say who may see rows, by their ids, of any time."""
        rows = [audience_row(self._run.group, id_, audience) for id_, audience in sorted(audiences.items())]
        await self._run.execute_for("set_audiences", rows, rows=rows)

    async def share_values(self, values: Iterable[SharedValue], now: datetime, *, in_force: bool) -> frozenset[str]:
        """Share values, or take that back; returns the ids of those of which that changed."""
        rows = [shared_row(value) for value in sorted(values, key=attrgetter("id"))]
        changed = await self._run.whole("share_values", IdRow, rows=rows, in_force=in_force, now=now)
        return frozenset(row.id for row in changed)

    async def name_shared(self, ids: Iterable[str]) -> None:
        """Let everybody see the names of entities that shared values are about, and take that from the others."""
        named = sorted(set(ids))
        await self._run.execute("name_shared", ids=named, shared_with_all=SHARED)
        await self.show_types(named)

    async def versions_of_values(self, ids: Iterable[str], user: str, predicate: str) -> list[VersionRow]:
        """Superseded versions of a user's beliefs about entities, or about what these were ever the same as."""
        return await self._run.whole(
            "versions_of_values", VersionRow, ids=sorted(set(ids)), user=user, predicate=predicate
        )

    async def note_access(self, now: datetime) -> None:
        """Say that it changed who may see what in the group."""
        await self._run.execute("note_access", now=now)

    # existence ------------------------------------------------------------------------------------------------------

    async def bounding_beliefs(self, ids: Collection[str]) -> list[BoundingBelief]:
        return await self._run.many("bounding_beliefs", BoundingBelief, ids=sorted(ids)) if ids else []

    async def follow_existence(self, ids: Iterable[str]) -> None:
        """Have the nodes of entities, which are locked, say from when to when everybody believes that they existed.

        That is what is believed by the end of this transaction.
        """
        beliefs: dict[str, list[BoundingBelief]] = {id_: [] for id_ in sorted(ids)}
        for belief in await self.bounding_beliefs(beliefs):
            beliefs[belief.subject_id].append(belief)
        await self.keep_existence({id_: existence(some) if some else None for id_, some in beliefs.items()})

    async def follow_names(self, ids: Iterable[str]) -> None:
        """Have the nodes of persons who are users, which are locked, show the newest name that the user goes by."""
        rows = sorted(ids)
        await self._run.execute_for("follow_names", rows, ids=rows)

    async def show_types(self, ids: Iterable[str]) -> None:
        """Have the nodes of entities, which are locked, show the type that everybody was told of, and its label."""
        rows = sorted(ids)
        await self._run.execute_for(
            "show_types",
            rows,
            ids=rows,
            audience=[EVERYBODY, SHARED],
            types=self._types,
            own_labels=sorted(OWN_LABELS),
        )

    async def keep_existence(self, existences: Mapping[str, Existence | None]) -> None:
        rows = [existence_row(id_, period) for id_, period in existences.items()]
        await self._run.execute_for("keep_existence", rows, rows=rows)

    # the end --------------------------------------------------------------------------------------------------------

    async def settle_import(self, now: datetime) -> None:
        await self._run.execute("settle_import", now=now)

    async def write_change(self, added: Added, now: datetime) -> None:
        """Write all that a change adds."""
        beliefs = [
            belief_row(belief, added.uses[belief.id], now, shared=belief.id in added.shared) for belief in added.beliefs
        ]
        await self._run.execute(
            "write_change",
            group_token=group_token(self._run.group),
            now=now,
            names=[name_row(entity, added.keys.get(entity.id, ())) for entity in added.names],
            claims=[claim_row(claim, added.vectors.get(claim.words)) for claim in added.claims],
            mentions=[asdict(mention) for mention in added.mentions],
            relationships=[row for row in beliefs if row["object_id"] is not None],
            facts=[row for row in beliefs if row["object_id"] is None],
            stamped=sorted(added.stamped),
            changed=sorted(added.changed),
            digested=[digested_row(digested, outcome) for digested, outcome in added.digested if not digested.goes_on],
            progress=[progress_row(digested, outcome) for digested, outcome in added.digested if digested.goes_on],
            embedding_model=added.embedding_model,
            unembedded=sorted(added.unembedded),
            known_as=[known_as_row(known) for known in added.known_as],
            types=[type_row(id_, said_type) for id_, said_type in sorted(added.types.items())],
            views=sorted(name_id(*view) for view in added.views),
        )


def slot_of(arguments: Mapping[str, object]) -> Slot:
    """The slot that work of the kind ``repair`` is about."""
    return _SLOT.validate_python({name: value for name, value in arguments.items() if name != _WHY})


def _repair(group: str, slot: Slot, why: Damage) -> WorkRequest:
    """Work to project a slot of which something cannot be read: a worker takes it up until it succeeds."""
    return WorkRequest(
        id=digest(
            *("repair", group, slot.user, slot.subject_id, slot.predicate, slot.target, slot.day, slot.open),
            *slot.distinguished_by,
        ),
        target=slot.predicate,
        arguments={**asdict(slot), _WHY: str(why)},
        audience=slot.user,
    )


def _refuse_other_content(rows: Iterable[RememberedRow], fingerprints: Mapping[str, Collection[str]]) -> None:
    """Raise Conflict where an identity was used before for something else than has one of these fingerprints."""
    for row in rows:
        if row.fingerprint not in fingerprints[row.id]:
            raise Conflict(
                f"Episode {row.id} exists with other content. The same external_id or Idempotency-Key of a user must "
                "come with the same content, time, session, role and speaker, or the same claim; use a new one for a "
                "new one."
            )


def _policy_of(slot: Slot) -> Damage:
    return Damage("Predicate", slot.predicate, "", "how many values it holds is not known")


def _value_row(act: Claim) -> dict[str, str]:
    return {"subject_id": act.subject_id, "predicate": act.predicate, "target": act.target, "user": act.user}
