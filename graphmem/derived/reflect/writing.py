"""What a language model wrote becomes a reflection, or is refused: each sentence rests on what it was shown."""

from collections.abc import Iterable, Sequence

from graphmem.derived.reflect.composing import MOST_TOKENS, Count, heading_of
from graphmem.model.cited_writing import Refusal, WrittenSentence, WrittenText, faults_of, too_long
from graphmem.model.ids import digest
from graphmem.model.reflection import ReflectionSentence, ReflectionText, Week
from graphmem.model.reflection_writing import ReflectionTask


def task_of(
    week: Week, sources: Sequence[ReflectionSentence], count: Count, max_tokens: int = MOST_TOKENS
) -> ReflectionTask:
    """What a language model is asked to write, so that with the heading it has at most ``max_tokens`` tokens."""
    return ReflectionTask(week=week, sources=sources, most_tokens=max_tokens - count(heading_of(week)))


def grounded(written: WrittenText, task: ReflectionTask, count: Count) -> ReflectionText | Refusal:
    """The reflection, each of whose sentences cites what its sources do; or why it is refused.

    It is where a sentence cites nothing, or a number that no source has, and where there are more sentences or tokens
    than the task allows.
    """
    faults = faults_of(written, len(task.sources))
    if faults:
        return Refusal(faults)
    heading = heading_of(task.week)
    content = "\n".join([heading, *(sentence.line for sentence in written.sentences)])
    tokens, most = count(content), task.most_tokens + count(heading)
    if tokens > most:
        return too_long(tokens, most)
    sentences = tuple(_resting(sentence, task.sources) for sentence in written.sentences)
    return ReflectionText(
        content=content, tokens=tokens, sentences=sentences, model=written.model, prompt=written.prompt
    )


def material_key(sources: Iterable[ReflectionSentence]) -> str:
    """Identifies what a reflection may say: of two with one key, the text made offline is the same."""
    return digest(
        "material of a reflection", *(digest(one.text, *one.claims, "beliefs", *one.beliefs) for one in sources)
    )


def _resting(sentence: WrittenSentence, sources: Sequence[ReflectionSentence]) -> ReflectionSentence:
    """A sentence with everything that those cite which it cites."""
    cited = [sources[number - 1] for number in sorted(set(sentence.cites))]
    return ReflectionSentence(
        text=sentence.line,
        claims=tuple(sorted({claim for one in cited for claim in one.claims})),
        beliefs=tuple(dict.fromkeys(belief for one in cited for belief in one.beliefs)),
    )
