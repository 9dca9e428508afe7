"""Summaries: what they are made from, written, and read."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from graphmem.model.embedding import Vector
from graphmem.model.scope import Scope, audience_of
from graphmem.model.session import Session
from graphmem.model.summary import CitedBelief, Place, QuotedSpan, StoredSummary, SummaryContent, SummaryPosition
from graphmem.store.instants import as_text
from graphmem.store.named import QueryStore
from graphmem.store.parameters import as_vector, properties_of, sentences_json, text_row
from graphmem.store.rows import RecordedRow, made_of
from graphmem.store.rows.session import CitedBeliefRow, CountableTurnRow, DueSessionRow, SummaryRow


@dataclass(frozen=True, slots=True, kw_only=True)
class DueSession:
    """A session that is to be looked at, ``due`` since then; by the clock it is ``now``.

    ``withdrawn_at`` is when something of it was withdrawn last: a summary that was made before is not written.
    ``attempts`` counts how often a language model was asked for a summary since one was written.
    """

    session: Session
    due: datetime
    withdrawn_at: str | None
    attempts: int
    now: datetime


class SummaryStore(QueryStore):
    """The queries of ``summary.cypher``. What a summary is made from is looked for where writers are."""

    async def next_group_to_summarise(self, after: str) -> str | None:
        return await self._leader.first_id("next_group_to_summarise", after=after)

    async def next_session_to_summarise(self, group: str) -> DueSession | None:
        """The one that waits longest of those that can be read."""
        row = await self._leader.optional("next_session_to_summarise", DueSessionRow, group=group, limit=1)
        return row and made_of(row, DueSession, session=row.session.to_domain())

    async def countable_turns(self, group: str, session_id: str) -> dict[Place, bool]:
        """The turns of a session that summaries cover, and whether each has been read."""
        rows = await self._leader.many("countable_turns", CountableTurnRow, group=group, session=session_id)
        return {row.place: row.read for row in rows}

    async def summaries_of_session(self, group: str, session_id: str) -> list[StoredSummary]:
        """Those that stand, also those that say nothing.

        Raises:
            Unreadable: one cannot be read; without it, its turns would seem to be in no summary.
        """
        return [
            row.summary
            for row in await self._leader.whole("summaries_of_session", SummaryRow, group=group, session=session_id)
        ]

    async def rows_of_turns(self, group: str, user: str, ids: Iterable[str]) -> list[str]:
        """The ids of the versions of beliefs that stand, and may rest on what these turns claim."""
        return await self._leader.ids("rows_of_turns", group=group, users=audience_of(user), ids=sorted(ids))

    async def withdrawn_spans(self, scope: Scope, ids: Iterable[str]) -> set[QuotedSpan]:
        """Where in these turns the quotes stand of claims that were retracted or rejected by then."""
        return set(await self._leader.many("withdrawn_spans", QuotedSpan, scope, ids=sorted(set(ids))))

    async def write_summary(
        self,
        due: DueSession,
        summary: StoredSummary,
        vector: Vector | None,
        before: str | None,
        shown: Iterable[str] = (),
    ) -> datetime | None:
        """When a version was recorded after that ``before`` it; it rests on its claims, and on those ``shown``.

        None, and nothing is written, where something was withdrawn meanwhile, or somebody else wrote one.
        """
        claims = {claim for sentence in summary.text.sentences for claim in sentence.claims}.union(shown)
        row = await self._run.optional(
            "write_summary",
            RecordedRow,
            group=summary.group_id,
            session=summary.session_id,
            withdrawn_at=due.withdrawn_at,
            before=before or "",
            now=as_text(due.now),
            summary=_summary_row(summary),
            vector=as_vector(vector),
            covers=list(summary.covers),
            claims=sorted(claims),
        )
        return row.recorded_at if row else None

    async def keep_summary(self, due: DueSession, summary: StoredSummary, vector: Vector | None) -> None:
        """Say that a version is not stale, unless something was withdrawn meanwhile."""
        await self._run.execute(
            "keep_summary",
            group=summary.group_id,
            session=summary.session_id,
            withdrawn_at=due.withdrawn_at,
            id=summary.id,
            vector=as_vector(vector),
        )

    async def contents_of_summaries(self, group: str, session_id: str) -> list[SummaryContent]:
        """What the summaries of a session say that stand, with their vectors."""
        return await self._leader.many("contents_of_summaries", SummaryContent, group=group, session=session_id)

    async def begin_writing(self, due: DueSession, again_after: float) -> None:
        """A language model is about to be asked; the session is looked at again after so many seconds."""
        await self._run.execute(
            "begin_writing",
            group=due.session.group_id,
            session=due.session.id,
            due=as_text(due.due),
            again_after=again_after,
        )

    async def take_back_writing(self, due: DueSession) -> None:
        """No language model could be asked: the session waits as it did before."""
        await self._run.execute(
            "take_back_writing",
            group=due.session.group_id,
            session=due.session.id,
            due=as_text(due.due),
            attempts=due.attempts,
        )

    async def end_summarising(
        self, due: DueSession, *, uncovered: int | None, again_after: float | None = None
    ) -> None:
        """A session was looked at, of which so many turns, or (None) as many as before, are in no summary.

        It is looked at again after so many seconds, or (None) when something comes.
        """
        await self._run.execute(
            "end_summarising",
            group=due.session.group_id,
            session=due.session.id,
            due=as_text(due.due),
            again_after=again_after,
            uncovered=uncovered,
        )

    async def ask_for_summary(self, scope: Scope, summary_id: str) -> StoredSummary | None:
        """Have a summary made again; None where the caller sees none of that id that stands."""
        row = await self._run.optional("ask_for_summary", SummaryRow, scope, id=summary_id)
        return row and row.summary

    async def summaries(
        self, scope: Scope, *, session_id: str | None, after: SummaryPosition, limit: int
    ) -> list[StoredSummary]:
        """Those whose turns had all been said then, as known then, in order of (last turn, id)."""
        rows = await self._run.many(
            "summaries", SummaryRow, scope, session=session_id, after_time=after[0], after_id=after[1], limit=limit
        )
        return [row.summary for row in rows]

    async def summaries_by_id(self, scope: Scope, ids: Iterable[str]) -> list[StoredSummary]:
        """The versions with these ids whose turns had all been said then, as known then."""
        rows = await self._run.many("summaries_by_id", SummaryRow, scope, ids=sorted(set(ids)))
        return [row.summary for row in rows]

    async def standing_of_cited(self, scope: Scope, ids: Iterable[str]) -> dict[str, CitedBelief]:
        """How the beliefs stand, as known then, of which these are the ids of rows that the reader may see."""
        rows = await self._run.many("standing_of_cited", CitedBeliefRow, scope, ids=sorted(set(ids)))
        return {row.id: row.cited for row in rows}


def _summary_row(summary: StoredSummary) -> dict[str, object]:
    sentences = summary.text.sentences
    return {
        **text_row(summary),
        **properties_of(summary, "summary_id", "session", "agent", "subject", "tier"),
        **properties_of(summary, "said", "first_turn", "turns", "material", "drift"),
        **properties_of(summary.text, "content", "tokens", "model", "prompt"),
        "lines": list(summary.text.lines),
        "sentences": sentences_json(sentences),
        "covers": list(summary.covers),
        "cites": sorted({belief for sentence in sentences for belief in sentence.all_beliefs}),
        **_place("first", summary.first),
        **_place("last", summary.last),
    }


def _place(which: str, place: Place) -> dict[str, object]:
    return {
        f"{which}_at": as_text(place.occurred_at),
        f"{which}_order": list(place.turn),
        f"{which}_id": place.episode_id,
    }
