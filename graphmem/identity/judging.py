"""Judging: whom some entities may be is looked up in indexes, and each two are judged, as far as a reader may know.

A pure function of the evidence that stands and of what people said: never of what was decided before.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from itertools import combinations

from graphmem.errors import InvalidInput, absent
from graphmem.identity.nearness import Nearness
from graphmem.model.matching import (
    Judgement,
    MatchingSettings,
    MatchProfile,
    Method,
    Pair,
    Shifts,
    Verdict,
    evidence_of,
    pair_of,
)
from graphmem.model.merge import Opinion
from graphmem.model.persons import person_id
from graphmem.model.scope import EVERYBODY, audience_of
from graphmem.resolve.frequencies import TermCounts, counting, look_up_tokens
from graphmem.resolve.matching.clusters import MOST_TIED, tied_together
from graphmem.resolve.matching.contrasts import contrast
from graphmem.resolve.matching.decide import judge
from graphmem.resolve.matching.identifiers import identifying_words
from graphmem.resolve.matching.names import telling
from graphmem.resolve.matching.refine import patterns_of, shifts
from graphmem.resolve.matching.vetoes import short_of
from graphmem.resolve.matching.weights import packaged
from graphmem.resolve.users import is_bare_person, is_user, judged_user, names_of_user
from graphmem.store.matching import MatchingStore

LARGEST_SAMPLE = 500
"""Entities whose pairs are learnt from."""
MOST_PAIRS = 10_000
"""No further entities are taken into the sample from so many pairs on."""
_AT_ONCE = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class Explained:
    """What is thought of a pair. ``proposed``: a look-up in the indexes finds one from the other."""

    judgement: Judgement
    proposed: bool


class Judging:
    """What is thought of entities, by everybody or in the eyes of a user."""

    def __init__(self, store: MatchingStore, nearness: Nearness, settings: MatchingSettings) -> None:
        self._store = store
        self._nearness = nearness
        self._settings = settings
        self._identifying = identifying_words(settings)

    async def explain(self, group: str, first: str, second: str, user: str = EVERYBODY) -> Explained:
        """What is thought of any two entities from what a reader may know of them, and whether an index proposes them.

        Raises:
            InvalidInput: they are one entity.
            NotFound: one of them is not there, or not known to the reader.
        """
        if first == second:
            raise InvalidInput("An entity is the same as itself. Give the ids of two.")
        known = await self.profiles(group, [first, second], user)
        for id_ in (first, second):
            if id_ not in known:
                whom = f"user {user!r}" if user else "everybody"
                raise absent(group, "entity", id_, f"that {whom} knows of")
        candidates = await self._candidates(group, known, user)
        near, pair = await self._nearness.near(group, known), pair_of(first, second)
        (judgement,) = await self._judge(group, known, [pair], near, user, any_source=True)
        if pair in near and pair not in candidates:
            judgement = _at_most_review(judgement)
        judgement = await self._as_decided(group, judgement, user)
        return Explained(judgement=judgement, proposed=pair in candidates or pair in near)

    async def _as_decided(self, group: str, judgement: Judgement, user: str) -> Judgement:
        """The judgement as a person decided it, where one did: for the user, or for everybody."""
        rows = await self._store.kin(group, judgement.pair)
        by_hand = {
            opinion.user: opinion.judgement.verdict
            for row in reversed(rows)
            for opinion in reversed(row.judgements)
            if opinion.by_hand and not opinion.session and opinion.judgement.pair == judgement.pair
        }
        verdict = by_hand.get(user, by_hand.get(EVERYBODY))
        return judgement if verdict is None else replace(judgement, verdict=verdict, method=Method.HUMAN)

    async def computed(self, group: str, ids: AbstractSet[str]) -> dict[Pair, Judgement]:
        """What was computed of pairs for everybody."""
        rows = await self._store.kin(group, ids) if ids else []
        opinions = (opinion for row in rows for opinion in row.judgements)
        return {
            opinion.judgement.pair: opinion.judgement
            for opinion in opinions
            if opinion.user == EVERYBODY and not opinion.by_hand and not opinion.by_model
        }

    async def _candidates(self, group: str, known: Mapping[str, MatchProfile], user: str = EVERYBODY) -> set[Pair]:
        """Pairs of these entities and of others with which they have a key in common, as far as a user may know."""
        keys = {id_: look_up_tokens(group, profile, self._settings) for id_, profile in known.items()}
        if not keys:
            return set()
        most = self._settings.most_holders
        look_ups = [await self._store.candidates(group, keys, most)]
        if user != EVERYBODY:
            look_ups.append(await self._store.candidates_for_user(group, user, keys, most))
        return {pair_of(id_, other) for look_up in look_ups for id_, others in look_up.items() for other in others}

    async def judged(self, group: str, due: Collection[str], user: str = EVERYBODY) -> tuple[list[Opinion], int]:
        """What is thought of these entities and others, where it is more than that they differ; and of how many pairs.

        Of what is so tied together, every two are compared: what keeps them apart has to be known. What only its
        vectors propose is a review at most, for their index is approximate, and who is who must not depend on it; that
        is asked of everybody.
        """
        known = await self.profiles(group, due, user)
        pairs = await self._candidates(group, known, user)
        pairs |= await self._names_of_user(group, known, user)
        near = await self._nearness.near(group, known) if user == EVERYBODY else {}
        known |= await self.profiles(group, {id_ for pair in (*pairs, *near) for id_ in pair} - known.keys(), user)
        judgements = await self._judge(group, known, pairs, near, user)
        kept = {judgement.pair: judgement for judgement in judgements if judgement.verdict is not Verdict.DIFFERENT}
        pairs_tied = await self._tied(group, due, {pair for pair, judgement in kept.items() if judgement.is_same}, user)
        tied = [some for some in tied_together(pairs_tied) if len(some) <= MOST_TIED]
        whole = {pair_of(*two) for some in tied for two in combinations(some, 2)} - pairs
        known |= await self.profiles(group, {id_ for pair in whole for id_ in pair} - known.keys(), user)
        beside = await self._judge(group, known, whole, near, user)
        others = near.keys() - pairs - whole
        asked = [_at_most_review(judgement) for judgement in await self._judge(group, known, others, near, user)]
        kept |= {
            judgement.pair: judgement for judgement in (*beside, *asked) if judgement.verdict is not Verdict.DIFFERENT
        }
        apart = [judgement for judgement in (*judgements, *beside) if judgement.keeps_apart]
        apart = [judgement for judgement in apart if any(set(judgement.pair) <= some for some in tied)]
        return [_opinion(judgement, known, user) for judgement in (*kept.values(), *apart)], len(pairs | near.keys())

    async def _names_of_user(self, group: str, known: Mapping[str, MatchProfile], user: str) -> set[Pair]:
        """Of the pairs of a user's person with the names that it goes by, those that these entities are part of."""
        person = person_id(group, user)
        if user == EVERYBODY or not any(id_ == person or is_bare_person(profile) for id_, profile in known.items()):
            return set()
        profiles = known if person in known else await self.profiles(group, [person], user)
        return {pair for pair in names_of_user(group, user, profiles) if not known.keys().isdisjoint(pair)}

    async def learnt(self, group: str) -> Mapping[str, Shifts]:
        """What agreement says in a group, by type: learnt from a sample of its own pairs, once all is indexed.

        A function of the evidence that stands: the sample is that of the smallest ids, compared by packaged weights.
        """
        by_type = defaultdict[str, list[Judgement]](list)
        for type_, judgement in (await self._sample(group)).values():
            by_type[type_].append(judgement)
        learnt = {type_: shifts(patterns_of(some)) for type_, some in sorted(by_type.items())}
        return {type_: some for type_, some in learnt.items() if some}

    async def _sample(self, group: str) -> Mapping[Pair, tuple[str, Judgement]]:
        ids = await self._store.sample(group, LARGEST_SAMPLE)
        sample: dict[Pair, tuple[str, Judgement]] = {}
        for at in range(0, len(ids), _AT_ONCE):
            if len(sample) < MOST_PAIRS:
                sample |= await self._as_packaged(group, ids[at : at + _AT_ONCE])
        return sample

    async def _as_packaged(self, group: str, ids: Collection[str]) -> dict[Pair, tuple[str, Judgement]]:
        """Pairs of these entities and others by the packaged weights, each with its type."""
        known = await self.profiles(group, ids)
        pairs = await self._candidates(group, known)
        known |= await self.profiles(group, {id_ for pair in pairs for id_ in pair} - known.keys())
        judgements = await self._judge(group, known, pairs, {}, refined={})
        return {
            judgement.pair: (telling(known[judgement.a].type, known[judgement.b].type), judgement)
            for judgement in judgements
        }

    async def _tied(self, group: str, due: Collection[str], fresh: AbstractSet[Pair], user: str) -> set[Pair]:
        """The pairs that are the same by what is thought now, and by what was thought of those that they lead to."""
        pairs, seen, ahead = set(fresh), set[str](), {*due, *(id_ for pair in fresh for id_ in pair)}
        while ahead:
            seen |= ahead
            for row in await self._store.kin(group, ahead):
                pairs |= {
                    opinion.judgement.pair
                    for opinion in row.judgements
                    if opinion.judgement.is_same
                    and opinion.user in (EVERYBODY, user)
                    and (
                        opinion.by_hand
                        or opinion.by_model
                        or opinion.user != user
                        or set(due).isdisjoint(opinion.judgement.pair)
                    )
                }
            ahead = {id_ for pair in pairs for id_ in pair} - seen
        return pairs

    async def profiles(self, group: str, ids: Iterable[str], user: str = EVERYBODY) -> dict[str, MatchProfile]:
        """The profiles of entities that everybody, or the user, knows of, as far as they do; by id."""
        wanted = sorted(set(ids))
        rows = await self._store.profiles(group, wanted, self._identifying, user) if wanted else []
        return {row.id: row.to_domain() for row in rows if row.known}

    async def _judge(
        self,
        group: str,
        known: Mapping[str, MatchProfile],
        pairs: Iterable[Pair],
        near: Mapping[Pair, float],
        user: str = EVERYBODY,
        *,
        any_source: bool = False,
        refined: Mapping[str, Shifts] | None = None,
    ) -> list[Judgement]:
        """Pairs of which both are known, without those of one source that are two by what the source is.

        ``near`` are those whose names are near, with the cosine of their vectors. ``refined`` are the weights by type;
        those of the group, unless they are given.
        """
        both = [(known[a], known[b]) for a, b in sorted(pairs) if a in known and b in known]
        both = [(a, b) for a, b in both if any_source or not a.source or a.source != b.source]
        if not both:
            return []
        compared = {profile.id: profile for pair in both for profile in pair}
        tokens = {token for profile in compared.values() for token in counting(group, profile).tokens}
        counted = TermCounts(group, await self._store.frequencies(group, tokens))
        if refined is None:
            refined = await self._store.refined_weights(group) if self._settings.refine else {}
        weights = {type_: replace(packaged(), refined=shifts) for type_, shifts in refined.items()}

        def judged(a: MatchProfile, b: MatchProfile, told_apart: Mapping[Pair, str]) -> Judgement:
            if is_user(a, b, user):
                return judged_user(a, b)
            return judge(
                a,
                b,
                counted,
                settings=self._settings,
                told_apart=told_apart,
                weights=weights.get(telling(a.type, b.type)),
                nearness=near.get(pair_of(a.id, b.id), 0.0),
            )

        judgements = [judged(a, b, {}) for a, b in both]
        likely = [judgement.pair for judgement in judgements if judgement.verdict is not Verdict.DIFFERENT]
        apart = await self._told_apart(group, likely, user)
        return [
            judged(a, b, apart) if judgement.pair in apart else judgement
            for (a, b), judgement in zip(both, judgements, strict=True)
        ]

    async def _told_apart(self, group: str, pairs: Iterable[Pair], user: str) -> dict[Pair, str]:
        """Those of the pairs that a text tells apart, and how."""
        others = defaultdict[str, list[str]](list)
        for a, b in pairs:
            others[a].append(b)
        texts = await self._store.named_together(group, others, audience_of(user)) if others else []
        return {
            pair_of(text.id, text.other): f"a text tells them apart: “…{between}…”"
            for text in texts
            if (between := contrast(text.content, text.ones, text.others))
        }


def _at_most_review(judgement: Judgement) -> Judgement:
    return replace(judgement, verdict=Verdict.REVIEW) if judgement.is_same else judgement


def _opinion(judgement: Judgement, known: Mapping[str, MatchProfile], user: str) -> Opinion:
    """The opinion that a computed judgement is; with a fingerprint of the evidence where a language model may decide.

    It may on a pair that everybody is to review, but for a short name: that means whom its session says.
    """
    a, b = known[judgement.a], known[judgement.b]
    left_open = judgement.verdict is Verdict.REVIEW and not short_of(a, b) and not short_of(b, a)
    evidence = evidence_of(a, b) if left_open and user == EVERYBODY else ""
    return Opinion(judgement=judgement, user=user, evidence=evidence)
