"""Recall: what is believed and said about a text, in a scope."""

import re
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

from graphmem.extract.offline.dates.finder import ground_dates
from graphmem.extract.offline.dates.meanings import MONTHS
from graphmem.memory.around import Around, around
from graphmem.memory.lost import Losses
from graphmem.memory.questions import Questions
from graphmem.memory.sieve import Sieve
from graphmem.model.embedding import Vector
from graphmem.model.filters import NO_FILTERS, Filters
from graphmem.model.ids import audience_token, group_token, session_token
from graphmem.model.lost import Outcome
from graphmem.model.recall import BELIEFS, ENTITY, EPISODE, Degraded, Fusion, Ranked, Recall
from graphmem.model.scope import Scope
from graphmem.reading import Reader
from graphmem.retrieve.beliefs import BeliefPool, rank_beliefs
from graphmem.retrieve.days import NamedDays
from graphmem.retrieve.entities import rank_entities
from graphmem.retrieve.fuse import fuse
from graphmem.retrieve.graph import nearness
from graphmem.retrieve.lucene import lucene_query
from graphmem.retrieve.question import Question, as_said_by, named, question
from graphmem.retrieve.raw import with_raw
from graphmem.retrieve.scales import BEST, of_lists
from graphmem.retrieve.succession import in_succession
from graphmem.retrieve.turns import REACH, Cited, Pool, rank_turns
from graphmem.retrieve.weights import Weights, packaged
from graphmem.retrieve.wordings import ALIKE, one_wording
from graphmem.store.graph import GraphStore
from graphmem.store.search import Scored
from graphmem.together import together

KINDS = BELIEFS | {EPISODE}
"""What is searched unless a caller says otherwise. Entities are found too, where they are asked for."""
MAX_HITS = 25_600
"""Hits of an index looked through for those that held at a time and have what a search asks for."""
_WORDINGS = 3
"""Wordings of one thing are looked for in this many times the limit."""
_CITING = 60
"""The most beliefs of each channel (full text, vector, graph) for which the turns that they cite are looked up."""
_ALIASES = 20
"""The most facts, best first by full text, in which another name of an entity is looked for."""
_OPENING = 400
"""Characters of a turn in which a time is looked for."""

_YEAR = re.compile(r"\b(?:1[89]|20|21)\d\d\b")

Hit = TypeVar("Hit", bound=tuple[object, ...])


@dataclass(slots=True, kw_only=True)
class _Found:
    """What the indexes say of what the ``sieve`` keeps: by kind, ids with scores, best first; of vectors, cosines.

    ``around`` is what the question names and the beliefs that are reached from there, ``graph`` how near these are;
    ``names`` are entities whose names are near to the question.
    """

    text: dict[str, list[tuple[str, float]]] = field(default_factory=dict[str, list[tuple[str, float]]])
    vector: dict[str, list[tuple[str, float]]] = field(default_factory=dict[str, list[tuple[str, float]]])
    open: set[str] = field(default_factory=set[str])
    speakers: set[str] = field(default_factory=set[str])
    around: Around = field(default_factory=Around)
    names: list[tuple[str, float]] = field(default_factory=list[tuple[str, float]])
    graph: list[tuple[str, float]] = field(default_factory=list[tuple[str, float]])
    asked_of_turns: Vector | None = None
    degraded: tuple[Degraded, ...] = ()
    sieve: Sieve

    def of_beliefs(self, channel: Mapping[str, list[tuple[str, float]]]) -> list[tuple[str, float]]:
        """Relationships and facts in one list: their indexes score alike."""
        found = [hit for kind in BELIEFS for hit in channel.get(kind, ())]
        return sorted(found, key=lambda hit: (-hit[1], hit[0]))

    @property
    def channels(self) -> dict[str, list[tuple[str, str, float, bool]]]:
        """All lists by name, as ``fuse`` takes them."""
        lists = [(f"{name}:{kind}", kind, hits) for name in ("text", "vector") for kind, hits in self._of(name).items()]
        for kind in BELIEFS:
            ids = {one.id for one in self.around.reached if one.kind == kind}
            lists.append((f"graph:{kind}", kind, [hit for hit in self.graph if hit[0] in ids]))
        lists.append(("named:entity", ENTITY, [(one.id, 1.0) for one in self.around.named]))
        lists.append(("vector:entity", ENTITY, self.names))
        return {
            name: [(kind, id_, score, id_ in self.open) for id_, score in hits] for name, kind, hits in sorted(lists)
        }

    @property
    def listed(self) -> dict[str, list[list[tuple[str, float]]]]:
        """The lists of the indexes, by the names that reasons have."""
        texts, vectors = self.of_beliefs(self.text), self.of_beliefs(self.vector)
        said, near = self.text.get("episode", []), self.vector.get("episode", [])
        return {"text": [texts, said], "vector": [vectors, near, self.names]}

    def _of(self, name: str) -> dict[str, list[tuple[str, float]]]:
        return self.text if name == "text" else self.vector


