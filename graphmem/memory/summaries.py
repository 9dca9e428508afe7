"""Summaries of sessions: made one at a time, without a language model, and read."""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from graphmem.errors import NotFound
from graphmem.memory.vectors import LateVectors
from graphmem.model.embedding import Embedder, Vector
from graphmem.model.ids import digest
from graphmem.model.interval import END, LATEST
from graphmem.model.scope import Scope
from graphmem.model.session import Session, silenced
from graphmem.model.summary import (
    PACKAGED,
    Cited,
    Place,
    QuotedSpan,
    StoredSummary,
    SummaryContent,
    SummaryPolicy,
    SummaryPosition,
    SummarySentence,
    SummaryText,
)
from graphmem.model.tokens import TokenCounter
from graphmem.reading import Reader
from graphmem.store.graph import GraphStore
from graphmem.store.summary import DueSession
from graphmem.summarise.changes import drift, says_nothing_new
from graphmem.summarise.material import cites_withdrawn, of_summaries, of_turns
from graphmem.summarise.offline import limit_of_meta, limit_of_window, summarised, tokens_said
from graphmem.summarise.planning import Due, next_due

UNREAD_SECONDS = 15.0
"""After so long a session is looked at again whose turns have not all been read."""
_NOTHING = SummaryText(content="", tokens=0, lines=(), sentences=())


@dataclass(frozen=True, slots=True)
class _Material:
    """What a summary may say, in how many tokens at most; what it covers has ``said`` tokens, in ``turns`` turns."""

    sentences: Sequence[SummarySentence]
    withdrawn: Iterable[QuotedSpan]
    limit: int
    said: int
    turns: int
    first_turn: int


