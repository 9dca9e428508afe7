"""The sentences that a summary may be made of: statements of beliefs, and what was said, less what was withdrawn."""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from graphmem.derived.summarise.tables import CALLS, COMMON, JOINING, LINKS, POINTING, TALK
from graphmem.model.belief import BeliefRow, when_of
from graphmem.model.episode import ContentType, EpisodeRole, StoredEpisode
from graphmem.model.interval import END
from graphmem.model.summary import QuotedSpan, SummarySentence, any_overlap, place_of

LEAST_WORDS = 4
"""A sentence of fewer words says nothing by itself; a character of Chinese, Japanese or Korean counts as a word."""
LEAST_TELLING = 3
"""Words of a sentence that are not among the common ones."""
LONGEST = 600
"""What has more characters is no sentence, but a list, a table or a log."""

_END = re.compile(r"(?<![.!?…])[.!?…]++[\"'”’»)\]]*+(?=\s)|[。！？]+[」』”’）]*|\n")
_ABBREVIATED = re.compile(r"(?:\b(?:mrs?|ms|dr|prof|st|no|vs|etc|e\.g|i\.e|[a-hj-z]))\.\Z", re.IGNORECASE)
"""What ends with a full stop and ends no sentence: “Dr.”, “J.”; “I.” may end one."""
_LONGEST_ABBREVIATION = 6
_CJK = r"\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
_WORD = re.compile(rf"[{_CJK}]|[^\W_{_CJK}]+")
_QUESTION = re.compile(r"[?？][\W_]*\Z")
_ADDRESSED = re.compile(r"\b(?:you|your|yours|yourself|yourselves|ya|y['’]all|let me know)\b", re.IGNORECASE)

MOST_OF_TURN = 4_000
"""Characters of a turn that a language model is shown at most."""


def _one_of(patterns: Iterable[str]) -> str:
    return f"(?:{'|'.join(patterns)})"


_SET_OFF = r"(?:\s*[,!.…:;]+\s*|\s+[–—-]+\s+|\s+(?=(?:i|we|my|our)\b))"
_NAMED = r"\s+(?:there|again|man|dude|guys|so much|a lot|(?-i:[A-Z])\w+)"
_OPENING = re.compile(rf"(?:(?:{_one_of(CALLS)}(?:{_NAMED})?|{_one_of(LINKS)}){_SET_OFF})+", re.IGNORECASE)
_TALK = re.compile(rf"{_one_of(TALK)}\b", re.IGNORECASE)
_POINTS_BACK = re.compile(
    rf"\W*(?:{_one_of(sorted(JOINING))}\W+)*{_one_of(sorted(POINTING))}\b",
    re.IGNORECASE,
)


def sentences(text: str) -> Iterator[tuple[int, int]]:
    """Where each sentence of a text stands, ``[start, end)`` in code points, without blanks around it."""
    start = 0
    for match in _END.finditer(text):
        if not _is_abbreviated(text, start, match.end()):
            yield from _trimmed(text, start, match.end())
            start = match.end()
    yield from _trimmed(text, start, len(text))


def telling(text: str) -> Iterator[tuple[int, int]]:
    """Where each sentence stands that tells something, less the “Hey Ana,” and “Yeah,” at its beginning."""
    for start, end in sentences(text):
        if end - start > LONGEST:
            continue
        opening = _OPENING.match(text, start, end)
        begin = opening.end() if opening else start
        if is_telling(text[begin:end]):
            yield begin, end


def is_telling(sentence: str) -> bool:
    """Whether a sentence is worth a place in a summary, and is understood without the one before."""
    words = _WORD.findall(sentence.casefold())
    if len(words) < LEAST_WORDS or len(set(words) - COMMON) < LEAST_TELLING:
        return False
    small = (_QUESTION.search(sentence), _ADDRESSED.search(sentence), _TALK.match(sentence))
    return not any(small) and not _POINTS_BACK.match(sentence)


