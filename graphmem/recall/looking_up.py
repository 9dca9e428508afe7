"""Looks a question up in the indexes and in the graph, side by side."""

from asyncio import Task
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from itertools import islice
from types import MappingProxyType

from graphmem.extract.offline.languages import foreign_spans
from graphmem.model.embedding import Vector
from graphmem.model.entity import normalise_name
from graphmem.model.hits import Degraded, FoundPath, Fusion, Ranked, Reached
from graphmem.model.ids import audience_token, group_token, session_token
from graphmem.model.recall import Bearers, KnownEntity
from graphmem.model.scope import Scope
from graphmem.model.search import (
    BELIEFS,
    ENTITY,
    EPISODE,
    FACT,
    HIT_KINDS,
    NO_FILTERS,
    PATH,
    REFLECTION,
    RELATIONSHIP,
    SUMMARY,
    Filters,
)
from graphmem.process.tasks import side_by_side, together
from graphmem.recall.names import MOST_NAMED, bearers_in, near_names, note_taken
from graphmem.recall.vectors import Asking, Questions
from graphmem.retrieve.beliefs import nearness, starts_beyond
from graphmem.retrieve.paths import LONGEST, PathFinder
from graphmem.retrieve.question import (
    Question,
    Run,
    as_said_by,
    each_once,
    lucene_query,
    may_be_names,
    named,
    named_in,
    runs,
)
from graphmem.retrieve.rarity import RareWords, rare_words, words_to_count
from graphmem.retrieve.relevance import KnownCosines
from graphmem.store.graph import GraphStore
from graphmem.store.search import Hit, Hits, TextQuery
from graphmem.store.sieve import Entities

_CANDIDATES = 50
_REACHED = 200
"""The most beliefs that are read at one entity, the most important first; also for paths."""
_FEW, _BEYOND, _REACHED_BEYOND = 60, 10, 20
"""From entities of at most ``_FEW`` beliefs it goes on to ``_BEYOND`` neighbours, and reads so many beliefs of each."""

MAX_HITS = 25_600
"""Hits of an index looked through for those that held at a time and have what a search asks for."""
_HEARD = 20
"""Hits of full text that are looked at first for the episodes that have a word."""
_NOT_LOOKED_UP = Hits(raw=_HEARD, hits=())
_ALIASES = 20
"""The most facts, best first by full text, in which another name of an entity is looked for."""

IdsWithScores = list[tuple[str, float]]


class Sieve:
    """Keeps what has all that a search asks for, whichever channel it comes from.

    Each hit is looked up once, unless several tasks ask for it at the same time.
    """

    def __init__(
        self, store: GraphStore, scope: Scope, filters: Filters = NO_FILTERS, entities: Entities = None
    ) -> None:
        """``entities`` are the ids of all that is the same as the entity asked for."""
        self._store, self._scope, self._filters, self._entities = store, scope, filters, entities
        self._looked_at = set[str]()
        self._passing = set[str]()
        self._held_back = defaultdict[str, set[str]](set)

    @property
    def looks(self) -> bool:
        """Whether something is asked for, so that not everything passes."""
        return bool(self._filters.given)

    def held_back(self, *kinds: str) -> frozenset[str]:
        """The ids of things of these kinds that it has looked at and not kept."""
        return frozenset[str]().union(*(self._held_back[kind] for kind in kinds))

    def only(self, name: str) -> "Sieve":
        """A sieve for one of the filters alone."""
        entities = self._entities if name == "entity" else None
        return Sieve(self._store, self._scope, self._filters.only(name), entities)

    async def keep(self, hits: Mapping[str, Sequence[Hit]]) -> Mapping[str, list[Hit]]:
        """The hits of indexes, by kind, that have all that the search asks for."""
        passing = await self._passing_of((kind, hit.id) for kind, some in hits.items() for hit in some)
        return {kind: [hit for hit in some if hit.id in passing] for kind, some in hits.items()}

    async def keep_ranked(self, ranked: Sequence[Ranked]) -> list[Ranked]:
        """The ranked that have all that the search asks for, also of what came with a hit, as the turns around it."""
        passing = await self._passing_of((item.kind, item.id) for item in ranked)
        return [item for item in ranked if item.id in passing]

    async def _passing_of(self, things: Iterable[tuple[str, str]]) -> frozenset[str]:
        """The ids of those of some things, given by kind and id; of each kind, and of all beliefs, in one look-up."""
        asked = defaultdict[str, set[str]](set)
        for kind, id_ in things:
            asked[FACT if kind in BELIEFS else kind].add(id_)
        passing = await together(self.passing(kind, ids) for kind, ids in asked.items())
        return frozenset[str]().union(*passing)

    async def passing(self, kind: str, ids: Iterable[str]) -> frozenset[str]:
        asked = frozenset(ids)
        if not self.looks:
            return asked
        new = asked - self._looked_at
        if new and self._filters.of(frozenset({kind})):
            kept = await self._look_at(kind, new)
            self._passing |= kept
            self._held_back[kind] |= new - kept
        self._looked_at |= new
        return asked & self._passing

    async def _look_at(self, kind: str, ids: frozenset[str]) -> frozenset[str]:
        store, scope, filters = self._store, self._scope, self._filters
        if kind == EPISODE:
            return await store.episodes_passing(scope, ids, filters, self._entities)
        if kind == ENTITY:
            return await self._entities_passing(ids)
        if kind == SUMMARY:
            return await store.summaries_passing(scope, ids, filters)
        passing = await store.beliefs_passing(scope, ids, filters, self._entities) if filters.of_beliefs else ids
        return await store.beliefs_resting_on(scope, passing, filters) if filters.of_episodes and passing else passing

    async def _entities_passing(self, ids: frozenset[str]) -> frozenset[str]:
        among = ids if self._entities is None else ids & self._entities
        known = await self._store.entities_by_id(self._scope, among)
        types = self._filters.types
        return frozenset(id_ for id_, entity in known.items() if not types or entity.type in types)


