"""Values that say by themselves which thing is meant: e-mails, phones, web addresses, and keys."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from stdnum import ean, imei, isbn, isni, lei

from graphmem.model.entity import is_given
from graphmem.model.matching import MatchingSettings, MatchProfile
from graphmem.resolve.matching import vocabulary
from graphmem.resolve.matching.fold import compact, edits, folded
from graphmem.resolve.matching.names import NameKind, kind_of

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

EMAIL, PHONE, URL = "email", "phone", "url"
GIVEN_ID = "id"
"""What a caller gives."""
PHONE_AND_ADDRESS = "phone and address"
_EMAIL = re.compile(r"([\w.+%'-]{1,64})@((?:[\w-]{1,63}\.){1,6}[a-z]{2,24})", re.IGNORECASE)
_URL = re.compile(r"(?:https?://)?(?:www\.)?((?:[\w-]{1,63}\.){1,5}[a-z]{2,24})(?::\d+)?(/[^\s?#]*)?\S*", re.IGNORECASE)
_PHONES = vocabulary.words("phone_predicates")
_URLS = vocabulary.words("url_predicates")
_STREETS = vocabulary.words("street_predicates")
_ROLES = vocabulary.words("role_mailboxes")
"""Mailboxes that several people read."""
_SHARED_HOSTS = vocabulary.words("shared_hosts")


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
        match = _CVE.fullmatch(compact(plain))
        return Registered(value=f"{match[1]}-{match[2]}") if match else None
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
    number = _some(plain[2:] if country else plain)
    return Registered(value=number.value, scope=country[1] if country else "") if number else None


def _matching(pattern: re.Pattern[str], text: str, longest: int | None = None) -> Registered | None:
    return Registered(value=text[:longest]) if pattern.fullmatch(text) else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Identifier:
    """``exclusive``: a thing has one of the kind, so that two say that there are two.

    ``decisive``: an equal one says who is meant whatever the names, for it has a check digit, or is configured.

    ``scope`` is the country that gave it; "" where none is said, which contradicts no other.
    """

    kind: str
    value: str
    exclusive: bool = False
    decisive: bool = False
    scope: str = ""

    @property
    def words(self) -> str:
        return f"{self.kind} {self.value}"


def identifiers_of(profile: MatchProfile, settings: MatchingSettings) -> frozenset[Identifier]:
    return frozenset(_identifiers(profile, settings))


def _identifiers(profile: MatchProfile, settings: MatchingSettings) -> Iterator[Identifier]:
    kind = kind_of(profile.type)
    if is_given(profile.qualifier):
        yield Identifier(kind=GIVEN_ID, value=profile.qualifier)
    if profile.type in (EMAIL, PHONE, URL):
        yield from _named(profile.type, profile.name, kind)
    for predicate, values in profile.values.items():
        for value in values:
            yield from _named(predicate.casefold(), value, kind)
            yield from _keys(predicate, value, settings.keys, settings.exclusive)
            if kind is NameKind.CODE:
                yield from _numbers_of_events(predicate.casefold(), value)


@lru_cache(maxsize=1 << 15)
def _named(predicate: str, value: str, kind: NameKind) -> tuple[Identifier, ...]:
    words = vocabulary.predicate_words(predicate)
    if (address := email(value)) is not None:
        return (Identifier(kind=EMAIL, value=address),)
    if (words & _PHONES or value.lstrip().startswith("+")) and (number := phone(value)) is not None:
        return (Identifier(kind=PHONE, value=number),)
    if words & _URLS and (address := url(value, person=kind is NameKind.PERSON)) is not None:
        return (Identifier(kind=URL, value=address),)
    return ()


@lru_cache(maxsize=1 << 15)
def _keys(predicate: str, value: str, configured: frozenset[str], exclusive: frozenset[str]) -> tuple[Identifier, ...]:
    name = predicate.casefold()
    known = next((word for word in (name, *name.split("_")) if word in _CHECKED), None)
    if known is not None:
        number = _CHECKED[known](compact(value))
        return (
            (Identifier(kind=_SORT_OF.get(known, known), value=number, exclusive=True, decisive=True),)
            if number
            else ()
        )
    if name not in _KEYS and predicate not in configured and predicate not in exclusive:
        return ()
    key = registered(name, value)
    if key is None or is_placeholder(value):
        return ()
    return (
        Identifier(
            kind=predicate,
            value=key.value,
            exclusive=predicate in exclusive,
            decisive=predicate in configured or predicate in exclusive,
            scope=key.scope,
        ),
    )


@lru_cache(maxsize=1 << 14)
def _numbers_of_events(name: str, value: str) -> tuple[Identifier, ...]:
    """Numbers of what was done or found once, that also people and products have something to do with."""
    number = registered(name, value) if name in _OF_EVENTS else None
    return (Identifier(kind=name, value=number.value),) if number else ()


@lru_cache(maxsize=1 << 12)
def is_given_by_machine(predicate: str) -> bool:
    """Whether values of a predicate are counted on or drawn by a machine: neighbours are other things, no slips."""
    return predicate.casefold() in _KEYS | _LOCAL | _OF_EVENTS or not _CHECKED.keys().isdisjoint(
        predicate.casefold().split("_")
    )


@lru_cache(maxsize=1 << 15)
def is_address(value: str, predicate: str) -> bool:
    """Whether it is an e-mail, phone or web address, of which anybody may have many, and some are shared."""
    words = vocabulary.predicate_words(predicate)
    is_phone = bool(words & _PHONES) and phone(value) is not None
    return bool(_EMAIL.fullmatch(value.strip())) or is_phone or (bool(words & _URLS) and url(value) is not None)


_PLACEHOLDERS = vocabulary.words("placeholders")


@lru_cache(maxsize=1 << 14)
def is_placeholder(value: str) -> bool:
    """Whether it stands where something should be, and is nothing: “n/a”, “unknown”, “0000”, “noemail”."""
    plain = compact(value)
    return not plain or plain in _PLACEHOLDERS or (len({*plain}) == 1 and not plain.isalpha())


_KEYS = vocabulary.words("key_predicates")
"""Numbers and codes that say which thing of the world, or which order, is meant."""
_LOCAL = vocabulary.words("local_key_predicates")
"""Numbers that a machine gives, but others give the same ones."""
_OF_EVENTS = vocabulary.words("event_key_predicates")
"""Numbers that are keys of issues and versions, not of those who have to do with them."""


@lru_cache(maxsize=1 << 14)
def email(value: str) -> str | None:
    """The address in one way of writing, without a tag; None if it is none, or several people read it."""
    match = _EMAIL.fullmatch(value.strip().removeprefix("mailto:"))
    if match is None:
        return None
    name, host = match[1].casefold().split("+", 1)[0], match[2].casefold()
    if host in ("gmail.com", "googlemail.com"):
        name, host = name.replace(".", ""), "gmail.com"
    is_role = is_placeholder(name) or name in _ROLES or not _ROLES.isdisjoint(re.split(r"[._-]", name))
    return None if is_role or not name else f"{name}@{host}"


@lru_cache(maxsize=1 << 14)
def phone(value: str) -> str | None:
    """The number as E.164 says, where it can be called from abroad; None of any other."""
    import phonenumbers  # noqa: PLC0415 - only where there is a phone

    try:
        number = phonenumbers.parse(re.sub(r"^\s*00", "+", value), None)
    except phonenumbers.NumberParseException:
        return None
    if is_placeholder(str(number.national_number)[1:]) or not phonenumbers.is_possible_number(number):
        return None
    return phonenumbers.format_number(number, phonenumbers.PhoneNumberFormat.E164)


def url(value: str, *, person: bool = False) -> str | None:
    """Host and path; None of a host that many share, and of any bare host where a person is meant."""
    match = _URL.fullmatch(value.strip())
    if match is None:
        return None
    host, path = match[1].casefold(), (match[2] or "").rstrip("/").casefold()
    return None if not path and (person or host in _SHARED_HOSTS) else f"{host}{path}"


def _isbn(text: str) -> str | None:
    if len(text) > _OLD_ISBN:
        return _gtin(text)
    return isbn.to_isbn13(text) if isbn.is_valid(text) else None


def _gtin(text: str) -> str | None:
    """The number with 13 digits, or 14 where the first says that it is a case of several; None if it is none."""
    is_one = len(text) >= _SHORTEST_GTIN and ean.is_valid(text.zfill(14))
    return text.lstrip("0").zfill(13) if is_one else None


def _imei(text: str) -> str | None:
    return text if len(text) == _IMEI and imei.is_valid(text) else None


def _orcid(text: str) -> str | None:
    text = re.sub(r"^(?:https?)?orcidorg", "", text)
    return text if isni.is_valid(text) else None


def _lei(text: str) -> str | None:
    return text if len(text) == _LEI and lei.is_valid(text) else None


_SHORTEST_GTIN, _OLD_ISBN, _IMEI, _LEI = 8, 10, 15, 20
"""Lengths. An IMEI of 14 or 16 digits has no check digit."""
_CHECKED: dict[str, Callable[[str], str | None]] = {
    "isbn": _isbn,
    "ean": _gtin,
    "gtin": _gtin,
    "upc": _gtin,
    "imei": _imei,
    "orcid": _orcid,
    "lei": _lei,
}
"""Keys with a check digit: what is valid was hardly mistyped."""
_SORT_OF = {"ean": "gtin", "upc": "gtin", "isbn": "gtin"}


def identifying_words(settings: MatchingSettings) -> frozenset[str]:
    """Predicates, and words of predicates, in small letters, whose values may be identifiers.

    An e-mail or phone number may be the value of any other, too.
    """
    configured = frozenset(map(str.casefold, settings.keys | settings.exclusive))
    return configured | _PHONES | _URLS | _KEYS | _OF_EVENTS | _CHECKED.keys()


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """Identifiers that two entities share, and those of which each has another."""

    same: tuple[Identifier, ...] = ()
    different: tuple[str, ...] = ()


def compare_identifiers(a: MatchProfile, b: MatchProfile, settings: MatchingSettings) -> Finding:
    of_a, of_b = identifiers_of(a, settings), identifiers_of(b, settings)
    if not of_a or not of_b:
        return _NOTHING
    same = sorted(
        (identifier for identifier in of_a if any(_are_one(identifier, other) for other in of_b)),
        key=lambda identifier: identifier.words,
    )
    exclusive = {identifier.kind for identifier in of_a if identifier.exclusive} & {
        identifier.kind for identifier in of_b if identifier.exclusive
    }
    shared = {identifier.kind for identifier in same}
    together = _addresses(a) & _addresses(b) if PHONE in shared else frozenset[str]()
    return Finding(
        same=(*same, *(Identifier(kind=PHONE_AND_ADDRESS, value=address) for address in sorted(together))),
        different=tuple(
            f"each has another {kind}"
            for kind in sorted(exclusive - shared)
            if all(edits(x, y) > 1 for x in _values(of_a, kind) for y in _values(of_b, kind))
        ),
    )


_NOTHING = Finding()


def _addresses(profile: MatchProfile) -> frozenset[str]:
    """The addresses of an entity that have the number of a house."""
    return frozenset(
        folded(value)
        for predicate, values in profile.values.items()
        if vocabulary.predicate_words(predicate) & _STREETS
        for value in values
        if any(map(str.isdecimal, value)) and any(map(str.isalpha, value))
    )


def _are_one(a: Identifier, b: Identifier) -> bool:
    """Of two countries the same number is another one."""
    return a.value == b.value and a.kind == b.kind and (a.scope == b.scope or not a.scope or not b.scope)


def _values(identifiers: frozenset[Identifier], kind: str) -> list[str]:
    return [identifier.value for identifier in identifiers if identifier.kind == kind]
