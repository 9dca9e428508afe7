"""A question: its words, whom and which days it names, and the query of Lucene that can only mean its words."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import islice
from math import exp

from graphmem.model.dates import MONTHS, WEEKDAYS
from graphmem.model.entity import normalise_name
from graphmem.model.interval import Interval
from graphmem.model.recall import KnownEntity

_WORD = re.compile(r"\w+", re.UNICODE)
_ASKING = frozenset(
    {"what", "which", "who", "whom", "whose", "when", "where", "why", "how", "did", "does", "do", "has", "have", "had"}
    | {"would", "could", "can", "might", "s"}
)
"""Words of questions that say nothing of the answer."""
_SELF = frozenset({"i", "me", "my", "mine", "myself", "we", "us", "our", "ours"})

MAX_WORDS = 64
"""Words of a question that are searched for; Lucene refuses more than 1,024 clauses."""


@dataclass(frozen=True, slots=True)
class Question:
    """``words`` are those to search for, each once, in lower case. ``of_self``: who asks, asks of “I” or “my”."""

    text: str
    words: tuple[str, ...]
    asks_when: bool
    of_self: bool


def question(text: str) -> Question:
    words = list(dict.fromkeys(word.casefold() for word in _WORD.findall(text)))
    telling = [word for word in words if word not in _ASKING]
    return Question(text, tuple(telling or words), "when" in words[:1], not _SELF.isdisjoint(words))


def named(text: str, speakers: Iterable[str]) -> tuple[str, ...]:
    """The speakers whom the text calls by name, or by the first word of it, in the order of the text.

    A name is written as it is, unless the whole text is in lower case: “Will” is nobody in “will it rain?”.
    """
    lower = text == text.lower()
    places_of: dict[str, int] = {}
    for speaker in sorted(set(speakers)):
        places = [match.start() for name in _names(speaker) if (match := _pattern(name, lower=lower).search(text))]
        if places:
            places_of[speaker] = min(places)
    return tuple(sorted(places_of, key=lambda speaker: (places_of[speaker], speaker)))


def as_said_by(text: str, speaker: str) -> str:
    """The text with “I” and “my” for the speaker: turns of a talk are nearer to that.

    >>> as_said_by("What did Ana's brother give Ana?", "Ana")
    'What did my brother give I?'
    """
    for name in _names(speaker):
        pattern = _pattern(name, lower=text == text.lower()).pattern
        if re.search(pattern, text):
            return re.sub(pattern, "I", re.sub(rf"{pattern}['’]s\b", "my", text))
    return text


def _names(speaker: str) -> list[str]:
    """The whole name, then its first word; none of a name without a word."""
    words = speaker.split()
    return list(dict.fromkeys([" ".join(words), words[0]])) if words else []


def _pattern(name: str, *, lower: bool) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w){re.escape(name.lower() if lower else name)}(?!\w)")


def lucene_query(words: Sequence[str], fields: Sequence[str], filters: Mapping[str, Iterable[str]]) -> str:
    """Any of the words, one at least, in any of the fields, among documents with a token of each field of ``filters``.

    Every word stands in quotes, so that no word is an operator. Filters count nothing for the score.
    """
    required = [f"+{name}:({_quoted(tokens)})^0" for name, tokens in filters.items()]
    wanted = " ".join(f"{field}:({_quoted(words[:MAX_WORDS])})" for field in fields)
    return " ".join([*required, f"+({wanted})"])


def _quoted(words: Iterable[str]) -> str:
    return " ".join(f'"{word}"' for word in words)


_WORD_OF_NAME = re.compile(r"\w+(?:[.'’-]\w+)*", re.UNICODE)
_POSSESSIVE = re.compile(r"['’]s$")
_MOST_WORDS = 4
_MOST_RUNS = 300


@dataclass(frozen=True, slots=True)
class Run:
    """Words of a text, from ``start`` to ``end``, and the key that they are as a name.

    ``proper``: they are written as a name of somebody is, with a capital, or no common word where the whole text is in
    lower case. “Will” is nobody in “will it rain?”.
    """

    start: int
    end: int
    key: str
    proper: bool


def runs(text: str) -> Sequence[Run]:
    """Runs of up to four words that may be a name, in their order, of one beginning the longest first."""
    return tuple(islice(_runs(text), _MOST_RUNS))


def proper_runs(text: str) -> Sequence[Run]:
    """Runs of up to four words that are written as a name of somebody is, ordered as ``runs`` orders them."""
    return tuple(islice((run for run in _runs(text) if run.proper), _MOST_RUNS))


_NO_NAMES = frozenset(
    """
    what who whom whose where when why how which will can may do does did is are was were has have had should could
    would shall might must i im the a an in on at of for from to with about my our your his her their please tell give
    show let remind and or but if best long hi hey hello ok so then now today yes no not any all some this that these
    those there order find list compare explain help write
    """.split()  # noqa: SIM905 - as words are read
).union(MONTHS, WEEKDAYS)
"""Words that texts begin with, or that days are called, and that are names only rarely."""


def named_in(runs: Iterable[Run], keys: Iterable[str]) -> list[str]:
    """The keys that are named, each once; words of a longer name name nobody else."""
    known, names, reached = set(keys), dict[str, None](), 0
    for run in runs:
        if run.key in known and run.start >= reached:
            names[run.key] = None
            reached = run.end
    return list(names)


@dataclass(frozen=True, slots=True)
class WrittenName:
    """Words of a text that stand together and are written as a name is, and their keys.

    ``begins``: it is a word with which a sentence begins, and which may have its capital from that.
    """

    text: str
    words: tuple[str, ...]
    begins: bool

    @property
    def key(self) -> str:
        return normalise_name(self.text)


def may_be_names(text: str) -> list[WrittenName]:
    """What is written as a name in a text, in its order, without abbreviations; none of a text in lower case."""
    names = list[list[Run]]()
    for run in _words_of_names(text) if text != text.lower() else ():
        if names and _goes_on(text, names[-1][-1], run):
            names[-1].append(run)
        else:
            names.append([run])
    return [
        WrittenName(
            _POSSESSIVE.sub("", text[some[0].start : some[-1].end]),
            tuple(run.key for run in some),
            _begins_sentence(text, some[0]),
        )
        for some in names
    ]


def _words_of_names(text: str) -> Iterator[Run]:
    for run in proper_runs(text):
        word = text[run.start : run.end]
        if " " not in word and word[0].isalpha() and not word.isupper() and run.key not in _NO_NAMES:
            yield run


def _goes_on(text: str, before: Run, word: Run) -> bool:
    """Whether a name goes on with a word: it follows, and the one before neither owns it nor begins a sentence."""
    owns = _POSSESSIVE.search(text[before.start : before.end])
    return text[before.end : word.start] == " " and not owns and not _begins_sentence(text, before)


def _begins_sentence(text: str, run: Run) -> bool:
    """Whether a word may have its capital because a sentence begins with it; one that owns something is a name."""
    before, after = text[: run.start].rstrip(), text[run.start : run.end]
    return (not before or before[-1] in ".!?") and not _POSSESSIVE.search(after)


def each_once(entities: Iterable[KnownEntity]) -> list[KnownEntity]:
    """The entities without those that are the same as one before them."""
    first = dict[str, KnownEntity]()
    for entity in entities:
        first.setdefault(entity.part_of or entity.id, entity)
    return list(first.values())


def _runs(text: str) -> Iterator[Run]:
    words, lower = list(_WORD_OF_NAME.finditer(text)), text == text.lower()
    for first, word in enumerate(words):
        capital = not word[0][0].islower()
        for last in reversed(words[first : first + _MOST_WORDS]):
            written = text[word.start() : last.end()]
            if re.fullmatch(r"[\w.'’-]+(?: [\w.'’-]+)*", written):
                key = normalise_name(_POSSESSIVE.sub("", written))
                yield Run(word.start(), last.end(), key, capital or (lower and key not in _NO_NAMES))


_EARLIER, _LATER = timedelta(days=3), timedelta(days=14)
"""People speak of a day shortly before it, and for two weeks after."""
_FADING = 20.0
"""Days in which nearness falls to 1/e."""


@dataclass(frozen=True, slots=True)
class NamedDays:
    """``[start, end)``; ``of_any_year``: no year was named, as in “in June”."""

    interval: Interval
    of_any_year: bool


def nearness(at: datetime, days: Iterable[NamedDays]) -> float:
    """1 about the days, less and less before and after; 0 without any."""
    return max((_nearness(at, _of_year(each, at) if each.of_any_year else each.interval) for each in days), default=0.0)


def _nearness(at: datetime, interval: Interval) -> float:
    if interval.start - _EARLIER <= at <= interval.end + _LATER:
        return 1.0
    away = min(abs(at - interval.start), abs(at - interval.end))
    return exp(-away.total_seconds() / 86_400 / _FADING)


def _of_year(days: NamedDays, at: datetime) -> Interval:
    """The days in the year in which they are nearest to ``at``."""
    start, length = days.interval.start, days.interval.end - days.interval.start
    starts = (_in(start, year) for year in range(max(at.year - 1, 1), min(at.year + 1, 9998) + 1))
    nearest = min(starts, key=lambda each: abs(each - at))
    return Interval(nearest, nearest + length)


def _in(start: datetime, year: int) -> datetime:
    """The day of another year that has this date; of 29 February the day before, where there is none."""
    try:
        return start.replace(year=year)
    except ValueError:
        return start.replace(year=year, day=28)
