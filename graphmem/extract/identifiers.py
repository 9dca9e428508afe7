"""What has a form of its own, found by it: e-mails, URLs, phones, numbers of orders and tickets, addresses, dates.

Pure and quick: expressions that never go back far, well below a millisecond for a turn of talk.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from graphmem.extract.overlaps import Span
from graphmem.model.fragment import ThingName

ADDRESS = "address"
MONEY, DATE = "money", "date"
UNNAMED = frozenset({MONEY, DATE, ADDRESS})
"""Types that name nothing: such a span keeps others from taking its text for a name, and is no mention."""

NUMBERED = frozenset({"order", "issue"})
"""Types of what has a number."""

_FEWEST_DIGITS, _MOST_DIGITS = 7, 15
_SHORTEST, _LONGEST_UNMARKED = 4, 5


@dataclass(frozen=True, slots=True)
class Form:
    """``expression`` has a group ``it``, or is it as a whole; ``accept`` and ``trim`` have the last word."""

    type: str
    confidence: float
    expression: re.Pattern[str]
    accept: Callable[[re.Match[str]], bool] = bool
    trim: Callable[[str], str] = str


def identifiers(text: str) -> tuple[Span, ...]:
    """Every span that has one of the forms, form by form; they may overlap."""
    return (*(span for form in FORMS for span in _spans_of(form, text)), *addresses(text))


def wholes(text: str) -> Iterator[tuple[int, int]]:
    """What reads as one name, with the noun before a number: “order #4711-A”, “ticket number 48812”, an address."""
    yield from ((span.start, span.end) for span in addresses(text) if span.name.type == ADDRESS)
    for form in FORMS:
        if form.type in NUMBERED:
            yield from (match.span() for match in form.expression.finditer(text) if _is_one(form, match))


def _is_one(form: Form, match: re.Match[str]) -> bool:
    """Whether nothing but “number” and the like stands before the number: “my order is 4711-A” is a sentence."""
    return form.accept(match) and not match["verb"]


def _spans_of(form: Form, text: str) -> Iterator[Span]:
    group = "it" if "it" in form.expression.groupindex else 0
    for match in filter(form.accept, form.expression.finditer(text)):
        written = form.trim(match[group])
        start = match.start(group)
        if written:
            yield Span(ThingName(" ".join(written.split()), form.type), start, start + len(written), form.confidence)


def _without_punctuation(text: str) -> str:
    """Less the punctuation of the sentence around it: “(see https://a.example/x).” ends at the x."""
    while text and (text[-1] in ".,;:!?'\"’”»*_…>|" or _is_unopened(text)):
        text = text[:-1]
    return text


def _is_unopened(text: str) -> bool:
    opening = {")": "(", "]": "[", "}": "{"}.get(text[-1])
    return opening is not None and text.count(text[-1]) > text.count(opening)


def _is_phone(match: re.Match[str]) -> bool:
    written = match["it"]
    digits = sum(character.isdecimal() for character in written)
    return _FEWEST_DIGITS <= digits <= _MOST_DIGITS and not _WRITTEN_DATE.fullmatch(written)


def _is_number(match: re.Match[str]) -> bool:
    """“order #12” and “order number 12” are marked; without a mark it takes capitals and digits, or many digits."""
    written = match["it"]
    digits = sum(character.isdecimal() for character in written)
    if match["sign"] or match["word"]:
        return digits > 1 or (digits == 1 and len(written) >= _SHORTEST)
    if written.isdecimal():
        return digits >= _LONGEST_UNMARKED
    return digits > 0 and written.isupper() and len(written) >= _SHORTEST


_WRITTEN_DATE = re.compile(r"\d{1,2}([-/. ])\d{1,2}\1\d{2,4}|\d{4}([-/. ])\d{1,2}\2\d{1,2}")

