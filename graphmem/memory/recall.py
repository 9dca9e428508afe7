"""Recall: what is believed and said about a text, in a scope."""

from collections.abc import Awaitable, Callable, Iterable

from graphmem.model.embedding import Embedder, Vector
from graphmem.model.ids import audience_token, group_token, session_token
from graphmem.model.recall import Ranked, Recall
from graphmem.model.scope import Scope
from graphmem.reading import Reader
from graphmem.retrieve.fuse import Hit, fuse
from graphmem.retrieve.lucene import lucene_query
from graphmem.retrieve.wordings import ALIKE, one_wording
from graphmem.store.graph import GraphStore
from graphmem.store.search import Scored
from graphmem.together import together

KINDS = frozenset({"relationship", "fact", "episode"})
_WORDINGS = 3
"""So many times the limit are looked through for wordings of one thing."""
MAX_HITS = 25_600
"""Full-text hits looked through for those that held at a time."""

Channel = tuple[str, list[Hit]]


class Searcher:
    """Finds what answers a question."""

    def __init__(self, store: GraphStore, reader: Reader, embedder: Embedder) -> None:
        self._store = store
        self._reader = reader
        self._embedder = embedder

    async def search(self, scope: Scope, text: str, *, kinds: frozenset[str] = KINDS, limit: int = 10) -> Recall:
        """What is believed and said about ``text``.

        Full text and vectors over relationships, facts and episodes, fused by reciprocal rank. Tenant, audience and
        time are part of the vector look-up; full text fetches on until enough hits held then. Of open beliefs that
        say the same of somebody's day in other words, the best stands for all.
        """
        await self._reader.known_group(scope.group)
        depth = max(50, 5 * limit // 2)
        by_text = [self._by_text(kind, scope, text, depth) for kind in sorted(kinds)]
        found = await together([self._by_vectors(scope, text, kinds, depth), *by_text])
        channels = dict(sorted(channel for channels in found for channel in channels))
        ranked = await self._in_one_wording(scope, fuse(channels)[: _WORDINGS * limit])
        return await self._reader.found(scope, ranked[:limit])

    async def _in_one_wording(self, scope: Scope, ranked: list[Ranked]) -> list[Ranked]:
        """Of open beliefs that say the same, the best only: each wording is a belief of its own."""
        said = [item.id for item in ranked if item.open]
        alike = await self._store.said_alike(scope.group, said, ALIKE) if len(said) > 1 else []
        return one_wording(ranked, alike)

    async def _by_vectors(self, scope: Scope, text: str, kinds: Iterable[str], depth: int) -> list[Channel]:
        vector = await self._embedder.embed_query(text)
        return await together([self._by_vector(kind, scope, vector, depth) for kind in sorted(kinds)])

    async def _by_vector(self, kind: str, scope: Scope, vector: Vector, depth: int) -> Channel:
        search = {
            "relationship": self._store.relationships_by_vector,
            "fact": self._store.facts_by_vector,
            "episode": self._store.episodes_by_vector,
        }[kind]
        return f"vector:{kind}", _of_kind(kind, await search(scope, vector, depth))

    async def _by_text(self, kind: str, scope: Scope, text: str, depth: int) -> list[Channel]:
        search, field = {
            "relationship": (self._store.relationships_by_text, "statement"),
            "fact": (self._store.facts_by_text, "statement"),
            "episode": (self._store.episodes_by_text, "content"),
        }[kind]
        lucene = lucene_query(text, field, _filters(kind, scope))
        return [(f"text:{kind}", _of_kind(kind, await _enough(search, scope, lucene, depth)))] if lucene else []


def _of_kind(kind: str, hits: Scored) -> list[Hit]:
    return [(kind, *hit) for hit in hits]


def _filters(kind: str, scope: Scope) -> dict[str, list[str]]:
    """The tokens that a document must have: of the group, of one of the audiences, of the session."""
    filters = {"group_token": [group_token(scope.group)]}
    if scope.audience is not None:
        filters["audience_token"] = [audience_token(scope.group, audience) for audience in scope.audience]
    if kind == "episode" and scope.session is not None:
        filters["session_token"] = [session_token(scope.group, scope.session)]
    return filters


async def _enough(
    by_text: Callable[[Scope, str, int], Awaitable[tuple[int, Scored]]], scope: Scope, lucene: str, wanted: int
) -> Scored:
    """The best full-text hits that held then: four times as many are fetched until there are enough, or no more."""
    fetched = wanted
    while True:
        raw, held = await by_text(scope, lucene, fetched)
        if len(held) >= wanted or raw < fetched or fetched >= MAX_HITS:
            return held[:wanted]
        fetched *= 4
