"""Merging: who is who by hand, and what is undone of it; at once, or where many claims move, by a worker."""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from functools import partial

from graphmem.errors import Conflict, InvalidInput, MovesMany, OurError
from graphmem.identity.short_names import ShortNames
from graphmem.model.damage import must_be_read
from graphmem.model.interval import BEGIN, END
from graphmem.model.matching import Agreement, Judgement, Method, Verdict, pair_of
from graphmem.model.merge import FIRST_REVIEW, Decided, Kin, Merge, Opinion
from graphmem.model.projection.identity import identities
from graphmem.model.recall import KnownEntity, SideBySide
from graphmem.model.scope import EVERYBODY, Scope, audience_of
from graphmem.model.work import Work, WorkKind, WorkProgress, WorkRequest, work_id
from graphmem.recall.access import Access
from graphmem.recall.reader import Reader
from graphmem.resolve.merging import decided
from graphmem.store.change.evidence import EvidenceStore
from graphmem.store.change.moves import MOST_AT_ONCE, MOST_MOVED, Reidentified
from graphmem.store.graph import GraphStore
from graphmem.store.work import WorkStore, request_one


class Merging:
    """What people decide on who is who. Claims stay with the entity they named, so that all of it can be taken back."""

    def __init__(
        self, store: GraphStore, evidence: EvidenceStore, short_names: ShortNames, reader: Reader, access: Access
    ) -> None:
        self._store = store
        self._evidence = evidence
        self._short_names = short_names
        self._reader = reader
        self._access = access

    async def merge(
        self, group: str, first: str, second: str, *, reason: str, user: str = EVERYBODY
    ) -> tuple[Merge, Reidentified]:
        """Decide that two entities are the same, for everybody or in one user's memory, here and now.

        Returns the merge that one of them, or what stands for it, is now a member by, and what changed.

        Raises:
            NotFound: one of them is not known, or not to the user.
            InvalidInput: they are one entity.
            Conflict: that contradicts what somebody else said of entities that are so tied; or too many claims move.
        """
        opinion = await self.same(group, first, second, reason=reason, user=user)
        done = await self.carry_out(group, opinion)
        return tie(done, opinion), done

    async def revert(self, group: str, merge_id: str, *, reason: str, user: str | None = None) -> Reidentified:
        """Take a merge back, here and now.

        Raises:
            NotFound: there is no such merge, or the user may not see it.
            Conflict: it was taken back before, or it holds for everybody and not for this user alone; or that
                contradicts what somebody else said of entities that are so tied; or too many claims move.
        """
        return await self.carry_out(group, await self.undo(group, merge_id, reason=reason, user=user))

    async def decide(
        self, group: str, review_id: str, verdict: Verdict, *, reason: str, user: str | None = None
    ) -> Reidentified:
        """Say whether a pair is the same, here and now. It is not asked about again.

        Raises:
            NotFound: there is no such review, or the user may not see it.
            Conflict: everybody is asked, and not this user alone; or that contradicts what somebody else said of
                entities that are so tied; or too many claims move.
        """
        return await self.carry_out(group, await self.answer(group, review_id, verdict, reason=reason, user=user))

    async def same(self, group: str, first: str, second: str, *, reason: str, user: str = EVERYBODY) -> Opinion:
        """The opinion by hand that two entities are the same, for everybody or in one user's memory.

        Raises:
            NotFound: one of them is not known, or not to the user.
            InvalidInput: they are one entity.
        """
        if first == second:
            raise InvalidInput("An entity is the same as itself already. Give the ids of two.")
        await self._access.entities(group, (first, second), user)
        return by_hand(first, second, Verdict.SAME, user=user, reason=reason)

    async def undo(self, group: str, merge_id: str, *, reason: str, user: str | None = None) -> Opinion:
        """The opinion by hand that takes a merge back: the pair that it rests on is different, of a short name there.

        Raises:
            NotFound: there is no such merge, or the user may not see it.
            Conflict: it was taken back before, or it holds for everybody and not for this user alone.
        """
        merge = await self._access.merge(group, merge_id, user)
        if user is not None and merge.user != user:
            raise Conflict(
                f"Merge {merge_id} holds for everybody, not for user {user!r} alone. Revert it without a user."
            )
        if merge.superseded_at != END:
            raise Conflict(f"Merge {merge_id} was taken back on {merge.superseded_at.isoformat()}.")
        return by_hand(*merge.pair, Verdict.DIFFERENT, user=merge.user, session=merge.session, reason=reason)

    async def answer(
        self, group: str, review_id: str, verdict: Verdict, *, reason: str, user: str | None = None
    ) -> Opinion:
        """The opinion by hand that answers a review.

        Raises:
            NotFound: there is no such review, or the user may not see it.
            Conflict: everybody is asked, and not this user alone.
        """
        opinion = await self._access.review(group, review_id, user)
        if user is not None and opinion.user != user:
            raise Conflict(f"Review {review_id} asks everybody, not user {user!r} alone. Answer it without a user.")
        return by_hand(*opinion.judgement.pair, verdict, user=opinion.user, reason=reason)

    async def carry_out(self, group: str, opinion: Opinion, *, most: int = MOST_MOVED) -> Reidentified:
        """Decide anew by what somebody said of a pair, until somebody says otherwise; again, it changes nothing more.

        Also whom a short name means is decided, where one of the two is one.

        Raises:
            Conflict: that contradicts what somebody else said of entities that are so tied; or too many claims move.
            MovesMany: more than ``most`` claims would move at once. What moves fewer may have been done.
        """
        pair = opinion.judgement.pair
        decide = partial(_by_people, user=opinion.user)
        done = await self._evidence.reidentify(group, pair, decide, [opinion], again=True, most=most)
        return done.then(await self._short_names.decide(group, pair, most=most))

    async def protect(self, group: str, entity_id: str, *, protected: bool) -> None:
        """Say whether only people merge an entity, in everybody's memory and each user's.

        What was computed of it is taken back by the next comparison.

        Raises:
            NotFound: there is no such entity.
        """
        await self._access.entities(group, (entity_id,), None)
        await self._evidence.protect(group, entity_id, protected=protected)

    async def merges(
        self, scope: Scope, *, after: tuple[datetime, str] = (BEGIN, ""), limit: int = 100
    ) -> Sequence[Merge]:
        """The merges in force then, in order of (recorded_at, id), after a position."""
        await self._reader.known_group(scope.group)
        return await self._store.merges(scope, after=after, limit=limit)

    async def reviews(
        self, scope: Scope, *, after: tuple[float, str] = FIRST_REVIEW, limit: int = 100
    ) -> Sequence[Opinion]:
        """Pairs that somebody is to decide, those that look most alike first, after a position."""
        await self._reader.known_group(scope.group)
        return await self._store.reviews(scope, after=after, limit=limit)

    async def side_by_side(self, scope: Scope, first: str, second: str) -> SideBySide:
        """Two entities that the reader has heard of, as they are known now, and what they have in common."""
        clusters = await self._store.clusters(scope, [first, second])
        profiles = await self._store.known_profiles(scope, clusters)
        must_be_read((first, second), profiles)
        neighbours = await self._store.shared_neighbours(scope, first, second)
        return SideBySide(first=profiles[first], second=profiles[second], neighbours=tuple(neighbours))

    async def named(self, scope: Scope, ids: Iterable[str]) -> Mapping[str, KnownEntity]:
        """Those of the entities that the reader has heard of by then, by id."""
        return await self._store.entities_by_id(scope, ids)


