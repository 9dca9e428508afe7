"""What has the form of its type: numbers, dates, ages, nationalities, deeds, as the parser sees them."""

import re
from collections.abc import Callable, Mapping, Sequence

from graphmem.extract.offline.names import Found
from graphmem.extract.offline.syntax import Parse, Token
from graphmem.extract.offline.tables.lexicon import (
    BELIEFS,
    DISABILITIES,
    FOREGONE,
    HUMAN_ENDINGS,
    RECURRING,
    SAYING_NOTHING,
    SUBSTANCES,
    TRAITS,
)
from graphmem.extract.overlaps import Span
from graphmem.model.fragment import ThingName

_MONTH = r"[A-Z][a-z]{2,8}\.?"
_NTH = r"\d{1,2}(?:st|nd|rd|th)?"
_DAY = re.compile(
    rf"{_NTH} (?:of )?{_MONTH}(?: ?,? \d{{4}})?|{_MONTH} {_NTH}(?: ?,? \d{{4}})?|{_MONTH} \d{{4}}"
    r"|\d{4}(?:-\d\d-\d\d)?"
)
"""A day, a month or a year as it is written of births and deaths."""
_MOMENTARY = frozenset({"too", "so", "today", "tonight", "now", "lately", "currently", "yesterday", "suddenly"})
_AFTER_AGES = frozenset({".", ",", "!", ";", "now", "and", "but"})
_YOUNGEST, _OLDEST = 10, 110
_OF_NOTHING = ("aux", "neg", "nsubj", "punct", "cc", "conj", "intj")
_LONGEST_DEED = 15


def formed(parse: Parse, token: Token, kind: str, identifiers: Sequence[Span]) -> Found | None:
    """What has the form of its type around ``token``: a date or a number as spaCy sees it, else an identifier."""
    if kind in _FORMS:
        return _FORMS[kind](parse, token)
    for span in identifiers:
        if span.name.type == kind and span.start < token.end and token.start < span.end:
            return Found(span.name, span.start, span.end, span.name.name)
    return None


def _number(_: Parse, token: Token) -> Found | None:
    return Found(ThingName(token.text, "number"), token.start, token.end, token.text) if token.tag == "CD" else None


def _age(parse: Parse, token: Token) -> Found | None:
    """“I’m 26.” and “I’m only 26 now.”, between ten and 110, as nobody is so many of anything else."""
    alone = all(parse.tokens[i].dep in ("advmod", "punct") for i in token.children)
    ends = token.i + 1 == len(parse.tokens) or parse.tokens[token.i + 1].text.casefold() in _AFTER_AGES
    if not alone or not ends or not token.text.isdecimal() or not _YOUNGEST <= int(token.text) <= _OLDEST:
        return None
    return Found(ThingName(token.text, "age"), token.start, token.end, token.text)


def _trait(parse: Parse, token: Token) -> Found | None:
    """“rather shy”, by nature: not “too shy to ask”, “curious about it”, “lazy today” or “being stubborn”."""
    verb, word = parse.head(token), token.text.casefold()
    about = parse.children(token, "prep", "xcomp", "ccomp", "advcl")
    beside = {child.text.casefold() for each in (token, verb) for child in parse.children(each, "advmod", "npadvmod")}
    momentary = verb.text.casefold() == "being" or beside & _MOMENTARY
    if word not in TRAITS or about or momentary:
        return None
    return Found(ThingName(token.text, "trait"), token.start, token.end, token.text)


def _disability(_: Parse, token: Token) -> Found | None:
    known = token.text.casefold() in DISABILITIES
    return Found(ThingName(token.text, "disability"), token.start, token.end, token.text) if known else None


def _substance(_: Parse, token: Token) -> Found | None:
    """What the parser takes for anything but a noun: “gluten”, “lactose”."""
    known = token.text.casefold() in SUBSTANCES and not token.children
    return Found(ThingName(token.text, "concept"), token.start, token.end, token.text) if known else None


