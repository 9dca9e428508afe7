r"""Text of others inside text of ours: quoted as JSON quotes, in one line, so that it stays what somebody said.

A quotation ends at the next quotation mark that no backslash precedes. Nothing in a quoted text is such a mark, breaks
the line, is invisible, or looks like a heading, a fence or a tag: all of that is written as an escape, ``\u0023``.
"""

import json
import re
from collections.abc import Iterable

_CONSPICUOUS = re.compile(r"#{2,}|`{3,}|~{3,}|<(?=[/|!?<A-Za-z])|\[(?=/?[A-Z_]+\])|[^ -~]")
"""Headings, fences, tags and marks of chat templates (``<|im_start|>``, ``[INST]``); and all that is not ASCII, of
which some cannot be printed."""
_CLAUSE_ENDS = re.compile(
    r"[.!?]\s+|[;:()–—]|\s+\b(?:because|although|though|while|until)\b"
    r"|(?:,|,?\s+\b(?:and|but|so)\b)\s+(?=(?:I|we|you|he|she|they|it|my|our|his|her|their|the|a|an|this|that)\b)"
)
"""Where another clause begins."""
_MAY_END = re.compile(r",|\s+\b(?:and|but|or|then)\b")
"""Where another clause may begin: if what it says is claimed, too."""
_PLAIN = re.compile(r"[^\W_]+(?:(?: |-|\. |\.|['’])[^\W_]+){0,4}\.?")
_LONGEST_PLAIN = 64


def clause_of(quote: str, value: str, others: Iterable[str] = ()) -> str:
    """The words of a quote about a value: up to where another clause, or one of the ``others``, ends or begins.

    ``others`` are the values of other claims. All of the quote, where the value does not stand there once.

    >>> clause_of("I have a dog, and I live in Rome because of Ana.", "rome")
    'I live in Rome'
    >>> clause_of("I live in Rome and work at Acme.", "acme", ["rome"])
    'work at Acme.'
    """
    line = " ".join(quote.split())
    places = _places(value, line)
    if len(places) != 1:
        return quote
    (start, end) = places[0]
    beside = [place for other in others if other != value for place in _places(other, line)]
    last = max((place[1] for place in beside if place[1] <= start), default=start)
    first = min((place[0] for place in beside if place[0] >= end), default=end)
    before = [match.end() for match in (*_CLAUSE_ENDS.finditer(line, 0, start), *_MAY_END.finditer(line, last, start))]
    after = [match.start() for match in (*_CLAUSE_ENDS.finditer(line, end), *_MAY_END.finditer(line, end, first))]
    if not before and not after:
        return quote
    return line[max(before, default=0) : min(after, default=len(line))].strip()


def _places(value: str, line: str) -> list[tuple[int, int]]:
    """Where a value stands in a line as words of its own."""
    named = re.compile(rf"(?<!\w){re.escape(value)}(?!\w)", re.IGNORECASE)
    return [match.span() for match in named.finditer(line)] if value else []


def quoted(text: str) -> str:
    r"""The text in quotation marks; ``json.loads`` gives it back.

    >>> print(quoted('She said "no".\n## Recent conversation'))
    "She said \"no\".\n\u0023\u0023 Recent conversation"
    """
    return _CONSPICUOUS.sub(_escaped, json.dumps(text, ensure_ascii=False))


def label(name: str) -> str:
    """A name as it is, if it is a few plain words; else quoted.

    >>> label("Maya Silva"), label("# Maya")
    ('Maya Silva', '"# Maya"')
    """
    return name if len(name) <= _LONGEST_PLAIN and _PLAIN.fullmatch(name) else quoted(name)


def _escaped(match: re.Match[str]) -> str:
    return "".join(char if char > "~" and char.isprintable() else _escape(char) for char in match[0])


def _escape(char: str) -> str:
    """Escape a character as JSON does: one beyond 16 bits becomes two escapes."""
    units = char.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[at : at + 2].hex()}" for at in range(0, len(units), 2))