class Summaries:
    """Makes the summaries that are due, and gives those that there were at any time."""

    def __init__(
        self,
        store: GraphStore,
        reader: Reader,
        embedder: Embedder,
        late_vectors: LateVectors,
        tokens: TokenCounter,
        policy: SummaryPolicy = PACKAGED,
    ) -> None:
        self._store = store
        self._reader = reader
        self._embedder = embedder
        self._late_vectors = late_vectors
        self._tokens = tokens
        self._policy = policy

    # made -----------------------------------------------------------------------------------------------------------

    async def next_group(self, after: str) -> str | None:
        """The next group, in order of id, in which a session is to be looked at."""
        return await self._store.next_group_to_summarise(after)

    async def summarise_one(self, group: str) -> Mapping[str, int] | None:
        """Make the next summary that is due in a group; what that was, in counts. None where none is due.

        Nothing is stored unless all of a summary is.

        Raises:
            ModelUnavailable: the embedding model is away, or is not the group's.
        """
        due = await self._store.next_session_to_summarise(group)
        if due is None:
            return None
        await self._late_vectors.refuse_unready(group)
        turns = await self._store.countable_turns(group, due.session.id)
        made = await self._store.summaries_of_session(group, due.session.id)
        closed = not silenced(due.session, due.now).open
        wanted = next_due(turns, made, self._policy, agent=due.session.agent, closed=closed)
        if wanted is None:
            covered = {id_ for summary in made if summary.tier == 1 for id_ in summary.covers}
            uncovered = sum(place.episode_id not in covered for place in turns)
            await self._store.end_summarising(due, uncovered=uncovered)
            return {"sessions": 1}
        if wanted.tier == 1 and not _all_read(wanted, turns):
            await self._store.end_summarising(due, uncovered=len(turns), again_after=UNREAD_SECONDS)
            return {"waiting": 1}
        return await self._make(due, wanted, sorted(turns), made)

    async def _make(
        self, due: DueSession, wanted: Due, turns: Sequence[Place], made: Sequence[StoredSummary]
    ) -> Mapping[str, int]:
        session = due.session
        material = await (
            self._of_turns(session, wanted, turns) if wanted.tier == 1 else self._of_summaries(session, wanted, made)
        )
        text = await self._text(material)
        known = await self._store.contents_of_summaries(session.group_id, session.id)
        vector = (await self._embedder.embed([text.content]))[0] if text.content else None
        id_ = wanted.before.summary_id if wanted.before else wanted.id_in(session.id)
        if vector is not None and says_nothing_new(text.content, vector, _others(known, id_, wanted.tier)):
            text, vector = _NOTHING, None
        before = wanted.before
        if before and (before.text, before.covers) == (text, wanted.window.covers):
            await self._store.keep_summary(before, vector)
            return {"kept": 1}
        summary = StoredSummary(
            id=digest("summary version", id_, due.now),
            summary_id=id_,
            group_id=session.group_id,
            session_id=session.id,
            session=session.name,
            user=session.user,
            agent=session.agent,
            subject=session.subject,
            tier=wanted.tier,
            text=text,
            said=material.said,
            first_turn=material.first_turn,
            turns=material.turns,
            first=wanted.window.first,
            last=wanted.window.last,
            covers=wanted.window.covers,
            drift=_drift(known, before, vector),
            stale_at=None,
            recorded_at=due.now,
            superseded_at=END,
        )
        written = await self._store.write_summary(due, summary, vector, before.id if before else None)
        return {"begun_anew": 1} if written is None else {"summaries": 1, "tokens": text.tokens}

    async def _text(self, material: _Material) -> SummaryText:
        words = [sentence.words for sentence in material.sentences]
        vectors = dict(zip(words, await self._embedder.embed(words), strict=True)) if words else {}
        count = self._tokens.count
        text = await asyncio.to_thread(summarised, material.sentences, vectors, material.limit, count)
        return _NOTHING if text is None or cites_withdrawn(text.sentences, set(material.withdrawn)) else text

    async def _of_turns(self, session: Session, wanted: Due, turns: Sequence[Place]) -> _Material:
        group, covers, scope = session.group_id, wanted.window.covers, _scope(session)
        stored = await self._store.episodes_by_id(scope, covers)
        rows = await self._store.rows_of_turns(group, session.user, covers)
        beliefs = (await self._store.beliefs_by_id(scope, rows)).beliefs if rows else ()
        cited = {one.episode_id for belief in beliefs for one in belief.evidence}
        withdrawn = await self._store.withdrawn_spans(scope, {*covers, *cited})
        said = tokens_said(stored, self._tokens.count)
        inside = set(covers)
        return _Material(
            sentences=of_turns(stored, beliefs, withdrawn),
            withdrawn=withdrawn,
            limit=limit_of_window(said),
            said=said,
            turns=len(covers),
            first_turn=next((n for n, place in enumerate(turns, 1) if place.episode_id in inside), 1),
        )

    async def _of_summaries(self, session: Session, wanted: Due, made: Iterable[StoredSummary]) -> _Material:
        known = {summary.summary_id: summary for summary in made}
        below = [known[id_] for id_ in wanted.window.covers]
        every = [sentence for summary in below for sentence in summary.text.sentences]
        rows = {sentence.row_id for sentence in every if sentence.row_id}
        found = (await self._store.beliefs_by_id(_scope(session), rows)).beliefs if rows else ()
        spans = {span.episode_id for sentence in every for span in sentence.spans}
        withdrawn = await self._store.withdrawn_spans(_scope(session), spans)
        believed = {belief.id for belief in found if belief.superseded_at == END}
        said = sum(summary.said for summary in below)
        return _Material(
            sentences=of_summaries([summary.text.sentences for summary in below], believed, withdrawn),
            withdrawn=withdrawn,
            limit=limit_of_meta(said),
            said=said,
            turns=sum(summary.turns for summary in below),
            first_turn=min((summary.first_turn for summary in below), default=1),
        )

    # read -----------------------------------------------------------------------------------------------------------

    async def summaries(
        self, scope: Scope, *, session_id: str | None, after: SummaryPosition, limit: int
    ) -> list[StoredSummary]:
        """The summaries of turns that had all been said then, as known then, in order of their last turn.

        Raises:
            NotFound: there is no such group.
        """
        await self._reader.known_group(scope.group)
        return await self._store.summaries(scope, session_id=session_id, after=after, limit=limit)

    async def cited(self, scope: Scope, summaries: Iterable[StoredSummary]) -> dict[str, Cited]:
        """How the beliefs stand that summaries cite, as known then, by the ids of their rows."""
        rows = {one.row_id for summary in summaries for one in summary.text.sentences if one.row_id}
        return await self._store.standing_of_cited(scope, rows) if rows else {}

    async def regenerate(self, group: str, summary_id: str, user: str | None = None) -> StoredSummary:
        """Have a summary, given by its id or that of its version that stands, made again; it is stale until then.

        Raises:
            NotFound: none of that id stands, or the caller may not see it.
        """
        await self._reader.known_group(group)
        found = await self._store.ask_for_summary(Scope(group, LATEST, user=user), summary_id)
        if found is None:
            raise NotFound(f"Group {group!r} has no summary {summary_id!r} that stands.")
        return found


def _scope(session: Session) -> Scope:
    """What the user of the session may see, also what is over."""
    return replace(Scope(session.group_id, LATEST, user=session.user), history=True)


def _all_read(wanted: Due, turns: Mapping[Place, bool]) -> bool:
    covers = set(wanted.window.covers)
    return all(read for place, read in turns.items() if place.episode_id in covers)


def _others(known: Iterable[SummaryContent], summary_id: str, tier: int) -> Iterable[tuple[str, Vector]]:
    """Other summaries of the tier, but for those whose vectors were taken away."""
    return [
        (one.content, one.vector)
        for one in known
        if one.summary_id != summary_id and one.tier == tier and one.vector is not None
    ]


def _drift(known: Iterable[SummaryContent], before: StoredSummary | None, vector: Vector | None) -> float | None:
    former = next((one.vector for one in known if before is not None and one.id == before.id), None)
    return None if former is None or vector is None else drift(former, vector)
