"""What a language model wrote becomes a summary, or is refused: each sentence rests on what it was shown."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from graphmem.derived.summarise.material import cites_withdrawn
from graphmem.derived.summarise.offline import Count, heading_of
from graphmem.model.cited_writing import Refusal, WritingTask, WrittenSentence, WrittenSummary, faults_of, too_long
from graphmem.model.fragment import Fragment
from graphmem.model.ids import digest
from graphmem.model.summary import QuotedSpan, SummarySentence, SummaryText, any_overlap

LEAST_ROOM = 20
"""With fewer tokens beside the line with the days, a language model is not asked: there is no room for a sentence."""
FIRST_PAUSE = 60.0
_LONGEST_PAUSE = 86_400.0


def task_of(tier: int, sources: Sequence[SummarySentence], limit: int, count: Count) -> WritingTask | None:
    """What a language model is asked to write, in at most ``limit`` tokens; None where there is nothing to ask for.

    That is, no source, or too little room.
    """
    if not sources:
        return None
    room = limit - count(_heading(sources))
    return WritingTask(tier=tier, sources=sources, most_tokens=room) if room >= LEAST_ROOM else None


def grounded(
    written: WrittenSummary, task: WritingTask, withdrawn: Collection[QuotedSpan], count: Count
) -> SummaryText | Refusal:
    """The summary, each of whose sentences cites what its sources do; or why it is refused.

    It is where a sentence cites nothing, a number that no source has, or ``withdrawn`` words, and where there are more
    sentences or tokens than the task allows.
    """
    faults = faults_of(
        written, len(task.sources), lambda sentence: cites_withdrawn(_cited(sentence, task.sources), withdrawn)
    )
    if faults:
        return Refusal(faults)
    sentences = tuple(_resting(sentence, task.sources) for sentence in written.sentences)
    heading, lines = _heading(task.sources), tuple(sentence.words for sentence in sentences)
    content = "\n".join([heading, *lines])
    tokens, most = count(content), task.most_tokens + count(heading)
    if tokens > most:
        return too_long(tokens, most)
    return SummaryText(
        content=content, tokens=tokens, lines=lines, sentences=sentences, model=written.model, prompt=written.prompt
    )


def standing_facts(facts: Mapping[str, Fragment], withdrawn: Collection[QuotedSpan]) -> dict[str, Fragment]:
    """The facts of turns, by the ids of these, whose quotes do not overlap ``withdrawn``."""

    def stand(id_: str, read: Fragment) -> Fragment:
        claims = (
            one for one in read.claims if not any_overlap([QuotedSpan(id_, one.quote_start, one.quote_end)], withdrawn)
        )
        return replace(read, claims=tuple(claims))

    return {id_: stand(id_, read) for id_, read in facts.items()}


def material_key(tier: int, covers: Sequence[str], sources: Sequence[SummarySentence]) -> str:
    """Identifies what a summary covers and may cite: of two with one key, a language model would be shown the same."""
    shown = (
        digest(one.words, one.when, *sorted(one.all_rows), *one.claims, *map(_written, one.spans)) for one in sources
    )
    return digest("material of a summary", tier, *covers, *shown)


def pause_after(attempts: int, first: float = FIRST_PAUSE) -> float:
    """Seconds until a model is asked again after so many attempts in vain: twice as long each time, at most a day.

    >>> [pause_after(attempts) for attempts in (1, 2, 3, 1_000)]
    [60.0, 120.0, 240.0, 86400.0]
    """
    return min(first * 2 ** min(attempts - 1, 30), _LONGEST_PAUSE)


def _cited(sentence: WrittenSentence, sources: Sequence[SummarySentence]) -> list[SummarySentence]:
    """What a sentence cites, each source once, in their order."""
    return [sources[number - 1] for number in sorted(set(sentence.cites))]


def _resting(sentence: WrittenSentence, sources: Sequence[SummarySentence]) -> SummarySentence:
    """A sentence with everything that those cite which it cites."""
    cited = _cited(sentence, sources)
    place = min(one.place for one in cited)
    spans = {span for one in cited for span in one.spans}
    return SummarySentence(
        words=sentence.line,
        said_on=min(one.said_on for one in cited),
        place=place,
        spans=tuple(sorted(spans, key=lambda span: (span.episode_id != place.episode_id, span))),
        rows=tuple(sorted({row for one in cited for row in one.all_rows})),
        beliefs=tuple(sorted({belief for one in cited for belief in one.all_beliefs})),
        claims=tuple(sorted({claim for one in cited for claim in one.claims})),
        importance=max(one.importance for one in cited),
    )


def _heading(sources: Sequence[SummarySentence]) -> str:
    return heading_of([source.said_on for source in sources])


def _written(span: QuotedSpan) -> str:
    return f"{span.episode_id} {span.start} {span.end}"
