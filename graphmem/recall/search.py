"""Recall: what is believed and said about a text, in a scope."""

import re
from asyncio import Task
from collections import defaultdict
from collections.abc import Awaitable, Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice
from typing import TypeVar

import structlog

from graphmem.errors import AnswerTooLarge
from graphmem.extract.offline.dates.finder import ground_dates
from graphmem.model.damage import noted
from graphmem.model.dates import MONTHS
from graphmem.model.hits import (
    Addressed,
    Degraded,
    Fusion,
    Ranked,
    RankedTurn,
    Recall,
    SearchTrace,
    Version,
    WhyDegraded,
    WhyNot,
)
from graphmem.model.recall import Bearers
from graphmem.model.scope import Scope
from graphmem.model.search import (
    BELIEFS,
    ENTITY,
    EPISODE,
    HIT_KINDS,
    NO_FILTERS,
    NO_PREFERENCES,
    OF_EPISODES,
    PATH,
    REFLECTION,
    RELATIONSHIP,
    SEARCHED,
    SUMMARY,
    Filters,
    Preferences,
)
from graphmem.recall.looking_up import LookedUp, LookUp, Sieve
from graphmem.recall.names import several_called
from graphmem.recall.reader import Reader
from graphmem.recall.uses import Uses
from graphmem.recall.vectors import Questions
from graphmem.retrieve.beliefs import BeliefPool, rank_beliefs, rank_entities
from graphmem.retrieve.paths import along_paths, with_answering, with_paths
from graphmem.retrieve.preferring import diverse, preferring
from graphmem.retrieve.question import NamedDays, Question, question
from graphmem.retrieve.rarity import with_rarest_first
from graphmem.retrieve.relevance import answerability, packaged_relevance, with_relevance
from graphmem.retrieve.restated import asks_for_a_value, of_one, put_above, restated
from graphmem.retrieve.scales import BEST, fuse, of_lists, with_raw
from graphmem.retrieve.succession import ALIKE, in_succession, one_wording, replaced, unfound
from graphmem.retrieve.summaries import rank_texts
from graphmem.retrieve.turns import REACH, Cited, Pool, rank_turns
from graphmem.retrieve.weights import Weights, packaged
from graphmem.retrieve.why_not import of_its_time, why_not
from graphmem.store.graph import GraphStore
from graphmem.store.search import TurnsAround

HITS = "hits"
"""What a search goes without, where not a channel but a hit is missing."""
_WORDINGS = 3
"""Wordings of one thing are looked for in this many times the limit."""
_UNLIKE = 50
"""What is unlike what stands above it is looked for among so many hits, if not among more."""
_CITING = 60
"""The most beliefs of each channel (full text, vector, graph) for which the turns that they cite are looked up."""
_COVERED = 50
"""So many of the first turns lend what they have to the summaries that cover them."""
_NEWEST = 5
"""So many of the newest versions of what competes with a belief are looked up in a history."""
_RELEVANT = 10
"""The first hits, of which it is asked whether any answers a question."""
_MOST_DAYS = 20
"""Days that a question names, each compared with every turn."""
_OPENING = 400
"""Characters of a turn in which a time is looked for."""

Wanted = TypeVar("Wanted")
Read = TypeVar("Read")

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

_YEAR = re.compile(r"\b(?:1[89]|20|21)\d\d\b")


async def preferred(
    store: GraphStore, scope: Scope, ranked: Sequence[Ranked], preferences: Preferences
) -> list[Ranked]:
    """Hits with what recency, as of ``valid_at``, and confidence add to the score of each."""
    if not preferences.of_each or not ranked:
        return list(ranked)
    traits = await store.traits(scope, [item.id for item in ranked], vectors=False)
    return preferring(ranked, {trait.id: trait for trait in traits}, preferences, scope.valid_at)


async def diversified(
    store: GraphStore,
    scope: Scope,
    ranked: Sequence[Ranked],
    preferences: Preferences,
    slots: Mapping[str, Hashable],
) -> list[Ranked]:
    """Hits in an order in which none is too like one above it; those of one slot, by id, stay in their order."""
    if not preferences.diversity or not ranked:
        return list(ranked)
    traits = await store.traits(scope, [item.id for item in ranked], vectors=True)
    vectors = {trait.id: trait.vector for trait in traits if trait.vector is not None}
    return diverse(ranked, vectors, preferences.diversity, slots)