_NO_BEARERS: Mapping[str, Bearers] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Around:
    """The entities that a question names, in its order, and the beliefs that are reached from them.

    ``short`` are the short names by which it does, or of which nobody can say whose they are.
    """

    named: tuple[KnownEntity, ...] = ()
    short: tuple[Bearers, ...] = ()
    reached: tuple[Reached, ...] = ()

    @property
    def called(self) -> frozenset[str]:
        """The words of all these names."""
        keys = [*(entity.key for entity in self.named), *(normalise_name(short.name) for short in self.short)]
        return frozenset(word for key in keys for word in key.split())


async def named_entities(
    store: GraphStore, scope: Scope, text: str, facts: Sequence[str], bearers: Mapping[str, Bearers] = _NO_BEARERS
) -> Around:
    """The entities that ``text`` names, in its order; ``facts`` are ids of rows of facts that may say such names.

    ``bearers`` say by keys for whom names in it are short: that one is meant, and it is noted.
    """
    word_runs = runs(text)
    known = await store.entities_called(scope, (run.key for run in word_runs), facts=facts, limit=_CANDIDATES)
    around = _in_order(word_runs, known, bearers)
    note_taken(around.short)
    return around


async def reached_from(
    store: GraphStore, scope: Scope, named: Sequence[KnownEntity], vector: Vector | None = None
) -> list[Reached]:
    """What is believed at entities, as of both times of the scope, and how near to a question it is."""
    ids = dict.fromkeys(entity.part_of or entity.id for entity in named)
    return await store.beliefs_reached(scope, [*ids], vector, _REACHED) if ids else []


async def reached_beyond(store: GraphStore, scope: Scope, first: Sequence[Reached]) -> list[Reached]:
    """What is believed at the neighbours of entities of few beliefs, given what was reached from these."""
    beyond = starts_beyond([reached for reached in first if reached.beliefs <= _FEW], _BEYOND)
    second = await store.beliefs_reached(scope, list(beyond), None, _REACHED_BEYOND) if beyond else []
    return [replace(reached, start=beyond[reached.start], hops=2) for reached in second]


