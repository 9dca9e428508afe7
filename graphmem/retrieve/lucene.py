"""A question as a Lucene query that can only mean its words, for one tenant."""

from collections.abc import Iterable, Mapping, Sequence

from graphmem.retrieve.question import Question

MAX_WORDS = 64
"""Words of a question that are searched for; Lucene refuses more than 1,024 clauses."""


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
