"""One way of writing for the numbers that registries give: of firms, tax, papers, passports, and commits."""

import re
from dataclasses import dataclass

from graphmem.resolve.matching import vocabulary
from graphmem.resolve.matching.fold import compact

_TAX = vocabulary.words("tax_predicates")
_LINK = re.compile(r"(?:https?://)?(?:dx\.|www\.|export\.)?(?:doi\.org/|arxiv\.org/(?:abs|pdf)/)|(?:doi|arxiv)\s*:?\s*")
_EDITION = re.compile(r"(?<=\d)(?:v\d+)?(?:\.pdf)?$")
"""The version of an arXiv number, which is that of the file, not of the paper."""
_OF_COUNTRY = re.compile(r"([a-z]{2})(?=[a-z]?\d)")
_HUNGARIAN = re.compile(r"(\d{8})-\d-\d{2}")
"""The number of a firm, the sort of its tax, and its county."""
_HASH = re.compile(r"[0-9a-f]{7,64}")
_SHORT_HASH = 12
_PASSPORT = re.compile(r"[a-z]{0,3}\d{5,10}[a-z]?")
_CVE = re.compile(r"(?:cve)?((?:19|20)\d{2})(\d{4,7})")


@dataclass(frozen=True, slots=True, kw_only=True)
class Registered:
    """``scope``: the country that gave it, "" where none is said."""

    value: str
    scope: str = ""


def registered(predicate: str, text: str) -> Registered | None:
    """The number in one way of writing; None if it is none that the predicate can have."""
    words = vocabulary.predicate_words(predicate)
    plain = text.strip().casefold()
    if words & {"doi", "arxiv"}:
        return _some(compact(_of_paper(plain, arxiv="arxiv" in words)))
    if words & _TAX:
        return _of_tax(plain)
    if "passport" in words:
        return _matching(_PASSPORT, compact(plain))
    if "commit" in words:
        return _matching(_HASH, plain, longest=_SHORT_HASH)
    if "cve" in words:
        found = _CVE.fullmatch(compact(plain))
        return Registered(value=f"{found[1]}-{found[2]}") if found else None
    return _some(compact(plain))


def _some(text: str) -> Registered | None:
    return Registered(value=without_zeros(text)) if text else None


def without_zeros(text: str) -> str:
    """A pure number without the zeros that fill it up: “0001326801” is “1326801”."""
    return text.lstrip("0") or "0" if text.isdecimal() else text


def _of_paper(text: str, *, arxiv: bool) -> str:
    number = _LINK.sub("", text, count=1)
    return _EDITION.sub("", number) if arxiv else number


def _of_tax(text: str) -> Registered | None:
    if match := _HUNGARIAN.fullmatch(text.removeprefix("hu")):
        return Registered(value=match[1], scope="hu")
    plain = compact(text)
    country = _OF_COUNTRY.match(plain)
    found = _some(plain[2:] if country else plain)
    return Registered(value=found.value, scope=country[1] if country else "") if found else None


def _matching(pattern: re.Pattern[str], text: str, longest: int | None = None) -> Registered | None:
    return Registered(value=text[:longest]) if pattern.fullmatch(text) else None
