"""What of an episode's content can be read."""

import re

_OTHERS = re.compile(r"^[ \t]*>.*$|^\W*(?:forwarded|original) message\b[\s\S]*", re.IGNORECASE | re.MULTILINE)
_UNREADABLE = re.compile(r"[\ud800-\udfff]|\S{500,}")


def readable(content: str) -> str:
    """The content with what no language has (500 letters in a row, half characters) blanked; offsets stay the same."""
    return _UNREADABLE.sub(lambda match: " " * len(match[0]), content)


def words_of_others(content: str) -> list[tuple[int, int]]:
    """Where a mail has what somebody else wrote: lines behind “>”, and all that was forwarded."""
    return [match.span() for match in _OTHERS.finditer(content)]
