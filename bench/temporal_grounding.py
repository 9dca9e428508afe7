"""Whether the days that somebody speaks of are understood, where they say no date but “last Friday” or “in June”.

    python -m bench.temporal_grounding --data FILE --json

The file holds a JSON list of questions: `question`, `evidence` (turns with `text` and `session_date`, the day they were
said) and `gold` ([first day, last day]). For each question the interval of days is read from its turns by
`graphmem.extract.offline.dates`; `overlap` is the share of questions whose interval meets the gold one, `exact` the
share where both days are equal.

Which interval is the answer, where several are said, is decided by words alone: the date in the sentence that shares
most words with the question, and of those a plain one before a vague one, “on Friday” before “since Friday”, the
nearest to a shared word, the first. Where another sentence shares more words, a date still to come is no answer to
“When did …?”, nor one gone by to “When will …?”. Turns without a date that can be the answer mean the date in the
question (“… in June?”), or else the day they were said, that of the turn that shares most words with the question.
"""

import json
import re
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

from bench.common import milliseconds, say, tell
from graphmem.extract.offline.dates.finder import DATE_WORDS, Bearing, Dated, ground_dates, sentence_around

SHOWN = 20
PARTS = {"all": (0, 1, 2, 3), "fourth": (3,), "others": (0, 1, 2)}
"""Every fourth question was kept apart while the rules were written."""

_WORD = re.compile(r"[^\W_]+")
_PLAIN = frozenset(
    _WORD.findall(
        """
        a an and are at by did do does for from go going had has have he her his how i in is it its my of on or our
        she that the their them they this to was we were what when where which who will with you your
        year month week day
        """
    )
)
"""Words that say nothing of what a sentence is about."""
_TO_COME = re.compile(r"\b(?:is|are|does|do|will|plan|plans|planning)\b", re.IGNORECASE)
_FAR = 10_000


@dataclass(frozen=True, slots=True)
class Turn:
    text: str
    said: date


@dataclass(frozen=True, slots=True)
class Question:
    text: str
    turns: tuple[Turn, ...]
    gold: tuple[date, date]


@dataclass(frozen=True, slots=True)
class Spoken:
    """A date of a turn; of several, the one of least rank is the answer."""

    dated: Dated
    rank: tuple[int, bool, bool, int]


@dataclass(frozen=True, slots=True)
class Grounded:
    """The first and the last day, and what they were read from: a turn, the question, or the day it was said."""

    first: date
    last: date
    source: str

    def overlaps(self, gold: tuple[date, date]) -> bool:
        return self.first <= gold[1] and gold[0] <= self.last

    def equals(self, gold: tuple[date, date]) -> bool:
        return (self.first, self.last) == gold


def read(item: Mapping[str, Any]) -> Question:
    """A question of the file.

    Raises:
        LookupError, TypeError, ValueError: something is missing, or no day.
    """
    first, last = (date.fromisoformat(day) for day in item["gold"])
    turns = tuple(Turn(turn["text"], date.fromisoformat(turn["session_date"])) for turn in item["evidence"])
    if not turns or first > last:
        raise ValueError("no evidence, or gold days that run backwards")
    return Question(item["question"], turns, (first, last))


def grounded(question: Question) -> Grounded:
    """The days that the turns speak of in answer to the question, by their words and the days they were said."""
    asked, ahead = words(question.text), _TO_COME.search(question.text) is not None
    spoken = [one for turn in question.turns for one in dates_of(turn, asked, ahead=ahead)]
    if spoken:
        return of(min(spoken, key=lambda one: one.rank).dated, "turn")
    turn = max(question.turns, key=lambda turn: len(asked & words(turn.text)))
    named = ground_dates(question.text, noon(turn.said), ahead=ahead)
    return of(named[0], "question") if named else Grounded(turn.said, turn.said, "day said")


