"""A question as a Lucene query that can only mean its words, for one tenant."""

import re

_WORD = re.compile(r"\w+", re.UNICODE)
MAX_WORDS = 64
"""Words of a question that are searched for; Lucene refuses more than 1,024 clauses."""


def lucene_query(text: str, token: str, field: str) -> str | None:
    """Any of the words of ``text`` in ``field``, among documents whose ``group_token`` is ``token``.

    Every word stands in quotes, so that no word is an operator. None if the text has no word at all.
    """
    words = list(dict.fromkeys(word.casefold() for word in _WORD.findall(text)))[:MAX_WORDS]
    if not words:
        return None
    return f'+group_token:"{token}" +{field}:({" ".join(f"{chr(34)}{word}{chr(34)}" for word in words)})'
