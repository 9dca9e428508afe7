"""What of an episode's content can be read."""

import re

READ_AT_MOST = 50_000
"""Code points of an episode that are read (some five seconds of one core); what follows gives nothing."""

_UNREADABLE = re.compile(r"[\ud800-\udfff]|\S{500,}")


def readable(content: str) -> str:
    """The content as far as it is read, with what no language has (500 letters in a row, half characters) blanked.

    Offsets stay those of the content.
    """
    if len(content) > READ_AT_MOST:
        cut = max(content.rfind(" ", 0, READ_AT_MOST), content.rfind("\n", 0, READ_AT_MOST))
        content = content[: cut if cut > 0 else READ_AT_MOST]
    return _UNREADABLE.sub(lambda match: " " * len(match[0]), content)
