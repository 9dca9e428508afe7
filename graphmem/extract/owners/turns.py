"""Turns of a transcript: who is named at the head of a line, and how far their words go."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from graphmem.extract.owners.lines import TextLine, owned
from graphmem.extract.owners.people import FIRST, LONGEST, Cast, cleaned, is_name, is_topic
from graphmem.extract.owners.words import words
from graphmem.model.owners import NOBODY, OwnedSpan, Owner, Voice

TRANSCRIPT = "transcript"
HEAD = "head"
"""The form of what stands before somebody's words: their name, a time."""

_B = r"[\s\u00a0\u202f\u200e\u200f]"
_TIME = rf"\d{{1,2}}[:.h]\d{{2}}(?:[:.]\d{{2}})?(?:[.,]\d{{1,3}})?(?:{_B}?(?:[ap]\.?{_B}?m\.?|uhr|h|z|utc|gmt))?"
_MONTH = (
    r"(?:jan|feb|fév|fev|mar|mär|abr|apr|avr|may|mai|mag|mei|maj|jun|juin|giu|jul|juil|lug|aug|aoû|ago|sep|set|oct|okt|ott|out|nov"
    r"|dec|dez|dic|déc|ene|gen|gru|kwi|lip|lis|paź|sie|sty|wrz|cze|lut)[^\W\d_]{0,8}\.?"
)
_DATE = (
    r"(?:\d{1,4}[./-]\d{1,2}[./-]\d{1,4}\.?|\d{1,2}\.\d{1,2}\."
    rf"|\d{{1,2}}\.?[ -]{_MONTH},?(?:[ -]\d{{2,4}})?|{_MONTH} \d{{1,2}}(?:st|nd|rd|th)?,?(?: \d{{4}})?"
    r"|\d{4}[年.] ?\d{1,2}[月.] ?\d{1,2}[日.]?)"
)
_DAY = (
    r"(?:(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?|today|yesterday|heute|gestern|hier|ayer|hoy"
    r"|(?:mo|di|mi|do|fr|sa|so)\.?)"
)
_HALF = r"(?:上午|下午|오전|오후|午前|午後)"
_AT = r"(?:,|T|,? (?:at|um|à|om|a las|alle|kl\.?))"
STAMP = rf"(?:{_DAY},?{_B}+)?(?:{_DATE}{_AT}?{_B}*)?(?:(?:at|um) )?{_HALF}?{_B}*{_TIME}"
_WHEN = rf"(?:{STAMP}|{_DATE})"
_LABEL = rf"[^\s:：\[\]<>{{}}()|\"“”#*_>\-•–@`][^:：\n\[\]<>{{}}()|\"“”*`]{{0,{LONGEST - 1}}}"
_SURE = re.compile(
    rf"[\u200e\u200f]?(?:"
    rf"(?:{_WHEN}{_B}+)?(?-i:From){_B}+(?P<m>{_LABEL}?){_B}+to{_B}+(?:everyone|everybody|all(?: panelists)?|me|hosts?)"
    rf"(?:{_B}*\([^)\n]{{1,24}}\))?{_B}*[:：](?=\s|$)"
    rf"|[-–—]{_B}+(?P<n>{_LABEL}?),{_B}+{_WHEN}{_B}+[-–—]{_B}*$|"
    rf"\[{_B}*{_WHEN}{_B}*\]{_B}*(?:[-–]{_B}*)?(?:<[@+%~& ]?(?P<a>[^<>\n]{{1,40}})>|~?{_B}?(?P<b>{_LABEL})[:：])"
    rf"|\(?{_WHEN}\)?{_B}*[-–—,|]?{_B}*(?:<[@+%~& ]?(?P<c>[^<>\n]{{1,40}})>|~?{_B}?(?P<d>{_LABEL})[:：](?!\d))"
    rf"|(?P<e>{_LABEL}?){_B}*[\[(]{_B}*{_WHEN}{_B}*[\])]{_B}*[:：-]?"
    rf"|@(?P<f>[\w.-]{{2,30}})[:：]"
    rf"|<v(?:\.\w+)* (?P<g>[^<>\n]{{1,40}})>"
    rf"|(?P<h>{_LABEL}?)(?:{_B}{{2,}}|\t| [—–-] |,{_B}|{_B}·{_B}){_WHEN}{_B}*$"
    rf"|\[{_WHEN}\]{_B}*(?P<i>{_LABEL}){_B}*$"
    rf"|(?P<j>{_LABEL}?)(?:,{_B}*|{_B}+)(?:at )?{_WHEN}{_B}*[:：](?=\s)"
    rf"|(?P<k>{_LABEL}?){_B}*\|{_B}*{_WHEN}{_B}*\|"
    rf"|{_WHEN}{_B}+(?:[-–—|]{_B}+)?(?P<l>{_LABEL}){_B}*$"
    rf")",
    re.IGNORECASE,
)
_JUDGED = re.compile(
    rf"(?:[-*•–+]{_B}+|>>{_B}*|\d{{1,3}}[.)]{_B}+|#{{1,6}}{_B}+)?"
    rf"(?:(?:\*\*|__)(?P<a>[^*_:：\n]{{1,40}}?){_B}*[:：]?(?:\*\*|__){_B}*[:：]?"
    rf"|(?P<b>{_LABEL}?)(?:{_B}*\([^)\n]{{1,24}}\))?{_B}*[:：](?=\s|$)|<[@+%~& ]?(?P<c>[\w.-]{{1,30}})>(?=\s)"
    rf"|\[(?P<d>{_LABEL}?)\]{_B}*[:：](?=\s)|(?P<e>[\w.-]{{2,24}})>(?=\s)|[\[(](?P<f>[\w .-]{{2,24}})[\])](?=\s))",
)
_HEADING = re.compile(rf"(?P<a>{_LABEL}?){_B}{_TIME}{_B}*$", re.IGNORECASE)
_SPEAKS = re.compile(r"(?:^|\s)(?P<a>[QA])[:.](?=\s)")
_RICH = re.compile(rf"[:：*|\])]|>\s|<v|{_TIME}")
_AGO = r"(?:\d{1,2}|an?) ?(?:min(?:ute)?|hour|day|week|month|year)s? ago"
_ALONE = re.compile(rf"{_B}*[\[(]?(?:{_WHEN}|{_AGO})[\])]?{_B}*$", re.IGNORECASE)
_HANDLE = re.compile(r"@?(?=[\w.-]{3,30}$)(?:[^\W\d]+[\d._-]|[^\W\d_]+[a-z][A-Z])[\w.-]*")
"""What somebody is called where they post: “dr-octagon”, “CheeseLord42”."""
_POSTED = re.compile(rf"(?P<a>\S+)(?:{_B}+[·•|—–-])?{_B}+(?:{_AGO}|\d{{1,2}} ?[smhdwy]){_B}*$")
_POSTED_ON = re.compile(
    rf"(?:{_LABEL}{_B}+)?@(?P<a>\w[\w.-]{{1,30}}){_B}*[·•|]{_B}*(?:{_WHEN}|{_AGO}|\d{{1,2}}{_B}?[smhdwy]){_B}*$"
    rf"|(?:r/\w{{2,30}}{_B}*[·•|]{_B}*)?(?:posted by )?u/(?P<b>[\w-]{{2,30}})(?:{_B}*[·•|,][^\n]{{0,40}})?$",
    re.IGNORECASE,
)
"""Where something is posted: “@kurt · May 12”, “r/advice • u/kurt”."""
_WITH_COLON = frozenset("abcdfgm")
_LONGEST_NAME, _LEAST_OF_NUMBER = 4, 6