def dates_of(turn: Turn, asked: frozenset[str], *, ahead: bool) -> Iterator[Spoken]:
    """The dates of a turn, less those on the wrong side of the day it was said that stand in another sentence."""
    shares = [len(asked & words(sentence)) for sentence in re.split(r"[.!?\n]", turn.text)]
    for dated in ground_dates(turn.text, noon(turn.said), ahead=ahead):
        shared = len(asked & words(sentence_around(turn.text, dated.start, dated.end)))
        to_come = dated.days.start.date() > turn.said
        if shared == max(shares) or to_come == ahead:
            rank = (-shared, dated.vague, dated.bearing is not Bearing.AT, distance(asked, turn.text, dated))
            yield Spoken(dated, rank)


def distance(asked: frozenset[str], text: str, dated: Dated) -> int:
    """Characters from the date to the nearest word that the question has too."""
    shared = [word for word in _WORD.finditer(text) if stem(word[0]) in asked]
    return min((max(dated.start - word.end(), word.start() - dated.end, 0) for word in shared), default=_FAR)


def words(text: str) -> frozenset[str]:
    """The words of a text without endings, and without those that every text has and the names of days."""
    known = (word.casefold() for word in _WORD.findall(text))
    return frozenset(stem(word) for word in known if word not in _PLAIN and word not in DATE_WORDS)


def stem(word: str) -> str:
    return re.sub(r"(?:ing|ed|es|s|e)$", "", word.casefold()) or word


def of(dated: Dated, source: str) -> Grounded:
    return Grounded(dated.days.start.date(), dated.days.end.date() - timedelta(1), source)


def noon(day: date) -> datetime:
    return datetime(day.year, day.month, day.day, 12, tzinfo=UTC)


def questions(path: Path, part: str, skipped: list[str]) -> Iterator[Question]:
    """The questions of one part of the file; what cannot be read is said, and added to ``skipped``."""
    if not path.is_file():
        raise SystemExit(f"There is no file {path}: give the questions with --data, nothing was measured.")
    items: list[Any] = json.loads(path.read_text("utf-8"))
    for number, item in enumerate(items):
        if number % 4 in PARTS[part]:
            try:
                yield read(item)
            except (LookupError, TypeError, ValueError) as error:
                skipped.append(f"question {number}: {error!r}")
                say(f"skipped {skipped[-1]}")


def measured(asked: Sequence[Question]) -> dict[str, object]:
    exact, overlap, sources = 0, 0, Counter[str]()
    lengths, seconds = list[int](), list[float]()
    for question in asked:
        began = perf_counter()
        found = grounded(question)
        seconds.append(perf_counter() - began)
        lengths.append((found.last - found.first).days + 1)
        sources[found.source] += 1
        exact += found.equals(question.gold)
        overlap += found.overlaps(question.gold)
        if not found.overlaps(question.gold) and len(seconds) - overlap <= SHOWN:
            say(f"no overlap: {question.text}\n  gold {question.gold[0]} to {question.gold[1]}, got {found}")
    return {
        "exact": round(exact / len(asked), 4) if asked else None,
        "overlap": round(overlap / len(asked), 4) if asked else None,
        "n": len(asked),
        "read_from": dict(sources),
        "median_days": median(lengths) if lengths else None,
        "milliseconds": milliseconds(seconds) if len(seconds) > 1 else None,
    }


def main() -> None:
    arguments = ArgumentParser(description=__doc__)
    arguments.add_argument("--data", type=Path, required=True, help="the file of questions")
    arguments.add_argument("--part", choices=PARTS, default="all", help="every fourth question, or the others")
    arguments.add_argument("--json", action="store_true", help="the figures as one JSON object, the last line")
    options = arguments.parse_args()
    skipped = list[str]()
    figures = measured(list(questions(options.data, options.part, skipped)))
    tell({**figures, "skipped": len(skipped)}, as_json=options.json)
    if skipped or not figures["n"]:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
