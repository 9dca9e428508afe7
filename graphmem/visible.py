"""Text that somebody else wrote, for a terminal: what a terminal would obey, reorder or hide is shown as its escape."""

import re
import unicodedata

_OBEYED_OR_HIDDEN = frozenset({"Cc", "Cf", "Cn", "Cs", "Zl", "Zp"})
"""Categories: controls, formats (bidirectional, zero-width, tags), unassigned, surrogates, separators of lines."""
_BLANK = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180d\u180f\u2800\u3164\ufe00-\ufe0d\uffa0\U000e0100-\U000e01ef]"
)
"""Letters, marks and variation selectors that show nothing; but for the two that say whether an emoji is a picture."""


def visible(text: str) -> str:
    """A text as one line, with an escape as Python writes it for each character of that kind."""
    return "".join(
        character.encode("unicode_escape").decode() if _is_escaped(character) else character for character in text
    )


def visible_lines(text: str) -> str:
    """A text with its line breaks and tabs as they are, and escapes for other characters of that kind."""
    lines = text.replace("\r\n", "\n").split("\n")
    return "\n".join("\t".join(visible(part) for part in line.split("\t")) for line in lines)


def _is_escaped(character: str) -> bool:
    return unicodedata.category(character) in _OBEYED_OR_HIDDEN or _BLANK.match(character) is not None