@dataclass(frozen=True, slots=True)
class Head:
    """The beginning of a line that names who says what follows from ``end`` on; ``sure`` by its form.

    ``weak``: it may be an aside, “(Update) …”, unless others stand so beside it.
    """

    line: int
    end: int
    name: str
    sure: bool
    rest: str
    weak: bool = False


@dataclass(frozen=True, slots=True)
class Turn:
    """Somebody's turn: its head at ``[start, at)``, and their words up to ``end``."""

    start: int
    at: int
    end: int
    owner: Owner

    def spans(self) -> Iterator[OwnedSpan]:
        yield from owned(self.start, self.at, NOBODY, HEAD)
        yield from owned(self.at, self.end, self.owner, TRANSCRIPT)


def turns(lines: Sequence[TextLine], cast: Cast) -> list[Turn]:
    """The turns that lines show, in their order. Lines before the first are the speaker's, and are in none."""
    heads = [head for number in range(len(lines)) if (head := _head(lines, number))]
    owners = _owners(heads, cast)
    standing = [(head, owner) for head, owner in zip(heads, owners, strict=True) if owner]
    result = list[Turn]()
    for number, (head, owner) in enumerate(standing):
        after = standing[number + 1][0].line if number + 1 < len(standing) else None
        end = _end(lines, head, after, blank_goes_on=head.sure and after is not None)
        result.append(Turn(lines[head.line].start, head.end, end, owner))
    return result


def _head(lines: Sequence[TextLine], number: int) -> Head | None:
    line = lines[number]
    text = line.text
    below = lines[number + 1] if number + 1 < len(lines) else None
    if below is not None and _ALONE.match(below.text) and _heads_lines(text.strip()):
        return Head(number, below.end, text.strip(), sure=True, rest="")
    if (posted := _POSTED.match(text)) and _HANDLE.fullmatch(posted["a"]):
        return Head(number, line.end, posted["a"].removeprefix("@"), sure=True, rest="")
    if on := _POSTED_ON.match(text):
        return Head(number, line.end, on["a"] or on["b"], sure=True, rest="")
    indent = len(text) - len(text.lstrip())
    if not _RICH.search(text[:160]) or _opens_frame(text[indent : indent + 160]):
        return None
    for expression in (_SURE, _JUDGED, _HEADING):
        if (match := expression.match(text, indent)) and (name := next(filter(None, match.groups()), "")):
            return _headed(number, line, match, name)
    return None