@dataclass(frozen=True, slots=True)
class RankedApart:
    """Beliefs and turns, the best of each first; of beliefs that are near to the question its ``cosines`` with them.

    ``summaries`` are the ids of summaries of sessions, the nearest first, with such cosines. ``unknown`` are names in
    the question that nobody bears, each with those spelt much like it.
    """

    ranked: tuple[Ranked, ...] = ()
    cosines: Mapping[str, float] = field(default_factory=dict[str, float])
    summaries: tuple[tuple[str, float], ...] = ()
    unknown: Mapping[str, Sequence[str]] = field(default_factory=dict[str, Sequence[str]])
    degraded: tuple[Degraded, ...] = ()


class Losses:
    """Why some of what a reader may see is not among the hits of a search of ``kinds``."""

    def __init__(self, store: GraphStore, scope: Scope, kinds: frozenset[str], filters: Filters, sieve: Sieve) -> None:
        self._store, self._scope, self._kinds, self._filters, self._sieve = store, scope, kinds, filters, sieve

    async def of(self, ids: Sequence[str], outcome: SearchTrace) -> tuple[WhyNot, ...]:
        addressed = await self._store.addressed(self._scope, ids)
        meant = {id_: [version for version in addressed if version.asked == id_] for id_ in dict.fromkeys(ids)}
        looked_for = [of_its_time(versions, self._scope) for versions in meant.values() if versions]
        whole = replace(outcome, failed={version.id: tuple(await self._failed(version)) for version in looked_for})
        return tuple(why_not(id_, versions, self._scope, whole) for id_, versions in meant.items())

    async def _failed(self, version: Addressed) -> list[str]:
        """The names of the filters that it does not pass; of those of episodes all, where each has another episode."""
        given, failed = self._filters.given, list[str]()
        if version.kind not in self._kinds:
            failed.append("kinds")
        if version.kind != EPISODE and self._scope.open not in (None, version.open):
            failed.append("open")
        failed += [name for name in given if not await self._passes(version, self._sieve.only(name))]
        if not failed and not await self._passes(version, self._sieve):
            return [name for name in given if name in OF_EPISODES]
        return failed

    async def _passes(self, version: Addressed, sieve: Sieve) -> bool:
        return version.id in await sieve.passing(version.kind, [version.id])


