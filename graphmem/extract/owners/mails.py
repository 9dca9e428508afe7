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


def mails(found: Sequence[TextLine], cast: Cast) -> Iterator[OwnedSpan]:
    """Where lines have somebody's mail, or somebody's words out of one."""
    number, quoting = 0, NOBODY
    while number < len(found):
        reader = _header(found, number, cast) or _attributed(found, number, cast)
        if reader:
            spans, number, quoting = reader
            yield from spans
        elif _quoted(found[number]):
            yield from _quotation(found[number], quoting)
            number += 1
        elif words().forwarded.fullmatch(found[number].text.strip()):
            yield from owned(found[number].start, found[number].end, NOBODY, MAIL)
            number += 1
            if not any(_is_from(line) for line in found[number : number + 8]):
                yield from owned(found[number - 1].end, found[-1].end, NOBODY, MAIL)
                return
        else:
            quoting = quoting if found[number].blank else NOBODY
            letter = _letter(found, number, cast)
            if letter:
                span, number = letter
                yield span
            else:
                number += 1


_Read = tuple[list[OwnedSpan], int, Owner]


def _header(found: Sequence[TextLine], first: int, cast: Cast) -> _Read | None:
    """“From: …” with further fields; what follows, up to the next such, is the sender's."""
    last = first
    while last < len(found) and _field(found[last])[0]:
        last += 1
    fields = [_field(line) for line in found[first:last]]
    senders = [value for name, value in fields if name in words().mail_from]
    if not senders or (len(fields) < 2 and "@" not in senders[0]):  # noqa: PLR2004 - one line may be “from: Lyon”
        return None
    end = next((n for n in range(last, len(found)) if _begins_mail(found, n)), len(found))
    name = cleaned(_ADDRESS.sub("", senders[0]).strip(" \"',;"))
    owner = cast.owner(name) if name else _signed(found[last:end], cast) or NOBODY
    spans = [*owned(found[first].start, found[last - 1].end, NOBODY, MAIL)]
    inner = [line for line in found[last:end] if not _quoted(line)]
    spans += [span for line in inner for span in owned(line.start - 1, line.end, owner, MAIL)]
    spans += [span for line in found[last:end] if _quoted(line) for span in _quotation(line, NOBODY)]
    return spans, end, NOBODY


def _field(line: TextLine) -> tuple[str, str]:
    match = _FIELD.fullmatch(line.text)
    name = match[1].casefold() if match else ""
    return (name, match[2]) if match and name in words().mail_fields else ("", "")


def _is_from(line: TextLine) -> bool:
    return _field(line)[0] in words().mail_from


def _begins_mail(found: Sequence[TextLine], number: int) -> bool:
    text = found[number].text.strip()
    two = number + 1 < len(found) and _is_from(found[number]) and _field(found[number + 1])[0] != ""
    return two or bool(words().forwarded.fullmatch(text)) or bool(_attribution(found, number))


def _attribution(found: Sequence[TextLine], number: int) -> tuple[str, int] | None:
    """The name in “On Sunday, 9 March, Ana <ana@…> wrote:”, which may be broken over lines, and the line after it."""
    first = found[number].text.strip().lstrip("> ")
    opens = re.match(r"(?:on|am|le|el|il|op|den|em|w dniu|at)\b", first, re.IGNORECASE) or "@" in first
    if not opens or len(first) > _LONGEST_ATTRIBUTION:
        return None
    text = ""
    for last in range(number, min(number + _SENDER, len(found))):
        text = f"{text} {found[last].text.strip()}".strip()
        match = re.fullmatch(rf"(.{{2,300}}?)\s*\b(?:{words().wrote})\b(.{{0,80}}?)\s*:?", text, re.IGNORECASE)
        if match and (text.endswith(":") or "@" in text):
            before = _ADDRESS.sub("", match[1]).strip(" ,")
            name = cleaned(_AFTER_TIME.sub("", f"{before}")) or cleaned(match[2])
            return (name or cleaned(match[2]), last + 1)
    return None


def _attributed(found: Sequence[TextLine], number: int, cast: Cast) -> _Read | None:
    attribution = _attribution(found, number)
    if attribution is None:
        return None
    name, after = attribution
    owner = cast.owner(name) if name else NOBODY
    spans = [*owned(found[number].start, found[after - 1].end, NOBODY, MAIL)]
    below = next((line for line in found[after:] if not line.blank), None)
    if below is not None and not _quoted(below):
        spans += owned(found[after - 1].end, found[-1].end, owner, MAIL)
        return spans, len(found), NOBODY
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


def _letter(found: Sequence[TextLine], first: int, cast: Cast) -> tuple[OwnedSpan, int] | None:
    """A letter from its greeting to the name below its closing words, where that is not the speaker's."""
    text = found[first].text.strip()
    if not re.fullmatch(rf"(?:{words().greeting})\b[^.!?\n]{{0,60}}[,:!]?", text, re.IGNORECASE):
        return None
    for number in range(first + 1, min(first + _LONGEST_LETTER, len(found))):
        name = _signature(found, number)
        if name is not None:
            owner = cast.owner(name) if name else NOBODY
            if owner.voice is Voice.SPEAKER or not name:
                return None
            end = next((n for n in range(number + 1, len(found)) if not found[n].blank), number)
            return OwnedSpan(found[first].start, found[end].end, owner, MAIL), end + 1
    return None


def _signature(found: Sequence[TextLine], number: int) -> str | None:
    """The name below or behind closing words in this line; "" where none stands there, None of other lines."""
    match = re.fullmatch(rf"{words().closing}\s*[,.!]?\s*(.{{0,40}})", found[number].text.strip(), re.IGNORECASE)
    if match is None:
        return None
    below = next((line.text for line in found[number + 1 : number + 1 + _SENDER] if not line.blank), "")
    name = cleaned(match[1] or below)
    return name if is_name(name) else ("" if not match[1] else None)


def _signed(found: Sequence[TextLine], cast: Cast) -> Owner | None:
    names = [name for number in range(len(found)) if (name := _signature(found, number))]
    return cast.owner(names[-1]) if names else None
