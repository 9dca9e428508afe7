"""Summaries of sessions: made one at a time, and read."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import structlog

from graphmem.derived.summarise.material import of_summaries, of_turns, shown_of_turns
from graphmem.derived.summarise.offline import MOST_OF_META, limit_of_meta, limit_of_window, tokens_said
from graphmem.derived.summarise.windows import Due, next_due
from graphmem.derived.summarise.writing import FIRST_PAUSE, drift, pause_after, says_nothing_new
from graphmem.derived.summary_texts import NOTHING, MadeText, SummaryMaterial, SummaryTexts, WindowFacts, Writing
from graphmem.errors import ConfigurationError, Conflict, ModelUnavailable, NotFound, Unreadable, UnusableAnswer
from graphmem.model.cited_writing import Spent, SummaryWriter
from graphmem.model.damage import PUT_OFF_SECONDS
from graphmem.model.embedding import Embedder, TokenCounter, Vector
from graphmem.model.ids import digest
from graphmem.model.interval import END, LATEST
from graphmem.model.scope import Scope
from graphmem.model.session import Session, silenced
from graphmem.model.summary import (
    PACKAGED,
    CitedBelief,
    Place,
    StoredSummary,
    SummaryContent,
    SummaryPolicy,
    SummaryPosition,
)
from graphmem.recall.reader import Reader, existing
from graphmem.recall.vectors import LateVectors
from graphmem.store.graph import GraphStore
from graphmem.store.summary import DueSession

UNREAD_SECONDS = 15.0
"""After so long a session is looked at again whose turns have not all been read."""

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)


class Summaries:
    """Makes the summaries that are due, and gives those that there were at any time."""

    def __init__(
        self,
        store: GraphStore,
        reader: Reader,
        embedder: Embedder,
        late_vectors: LateVectors,
        tokens: TokenCounter,
        window_facts: WindowFacts,
        policy: SummaryPolicy = PACKAGED,
        writer: SummaryWriter | None = None,
        first_pause: float = FIRST_PAUSE,
    ) -> None:
        """``writer`` is the language model that writes them; None: they are chosen from what was said.

        The facts that it states beside a summary of turns become ``window_facts``.
        A session of which it was asked in vain is looked at again after ``first_pause`` seconds, and longer each time.
        """
        self._store = store
        self._reader = reader
        self._texts = SummaryTexts(embedder, tokens, writer)
        self._window_facts = window_facts
        self._first_pause = first_pause
        self._late_vectors = late_vectors
        self._tokens = tokens
        self._policy = policy

    # made -----------------------------------------------------------------------------------------------------------

    async def summarise_one(self, group: str, spent: Spent = lambda _: None) -> Mapping[str, int] | None:
        """Make the next summary that is due in a group; what that was, in counts. None where none is due.

        Nothing is stored unless all of a summary is. A session of which something cannot be read is put off.
        ``spent`` is told what was asked of a language model.

        Raises:
            ModelUnavailable: a model is away, or the group is losing the vectors of another one.
            ConfigurationError: a language model refuses the request as such.
        """
        due = await self._store.next_session_to_summarise(group)
        if due is None:
            return None
        try:
            return await self._summarise(due, spent)
        except UnusableAnswer as error:
            log.warning("summary.refused", session=due.session.id, reason=str(error))
            return {"refused": 1}
        except Unreadable as error:
            log.warning("summary.put_off", session=due.session.id, reason=str(error))
            await self._store.end_summarising(due, uncovered=None, again_after=PUT_OFF_SECONDS)
            return {"put_off": 1}

    async def _summarise(self, due: DueSession, spent: Spent) -> Mapping[str, int]:
        group = due.session.group_id
        vectors = await self._late_vectors.vectors_taken(group) is not None
        turns = await self._store.countable_turns(group, due.session.id)
        made = await self._store.summaries_of_session(group, due.session.id)
        closed = not silenced(due.session, due.now).open
        wanted = next_due(turns, made, self._policy, agent=due.session.agent, closed=closed)
        if wanted is None:
            await self._store.end_summarising(due, uncovered=_uncovered(turns, made))
            return {"sessions": 1}
        if wanted.tier == 1 and not _all_read(wanted, turns):
            await self._store.end_summarising(due, uncovered=len(turns), again_after=UNREAD_SECONDS)
            return {"waiting": 1}

        if wanted.tier == 1:
            material = await self._of_turns(due.session, wanted, sorted(turns))
        else:
            material = await self._of_summaries(due.session, wanted, made)
        standing = {summary.summary_id: summary.id for summary in reversed(made)}
        return await self._make(due, wanted, material, standing, spent, vectors=vectors)

    async def _make(
        self,
        due: DueSession,
        wanted: Due,
        material: SummaryMaterial,
        standing: Mapping[str, str],
        spent: Spent,
        *,
        vectors: bool,
    ) -> Mapping[str, int]:
        session, before = due.session, wanted.before
        if before is not None and self._texts.stands(before, material):
            vector = await self._late_vectors.vector(before.text.content) if vectors else None
            await self._store.keep_summary(due, before, vector)
            return {"kept": 1}
        if writing := self._texts.writing(material):
            written = await self._written(due, writing, spent)
        else:
            written = MadeText(text=await self._texts.chosen(material))
        text = written.text
        known = await self._store.contents_of_summaries(session.group_id, session.id)
        vector = await self._late_vectors.vector(text.content) if vectors else None
        try:
            outcome = await self._window_facts.add(material.stating, written.facts)
        except (NotFound, Conflict):
            return {"begun_anew": 1}
        stated = {"facts": outcome.new_claims} if outcome.new_claims else {}
        id_ = before.summary_id if before else wanted.id_in(session.id)
        if vector is not None and says_nothing_new(text.content, vector, _others(known, id_, wanted.tier)):
            text, vector = NOTHING, None
        says = (text, material.covers, material.turn_tokens, material.turns)
        if before and (before.text, before.covers, before.said, before.turns) == says:
            await self._store.keep_summary(due, before, vector)
            return {"kept": 1, **stated}
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
            said=material.turn_tokens,
            first_turn=material.first_turn,
            turns=material.turns,
            first=wanted.window.first,
            last=wanted.window.last,
            covers=material.covers,
            drift=_drift(known, before, vector),
            stale_at=None,
            recorded_at=due.now,
            superseded_at=END,
            material=material.key,
        )
        shown = {claim for source in material.sources for claim in source.claims} if text.model else ()
        recorded = await self._store.write_summary(due, summary, vector, standing.get(id_), shown)
        if recorded is None:
            return {"begun_anew": 1, **stated}
        return {"summaries": 1, "tokens": text.tokens, **stated}

    async def _written(self, due: DueSession, writing: Writing, spent: Spent) -> MadeText:
        """What a language model writes. That it is asked is written down before, so that a crash loop costs little."""
        await self._store.begin_writing(due, pause_after(due.attempts + 1, self._first_pause))
        try:
            return await writing.written(spent)
        except (ModelUnavailable, ConfigurationError):
            await self._store.take_back_writing(due)
            raise

    async def _of_turns(self, session: Session, wanted: Due, turns: Sequence[Place]) -> SummaryMaterial:
        group, covers, scope = session.group_id, wanted.window.covers, _scope(session)
        stored = await self._store.episodes_by_id(scope, covers)
        rows = await self._store.rows_of_turns(group, session.user, covers)
        beliefs = (await self._store.beliefs_by_id(scope, rows)).beliefs if rows else ()
        cited = {support.episode_id for belief in beliefs for support in belief.evidence}
        withdrawn = await self._store.withdrawn_spans(scope, {*covers, *cited})
        turn_tokens = tokens_said(stored, self._tokens.count)
        may_state = self._texts.asks_model and not await self._reader.imports(group)
        own = await self._store.ontology_of_group(group) if may_state else None
        return SummaryMaterial(
            tier=wanted.tier,
            covers=covers,
            sentences=of_turns(stored, beliefs, withdrawn),
            sources=shown_of_turns(stored, beliefs, withdrawn),
            withdrawn=withdrawn,
            limit=limit_of_window(turn_tokens),
            limit_of_written=limit_of_window(turn_tokens),
            turn_tokens=turn_tokens,
            turns=len(covers),
            first_turn=next((n for n, place in enumerate(turns, 1) if place.episode_id in covers), 1),
            stating=stored if may_state else (),
            ontology=own.ontology if own else None,
        )

    async def _of_summaries(self, session: Session, wanted: Due, made: Iterable[StoredSummary]) -> SummaryMaterial:
        known = {summary.summary_id: summary for summary in made}
        below = [known[id_] for id_ in wanted.window.covers]
        stated = [sentence for summary in below for sentence in summary.text.sentences]
        rows = {sentence.row_id for sentence in stated if sentence.row_id}
        beliefs = (await self._store.beliefs_by_id(_scope(session), rows)).beliefs if rows else ()
        spans = {span.episode_id for sentence in stated for span in sentence.spans}
        withdrawn = await self._store.withdrawn_spans(_scope(session), spans)
        believed = {belief.id for belief in beliefs if belief.superseded_at == END}
        turn_tokens = sum(summary.said for summary in below)
        sentences = of_summaries([summary.text.sentences for summary in below], believed, withdrawn)
        return SummaryMaterial(
            tier=wanted.tier,
            covers=wanted.window.covers,
            sentences=sentences,
            sources=sentences,
            withdrawn=withdrawn,
            limit=limit_of_meta(turn_tokens),
            limit_of_written=MOST_OF_META,
            turn_tokens=turn_tokens,
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

    async def cited(self, scope: Scope, summaries: Iterable[StoredSummary]) -> dict[str, CitedBelief]:
        """How the beliefs stand that summaries cite, as known then, by the ids of their rows."""
        rows = {row for summary in summaries for sentence in summary.text.sentences for row in sentence.all_rows}
        return await self._store.standing_of_cited(scope, rows) if rows else {}

    async def regenerate(self, group: str, summary_id: str, user: str | None = None) -> StoredSummary:
        """Have a summary, given by its id or that of its version that stands, made again; it is stale until then.

        Raises:
            NotFound: none of that id stands, or the caller may not see it.
        """
        await self._reader.known_group(group)
        summary = await self._store.ask_for_summary(Scope(group, LATEST, user=user), summary_id)
        return existing(summary, group, "summary", summary_id, "that stands")


def _scope(session: Session) -> Scope:
    """What the user of the session may see, also what is over."""
    return replace(Scope(session.group_id, LATEST, user=session.user), history=True)


def _uncovered(turns: Iterable[Place], made: Iterable[StoredSummary]) -> int:
    """How many turns are in no summary."""
    covered = {id_ for summary in made if summary.tier == 1 for id_ in summary.covers}
    return sum(place.episode_id not in covered for place in turns)


def _all_read(wanted: Due, turns: Mapping[Place, bool]) -> bool:
    return all(read for place, read in turns.items() if place.episode_id in wanted.window.covers)


def _others(known: Iterable[SummaryContent], summary_id: str, tier: int) -> Iterable[tuple[str, Vector]]:
    """Other summaries of the tier, but for those whose vectors were taken away."""
    return [
        (summary.content, summary.vector)
        for summary in known
        if summary.summary_id != summary_id and summary.tier == tier and summary.vector is not None
    ]


def _drift(known: Iterable[SummaryContent], before: StoredSummary | None, vector: Vector | None) -> float | None:
    former = next((summary.vector for summary in known if before is not None and summary.id == before.id), None)
    return None if former is None or vector is None else drift(former, vector)
