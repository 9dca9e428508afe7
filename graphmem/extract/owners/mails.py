"""Mails: headers, what was forwarded, what is quoted behind “>”, letters with a greeting and a signature."""

import re
from collections.abc import Iterator, Sequence

from graphmem.extract.owners.lines import TextLine, owned
from graphmem.extract.owners.people import Cast, cleaned, is_name
from graphmem.extract.owners.words import words
from graphmem.model.owners import NOBODY, OwnedSpan, Owner, Voice

MAIL = "mail"

_FIELD = re.compile(r"\s*(?:\*\*)?([^\W\d_][\w-]{0,12})(?:\*\*)?\s?:(?:\*\*)?\s*(.*)")
_ADDRESS = re.compile(r"<?[\w.+-]+@[\w.-]+>?|[<(\[][^>)\]]*[>)\]]|mailto:\S*")
_QUOTED = re.compile(r"[ \t]*(?:>|\|)[> |]*")
_NOT_QUOTED = re.compile(r"\s*>>+\s*$|\s*>>>\s|\s*>>\s?[A-Z][^:\n]{0,30}:\s")
"""Captions, prompts, delimiters."""
_AFTER_TIME = re.compile(r".*(?:,|\d{2}|\bat \S+|[ap]\.?m\.?|uhr|\bum \S+)\s*[,:]?\s*", re.IGNORECASE | re.DOTALL)
_LONGEST_LETTER = 80
"""In lines."""
_SENDER, _LONGEST_ATTRIBUTION = 3, 200
"""Lines that a signature has at most, and lines over which an attribution may be broken."""


def mails(lines: Sequence[TextLine], cast: Cast) -> Iterator[OwnedSpan]:
    """Where lines have somebody's mail, or somebody's words out of one."""
    number, quoting = 0, NOBODY
    while number < len(lines):
        reader = _header(lines, number, cast) or _attributed(lines, number, cast)
        if reader:
            spans, number, quoting = reader
            yield from spans
        elif _quoted(lines[number]):
            yield from _quotation(lines[number], quoting)
            number += 1
        elif words().forwarded.fullmatch(lines[number].text.strip()):
            yield from owned(lines[number].start, lines[number].end, NOBODY, MAIL)
            number += 1
            if not any(_is_from(line) for line in lines[number : number + 8]):
                yield from owned(lines[number - 1].end, lines[-1].end, NOBODY, MAIL)
                return
        else:
            quoting = quoting if lines[number].blank else NOBODY
            letter = _letter(lines, number, cast)
            if letter:
                span, number = letter
                yield span
            else:
                number += 1


_Read = tuple[list[OwnedSpan], int, Owner]


def _header(lines: Sequence[TextLine], first: int, cast: Cast) -> _Read | None:
    """“From: …” with further fields; what follows, up to the next such, is the sender's."""
    last = first
    while last < len(lines) and _field(lines[last])[0]:
        last += 1
    fields = [_field(line) for line in lines[first:last]]
    senders = [value for name, value in fields if name in words().mail_from]
    if not senders or (len(fields) < 2 and "@" not in senders[0]):  # noqa: PLR2004 - one line may be “from: Lyon”
        return None
    end = next((n for n in range(last, len(lines)) if _begins_mail(lines, n)), len(lines))
    name = cleaned(_ADDRESS.sub("", senders[0]).strip(" \"',;"))
    owner = cast.owner(name) if name else _signed(lines[last:end], cast) or NOBODY
    spans = [*owned(lines[first].start, lines[last - 1].end, NOBODY, MAIL)]
    inner = [line for line in lines[last:end] if not _quoted(line)]
    spans += [span for line in inner for span in owned(line.start - 1, line.end, owner, MAIL)]
    spans += [span for line in lines[last:end] if _quoted(line) for span in _quotation(line, NOBODY)]
    return spans, end, NOBODY


def _field(line: TextLine) -> tuple[str, str]:
    match = _FIELD.fullmatch(line.text)
    name = match[1].casefold() if match else ""
    return (name, match[2]) if match and name in words().mail_fields else ("", "")


def _is_from(line: TextLine) -> bool:
    return _field(line)[0] in words().mail_from


