"""What a model fills in of a thing or a relationship besides: attributes and other names, grounded or dropped.

Of an entity both become facts with a value (design: never properties of its node); of a claim, its attributes.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from graphmem.extract.llm.grounding import find_name, find_quote
from graphmem.extract.llm.schema import LONGEST, ExtractedClaim, ExtractedEntity, Sureness
from graphmem.model.claim import ClaimKind, Value
from graphmem.model.entity import normalise_name
from graphmem.model.fragment import ProposedClaim, ThingName
from graphmem.model.ontology import LONGEST_NAME, TYPE, Ontology, snake_case
from graphmem.model.persons import OTHER_NAME

_SURE = {Sureness.HIGH: 0.9, Sureness.MEDIUM: 0.6, Sureness.LOW: 0.3}
_ALIGNED = 10
"""Values as long as this may differ from the text as quotes may; shorter ones stand there as words of their own."""
_INT64 = 2**63
_PART = re.compile(r"^\d[.,]\d | \d[.,]\d$", re.ASCII)
_PRONOUNS = re.compile(
    "i|me|my|mine|myself|you|yours?|he|him|his|she|hers?|its?|we|us|ours?|they|them|theirs?|this|that|these|those|whom?"
)

Span = tuple[int, int]
TurnClaim = tuple[int, ProposedClaim | None]
"""The number of a turn and the claim it makes; None for one that no turn bears out."""


def facts_about(
    entity: ExtractedEntity, name: ThingName, texts: Sequence[str], ontology: Ontology
) -> Iterator[TurnClaim]:
    """The attributes and other names of an entity, as claims with a value."""
    spellings = (name.name, entity.name)
    for alias in _other_names(name, entity):
        place = _best(texts, spellings, [_words(text, alias) for text in texts])
        other = _own_characters(texts, place, alias)
        yield _value_claim(entity, name, None if _is_no_name(other) else place, OTHER_NAME, other)
    for key, value in entity.attributes.items():
        predicate = snake_case(key)
        types = (name.type, entity_type(entity.type))
        known = 0 < len(predicate) <= LONGEST_NAME and any(
            ontology.knows_attribute_of(type_, predicate) for type_ in types
        )
        place = _best(texts, spellings, [stands(text, value) for text in texts]) if known else None
        yield _value_claim(entity, name, place, predicate, _own_characters(texts, place, value))


def entity_type(written: str) -> str:
    """A type as the graph has it, whatever a model makes of its case and blanks; "" for what cannot be one."""
    word = "_".join(written.lower().split())
    fits = word if TYPE.fullmatch(word) else snake_case(word)
    return fits if TYPE.fullmatch(fits) and len(fits) <= LONGEST_NAME else ""


def attributes_of(claim: ExtractedClaim, predicate: str, text: str, ontology: Ontology) -> Mapping[str, Value]:
    """Those attributes of a claim that its predicate has, and its turn gives."""
    named = ((snake_case(key), value) for key, value in claim.attributes.items())
    known = ((key, value) for key, value in named if 0 < len(key) <= LONGEST_NAME)
    return {
        key: written(text, span, value)
        for key, value in known
        if ontology.knows_attribute_in(predicate, key) and (span := stands(text, value)) is not None
    }


def stands(text: str, value: Any) -> Span | None:
    """Where a plain value stands in a text, in code points; None for one that does not, and for one that is nested."""
    for form in _forms(value):
        if (span := _words(text, form)) is not None:
            return span
        if len(form) >= _ALIGNED and (span := find_quote(text, form)) is not None:
            return span
    return None


def written(text: str, span: Span, value: Value) -> Value:
    """A value that stands at ``span``, in the text's own characters; what is no string stays as it is."""
    return " ".join(text[span[0] : span[1]].split()) if isinstance(value, str) else value


def _forms(value: Any) -> Iterable[str]:
    """How a value may be written: amounts with or without commas and cents, as far as Neo4j can hold them."""
    if isinstance(value, str):
        says = 0 < len(value.strip()) <= LONGEST and _PRONOUNS.fullmatch(value.strip().casefold()) is None
        return [value] if says else []
    if isinstance(value, bool) or not isinstance(value, int | float) or not -_INT64 <= value < _INT64:
        return []
    return [str(value), f"{value:g}", f"{value:,}", f"{value:.2f}", f"{value:,.2f}"]


def _own_characters(texts: Sequence[str], place: tuple[int, Span] | None, value: Any) -> Any:
    return value if place is None else written(texts[place[0]], place[1], value)


def _words(text: str, words: str) -> Span | None:
    """Where words stand as words of their own, and numbers as whole numbers: no 200 in 1,200.

    The first place where they stand in the same case, else the first in any.
    """
    whole = [span for span in find_name(text, words) if not _PART.search(_around(text, span))]
    return next((span for span in whole if text[span[0] : span[1]] == words), next(iter(whole), None))


def _around(text: str, span: Span) -> str:
    """What stands there, a blank for all of it that lies within, and two letters before and after."""
    start, end = span
    return f"{text[max(start - 2, 0) : start + 1]} {text[end - 1 : end + 2]}"


def _other_names(name: ThingName, entity: ExtractedEntity) -> Iterator[str]:
    """The aliases of an entity, once each, without those that differ from its names in case and blanks only."""
    seen = {_letters(name.name), _letters(entity.name)}
    for alias in entity.aliases:
        if _letters(alias) not in seen:
            seen.add(_letters(alias))
            yield " ".join(alias.split())


def _letters(name: str) -> str:
    return "".join(normalise_name(name).split())


def _is_no_name(alias: str) -> bool:
    """Whether it stands for a thing without naming it: “she”, “my boss”."""
    return _PRONOUNS.fullmatch(alias.casefold()) is not None or (alias.islower() and alias.replace(" ", "").isalpha())


def _best(texts: Sequence[str], spellings: Sequence[str], spans: Sequence[Span | None]) -> tuple[int, Span] | None:
    """The first place in a turn that names the thing as well, else in any."""
    places = [(turn, span) for turn, span in enumerate(spans) if span is not None]
    naming = [place for place in places if any(find_name(texts[place[0]], spelling) for spelling in spellings)]
    return next(iter([*naming, *places]), None)


def _value_claim(
    entity: ExtractedEntity, name: ThingName, place: tuple[int, Span] | None, predicate: str, value: Any
) -> TurnClaim:
    if place is None:
        return 0, None
    turn, (start, end) = place
    says = f" is named {value}" if predicate == OTHER_NAME else f": {predicate.replace('_', ' ')} {value}"
    return turn, ProposedClaim(
        kind=ClaimKind.STARTS,
        subject=name,
        predicate=predicate,
        value=value,
        statement=f"{name.name}{says}.",
        quote_start=start,
        quote_end=end,
        confidence=_SURE[entity.confidence],
    )
