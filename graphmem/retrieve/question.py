"""A question: its words, whom it names, and the query of Lucene that can only mean its words, for one tenant."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

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
    found = list(dict.fromkeys(word.casefold() for word in _WORD.findall(text)))
    telling = [word for word in found if word not in _ASKING]
    return Question(text, tuple(telling or found), "when" in found[:1], not _SELF.isdisjoint(found))


def named(text: str, speakers: Iterable[str]) -> tuple[str, ...]:
    """Those of the speakers whom the text calls by name, or by the first word of it, in the order of the text.

    A name is written as it is, unless the whole text is in lower case: “Will” is nobody in “will it rain?”.
    """
    lower = text == text.lower()
    found: dict[str, int] = {}
    for speaker in sorted(set(speakers)):
        places = [match.start() for name in _names(speaker) if (match := _pattern(name, lower=lower).search(text))]
        if places:
            found[speaker] = min(places)
    return tuple(sorted(found, key=lambda speaker: (found[speaker], speaker)))


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


def lucene_query(asked: Question, fields: Sequence[str], filters: Mapping[str, Iterable[str]]) -> str | None:
    """Any of the words in any of the fields, among documents with one of the tokens of each field of ``filters``.

    Every word stands in quotes, so that no word is an operator. None if there is no word. Filters count nothing for the
    score.
    """
    if not asked.words:
        return None
    required = [f"+{name}:({_quoted(tokens)})^0" for name, tokens in filters.items()]
    wanted = " ".join(f"{field}:({_quoted(asked.words[:MAX_WORDS])})" for field in fields)
    return " ".join([*required, f"+({wanted})"])


def _quoted(words: Iterable[str]) -> str:
    return " ".join(f'"{word}"' for word in words)