class Searcher:
    """Finds what answers a question."""

    def __init__(self, store: GraphStore, reader: Reader, questions: Questions, weights: Weights | None = None) -> None:
        self._store = store
        self._reader = reader
        self._questions = questions
        self._weights = weights or packaged()

    async def search(
        self,
        scope: Scope,
        text: str,
        *,
        kinds: frozenset[str] = KINDS,
        limit: int = 10,
        fusion: Fusion = Fusion.WEIGHTED,
        filters: Filters = NO_FILTERS,
        why_not: Sequence[str] = (),
    ) -> Recall:
        """What is believed and said about ``text``.

        Full text and vectors over relationships, facts and episodes. Tenant, audience and time are part of the vector
        look-up; full text fetches on until enough hits held then, and all do until enough have what ``filters`` ask
        for. In a history what has ended or is no longer believed is found as well, below what replaced it. Of open
        beliefs that say the same of somebody's day in other words, the best stands for all. Without a vector of the
        question it goes by full text, and says so. ``why_not`` are ids of beliefs and episodes: it tells where each was
        lost.

        Raises:
            NotFound: the entity of the filters was not known then.
        """
        await self._reader.known_group(scope.group)
        sieve = await self._sieve(scope, filters)
        ranked, degraded = await self._ranked(scope, text, filters.of(kinds), limit, fusion, sieve)
        ranked = await sieve.keep_ranked(ranked)
        if scope.history:
            ranked = await self._in_succession(scope, ranked)
        enough = [item for item in ranked if filters.is_enough(item.score)]
        worded = await self._in_one_wording(scope, enough[: _WORDINGS * limit])
        recall = await self._reader.found(scope, worded[:limit])
        outcome = Outcome(
            ranked=(*worded, *enough[_WORDINGS * limit :]),
            insufficient=tuple(item for item in ranked if not filters.is_enough(item.score)),
            limit=limit,
        )
        losses = Losses(self._store, scope, kinds, filters, sieve)
        told = await losses.of(why_not, outcome) if why_not else ()
        return replace(recall, degraded=degraded, why_not=told)

    async def ranked_apart(
        self, scope: Scope, text: str, *, beliefs: int, turns: int
    ) -> tuple[list[Ranked], tuple[Degraded, ...]]:
        """The best beliefs and the best turns, so many of each, by one look-up with calibrated weights."""
        sieve = Sieve(self._store, scope)
        ranked, degraded = await self._ranked(scope, text, KINDS, max(beliefs, turns), Fusion.WEIGHTED, sieve)
        believed = [item for item in ranked if item.kind != EPISODE]
        believed = await self._in_one_wording(scope, believed[: _WORDINGS * beliefs])
        said = [item for item in ranked if item.kind == EPISODE]
        return [*believed[:beliefs], *said[:turns]], degraded

    async def _sieve(self, scope: Scope, filters: Filters) -> Sieve:
        same = await self._reader.same_things(scope, filters.entity) if filters.entity else None
        return Sieve(self._store, scope, filters, same)

    async def _ranked(
        self, scope: Scope, text: str, kinds: frozenset[str], limit: int, fusion: Fusion, sieve: Sieve
    ) -> tuple[list[Ranked], tuple[Degraded, ...]]:
        """All that the indexes find, best first, deep enough for ``limit`` of each kind; and what they went without."""
        helped = fusion is Fusion.WEIGHTED and EPISODE in kinds and self._beliefs_help
        looked_up = kinds | BELIEFS if helped else kinds
        asked = question(text)
        found = _Found(sieve=sieve)
        await self._look_up(found, scope, asked, looked_up, max(50, 5 * limit // 2))
        if fusion is Fusion.RRF:
            fused = [item for item in fuse(found.channels) if item.kind in kinds]
            listed = {name: [[hit[1:3] for hit in hits]] for name, hits in found.channels.items()}
            return with_raw(fused, listed), found.degraded
        return with_raw(await self._weighted(scope, asked, found, kinds, limit), found.listed), found.degraded

    @property
    def _beliefs_help(self) -> bool:
        """Whether what is believed tells which turns to show."""
        turns = self._weights.turns
        return bool(turns.belief_text or turns.belief_vector or turns.belief_graph)

    async def _in_one_wording(self, scope: Scope, ranked: list[Ranked]) -> list[Ranked]:
        """Of open beliefs that say the same, the best only: each wording is a belief of its own."""
        said = [item.id for item in ranked if item.open and not scope.history]
        alike = await self._store.said_alike(scope.group, said, ALIKE) if len(said) > 1 else []
        return one_wording(ranked, alike)

    async def _in_succession(self, scope: Scope, ranked: list[Ranked]) -> list[Ranked]:
        beliefs = [item.id for item in ranked if item.kind in BELIEFS]
        return in_succession(ranked, await self._store.versions(scope, beliefs) if beliefs else [])

    # looking up -----------------------------------------------------------------------------------------------------

    async def _look_up(self, found: _Found, scope: Scope, asked: Question, kinds: Iterable[str], depth: int) -> None:
        """Full text first: it tells who of the speakers is named, whose own words the question is embedded in."""
        await together([self._by_text(found, kind, scope, asked, depth) for kind in sorted(set(kinds) - {ENTITY})])
        await together(
            [self._by_graph(found, scope, asked, kinds), self._by_vectors(found, scope, asked, kinds, depth)]
        )

    async def _by_graph(self, found: _Found, scope: Scope, asked: Question, kinds: Iterable[str]) -> None:
        """Look up the entities that the question names, and what is believed around them."""
        beliefs = BELIEFS.intersection(kinds)
        if not (beliefs or ENTITY in kinds):
            return
        called = [id_ for id_, _ in found.text.get("fact", [])[:_ALIASES]]
        found.around = await around(self._store, scope, asked.text, called, beliefs=bool(beliefs))
        passing = await found.sieve.passing("relationship", (one.id for one in found.around.reached))
        reached = [one for one in found.around.reached if one.kind in beliefs and one.id in passing]
        found.open |= {one.id for one in reached if one.open}
        found.graph = sorted(nearness(reached, asked.words).items(), key=lambda hit: (-hit[1], hit[0]))

    async def _by_vectors(self, found: _Found, scope: Scope, asked: Question, kinds: Iterable[str], depth: int) -> None:
        speakers = named(asked.text, found.speakers)
        texts = [asked.text, as_said_by(asked.text, speakers[0])] if speakers else [asked.text]
        vectors, found.degraded = await self._questions.vectors(scope.group, texts, user=scope.user)
        if not vectors:
            return
        found.asked_of_turns = vectors[-1]
        of = {kind: vectors[-1] if kind == EPISODE else vectors[0] for kind in kinds}
        await together([self._by_vector(found, kind, scope, of[kind], depth) for kind in sorted(kinds)])

    async def _by_vector(self, found: _Found, kind: str, scope: Scope, vector: Vector, depth: int) -> None:
        if kind == ENTITY:
            near = await _enough_of_vectors(
                found.sieve, kind, lambda limit: self._store.entities_by_vector(scope, vector, limit), depth
            )
            found.names = [(id_, 2 * score - 1) for id_, score in near]
            return
        search = {
            "relationship": self._store.relationships_by_vector,
            "fact": self._store.facts_by_vector,
            EPISODE: self._store.episodes_by_vector,
        }[kind]
        hits = await _enough_of_vectors(found.sieve, kind, lambda limit: search(scope, vector, limit), depth)
        found.vector[kind] = [(id_, 2 * score - 1) for id_, score, _ in hits]
        found.open |= {id_ for id_, _, is_open in hits if is_open}

    async def _by_text(self, found: _Found, kind: str, scope: Scope, asked: Question, depth: int) -> None:
        fields = ["content", "speaker"] if kind == EPISODE else ["statement"]
        lucene = lucene_query(asked, fields, _filters(kind, scope))
        if lucene is None:
            return
        if kind == EPISODE:
            by_text = self._store.episodes_by_text
            said = await _enough(found.sieve, kind, lambda limit: by_text(scope, lucene, limit), depth)
            found.text[kind] = [(id_, score) for id_, score, _ in said]
            found.speakers |= {speaker for _, _, speaker in said if speaker}
            return
        search = self._store.relationships_by_text if kind == "relationship" else self._store.facts_by_text
        hits: Scored = await _enough(found.sieve, kind, lambda limit: search(scope, lucene, limit), depth)
        found.text[kind] = [(id_, score) for id_, score, _ in hits]
        found.open |= {id_ for id_, _, is_open in hits if is_open}

    # weighing -------------------------------------------------------------------------------------------------------

    async def _weighted(
        self, scope: Scope, asked: Question, found: _Found, kinds: frozenset[str], limit: int
    ) -> list[Ranked]:
        """Turns and beliefs in one list, each for what it has itself and what the other has."""
        texts, vectors = found.of_beliefs(found.text), found.of_beliefs(found.vector)
        citing = [id_ for id_, _ in (*texts[:_CITING], *vectors[:_CITING], *found.graph[:_CITING])]
        mutual = EPISODE in kinds and bool(citing)
        cited = await self._store.first_cited(scope, list(dict.fromkeys(citing))) if mutual else []
        ranked = list[Ranked]()
        if kinds & BELIEFS:
            pool = BeliefPool(
                kinds=_kinds_of(found, kinds & BELIEFS),
                open=frozenset(found.open),
                text=texts,
                vector=vectors,
                graph=dict(found.graph),
                turn=_best_of_turns(found, cited),
            )
            ranked += rank_beliefs(pool, self._weights.beliefs, worth=self._weights.kinds["beliefs"])
        if ENTITY in kinds:
            called = [one.id for one in found.around.named]
            ranked += rank_entities(called, found.names, self._weights.entities, worth=self._weights.kinds["entities"])
        if EPISODE in kinds:
            helping = _best_of_beliefs(texts, vectors, found.graph, cited)
            ranked += await self._turns(scope, asked, found, helping, limit)
        return sorted(ranked, key=lambda item: (-item.score, item.kind, item.id))

    async def _turns(
        self, scope: Scope, asked: Question, found: _Found, cited: Mapping[str, Cited], limit: int
    ) -> list[Ranked]:
        depth = max(BEST, limit)
        text, vector = found.text.get(EPISODE, [])[:depth], found.vector.get(EPISODE, [])[:depth]
        ids = list(dict.fromkeys([*(id_ for id_, _ in text), *(id_ for id_, _ in vector)]))
        opening = _OPENING if asked.asks_when else 0
        turns = await self._store.turns_around(scope, ids, found.asked_of_turns, reach=REACH, opening=opening)
        days = _days(asked.text, scope)
        pool = Pool(turns={turn.id: turn for turn in turns}, text=text, vector=vector, cited=cited, days=days)
        return rank_turns(asked, pool, self._weights.turns, worth=self._weights.kinds["turns"])


def _kinds_of(found: _Found, kinds: frozenset[str]) -> dict[str, str]:
    listed = {id_: kind for kind in kinds for channel in (found.text, found.vector) for id_, _ in channel.get(kind, ())}
    return {**{one.id: one.kind for one in found.around.reached if one.kind in kinds}, **listed}


def _best_of_beliefs(
    texts: Sequence[tuple[str, float]],
    vectors: Sequence[tuple[str, float]],
    graph: Iterable[tuple[str, float]],
    cited: Iterable[tuple[str, str]],
) -> dict[str, Cited]:
    """For each turn the best of the beliefs that cite it."""
    text, vector = of_lists(texts, vectors)
    near = dict(graph)
    best = defaultdict[str, Cited](Cited)
    for belief, turn in cited:
        so_far = best[turn]
        best[turn] = Cited(
            text=max(so_far.text, text.get(belief, 0.0)),
            vector=max(so_far.vector, vector.get(belief, 0.0)),
            graph=max(so_far.graph, near.get(belief, 0.0)),
        )
    return best


def _best_of_turns(found: _Found, cited: Iterable[tuple[str, str]]) -> dict[str, float]:
    """For each belief the best of the turns that it is quoted from, by full text or by vector."""
    text, vector = of_lists(found.text.get(EPISODE, []), found.vector.get(EPISODE, []))
    best = defaultdict[str, float](float)
    for belief, turn in cited:
        best[belief] = max(best[belief], text.get(turn, 0.0), vector.get(turn, 0.0))
    return best


def _days(text: str, scope: Scope) -> tuple[NamedDays, ...]:
    """The days that a question names, seen from when it asks of."""
    dates = (each for each in ground_dates(text, scope.valid_at) if not each.vague)
    return tuple(NamedDays(each.days, _is_of_any_year(text[each.start : each.end])) for each in dates)


def _is_of_any_year(words: str) -> bool:
    """“in June”, “on 3 May”."""
    lower = words.casefold()
    return _YEAR.search(words) is None and any(re.search(rf"\b{month}\b", lower) for month in MONTHS)


def _filters(kind: str, scope: Scope) -> dict[str, list[str]]:
    """The tokens that a document must have: of the group, of one of the audiences, of the session."""
    filters = {"group_token": [group_token(scope.group)]}
    if scope.audience is not None:
        filters["audience_token"] = [audience_token(scope.group, audience) for audience in scope.audience]
    if kind == EPISODE and scope.session is not None:
        filters["session_token"] = [session_token(scope.group, scope.session)]
    return filters


async def _enough(
    sieve: Sieve, kind: str, look_up: Callable[[int], Awaitable[tuple[int, Sequence[Hit]]]], wanted: int
) -> list[Hit]:
    """The best hits of an index that held then and that the sieve keeps.

    Four times as many are fetched until there are enough, or no more.
    """
    fetched = wanted
    while True:
        raw, held = await look_up(fetched)
        kept = await sieve.keep(kind, held)
        if len(kept) >= wanted or raw < fetched or fetched >= MAX_HITS:
            return kept[:wanted]
        fetched *= 4


async def _enough_of_vectors(
    sieve: Sieve, kind: str, look_up: Callable[[int], Awaitable[Sequence[Hit]]], wanted: int
) -> list[Hit]:
    """The same of an index that filters by all that held then, so that it counts what it tells."""

    async def counted(limit: int) -> tuple[int, Sequence[Hit]]:
        hits = await look_up(limit)
        return len(hits), hits

    return await _enough(sieve, kind, counted, wanted)
