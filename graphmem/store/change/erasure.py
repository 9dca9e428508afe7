"""Erases episodes, with all that they said and all that rests on it, at every time at which it was known.

One transaction. It looks what goes, locks what that touches in order of id, and looks again; where more is touched by
then, it begins anew. Then every slot in which an erased claim ever stood gets the history that it would have without. A
text in whose place an erased one came stands on, with its claims, until another one took that place.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import chain

from graphmem.errors import IdentitiesMoved
from graphmem.model.acts import is_shared, value_of
from graphmem.model.claim import Claim
from graphmem.model.erasure import (
    EverClaimed,
    EverDecided,
    Naming,
    ReplacedText,
    as_if_unsaid,
    renamed,
    resting_on,
    standing_for,
)
from graphmem.model.fact import Fading, Use
from graphmem.model.forgetting import Erased
from graphmem.model.interval import BEGIN, END
from graphmem.model.projection.history import (
    Course,
    DatedClaim,
    Past,
    RecordedVersion,
    held_before,
    history,
    projected_at,
    renewals,
    rewriting,
)
from graphmem.model.projection.slot import Slot
from graphmem.model.work import Lane
from graphmem.store.change.erasing import Erasing
from graphmem.store.change.writer import fading_of, stamp
from graphmem.store.rows.forget import EverHeldRow, ForgottenEpisodeRow, SlotEverRow

Tied = Mapping[str, AbstractSet[str]]
"""By entity, all that it was ever decided to be the same as, itself among them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Target:
    """What goes: claims, and ``gone`` entities that nothing else names; ``named`` are all that are named there.

    ``moved`` are other claims that speak of what a gone entity stood for. ``restored`` are claims of ``texts`` as they
    would have stood had nothing that goes taken the place of these. ``decisions`` are all that tie what is named to
    others, ``left`` those that would be without the gone ones.
    """

    erased: Mapping[str, EverClaimed]
    named: frozenset[str]
    gone: frozenset[str]
    moved: Mapping[str, DatedClaim]
    texts: Mapping[str, ReplacedText]
    restored: Mapping[str, DatedClaim]
    decisions: tuple[EverDecided, ...]
    left: tuple[EverDecided, ...]

    @property
    def tied(self) -> Tied:
        return _tied(self.decisions)

    @property
    def touches(self) -> set[str]:
        """The entities to lock: all that subjects may have stood for, and all that are named."""
        claims = (*self.erased.values(), *self.moved.values(), *self.restored.values())
        subjects = {one.claim.subject_id for one in claims}
        tied = self.tied
        return {*self.named}.union(*(tied.get(id_, {id_}) for id_ in subjects))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Rewritten:
    """What becomes of the rows of slots."""

    drop: Sequence[str]
    end: Sequence[tuple[EverHeldRow, datetime]]
    write: Sequence[tuple[RecordedVersion, Use, bool]]

    @property
    def reopened(self) -> int:
        again = [version for version, _, _ in self.write if version.superseded_at == END]
        return len(again) + sum(until == END for _, until in self.end)


async def erase(do: Erasing, ids: Sequence[str]) -> tuple[Erased, datetime]:
    """Erase episodes; returns what went, and when answers about the past changed thereby.

    Raises:
        IdentitiesMoved: while locks were waited for, more was said of what is touched.
    """
    replaced = await do.replaced_texts(ids)
    forgotten = set(ids)
    locked = await do.lock_forgotten({*forgotten, *(text.id for text in replaced)})
    if await do.replaced_texts(ids) != replaced:
        raise IdentitiesMoved("While locks were waited for, another text took the place of one of these.")
    episodes = [episode for episode in locked if episode.id in forgotten]
    found = [episode.id for episode in episodes]
    standing = as_if_unsaid(replaced, found)
    first = await _target(do, found, standing)
    stamps = await do.lock_subjects(first.touches)
    target = await _target(do, found, standing)
    if target != first:
        raise IdentitiesMoved("While locks were waited for, more was said of these entities.")
    clock = await do.clock([])
    now = stamp(clock, stamps)
    rows = await _rewritten(do, target, fading_of(do, clock))
    texts = await do.erase_texts(found, target.erased, now)
    await do.drop_rows(rows.drop)
    await do.end_rows(rows.end)
    await do.move_decisions(one for one in target.left if one not in set(target.decisions))
    evidence = await do.erase_evidence(found, target.erased)
    await do.put_texts_back(standing, now)
    await do.write_versions(rows.write)
    shared = await do.erase_shared(value_of(one.claim).id for one in target.erased.values())
    if target.gone:
        await do.lock_group()  # as late as can be: who is answered settled waits for it
    entities = await do.erase_entities(target.gone, now)
    kept = target.touches - target.gone
    await _rename(do, kept & target.named, episodes, now)
    sessions = await do.erase_sessions({episode.session_id for episode in episodes if episode.session_id})
    await do.restamp(kept, now)
    await do.follow_existence(kept)
    await do.follow_names(kept)
    await do.name_shared(kept & target.named)
    if standing:
        await do.announce_work(Lane.LIVE)
    erased = Erased(
        episodes=evidence.episodes,
        claims=evidence.claims,
        mentions=evidence.mentions,
        passages=evidence.passages,
        rows=len(rows.drop),
        rewritten=len(rows.end) + len(rows.write),
        reopened=rows.reopened,
        texts=texts,
        shared=shared,
        entities=entities,
        sessions=sessions,
    )
    return erased, now