class Searcher:
    """Finds what answers a question."""

    def __init__(
        self, store: GraphStore, reader: Reader, questions: Questions, uses: Uses, weights: Weights | None = None
    ) -> None:
        self._store = store
        self._uses = uses
        self._reader = reader
        self._questions = questions
        self._look_up = LookUp(store, questions)
        self._weights = weights or packaged()

    async def search(
        self,
        scope: Scope,
        text: str,
        *,
        kinds: frozenset[str] = SEARCHED,
        limit: int = 10,
        fusion: Fusion = Fusion.WEIGHTED,
        filters: Filters = NO_FILTERS,
        preferences: Preferences = NO_PREFERENCES,
        why_not: Sequence[str] = (),
    ) -> Recall:
        """What is believed and said about ``text``.

        Full text and vectors over relationships, facts, episodes and summaries. Tenant, audience and time are part of
        the vector look-up; full text fetches on until enough hits held then, and all do until enough have what
        ``filters`` ask for. In a history what has ended or is no longer believed is found as well, below what replaced
        it. Of open beliefs that say the same of somebody's day in other words, the best stands for all. Without a
        vector of the question it goes by full text, and says so. ``preferences`` change scores, each as a reason of its
        own; that of diversity looks at the first 50, or at three times the limit. ``why_not`` are ids of beliefs and
        episodes: it tells where each was lost.

        Raises:
            NotFound: the entity of the filters was not known then.
        """
        await self._reader.known_group(scope.group)
        sieve = await self._sieve(scope, filters)
        asked = question(text)
        ranked, results = await self._ranked(scope, asked, filters.of(kinds), limit, fusion, sieve)
        ranked = [replace(item, place=results.places.get(item.id)) for item in ranked]
        answering = frozenset[str]() if scope.history else results.answering
        ranked = with_paths(with_answering(ranked, answering), results.paths)
        ranked = with_relevance(ranked, results.cosines, packaged_relevance())
        relevances = [item.relevance for item in ranked[:_RELEVANT]]
        ranked = await preferred(self._store, scope, await sieve.keep_ranked(ranked), preferences)
        versions = list[Version]()
        if scope.history:
            ranked, versions = await self._in_succession(scope, ranked, filters.of(kinds), sieve)
        enough, insufficient = list[Ranked](), list[Ranked]()
        for item in ranked:
            (enough if filters.is_enough(item.score, item.relevance) else insufficient).append(item)
        first = max(_WORDINGS * limit, _UNLIKE if preferences.diversity else 0)
        worded = await self._in_one_wording(scope, enough[:first])
        slots = {version.id: version.slot for version in versions}
        worded = await diversified(self._store, scope, worded, preferences, slots)
        lists = results.lists(fusion)
        recall = replace(
            await self._read(scope, with_raw(worded[:limit], lists), results.degraded),
            answerability=answerability(relevances, results.unknown, packaged_relevance()),
            unknown_names=tuple(results.unknown),
            warnings=tuple(several_called(results.around.short)),
        )
        self._uses.note(scope, [belief for hit in recall.hits for belief in hit.beliefs])
        if not why_not:
            return recall
        outcome = SearchTrace(
            ranked=tuple(with_raw([*worded, *enough[first:]], lists)),
            insufficient=tuple(with_raw(insufficient, lists)),
            limit=limit,
            least=filters.of_ranking,
            replaced=replaced(ranked, versions),
        )
        losses = await Losses(self._store, scope, kinds, filters, sieve).of(why_not, outcome)
        return replace(recall, why_not=losses)

    async def ranked_apart(
        self,
        scope: Scope,
        text: str,
        sieve: Sieve,
        *,
        beliefs: int,
        turns: int,
        summaries: bool,
        bearers: Task[Mapping[str, Bearers]],
    ) -> RankedApart:
        """The best beliefs and the best turns, so many of each, and summaries, by one look-up.

        Beliefs and turns are by calibrated weights, summaries by their vectors. ``bearers`` finds out who bears the
        names in the text.
        """
        asked, results = question(text), LookedUp(sieve=sieve)
        kinds, limit = BELIEFS | {EPISODE}, max(beliefs, turns)
        near, looked_up = frozenset({SUMMARY} if summaries else ()), kinds | ({PATH} if beliefs else set[str]())
        depth = max(50, 5 * limit // 2)
        await self._look_up.fill(results, scope, asked, looked_up | near, depth, by_meaning_alone=near, bearers=bearers)
        ranked = await sieve.keep_ranked(await self._weighted(scope, asked, results, kinds, limit))
        passing = await sieve.passing(RELATIONSHIP, (step.id for path in results.paths for step in path.steps))
        paths = [path for path in results.paths if passing.issuperset(step.id for step in path.steps)]
        believed = [item for item in ranked if item.kind != EPISODE]
        believed = along_paths(with_answering(believed, results.answering), paths)
        believed = await self._in_one_wording(scope, believed[: _WORDINGS * beliefs])
        episodes = [replace(item, place=results.places.get(item.id)) for item in ranked if item.kind == EPISODE]
        cosines = dict(results.of_beliefs(results.vector))
        nearest = tuple(hit for hit in results.vector.get(SUMMARY, ()) if hit[0] in results.of_sessions)
        return RankedApart(
            (*believed[:beliefs], *episodes[:turns]), cosines, nearest, results.unknown, tuple(results.degraded)
        )

    async def _read(self, scope: Scope, ranked: Sequence[Ranked], degraded: Sequence[Degraded]) -> Recall:
        """The hits themselves, and what the search went without; hits that cannot be read too."""
        with noted() as damage:
            parts, lost = await readable(partial(self._reader.hits, scope), ranked, name_of)
        unreadable = [Degraded(HITS, WhyDegraded.UNREADABLE, detail) for detail in (*lost, *damage.sentences())]
        self._questions.count(scope.group, unreadable)
        entities = {entity.id: entity for part in parts for entity in part.entities}
        return Recall(
            hits=tuple(hit for part in parts for hit in part.hits),
            entities=tuple(entities[id_] for id_ in sorted(entities)),
            degraded=(*degraded, *unreadable),
        )

    async def _sieve(self, scope: Scope, filters: Filters) -> Sieve:
        same = await self._reader.same_things(scope, filters.entity) if filters.entity else None
        return Sieve(self._store, scope, filters, same)

    async def _ranked(
        self, scope: Scope, asked: Question, kinds: frozenset[str], limit: int, fusion: Fusion, sieve: Sieve
    ) -> tuple[list[Ranked], LookedUp]:
        """All that the indexes find, best first, deep enough for ``limit`` of each kind; and what they say of it."""
        looked_up = kinds
        if scope.history:
            kinds = looked_up = kinds - {PATH}
        if fusion is Fusion.WEIGHTED and kinds & {EPISODE, SUMMARY}:  # turns tell which summaries to show
            looked_up = kinds | {EPISODE} | (BELIEFS if self._beliefs_help else frozenset[str]())
        results = LookedUp(sieve=sieve)
        await self._look_up.fill(results, scope, asked, looked_up, max(50, 5 * limit // 2))
        if fusion is Fusion.RRF:
            return [item for item in fuse(results.channels) if item.kind in kinds], results
        return await self._weighted(scope, asked, results, kinds, limit), results

    @property
    def _beliefs_help(self) -> bool:
        """Whether what is believed tells which turns to show."""
        turns = self._weights.turns
        return bool(turns.belief_text or turns.belief_vector or turns.belief_graph)

    async def _in_one_wording(self, scope: Scope, ranked: list[Ranked]) -> list[Ranked]:
        """Of open beliefs that say the same, the best only: each wording is a belief of its own."""
        open_ids = [item.id for item in ranked if item.open and not scope.history]
        alike = await self._store.said_alike(scope.group, open_ids, ALIKE) if len(open_ids) > 1 else []
        return one_wording(ranked, alike)

    async def _in_succession(
        self, scope: Scope, ranked: list[Ranked], kinds: frozenset[str], sieve: Sieve
    ) -> tuple[list[Ranked], list[Version]]:
        """Hits with what replaced some of them, also where no index has that among its best; and all as versions."""
        beliefs = [item.id for item in ranked if item.kind in BELIEFS]
        if not beliefs:
            return ranked, []
        newest = await self._store.successors(scope, beliefs, _NEWEST)
        versions = await self._store.versions(scope, {*beliefs, *(id_ for _, id_, _ in newest)})
        hits, relevance = set(beliefs), max(item.relevance for item in ranked)  # it stands above what it replaced
        missed = unfound(
            [version for version in versions if version.id in hits],
            [version for version in versions if version.id not in hits],
        )
        added = [
            Ranked(kind=kind, id=id_, score=0.0, contributions=(), open=is_open, relevance=relevance)
            for kind, id_, is_open in newest
            if id_ in missed and kind in kinds
        ]
        return in_succession([*ranked, *await sieve.keep_ranked(added)], versions), versions

    # weighing -------------------------------------------------------------------------------------------------------

    async def _weighted(
        self, scope: Scope, asked: Question, results: LookedUp, kinds: frozenset[str], limit: int
    ) -> list[Ranked]:
        """Turns and beliefs in one list, each for what it has itself and what the other has."""
        texts, vectors = results.of_beliefs(results.text), results.of_beliefs(results.vector)
        citing = [id_ for id_, _ in (*texts[:_CITING], *vectors[:_CITING], *results.graph[:_CITING])]
        turned = bool(kinds & {EPISODE, SUMMARY})
        around = await self._turns_around(
            scope, asked, results, limit, citing=citing if turned else [], summaries=SUMMARY in kinds
        )
        cited, known = around.cited, {turn.id: turn for turn in around.turns}
        ranked = list[Ranked]()
        if kinds & BELIEFS:
            pool = BeliefPool(
                kinds=_kinds_of(results, kinds & BELIEFS),
                open=frozenset(results.open),
                text=texts,
                vector=vectors,
                graph=dict(results.graph),
                turn=_best_of_turns(results, cited),
            )
            ranked += rank_beliefs(pool, self._weights.beliefs, worth=self._weights.kinds["beliefs"])
        if ENTITY in kinds:
            called = [entity.id for entity in results.around.named]
            ranked += rank_entities(
                called, results.names, self._weights.entities, worth=self._weights.kinds["entities"]
            )
        helping = _best_of_beliefs(texts, vectors, results.graph, cited)
        turns = await self._rank_turns(scope, asked, results, known, helping, limit)
        for kind in sorted(kinds & {SUMMARY, REFLECTION}):
            text, like = results.text.get(kind, []), results.vector.get(kind, [])
            covered = _best_covered(turns, known) if kind == SUMMARY else {}
            ranked += rank_texts(kind, text, like, covered, self._weights.texts, worth=self._weights.kinds["turns"])
        ranked += turns if EPISODE in kinds else []
        ranked.sort(key=lambda item: (-item.score, item.kind, item.id))
        return with_rarest_first(ranked, results.rare, cited)

    async def _turns_around(
        self,
        scope: Scope,
        asked: Question,
        results: LookedUp,
        limit: int,
        *,
        citing: Iterable[str],
        summaries: bool,
    ) -> TurnsAround:
        """The best turns of full text and of vectors, and long ones of rare words, with those around them.

        And which turns beliefs have their words from.
        """
        best = (id_ for channel in _best_turns(results, limit) for id_, _ in channel)
        ids = list(dict.fromkeys([*best, *results.rare.places]))
        beliefs, opening = list(dict.fromkeys(citing)), _OPENING if asked.asks_when else 0
        if not ids and not beliefs:
            return TurnsAround()
        return await self._store.turns_around(
            scope, ids, results.asked_of_turns, reach=REACH, opening=opening, summaries=summaries, beliefs=beliefs
        )

    async def _rank_turns(
        self,
        scope: Scope,
        asked: Question,
        results: LookedUp,
        known: Mapping[str, RankedTurn],
        cited: Mapping[str, Cited],
        limit: int,
    ) -> list[Ranked]:
        text, vector = _best_turns(results, limit)
        days = _days(asked.text, scope)
        results.places |= {id_: turn.place for id_, turn in known.items() if turn.place and id_ not in results.places}
        pool = Pool(turns=known, text=text, vector=vector, cited=cited, days=days)
        ranked = rank_turns(asked, pool, self._weights.turns, worth=self._weights.kinds["turns"])
        return await self._newest_first(scope, asked, pool, ranked)

    async def _newest_first(self, scope: Scope, asked: Question, pool: Pool, ranked: list[Ranked]) -> list[Ranked]:
        """Above the best turn of somebody those in which the same one gives its numbers anew."""
        best = of_one(pool.turns[item.id] for item in ranked) if asks_for_a_value(asked) else []
        texts = await self._store.turn_texts(scope, [turn.id for turn in best]) if best[1:] else []
        newest = restated(asked, texts)
        return put_above(ranked, texts[0].id, newest) if newest else ranked


def _best_turns(results: LookedUp, limit: int) -> tuple[list[tuple[str, float]], list[tuple[str, float]]]:
    """The best turns by full text and by vector, at least ``limit`` of each if there are."""
    depth = max(BEST, limit)
    return results.text.get(EPISODE, [])[:depth], results.vector.get(EPISODE, [])[:depth]


def _best_covered(ranked: Sequence[Ranked], turns: Mapping[str, RankedTurn]) -> dict[str, float]:
    """For each summary the best of the first turns, of those that it covers, of the best of all."""
    best = defaultdict[str, float](float)
    for item in ranked[:_COVERED]:
        for summary in turns[item.id].covered_by if item.score > 0 else ():
            best[summary] = max(best[summary], item.score / ranked[0].score)
    return best


def _kinds_of(results: LookedUp, kinds: frozenset[str]) -> dict[str, str]:
    listed = {
        id_: kind for kind in kinds for channel in (results.text, results.vector) for id_, _ in channel.get(kind, ())
    }
    return {**{belief.id: belief.kind for belief in results.around.reached if belief.kind in kinds}, **listed}


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


def _best_of_turns(results: LookedUp, cited: Iterable[tuple[str, str]]) -> dict[str, float]:
    """For each belief the best of the turns that it is quoted from, by full text or by vector."""
    text, vector = of_lists(results.text.get(EPISODE, []), results.vector.get(EPISODE, []))
    best = defaultdict[str, float](float)
    for belief, turn in cited:
        best[belief] = max(best[belief], text.get(turn, 0.0), vector.get(turn, 0.0))
    return best


def _days(text: str, scope: Scope) -> tuple[NamedDays, ...]:
    """The days that a question names, seen from when it asks of."""
    dates = (each for each in ground_dates(text, scope.valid_at) if not each.vague)
    named = (NamedDays(each.days, _is_of_any_year(text[each.start : each.end])) for each in dates)
    return tuple(islice(dict.fromkeys(named), _MOST_DAYS))


def _is_of_any_year(words: str) -> bool:
    """“in June”, “on 3 May”."""
    lower = words.casefold()
    return _YEAR.search(words) is None and any(re.search(rf"\b{month}\b", lower) for month in MONTHS)


# what one answer has room for ----------------------------------------------------------------------------------------


async def readable(
    read: Callable[[Sequence[Wanted]], Awaitable[Read]], wanted: Sequence[Wanted], name: Callable[[Wanted], str]
) -> tuple[list[Read], list[str]]:
    """What is read of all at once, else of each half by itself; and a sentence for each that is too long.

    What is too long by itself is left out and named, and keeps out nothing else.
    """
    if not wanted:
        return [], []
    try:
        return [await read(wanted)], []
    except AnswerTooLarge:
        if len(wanted) > 1:
            half = len(wanted) // 2
            first, lost_first = await readable(read, wanted[:half], name)
            second, lost_second = await readable(read, wanted[half:], name)
            return [*first, *second], [*lost_first, *lost_second]
        log.warning("too_long", entry=name(wanted[0]))
        return [], [f"{name(wanted[0])} is too long for an answer, and was left out."]


def name_of(item: Ranked) -> str:
    """What a hit is called to people: its kind and its id."""
    return f"{HIT_KINDS[item.kind].name} {item.id}"