def _begins_mail(lines: Sequence[TextLine], number: int) -> bool:
    text = lines[number].text.strip()
    two = number + 1 < len(lines) and _is_from(lines[number]) and _field(lines[number + 1])[0] != ""
    return two or bool(words().forwarded.fullmatch(text)) or bool(_attribution(lines, number))


def _attribution(lines: Sequence[TextLine], number: int) -> tuple[str, int] | None:
    """The name in “On Sunday, 9 March, Ana <ana@…> wrote:”, which may be broken over lines, and the line after it."""
    first = lines[number].text.strip().lstrip("> ")
    opens = re.match(r"(?:on|am|le|el|il|op|den|em|w dniu|at)\b", first, re.IGNORECASE) or "@" in first
    if not opens or len(first) > _LONGEST_ATTRIBUTION:
        return None
    text = ""
    for last in range(number, min(number + _SENDER, len(lines))):
        text = f"{text} {lines[last].text.strip()}".strip()
        match = re.fullmatch(rf"(.{{2,300}}?)\s*\b(?:{words().wrote})\b(.{{0,80}}?)\s*:?", text, re.IGNORECASE)
        if match and (text.endswith(":") or "@" in text):
            before = _ADDRESS.sub("", match[1]).strip(" ,")
            name = cleaned(_AFTER_TIME.sub("", f"{before}")) or cleaned(match[2])
            return (name or cleaned(match[2]), last + 1)
    return None


def _attributed(lines: Sequence[TextLine], number: int, cast: Cast) -> _Read | None:
    attribution = _attribution(lines, number)
    if attribution is None:
        return None
    name, after = attribution
    owner = cast.owner(name) if name else NOBODY
    spans = [*owned(lines[number].start, lines[after - 1].end, NOBODY, MAIL)]
    below = next((line for line in lines[after:] if not line.blank), None)
    if below is not None and not _quoted(below):
        spans += owned(lines[after - 1].end, lines[-1].end, owner, MAIL)
        return spans, len(lines), NOBODY
    return spans, after, owner


def _quoted(line: TextLine) -> bool:
    return line.text.lstrip().startswith(">") and not _NOT_QUOTED.match(line.text)


def _quotation(line: TextLine, owner: Owner) -> Iterator[OwnedSpan]:
    """What stands behind “>”: whose the attribution says at one level, nobody's below."""
    mark = _QUOTED.match(line.text)
    at = line.start + (mark.end() if mark else 0)
    deep = mark is not None and mark[0].count(">") > 1
    yield from owned(line.start, at, NOBODY, MAIL)
    yield from owned(at, line.end, NOBODY if deep else owner, MAIL)


def _letter(lines: Sequence[TextLine], first: int, cast: Cast) -> tuple[OwnedSpan, int] | None:
    """A letter from its greeting to the name below its closing words, where that is not the speaker's."""
    text = lines[first].text.strip()
    if not re.fullmatch(rf"(?:{words().greeting})\b[^.!?\n]{{0,60}}[,:!]?", text, re.IGNORECASE):
        return None
    for number in range(first + 1, min(first + _LONGEST_LETTER, len(lines))):
        name = _signature(lines, number)
        if name is not None:
            owner = cast.owner(name) if name else NOBODY
            if owner.voice is Voice.SPEAKER or not name:
                return None
            end = next((n for n in range(number + 1, len(lines)) if not lines[n].blank), number)
            return OwnedSpan(lines[first].start, lines[end].end, owner, MAIL), end + 1
    return None


def _signature(lines: Sequence[TextLine], number: int) -> str | None:
    """The name below or behind closing words in this line; "" where none stands there, None of other lines."""
    match = re.fullmatch(rf"{words().closing}\s*[,.!]?\s*(.{{0,40}})", lines[number].text.strip(), re.IGNORECASE)
    if match is None:
        return None
    below = next((line.text for line in lines[number + 1 : number + 1 + _SENDER] if not line.blank), "")
    name = cleaned(match[1] or below)
    return name if is_name(name) else ("" if not match[1] else None)


def _signed(lines: Sequence[TextLine], cast: Cast) -> Owner | None:
    names = [name for number in range(len(lines)) if (name := _signature(lines, number))]
    return cast.owner(names[-1]) if names else None
