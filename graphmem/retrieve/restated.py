"""Of two turns that give one quantity, the one that was said later stands above the one that it makes out of date.

“How many cards are in my gallery?” has its words as much from “a gallery with 8 cards” as from “with the new ones, I
now have a total of 10 cards”; nothing but the time tells which is so. Where somebody asks how much something is, the
best turns are read for numbers of what is asked for. The rules are of English; they were made on the 18 questions of
BEAM (Tavakoli et al., 2025) whose value changes.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import inf, nextafter

from graphmem.model.dates import MONTHS
from graphmem.model.hits import Ranked, RankedTurn, TurnText
from graphmem.retrieve.question import Question
from graphmem.retrieve.scales import moved_to

RESTATED = "restated"
READ = 4
"""So many of the best turns of people are read for quantities."""
MOST = 2
"""So many turns at most are put above the best."""
_LONGEST = 10_000
"""So many characters of a turn are read."""
_SHARED, _ALIKE = 0.3, 0.8
"""Which part of the question's words in one turn the other has: at least, and where nothing else says it is new."""

_ASKS = re.compile(
    r"^\W*(?:(?:and|so|can you|could you)\s+)?(?:how (?:many|much|long)|what|which|when)\b", re.IGNORECASE
)
_OF_THE_PAST = re.compile(
    r"\b(?:did|was|were|had|used to|originally|initially|previous(?:ly)?|ago|before)\b", re.IGNORECASE
)
_ANEW = re.compile(
    r"""\b(?:recent(?:ly)?|now|new(?:ly)?|updat\w+|increas\w+|decreas\w+|improv\w+|exten\w+|reach\w+|reschedul\w+|moved
    |moving|adjust\w+|changed?|grown|grew|growth|raised|reduced|instead|no\ longer|shifted|postponed|pushed|delayed
    |expan\w+|total)\b""",
    re.IGNORECASE | re.VERBOSE,
)
_CODE = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)
_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n")
_CLAUSE = re.compile(r"(?<=[.!?,;])\s+|\n")
_STOP = re.compile(r"[,.;:!?()]")
_WORD = re.compile(r"[a-z][a-z0-9]*")
_NUMBER = re.compile(r"(?<![\w.$/-])\d+(?:,\d{3})*(?:\.\d+)?(?![\w/%]|[.:,]\d)")
_MONTH = f"(?:{'|'.join(MONTHS)})"
_PERCENT, _DAY, _HOUR = "%", "day", "hour of day"
_OF_KIND = {
    _DAY: re.compile(rf"\b{_MONTH}\s+\d{{1,2}}\b|\b\d{{1,2}}\s+{_MONTH}\b", re.IGNORECASE),
    _HOUR: re.compile(r"\b\d{1,2}(?::\d\d)?\s*[ap]m\b", re.IGNORECASE),
    _PERCENT: re.compile(r"\b\d[\d.]{0,15}\s?(?:%|percent)", re.IGNORECASE),
}
_ASKED_FOR = {
    _PERCENT: re.compile(r"percent|rate|accuracy|coverage|score", re.IGNORECASE),
    _DAY: re.compile(r"\bwhen\b|deadline|\bdate\b|\bday\b|schedul", re.IGNORECASE),
    _HOUR: re.compile(r"\bwhen\b|what time|deadline|schedul", re.IGNORECASE),
}
_UNIT_WITHIN, _UNIT_CHARS = 4, 200
"""So many words after a number, within so many characters, may be what it counts."""
_SAYS_NOTHING = frozenset(
    {"the", "a", "an", "of", "in", "on", "to", "for", "with", "and", "or", "at", "by", "from", "that", "this", "it"}
    | {"so", "i", "my", "me", "any", "how", "many", "much", "what", "when", "which", "time", "is", "are", "was", "were"}
    | {"be", "been", "have", "has", "had", "do", "did", "does", "should", "am", "get", "using", "used", "include"}
    | {"included", "including"}
)
_ENDINGS = ("ing", "ed", "es", "s")
_LEAST_STEM = 3


def asks_for_a_value(asked: Question) -> bool:
    """Whether it asks what something is now: how many, what, which or when, and not of the past."""
    return bool(_ASKS.search(asked.text)) and not _OF_THE_PAST.search(asked.text)