EMAIL = re.compile(
    r"(?<![\w.+%-])[A-Za-z0-9_](?:[A-Za-z0-9_.+%-]{0,62}[A-Za-z0-9_+-])?"
    r"@(?:[A-Za-z0-9-]{1,63}\.){1,6}[A-Za-z]{2,24}(?![A-Za-z0-9@])"
)
"""An e-mail address."""
_REST = r"[^\s<>\"“”«»]{0,2000}"
_URL = (
    rf"(?i:\bhttps?://[^\W_]{_REST}|\bwww\.[^\W_]{_REST})"
    rf"|(?<![\w@./-])(?:[a-z0-9-]{{1,63}}\.){{1,5}}(?:com|org|net|io|dev|app|edu|gov)\b(?:/{_REST})?(?![\w@-])"
)
_PHONE = (
    r"(?<![\w.,#$€£/+-])(?P<it>\+\d{1,3}(?:[ .-]?\(?\d{1,5}\)?){2,6}"
    r"|\(\d{2,5}\) ?\d{2,4}(?:[ -]?\d{2,4}){1,3}"
    r"|\d{3}(?P<between>[-. ])\d{3}(?P=between)\d{4}"
    r"|0\d{1,4}[ /-]\d{2,8}(?:[ -]\d{2,8}){0,3}"
    r")(?![\w/€$£%-]|[.,]\d)"
)
_CALLED = (
    r"(?i:\b(?:phone|telephone|mobile|cell|tel|fax|whatsapp)\b\.?(?: (?:number|no\.?))?(?: is| at| on)?[ :]{1,3})"
    r"(?P<it>\+?\d[\d .()-]{5,18}\d)(?!\w|[.,]\d)"
)
_MONEY = (
    r"(?<![\w.])(?:(?:US|CA|AU)?[$€£¥₹] ?\d(?:[\d.,]{0,15}\d)?(?: ?(?:k|m|bn|million|billion)\b)?"
    r"|\d{1,3}(?:[ ,.]?\d{3}){0,4}(?:[.,]\d{1,2})?k? ?"
    r"(?:[€£$]|(?i:euros?|dollars?|pounds?|bucks|cents|yen|francs|usd|eur|gbp|chf)\b))"
)
_MONTH = (
    r"(?:Jan(?:uary|\.)?|Feb(?:ruary|\.)?|Mar(?:ch|\.)?|Apr(?:il|\.)?|May|June?|July?|Aug(?:ust|\.)?"
    r"|Sept?(?:ember|\.)?|Oct(?:ober|\.)?|Nov(?:ember|\.)?|Dec(?:ember|\.)?)"
)
_NTH = r"\d{1,2}(?:st|nd|rd|th)?"
_DATE = (
    r"(?<![\w.,/-])(?:\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2})?(?:Z|[+-]\d{2}:\d{2})?)?"
    r"|\d{1,2}(?P<between>[/.])\d{1,2}(?P=between)(?:\d{4}|\d{2})"
    rf"|{_NTH} (?:of )?{_MONTH}(?:,? \d{{4}})?|{_MONTH} {_NTH}(?:,? \d{{4}})?|{_MONTH},? \d{{4}})(?![\w/]|[.,-]\d)"
)


def _numbered(nouns: str) -> re.Pattern[str]:
    return re.compile(
        rf"\b(?i:{nouns})(?P<word> (?i:number|no\.?|nr\.?|id|code|reference|ref\.?))?"
        r",?(?P<verb> (?:is|was))?[ :]{0,2}(?P<sign>[#№] ?)?"
        r"(?<![A-Za-z0-9])(?P<it>[A-Za-z0-9]+(?:[-/][A-Za-z0-9]+){0,5})(?![\w@]|[-/.,]\w)"
    )


FORMS = (
    Form("email", 0.99, EMAIL),
    Form("url", 0.98, re.compile(_URL), trim=_without_punctuation),
    Form("order", 0.95, _numbered("orders?|purchase|invoice|booking|reservation|shipment|parcel|package"), _is_number),
    Form("issue", 0.95, _numbered("tickets?|case|issue|bug|incident|complaint"), _is_number),
    Form("phone", 0.9, re.compile(_CALLED), _is_phone),
    Form("phone", 0.9, re.compile(_PHONE), _is_phone),
    Form("person", 0.9, re.compile(r"(?<![\w@./+%-])@[A-Za-z_]\w{0,30}(?:\.\w{1,30})?(?![\w@])")),
    Form("concept", 0.9, re.compile(r"(?<![\w&/#])#(?P<it>[^\W\d_]\w{1,50})(?!\w|-\d)")),
    Form(MONEY, 0.9, re.compile(_MONEY)),
    Form(DATE, 0.85, re.compile(_DATE)),
)
"""The forms, the surest first. A handle is taken for a person under its “@”, a hashtag for a concept without “#”."""

# Postal addresses by their form: “123 Main Street, Bremen”, “Rua das Flores 42, 4050-262 Porto”, “Hauptstraße 12”.
# A number and a word for a street make one; the city, where it is said, is a place of its own.

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
_NTH_STREET = r"\d{1,3}(?:st|nd|rd|th)"

_STREET = (
    rf"{_NUMBER} {_DIRECTION}(?:(?:{_WORD}|{_NTH_STREET}|{_SMALL}) ){{1,4}}{_AFTER}"
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
_ADDRESS = re.compile(rf"(?<![\w.,$€£#/-])(?:{_STREET})(?!\w){_UNIT}{_CITY}")


def addresses(text: str) -> Iterator[Span]:
    """Every address as a whole, and the city in it."""
    for match in _ADDRESS.finditer(text):
        yield Span(_named(match[0], ADDRESS), match.start(), match.end(), _ADDRESS_SURE)
        if match["city"]:
            yield Span(_named(match["city"], "place"), match.start("city"), match.end("city"), _CITY_SURE)


def _named(written: str, kind: str) -> ThingName:
    return ThingName(" ".join(written.split()), kind)
