"""Who is said to have said something: “Ana wrote: …”, “…”, said Ana, “my wife Min's answer”."""

import re

from graphmem.extract.owners.people import Cast, cleaned, is_topic
from graphmem.extract.owners.words import words
from graphmem.model.owners import NOBODY, SPEAKER, Owner

_CAPITAL = r"[A-ZÀ-ÖØ-ÞĀ-ŽḀ-ỿЀ-Я]"
_PART = rf"{_CAPITAL}[\w’'-]*\w"
NAME = (
    rf"(?:(?:Mr|Mrs|Ms|Dr|Prof|St)\. ?)?{_PART}"
    rf"(?: (?:{_CAPITAL}\.|(?:de|van|von|da|di|el|al|la|le|der|den) )?{_PART}){{0,3}}"
)
_SAYING = rf"(?:(?i:{words().before_said}) )?(?:(?i:told|tells|informed) {NAME}|(?i:{words().said})\b)"
_WHO = (
    rf"(?:(?i:my|our) (?:[a-z][\w-]* ){{0,2}}?(?P<kin>[a-zé-]+)(?:,? (?P<friend>{NAME}))?,?|(?P<name>{NAME})"
    r"|(?P<me>I|We|we)|(?P<other>(?i:he|she|they|someone|somebody|everyone|people|one|who|it"
    r"|(?:the|a|an|his|her|their|this|that|one of my|some) [^.!?,:;\n“\"]{1,40}?)))"
)
REPORT = re.compile(rf"(?:^|(?<=[\s(,;]))(?<!['’]){_WHO} {_SAYING}")
_AFTER = re.compile(
    rf"\s*[,–—(-]*\s*(?:(?i:said|says|wrote|writes|asked|replied|added)) (?P<name>{NAME})"
    rf"|\s*[,–—(-]+\s*(?P<other>{NAME}) (?i:said|says|wrote|writes|typed|asked|replied|sent|posted|told)\b"
    rf"|\s*[–—-]{{1,2}}\s*(?P<by>{NAME})\s*(?:$|[,(\n])"
)
_KINDS = words().texts["kinds"]
_OF_TEXT = re.compile(
    rf"(?P<owner>{NAME})['’]s? (?:[a-z]+ ){{0,2}}(?:{_KINDS})\b"
    rf"|\b(?i:{_KINDS}) (?:{words().texts['by']}) (?:[a-z’']+ ){{0,3}}(?:[a-zA-Z]+, )?(?P<by>{NAME})"
)
_OF_MINE = re.compile(
    rf"\b(?i:{_KINDS}|[a-z-]+) (?:from|by|of) (?i:my|our) (?:[a-z]+ ){{0,1}}?(?P<kin>[a-zé-]+)\b"
    rf"|\b(?i:my|our) (?P<of>[a-zé-]+)['’]s\b"
)
_OF_HEAD = re.compile(rf"\b(?i:{_KINDS}) (?:of|by|from) [^.!?\n:]{{0,40}}?, (?P<by>{NAME}),")
_NAMES_ITSELF = re.compile(
    rf"\b(?i:my name is|my name.s|i am called) (?P<name>{NAME})|\b(?:I am|I['’]m) (?P<me>{NAME}),"
)
_SIGNED = re.compile(rf"[.!?,]\s+(?P<name>(?:{_CAPITAL}\. ?){{1,2}}{_CAPITAL}[\w’'-]+|{NAME})[\s.]*$")
_CLOSED = re.compile(rf"\b{words().closing}[,.!]?\s+(?P<name>{NAME})[\s.]*$", re.IGNORECASE)


def reporter(match: re.Match[str], cast: Cast) -> Owner:
    """Whose what was said is."""
    if match["me"]:
        return SPEAKER
    if match["friend"]:
        return cast.owner(match["friend"])
    if match["kin"]:
        return cast.relative(match["kin"]) or NOBODY
    return _named(match["name"], cast) if match["name"] else NOBODY


def before(text: str, cast: Cast) -> Owner | None:
    """Who the words before a quotation say that it is by; None where they do not say."""
    reports = list(REPORT.finditer(text))
    if reports and not re.search(r"[.!?]\s|[”»]|\" ", text[reports[-1].end() :]):
        return reporter(reports[-1], cast)
    return author(text, cast)


def after(text: str, cast: Cast) -> Owner | None:
    """Who the words after a quotation say that it is by."""
    match = _AFTER.match(text)
    name = next(filter(None, match.groups()), "") if match else ""
    return _named(name, cast) if name else None


def author(text: str, cast: Cast) -> Owner | None:
    """“Dana's letter”, “a note from Dana”: whose a text is that is to be worked on."""
    match = _OF_HEAD.search(text) or _OF_TEXT.search(text)
    name = next(filter(None, match.groups()), "") if match else ""
    if name and cleaned(name).casefold() not in words().no_names:
        return _named(name, cast)
    mine = _OF_MINE.search(text)
    return cast.relative(mine["kin"] or mine["of"]) if mine else None


def itself(text: str, cast: Cast) -> Owner | None:
    """Who a text in the first person says that it is by: “My name is Dana”, “Kind regards, Dana”."""
    named = _NAMES_ITSELF.search(text)
    if named:
        return _named(named["name"] or named["me"], cast)
    return signature(text, cast)


def signature(text: str, cast: Cast) -> Owner | None:
    """Who a text is signed by: “Kind regards, Dana”."""
    signed = _CLOSED.search(text) or _SIGNED.search(text)
    return _named(signed["name"], cast) if signed and len(text.split()) > len(signed["name"].split()) + 3 else None


def _named(name: str, cast: Cast) -> Owner:
    first = cleaned(name).split()[:1]
    if not first or first[0].casefold() in words().no_names or (is_topic(name) and not cast.is_known(name)):
        return NOBODY
    return cast.owner(name)
