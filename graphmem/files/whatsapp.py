"""A chat that WhatsApp exports as text: from an iPhone (``[day, time] Name: …``), or Android (``day, time - …``)."""

import re
from collections.abc import Iterator

from graphmem.files.source import Source
from graphmem.files.times import CLOCK, NUMERIC, clocked, date_order, numeric_day
from graphmem.files.turns import FileTurn
from graphmem.model.episode import EpisodeRole

NAME = "WhatsApp chat"
_BEGIN = re.compile(
    rf"[\u200e\u200f]?\[?(?P<stamp>{NUMERIC}),?[ ]{CLOCK}(?:\]| -)[ ](?P<rest>.*)",
    re.IGNORECASE,
)
_NAMED = re.compile(r"(?P<name>[^:]{1,100}): ?(?P<text>.*)", re.DOTALL)
_MARK = "\u200e"
"""Stands before what WhatsApp itself says in the place of a message."""
_EDITED = re.compile(r"\s*\u200e?<This message was edited>\s*$")
_NO_TEXT = re.compile(
    r"<Media omitted>|null|This message was deleted\.?|You deleted this message\.?|[^\n]{1,200}\(file attached\)"
)


def recognises(source: Source) -> bool:
    lines = [line for line in source.start.split("\n")[:20] if line.strip()]
    return any(_BEGIN.match(line) for line in lines[:3])


def read(source: Source) -> Iterator[FileTurn]:
    stamps = (found["stamp"] for _, line in source.lines() if (found := _BEGIN.match(line)))
    order = date_order(stamps, source.options.date_order, source.path)
    for line, found, text in _messages(source):
        named = _NAMED.fullmatch(text)
        if named is None:
            source.leave_out("messages of WhatsApp itself")
            continue
        said = _EDITED.sub("", named["text"])
        if said.startswith(_MARK) or _NO_TEXT.fullmatch(said.strip(_MARK).strip()):
            source.leave_out("messages without text, and of WhatsApp itself")
            continue
        try:
            time = clocked(numeric_day(found.groupdict(), order), found.groupdict())
        except ValueError:
            source.bad(line, f"a time with a day in the order {order} was expected, and not {found['stamp']!r}")
            continue
        yield FileTurn(
            content=said,
            time=time,
            source="whatsapp",
            role=EpisodeRole.PARTICIPANT,
            speaker=named["name"].strip(_MARK + "~\u202f\u00a0 "),
            session=f"whatsapp/{source.name}",
            line=line,
        )


def _messages(source: Source) -> Iterator[tuple[int, re.Match[str], str]]:
    """Each message with the number of its first line, what that begins with, and its text, of one line or many."""
    begun: tuple[int, re.Match[str]] | None = None
    text = list[str]()
    for number, line in source.lines():
        if (found := _BEGIN.match(line)) is not None:
            if begun:
                yield *begun, "\n".join(text)
            begun, text = (number, found), [found["rest"]]
        elif begun:
            text.append(line)
        elif line.strip():
            source.bad(number, "a time in front of the first message was expected")
    if begun:
        yield *begun, "\n".join(text)
