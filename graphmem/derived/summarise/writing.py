"""What a language model wrote becomes a summary, or is refused: each sentence rests on what it was shown."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from math import sqrt

from graphmem.derived.summarise.material import cites_withdrawn
from graphmem.derived.summarise.offline import Count, heading_of
from graphmem.model.cited_writing import Refusal, WritingTask, WrittenSentence, WrittenSummary, faults_of, too_long
from graphmem.model.embedding import Vector
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

    A text is refused where a sentence cites nothing, a number that no source has, or ``withdrawn`` words, and where
    there are more sentences or tokens than the task allows.
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
            claim
            for claim in read.claims
            if not any_overlap([QuotedSpan(id_, claim.quote_start, claim.quote_end)], withdrawn)
        )
        return replace(read, claims=tuple(claims))

    return {id_: stand(id_, read) for id_, read in facts.items()}


def material_key(tier: int, covers: Sequence[str], sources: Sequence[SummarySentence]) -> str:
    """Identifies what a summary covers and may cite: of two with one key, a language model would be shown the same."""
    shown = (
        digest(source.words, source.when, *sorted(source.all_rows), *source.claims, *map(_written, source.spans))
        for source in sources
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
    place = min(source.place for source in cited)
    spans = {span for source in cited for span in source.spans}
    return SummarySentence(
        words=sentence.line,
        said_on=min(source.said_on for source in cited),
        place=place,
        spans=tuple(sorted(spans, key=lambda span: (span.episode_id != place.episode_id, span))),
        rows=tuple(sorted({row for source in cited for row in source.all_rows})),
        beliefs=tuple(sorted({belief for source in cited for belief in source.all_beliefs})),
        claims=tuple(sorted({claim for source in cited for claim in source.claims})),
        importance=max(source.importance for source in cited),
    )


def _heading(sources: Sequence[SummarySentence]) -> str:
    return heading_of([source.said_on for source in sources])


def _written(span: QuotedSpan) -> str:
    return f"{span.episode_id} {span.start} {span.end}"


SAME_COSINE = 0.95
"""From this cosine on, two summaries say the same."""
OPENING = 120
"""Characters at the beginning of a summary; two of that length with one beginning say the same."""


def cosine(left: Sequence[float], right: Sequence[float]) -> float:
    """The cosine of two vectors, from -1 to 1; 0 where one of them has no direction."""
    product = sum(a * b for a, b in zip(left, right, strict=True))
    lengths = sqrt(sum(a * a for a in left)) * sqrt(sum(b * b for b in right))
    return max(-1.0, min(1.0, product / lengths)) if lengths else 0.0


def says_nothing_new(content: str, vector: Vector, others: Iterable[tuple[str, Vector]]) -> bool:
    """Whether a summary has to be refused because one of ``others``, its content and vector, says the same already.

    Its own older versions are no others. A summary shorter than ``OPENING`` characters is never refused.
    """
    opening = _opening(content)
    if len(opening) < OPENING:
        return False
    return any(_opening(other) == opening or cosine(vector, near) >= SAME_COSINE for other, near in others)


def drift(before: Vector, after: Vector) -> float:
    """How far a summary moved between two versions: 1 - cosine of their vectors, so 0 of the same and at most 2."""
    return 1.0 - cosine(before, after)


def still_believed(cited: Collection[str], believed: Collection[str]) -> float:
    """The share of the beliefs that a summary cites, by id, that are believed now; 1 where it cites none."""
    wanted = set(cited)
    return len(wanted & set(believed)) / len(wanted) if wanted else 1.0


def _opening(content: str) -> str:
    """The beginning of a content in one case, and with one blank wherever there are several."""
    return " ".join(content.casefold().split())[:OPENING]
