"""What is not worth keeping of what a model claims: the offline reader's filters, as far as words show it.

Thanks, moods, encouragement, what is about whoever is spoken to, what is asked, what a picture shows, and what nobody
understands by itself.
"""

import re

from graphmem.extract.offline.tables.open import (
    LEADING_ADVERBS,
    MOODS,
    PICTURES,
    SECOND_PERSON,
    THIRD_PERSON,
    VAGUE_OBJECTS,
    VAGUE_SUBJECTS,
)

_WORD = re.compile(r"y'all\b|\w+")
_ADDRESSED = SECOND_PERSON - {"ya"}
"""“Ya” is a word of other languages, too."""
_THANKS = frozenset({"thank", "thanks", "congrats", "congratulations", "kudos"})
_POINTING = frozenset({"this", "that", "these", "those", "there", "here"})
_ARTICLES = frozenset({"a", "an", "the", "some", "very", "too"})
_PEP_TALK = re.compile(r"\bwe(?: all)? (?:can|could|need|got this)\b|\blet['’]?s\b", re.IGNORECASE)
_OF_TALK = re.compile(
    r"\bwe(?:['’]ve| have|['’]d| had)?(?: \w+)? (?:talk|talked|spoke|spoken|chat|chatted|caught up|catch up)\b"
    r"(?! (?:to|with|about|on)\b)",
    re.IGNORECASE,
)
_HERE = re.compile(r"\W*here(?:['’]s| is| are)\b", re.IGNORECASE)
_FEELING = frozenset({"feels", "is", "is_a", "became", "happy_with", "determined_to", "busy_with"})
_SHOWING = frozenset({"has", "is", "is_a", "got", "shared", "gave", "found", "put", "posted"})
_OF = re.compile(r"\b(?:of|from|with|in|at|on|by|for)\b")
_CONDITION = re.compile(r"\W*(?:if|unless|suppose|imagine|what if|as if)\b|\bif only\b", re.IGNORECASE)


def is_unsaid(quote: str) -> bool:
    """Whether a turn asks or supposes what a model claims; ``quote`` has the mark that ends it."""
    return "?" in quote or _CONDITION.match(quote) is not None


def is_passing(quote: str, key: str, value: str) -> bool:
    """Whether what a model takes for a fact of somebody is a mood or thanks."""
    return _says_a_mood(value) or bool((set(_words(quote)) | {key}) & _THANKS)


def is_chatter(quote: str, predicate: str, target: str) -> bool:
    """Whether a claim is not worth keeping.

    ``quote`` is what the turn says, with the mark that ends it; ``predicate`` a canonical one or a status's, ``target``
    what it is about.
    """
    return _is_talk(quote) or _is_mood(predicate, target) or _is_shown(predicate, target) or _is_vague(target)


def _is_talk(quote: str) -> bool:
    words = set(_words(quote))
    if words & (_ADDRESSED | _THANKS) or "?" in quote:
        return True
    return any(pattern.search(quote) for pattern in (_PEP_TALK, _OF_TALK)) or _HERE.match(quote) is not None


def _is_mood(predicate: str, target: str) -> bool:
    """“feels happy”, “is so tired”."""
    return predicate in _FEELING and _says_a_mood(target)


def _says_a_mood(text: str) -> bool:
    """“happy”, “so tired”."""
    words = [word for word in _words(text) if word not in LEADING_ADVERBS | _ARTICLES]
    return bool(words) and MOODS.issuperset(words)


def _is_shown(predicate: str, target: str) -> bool:
    """“has a picture of the lake”: what a preposition follows is what it is about."""
    head = _words(_OF.split(target, maxsplit=1)[0])[-1:]
    return predicate in _SHOWING and any(word in PICTURES or word.removesuffix("s") in PICTURES for word in head)


def _is_vague(target: str) -> bool:
    """“the thing”, “it”; “do it”, “went with them”."""
    words = [word for word in _words(target) if word not in _ARTICLES]
    alone = len(words) == 1 and words[0] in VAGUE_OBJECTS | VAGUE_SUBJECTS
    return alone or any(word in THIRD_PERSON or word in _POINTING for word in words[-1:])


def _words(text: str) -> list[str]:
    return _WORD.findall(text.casefold().replace("’", "'"))


def with_its_mark(content: str, span: tuple[int, int]) -> str:
    """The quote with the mark right after it: a model may leave out the one that tells a question."""
    start, end = span
    return content[start : end + 1]
