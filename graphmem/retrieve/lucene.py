"""A question as a Lucene query that can only mean its words, for one tenant."""

import re
from collections.abc import Iterable, Mapping

_WORD = re.compile(r"\w+", re.UNICODE)
MAX_WORDS = 64
"""Words of a question that are searched for; Lucene refuses more than 1,024 clauses."""


def lucene_query(text: str, field: str, filters: Mapping[str, Iterable[str]]) -> str | None:
    """Any of the words of ``text`` in ``field``, among documents with one of the tokens of each field of ``filters``.

    Every word stands in quotes, so that no word is an operator. None if the text has no word at all. Filters count
    nothing for the score.
    """
    words = list(dict.fromkeys(word.casefold() for word in _WORD.findall(text)))[:MAX_WORDS]
    if not words:
        return None
    required = [f"+{name}:({_quoted(tokens)})^0" for name, tokens in filters.items()]
    return " ".join([*required, f"+{field}:({_quoted(words)})"])


def _quoted(words: Iterable[str]) -> str:
    return " ".join(f'"{word}"' for word in words)