def _heads_lines(text: str) -> bool:
    """Whether a line is somebody's name, or what they are called where they post."""
    return (text[:1].isupper() and is_name(cleaned(text))) or _HANDLE.fullmatch(text) is not None


def _headed(number: int, line: TextLine, match: re.Match[str], name: str) -> Head | None:
    judged, form = match.re is _JUDGED, match.lastgroup or ""
    if judged and _is_tag(match["c"] or ""):
        return None
    sure = match.re is _SURE and _is_somebody(name, form)
    rest = line.text[match.end() :]
    return Head(number, line.start + match.end(), name, sure, rest, weak=judged and form == "f")


def _opens_frame(text: str) -> bool:
    """Whether what stands before the colon says what is to become of what follows: “Proofread: …”."""
    return words().opening.match(text) is not None


def _is_tag(name: str) -> bool:
    return name.casefold() in words().tags


def _is_somebody(name: str, form: str) -> bool:
    """Whether a time beside it makes it a name: not in “9:15 Breakfast: eggs”, “I met Ana, 10:30”."""
    parts = cleaned(name).split()
    if not any(map(str.isalpha, name)):
        return form in _WITH_COLON and sum(map(str.isdigit, name)) >= _LEAST_OF_NUMBER
    if not parts or is_topic(" ".join(parts)):
        return False
    lower = sum(part[0].islower() for part in parts)
    return len(parts) <= _LONGEST_NAME and lower <= (1 if form in _WITH_COLON and len(parts) < _LONGEST_NAME else 0)


def _owners(heads: Sequence[Head], cast: Cast) -> list[Owner | None]:
    names = Counter(cleaned(head.name) for head in heads)
    plausible = sum(1 for name in names if is_name(name, others=1) or cast.judged(name, others=1))
    owners = list[Owner | None]()
    for head in heads:
        name = cleaned(head.name)
        others = plausible - 1
        owner = cast.owner(name) if head.sure and name else cast.judged(name, others=others)
        owners.append(None if _is_aside(head, name, cast, others) else owner)
    if any(owner and owner.voice is Voice.NAMED for owner in owners):
        return owners
    alone = [owner for owner in owners if owner is not None]
    return owners if len(alone) > 1 or any(owner is NOBODY for owner in alone) else [None for _ in heads]


def _is_aside(head: Head, name: str, cast: Cast, others: int) -> bool:
    """Whether what looks like a name heads nothing that its bearer says: “(Later) …”, “Look:”, “husband: Giorgi”."""
    if head.sure:
        return False
    if cast.relative(name) is not None:
        return not _speaks(head.rest)
    alone = others < 1 and not cast.is_familiar(name)
    return alone and (head.weak or not head.rest.strip())


def _speaks(rest: str) -> bool:
    """Whether somebody says it: “Mum: I am at home.”, not “husband: Giorgi”."""
    return not rest.strip() or FIRST.search(rest) is not None or rest.rstrip()[-1] in ".!?…"


def _end(lines: Sequence[TextLine], head: Head, after: int | None, *, blank_goes_on: bool) -> int:
    """Where a turn's words end: at the next head, or at an empty line after which nothing of theirs comes."""
    last = len(lines) if after is None else after
    has_words = bool(lines[head.line].text[head.end - lines[head.line].start :].strip())
    for number in range(head.line + 1, last):
        if not lines[number].blank:
            has_words = True
        elif has_words and not blank_goes_on:
            return lines[number].start
    return lines[last - 1].end if after is None else lines[last].start


def cards(lines: Sequence[TextLine], cast: Cast) -> Iterator[OwnedSpan]:
    """“Name: …” with further lines is about whom it names: what “I” says there is not the speaker's."""
    at = 0
    for number, line in enumerate(lines):
        match = _NAMED_CARD.fullmatch(line.text)
        if match is None or number < at or not cast.mine or cast.is_me(match[1]):
            continue
        at = next((n for n in range(number, len(lines)) if lines[n].blank), len(lines))
        if at > number + 1:
            yield from owned(line.start, lines[at - 1].end, cast.owner(match[1]), "card")


_NAMED_CARD = re.compile(
    r"\s*(?:[-*•]\s+)?(?:\*\*)?(?:full |first )?name(?:\*\*)?\s*[:：](?:\*\*)?\s*(\S.{1,60}?)\s*", re.IGNORECASE
)


def asked_and_answered(text: str, start: int, end: int) -> Iterator[OwnedSpan]:
    """“Q: Where do you live? A: In Rome.” in one line: what is asked and answered is nobody's."""
    matches = list(_SPEAKS.finditer(text, start, end))
    marks = [match["a"] for match in matches]
    if "Q" in marks and "A" in marks:
        yield from owned(matches[0].start("a"), end, NOBODY, TRANSCRIPT)