def _trimmed(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    part = text[start:end]
    begin = start + len(part) - len(part.lstrip())
    if part.strip():
        yield begin, begin + len(part.strip())


def _is_abbreviated(text: str, start: int, end: int) -> bool:
    return _ABBREVIATED.search(text, max(start, end - _LONGEST_ABBREVIATION), end) is not None


def of_turns(
    turns: Iterable[StoredEpisode], beliefs: Iterable[BeliefRow], withdrawn: Collection[QuotedSpan]
) -> list[SummarySentence]:
    """What a summary of turns may say: first the beliefs that rest on the turns, then what is said in them.

    Each in the order of the turns, whatever the order they are given in. ``withdrawn`` are the quotes of claims that
    were retracted or rejected, of whatever episodes: a sentence that overlaps one is left out, and so is a belief if
    any evidence of it does, for its statement may be in the words of that. So is a sentence half of which or more is
    what beliefs quote: they say it already.
    """
    covered = {stored.id: stored for stored in turns}
    known = {belief.id: belief for belief in beliefs}
    stated = [sentence for belief in known.values() for sentence in _statement(belief, covered, withdrawn)]
    quotes = _spans_by_episode(stated)
    verbatim = (
        sentence
        for stored in covered.values()
        for sentence in _telling_sentences(stored)
        if not any_overlap(sentence.spans, withdrawn) and not _is_told(sentence.spans[0], quotes.get(stored.id, ()))
    )
    return [*_each_once(stated), *_each_once(verbatim)]


def shown_of_turns(
    turns: Iterable[StoredEpisode], beliefs: Iterable[BeliefRow], withdrawn: Collection[QuotedSpan]
) -> list[SummarySentence]:
    """What a language model is shown of turns: what stands of each, as one sentence, and then the beliefs they brought.

    Both in the order of the turns, whatever the order they are given in. ``withdrawn`` are the quotes of claims that
    were retracted or rejected: a sentence that overlaps one of them is left out, and so is a belief if any evidence of
    it does. Of a long turn the beginning is shown.
    """
    covered = {stored.id: stored for stored in turns}
    known = {belief.id: belief for belief in beliefs}
    verbatim = [sentence for stored in covered.values() for sentence in _whole(stored, withdrawn)]
    stated = [sentence for belief in known.values() for sentence in _statement(belief, covered, withdrawn)]
    return [*sorted(verbatim, key=lambda sentence: sentence.place), *_each_once(stated)]


def of_summaries(
    summaries: Iterable[Sequence[SummarySentence]], believed: Collection[str], withdrawn: Collection[QuotedSpan]
) -> list[SummarySentence]:
    """What a summary of summaries may say: their sentences, less what is not ``believed`` any more.

    ``believed`` are the ids of the rows that are believed now: where the claim was withdrawn that a statement is from,
    another row takes the place of its row. A sentence that a language model wrote stays, whatever became of what it
    rests on, until that is withdrawn. ``withdrawn`` are the quotes of claims that were retracted or rejected: what
    overlaps one of them is left out. Of two sentences with the same words the first stays.
    """
    kept = [
        sentence
        for summary in summaries
        for sentence in summary
        if (sentence.row_id is None or sentence.row_id in believed) and not any_overlap(sentence.spans, withdrawn)
    ]
    stated = (sentence for sentence in kept if sentence.row_id is not None)
    verbatim = (sentence for sentence in kept if sentence.row_id is None)
    return [*_each_once(stated), *_each_once(verbatim)]


def standing(stored: StoredEpisode, withdrawn: Collection[QuotedSpan]) -> list[QuotedSpan]:
    """Where a turn says what a language model may be given of it: runs of sentences that do not overlap ``withdrawn``.

    Up to ``MOST_OF_TURN`` characters of them.
    """
    runs, follows, room = list[QuotedSpan](), False, MOST_OF_TURN
    for start, end in sentences(stored.episode.content):
        if room <= 0:
            break
        stands = not any_overlap([QuotedSpan(stored.id, start, end)], withdrawn)
        span = QuotedSpan(stored.id, start, min(end, start + room))
        if stands and follows:
            runs[-1] = QuotedSpan(stored.id, runs[-1].start, span.end)
        elif stands:
            runs.append(span)
        room -= (span.end - span.start) if stands else 0
        follows = stands
    return runs


def cites_withdrawn(cited: Iterable[SummarySentence], withdrawn: Collection[QuotedSpan]) -> bool:
    """Whether a summary has to be refused, whoever wrote it, because a sentence cites what was withdrawn."""
    return any(any_overlap(sentence.spans, withdrawn) for sentence in cited)


def _statement(
    belief: BeliefRow, covered: Mapping[str, StoredEpisode], withdrawn: Collection[QuotedSpan]
) -> Iterator[SummarySentence]:
    """A belief, if any of the turns brought it.

    That another value took its place after the last of them is not told: else what a summary says would depend on when
    it is made.
    """
    brought = [place_of(covered[support.episode_id]) for support in belief.evidence if support.episode_id in covered]
    spans = {QuotedSpan(support.episode_id, support.quote_start, support.quote_end) for support in belief.evidence}
    if not brought or any_overlap(spans, withdrawn):
        return
    place, last = min(brought), max(stored.episode.occurred_at for stored in covered.values())
    yield SummarySentence(
        words=_one_line(belief.statement),
        when=when_of(belief if belief.to_stated or belief.valid_to <= last else replace(belief, valid_to=END)),
        said_on=covered[place.episode_id].episode.local_time.date(),
        place=place,
        spans=tuple(sorted(spans, key=lambda span: (span.episode_id != place.episode_id, span))),
        row_id=belief.id,
        belief_id=belief.belief_id,
        claims=tuple(sorted({support.claim_id for support in belief.evidence})),
        importance=belief.importance,
    )


def _whole(stored: StoredEpisode, withdrawn: Collection[QuotedSpan]) -> Iterator[SummarySentence]:
    """A turn, if anything of it stands."""
    if not _is_written_by_machines(stored) and (spans := standing(stored, withdrawn)):
        yield _sentence(stored, spans)


def _is_written_by_machines(stored: StoredEpisode) -> bool:
    episode = stored.episode
    return episode.role in (EpisodeRole.SYSTEM, EpisodeRole.TOOL) and episode.content_type is not ContentType.EVENT


def _telling_sentences(stored: StoredEpisode) -> Iterator[SummarySentence]:
    if not _is_written_by_machines(stored):
        for start, end in telling(stored.episode.content):
            yield _sentence(stored, [QuotedSpan(stored.id, start, end)])


def _sentence(stored: StoredEpisode, spans: Sequence[QuotedSpan]) -> SummarySentence:
    """What a turn says there, with who says it."""
    episode = stored.episode
    words = " ".join(episode.content[span.start : span.end] for span in spans)
    return SummarySentence(
        words=_one_line(f"{episode.speaker or episode.role}: {words}"),
        said_on=episode.local_time.date(),
        place=place_of(stored),
        spans=tuple(spans),
    )


def _each_once(candidates: Iterable[SummarySentence]) -> list[SummarySentence]:
    """Sentences in the order of the turns; of those with the same words the first."""
    kept = dict[str, SummarySentence]()
    for sentence in sorted(
        candidates, key=lambda sentence: (sentence.place, sentence.spans, sentence.row_id or "", sentence.words)
    ):
        kept.setdefault(sentence.words, sentence)
    return list(kept.values())


def _spans_by_episode(cited: Iterable[SummarySentence]) -> Mapping[str, Sequence[QuotedSpan]]:
    """The spans that the sentences cite, by episode, each once and in their order."""
    by_episode = defaultdict[str, set[QuotedSpan]](set)
    for span in (span for sentence in cited for span in sentence.spans):
        by_episode[span.episode_id].add(span)
    return {episode_id: sorted(spans) for episode_id, spans in by_episode.items()}


def _is_told(sentence: QuotedSpan, spans: Sequence[QuotedSpan]) -> bool:
    """Whether half of the characters of a sentence, or more, are in ``spans``, which are sorted."""
    covered, reached = 0, sentence.start
    for span in spans:
        covered += max(0, min(span.end, sentence.end) - max(span.start, reached))
        reached = max(reached, span.end)
    return 2 * covered >= sentence.end - sentence.start


def _one_line(text: str) -> str:
    return " ".join(text.split())