def _by_people(kin: Kin, *, user: str) -> Decided:
    """What is decided on these entities, as long as people agree.

    Raises:
        Conflict: people contradict each other: that two are the same, and that what they are tied to is different. One
            user's opinion is held against everybody's and the user's own; others' are none of that user's business.
    """
    decision = decided(kin)
    who = identities(merge.same_as for merge in decision.merges)
    heard = (opinion for opinion in kin.opinions if user == EVERYBODY or opinion.user in audience_of(user))
    for opinion in heard:
        a, b = (who.of(id_, session="", user=opinion.user) for id_ in opinion.judgement.pair)
        if opinion.by_hand and opinion.judgement.is_same and a != b:
            raise Conflict(
                f"Somebody said that {' and '.join(opinion.judgement.pair)} are the same, and somebody said are "
                "different what is so tied together. Revert a merge between them, or merge those said to be different."
            )
    return decision


def tie(done: Reidentified, opinion: Opinion) -> Merge:
    """The merge that rests on an opinion; else, where others tie the two, one that a member of the pair is in by.

    Merges of other users, which may tie them as well, are none of the business of whoever holds the opinion.
    """
    pair, holders = opinion.judgement.pair, (EVERYBODY, opinion.user)
    merges = [merge for merge in (*done.opened, *done.kept) if merge.user in holders]
    ordered = sorted(merges, key=lambda merge: (merge.pair != pair or merge.user != opinion.user, merge.member))
    return next(merge for merge in ordered if merge.pair == pair or merge.member in pair)