async def _target(do: Erasing, ids: Sequence[str], standing: Iterable[ReplacedText]) -> _Target:
    """What goes with episodes, as it is now, and what comes back of the texts that are ``standing`` on without them."""
    evidence = await do.evidence_of_episodes(ids)
    said = {row.claim.id: row.to_domain() for row in evidence.claims}
    values = {(row.claim.subject_id, row.claim.predicate, row.claim.user) for row in evidence.claims}
    beside = {row.claim.id: row.to_domain() for row in await do.claims_about(values)}
    acts = resting_on((one.claim for one in said.values()), beside.values())
    erased = said | {id_: beside[id_] for id_ in acts}
    named = frozenset(evidence.named).union(*(_ends(one.claim) for one in erased.values()))
    texts = {text.id: text for text in standing}
    restored = await _restored(do, texts)
    spoken_of = named.union(*(_ends(dated.claim) for dated in restored.values()))
    decisions = await do.decided_ever(spoken_of)
    tied = _tied(decisions)
    left = await do.support_left(named.union(*(tied.get(id_, ()) for id_ in named)), ids, erased)
    gone = frozenset(row.id for row in left if not row.supported and row.id in named)
    first_seen = {row.id: row.first_seen for row in left}
    rooted = {one.dated.same_as.other for one in decisions} & gone
    moved = dict[str, DatedClaim]()
    if rooted:
        rows = await do.claims_with_ends(frozenset[str]().union(*(tied[id_] for id_ in rooted)))
        moved = {row.claim.id: row.dated for row in rows if row.claim.id not in erased}
        decisions = await do.decided_ever(spoken_of.union(*(_ends(dated.claim) for dated in moved.values())))
    return _Target(
        erased=erased,
        named=named,
        gone=gone,
        moved=moved,
        texts=texts,
        restored=restored,
        decisions=tuple(decisions),
        left=tuple(standing_for(decisions, gone, first_seen)),
    )


async def _restored(do: Erasing, texts: Mapping[str, ReplacedText]) -> dict[str, DatedClaim]:
    """The claims that were retracted because an erased text took the place of theirs, as they stand without it."""
    if not texts:
        return {}
    evidence = await do.evidence_of_episodes(sorted(texts))
    return {
        row.claim.id: replace(row.dated, retracted_at=text.followed_at or END)
        for row in evidence.claims
        for text in [texts[row.claim.episode_id]]
        if row.retracted_at == text.replaced_at
    }


async def _rewritten(do: Erasing, target: _Target, fading: Fading) -> _Rewritten:
    """What becomes of the rows of all slots in which anything ever stood that goes or moves."""
    erased, moved, restored = target.erased.values(), target.moved.values(), target.restored.values()
    predicates = {one.claim.predicate for one in (*erased, *moved, *restored)}
    policies, began = await do.policies_ever(predicates), await do.began_at()
    before = Past(policies=policies, decisions=[one.dated for one in target.decisions], began_at=began)
    after = replace(before, decisions=[one.dated for one in target.left])
    since = dict[Slot, datetime]()
    for one in erased:
        for slot in before.slots_of(one.dated):
            since[slot] = min(one.dated.recorded_at, since.get(slot, END))
    for dated in restored:
        replaced_at = target.texts[dated.claim.episode_id].replaced_at
        for slot in (*before.slots_of(dated), *after.slots_of(dated)):
            since[slot] = min(replaced_at, since.get(slot, END))
    for dated in moved:
        since |= dict.fromkeys((*before.slots_of(dated), *after.slots_of(dated)), BEGIN)
    slots = list(since)
    found = await do.slots_ever(slots, target.tied)
    ends = {id_ for row in found for one in row.claims for id_ in _ends(one.claim)}
    known = await do.decided_ever(ends)
    others = [one.dated for one in known if one not in set(target.decisions)]
    before = replace(before, decisions=[*before.decisions, *others])
    after = replace(after, decisions=[*after.decisions, *others])
    changed = [
        _slot_rewritten(slot, since[slot], row, target, before, after, fading)
        for slot, row in zip(slots, found, strict=True)
    ]
    return _Rewritten(
        drop=list(chain.from_iterable(one.drop for one in changed)),
        end=list(chain.from_iterable(one.end for one in changed)),
        write=list(chain.from_iterable(one.write for one in changed)),
    )