def of_one(ranked: Iterable[RankedTurn]) -> list[RankedTurn]:
    """The best turns of the one who said the best of them that no assistant said."""
    of_people = [turn for turn in ranked if turn.role.is_human]
    return [turn for turn in of_people if turn.speaker == of_people[0].speaker][:READ]


def restated(asked: Question, texts: Sequence[TurnText]) -> list[str]:
    """Which of the turns, best first, give anew what the first of them gives; at most two, the newest first."""
    if not texts:
        return []
    words = _words(asked.text)
    first, later = texts[0], [turn for turn in texts[1:] if turn.order > texts[0].order]
    before = _Quantities.of(first.content, asked.text, words)
    anew = [turn for turn in later if _gives_anew(_Quantities.of(turn.content, asked.text, words), before, asked)]
    return [turn.id for turn in sorted(anew[:MOST], key=lambda turn: turn.order, reverse=True)]


def put_above(ranked: Sequence[Ranked], first: str, newest_first: Sequence[str]) -> list[Ranked]:
    """The ranking with each of those just above the turn that was ``first``.

    A reason ``restated`` makes up the difference in score.
    """
    scores = {item.id: item.score for item in ranked}
    raised, score = dict[str, float](), scores[first]
    for id_ in reversed(newest_first):
        score = nextafter(score, inf)
        raised[id_] = score
    moved = (
        moved_to(item, raised[item.id], RESTATED, raised[item.id]) if item.id in raised else item for item in ranked
    )
    return sorted(moved, key=lambda item: (-item.score, item.id))


@dataclass(frozen=True, slots=True)
class _Quantities:
    """What a text gives of what is asked for: numbers by what they count; ``words`` are those of the question in it.

    ``is_new`` says that a clause with a number speaks of a change.
    """

    values: Mapping[str, set[str]]
    words: frozenset[str]
    is_new: bool
    numbers: frozenset[str]

    @classmethod
    def of(cls, content: str, question: str, asked: frozenset[str]) -> "_Quantities":
        text = _CODE.sub(" ", content[:_LONGEST])
        wanted = asked | {kind for kind, pattern in _ASKED_FOR.items() if pattern.search(question)}
        values = defaultdict[str, set[str]](set)
        for sentence in _SENTENCE.split(text):
            for unit, number in _numbers(sentence, asked):
                if unit in wanted:
                    values[unit].add(number)
        clauses = _CLAUSE.split(text)
        is_new = any(_ANEW.search(clause) and re.search(r"\d", clause) for clause in clauses)
        return cls(values, _words(text) & asked, is_new, frozenset(_NUMBER.findall(text)))


def _gives_anew(later: _Quantities, before: _Quantities, asked: Question) -> bool:
    if not any(values - before.values[unit] for unit, values in later.values.items() if unit in before.values):
        return False
    shared = len(later.words & before.words) / max(1, len(before.words))
    if shared < _SHARED:
        return False
    of_the_question = later.numbers - before.numbers
    return later.is_new or shared >= _ALIKE or not of_the_question.isdisjoint(_NUMBER.findall(asked.text))


def _numbers(sentence: str, asked: frozenset[str]) -> Iterable[tuple[str, str]]:
    """Numbers with what they count; one that nothing follows counts any of the words asked for in its sentence."""
    words = _words(sentence)
    for kind, pattern in _OF_KIND.items():
        for match in pattern.finditer(sentence):
            yield kind, re.sub(r"\s", "", match[0].lower())
        sentence = pattern.sub(" ", sentence)
    for match in _NUMBER.finditer(sentence):
        after = sentence[match.end() : match.end() + _UNIT_CHARS]
        following = re.findall(r"[a-z]+", _STOP.split(after)[0].lower())
        counted = {_stem(word) for word in following[:_UNIT_WITHIN]} if following else words
        for unit in counted & asked:
            yield unit, match[0]


def _words(text: str) -> frozenset[str]:
    return frozenset(_stem(word) for word in _WORD.findall(text.lower())) - _SAYS_NOTHING


def _stem(word: str) -> str:
    """Rough, for words of one text against those of another: “commits” and “commit”, “completed” and “completing”."""
    stems = (word.removesuffix(ending) for ending in _ENDINGS if word.endswith(ending))
    return next((stem for stem in stems if len(stem) >= _LEAST_STEM), word)
