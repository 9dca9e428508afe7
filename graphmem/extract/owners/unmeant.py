"""Sentences that are not meant, such as “Yeah right, I live in a palace” and “I married a pilot. Just kidding!”."""

from collections.abc import Iterator, Sequence

from graphmem.extract.owners.lines import TextLine, owned, sentences
from graphmem.extract.owners.people import Cast
from graphmem.extract.owners.words import words
from graphmem.model.owners import NOBODY, OwnedSpan

WITHDRAWN = "withdrawn"


def unmeant(text: str, spans: Sequence[OwnedSpan], _cast: Cast) -> Iterator[OwnedSpan]:
    """What somebody says and shows not to mean, by how the sentence begins or ends, or by the next one."""
    for span in spans:
        if span.owner.claims:
            for sentence in _unmeant(list(sentences(text, span.start, span.end))):
                yield from owned(sentence.start, sentence.end, NOBODY, WITHDRAWN)


def _unmeant(text_sentences: Sequence[TextLine]) -> Iterator[TextLine]:
    for number, sentence in enumerate(text_sentences):
        ending = words().unmeant_ends.search(sentence.text[-_LONGEST_ENDING:])
        alone = ending is not None and len(ending[0]) == len(sentence.text)
        if alone:
            yield from text_sentences[max(number - 1, 0) : number]
        elif ending or words().unmeant_begins.match(sentence.text):
            yield sentence


_LONGEST_ENDING = 80