def _foregone(parse: Parse, verb: Token) -> Found | None:
    """“I don’t fly”, and nothing else: “I don’t fly at night” does without less."""
    rest = [child for i in verb.children if (child := parse.tokens[i]).dep not in _OF_NOTHING]
    name = FOREGONE.get(verb.lemma) or verb.text.casefold()
    if name not in FOREGONE.values() or not all(_empty(parse, child) or _stopped(parse, verb, child) for child in rest):
        return None
    return Found(ThingName(name, "foregone"), verb.start, verb.end, name)


def _stopped(parse: Parse, verb: Token, child: Token) -> bool:
    """“in 2019” of “I stopped smoking in 2019”, when it was that one stopped."""
    dated = [goal for goal in parse.children(child, "pobj") if goal.label == "DATE"]
    return verb.tag in ("VBG", "NN") and child.dep == "prep" and bool(dated)


def _empty(parse: Parse, token: Token) -> bool:
    """“at all”, “anymore”, “any more”, “no longer”."""
    words = [word.text.casefold() for word in parse.tokens[max(token.i - 1, 0) : token.i + 2]]
    return (
        words[1] == "anymore"
        or words[:2] == ["no", "longer"]
        or words[:2] == ["any", "more"]
        or words[1:] == ["at", "all"]
    )


def _verb(_: Parse, token: Token) -> Found | None:
    return Found(ThingName(token.text, "verb"), token.start, token.end, token.text)


def _deed(parse: Parse, verb: Token) -> Found | None:
    """“to run a marathon”, from its “to” to the end of what hangs from the verb."""
    sentence = parse.sentence_of(verb)
    below = [token for token in parse.tokens[sentence.first : sentence.last] if parse.hangs_from(token, verb)]
    while below and (below[-1].dep == "punct" or below[-1].text.casefold() in SAYING_NOTHING or _is_time(parse, below)):
        below.pop()
    if not below or below[0].tag != "TO" or len(below) > _LONGEST_DEED:
        return None
    start, end = below[0].start, below[-1].end
    written = " ".join(parse.text[start:end].split())
    return Found(ThingName(written, "deed"), start, end, written)


def _is_time(parse: Parse, words: Sequence[Token]) -> bool:
    """Whether the words end with a time that does not come again: “next month”, not “every day” or “by Friday”."""
    named = parse.name_at(words[-1])
    if named is None or named.label not in ("DATE", "TIME"):
        return False
    time = parse.within(named)
    beside = any(token.dep == "npadvmod" and token.head < named.first for token in time)
    return beside and not any(token.text.casefold() in RECURRING for token in time)


def _nation(parse: Parse, token: Token) -> Found | None:
    """“Italian” as a word of its own, and not a religion or a party."""
    hyphenated = any(other.text in ("-", "–") for other in parse.tokens[max(token.i - 1, 0) : token.i + 2])
    if token.dep == "amod" and not parse.head(token).lemma.endswith(HUMAN_ENDINGS):
        return None
    if token.label != "NORP" or hyphenated or token.text.casefold() in BELIEFS or not token.text[0].isupper():
        return None
    return Found(ThingName(token.text, "nationality"), token.start, token.end, token.text)


def _day(parse: Parse, token: Token) -> Found | None:
    """A date that says a number at least, without an ordinal phrase like “the 20th century”."""
    named = parse.name_at(token)
    if named is None or named.label != "DATE":
        return None
    first = named.first - 1 if named.first and parse.tokens[named.first - 1].tag == "CD" else named.first
    start, end = parse.tokens[first].start, parse.tokens[named.last - 1].end
    written = " ".join(parse.text[start:end].split())
    return Found(ThingName(written, "date"), start, end, written) if _DAY.fullmatch(written) else None


_FORMS: Mapping[str, Callable[[Parse, Token], Found | None]] = {
    "number": _number,
    "date": _day,
    "nationality": _nation,
    "deed": _deed,
    "age": _age,
    "trait": _trait,
    "disability": _disability,
    "substance": _substance,
    "foregone": _foregone,
    "verb": _verb,
}