def _in_order(word_runs: Sequence[Run], known: Iterable[KnownEntity], bearers: Mapping[str, Bearers]) -> Around:
    """The entities in the order of the text, each identity once; those found by another name come last.

    A name counts only if the text writes it with a capital, unless it is that of a concept.
    """
    written, proper = {run.key for run in word_runs}, {run.key for run in word_runs if run.proper}
    by_key = dict[str, list[KnownEntity]]()
    for entity in known:
        if entity.type == "concept" or entity.key in proper or entity.key not in written:
            by_key.setdefault(entity.key, []).append(entity)
    fuller = {key: one for key, one in bearers.items() if one.fuller}
    order = named_in(word_runs, {*by_key, *fuller})
    by_key |= {key: [one.taken_for] for key, one in fuller.items() if one.taken_for}
    keys = (*order, *sorted(by_key.keys() - fuller.keys() - set(order)))
    named = each_once(entity for key in keys for entity in by_key.get(key, ()))
    return Around(tuple(named[:MOST_NAMED]), tuple(fuller[key] for key in order if key in fuller))


@dataclass(slots=True, kw_only=True)
class LookedUp:
    """What the indexes say of what the ``sieve`` keeps: by kind, ids with scores, best first; of vectors, cosines.

    ``around`` is what the question names and the beliefs that are reached from there, ``graph`` how near these are;
    ``names`` are entities whose names are near to the question. ``heard`` are the best hits for words of it, each by
    itself; ``unknown`` are names in it that nobody bears and of which no text has a word, each with those spelt much
    like it; ``rare`` is which texts have its rare words. ``places`` are the passages by which long episodes were found,
    ``of_sessions`` those of the summaries found by vectors that are of sessions. ``paths`` are of beliefs that lead
    from what it names to what it asks for, and ``answering``, where there are none, beliefs that alone say that of what
    it names.
    """

    text: dict[str, IdsWithScores] = field(default_factory=dict[str, IdsWithScores])
    vector: dict[str, IdsWithScores] = field(default_factory=dict[str, IdsWithScores])
    open: set[str] = field(default_factory=set[str])
    speakers: set[str] = field(default_factory=set[str])
    around: Around = field(default_factory=Around)
    names: IdsWithScores = field(default_factory=IdsWithScores)
    graph: IdsWithScores = field(default_factory=IdsWithScores)
    asked_of_turns: Vector | None = None
    heard: dict[str, Hits] = field(default_factory=dict[str, Hits])
    unknown: Mapping[str, Sequence[str]] = field(default_factory=dict[str, Sequence[str]])
    rare: RareWords = field(default_factory=RareWords)
    places: dict[str, tuple[int, int]] = field(default_factory=dict[str, tuple[int, int]])
    of_sessions: set[str] = field(default_factory=set[str])
    paths: Sequence[FoundPath] = ()
    answering: frozenset[str] = frozenset()
    degraded: tuple[Degraded, ...] = ()
    sieve: Sieve

    def of_beliefs(self, channel: Mapping[str, IdsWithScores]) -> IdsWithScores:
        """Relationships and facts in one list: their indexes score alike."""
        hits = [hit for kind in BELIEFS for hit in channel.get(kind, ())]
        return sorted(hits, key=lambda hit: (-hit[1], hit[0]))

    @property
    def channels(self) -> dict[str, list[tuple[str, str, float, bool]]]:
        """All lists by name, as ``fuse`` takes them."""
        lists = [(f"text:{kind}", kind, hits) for kind, hits in self.text.items()]
        lists += [(f"vector:{kind}", kind, hits) for kind, hits in self.vector.items()]
        for kind in BELIEFS:
            ids = {belief.id for belief in self.around.reached if belief.kind == kind}
            lists.append((f"graph:{kind}", kind, [hit for hit in self.graph if hit[0] in ids]))
        lists.append(("named:entity", ENTITY, [(entity.id, 1.0) for entity in self.around.named]))
        lists.append(("vector:entity", ENTITY, self.names))
        return {
            name: [(kind, id_, score, id_ in self.open) for id_, score in hits] for name, kind, hits in sorted(lists)
        }

    @property
    def cosines(self) -> KnownCosines:
        """How near each hit is to the question, as far as vectors say it."""
        near_paths = [(path.id, path.cosine) for path in self.paths]
        return KnownCosines(
            cosine={id_: score for hits in (*self.vector.values(), self.names, near_paths) for id_, score in hits},
            asked_vectors=bool(self.vector or self.names),
        )

    def lists(self, fusion: Fusion) -> dict[str, list[IdsWithScores]]:
        """The lists of the indexes, by the names that reasons have in such a fusion."""
        if fusion is Fusion.RRF:
            return {name: [[(id_, score) for _, id_, score, _ in hits]] for name, hits in self.channels.items()}
        texts, vectors = self.of_beliefs(self.text), self.of_beliefs(self.vector)
        turns, near = self.text.get(EPISODE, []), self.vector.get(EPISODE, [])
        writings = [self.text.get(kind, []) for kind in (SUMMARY, REFLECTION)]
        like = [self.vector.get(kind, []) for kind in (SUMMARY, REFLECTION)]
        return {"text": [texts, turns, *writings], "vector": [vectors, near, *like, self.names]}


