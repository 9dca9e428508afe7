"""Summaries: which of them stand above others, and what is left of them where something was withdrawn."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from graphmem.model.hits import Contribution, Ranked
from graphmem.model.reflection import StoredReflection
from graphmem.model.summary import QuotedSpan, StoredSummary, SummaryOutline, any_overlap
from graphmem.retrieve.scales import of_lists, part, ranked, ranks
from graphmem.retrieve.weights import TextWeights


def topmost(summaries: Iterable[SummaryOutline], window: Collection[str]) -> list[SummaryOutline]:
    """The summaries that no other one covers, but for those wholly inside a window of turns; the newest first.

    One that covers only summaries that are not given is inside no window.
    """
    by_id = {summary.summary_id: summary for summary in summaries}
    below = {id_ for summary in by_id.values() for id_ in summary.covers}
    inside = set(window)
    tops = [(summary, turns_of(summary, by_id)) for summary in by_id.values() if summary.summary_id not in below]
    shown = [summary for summary, turns in tops if not (turns and turns <= inside)]
    return sorted(shown, key=lambda summary: (summary.last, summary.id), reverse=True)


def covered_turns(summaries: Iterable[SummaryOutline]) -> set[str]:
    """The ids of the turns that summaries stand for."""
    return {id_ for summary in summaries if summary.tier == 1 for id_ in summary.covers}


def standing_lines(summary: StoredSummary, withdrawn: Collection[QuotedSpan]) -> list[str]:
    """What a summary says without the sentences that cite what was withdrawn."""
    return [
        line
        for line, sentence in zip(summary.text.lines, summary.text.sentences, strict=True)
        if not any_overlap(sentence.spans, withdrawn)
    ]


def cited_by_stale(summaries: Iterable[StoredSummary], known_at: datetime) -> set[str]:
    """The ids of the episodes that stale summaries cite, as known then: of others nothing was withdrawn."""
    stale = (summary for summary in summaries if summary.as_known(known_at).stale_at)
    return {span.episode_id for summary in stale for sentence in summary.text.sentences for span in sentence.spans}


def turns_of(summary: SummaryOutline, known: Mapping[str, SummaryOutline]) -> set[str]:
    """The ids of the turns that a summary covers, through summaries that are known."""
    if summary.tier == 1:
        return set(summary.covers)
    below: Sequence[SummaryOutline] = [known[id_] for id_ in summary.covers if id_ in known]
    return {id_ for outline in below for id_ in turns_of(outline, known)}


def rank_texts(
    kind: str,
    text: Sequence[tuple[str, float]],
    vector: Sequence[tuple[str, float]],
    turn: Mapping[str, float],
    weights: TextWeights,
    *,
    worth: float = 1.0,
) -> list[Ranked]:
    """Summaries or reflections by the ids of their versions, best first; ``turn`` is the best of what each covers."""
    texts, vectors = of_lists(text, vector)
    text_ranks, vector_ranks = ranks(text), ranks(vector)

    def parts(id_: str) -> Iterator[Contribution]:
        yield part("text", weights.text, texts.get(id_), text_ranks.get(id_))
        yield part("vector", weights.vector, vectors.get(id_), vector_ranks.get(id_))
        yield part("turn", weights.turn, turn.get(id_))

    texts_ranked = [ranked(kind, id_, parts(id_), worth) for id_ in dict.fromkeys([*texts, *vectors, *turn])]
    return sorted(texts_ranked, key=lambda item: (-item.score, item.id))


def standing_summary(summary: StoredSummary, withdrawn: Collection[QuotedSpan]) -> StoredSummary | None:
    """A summary without the sentences that cite what was withdrawn; None where nothing is left.

    ``text.tokens`` are still those of the whole version.
    """
    text, lines = summary.text, standing_lines(summary, withdrawn)
    if len(lines) == len(text.lines):
        return summary
    if not lines:
        return None
    kept = [place for place, sentence in enumerate(text.sentences) if not any_overlap(sentence.spans, withdrawn)]
    content = _without(text.content, text.lines, kept)
    sentences = tuple(text.sentences[place] for place in kept)
    return replace(summary, text=replace(text, content=content, lines=tuple(lines), sentences=sentences))


def standing_reflection(reflection: StoredReflection, withdrawn: Collection[str]) -> StoredReflection | None:
    """A reflection without the sentences that cite claims that were withdrawn; None where nothing is left.

    ``text.tokens`` are still those of the whole version.
    """
    text, left = reflection.text, reflection.standing(withdrawn)
    if len(left) == len(text.sentences):
        return reflection
    if not left:
        return None
    kept = [place for place, sentence in enumerate(text.sentences) if sentence in left]
    content = _without(text.content, [sentence.text for sentence in text.sentences], kept)
    return replace(reflection, text=replace(text, content=content, sentences=tuple(left)))


def _without(content: str, lines: Sequence[str], kept: Collection[int]) -> str:
    """A text without those of its lines that are not kept; each stands in it after the one before."""
    parts, rest = list[str](), content
    for place, line in enumerate(lines):
        before, _, rest = rest.partition(line)
        parts += [before, line] if place in kept else [before.rstrip()]
    return "".join([*parts, rest]).strip()
