"""Summaries held against what is believed."""

from collections.abc import Mapping

from graphmem.answers.answer import Joined
from graphmem.answers.summaries import CheckedSummary
from graphmem.derived.summarise.changes import still_believed
from graphmem.model.summary import CitedBelief, StoredSummary


def checked_summary(summary: StoredSummary, cited: Mapping[str, CitedBelief]) -> CheckedSummary:
    """``cited`` by the ids of rows: how the beliefs stand."""
    sentences = list(zip(summary.text.lines, summary.text.sentences, strict=True))
    beliefs = {belief for _, sentence in sentences for belief in sentence.all_beliefs}
    standing = {belief.belief_id for belief in cited.values() if belief.believed}
    return CheckedSummary.of(
        summary,
        still_believed=still_believed(beliefs, standing) if beliefs else None,
        contradicted=[
            Joined(belief, text=line)
            for line, sentence in sentences
            for row in sorted(sentence.all_rows)
            if (belief := cited.get(row)) and belief.contradicted_by
        ],
    )