class LookUp:
    """The channels of a search: full text, vectors, and the graph around what a question names."""

    def __init__(self, store: GraphStore, questions: Questions) -> None:
        self._store = store
        self._questions = questions

    async def fill(
        self,
        results: LookedUp,
        scope: Scope,
        asked: Question,
        kinds: Iterable[str],
        depth: int,
        *,
        by_meaning_alone: AbstractSet[str] = frozenset(),
        bearers: Task[Mapping[str, Bearers]] | None = None,
    ) -> None:
        """Look up by words, and then around what is named and turns by vectors; and by vectors what else there is.

        ``bearers`` finds out who bears the names in the question, where somebody else wants to know that, too.
        """
        asking = self._questions.asking(scope.group, scope.user)
        believed, turned = sorted(set(kinds) - {EPISODE, PATH}), EPISODE in kinds
        worded = [kind for kind in believed if kind not in by_meaning_alone and HIT_KINDS[kind].text_fields]
        around = [*(kind for kind in believed if kind not in by_meaning_alone), *({PATH} & set(kinds))]
        async with side_by_side() as tasks:
            by_words = tasks.create_task(
                self._by_words(results, scope, asked, [*worded, *([EPISODE] if turned else [])], depth)
            )
            bearers = bearers or tasks.create_task(bearers_in(self._store, scope, asked.text))
            named = tasks.create_task(self._named(results, scope, asked, by_words, bearers))
            channels = [_after(named, lambda: self._by_graph(results, asking, scope, asked, around))]
            channels += [_after(named, lambda: self._unknown(results, scope, asked, bearers))]
            near = [*believed, *([EPISODE] if turned else [])]
            channels += [self._by_meaning(results, asking, scope, asked, near, depth, by_words)] if near else []
            for channel in channels:
                tasks.create_task(channel)
        results.degraded = asking.finish()

    async def _paths(
        self, results: LookedUp, scope: Scope, finder: PathFinder, vector: Vector | None, first: Sequence[Reached]
    ) -> None:
        """Go from what the question names along beliefs that have its words, as long as words are left."""
        layers = [first]
        while len(layers) < LONGEST and finder.leaves_words(results.paths, first):
            ahead = finder.frontier(layers)
            if not ahead:
                break
            layers.append(await self._store.beliefs_reached(scope, ahead, vector, _REACHED))
            results.paths = finder.paths(layers)
        if results.paths:
            results.answering = frozenset()

    async def _named(
        self,
        results: LookedUp,
        scope: Scope,
        asked: Question,
        by_words: Task[None],
        bearers: Task[Mapping[str, Bearers]],
    ) -> None:
        """Look up the entities that the question names, as facts that were found may call them."""
        await by_words
        facts = [id_ for id_, _ in results.text.get(FACT, [])[:_ALIASES]]
        results.around = await named_entities(self._store, scope, asked.text, facts, await bearers)

    async def _unknown(
        self, results: LookedUp, scope: Scope, asked: Question, bearers: Task[Mapping[str, Bearers]]
    ) -> None:
        """Look up which names of the question nobody bears and no turn has, and which are spelt much like them.

        In other languages other words have capitals, too.
        """
        called, known = results.around.called, await bearers
        names = [name for name in may_be_names(asked.text)[:MOST_NAMED] if not name.begins]
        names = [name for name in names if called.isdisjoint(name.words) and not known[name.key].borne]
        if not names or foreign_spans(asked.text):
            return
        heard = await self._heard(results, scope, {word for name in names for word in name.words})
        unknown = dict.fromkeys(name.text for name in names if heard.isdisjoint(name.words))
        near = await together(near_names(self._store, scope, name) for name in unknown)
        results.unknown = dict(zip(unknown, near, strict=True))

    async def _heard(self, results: LookedUp, scope: Scope, words: AbstractSet[str]) -> AbstractSet[str]:
        """Those of some words that a turn has; more hits are fetched until one had happened, or there are no more."""
        pages, limit = {word: results.heard.get(word, _NOT_LOOKED_UP) for word in words}, _HEARD
        while left := [word for word, page in pages.items() if not page.hits and page.raw == limit < MAX_HITS]:
            limit *= 16
            pages |= zip(left, await self._store.by_text(scope, _of_each(left, scope, limit)), strict=True)
        return {word for word, page in pages.items() if page.hits}

    async def _by_words(
        self, results: LookedUp, scope: Scope, asked: Question, kinds: Sequence[str], depth: int
    ) -> None:
        """Look up full text: of turns who says what is found too, and which have each of the words."""
        words = words_to_count(asked) if EPISODE in kinds else []

        async def look_up(left: Sequence[str], limit: int) -> Mapping[str, Hits]:
            """The words come with the first page."""
            new = [] if results.heard else words
            queries = [_text_query(kind, asked.words, scope, limit) for kind in left]
            pages = await self._store.by_text(scope, [*queries, *_of_each(new, scope, _HEARD)])
            results.heard |= zip(new, pages[len(left) :], strict=True)
            return dict(zip(left, pages, strict=False))

        for kind, hits in (await _enough(results.sieve, kinds if asked.words else (), look_up, depth)).items():
            if kind == EPISODE:
                results.text[kind] = _each_once(hits)
                results.places = results.places | _places(hits)
                results.speakers |= {hit.speaker for hit in hits if hit.speaker}
            else:
                results.text[kind] = [(hit.id, hit.score) for hit in hits]
                results.open |= {hit.id for hit in hits if hit.open}
        heard = {
            word: [(hit.id, hit.place) for hit in page.hits]
            for word, page in results.heard.items()
            if page.raw < _HEARD or page.raw == len(page.hits)  # else more may have had it then
        }
        results.rare = rare_words(asked, heard)
        results.places |= results.rare.places

    async def _by_meaning(
        self,
        results: LookedUp,
        asking: Asking,
        scope: Scope,
        asked: Question,
        kinds: Sequence[str],
        depth: int,
        by_words: Task[None],
    ) -> None:
        """Look up by the vector of the question; and turns by that of what a speaker would say whom it names."""
        others = [kind for kind in kinds if kind != EPISODE]
        vector = await asking.vector(asked.text) if others else None
        async with side_by_side() as tasks:
            if ENTITY in others and vector:
                tasks.create_task(self._by_names(results, scope, vector, depth))
            if EPISODE in kinds:
                await by_words
                speakers = named(asked.text, results.speakers)
                said = as_said_by(asked.text, speakers[0]) if speakers else asked.text
                results.asked_of_turns = await asking.vector(said)
            turned = results.asked_of_turns
            listed = [kind for kind in kinds if kind != ENTITY and (turned if kind == EPISODE else vector)]
            if any_vector := vector or turned:
                tasks.create_task(self._by_vector(results, listed, scope, any_vector, depth))

    async def _by_graph(
        self, results: LookedUp, asking: Asking, scope: Scope, asked: Question, kinds: Iterable[str]
    ) -> None:
        """Look up what is believed around the entities that the question names, and paths from them."""
        beliefs = BELIEFS.intersection(kinds)
        if not (beliefs or {ENTITY, PATH}.intersection(kinds)):
            return
        named = results.around.named
        vector = await asking.vector(asked.text) if PATH in kinds else None
        first = await reached_from(self._store, scope, named, vector) if beliefs or PATH in kinds else []
        finder = PathFinder(asked, results.around.called)
        results.answering = finder.answering(first)
        lookups = [self._look_around(results, scope, asked, beliefs, first)] if beliefs else []
        lookups += [self._paths(results, scope, finder, vector, first)] if PATH in kinds else []
        await together(lookups)

    async def _look_around(
        self, results: LookedUp, scope: Scope, asked: Question, kinds: AbstractSet[str], first: Sequence[Reached]
    ) -> None:
        """Look up beliefs of these kinds that are reached from what is named, and how near to the question they are."""
        reached = (*first, *await reached_beyond(self._store, scope, first))
        results.around = replace(results.around, reached=reached)
        passing = await results.sieve.passing(RELATIONSHIP, (belief.id for belief in reached))
        kept = [belief for belief in reached if belief.kind in kinds and belief.id in passing]
        results.open |= {belief.id for belief in kept if belief.open}
        results.graph = sorted(nearness(kept, asked.words).items(), key=lambda hit: (-hit[1], hit[0]))

    async def _by_vector(
        self, results: LookedUp, kinds: Sequence[str], scope: Scope, vector: Vector, depth: int
    ) -> None:
        async def look_up(left: Sequence[str], limit: int) -> Mapping[str, Hits]:
            return await self._store.by_vector(scope, vector, left, limit, turn_vector=results.asked_of_turns)

        for kind, hits in (await _enough(results.sieve, kinds, look_up, depth)).items():
            if kind == EPISODE:
                results.vector[kind] = [(id_, 2 * score - 1) for id_, score in _each_once(hits)]
                results.places = _places(hits) | results.places  # the words of the question tell more than what is near
            else:
                results.vector[kind] = [(hit.id, 2 * hit.score - 1) for hit in hits]
                results.open |= {hit.id for hit in hits if hit.open}
                results.of_sessions |= {hit.id for hit in hits if hit.session is not None}

    async def _by_names(self, results: LookedUp, scope: Scope, vector: Vector, depth: int) -> None:
        """Look up entities whose names are near to the question."""

        async def look_up(kinds: Sequence[str], limit: int) -> Mapping[str, Hits]:
            return dict.fromkeys(kinds, await self._store.entities_by_vector(scope, vector, limit))

        near = await _enough(results.sieve, [ENTITY], look_up, depth)
        results.names = [(hit.id, 2 * hit.score - 1) for hit in near[ENTITY]]


