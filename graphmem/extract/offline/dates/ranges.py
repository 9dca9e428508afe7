"""Ranges of days, and of years, that are written in short: “3–5 May”, “May 3 to 5, 2024”, “2019–21”."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from graphmem.extract.offline.dates.rules import DAY, MONTH, WEEKDAY, YEAR, YEAR_OF, compiled

DASH = ("-", "–", "—")
CLOSING = frozenset({"to", "through", "thru"})
"""Before the last day, month or year of a range, which is a part of it."""


@dataclass(frozen=True, slots=True)
class ShortRange:
    """A range at ``[start, end)`` of the text: the words of its first and of its last days, each in full."""

    start: int
    end: int
    first: str
    last: str
    match: re.Match[str]


_TO = r"\s?(?:-|–|—|\bto\b|\bthrough\b|\bthru\b)\s?"
_AND = rf"(?:{_TO}|(?<=\w)\sand\s)"
_LED = r"(?P<lead>(?:(?:from|between|in|on|during|over|of) )?)(?:the )?"
_NOTHING_COUNTED = r"(?![\w/-])(?!\s?(?:%|people|euros?|dollars|km|kg|m\b|words|steps|pages|miles))"
_DAYS_OF_MONTH = compiled(
    rf"\b{_LED}(?P<one>{DAY}){_AND}(?:the )?(?P<two>{DAY}) (?:of )?(?P<month>{MONTH}(?:{YEAR_OF})?)\b"
)
_MONTH_WITH_DAYS = compiled(
    rf"\b{_LED}(?P<month>{MONTH})\.? (?P<one>{DAY}){_AND}(?P<two>{DAY})(?! (?:of )?{MONTH})"
    rf"(?P<year>(?:,? {YEAR})?)(?!\w)"
)
_YEARS = compiled(
    rf"(?<![\w.,/:#-])(?P<lead>(?:(?:from|between|in|during) )?)(?P<one>{YEAR})"
    rf"(?:{_TO}(?P<two>{YEAR})|\s?[–—/](?P<short>\d\d)|-(?P<late>(?:1[3-9]|[2-9]\d))){_NOTHING_COUNTED}"
)
_NUMBERED = re.compile(
    r"\b(?:fy|fiscal(?:\syear)?|financial\syear|rooms?|ports?|lines?|bus|buses|models?|pages?|numbers?|nos?|versions?|art|items?|points?|rows?|ids?|orders?)\.?\s$"
)
_PART_OF_YEAR = rf"(?:{MONTH}|\b(?:[qh][1-4]|spring|summer|autumn|fall|winter|early|mid|late|half|quarter))"
_JOINED = compiled(
    rf"(?:(?:\b(?:{MONTH}|{WEEKDAY})|\d)-(?=(?:{MONTH}|{WEEKDAY})\b)|\b[qh][1-4]-(?=[qh][1-4]\b)"
    rf"|{_PART_OF_YEAR}[., -]{{1,2}}(?:of )?{YEAR}-(?={YEAR}))"
)
_BEFORE = 16


def short_ranges(folded: str) -> Iterator[ShortRange]:
    """The ranges in the folded words of a text that do not overlap, in no order."""
    taken: list[tuple[int, int]] = []
    for pattern in (_DAYS_OF_MONTH, _MONTH_WITH_DAYS, _YEARS):
        for match in pattern.finditer(folded):
            before = folded[max(0, match.start() - _BEFORE) : match.start()]
            free = all(match.end() <= start or end <= match.start() for start, end in taken)
            if free and not _NUMBERED.search(before) and (ends := _ends(match)) is not None:
                taken.append(match.span())
                yield ShortRange(match.start(), match.end(), *ends, match)


def _ends(match: re.Match[str]) -> tuple[str, str] | None:
    """The first and the last day or year in full; None for “3 and 5 May”, two days, and years that run backwards."""
    if match.re is _YEARS:
        last = match["two"] or f"{match['one'][:2]}{match['short'] or match['late']}"
        return (match["one"], last) if last > match["one"] else None
    if re.search(r"\sand\s", match[0]) and match["lead"].strip() != "between":
        return None
    month = f"{match['month']}{match['year'] if match.re is _MONTH_WITH_DAYS else ''}"
    return f"{match['one']} {month}", f"{match['two']} {month}"


def with_long_dashes(folded: str) -> str:
    """The words, with a long dash in a range (“May-June”, “May 2020-2022”, “Q1-Q3”), which is no word with a hyphen."""
    return _JOINED.sub(lambda match: f"{match[0][:-1]}–", folded)