def _slot_rewritten(
    slot: Slot,
    since: datetime,
    row: SlotEverRow,
    target: _Target,
    before: Past,
    after: Past,
    fading: Fading,
) -> _Rewritten:
    claims = {one.claim.id: one.dated for one in row.claims}
    course = Course(
        slot=slot,
        claims=[target.restored.get(id_, dated) for id_, dated in claims.items() if id_ not in target.erased],
        past=after,
        projected_at=projected_at(row.held, claims.values(), before),
        renewed=renewals(row.held, {held.id: held.belief_id for held in row.held}),
    )
    versions = history(course, since, held_before(row.held, since))
    change = rewriting(row.held, versions, since)
    recorded_at = {id_: dated.recorded_at for id_, dated in claims.items()}
    shared = {value.id for value in row.shared}
    return _Rewritten(
        drop=[held.id for held in change.drop],
        end=change.end,
        write=[
            (
                version,
                _use(version, row.held, recorded_at, fading),
                is_shared(version.belief, version.claims, shared, after.identities_at(version.recorded_at)),
            )
            for version in change.write
        ],
    )


def _use(
    version: RecordedVersion, held: Iterable[EverHeldRow], recorded_at: Mapping[str, datetime], fading: Fading
) -> Use:
    """The use of a version: of the claims that support it, and of rows of the same belief before."""
    belief = version.belief
    same = [row for row in held if row.belief_id == belief.id]
    used = [row.last_accessed for row in same if row.last_accessed]
    supported = [recorded_at[id_] for id_ in belief.supported_by if recorded_at[id_] < version.superseded_at]
    anchored_at = max([*used, *supported], default=version.recorded_at)
    return Use(
        anchored_at=anchored_at,
        fades_at=fading.fades_at(belief.category, belief.confidence, anchored_at, protected=belief.protected),
        access_count=max((row.access_count for row in same), default=0),
        last_accessed=max(used, default=None),
    )


async def _rename(
    do: Erasing,
    ids: Collection[str],
    episodes: Sequence[ForgottenEpisodeRow],
    now: datetime,
) -> None:
    """Have entities that stay be known under the names that are left, to those who still hear of them."""
    if not ids:
        return
    instants = {episode.occurred_at for episode in episodes}
    rows = await do.namings(ids, {episode.user for episode in episodes}, [episode.id for episode in episodes])
    resting = [row for row in rows if row.known and row.to_domain().rests_on(instants)]
    left = await do.namings_left(resting)
    namings = {row.id: Naming() for row in rows if not row.known}
    namings |= {row.id: renamed(row.to_domain(), row.key, left[row.id].namings, do.listed_types) for row in resting}
    await do.rewrite_names(namings, now)
    await do.rename_entities({row.entity_id for row in rows if row.id in namings}, now)


def _ends(claim: Claim) -> set[str]:
    return {claim.subject_id, *([claim.object_id] if claim.object_id is not None else [])}


def _tied(decisions: Iterable[EverDecided]) -> Tied:
    """All that are tied by decisions, whenever these were in force, by each of them."""
    neighbours = defaultdict[str, set[str]](set)
    for one in decisions:
        same_as = one.dated.same_as
        neighbours[same_as.member].add(same_as.other)
        neighbours[same_as.other].add(same_as.member)
    tied = dict[str, set[str]]()
    for id_ in neighbours:
        if id_ in tied:
            continue
        seen, ahead = set[str](), {id_}
        while ahead:
            seen |= ahead
            ahead = {other for one in ahead for other in neighbours[one]} - seen
        tied |= dict.fromkeys(seen, seen)
    return tied
