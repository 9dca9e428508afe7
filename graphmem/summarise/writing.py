"""What a language model wrote becomes a summary, or is refused: each sentence rests on what it was shown."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from graphmem.model.fragment import Fragment
from graphmem.model.ids import digest
from graphmem.model.summary import QuotedSpan, SummarySentence, SummaryText, any_overlap
from graphmem.model.summary_writing import MOST_SENTENCES, WritingTask, WrittenSentence, WrittenSummary
from graphmem.summarise.material import cites_withdrawn
from graphmem.summarise.offline import Count, heading_of

LEAST_ROOM = 20
"""With fewer tokens beside the line with the days, a language model is not asked: there is no room for a sentence."""
FIRST_PAUSE = 60.0
_LONGEST_PAUSE = 86_400.0


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why what was written cannot be used, a reason a fault; what was written is in none of them."""

    reasons: tuple[str, ...]


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
    faults = [
        fault
        for number, sentence in enumerate(written.sentences, 1)
        for fault in _faults(number, sentence, task.sources, withdrawn)
    ]
    if not 1 <= len(written.sentences) <= MOST_SENTENCES:
        faults.append(f"There are {len(written.sentences)} sentences; write 2 to {MOST_SENTENCES}.")
    if faults:
        return Refusal(tuple(faults))
    sentences = tuple(_resting(sentence, task.sources) for sentence in written.sentences)
    heading, lines = _heading(task.sources), tuple(sentence.words for sentence in sentences)
    content = "\n".join([heading, *lines])
    tokens, most = count(content), task.most_tokens + count(heading)
    if tokens > most:
        return Refusal((f"It has {tokens} tokens, and {most} at most have room: say less.",))
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


def _faults(
    number: int, sentence: WrittenSentence, sources: Sequence[SummarySentence], withdrawn: Collection[QuotedSpan]
) -> Iterator[str]:
    if not sentence.words.strip():
        yield f"Sentence {number} has no words."
    if not sentence.cites:
        yield f"Sentence {number} cites nothing."
    unknown = sorted({cited for cited in sentence.cites if not 1 <= cited <= len(sources)})
    if unknown:
        yield f"Sentence {number} cites {', '.join(map(str, unknown))}; the numbers are 1 to {len(sources)}."
    elif cites_withdrawn(_cited(sentence, sources), withdrawn):
        yield f"Sentence {number} rests on words that were withdrawn."


def _cited(sentence: WrittenSentence, sources: Sequence[SummarySentence]) -> list[SummarySentence]:
    """What a sentence cites, each source once, in their order."""
    return [sources[number - 1] for number in sorted(set(sentence.cites))]


def _resting(sentence: WrittenSentence, sources: Sequence[SummarySentence]) -> SummarySentence:
    """A sentence with everything that those cite which it cites."""
    cited = _cited(sentence, sources)
    place = min(one.place for one in cited)
    spans = {span for one in cited for span in one.spans}
    return SummarySentence(
        words=" ".join(sentence.words.split()),
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
