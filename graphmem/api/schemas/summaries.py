"""Summaries as shown."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from graphmem.api.cursors import time_cursor
from graphmem.api.deps import Asked
from graphmem.api.schemas.jobs import JobOut
from graphmem.api.schemas.words import Answer
from graphmem.model.interval import shown
from graphmem.model.summary import CitedBelief, StoredSummary, SummarySentence
from graphmem.summarise.changes import still_believed


class SummarySpan(Answer):
    """Characters ``[start, end)`` of an episode, in code points."""

    episode_id: str
    start: int
    end: int


class SummarySentenceOut(Answer):
    """A sentence, the belief whose statement it is, if it is one, and all beliefs, claims and words that it is from."""

    text: str
    belief_id: str | None
    belief_ids: list[str]
    claim_ids: list[str]
    spans: list[SummarySpan]


class SummaryOut(Answer):
    """A version of a summary of turns of a session (``tier`` 1), or of summaries of the tier below.

    ``summary_id`` is the same for all versions. It covers ``turns`` turns from the ``first_turn`` of the session, which
    were said ``first_at`` to ``last_at``; ``covers`` are the ids of episodes, or the ``summary_id`` of summaries.
    ``model`` is the language model that wrote it, as the version of its ``prompt`` says; null: its sentences are
    statements of beliefs, and what was said.
    ``stale_at``: since then something that it says was withdrawn, or it covers something else; it will be made again.
    ``drift`` is 1 - cosine to the version before.
    """

    id: str
    summary_id: str
    session_id: str
    session: str
    user: str | None
    agent: str | None
    subject: str | None
    tier: int
    content: str
    sentences: list[SummarySentenceOut]
    tokens: int
    model: str | None
    prompt: str | None
    first_turn: int
    turns: int
    first_at: datetime
    last_at: datetime
    covers: list[str]
    drift: float | None
    stale_at: datetime | None
    recorded_at: datetime
    superseded_at: datetime | None


class ContradictedSentence(Answer):
    """A sentence whose belief is not believed any more, and the ``belief_id``s of what is in its place."""

    text: str
    belief_id: str
    contradicted_by: list[str]


class CheckedSummary(SummaryOut):
    """A summary held against what is believed, as known at known_at.

    ``still_believed`` is the share of the beliefs that it cites which are believed; null: it cites none.
    """

    still_believed: float | None
    contradicted: list[ContradictedSentence]


class SummaryPage(Answer):
    """Summaries in the order of their last turns."""

    valid_at: datetime
    known_at: datetime
    summaries: list[CheckedSummary]
    next_cursor: str | None


class RegeneratedSummary(Answer):
    """The summary as it stands, and the job that makes it again; ``queued``: workers were told of it."""

    summary: CheckedSummary
    job: JobOut
    queued: bool


def summary_out(summary: StoredSummary) -> SummaryOut:
    text = summary.text
    return SummaryOut(
        id=summary.id,
        summary_id=summary.summary_id,
        session_id=summary.session_id,
        session=summary.session,
        user=summary.user or None,
        agent=summary.agent,
        subject=summary.subject,
        tier=summary.tier,
        content=text.content,
        sentences=[_sentence_out(*one) for one in zip(text.lines, text.sentences, strict=True)],
        tokens=text.tokens,
        model=text.model or None,
        prompt=text.prompt or None,
        first_turn=summary.first_turn,
        turns=summary.turns,
        first_at=summary.first.occurred_at,
        last_at=summary.last.occurred_at,
        covers=list(summary.covers),
        drift=summary.drift,
        stale_at=summary.stale_at,
        recorded_at=summary.recorded_at,
        superseded_at=shown(summary.superseded_at),
    )


def checked_summary(summary: StoredSummary, cited: Mapping[str, CitedBelief]) -> CheckedSummary:
    """``cited`` by the ids of rows: how the beliefs stand."""
    shown_as = summary_out(summary)
    sentences = list(zip(shown_as.sentences, summary.text.sentences, strict=True))
    beliefs = {belief for _, one in sentences for belief in one.all_beliefs}
    standing = {found.belief_id for found in cited.values() if found.believed}
    return CheckedSummary(
        **dict(shown_as),
        still_believed=still_believed(beliefs, standing) if beliefs else None,
        contradicted=[
            ContradictedSentence(text=out.text, belief_id=found.belief_id, contradicted_by=list(found.contradicted_by))
            for out, one in sentences
            for row in sorted(one.all_rows)
            if (found := cited.get(row)) and found.contradicted_by
        ],
    )


def summary_page(
    asked: Asked, found: Sequence[StoredSummary], cited: Mapping[str, CitedBelief], limit: int
) -> SummaryPage:
    """The first ``limit``, and where to go on if there are more."""
    last = found[limit - 1] if len(found) > limit else None
    return SummaryPage(
        valid_at=asked.valid_at,
        known_at=asked.known_at,
        summaries=[checked_summary(summary.as_known(asked.known_at), cited) for summary in found[:limit]],
        next_cursor=last and time_cursor(last.last.occurred_at, last.id),
    )


def _sentence_out(line: str, sentence: SummarySentence) -> SummarySentenceOut:
    return SummarySentenceOut(
        text=line,
        belief_id=sentence.belief_id,
        belief_ids=sorted(sentence.all_beliefs),
        claim_ids=list(sentence.claims),
        spans=[SummarySpan(episode_id=one.episode_id, start=one.start, end=one.end) for one in sentence.spans],
    )
