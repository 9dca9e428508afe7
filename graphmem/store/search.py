"""Look-ups in the full-text and vector indexes: the ids of rows, with scores, best first."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Annotated

from graphmem.model.embedding import Vector
from graphmem.model.episode import FIRST_TURN, EpisodeRole, TurnOrder
from graphmem.model.hits import RankedTurn, Reached, TurnText
from graphmem.model.ids import session_token
from graphmem.model.interval import BEGIN
from graphmem.model.scope import Scope
from graphmem.model.search import Traits
from graphmem.store.named import QueryStore
from graphmem.store.parameters import as_vector
from graphmem.store.rows import ReadAs, made_of, otherwise

FIRST_SESSION, LAST_SESSION = "", "\uffff"


@dataclass(frozen=True, slots=True)
class PassageScore:
    """The score of an episode, or of the passage ``[start, end)`` of a long one."""

    score: float
    start: Annotated[int | None, otherwise(None)]
    end: Annotated[int | None, otherwise(None)]

    @property
    def place(self) -> tuple[int, int] | None:
        return None if self.start is None or self.end is None else (self.start, self.end)


@dataclass(frozen=True, slots=True)
class Hit(PassageScore):
    """What an index finds: an episode by a passage of it if it is long, or anything else.

    ``open``: it is a belief that rests on open claims. ``speaker``: who said an episode that full text finds.
    ``session``: the session of a summary that vectors find.
    """

    id: str
    open: Annotated[bool, otherwise(value=False)]
    speaker: Annotated[str | None, otherwise(None)]
    session: Annotated[str | None, otherwise(None)]


@dataclass(frozen=True, slots=True)
class Hits:
    """``raw`` counts the hits looked at, ``hits`` are those of them that the reader may see, as of both times."""

    raw: int
    hits: tuple[Hit, ...]


NO_HITS = Hits(raw=0, hits=())


@dataclass(frozen=True, slots=True)
class HitsOfKind(Hits):
    kind: str


@dataclass(frozen=True, slots=True)
class TextQuery:
    """A query of Lucene over the full text of a kind, of which the best ``limit`` hits are looked at."""

    kind: str
    lucene: str
    limit: int


@dataclass(frozen=True, slots=True)
class HitsOfQuery(Hits):
    """``place`` is that of the query in the list of queries."""

    place: int


@dataclass(frozen=True, slots=True)
class AroundRow:
    """What was said before and after an episode, the nearest first."""

    id: str
    before: tuple[str, ...]
    after: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TurnAroundRow:
    """``near`` is (1 + cosine) / 2 of it, or of its nearest passage; None where there is no vector."""

    id: str
    session: Annotated[str, otherwise("")]
    speaker: Annotated[str | None, otherwise(None)]
    occurred_at: Annotated[datetime, otherwise(BEGIN)]
    chars: int
    asks: bool
    role: Annotated[EpisodeRole, otherwise(EpisodeRole.SYSTEM)]
    opening: str
    near: PassageScore | None
    covered_by: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CitedRow:
    """A belief by the id of its row, and the episode that it has its words from."""

    belief: str
    episode: str


@dataclass(frozen=True, slots=True)
class TurnsRow:
    around: tuple[AroundRow, ...]
    turns: tuple[TurnAroundRow, ...]
    cited: tuple[CitedRow, ...]


@dataclass(frozen=True, slots=True)
class TurnsAround:
    """Turns, and beliefs by the ids of their rows, each with an episode that it has its words from (``cited``)."""

    turns: tuple[RankedTurn, ...] = ()
    cited: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class TurnTextRow:
    id: str
    content: str
    occurred_at: Annotated[datetime, otherwise(BEGIN)]
    turn: Annotated[TurnOrder, otherwise(FIRST_TURN)]

    def to_domain(self) -> TurnText:
        return TurnText(id=self.id, content=self.content, order=(self.occurred_at, self.turn))


@dataclass(frozen=True, slots=True)
class _ReachedColumns:
    open: Annotated[bool, otherwise(value=False)]
    predicate: Annotated[str, otherwise("")]


@dataclass(frozen=True, slots=True)
class ReachedRow:
    reached: Annotated[Reached, ReadAs(_ReachedColumns)]


@dataclass(frozen=True, slots=True)
class _TraitsColumns:
    since: Annotated[datetime | None, otherwise(None)]
    confidence: Annotated[float | None, otherwise(None)]
    vector: Annotated[Vector | None, otherwise(None)]


@dataclass(frozen=True, slots=True)
class TraitsRow:
    traits: Annotated[Traits, ReadAs(_TraitsColumns)]


@dataclass(frozen=True, slots=True)
class Alike:
    """Two open beliefs that say the same in other words."""

    one: str
    other: str


@dataclass(frozen=True, slots=True)
class Deed:
    """What was planned, and what was done; ids of rows."""

    plan: str
    deed: str


class SearchStore(QueryStore):
    """The queries of ``search.cypher``."""

    async def by_text(self, scope: Scope, queries: Sequence[TextQuery]) -> list[Hits]:
        """Of each query, in their order, the best hits of full text: those of them that held then.

        Of a long episode each passage that has the words.
        """
        rows = await self._run.many(
            "by_text", HitsOfQuery, scope, queries=[asdict(query) for query in queries], **_sessions(scope)
        )
        found = {row.place: row for row in rows}
        return [found.get(place, NO_HITS) for place in range(len(queries))]

    async def by_vector(
        self, scope: Scope, vector: Vector, kinds: Sequence[str], limit: int, *, turn_vector: Vector | None = None
    ) -> Mapping[str, Hits]:
        """Of each of some kinds the ``limit`` nearest to a vector among those that held then.

        Episodes are near to the ``turn_vector``, if there is one; of a long one each passage that is near.
        """
        ended, superseded = (BEGIN, BEGIN) if scope.history else (scope.valid_at, scope.known_at)
        rows = await self._run.many(
            "by_vector" if scope.audience is None else "by_vector_for_user",
            HitsOfKind,
            scope,
            kinds=list(kinds),
            vector=as_vector(vector),
            turn_vector=as_vector(turn_vector or vector),
            limit=limit,
            ended_after=ended,
            superseded_after=superseded,
            **_sessions(scope),
        )
        return _by_kind(kinds, rows)

    async def turns_around(
        self,
        scope: Scope,
        ids: Sequence[str],
        vector: Vector | None = None,
        *,
        reach: int = 0,
        opening: int = 0,
        summaries: bool = False,
        beliefs: Sequence[str] = (),
    ) -> TurnsAround:
        """Episodes with the ``reach`` before and after each; ``opening`` is how many characters of each are told.

        With ``summaries`` also which versions of these, as known then, cover each. And which episodes ``beliefs``, by
        the ids of their rows, have their words from.
        """
        row = await self._run.single(
            "turns_around",
            TurnsRow,
            scope,
            ids=list(ids),
            beliefs=list(beliefs),
            vector=as_vector(vector),
            reach=reach,
            opening=opening,
            summaries=summaries,
            **_sessions(scope),
        )
        around = {around_row.id: around_row for around_row in row.around}
        turns = tuple(_turn(turn, around.get(turn.id)) for turn in row.turns)
        return TurnsAround(turns, tuple((each.belief, each.episode) for each in row.cited))

    async def turn_texts(self, scope: Scope, ids: Sequence[str]) -> list[TurnText]:
        """What episodes say, in the order of ``ids``."""
        rows = {row.id: row for row in await self._run.many("turn_texts", TurnTextRow, scope, ids=list(ids))}
        return [rows[id_].to_domain() for id_ in ids if id_ in rows]

    async def entities_by_vector(self, scope: Scope, vector: Vector, limit: int) -> Hits:
        """The number of names looked at, and those of them that the reader had heard of then, by their vectors."""
        return await self._run.single("entities_by_vector", Hits, scope, vector=as_vector(vector), limit=limit)

    async def beliefs_reached(
        self, scope: Scope, ids: Sequence[str], vector: Vector | None, limit: int
    ) -> list[Reached]:
        """Beliefs at entities, at most ``limit`` of each, with how near each is to a question."""
        rows = await self._run.many(
            "beliefs_reached", ReachedRow, scope, ids=list(ids), vector=as_vector(vector), limit=limit
        )
        return [row.reached for row in rows]

    async def traits(self, scope: Scope, ids: Sequence[str], *, vectors: bool) -> list[Traits]:
        """What preferences look at in hits of any kind, by the ids of their rows; vectors only where asked for."""
        return [row.traits for row in await self._run.many("traits", TraitsRow, scope, ids=list(ids), vectors=vectors)]

    async def said_alike(self, group: str, ids: Sequence[str], least: float) -> list[tuple[str, str]]:
        """The pairs of open beliefs that say of one subject and one day nearly the same: a cosine of at ``least``."""
        pairs = await self._run.many("said_alike", Alike, group=group, ids=list(ids), least=least)
        return [(pair.one, pair.other) for pair in pairs]

    async def carried_out(self, scope: Scope, plans: Sequence[str], least: float, limit: int) -> list[tuple[str, str]]:
        """Plans with what was done later that says nearly the same: a cosine of at ``least``; ``limit`` of each."""
        return [
            (row.plan, row.deed)
            for row in await self._run.many("carried_out", Deed, scope, ids=list(plans), least=least, limit=limit)
        ]


def _by_kind(kinds: Iterable[str], rows: Iterable[HitsOfKind]) -> Mapping[str, Hits]:
    """The hits of each kind; one of which nothing is found has no row."""
    found = {row.kind: row for row in rows}
    return {kind: found.get(kind, NO_HITS) for kind in kinds}


def _turn(row: TurnAroundRow, around: AroundRow | None) -> RankedTurn:
    return made_of(
        row,
        RankedTurn,
        cosine=None if row.near is None else 2 * row.near.score - 1,
        place=None if row.near is None else row.near.place,
        before=around.before if around else (),
        after=around.after if around else (),
    )


def _sessions(scope: Scope) -> dict[str, str]:
    """The first and the last of the sessions that the reader asks for."""
    if scope.session is None:
        return {"first_session": FIRST_SESSION, "last_session": LAST_SESSION}
    token = session_token(scope.group, scope.session)
    return {"first_session": token, "last_session": token}