def by_hand(
    first: str, second: str, verdict: Verdict, *, user: str, reason: str, session: str | None = None
) -> Opinion:
    """What somebody says of a pair, for everybody or in one user's memory; of a short name, in one session."""
    a, b = pair_of(first, second)
    sure = 1.0 if verdict is Verdict.SAME else 0.0
    judgement = Judgement(
        a=a,
        b=b,
        verdict=verdict,
        stage=None,
        method=Method.HUMAN,
        score=0.0,
        probability=sure,
        contributions=(Agreement(part="said by hand", level=verdict, weight=0.0),),
    )
    return Opinion(judgement=judgement, user=user, session=session, reason=reason)


class HumanDecisions:
    """What people say of pairs, in the order in which they say it of each.

    What moves few claims is carried out at once, the rest by a worker. What is left to a worker is recorded as work
    before anybody is answered. Carried out again, it changes nothing more.
    """

    def __init__(self, merging: Merging, works: WorkStore) -> None:
        self._merging = merging
        self._works = works

    async def decide(self, group: str, opinion: Opinion) -> Reidentified | Work:
        """What came of an opinion by hand, or the work that a worker has to carry it out.

        A pair of which an earlier opinion waits for a worker is left to it as well: the later opinion takes its place.

        Raises:
            Conflict: it contradicts what somebody else said of entities that are so tied; or more claims would move
                than one decision may move.
            Unreadable: the record of the work cannot be read.
        """
        id_ = work_id(WorkKind.MERGE, group, opinion.id)
        if not await self._waits(group, id_):
            with suppress(MovesMany):
                return await self._merging.carry_out(group, opinion, most=MOST_AT_ONCE)
        request = WorkRequest(id=id_, arguments=_arguments(opinion), audience=opinion.user)
        return await request_one(self._works, group, WorkKind.MERGE, request)

    async def carry_out(self, work: Work) -> Reidentified:
        """Carry out the opinion by hand that was left to a worker, and recorded as work.

        Raises:
            Conflict: the opinion contradicts by now what somebody else said of entities that are so tied; or more
                claims would move than one decision may move.
        """
        return await self._merging.carry_out(work.group_id, _opinion(work))

    async def _waits(self, group: str, id_: str) -> bool:
        return any(work.status is WorkProgress.PENDING for work in await self._works.works_by_id(group, [id_]))


def _arguments(opinion: Opinion) -> dict[str, object]:
    judgement = opinion.judgement
    user = opinion.user or None
    session = {} if opinion.session is None else {"session": opinion.session}
    return {"pair": judgement.pair, "verdict": judgement.verdict, "user": user, "reason": opinion.reason, **session}


def _opinion(work: Work) -> Opinion:
    match work.arguments:
        case {"pair": [str(a), str(b)], "verdict": str(verdict), "user": str() | None as user, "reason": str(reason)}:
            session = work.arguments.get("session")
            in_session = session if isinstance(session, str) else None
            return by_hand(a, b, Verdict(verdict), user=user or EVERYBODY, session=in_session, reason=reason)
        case _:
            raise OurError(f"Work {work.id} does not say what was decided.")
