"""Matching: who may be who is looked up in indexes, judged, and decided, in batches over what changed.

A pure function of the evidence that stands and of what people said: never of what was decided before. May be killed at
any instruction and run again.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from itertools import combinations
from typing import Self

from graphmem.errors import Conflict, InvalidInput, NotFound
from graphmem.memory.nearness import Nearness
from graphmem.memory.overtaken import Overtaken, Placed
from graphmem.memory.short_names import ShortNames
from graphmem.model.matching import (
    Decisions,
    Judgement,
    MatchingSettings,
    Method,
    ModelAnswer,
    Pair,
    PairReviewer,
    Profile,
    Says,
    Verdict,
    View,
    evidence_of,
    pair_of,
)
from graphmem.model.merge import Decided, Kin, Opinion
from graphmem.model.projection.identity import identities
from graphmem.model.scope import EVERYBODY, audience_of
from graphmem.resolve.frequencies import (
    Counted,
    changes,
    counting,
    key_tokens,
    look_up_tokens,
    moved,
)
from graphmem.resolve.matching.contrasts import tells_apart
from graphmem.resolve.matching.decide import judge
from graphmem.resolve.matching.short import short_of
from graphmem.resolve.merging import decided
from graphmem.store.change.evidence import EvidenceStore
from graphmem.store.change.moves import MOST_MOVED, MergeChanges, Reidentified
from graphmem.store.matching import IndexWriter, MatchingStore

_DEFAULTS = MatchingSettings()
_SAID = {Says.SAME: Verdict.SAME, Says.DIFFERENT: Verdict.DIFFERENT, Says.UNSURE: Verdict.REVIEW}
LARGEST_JUDGED_WHOLE = 40
"""Entities that are tied together of which every two are compared."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """What came of comparing some entities: how many, how many pairs, what was thought of them, and what was decided.

    A dry run decides nothing: it says how the merges of short names ``would`` change.
    """

    entities: int
    pairs: int
    judgements: tuple[Judgement, ...]
    done: Reidentified = field(default_factory=Reidentified)
    would: tuple[MergeChanges, ...] = ()

    def then(self, later: Self) -> "Compared":
        """What came of this and of comparing others after it."""
        return Compared(
            entities=self.entities + later.entities,
            pairs=self.pairs + later.pairs,
            judgements=self.judgements + later.judgements,
            done=self.done.then(later.done),
            would=self.would + later.would,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Explained:
    """What is thought of a pair. ``proposed``: a look-up in the indexes finds one from the other."""

    judgement: Judgement
    proposed: bool


class Matching:
    """Indexes and compares the entities of a group, a batch at a time."""

    def __init__(
        self,
        store: MatchingStore,
        evidence: EvidenceStore,
        short_names: ShortNames,
        nearness: Nearness,
        overtaken: Overtaken,
        settings: MatchingSettings,
        reviewer: PairReviewer | None = None,
    ) -> None:
        """``reviewer`` is asked about what computation leaves open."""
        self._store = store
        self._evidence = evidence
        self._short_names = short_names
        self._nearness = nearness
        self._overtaken = overtaken
        self._settings = settings
        self._reviewer = reviewer

    async def next_group(self, after: str) -> str | None:
        """The next group in which something is to be done."""
        return await self._store.next_group_to_match(after)

    async def unique_sources(self, group: str) -> list[str]:
        """The sources of which no two entities are one, in order."""
        return await self._store.unique_sources(group)

    async def set_unique_source(self, group: str, source: str, *, unique: bool) -> None:
        """Say whether two entities of a source may be one. If that is news, all are compared again."""
        if await self._store.set_unique_source(group, source, unique=unique):
            await self._store.mark_group(group)

    async def follow_settings(self, group: str) -> None:
        """Where a group was compared by other settings before, all its entities are to be compared by these."""
        held = await self._store.matching_settings(group) or _DEFAULTS.fingerprint
        if held != self._settings.fingerprint:
            await self._store.mark_group_to_index(group)
            await self._store.set_matching_settings(group, self._settings.fingerprint)

    async def index_some(self, group: str, limit: int) -> int:
        """Index up to so many entities of which something was said since; returns how many there were.

        Where that makes a term more or less common, those that hold it are to be compared again.
        """
        due = await self._store.due_to_index(group, limit)
        if due:
            await self._evidence.index(group, lambda writer: self._index(writer, group, due))
        return len(due)

    async def embed_some(self, group: str, limit: int) -> int:
        """Embed up to so many names that have no vector yet; returns how many. None where the model is away."""
        return await self._nearness.embed_some(group, limit)

    async def place_some(self, group: str, limit: int) -> Placed | None:
        """Place claims again that were written while merges of up to so many entities changed; None where none is."""
        return await self._overtaken.place_some(group, limit)

    async def _index(self, writer: IndexWriter, group: str, due: Mapping[str, datetime]) -> None:
        await writer.lock_group()
        now = await writer.clock()
        rows = await writer.profiles(due)
        profiles = {row.id: row.to_domain() for row in rows}
        keys = {id_: key_tokens(group, profile, self._settings) for id_, profile in profiles.items()}
        counts = {id_: counting(group, profile) for id_, profile in profiles.items()}
        names: dict[str, frozenset[str]] = {}
        before, after = defaultdict[str, set[str]](set), defaultdict[str, set[str]](set)
        for row in rows:
            tokens, alone, name = counts[row.id].tokens, counts[row.id].of_entity, _name(row.type, row.key)
            before[row.id], after[row.id] = ({*alone} if row.terms else set()), {*alone}
            before[name].update(set(row.terms) - alone)
            after[name].update(tokens - alone)
            names[name] = alone
        for other in await writer.terms_of_namesakes(due):
            name = _name(other.type, other.key)
            before[name].update(set(other.terms) - names[name])
            after[name].update(set(other.terms) - names[name])
        change = changes(before, after)
        holders = await writer.count_terms(change)
        held = {token: count - change[token] for token, count in holders.items()}
        of_fields = {token for one in counts.values() for token in one.of_fields}
        await writer.mark_holders(moved(held, holders, of_fields), now)
        await writer.index_entities(keys, {id_: one.tokens for id_, one in counts.items()}, due, now)

    async def compare_some(self, group: str, limit: int, *, dry_run: bool = False) -> Compared | None:
        """Compare up to so many entities with all they may be, and decide; None where there are none."""
        due = await self._store.due_to_match(group, limit)
        if not due:
            return None
        opinions, pairs = await self._judged(group, due)
        fresh = tuple(one.judgement for one in opinions)
        if dry_run:
            would = tuple(await self._short_names.would_decide(group, due))
            return Compared(entities=len(due), pairs=pairs, judgements=fresh, would=would)
        done = await self._decided(group, sorted(due), opinions)
        moved = {id_ for merge in (*done.closed, *done.opened) for id_ in (merge.member, merge.other)}
        done = done.then(await self._short_names.decide(group, moved.union(due)))
        await self._store.mark_views(group, due)
        await self._store.matched(group, due)
        return Compared(entities=len(due), pairs=pairs, judgements=fresh, done=done)

    async def compare_views(self, group: str, limit: int) -> Compared | None:
        """Compare up to so many entities in the eyes of users who were told of them what others were not.

        What such a user thinks otherwise than everybody is an opinion, and may be a merge, in that user's memory. None
        where nothing is to be compared so.
        """
        due = await self._store.due_views(group, limit)
        if not due:
            return None
        found = Compared(entities=0, pairs=0, judgements=())
        for user in sorted({view.user for view in due}):
            found = found.then(await self._compare_views(group, user, [view for view in due if view.user == user]))
        return found

    async def _compare_views(self, group: str, user: str, views: Sequence[View]) -> Compared:
        ids = sorted(view.entity_id for view in views)
        known = await self._profiles(group, [view.entity_id for view in views if view.private], user)
        tokens = {id_: key_tokens(group, profile, self._settings) for id_, profile in known.items()}
        await self._store.index_views(group, user, {id_: tokens.get(id_, ()) for id_ in ids})
        opinions, pairs = await self._judged(group, known, user)
        shared = await self._computed(group, {id_ for one in opinions for id_ in one.judgement.pair})
        beyond = [one for one in opinions if _differs(one.judgement, shared.get(one.judgement.pair))]
        done = await self._decided(group, ids, beyond, user=user)
        moved = {id_ for merge in (*done.closed, *done.opened) for id_ in (merge.member, merge.other)}
        done = done.then(await self._short_names.decide(group, moved)) if moved else done
        await self._store.views_matched(group, views)
        return Compared(entities=len(views), pairs=pairs, judgements=tuple(one.judgement for one in beyond), done=done)

    async def _computed(self, group: str, ids: AbstractSet[str]) -> dict[Pair, Judgement]:
        """What was computed of pairs for everybody."""
        rows = await self._store.kin(group, ids) if ids else []
        opinions = (one.to_domain() for row in rows for one in row.judgements)
        return {
            one.judgement.pair: one.judgement
            for one in opinions
            if one.user == EVERYBODY and not one.by_hand and not one.by_model
        }

    async def review_some(self, group: str) -> Compared | None:
        """Ask a language model about pairs that computation leaves open; None where there are none, or no model.

        What it says is recorded with its name, and decided on. It is asked once about what is known of a pair.

        Raises:
            ModelUnavailable: it does not answer.
            ConfigurationError: it refuses the request.
        """
        if self._reviewer is None:
            return None
        asked = await self._store.reviews_for_model(group, self._settings.pairs_per_call)
        known = await self._profiles(group, {id_ for one in asked for id_ in one.judgement.pair})
        shown = [one for one in asked if known.keys() >= set(one.judgement.pair)]
        if not shown:
            return None
        pairs = [(known[one.judgement.a], known[one.judgement.b]) for one in shown]
        answers = await self._reviewer.review(pairs)
        told = [
            _told(opinion.judgement, answer, evidence_of(*pair))
            for opinion, answer, pair in zip(shown, answers, pairs, strict=True)
        ]
        ids = sorted({id_ for one in told for id_ in one.judgement.pair})
        done = await self._decided(group, ids, told, computed=False)
        return Compared(entities=len(ids), pairs=len(told), judgements=tuple(one.judgement for one in told), done=done)

    async def explain(self, group: str, first: str, second: str, user: str = EVERYBODY) -> Explained:
        """What is thought of any two entities from what a reader may know of them, and whether an index proposes them.

        Raises:
            InvalidInput: they are one entity.
            NotFound: one of them is not there, or not known to the reader.
        """
        if first == second:
            raise InvalidInput("An entity is the same as itself. Give the ids of two.")
        known = await self._profiles(group, [first, second], user)
        for id_ in (first, second):
            if id_ not in known:
                whom = f"user {user!r}" if user else "everybody"
                raise NotFound(f"Group {group!r} has no entity {id_!r} that {whom} knows of.")
        found = await self._candidates(group, known, user)
        near, pair = await self._nearness.near(group, known), pair_of(first, second)
        (judgement,) = await self._judge(group, known, [pair], near, user, any_source=True)
        if pair in near and pair not in found:
            judgement = _at_most_review(judgement)
        return Explained(judgement=judgement, proposed=pair in found or pair in near)

    async def _decided(
        self,
        group: str,
        ids: Sequence[str],
        opinions: Sequence[Opinion],
        *,
        computed: bool = True,
        user: str = EVERYBODY,
    ) -> Reidentified:
        """Decide on these entities at once; where that moves too many claims, on fewer, and at last on none.

        What was not ``computed`` now leaves what was before, and has all that it ties together compared again.
        """
        judged = ids if computed else ()
        try:
            return await self._evidence.reidentify(group, ids, decided, opinions, judged, again=not computed, user=user)
        except Conflict:
            if len(ids) == 1:
                return await self._evidence.reidentify(group, ids, _as_it_is, opinions, judged, user=user)
        half = len(ids) // 2
        first, rest = ids[:half], ids[half:]
        done = await self._decided(group, first, _about(first, opinions), computed=computed, user=user)
        return done.then(await self._decided(group, rest, _about(rest, opinions), computed=computed, user=user))

    async def _candidates(self, group: str, known: Mapping[str, Profile], user: str = EVERYBODY) -> set[Pair]:
        """Pairs of these entities and of others with which they have a key in common, as far as a user may know."""
        keys = {id_: look_up_tokens(group, profile, self._settings) for id_, profile in known.items()}
        if not keys:
            return set()
        most = self._settings.most_holders
        found = [await self._store.candidates(group, keys, most)]
        if user != EVERYBODY:
            found.append(await self._store.candidates_for_user(group, user, keys, most))
        return {pair_of(id_, other) for one in found for id_, others in one.items() for other in others}

    async def _judged(self, group: str, due: Collection[str], user: str = EVERYBODY) -> tuple[list[Opinion], int]:
        """What is thought of these entities and others, where it is more than that they differ; and of how many pairs.

        Of what is so tied together, every two are compared: what keeps them apart has to be known. What only its
        vectors propose is a review at most, for their index is approximate, and who is who must not depend on it; that
        is asked of everybody.
        """
        known = await self._profiles(group, due, user)
        pairs = await self._candidates(group, known, user)
        near = await self._nearness.near(group, known) if user == EVERYBODY else {}
        known |= await self._profiles(group, {id_ for pair in (*pairs, *near) for id_ in pair} - known.keys(), user)
        judgements = await self._judge(group, known, pairs, near, user)
        kept = {one.pair: one for one in judgements if one.verdict is not Verdict.DIFFERENT}
        tied = _components(await self._tied(group, due, {pair for pair, one in kept.items() if one.is_same}, user))
        whole = {pair_of(*two) for some in tied for two in combinations(some, 2)} - pairs
        known |= await self._profiles(group, {id_ for pair in whole for id_ in pair} - known.keys(), user)
        beside = await self._judge(group, known, whole, near, user)
        others = near.keys() - pairs - whole
        asked = [_at_most_review(one) for one in await self._judge(group, known, others, near, user)]
        kept |= {one.pair: one for one in (*beside, *asked) if one.verdict is not Verdict.DIFFERENT}
        apart = [one for one in (*judgements, *beside) if one.keeps_apart]
        apart = [one for one in apart if any(set(one.pair) <= some for some in tied)]
        return [_opinion(one, known, user) for one in (*kept.values(), *apart)], len(pairs | near.keys())

    async def _tied(self, group: str, due: Collection[str], fresh: AbstractSet[Pair], user: str) -> set[Pair]:
        """The pairs that are the same by what is thought now, and by what was thought of those that they lead to."""
        found, seen, ahead = set(fresh), set[str](), {*due, *(id_ for pair in fresh for id_ in pair)}
        while ahead:
            seen |= ahead
            for row in await self._store.kin(group, ahead):
                opinions = (one.to_domain() for one in row.judgements)
                found |= {
                    one.judgement.pair
                    for one in opinions
                    if one.judgement.is_same
                    and one.user in (EVERYBODY, user)
                    and (one.by_hand or one.by_model or one.user != user or set(due).isdisjoint(one.judgement.pair))
                }
            ahead = {id_ for pair in found for id_ in pair} - seen
        return found

    async def _profiles(self, group: str, ids: Iterable[str], user: str = EVERYBODY) -> dict[str, Profile]:
        """Those that everybody, or the user, knows of, as far as they do."""
        wanted = sorted(set(ids))
        rows = await self._store.profiles(group, wanted, user) if wanted else []
        return {row.id: row.to_domain() for row in rows if row.known}

    async def _judge(
        self,
        group: str,
        known: Mapping[str, Profile],
        pairs: Iterable[Pair],
        near: Mapping[Pair, float],
        user: str = EVERYBODY,
        *,
        any_source: bool = False,
    ) -> list[Judgement]:
        """Pairs of which both are known, without those of one source that are two by what the source is.

        ``near`` are those whose names are near, with the cosine of their vectors.
        """
        both = [(known[a], known[b]) for a, b in sorted(pairs) if a in known and b in known]
        both = [(a, b) for a, b in both if any_source or not a.source or a.source != b.source]
        if not both:
            return []
        compared = {profile.id: profile for pair in both for profile in pair}
        tokens = {token for profile in compared.values() for token in counting(group, profile).tokens}
        counted = Counted(group, await self._store.frequencies(group, tokens))
        judged = partial(judge, frequencies=counted, settings=self._settings)
        cosines = {(a.id, b.id): near.get(pair_of(a.id, b.id), 0.0) for a, b in both}
        judgements = [judged(a, b, nearness=cosines[a.id, b.id]) for a, b in both]
        likely = [one.pair for one in judgements if one.verdict is not Verdict.DIFFERENT]
        apart = Decisions(distinct=await self._told_apart(group, likely, user))
        return [
            judged(a, b, decisions=apart, nearness=cosines[a.id, b.id]) if one.pair in apart.distinct else one
            for (a, b), one in zip(both, judgements, strict=True)
        ]

    async def _told_apart(self, group: str, pairs: Iterable[Pair], user: str) -> dict[Pair, str]:
        """Those of the pairs that a text tells apart, and how."""
        others = defaultdict[str, list[str]](list)
        for a, b in pairs:
            others[a].append(b)
        texts = await self._store.named_together(group, others, audience_of(user)) if others else []
        return {
            pair_of(text.id, text.other): f"a text tells them apart: “…{text.between}…”"
            for text in texts
            if tells_apart(text.between)
        }


def _at_most_review(judgement: Judgement) -> Judgement:
    return replace(judgement, verdict=Verdict.REVIEW) if judgement.is_same else judgement


def _differs(judgement: Judgement, shared: Judgement | None) -> bool:
    """Whether a user thinks otherwise of a pair than everybody does; what everybody merges is one for each user."""
    if shared is None:
        return True
    return not shared.is_same and (judgement.verdict, judgement.keeps_apart) != (shared.verdict, shared.keeps_apart)


def _opinion(judgement: Judgement, known: Mapping[str, Profile], user: str) -> Opinion:
    """What was computed; of what a language model may decide, by what. A short name means whom its session says."""
    a, b = known[judgement.a], known[judgement.b]
    left_open = judgement.verdict is Verdict.REVIEW and not short_of(a, b) and not short_of(b, a)
    evidence = evidence_of(a, b) if left_open and user == EVERYBODY else ""
    return Opinion(judgement=judgement, user=user, evidence=evidence)


def _told(judgement: Judgement, answer: ModelAnswer, evidence: str) -> Opinion:
    """What a language model says of a pair that was judged."""
    verdict = _SAID[answer.says]
    return Opinion(
        judgement=replace(judgement, verdict=verdict, method=Method.MODEL),
        reason=f"{answer.model}: {answer.reason}",
        evidence=evidence,
    )


def _about(ids: Sequence[str], opinions: Iterable[Opinion]) -> list[Opinion]:
    return [opinion for opinion in opinions if not set(ids).isdisjoint(opinion.judgement.pair)]


def _as_it_is(kin: Kin) -> Decided:
    """What is merged stays so, and nothing else is: somebody has to look at it."""
    who = identities(merge.same_as for merge in kin.merges)
    reason = f"this would move more than {MOST_MOVED} claims at once"
    apart = [
        opinion
        for opinion in kin.opinions
        if opinion.judgement.is_same
        and len({who.of(id_, session="", user=opinion.user) for id_ in opinion.judgement.pair}) > 1
    ]
    return Decided(merges=kin.merges, refused={opinion.id: reason for opinion in apart})


def _name(type_: str, key: str) -> str:
    return f"{type_}\n{key}"


def _components(pairs: Iterable[Pair]) -> Sequence[frozenset[str]]:
    """All that is tied together by pairs, unless it is too many."""
    of: dict[str, set[str]] = {}
    for a, b in pairs:
        together = of.setdefault(a, {a}) | of.setdefault(b, {b})
        of |= dict.fromkeys(together, together)
    found = {frozenset(some) for some in of.values()}
    return [some for some in found if len(some) <= LARGEST_JUDGED_WHOLE]
