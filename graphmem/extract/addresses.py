"""Postal addresses by their form: “123 Main Street, Bremen”, “Rua das Flores 42, 4050-262 Porto”, “Hauptstraße 12”.

A number and a word for a street make one; the city, where it is said, is a place of its own.
"""

import re
from collections.abc import Iterator

from graphmem.extract.overlaps import Span
from graphmem.model.fragment import ThingName

ADDRESS = "address"

_CITY_SURE, _ADDRESS_SURE = 0.86, 0.85
"""The city stands where both are seen, since an address names nothing."""

_WORD = r"[A-ZÀ-ÖØ-Þ][\w'’-]{0,30}"
_SMALL = r"(?:de|da|do|das|dos|del|della|di|du|des|la|le|las|los|van|der|den|the|of)"
_NUMBER = r"\d{1,5}[A-Za-z]?(?:[-/]\d{1,4}[A-Za-z]?)?"
_AFTER = (
    r"(?:(?:Street|Avenue|Road|Lane|Drive|Boulevard|Court|Square|Way|Terrace|Close|Crescent|Parkway|Highway|Row|Walk"
    r"|Quay|Mews|Gardens|Grove|Alley)\b|(?:St|Ave|Rd|Ln|Dr|Blvd|Ct|Sq|Pkwy|Hwy)\b(?:\.(?=,| [a-z#]))?)"
)
_BEFORE = (
    r"(?:Rua|Rue|Via|Calle|Avenida|Av\.|Avenue|Plaza|Piazza|Praça|Carrer|Viale|Corso|Boulevard|Largo|Travessa|Chemin"
    r"|Paseo|Ulica|ul\.)"
)
_JOINED = (
    r"(?:straße|strasse|str\.|weg|platz|allee|gasse|damm|ufer|straat|laan|gracht|plein|gatan|vägen|gade|vej|veien)"
)
_DIRECTION = r"(?:(?:[NSEW]|North|South|East|West)\.? )?"
_NTH = r"\d{1,3}(?:st|nd|rd|th)"

_STREET = (
    rf"{_NUMBER} {_DIRECTION}(?:(?:{_WORD}|{_NTH}|{_SMALL}) ){{1,4}}{_AFTER}"
    rf"|{_NUMBER},? {_BEFORE} (?:{_SMALL} ){{0,2}}{_WORD}(?: (?:{_SMALL} )?{_WORD}){{0,2}}"
    rf"|{_BEFORE} (?:{_SMALL} ){{0,2}}{_WORD}(?: (?:{_SMALL} )?{_WORD}){{0,2}},? {_NUMBER}"
    rf"|(?:{_WORD} )?[A-ZÀ-ÖØ-Þ][\w-]{{1,30}}{_JOINED} {_NUMBER}|{_WORD} S(?:traße|trasse|tr\.) {_NUMBER}"
)
_UNIT = r"(?:,? (?:#|(?:Apt|Apartment|Unit|Suite|Flat|Room|Floor)\b\.? ?#?)\w{1,6})?"
_CODE = r"(?:[A-Z]{1,2}-)?\d{4,5}(?:-\d{3,4})? "
_END = (
    r"(?=[ \t]*(?:[.,;:!?)]|\n|\Z| (?:and|but|since|for|with|until|now|because|near|from|to|last|this|next|yesterday"
    r"|today|in|on|so|when|while|after|before|again)\b))"
)
_CALENDAR = (
    r"(?!(?:Jan|Feb|Mar(?:ch)?|Apr|May|June?|July?|Aug|Sep|Oct|Nov|Dec|Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)"
    r"(?:uary|il|ust|t?ember|ober|day)?\b)"
)
_CITY = (
    rf"(?:(?:,| in) (?:{_CODE})?{_CALENDAR}(?P<city>{_WORD}(?: {_WORD}){{0,2}}?)"
    rf"(?:,? [A-Z]{{2}})?(?: \d{{4,5}}(?:-\d{{4}})?)?(?:, {_WORD}(?: {_WORD}){{0,2}}?)?{_END})?"
)
_EXPRESSION = re.compile(rf"(?<![\w.,$€£#/-])(?:{_STREET})(?!\w){_UNIT}{_CITY}")


_STREET_ALONE = re.compile(rf".* {_AFTER}|{_BEFORE} .*|.*{_JOINED}|.* S(?:traße|trasse|tr\.)")


def is_street(name: str) -> bool:
    """Whether the name is a street's, by its first or last word."""
    return _STREET_ALONE.fullmatch(name) is not None


def addresses(text: str) -> Iterator[Span]:
    """Every address as a whole, and the city in it."""
    for match in _EXPRESSION.finditer(text):
        yield Span(_named(match[0], ADDRESS), match.start(), match.end(), _ADDRESS_SURE)
        if match["city"]:
            yield Span(_named(match["city"], "place"), match.start("city"), match.end("city"), _CITY_SURE)


def _named(written: str, kind: str) -> ThingName:
    return ThingName(" ".join(written.split()), kind)
