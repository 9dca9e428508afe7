"""Recall: what is believed and said about a text, in a scope."""

import re
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

from graphmem.extract.offline.dates.finder import ground_dates
from graphmem.extract.offline.dates.meanings import MONTHS
from graphmem.memory.questions import Questions
from graphmem.model.embedding import Vector
from graphmem.model.ids import audience_token, group_token, session_token
from graphmem.model.recall import Degraded, Fusion, Ranked, Recall
from graphmem.model.scope import Scope
from graphmem.reading import Reader
from graphmem.retrieve.beliefs import BeliefPool, rank_beliefs
from graphmem.retrieve.days import NamedDays
from graphmem.retrieve.fuse import fuse
from graphmem.retrieve.lucene import lucene_query
from graphmem.retrieve.question import Question, as_said_by, named, question
from graphmem.retrieve.scales import BEST, of_lists
from graphmem.retrieve.turns import REACH, Cited, Pool, rank_turns
from graphmem.retrieve.weights import Weights, packaged
from graphmem.retrieve.wordings import ALIKE, one_wording
from graphmem.store.graph import GraphStore
from graphmem.store.search import Scored
from graphmem.together import together

KINDS = frozenset({"relationship", "fact", "episode"})
BELIEFS = frozenset({"relationship", "fact"})
MAX_HITS = 25_600
"""Full-text hits looked through for those that held at a time."""
_WORDINGS = 3
"""So many times the limit are looked through for wordings of one thing."""
_CITING = 60
"""Of so many beliefs, by full text and by vector, it is looked up which turns they cite."""
_OPENING = 400
"""Characters of a turn in which a time is looked for."""

_YEAR = re.compile(r"\b(?:1[89]|20|21)\d\d\b")

Hit = TypeVar("Hit", bound=tuple[object, ...])


