"""Which summaries of a session stand in a context, and what of them still counts."""

from collections.abc import Collection, Iterable, Mapping, Sequence

from graphmem.model.summary import QuotedSpan, StoredSummary


def topmost(summaries: Iterable[StoredSummary], window: Collection[str]) -> list[StoredSummary]:
    """The summaries that no other one covers, but for those wholly inside a window of turns; the newest first."""
    every = {summary.summary_id: summary for summary in summaries}
    below = {id_ for summary in every.values() for id_ in summary.covers}
    inside = set(window)
    shown = [one for one in every.values() if one.summary_id not in below and not turns_of(one, every) <= inside]
    return sorted(shown, key=lambda one: (one.last, one.id), reverse=True)


def covered_turns(summaries: Iterable[StoredSummary]) -> set[str]:
    """The ids of the turns that summaries stand for."""
    return {id_ for summary in summaries if summary.tier == 1 for id_ in summary.covers}


def standing_lines(summary: StoredSummary, withdrawn: Collection[QuotedSpan]) -> list[str]:
    """What a summary says without the sentences that cite what was withdrawn."""
    return [
        line
        for line, sentence in zip(summary.text.lines, summary.text.sentences, strict=True)
        if not any(span.overlaps(gone) for span in sentence.spans for gone in withdrawn)
    ]


def turns_of(summary: StoredSummary, known: Mapping[str, StoredSummary]) -> set[str]:
    """The ids of the turns that a summary covers, through summaries that are known."""
    if summary.tier == 1:
        return set(summary.covers)
    below: Sequence[StoredSummary] = [known[id_] for id_ in summary.covers if id_ in known]
    return {id_ for one in below for id_ in turns_of(one, known)}
