"""What of an episode's content can be read."""

import re

_UNREADABLE = re.compile(r"[\ud800-\udfff]|\S{500,}")


def readable(content: str) -> str:
    """The content with what no language has (500 letters in a row, half characters) blanked; offsets stay the same."""
    return _UNREADABLE.sub(lambda match: " " * len(match[0]), content)
