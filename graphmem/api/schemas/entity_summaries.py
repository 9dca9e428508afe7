"""Summaries of entities as shown."""

from datetime import datetime

from graphmem.answers.entity_summaries import EntitySentenceOut, EntitySummaryOut
from graphmem.model.entity_summary import StoredEntitySummary
from graphmem.model.interval import shown


def entity_summary_out(summary: StoredEntitySummary, known_at: datetime) -> EntitySummaryOut:
    """A version as it was known then."""
    known = summary.as_known(known_at)
    return EntitySummaryOut(
        id=known.id,
        summary_id=known.summary_id,
        entity_id=known.entity_id,
        user=known.user or None,
        content=known.content,
        sentences=[
            EntitySentenceOut(text=one.text, belief_id=one.belief_id, claim_ids=list(one.claims))
            for one in known.sentences
        ],
        tokens=known.tokens,
        model=known.model or None,
        beliefs=len(known.beliefs),
        as_of=known.as_of,
        stale_at=known.stale_at,
        recorded_at=known.recorded_at,
        superseded_at=shown(known.superseded_at),
    )