async def _after(first: Awaitable[None], then: Callable[[], Awaitable[None]]) -> None:
    await first
    await then()


def _text_query(kind: str, words: Sequence[str], scope: Scope, limit: int) -> TextQuery:
    return TextQuery(kind, lucene_query(words, HIT_KINDS[kind].text_fields, _filters(kind, scope)), limit)


def _of_each(words: Iterable[str], scope: Scope, limit: int) -> list[TextQuery]:
    """Queries for episodes that have a word, for each of some."""
    return [_text_query(EPISODE, [word], scope, limit) for word in words]


def _filters(kind: str, scope: Scope) -> dict[str, list[str]]:
    """The tokens that a document must have: of the group, of one of the audiences, of the session."""
    filters = {"group_token": [group_token(scope.group)]}
    if scope.audience is not None:
        filters["audience_token"] = [audience_token(scope.group, audience) for audience in scope.audience]
    if kind == EPISODE and scope.session is not None:
        filters["session_token"] = [session_token(scope.group, scope.session)]
    return filters


async def _enough(
    sieve: Sieve,
    kinds: Sequence[str],
    look_up: Callable[[Sequence[str], int], Awaitable[Mapping[str, Hits]]],
    wanted: int,
) -> Mapping[str, list[Hit]]:
    """The best hits of each kind that held then and that the sieve keeps: of so many things, a long one several times.

    Twice as many are fetched where the sieve looks at them; then four times as many of the kinds that have not enough,
    until they have, or there are no more.
    """
    enough, left, fetched = dict[str, list[Hit]](), list(kinds), 2 * wanted if sieve.looks else wanted
    while left:
        pages = await look_up(left, fetched)
        kept = await sieve.keep({kind: pages[kind].hits for kind in left})
        for kind in left:
            first = set(islice(dict.fromkeys(hit.id for hit in kept[kind]), wanted))
            if len(first) >= wanted or pages[kind].raw < fetched or fetched >= MAX_HITS:
                enough[kind] = [hit for hit in kept[kind] if hit.id in first]
        left, fetched = [kind for kind in left if kind not in enough], 4 * fetched
    return enough


def _each_once(turns: Iterable[Hit]) -> IdsWithScores:
    """Episodes by the best of their passages, best first."""
    best = dict[str, float]()
    for turn in turns:
        best.setdefault(turn.id, turn.score)
    return list(best.items())


def _places(turns: Iterable[Hit]) -> dict[str, tuple[int, int]]:
    """The best passage of each long episode."""
    places = dict[str, tuple[int, int]]()
    for turn in turns:
        if turn.place is not None:
            places.setdefault(turn.id, turn.place)
    return places
