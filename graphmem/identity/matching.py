"""Matching: who may be who is looked up in indexes, judged, and decided, in batches over what changed.

A pure function of the evidence that stands and of what people said: never of what was decided before. May be killed at
any instruction and run again.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Self

import structlog

from graphmem.errors import Conflict, Unreadable
from graphmem.identity.judging import Judging
from graphmem.identity.nearness import Nearness
from graphmem.identity.short_names import PartlyDecided, ShortNames
from graphmem.model.damage import PUT_OFF_SECONDS
from graphmem.model.matching import (
    Judgement,
    MatchingSettings,
    Method,
    ModelAnswer,
    Pair,
    PairReviewer,
    Says,
    Shifts,
    Verdict,
    View,
    evidence_of,
)
from graphmem.model.merge import Decided, Kin, Merge, Opinion
from graphmem.model.projection.identity import identities
from graphmem.model.scope import EVERYBODY
from graphmem.resolve.frequencies import (
    changes,
    counting,
    key_tokens,
    moved,
    of_entity,
)
from graphmem.resolve.matching.identifiers import identifying_words
from graphmem.resolve.merging import decided
from graphmem.store.change.evidence import EvidenceStore
from graphmem.store.change.moves import MOST_MOVED, MergeChanges, Moves, Reidentified
from graphmem.store.matching import IndexWriter, MatchingStore

MOST_TIED = 1_000
"""Entities that a dry run compares at once, with what is tied to them."""
AT_ONCE = 200
"""Claims placed again in one transaction."""


@dataclass(frozen=True, slots=True)
class PlacedAgain:
    """Entities whose claims were placed again, and rows of beliefs that changed thereby."""

    entities: int
    rows: int


_DEFAULTS = MatchingSettings()
_VERDICTS = {Says.SAME: Verdict.SAME, Says.DIFFERENT: Verdict.DIFFERENT, Says.UNSURE: Verdict.REVIEW}

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

_NAME = "\n"
"""Before a name, among ids of entities."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """What came of comparing some entities: how many, how many pairs, what was thought of them, what was decided."""

    entities: int
    pairs: int
    judgements: tuple[Judgement, ...]
    done: Reidentified = field(default_factory=Reidentified)
    put_off: int = 0

    def then(self, later: Self) -> "Comparison":
        """What came of this and of comparing others after it."""
        return Comparison(
            entities=self.entities + later.entities,
            pairs=self.pairs + later.pairs,
            judgements=self.judgements + later.judgements,
            done=self.done.then(later.done),
            put_off=self.put_off + later.put_off,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Tried:
    """What comparing some entities would do: merges to put in force and to take back, of short names too.

    ``opinions`` are what would be thought of pairs, with what becomes of them. ``last`` is the last of the entities.
    """

    entities: int
    last: str
    pairs: int
    open: Sequence[Merge]
    close: Sequence[Merge]
    opinions: Sequence[Opinion]


class Matching:
    """Indexes and compares the entities of a group, a batch at a time."""

    def __init__(
        self,
        store: MatchingStore,
        evidence: EvidenceStore,
        short_names: ShortNames,
        judging: Judging,
        nearness: Nearness,
        settings: MatchingSettings,
        reviewer: PairReviewer | None = None,
    ) -> None:
        """``reviewer`` is asked about what computation leaves open."""
        self._store = store
        self._evidence = evidence
        self._short_names = short_names
        self._nearness = nearness
        self._judging = judging
        self._settings = settings
        self._reviewer = reviewer

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

        Where that makes a term more or less common, those that hold it are to be compared again. Only what everybody
        knows of is counted, and nearest by its name.
        """
        due = await self._store.due_to_index(group, limit)
        if due:
            await self._evidence.index(group, lambda writer: self._index(writer, group, due))
        return len(due)

    async def embed_some(self, group: str, limit: int) -> int:
        """Embed up to so many names that have no vector yet; returns how many. None where the model is away."""
        return await self._nearness.embed_some(group, limit)

    async def refine(self, group: str) -> int:
        """Learn anew what agreement says in the group, once all is indexed. Returns for how many types it changed.

        Entities of these types are to be compared again.
        """
        held = await self._store.refined_weights(group)
        learnt: Mapping[str, Shifts] = await self._judging.learnt(group) if self._settings.refine else {}
        changed = sorted(type_ for type_ in held.keys() | learnt.keys() if held.get(type_) != learnt.get(type_))
        if changed:
            await self._store.mark_types(group, changed)
            await self._store.set_refined_weights(group, learnt)
        return len(changed)

    async def place_some(self, group: str, limit: int) -> PlacedAgain | None:
        """Place claims again that were written while merges of up to so many entities changed; None where none is.

        Whoever wrote such a claim did not know yet of the merge. They are placed once everybody has ended who may write
        one. Again, it changes nothing.
        """
        due = await self._store.overtaken(group, limit)
        if not due:
            return None
        since, first = {entity.id: entity.since for entity in due}, min(entity.since for entity in due)
        rows, after = 0, ""
        while claims := await self._store.overtaken_claims(group, since, after, AT_ONCE):
            rows += await self._evidence.place_again(group, claims, first)
            after = claims[-1].id
        await self._store.forget_overtaken(group, {entity.id: entity.due for entity in due})
        return PlacedAgain(len(due), rows)

    async def _index(self, writer: IndexWriter, group: str, due: Mapping[str, datetime]) -> None:
        await writer.lock_group()
        now = await writer.clock()
        rows = await writer.profiles(due, identifying_words(self._settings))
        profiles = {row.id: row.to_domain() for row in rows}
        keys = {id_: key_tokens(group, profile, self._settings) for id_, profile in profiles.items()}
        counts = {id_: counting(group, profile) for id_, profile in profiles.items()}
        terms = {row.id: counts[row.id].tokens if row.known else frozenset[str]() for row in rows}
        before, after = defaultdict[str, set[str]](set), defaultdict[str, set[str]](set)
        for row in rows:
            before[row.id], after[row.id] = of_entity(row.terms), of_entity(terms[row.id])
            before[_NAME + row.key].update({*row.terms} - before[row.id])
            after[_NAME + row.key].update({*terms[row.id]} - after[row.id])
        for other in await writer.terms_of_namesakes(due):
            before[_NAME + other.key].update({*other.terms} - of_entity(other.terms))
            after[_NAME + other.key].update({*other.terms} - of_entity(other.terms))
        change = changes(before, after)
        holders = await writer.count_terms(change)
        held = {token: count - change[token] for token, count in holders.items()}
        of_fields = {token for counted in counts.values() for token in counted.of_fields}
        await writer.mark_holders(moved(held, holders, of_fields), now)
        await writer.mark_sharing(due, keys, self._settings.most_holders, now)
        await writer.index_entities(keys, terms, due, now)

    async def compare_some(self, group: str, limit: int) -> Comparison | None:
        """Compare up to so many entities with all they may be, and decide; None where there are none."""
        due = await self._store.due_to_match(group, limit)
        if not due:
            return None
        opinions, pairs = await self._judging.judged(group, due)
        fresh = tuple(opinion.judgement for opinion in opinions)
        outcome = await self._decided(group, sorted(due), opinions)
        outcome = outcome.then(await self._short_names.decide_readable(group, outcome.moved.union(due)))
        compared = {id_: since for id_, since in due.items() if id_ not in outcome.undecided}
        await self._store.mark_views(group, compared)
        await self._store.matched(group, compared)
        left = {id_: since for id_, since in due.items() if id_ in outcome.undecided}
        if left:
            log.warning("matching.put_off", entities=sorted(left), reason=outcome.undecided[min(left)])
            await self._store.put_off_matching(group, left, PUT_OFF_SECONDS)
        return Comparison(entities=len(due), pairs=pairs, judgements=fresh, done=outcome.done, put_off=len(left))

    async def try_some(self, group: str, limit: int, after: str = "") -> Tried | None:
        """What would come of comparing up to so many entities, in order of id, after one; None where there are none.

        All that waits and is tied to them is compared with them. What was told of one that came before is left out.
        """
        due = await self._store.due_in_order(group, after, limit)
        if not due:
            return None
        ids, more = set[str](), set(due)
        pairs, opinions, moves = 0, list[Opinion](), list[Moves]()
        while more and len(ids) <= MOST_TIED:
            ids |= more
            opinions, pairs = await self._judging.judged(group, ids)
            moves = await self._would_decide(group, sorted(ids), opinions)
            more = await self._store.due_among(group, _tied(moves) - ids)
        changes = [move.merges for move in moves]
        moved = {id_ for change in changes for merge in change.changed for id_ in (merge.member, merge.other)}
        short = await self._short_names.would_decide(group, moved | ids, after)
        waiting = await self._store.due_among(group, {id_ for move in moves for id_ in move.about})

        def told_here(pair: Pair, *, where_none_waits: bool = True) -> bool:
            first = min(waiting.intersection(pair), default=None)
            return where_none_waits if first is None else first in due

        def merges(of: Callable[[MergeChanges], Iterable[Merge]]) -> list[Merge]:
            here = (merge for change in changes for merge in of(change) if told_here(merge.pair))
            return [*here, *(merge for change in short for merge in of(change))]

        return Tried(
            entities=len(due),
            last=due[-1],
            pairs=pairs,
            open=merges(lambda change: change.open),
            close=merges(lambda change: change.close),
            opinions=[
                opinion
                for move in moves
                for opinion in move.opinions
                if told_here(opinion.judgement.pair, where_none_waits=opinion in move.record)
            ],
        )

    async def _would_decide(self, group: str, ids: Sequence[str], opinions: Sequence[Opinion]) -> list[Moves]:
        """What deciding on these entities would move: at once, or in halves where that is too much or cannot be read.

        Nothing of an entity that alone cannot be read.
        """
        try:
            moves = await self._evidence.would_reidentify(group, ids, decided, opinions)
        except Unreadable:
            if len(ids) == 1:
                return []
        else:
            if len(moves.moved) <= MOST_MOVED:
                return [moves]
            if len(ids) == 1:
                return [await self._evidence.would_reidentify(group, ids, _as_it_is, opinions)]
        half = len(ids) // 2
        first, rest = ids[:half], ids[half:]
        moves_of_first = await self._would_decide(group, first, _about(first, opinions))
        return moves_of_first + await self._would_decide(group, rest, _about(rest, opinions))

    async def compare_views(self, group: str, limit: int) -> Comparison | None:
        """Compare up to so many entities in the eyes of users who were told of them what others were not.

        What such a user thinks otherwise than everybody is an opinion, and may be a merge, in that user's memory. None
        where nothing is to be compared so.
        """
        due = await self._store.due_views(group, limit)
        if not due:
            return None
        comparison = Comparison(entities=0, pairs=0, judgements=())
        for user in sorted({view.user for view in due}):
            comparison = comparison.then(
                await self._compare_views(group, user, [view for view in due if view.user == user])
            )
        return comparison

    async def _compare_views(self, group: str, user: str, views: Sequence[View]) -> Comparison:
        ids = sorted(view.entity_id for view in views)
        known = await self._judging.profiles(group, [view.entity_id for view in views if view.private], user)
        tokens = {id_: key_tokens(group, profile, self._settings) for id_, profile in known.items()}
        await self._store.index_views(group, user, {id_: tokens.get(id_, ()) for id_ in ids})
        opinions, pairs = await self._judging.judged(group, known, user)
        shared = await self._judging.computed(group, {id_ for opinion in opinions for id_ in opinion.judgement.pair})
        beyond = [opinion for opinion in opinions if _differs(opinion.judgement, shared.get(opinion.judgement.pair))]
        outcome = await self._decided(group, ids, beyond, user=user)
        outcome = (
            outcome.then(await self._short_names.decide_readable(group, outcome.moved)) if outcome.moved else outcome
        )
        await self._store.views_matched(group, [view for view in views if view.entity_id not in outcome.undecided])
        left = [view for view in views if view.entity_id in outcome.undecided]
        if left:
            reason = outcome.undecided[left[0].entity_id]
            log.warning("matching.put_off", entities=sorted(view.entity_id for view in left), reason=reason)
            await self._store.put_off_views(group, left, PUT_OFF_SECONDS)
        judgements = tuple(opinion.judgement for opinion in beyond)
        return Comparison(entities=len(views), pairs=pairs, judgements=judgements, done=outcome.done, put_off=len(left))

    async def review_some(self, group: str) -> Comparison | None:
        """Ask a language model about pairs that computation leaves open; None where there are none, or no model.

        What it says is recorded with its name, and decided on. It is asked once about what is known of a pair.

        Raises:
            ModelUnavailable: it does not answer.
            ConfigurationError: it refuses the request.
            Unreadable: something is damaged that a pair is to be decided by.
        """
        if self._reviewer is None:
            return None
        asked = await self._store.reviews_for_model(group, self._settings.pairs_per_call)
        known = await self._judging.profiles(group, {id_ for opinion in asked for id_ in opinion.judgement.pair})
        shown = [opinion for opinion in asked if known.keys() >= set(opinion.judgement.pair)]
        if not shown:
            return None
        pairs = [(known[opinion.judgement.a], known[opinion.judgement.b]) for opinion in shown]
        answers = await self._reviewer.review(pairs)
        opinions = [
            _opinion_of(opinion.judgement, answer, evidence_of(*pair))
            for opinion, answer, pair in zip(shown, answers, pairs, strict=True)
        ]
        ids = sorted({id_ for opinion in opinions for id_ in opinion.judgement.pair})
        outcome = await self._decided(group, ids, opinions, computed=False)
        if outcome.undecided:
            raise Unreadable(outcome.undecided[min(outcome.undecided)])
        judgements = tuple(opinion.judgement for opinion in opinions)
        return Comparison(entities=len(ids), pairs=len(opinions), judgements=judgements, done=outcome.done)

    async def _decided(
        self,
        group: str,
        ids: Sequence[str],
        opinions: Sequence[Opinion],
        *,
        computed: bool = True,
        user: str = EVERYBODY,
    ) -> PartlyDecided:
        """Decide on these entities at once; where that moves too many claims, on fewer, and at last on none.

        Entities are halved also where something cannot be read: one that alone cannot be decided on is undecided.
        What was not ``computed`` now leaves what was before, and has all that it ties together compared again.
        """
        judged = ids if computed else ()
        try:
            done = await self._evidence.reidentify(group, ids, decided, opinions, judged, again=not computed, user=user)
            return PartlyDecided(done)
        except Conflict:
            if len(ids) == 1:
                done = await self._evidence.reidentify(group, ids, _as_it_is, opinions, judged, user=user)
                return PartlyDecided(done)
        except Unreadable as error:
            if len(ids) == 1:
                return PartlyDecided(undecided={ids[0]: str(error)})
        half = len(ids) // 2
        first, rest = ids[:half], ids[half:]
        outcome = await self._decided(group, first, _about(first, opinions), computed=computed, user=user)
        return outcome.then(await self._decided(group, rest, _about(rest, opinions), computed=computed, user=user))


def _differs(judgement: Judgement, shared: Judgement | None) -> bool:
    """Whether a user thinks otherwise of a pair than everybody does; what everybody merges is one for each user."""
    if shared is None:
        return True
    return not shared.is_same and (judgement.verdict, judgement.keeps_apart) != (shared.verdict, shared.keeps_apart)


def _opinion_of(judgement: Judgement, answer: ModelAnswer, evidence: str) -> Opinion:
    """What a language model says of a pair that was judged."""
    verdict = _VERDICTS[answer.says]
    return Opinion(
        judgement=replace(judgement, verdict=verdict, method=Method.MODEL),
        reason=f"{answer.model}: {answer.reason}",
        evidence=evidence,
    )


def _tied(moves: Iterable[Moves]) -> set[str]:
    """All that is the same as something, or would be but for what keeps them apart."""
    return {
        id_
        for move in moves
        for pair in (
            *(opinion.judgement.pair for opinion in move.opinions if opinion.judgement.is_same),
            *((merge.member, merge.other) for merge in (*move.merges.changed, *move.merges.keep)),
        )
        for id_ in pair
    }


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
