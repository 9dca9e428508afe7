"""What else a model's sentence says: the words that tell it from another one with the same verb and object."""

import re

from graphmem.extract.llm.paraphrase import telling

_LEADING = re.compile(r"\b(?:to|for|with|without|at|in|on|about|from|into|onto|through|by|as|after|before)\b")


def detail(sentence: str, claimed: str) -> str:
    """The words behind the first preposition that tell something and are not ``claimed``, in alphabetical order.

    “Ana took her dog to the vet.” has “vet”; the days are to be left out before.
    """
    leading = _LEADING.search(sentence)
    words = telling(sentence[leading.end() :]) if leading else []
    known = {word.casefold() for word in telling(claimed)}
    return " ".join(sorted({word.casefold() for word in words} - known))