@dataclass(slots=True)
class _Found:
    """What the indexes say: by kind, ids with scores, best first. Scores of vectors are cosines."""

    text: dict[str, list[tuple[str, float]]] = field(default_factory=dict[str, list[tuple[str, float]]])
    vector: dict[str, list[tuple[str, float]]] = field(default_factory=dict[str, list[tuple[str, float]]])
    open: set[str] = field(default_factory=set[str])
    speakers: set[str] = field(default_factory=set[str])
    asked_of_turns: Vector | None = None
    degraded: tuple[Degraded, ...] = ()

    def of_beliefs(self, channel: Mapping[str, list[tuple[str, float]]]) -> list[tuple[str, float]]:
        """Relationships and facts in one list: their indexes score alike."""
        found = [hit for kind in BELIEFS for hit in channel.get(kind, ())]
        return sorted(found, key=lambda hit: (-hit[1], hit[0]))

    @property
    def channels(self) -> dict[str, list[tuple[str, str, float, bool]]]:
        """All lists by name, as ``fuse`` takes them."""
        lists = [(f"{name}:{kind}", kind, hits) for name in ("text", "vector") for kind, hits in self._of(name).items()]
        return {
            name: [(kind, id_, score, id_ in self.open) for id_, score in hits] for name, kind, hits in sorted(lists)
        }

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
    ) -> Recall:
        """What is believed and said about ``text``.

        Full text and vectors over relationships, facts and episodes. Tenant, audience and time are part of the vector
        look-up; full text fetches on until enough hits held then. Of open beliefs that say the same of somebody's day
        in other words, the best stands for all. Without a vector of the question it goes by full text, and says so.
        """
        await self._reader.known_group(scope.group)
        helped = fusion is Fusion.WEIGHTED and "episode" in kinds and self._beliefs_help
        looked_up = kinds | BELIEFS if helped else kinds
        asked = question(text)
        found = await self._look_up(scope, asked, looked_up, max(50, 5 * limit // 2))
        if fusion is Fusion.RRF:
            ranked = fuse(found.channels)
        else:
            ranked = await self._weighted(scope, asked, found, kinds, limit)
        ranked = await self._in_one_wording(scope, ranked[: _WORDINGS * limit])
        return replace(await self._reader.found(scope, ranked[:limit]), degraded=found.degraded)

    @property
    def _beliefs_help(self) -> bool:
        """Whether what is believed tells which turns to show."""
        return bool(self._weights.turns.belief_text or self._weights.turns.belief_vector)

    async def _in_one_wording(self, scope: Scope, ranked: list[Ranked]) -> list[Ranked]:
        """Of open beliefs that say the same, the best only: each wording is a belief of its own."""
        said = [item.id for item in ranked if item.open]
        alike = await self._store.said_alike(scope.group, said, ALIKE) if len(said) > 1 else []
        return one_wording(ranked, alike)

    # looking up -----------------------------------------------------------------------------------------------------

    async def _look_up(self, scope: Scope, asked: Question, kinds: Iterable[str], depth: int) -> _Found:
        """Full text first: it tells who of the speakers is named, whose own words the question is embedded in."""
        found = _Found()
        await together([self._by_text(found, kind, scope, asked, depth) for kind in sorted(kinds)])
        speakers = named(asked.text, found.speakers)
        texts = [asked.text, as_said_by(asked.text, speakers[0])] if speakers else [asked.text]
        vectors, found.degraded = await self._questions.vectors(scope.group, texts)
        if not vectors:
            return found
        found.asked_of_turns = vectors[-1]
        of = {kind: vectors[-1] if kind == "episode" else vectors[0] for kind in kinds}
        await together([self._by_vector(found, kind, scope, of[kind], depth) for kind in sorted(kinds)])
        return found

    async def _by_vector(self, found: _Found, kind: str, scope: Scope, vector: Vector, depth: int) -> None:
        search = {
            "relationship": self._store.relationships_by_vector,
            "fact": self._store.facts_by_vector,
            "episode": self._store.episodes_by_vector,
        }[kind]
        hits = await search(scope, vector, depth)
        found.vector[kind] = [(id_, 2 * score - 1) for id_, score, _ in hits]
        found.open |= {id_ for id_, _, is_open in hits if is_open}

    async def _by_text(self, found: _Found, kind: str, scope: Scope, asked: Question, depth: int) -> None:
        fields = ["content", "speaker"] if kind == "episode" else ["statement"]
        lucene = lucene_query(asked, fields, _filters(kind, scope))
        if lucene is None:
            return
        if kind == "episode":
            said = await _enough(self._store.episodes_by_text, scope, lucene, depth)
            found.text[kind] = [(id_, score) for id_, score, _ in said]
            found.speakers |= {speaker for _, _, speaker in said if speaker}
            return
        search = self._store.relationships_by_text if kind == "relationship" else self._store.facts_by_text
        hits: Scored = await _enough(search, scope, lucene, depth)
        found.text[kind] = [(id_, score) for id_, score, _ in hits]
        found.open |= {id_ for id_, _, is_open in hits if is_open}

    # weighing -------------------------------------------------------------------------------------------------------

    async def _weighted(
        self, scope: Scope, asked: Question, found: _Found, kinds: frozenset[str], limit: int
    ) -> list[Ranked]:
        """Turns and beliefs in one list, each for what it has itself and what the other has."""
        texts, vectors = found.of_beliefs(found.text), found.of_beliefs(found.vector)
        citing = [id_ for id_, _ in (*texts[:_CITING], *vectors[:_CITING])]
        mutual = "episode" in kinds and bool(citing)
        cited = await self._store.first_cited(scope, list(dict.fromkeys(citing))) if mutual else []
        ranked = list[Ranked]()
        if kinds & BELIEFS:
            pool = BeliefPool(
                kinds=_kinds_of(found, kinds & BELIEFS),
                open=frozenset(found.open),
                text=texts,
                vector=vectors,
                turn=_best_of_turns(found, cited),
            )
            ranked += rank_beliefs(pool, self._weights.beliefs, worth=self._weights.kinds["beliefs"])
        if "episode" in kinds:
            ranked += await self._turns(scope, asked, found, _best_of_beliefs(texts, vectors, cited), limit)
        return sorted(ranked, key=lambda item: (-item.score, item.kind, item.id))

    async def _turns(
        self, scope: Scope, asked: Question, found: _Found, cited: Mapping[str, Cited], limit: int
    ) -> list[Ranked]:
        depth = max(BEST, limit)
        text, vector = found.text.get("episode", [])[:depth], found.vector.get("episode", [])[:depth]
        ids = list(dict.fromkeys([*(id_ for id_, _ in text), *(id_ for id_, _ in vector)]))
        opening = _OPENING if asked.asks_when else 0
        turns = await self._store.turns_around(scope, ids, found.asked_of_turns, reach=REACH, opening=opening)
        days = _days(asked.text, scope)
        pool = Pool(turns={turn.id: turn for turn in turns}, text=text, vector=vector, cited=cited, days=days)
        return rank_turns(asked, pool, self._weights.turns, worth=self._weights.kinds["turns"])


def _kinds_of(found: _Found, kinds: Iterable[str]) -> dict[str, str]:
    return {id_: kind for kind in kinds for channel in (found.text, found.vector) for id_, _ in channel.get(kind, ())}


def _best_of_beliefs(
    texts: Sequence[tuple[str, float]], vectors: Sequence[tuple[str, float]], cited: Iterable[tuple[str, str]]
) -> dict[str, Cited]:
    """For each turn the best of the beliefs that cite it."""
    text, vector = of_lists(texts, vectors)
    best = defaultdict[str, Cited](Cited)
    for belief, turn in cited:
        so_far = best[turn]
        best[turn] = Cited(
            text=max(so_far.text, text.get(belief, 0.0)), vector=max(so_far.vector, vector.get(belief, 0.0))
        )
    return best


def _best_of_turns(found: _Found, cited: Iterable[tuple[str, str]]) -> dict[str, float]:
    """For each belief the best of the turns that it is quoted from, by full text or by vector."""
    text, vector = of_lists(found.text.get("episode", []), found.vector.get("episode", []))
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
    if kind == "episode" and scope.session is not None:
        filters["session_token"] = [session_token(scope.group, scope.session)]
    return filters


async def _enough(
    by_text: Callable[[Scope, str, int], Awaitable[tuple[int, list[Hit]]]], scope: Scope, lucene: str, wanted: int
) -> list[Hit]:
    """The best full-text hits that held then: four times as many are fetched until there are enough, or no more."""
    fetched = wanted
    while True:
        raw, held = await by_text(scope, lucene, fetched)
        if len(held) >= wanted or raw < fetched or fetched >= MAX_HITS:
            return held[:wanted]
        fetched *= 4
