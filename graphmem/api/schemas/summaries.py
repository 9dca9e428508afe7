"""Summaries as shown."""

from collections.abc import Mapping, Sequence

from graphmem.answers.summaries import (
    CheckedSummary,
    ContradictedSentence,
    SummaryOut,
    SummaryPage,
    SummarySentenceOut,
    SummarySpan,
)
from graphmem.api.cursors import time_cursor
from graphmem.api.deps import Asked
from graphmem.model.interval import shown
from graphmem.model.summary import CitedBelief, StoredSummary, SummarySentence
from graphmem.summarise.changes import still_believed


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
